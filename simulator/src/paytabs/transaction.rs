//! Transactions, as they are kept and shown.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde_json::{Map, Value, json};

use super::amount;
use crate::effect::EffectKind;
use crate::exchange::http_date;

/// What a transaction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TranType {
    /// Money is taken in one step.
    Sale,
    /// Money is reserved.
    Auth,
    /// Reserved money is taken.
    Capture,
    /// Money is given back.
    Refund,
    /// Reserved money is released.
    Void,
}

impl TranType {
    pub(super) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "sale" => Self::Sale,
            "auth" => Self::Auth,
            "capture" => Self::Capture,
            "refund" => Self::Refund,
            "void" => Self::Void,
            _ => return None,
        })
    }

    /// As replies write it (P3).
    pub(super) const fn shown(self) -> &'static str {
        match self {
            Self::Sale => "Sale",
            Self::Auth => "Auth",
            Self::Capture => "Capture",
            Self::Refund => "Refund",
            Self::Void => "Void",
        }
    }

    pub(super) const fn is_follow_up(self) -> bool {
        match self {
            Self::Capture | Self::Refund | Self::Void => true,
            Self::Sale | Self::Auth => false,
        }
    }

    pub(super) const fn effect(self) -> EffectKind {
        match self {
            Self::Sale => EffectKind::Charge,
            Self::Auth => EffectKind::Authorize,
            Self::Capture => EffectKind::Capture,
            Self::Refund => EffectKind::Refund,
            Self::Void => EffectKind::Void,
        }
    }
}

/// A transaction: a sale, an authorization, a capture, a refund or a void.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transaction {
    /// Its reference.
    pub tran_ref: String,
    /// The profile that made it.
    pub profile: u64,
    /// What it is.
    pub tran_type: TranType,
    /// The transaction that it is about.
    pub previous: Option<String>,
    /// The merchant's order.
    pub cart_id: String,
    /// The merchant's text.
    pub description: String,
    /// Hundredths.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// The merchant's own fields.
    pub own: BTreeMap<String, String>,
    /// One letter: `A`, `H`, `P`, `V`, `E`, `D`, `X`, `C`.
    pub status: String,
    /// The code beside it.
    pub code: String,
    /// Where the customer is to go. It stays when the customer was there.
    pub page: Option<String>,
    /// Whether the customer has yet to act.
    pub open: bool,
    /// Whether its money moved.
    pub moved: bool,
    /// When the request came.
    pub created: SystemTime,
}

impl Transaction {
    /// As the query shows it, and as a reply does where no customer is asked.
    pub(super) fn show(&self) -> Map<String, Value> {
        let mut body = self.head();
        body.insert("tran_currency".to_owned(), json!(self.currency));
        body.insert("tran_total".to_owned(), json!(amount::show(self.amount)));
        let result = json!({
            "response_status": self.status,
            "response_code": self.code,
            "response_message": message(&self.status, &self.code),
            "transaction_time": http_date(self.created),
        });
        body.insert("payment_result".to_owned(), result);
        body
    }

    /// As the reply to a request shows it whose customer has to act: a page instead of a result.
    pub(super) fn reply(&self) -> Map<String, Value> {
        let page = self.page.as_ref().filter(|_| self.open);
        let Some(page) = page else {
            return self.show();
        };
        let mut body = self.head();
        body.insert("redirect_url".to_owned(), json!(page));
        body
    }

    fn head(&self) -> Map<String, Value> {
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
        put("tran_ref", json!(self.tran_ref));
        if let Some(previous) = &self.previous {
            put("previous_tran_ref", json!(previous));
        }
        put("tran_type", json!(self.tran_type.shown()));
        put("cart_id", json!(self.cart_id));
        put("cart_description", json!(self.description));
        put("cart_currency", json!(self.currency));
        put("cart_amount", json!(amount::show(self.amount)));
        if !self.own.is_empty() {
            put("user_defined", json!(self.own));
        }
        put("profileId", json!(self.profile));
        body
    }

    /// The merchant's own fields by their names in the request: whichever a client uses for its own
    /// reference, it is found.
    pub(super) fn fields(&self) -> BTreeMap<String, String> {
        let own = self.own.iter();
        let own = own.map(|(name, value)| (format!("user_defined.{name}"), value.clone()));
        let plain = [
            ("cart_id".to_owned(), self.cart_id.clone()),
            ("cart_description".to_owned(), self.description.clone()),
        ];
        plain.into_iter().chain(own).collect()
    }
}

/// The text beside a status (P4).
fn message(status: &str, code: &str) -> &'static str {
    match (status, code) {
        ("A", _) => "Authorised",
        ("H", _) => "Hold",
        ("P", _) => "Pending",
        ("V", _) => "Voided",
        ("X", _) => "Expired",
        ("C", _) => "Cancelled",
        (_, "2") => "Invalid request",
        (_, "118") => "Amount over available balance",
        (_, "206") => "Currency not available",
        (_, "300") => "Not authorised",
        (_, "310") => "3DSecure rejected",
        (_, "316") => "Insufficient funds",
        (_, "342") => "Refund balance exceeded",
        (_, "400") => "System error",
        ("D", _) => "Declined",
        _ => "Error",
    }
}
