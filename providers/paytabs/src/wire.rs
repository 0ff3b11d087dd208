//! The parts of PayTabs' replies that decide something.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it
//! decides does anybody notice. Fields that decide nothing are not here.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;

/// A transaction (a sale, an authorization, a capture, a refund or a void), a page that waits for
/// the customer, or an error. The answer to a send, and to a query.
/// <https://github.com/paytabscom/php-sdk>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Transaction {
    #[serde(deserialize_with = "text")]
    tran_ref: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) previous_tran_ref: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) tran_type: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) cart_id: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) cart_amount: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) cart_currency: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) tran_total: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) tran_currency: Option<String>,
    pub(crate) redirect_url: Value,
    #[serde(deserialize_with = "there")]
    pub(crate) payment_result: Option<Outcome>,
    #[serde(deserialize_with = "code")]
    pub(crate) code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) message: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) trace: Option<String>,
}

impl Transaction {
    /// The reference, if it is one of PayTabs.
    pub(crate) fn id(&self) -> Option<&str> {
        self.tran_ref.as_deref().filter(|id| is_id(id))
    }

    /// The page, if opening its address is all that there is to do.
    pub(crate) fn page(&self) -> Option<&str> {
        let url = self.redirect_url.as_str()?;
        let address: http::Uri = url.parse().ok()?;
        let opens = address.scheme_str() == Some("https") && address.host().is_some();
        opens.then_some(url)
    }
}

/// How a transaction ended.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Outcome {
    /// One letter.
    #[serde(rename = "response_status", deserialize_with = "text")]
    pub(crate) status: Option<String>,
    /// A number of PayTabs, or the issuer's own reference.
    #[serde(rename = "response_code", deserialize_with = "code")]
    pub(crate) code: Option<String>,
    #[serde(rename = "response_message", deserialize_with = "text")]
    pub(crate) message: Option<String>,
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

/// Whether a text may be the reference of a transaction (`TST2014900000688`).
pub(crate) fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// A result. One that cannot be read is there all the same, and says nothing.
fn there<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Outcome>, D::Error> {
    let value = Value::deserialize(from)?;
    let there = !value.is_null();
    Ok(there.then(|| read(value).unwrap_or_default()))
}

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    })
}

/// Codes come as text or as whole numbers.
fn code<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Number(number) => number.as_u64().map(|number| number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    })
}
