//! The parts of Moyasar's objects that decide something.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it
//! decides does anybody notice. Fields that decide nothing are not here.

use payonce::provider::Response;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::{Map, Value};

use crate::rule::KEY_NAME;

/// <https://docs.moyasar.com/api/payments/02-fetch-payment>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Payment {
    #[serde(deserialize_with = "text")]
    id: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) status: Option<String>,
    #[serde(deserialize_with = "units")]
    pub(crate) amount: Option<i64>,
    #[serde(deserialize_with = "text")]
    pub(crate) currency: Option<String>,
    /// How much was captured in all.
    #[serde(deserialize_with = "units")]
    pub(crate) captured: Option<i64>,
    /// How much was refunded in all.
    #[serde(deserialize_with = "units")]
    pub(crate) refunded: Option<i64>,
    #[serde(deserialize_with = "object")]
    pub(crate) source: Option<Source>,
    #[serde(deserialize_with = "object")]
    metadata: Option<Map<String, Value>>,
}

impl Payment {
    /// The id, if it is one that may stand in a path.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| is_id(id))
    }

    /// The key that our payment wrote into its metadata.
    pub(crate) fn key(&self) -> Option<&str> {
        self.metadata.as_ref()?.get(KEY_NAME)?.as_str()
    }
}

/// What paid.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Source {
    #[serde(rename = "type", deserialize_with = "text")]
    pub(crate) kind: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) message: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) response_code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) transaction_url: Option<String>,
}

/// <https://docs.moyasar.com/api/errors>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct ApiError {
    #[serde(rename = "type", deserialize_with = "text")]
    pub(crate) kind: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) message: Option<String>,
    /// What is wrong with which field.
    errors: Value,
}

impl ApiError {
    /// The names of the fields that are wrong.
    pub(crate) fn fields(&self) -> Option<String> {
        let names: Vec<&str> = self
            .errors
            .as_object()?
            .keys()
            .map(String::as_str)
            .collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Whether it may say that there is a payment under the id already. What is wrong with another
    /// field is said with that field's name.
    pub(crate) fn is_about_the_id(&self) -> bool {
        let text = self.message.as_deref().unwrap_or_default();
        let fields = self.errors.as_object();
        text.to_ascii_lowercase().contains("already")
            || fields
                .is_some_and(|fields| ["given_id", "id"].iter().any(|id| fields.contains_key(*id)))
    }
}

/// Reads an object of Moyasar. Anything but a JSON object is nothing.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    // Without this check an array would pass as an object without names.
    if value.is_object() {
        serde_json::from_value(value).ok()
    } else {
        None
    }
}

/// The body as an object of Moyasar.
pub(crate) fn body<T: DeserializeOwned>(reply: &Response) -> Option<T> {
    reply.json().and_then(read)
}

/// Whether a text may stand in a path as an id. Moyasar's are UUIDs.
pub(crate) fn is_id(text: &str) -> bool {
    let fits = (1..=64).contains(&text.len());
    fits && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Value::deserialize(from).map(read)
}

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    })
}

fn units<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    Value::deserialize(from).map(|value| value.as_i64())
}
