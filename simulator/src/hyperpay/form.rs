//! Form-encoded parameters with dots and brackets, read strictly: what nobody took is unknown.
//! All that is wrong is reported at once, as the platform does it.

use std::collections::{BTreeMap, BTreeSet};

use super::amount;
use super::error::{ApiError, ParameterError};

/// Parameters that change nothing in this simulation, with everything below them.
const WITHOUT_EFFECT: [&str; 15] = [
    "billing",
    "browserFingerprint",
    "card",
    "cart",
    "createRegistration",
    "customer",
    "entityId",
    "notificationUrl",
    "paymentBrand",
    "recurringType",
    "risk",
    "shipping",
    "shopperResultUrl",
    "taxAmount",
    "threeDSecure",
];

/// The parameters of one request, taken out one by one.
#[derive(Debug)]
pub(super) struct Form {
    fields: Vec<(String, String)>,
    wrong: Vec<ParameterError>,
}

impl Form {
    /// Reads a body or a query. A parameter that comes twice is refused: which one would count is
    /// not documented.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let fields: Vec<(String, String)> = form_urlencoded::parse(bytes).into_owned().collect();
        let mut form = Self {
            fields,
            wrong: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        let fields = form.fields.iter();
        let twice: Vec<String> = fields
            .filter(|(name, _)| !seen.insert(name.as_str()))
            .map(|(name, _)| name.clone())
            .collect();
        for name in twice {
            form.is_wrong(&name, None, "was sent more than once");
        }
        form
    }

    /// Takes a text; one that is empty is wrong.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let at = self.fields.iter().position(|(field, _)| field == name)?;
        let (_, value) = self.fields.remove(at);
        if value.is_empty() {
            self.is_wrong(name, Some(&value), "may not be empty");
            return None;
        }
        Some(value)
    }

    /// Takes a text of this many characters.
    pub(super) fn sized(&mut self, name: &str, least: usize, most: usize) -> Option<String> {
        let value = self.text(name)?;
        if (least..=most).contains(&value.chars().count()) {
            return Some(value);
        }
        let form = format!("must match ^[\\s\\S]{{{least},{most}}}$");
        self.is_wrong(name, Some(&value), &form);
        None
    }

    /// Takes one of these words.
    pub(super) fn word(&mut self, name: &str, words: &[&str]) -> Option<String> {
        let value = self.text(name)?;
        if words.contains(&value.as_str()) {
            return Some(value);
        }
        let form = format!("must be one of {}", words.join(", "));
        self.is_wrong(name, Some(&value), &form);
        None
    }

    /// Takes the amount, in hundredths.
    pub(super) fn amount(&mut self) -> Option<i64> {
        let value = self.text("amount")?;
        let amount = amount::parse(&value);
        if amount.is_none() {
            self.is_wrong("amount", Some(&value), amount::FORM);
        }
        amount
    }

    /// Takes the currency: three capital letters. Which ones exist is not looked up.
    pub(super) fn currency(&mut self) -> Option<String> {
        let value = self.text("currency")?;
        if value.len() == 3 && value.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Some(value);
        }
        self.is_wrong("currency", Some(&value), "must match ^[A-Z]{3}$");
        None
    }

    /// Takes all of `customParameters[..]`.
    pub(super) fn custom_parameters(&mut self) -> BTreeMap<String, String> {
        let taken = self
            .fields
            .extract_if(.., |(field, _)| inside(field).is_some());
        taken
            .filter_map(|(field, value)| Some((inside(&field)?.to_owned(), value)))
            .collect()
    }

    /// What must be there and is not, or is wrong already.
    pub(super) fn required<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && !self.wrong.iter().any(|wrong| wrong.name == name) {
            self.is_wrong(name, None, "may not be empty");
        }
        value
    }

    /// Notes what is wrong with a parameter.
    pub(super) fn is_wrong(&mut self, name: &str, value: Option<&str>, message: &str) {
        self.wrong.push(ParameterError {
            name: name.to_owned(),
            value: value.map(str::to_owned),
            message: message.to_owned(),
        });
    }

    /// Everything must have been taken by now, and nothing may be wrong. That the platform
    /// refuses unknown parameters is not documented; a misspelt one must not pass here.
    pub(super) fn finish(mut self) -> Result<(), ApiError> {
        let unknown = std::mem::take(&mut self.fields)
            .into_iter()
            .filter(|(field, _)| {
                let base = field.split(['.', '[']).next().unwrap_or_default();
                !WITHOUT_EFFECT.contains(&base)
            });
        for (field, value) in unknown {
            self.is_wrong(&field, Some(&value), "is not a parameter here");
        }
        if self.wrong.is_empty() {
            return Ok(());
        }
        Err(ApiError::parameters(self.wrong))
    }
}

/// The text in the brackets of `customParameters[..]`.
fn inside(field: &str) -> Option<&str> {
    let name = field.strip_prefix("customParameters[")?.strip_suffix(']')?;
    Some(name).filter(|name| !name.is_empty())
}
