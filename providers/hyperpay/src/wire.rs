//! The parts of the platform's replies that decide something.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it
//! decides does anybody notice. Fields that decide nothing are not here.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;

/// A payment: a charge, an authorization, a capture, a refund or a void. The answer to a send, to
/// a query by id, and an entry of a query by reference.
/// <https://hyperpay.docs.oppwa.com/reference/parameters>
#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Payment {
    #[serde(deserialize_with = "text")]
    id: Option<String>,
    #[serde(rename = "paymentType", deserialize_with = "text")]
    pub(crate) kind: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) amount: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) currency: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) merchant_transaction_id: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) referenced_id: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) ndc: Option<String>,
    #[serde(deserialize_with = "object")]
    result: Option<Outcome>,
    #[serde(deserialize_with = "object")]
    result_details: Option<Details>,
    #[serde(deserialize_with = "named")]
    pub(crate) redirect: Option<Redirect>,
}

impl Payment {
    /// The id, if it is one that may stand in a path.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| is_id(id))
    }

    /// The result code.
    pub(crate) fn code(&self) -> Option<&str> {
        self.result.as_ref()?.code.as_deref()
    }

    /// The text beside the code.
    pub(crate) fn description(&self) -> Option<&str> {
        self.result.as_ref()?.description.as_deref()
    }

    /// The acquirer's own answer.
    pub(crate) fn acquirer_response(&self) -> Option<&str> {
        self.result_details.as_ref()?.acquirer_response.as_deref()
    }
}

/// The result of a payment or of a query.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Outcome {
    #[serde(deserialize_with = "text")]
    code: Option<String>,
    #[serde(deserialize_with = "text")]
    description: Option<String>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Details {
    #[serde(rename = "AcquirerResponse", deserialize_with = "text")]
    acquirer_response: Option<String>,
}

/// Where the customer is to be sent, and how.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Redirect {
    #[serde(deserialize_with = "text")]
    url: Option<String>,
    #[serde(deserialize_with = "text")]
    method: Option<String>,
    parameters: Value,
    preconditions: Value,
}

impl Redirect {
    /// The address, if opening it is all that there is to do: by GET, with no field of a form to
    /// send along and nothing to load before. No page says that a missing method means GET.
    pub(crate) fn plain_url(&self) -> Option<&str> {
        let nothing =
            |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        let url = self.url.as_deref()?;
        let address: http::Uri = url.parse().ok()?;
        let opens = address.scheme_str() == Some("https") && address.host().is_some();
        let get = self.method.as_deref() == Some("GET");
        (opens && get && nothing(&self.parameters) && nothing(&self.preconditions)).then_some(url)
    }
}

/// The reply to a query by reference: <https://hyperpay.docs.oppwa.com/reporting-transaction>.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Report {
    #[serde(deserialize_with = "object")]
    result: Option<Outcome>,
    #[serde(deserialize_with = "values")]
    pub(crate) payments: Option<Vec<Value>>,
}

impl Report {
    /// The result code of the query itself.
    pub(crate) fn code(&self) -> Option<&str> {
        self.result.as_ref()?.code.as_deref()
    }
}

/// Reads an object. Anything but a JSON object is nothing.
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
    (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Value::deserialize(from).map(read)
}

/// A redirect. One that cannot be read is there all the same, and leads nowhere.
fn named<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Redirect>, D::Error> {
    let value = Value::deserialize(from)?;
    let named = !value.is_null();
    Ok(named.then(|| read(value).unwrap_or_default()))
}

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    })
}

fn values<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Value>>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Array(values) => Some(values),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            None
        }
    })
}
