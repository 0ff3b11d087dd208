//! The parts of Stripe's objects that decide something.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it
//! decides does anybody notice. Fields that decide nothing are not here.

use payonce::provider::IdempotencyKey;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::{Map, Value};

use crate::rule::KEY_NAME;

/// <https://docs.stripe.com/api/payment_intents/object>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct PaymentIntent {
    #[serde(deserialize_with = "text")]
    id: Option<String>,
    #[serde(deserialize_with = "text")]
    object: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) status: Option<String>,
    #[serde(deserialize_with = "units")]
    pub(crate) amount: Option<i64>,
    #[serde(deserialize_with = "units")]
    pub(crate) amount_capturable: Option<i64>,
    #[serde(deserialize_with = "received")]
    pub(crate) amount_received: Received,
    #[serde(deserialize_with = "text")]
    pub(crate) currency: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) client_secret: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) cancellation_reason: Option<String>,
    #[serde(deserialize_with = "object")]
    pub(crate) next_action: Option<NextAction>,
    #[serde(deserialize_with = "object")]
    pub(crate) last_payment_error: Option<ApiError>,
    #[serde(deserialize_with = "object")]
    pub(crate) metadata: Option<Metadata>,
}

/// What a payment says it received.
#[derive(Default, Clone, Copy)]
pub(crate) enum Received {
    /// Nothing is said.
    #[default]
    Unsaid,
    /// So many units.
    Units(i64),
    /// Something is said, and it is no number of units. It is not what was asked for.
    Odd,
}

impl Received {
    /// So many units, if it is a number of them.
    pub(crate) const fn units(self) -> Option<i64> {
        match self {
            Self::Units(units) => Some(units),
            Self::Unsaid | Self::Odd => None,
        }
    }
}

impl PaymentIntent {
    /// The id, if it is one that may stand in a path.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| is_id(id))
    }

    /// Whether it says that it is something else.
    pub(crate) fn is_other_object(&self) -> bool {
        self.object
            .as_deref()
            .is_some_and(|object| object != "payment_intent")
    }

    /// Whether it is in one of these states.
    pub(crate) fn is_in(&self, states: &[&str]) -> bool {
        self.status
            .as_deref()
            .is_some_and(|state| states.contains(&state))
    }
}

/// <https://docs.stripe.com/api/refunds/object>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Refund {
    #[serde(deserialize_with = "text")]
    id: Option<String>,
    #[serde(deserialize_with = "text")]
    object: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) status: Option<String>,
    #[serde(deserialize_with = "units")]
    pub(crate) amount: Option<i64>,
    #[serde(deserialize_with = "text")]
    pub(crate) currency: Option<String>,
    #[serde(deserialize_with = "text")]
    payment_intent: Option<String>,
    #[serde(deserialize_with = "text")]
    charge: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) failure_reason: Option<String>,
    #[serde(deserialize_with = "object")]
    pub(crate) metadata: Option<Metadata>,
}

impl Refund {
    /// The id, if it is one that may stand in a path.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| is_id(id))
    }

    /// Whether it says that it is something else.
    pub(crate) fn is_other_object(&self) -> bool {
        self.object
            .as_deref()
            .is_some_and(|object| object != "refund")
    }

    /// Whether it gives back another payment than this one.
    pub(crate) fn is_of_another(&self, parent: &str) -> bool {
        let named = if is_charge(parent) {
            &self.charge
        } else {
            &self.payment_intent
        };
        named.as_deref().is_some_and(|named| named != parent)
    }
}

/// The fields that the merchant, and we, put on an object.
#[derive(Default, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Metadata(Map<String, Value>);

impl Metadata {
    /// The text of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// Whether the field holds the key. `None`: it is there and is no text, so nobody can tell.
    pub(crate) fn holds(&self, name: &str, key: &IdempotencyKey) -> Option<bool> {
        match self.0.get(name) {
            None => Some(false),
            Some(value) => Some(value.as_str()? == key.as_str()),
        }
    }
}

/// What stands in a list and may carry the key of the request that made it.
pub(crate) trait Keyed: DeserializeOwned {
    /// The id, if it is one that may stand in a path.
    fn id(&self) -> Option<&str>;

    /// Its metadata, if that can be read.
    fn metadata(&self) -> Option<&Metadata>;

    /// Whether it carries the key. `None`: its metadata cannot be read, so nobody can tell.
    fn carries(&self, key: &IdempotencyKey) -> Option<bool> {
        self.metadata()?.holds(KEY_NAME, key)
    }
}

impl Keyed for PaymentIntent {
    fn id(&self) -> Option<&str> {
        self.id()
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }
}

impl Keyed for Refund {
    fn id(&self) -> Option<&str> {
        self.id()
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }
}

/// <https://docs.stripe.com/api/payment_intents/object#payment_intent_object-next_action>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct NextAction {
    #[serde(rename = "type", deserialize_with = "text")]
    pub(crate) kind: Option<String>,
    #[serde(deserialize_with = "object")]
    pub(crate) redirect_to_url: Option<RedirectToUrl>,
}

/// The page of a [`NextAction`].
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct RedirectToUrl {
    #[serde(deserialize_with = "text")]
    pub(crate) url: Option<String>,
}

/// What stands around an error.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Envelope {
    #[serde(deserialize_with = "object")]
    pub(crate) error: Option<ApiError>,
}

/// <https://docs.stripe.com/api/errors>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct ApiError {
    #[serde(rename = "type", deserialize_with = "text")]
    pub(crate) kind: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) decline_code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) advice_code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) message: Option<String>,
    #[serde(deserialize_with = "named")]
    pub(crate) payment_intent: Option<Box<PaymentIntent>>,
}

/// <https://docs.stripe.com/api/pagination>, and the same for a search.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct List {
    #[serde(deserialize_with = "values")]
    pub(crate) data: Option<Vec<Value>>,
    #[serde(deserialize_with = "flag")]
    pub(crate) has_more: Option<bool>,
}

/// Reads an object of Stripe. Anything but a JSON object is nothing.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    // Without this check an array would pass as an object without names.
    if value.is_object() {
        serde_json::from_value(value).ok()
    } else {
        None
    }
}

/// Whether a text may stand in a path as an id.
pub(crate) fn is_id(text: &str) -> bool {
    let fits = (1..=255).contains(&text.len());
    fits && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether an id is that of a `PaymentIntent`.
pub(crate) fn is_payment(id: &str) -> bool {
    has_prefix(id, "pi_")
}

/// Whether an id is that of a charge.
pub(crate) fn is_charge(id: &str) -> bool {
    has_prefix(id, "ch_")
}

fn has_prefix(id: &str, prefix: &str) -> bool {
    is_id(id) && id.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty())
}

fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Value::deserialize(from).map(read)
}

/// A payment that an error names. One that cannot be read is there all the same, in no state.
fn named<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<PaymentIntent>>, D::Error> {
    let value = Value::deserialize(from)?;
    let named = !value.is_null();
    Ok(named.then(|| Box::new(read(value).unwrap_or_default())))
}

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    })
}

/// A whole number, also as text.
fn units<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    Value::deserialize(from).map(|value| whole(&value))
}

fn received<'de, D: Deserializer<'de>>(from: D) -> Result<Received, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(match whole(&value) {
        Some(units) => Received::Units(units),
        None if value.is_null() => Received::Unsaid,
        None => Received::Odd,
    })
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    }
}

fn values<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Value>>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Array(values) => Some(values),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            None
        }
    })
}

fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    Value::deserialize(from).map(|value| value.as_bool())
}
