//! The payment and the refund (OAS).

use std::time::SystemTime;

use serde_json::{Value, json};

use super::error::put;
use crate::time;

/// A payment, as Square keeps it. A test may change every field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Payment {
    /// The id.
    pub id: String,
    /// The seller that it belongs to.
    pub account: String,
    /// The location that took it.
    pub location: String,
    /// The amount, in the smallest unit.
    pub amount: i64,
    /// The currency, in uppercase.
    pub currency: String,
    /// Where it stands.
    pub status: Status,
    /// What was given back, in all refunds together.
    pub refunded: i64,
    /// The merchant's own id.
    pub reference_id: String,
    /// The merchant's text.
    pub note: String,
    /// What pays.
    pub source: String,
    /// The key of the request that made it.
    pub key: String,
    /// When it was made.
    pub created_at: SystemTime,
    /// When it last changed.
    pub updated_at: SystemTime,
}

/// A refund, as Square keeps it. A test may change every field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refund {
    /// The id.
    pub id: String,
    /// The seller that it belongs to.
    pub account: String,
    /// The payment that it gives back.
    pub payment_id: String,
    /// How much, in the smallest unit.
    pub amount: i64,
    /// The currency, in uppercase.
    pub currency: String,
    /// Where it stands.
    pub status: Status,
    /// The merchant's text.
    pub reason: String,
    /// The key of the request that made it.
    pub key: String,
    /// When it was made.
    pub created_at: SystemTime,
}

/// Where a payment or a refund stands. A refund is never approved or canceled, a payment is never
/// rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "Square documents these six")]
pub enum Status {
    /// Reserved.
    Approved,
    /// Waits for something.
    Pending,
    /// Taken, or given back.
    Completed,
    /// Released before anything was taken.
    Canceled,
    /// It did not work.
    Failed,
    /// The refund was refused.
    Rejected,
}

impl Status {
    const ALL: [Self; 6] = [
        Self::Approved,
        Self::Pending,
        Self::Completed,
        Self::Canceled,
        Self::Failed,
        Self::Rejected,
    ];

    /// Square's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "APPROVED",
            Self::Pending => "PENDING",
            Self::Completed => "COMPLETED",
            Self::Canceled => "CANCELED",
            Self::Failed => "FAILED",
            Self::Rejected => "REJECTED",
        }
    }

    /// The status of Square's word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

impl Payment {
    /// As the API shows it.
    pub(super) fn to_json(&self) -> Value {
        let money = |amount: i64| json!({ "amount": amount, "currency": self.currency });
        let card = match self.status {
            Status::Approved | Status::Pending => "AUTHORIZED",
            Status::Completed => "CAPTURED",
            Status::Canceled => "VOIDED",
            Status::Failed | Status::Rejected => "FAILED",
        };
        let mut shown = json!({
            "id": self.id,
            "created_at": time::write(self.created_at),
            "updated_at": time::write(self.updated_at),
            "amount_money": money(self.amount),
            "total_money": money(self.amount),
            "approved_money": money(self.amount),
            "status": self.status.as_str(),
            "source_type": "CARD",
            "card_details": { "status": card, "card": { "last_4": "1111" } },
            "location_id": self.location,
        });
        // What is empty is left out.
        for (name, text) in [("reference_id", &self.reference_id), ("note", &self.note)] {
            if !text.is_empty() {
                put(&mut shown, name, json!(text));
            }
        }
        if self.refunded > 0 {
            put(&mut shown, "refunded_money", money(self.refunded));
        }
        shown
    }
}

impl Refund {
    /// As the API shows it.
    pub(super) fn to_json(&self) -> Value {
        let mut shown = json!({
            "id": self.id,
            "created_at": time::write(self.created_at),
            "amount_money": { "amount": self.amount, "currency": self.currency },
            "status": self.status.as_str(),
            "payment_id": self.payment_id,
        });
        if !self.reason.is_empty() {
            put(&mut shown, "reason", json!(self.reason));
        }
        shown
    }
}
