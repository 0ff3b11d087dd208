//! The parts of Square's objects that decide something.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it
//! decides does anybody notice. Fields that decide nothing are not here.

use payonce::Currency;
use payonce::provider::Response;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;

use crate::amount::AMOUNT;

/// What every reply is:
/// <https://developer.squareup.com/docs/build-basics/handling-errors>.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Body {
    #[serde(deserialize_with = "named")]
    pub(crate) payment: Option<Payment>,
    #[serde(deserialize_with = "named")]
    pub(crate) refund: Option<Refund>,
    #[serde(deserialize_with = "values")]
    pub(crate) errors: Option<Vec<Value>>,
}

/// A page of a list: <https://developer.squareup.com/docs/build-basics/common-api-patterns/pagination>.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct List {
    #[serde(deserialize_with = "values")]
    pub(crate) payments: Option<Vec<Value>>,
    #[serde(deserialize_with = "values")]
    pub(crate) refunds: Option<Vec<Value>>,
    /// Left out at the end.
    pub(crate) cursor: Value,
    /// Where there is one, the page may not be whole.
    pub(crate) errors: Value,
}

/// <https://developer.squareup.com/reference/square/objects/Payment>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Payment {
    #[serde(deserialize_with = "text")]
    id: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) status: Option<String>,
    /// What the payment takes: its amount, with a tip if there is one.
    pub(crate) total_money: Shown,
    /// Without a tip.
    pub(crate) amount_money: Shown,
    pub(crate) approved_money: Shown,
    /// The key, on a payment of ours.
    pub(crate) reference_id: Value,
}

/// <https://developer.squareup.com/reference/square/objects/PaymentRefund>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Refund {
    #[serde(deserialize_with = "text")]
    id: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) status: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) payment_id: Option<String>,
    pub(crate) amount_money: Shown,
    /// The key, on a refund of ours.
    pub(crate) reason: Value,
}

/// <https://developer.squareup.com/reference/square/objects/Error>
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct ApiError {
    #[serde(deserialize_with = "text")]
    pub(crate) category: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) code: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) detail: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) field: Option<String>,
}

/// What an amount of Square shows.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// It is not there.
    #[default]
    Nothing,
    /// It is there, and is no money.
    NoMoney,
    /// This.
    Money(payonce::Money),
}

impl Shown {
    pub(crate) const fn money(self) -> Option<payonce::Money> {
        match self {
            Self::Money(money) => Some(money),
            Self::Nothing | Self::NoMoney => None,
        }
    }
}

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        if value.is_null() {
            return Ok(Self::Nothing);
        }
        let money = || {
            let currency: Currency = value.get("currency")?.as_str()?.parse().ok()?;
            AMOUNT.money(value.get("amount")?.as_i64()?, currency).ok()
        };
        Ok(money().map_or(Self::NoMoney, Self::Money))
    }
}

/// What a request of ours made, or a list shows, with the field that holds our key.
pub(crate) trait Keyed: DeserializeOwned {
    /// The id, if it is one that may stand in a path.
    fn id(&self) -> Option<&str>;

    /// The field that holds the key. It holds what somebody else wrote on what is not ours.
    fn mark(&self) -> &Value;

    /// The key that it names.
    fn key(&self) -> Option<&str> {
        self.mark().as_str().filter(|key| !key.is_empty())
    }
}

impl Keyed for Payment {
    fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| is_id(id))
    }

    fn mark(&self) -> &Value {
        &self.reference_id
    }
}

impl Keyed for Refund {
    fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| is_id(id))
    }

    fn mark(&self) -> &Value {
        &self.reason
    }
}

/// Reads an object of Square. Anything but a JSON object is nothing.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    // Without this check an array would pass as an object without names.
    if value.is_object() {
        serde_json::from_value(value).ok()
    } else {
        None
    }
}

/// The body as an object of Square.
pub(crate) fn body<T: DeserializeOwned>(reply: &Response) -> Option<T> {
    reply.json().and_then(read)
}

/// Whether a text may stand in a path as an id: at most 255 characters, as those of refunds.
pub(crate) fn is_id(text: &str) -> bool {
    let fits = (1..=255).contains(&text.len());
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    fits && text.bytes().all(plain)
}

/// An object that a reply names. One that cannot be read is there all the same, and says nothing.
fn named<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
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

fn values<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Value>>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Array(values) => Some(values),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            None
        }
    })
}
