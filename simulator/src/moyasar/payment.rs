//! The payment, the only object there is: captures, refunds and voids are fields of it (PAY).

use std::collections::BTreeMap;
use std::time::SystemTime;

use bytes::Bytes;
use serde_json::{Value, json};

use super::auth::Scope;
use super::tokens;
use crate::time;

/// A payment, as Moyasar keeps it. A test may change every field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Payment {
    /// The id, a UUID: the `given_id`, or one of the simulator's.
    pub id: String,
    /// The account that it belongs to.
    pub account: String,
    /// Whether it is in live mode.
    pub live: bool,
    /// The amount asked for, in the minor unit.
    pub amount: i64,
    /// The currency, in uppercase.
    pub currency: String,
    /// Where it stands.
    pub status: PaymentStatus,
    /// What was captured of an authorization.
    pub captured: i64,
    /// What was given back, in all refunds together.
    pub refunded: i64,
    /// When it was captured.
    pub captured_at: Option<SystemTime>,
    /// When the last refund was made.
    pub refunded_at: Option<SystemTime>,
    /// When it was voided.
    pub voided_at: Option<SystemTime>,
    /// When it was made.
    pub created_at: SystemTime,
    /// When it last changed.
    pub updated_at: SystemTime,
    /// The merchant's text.
    pub description: Option<String>,
    /// Where the customer comes back to.
    pub callback_url: Option<String>,
    /// The merchant's own fields.
    pub metadata: BTreeMap<String, String>,
    /// The token that is charged.
    pub token: String,
    /// Whether it is only authorized.
    pub manual: bool,
    /// What the source says about the try.
    pub message: Option<String>,
    /// The issuer's response code.
    pub response_code: Option<String>,
    /// The page for the customer.
    pub transaction_url: Option<String>,
    /// The id that the request gave.
    pub(super) given_id: Option<String>,
    /// The body of the request, to tell another payment from the same one.
    pub(super) body: Bytes,
    /// When money was taken or reserved.
    pub(super) paid_at: Option<SystemTime>,
}

/// Where a payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "Moyasar documents these nine")]
pub enum PaymentStatus {
    /// The customer has to act, or nothing happened yet.
    Initiated,
    /// Paid in one step.
    Paid,
    /// Reserved.
    Authorized,
    /// Reserved and then taken, all of it or a part.
    Captured,
    /// Declined.
    Failed,
    /// Given back whole.
    Refunded,
    /// Taken back before it settled.
    Voided,
    /// A card was verified. The simulator makes none by itself.
    Verified,
    /// The customer never came back. The simulator makes none by itself.
    Abandoned,
}

impl PaymentStatus {
    const ALL: [Self; 9] = [
        Self::Initiated,
        Self::Paid,
        Self::Authorized,
        Self::Captured,
        Self::Failed,
        Self::Refunded,
        Self::Voided,
        Self::Verified,
        Self::Abandoned,
    ];

    /// Moyasar's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Initiated => "initiated",
            Self::Paid => "paid",
            Self::Authorized => "authorized",
            Self::Captured => "captured",
            Self::Failed => "failed",
            Self::Refunded => "refunded",
            Self::Voided => "voided",
            Self::Verified => "verified",
            Self::Abandoned => "abandoned",
        }
    }

    /// The status of Moyasar's word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

impl Payment {
    /// A payment of which nothing is known but the amount.
    pub(super) fn new(
        id: String,
        scope: &Scope,
        amount: i64,
        currency: String,
        now: SystemTime,
    ) -> Self {
        Self {
            id,
            account: scope.account.clone(),
            live: scope.live,
            amount,
            currency,
            status: PaymentStatus::Initiated,
            captured: 0,
            refunded: 0,
            captured_at: None,
            refunded_at: None,
            voided_at: None,
            created_at: now,
            updated_at: now,
            description: None,
            callback_url: None,
            metadata: BTreeMap::new(),
            token: String::new(),
            manual: false,
            message: None,
            response_code: None,
            transaction_url: None,
            given_id: None,
            body: Bytes::new(),
            paid_at: None,
        }
    }

    pub(super) fn is_of(&self, scope: &Scope) -> bool {
        self.account == scope.account && self.live == scope.live
    }

    /// What was taken and can be given back.
    pub(super) fn taken(&self) -> i64 {
        match self.status {
            PaymentStatus::Paid => self.amount,
            PaymentStatus::Captured => self.captured,
            PaymentStatus::Refunded => self.refunded,
            PaymentStatus::Initiated
            | PaymentStatus::Authorized
            | PaymentStatus::Failed
            | PaymentStatus::Voided
            | PaymentStatus::Verified
            | PaymentStatus::Abandoned => 0,
        }
    }

    /// As the API shows it.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "status": self.status.as_str(),
            "amount": self.amount,
            "fee": 0,
            "currency": self.currency,
            "refunded": self.refunded,
            "refunded_at": self.refunded_at.map(time::write),
            "captured": self.captured,
            "captured_at": self.captured_at.map(time::write),
            "voided_at": self.voided_at.map(time::write),
            "description": self.description,
            "amount_format": self.format(self.amount),
            "fee_format": self.format(0),
            "refunded_format": self.format(self.refunded),
            "captured_format": self.format(self.captured),
            "invoice_id": null,
            "ip": null,
            "callback_url": self.callback_url,
            "created_at": time::write(self.created_at),
            "updated_at": time::write(self.updated_at),
            "metadata": self.metadata,
            "source": self.source(),
        })
    }

    fn source(&self) -> Value {
        let approved = self.paid_at.is_some();
        json!({
            "type": "token",
            "company": tokens::company_of(&self.token),
            "name": "Simulated Customer",
            "number": format!("XXXX-XXXX-XXXX-{LAST_DIGITS}"),
            "gateway_id": format!("moyasar_sim_{}", self.id),
            "reference_number": approved.then(|| self.receipt_no()),
            "token": self.token,
            "message": self.message,
            "transaction_url": self.transaction_url,
            "response_code": self.response_code,
            "authorization_code": approved.then_some("123456"),
        })
    }

    /// What the receipt of the card has on it.
    pub(super) fn receipt_no(&self) -> String {
        let digits = self.id.bytes().rev().filter(u8::is_ascii_digit).take(12);
        digits.map(char::from).collect()
    }

    /// An amount for people: `100.00 SAR`.
    fn format(&self, amount: i64) -> String {
        let decimals = match self.currency.as_str() {
            "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3_usize,
            "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF"
            | "UGX" | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
            _ => 2,
        };
        let width = decimals.saturating_add(1);
        let digits = format!("{:0width$}", amount.unsigned_abs());
        let sign = if amount < 0 { "-" } else { "" };
        let (whole, fraction) = digits.split_at(digits.len().saturating_sub(decimals));
        let point = if decimals == 0 { "" } else { "." };
        format!("{sign}{whole}{point}{fraction} {}", self.currency)
    }
}

/// The last digits of every card here.
pub(super) const LAST_DIGITS: &str = "1111";
