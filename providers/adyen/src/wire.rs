//! The parts of Adyen's replies that decide something.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it
//! decides does anybody notice. Fields that decide nothing are not here.

use payonce::provider::Response;
use payonce::{Currency, Money};
use serde::de::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::amount::AMOUNT;

/// A reply: to a payment, to what is done to one, or an error.
/// <https://github.com/Adyen/adyen-openapi>, `CheckoutService-v72`.
#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Body {
    #[serde(deserialize_with = "text")]
    psp_reference: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) result_code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) merchant_reference: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) refusal_reason: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) refusal_reason_code: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(crate) amount: Option<Value>,
    #[serde(deserialize_with = "present")]
    pub(crate) action: Option<Value>,

    #[serde(deserialize_with = "text")]
    pub(crate) status: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) reference: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) payment_psp_reference: Option<String>,

    #[serde(deserialize_with = "text")]
    pub(crate) error_code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) error_type: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) message: Option<String>,
}

impl Body {
    /// What can be read of a reply: nothing, if it is no JSON object.
    pub(crate) fn of(reply: &Response) -> Self {
        let value = reply.json().filter(Value::is_object);
        value
            .and_then(|value| serde_json::from_value(value).ok())
            .unwrap_or_default()
    }

    /// Adyen's id, if it is one that may stand in a path.
    pub(crate) fn id(&self) -> Option<&str> {
        self.psp_reference.as_deref().filter(|id| is_id(id))
    }

    /// The amount. `None`: there is none, or it is no money.
    pub(crate) fn money(&self) -> Option<Money> {
        let amount = self.amount.as_ref()?;
        let currency: Currency = amount.get("currency")?.as_str()?.parse().ok()?;
        AMOUNT.money(amount.get("value")?.as_i64()?, currency).ok()
    }

    /// What the customer must do, with its type.
    pub(crate) fn action(&self) -> Option<(&str, &Map<String, Value>)> {
        let action = self.action.as_ref()?.as_object()?;
        let kind = action.get("type")?.as_str()?;
        Some((kind, action))
    }

    /// Whether it is an error of Adyen's own, of one of these types: `702`, `14_030`.
    pub(crate) fn is_error(&self, types: &[&str]) -> bool {
        let kind = self.error_type.as_deref();
        let part = |b: u8| b.is_ascii_digit() || b == b'_';
        let code = self.error_code.as_deref().unwrap_or_default();
        let code = !code.is_empty() && code.bytes().all(part);
        code && self.message.is_some() && kind.is_some_and(|kind| types.contains(&kind))
    }
}

/// Whether a text may stand in a path as an id. Adyen's have 16 letters and digits; more is not asked
/// for, as no page promises it for ever.
pub(crate) fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    })
}

/// What is there, whatever it is.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(Some(value).filter(|value| !value.is_null()))
}
