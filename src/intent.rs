//! What the merchant wants: an operation kind, a reference, an amount, and what pays.

mod card;
mod customer;
mod kind;
pub(crate) mod screen;
mod source;

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

pub(crate) use self::card::holds_card_number;
pub use self::customer::Customer;
pub use self::kind::{Authorize, Capture, Charge, Kind, Pays, Refund, Void};
pub use self::screen::Problem;
pub use self::source::{Source, SourceKind};

use crate::clock::Timestamp;
use crate::error::Error;
use crate::money::Money;
use crate::payment::Payment;
use crate::provider::{AccountId, IdempotencyKey};

/// The shortest time in which a call makes sense.
pub(crate) const SHORTEST_DEADLINE: Duration = Duration::from_millis(100);

/// What the merchant wants to happen at most once.
///
/// The reference says *which* thing is wanted: calling again with the same reference continues
/// the same operation, with the same key and the same bytes. What may differ on a later call is
/// what does not change the financial effect: description, metadata, customer, return URL. Amount,
/// currency, source and kind may not.
///
/// ```
/// use payonce::{Currency, Intent, Money, Source};
///
/// let intent = Intent::charge("order-1042", Money::parse("480.00", Currency::SAR)?)
///     .source(Source::token("pm_card_visa"))
///     .return_url("https://shop.example/back")
///     .metadata("basket", "قهوة");
/// # Ok::<(), payonce::MoneyError>(())
/// ```
pub struct Intent<K> {
    pub(crate) fields: Fields,
    kind: PhantomData<K>,
}

/// The fields of an intent, whatever its kind.
#[derive(Clone)]
pub(crate) struct Fields {
    pub(crate) reference: String,
    /// How much. A void has no amount of its own: it is that of its payment.
    pub(crate) money: Option<Money>,
    /// The payment that is captured, refunded or voided.
    pub(crate) parent: Option<Payment>,
    pub(crate) attempt: u32,
    pub(crate) source: Option<Source>,
    pub(crate) via: Option<AccountId>,
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) return_url: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) customer: Option<Customer>,
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) send_until: Option<Timestamp>,
    pub(crate) deadline: Option<Duration>,
}

impl<K: Kind> Intent<K> {
    fn new(reference: String, money: Option<Money>, parent: Option<Payment>) -> Self {
        Self {
            fields: Fields {
                reference,
                money,
                attempt: 1,
                source: None,
                via: parent.as_ref().map(|payment| payment.account.clone()),
                parent,
                key: None,
                return_url: None,
                description: None,
                customer: None,
                metadata: Vec::new(),
                send_until: None,
                deadline: None,
            },
            kind: PhantomData,
        }
    }

    /// The attempt under the reference: 1 unless said otherwise. Attempt 2 may follow when
    /// attempt 1 definitely had no effect: with another card, another account, a corrected
    /// request.
    #[must_use]
    pub fn attempt(mut self, attempt: u32) -> Self {
        self.fields.attempt = attempt;
        self
    }

