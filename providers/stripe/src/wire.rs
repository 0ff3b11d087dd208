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
    metadata: Option<Map<String, Value>>,
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

    /// The key that our charge wrote into its metadata.
    pub(crate) fn key(&self) -> Option<&str> {
        self.metadata.as_ref()?.get(KEY_NAME)?.as_str()
    }

    /// Whether it carries the key. `None`: its metadata cannot be read, so nobody can tell.
    pub(crate) fn carries(&self, key: &IdempotencyKey) -> Option<bool> {
        match self.metadata.as_ref()?.get(KEY_NAME) {
            None => Some(false),
            Some(value) => Some(value.as_str()? == key.as_str()),
        }
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
