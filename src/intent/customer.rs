//! Who pays, as far as a gateway wants to know it.

use std::fmt;

use super::Problem;
use super::screen;

/// Who pays, as far as a gateway wants to know it. Give what the gateway asks for: what is missing is
/// refused by name before anything is sent.
///
/// It goes into the stored request and nowhere else, and is no part of what makes two intents differ.
/// `Debug` shows which fields are there, and none of them.
///
/// ```
/// use payonce::Customer;
///
/// let customer = Customer::new().name("ليلى").email("laila@shop.example").phone("+966500000001");
/// assert_eq!(format!("{customer:?}"), "Customer(name, email, phone)");
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Customer {
    name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    ip: Option<String>,
    country: Option<String>,
    city: Option<String>,
    street: Option<String>,
    postcode: Option<String>,
}

impl Customer {
    /// Nobody knows anything of the customer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The full name, in any script.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The e-mail address.
    #[must_use]
    pub fn email(mut self, email: impl Into<String>) -> Self {
        self.email = Some(email.into());
        self
    }

    /// The phone number with its country code: `+966500000001`.
    #[must_use]
    pub fn phone(mut self, phone: impl Into<String>) -> Self {
        self.phone = Some(phone.into());
        self
    }

    /// The address from which the customer's browser came.
    #[must_use]
    pub fn ip(mut self, ip: std::net::IpAddr) -> Self {
        self.ip = Some(ip.to_string());
        self
    }

    /// The postal address: the country by its two letters (`SA`).
    #[must_use]
    pub fn address(
        mut self,
        country: impl Into<String>,
        city: impl Into<String>,
        street: impl Into<String>,
        postcode: impl Into<String>,
    ) -> Self {
        self.country = Some(country.into());
        self.city = Some(city.into());
        self.street = Some(street.into());
        self.postcode = Some(postcode.into());
        self
    }

    /// A field by its name here, for the adapter: `name`, `email`, `phone`, `ip`, `country`, `city`,
    /// `street`, `postcode`.
    pub fn get(&self, field: &str) -> Option<&str> {
        let (_, value) = self.fields().into_iter().find(|(name, _)| *name == field)?;
        value
    }

    fn fields(&self) -> [(&'static str, Option<&str>); 8] {
        [
            ("name", self.name.as_deref()),
            ("email", self.email.as_deref()),
            ("phone", self.phone.as_deref()),
            ("ip", self.ip.as_deref()),
            ("country", self.country.as_deref()),
            ("city", self.city.as_deref()),
            ("street", self.street.as_deref()),
            ("postcode", self.postcode.as_deref()),
        ]
    }

    /// The first field that cannot be used, and why.
    pub(super) fn problem(&self) -> Option<(&'static str, Problem)> {
        let given = self.fields().into_iter();
        given
            .filter_map(|(name, value)| Some((name, value?)))
            .find_map(|(name, value)| Some((name, screen::text(value).err()?)))
    }
}

impl fmt::Debug for Customer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_tuple("Customer");
        for (name, value) in self.fields() {
            if value.is_some() {
                fields.field(&format_args!("{name}"));
            }
        }
        fields.finish()
    }
}
