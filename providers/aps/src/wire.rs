//! The parts of the gateway's replies that decide something: flat objects of texts, all signed.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it
//! decides does anybody notice.

use payonce::provider::{Response, excerpt};
use serde_json::{Map, Value};

use crate::sign::Keys;

/// The fields of a reply that the gateway signed.
pub(crate) struct Fields(Map<String, Value>);

/// Why a body is not the gateway's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is no JSON object.
    NoObject,
    /// Its signature is missing, or another.
    NotSigned,
}

impl Fields {
    /// Reads a body.
    pub(crate) fn of(keys: &Keys, reply: &Response) -> Result<Self, Unread> {
        match reply.json() {
            Some(Value::Object(fields)) if keys.signed(&fields) => Ok(Self(fields)),
            Some(Value::Object(_)) => Err(Unread::NotSigned),
            Some(
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_),
            )
            | None => Err(Unread::NoObject),
        }
    }

    /// A text. What is empty is not there.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let text = self.0.get(name)?.as_str()?;
        Some(text).filter(|text| !text.is_empty())
    }

    /// Whether there is anything under a name.
    pub(crate) fn has(&self, name: &str) -> bool {
        let value = self.0.get(name);
        value.is_some_and(|value| !value.is_null() && value != "")
    }

    /// A number, which the pages show as text and call a number.
    pub(crate) fn digits(&self, name: &str) -> Option<String> {
        let number = || self.0.get(name)?.as_u64().map(|number| number.to_string());
        let text = self.text(name).map(str::to_owned).or_else(number)?;
        text.bytes().all(|b| b.is_ascii_digit()).then_some(text)
    }

    /// An amount in the gateway's units.
    pub(crate) fn units(&self, name: &str) -> Option<i64> {
        self.digits(name)?.parse().ok()
    }

    /// The gateway's id of the order.
    pub(crate) fn fort_id(&self) -> Option<String> {
        self.digits("fort_id").filter(|id| is_id(id))
    }

    /// A code of five digits: the status first, which must stand in a field of its own too, then the
    /// message. <https://docs.payfort.com/docs/api/build/index.html#transactions-response-codes>
    pub(crate) fn code(&self, code: &str, status: &str) -> Option<Code> {
        let text = self.digits(code)?;
        let state = text.get(..2)?.to_owned();
        let message = text.get(2..)?.to_owned();
        let agrees = message.len() == 3 && self.digits(status)? == state;
        agrees.then_some(Code {
            text,
            state,
            message,
        })
    }

    /// A name as it came, to compare it: whole, and with every digit. One in some hundred keys has a
    /// row of digits that would pass for a card number.
    pub(crate) fn named(&self, name: &str) -> Option<String> {
        let text = self.text(name).map(str::to_owned);
        text.or_else(|| self.digits(name))
    }

    /// A word of the gateway's as it came, but never without end, for people to read.
    pub(crate) fn raw(&self, name: &str) -> Option<String> {
        Some(excerpt(&self.named(name)?, 100))
    }
}

/// A response code and its two parts.
pub(crate) struct Code {
    pub(crate) text: String,
    pub(crate) state: String,
    pub(crate) message: String,
}

impl Code {
    pub(crate) fn parts(&self) -> (&str, &str) {
        (&self.state, &self.message)
    }
}

/// Whether a text is an id as the gateway gives them: at most 20 digits
/// (<https://paymentservices.amazon.com/docs/api/managing-payments/check-status>).
pub(crate) fn is_id(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}