    /// A key of the caller's own. It is used as it is or refused, never replaced or cut.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.fields.key = Some(IdempotencyKey::new(key));
        self
    }

    /// Free text for the payment.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.fields.description = Some(text.into());
        self
    }

    /// Who pays, where the gateway wants to know it.
    #[must_use]
    pub fn customer(mut self, customer: Customer) -> Self {
        self.fields.customer = Some(customer);
        self
    }

    /// A field of the merchant's own, stored at the gateway.
    #[must_use]
    pub fn metadata(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.fields.metadata.push((name.into(), value.into()));
        self
    }

    /// Until when the operation may be sent. By default: a charge or authorization until five
    /// minutes after this call's deadline, a capture, refund or void for 24 hours. Later it is only
    /// looked up, until a call with the intent renews the time.
    #[must_use]
    pub fn send_until(mut self, until: impl Into<Timestamp>) -> Self {
        self.fields.send_until = Some(until.into());
        self
    }

    /// How long this call may take in all, instead of the client's own deadline: 100 ms at least.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.fields.deadline = Some(deadline);
        self
    }

    /// Whether every field is usable, before anything is stored or sent.
    #[cfg_attr(
        not(feature = "client"),
        expect(dead_code, reason = "the client calls it")
    )]
    pub(crate) fn check(&self) -> Result<(), Error> {
        let fields = &self.fields;
        let invalid = |field: &str| {
            let field = field.to_owned();
            move |problem| Error::Invalid { field, problem }
        };
        screen::reference(&fields.reference).map_err(invalid("reference"))?;
        if fields.money.is_some_and(Money::is_zero) {
            let problem = Problem::other("is zero: give an amount above zero");
            return Err(invalid("amount")(problem));
        }
        if fields.attempt == 0 {
            return Err(invalid("attempt")(Problem::other(
                "is 0: the first attempt is 1",
            )));
        }
        if fields
            .deadline
            .is_some_and(|deadline| deadline < SHORTEST_DEADLINE)
        {
            return Err(invalid("deadline")(Problem::other(
                "is under 100 ms: give a longer one",
            )));
        }
        if fields.parent.is_none() {
            self.check_source().map_err(invalid("source"))?;
        }
        if let Some(payment) = &fields.parent {
            screen::id(&payment.provider_id).map_err(invalid("payment"))?;
        }
        if let Some(url) = &fields.return_url {
            screen::text(url)
                .and_then(|()| absolute_url(url))
                .map_err(invalid("return_url"))?;
        }
        if let Some(text) = &fields.description {
            screen::text(text).map_err(invalid("description"))?;
        }
        if let Some((name, problem)) = fields.customer.as_ref().and_then(Customer::problem) {
            return Err(invalid(&format!("customer {name}"))(problem));
        }
        if let Some(key) = &fields.key {
            screen::text(key.as_str()).map_err(invalid("key"))?;
        }
        for (place, (name, value)) in fields.metadata.iter().enumerate() {
            screen::name(name).map_err(invalid("metadata name"))?;
            screen::text(value).map_err(invalid(&format!("metadata {name}")))?;
            if fields
                .metadata
                .iter()
                .take(place)
                .any(|(earlier, _)| earlier == name)
            {
                let problem = Problem::other("is given twice: give each name once");
                return Err(invalid(&format!("metadata {name}"))(problem));
            }
        }
        Ok(())
    }

    fn check_source(&self) -> Result<(), Problem> {
        let Some(source) = &self.fields.source else {
            return Err(Problem::other(
                "is missing: say what pays, with .source(..)",
            ));
        };
        if let Some(token) = source.expose_token() {
            screen::text(token)?;
        }
        source.customer().map_or(Ok(()), screen::id)
    }
}

fn absolute_url(url: &str) -> Result<(), Problem> {
    let parsed: Result<http::Uri, _> = url.parse();
    match parsed {
        Ok(uri) if uri.scheme().is_some() && uri.host().is_some() => Ok(()),
        Ok(_) | Err(_) => Err(Problem::other(
            "is not an absolute URL: give scheme://host/path, with other scripts percent-encoded",
        )),
    }
}

impl<K> Clone for Intent<K> {
    fn clone(&self) -> Self {
        Self {
            fields: self.fields.clone(),
            kind: PhantomData,
        }
    }
}

impl<K: Kind> fmt::Debug for Intent<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An intent may be shown before it was checked, and a card number refused.
        let reference = match self.fields.reference.as_str() {
            text if holds_card_number(text) => "(a card number)",
            text => text,
        };
        f.debug_struct("Intent")
            .field("kind", &K::KIND)
            .field("reference", &reference)
            .field("attempt", &self.fields.attempt)
            .field("money", &self.fields.money)
            .field("source", &self.fields.source)
            .finish_non_exhaustive()
    }
}
