//! The charge: one try to pay a payment intent.

use std::time::SystemTime;

use serde_json::{Value, json};

use super::PaymentIntent;
use crate::clock::unix_seconds;

/// One try to pay a payment intent.
#[derive(Debug, Clone)]
pub(in crate::stripe) struct Charge {
    pub(in crate::stripe) id: String,
    pub(in crate::stripe) payment_intent: String,
    pub(in crate::stripe) amount: i64,
    pub(in crate::stripe) amount_captured: i64,
    pub(in crate::stripe) failure_code: Option<String>,
    pub(in crate::stripe) created: SystemTime,
    /// Until when it can be captured.
    pub(in crate::stripe) capture_before: Option<SystemTime>,
}

impl Charge {
    pub(in crate::stripe) fn new(id: String, payment: &PaymentIntent, now: SystemTime) -> Self {
        Self {
            id,
            payment_intent: payment.id.clone(),
            amount: payment.amount,
            amount_captured: 0,
            failure_code: None,
            created: now,
            capture_before: None,
        }
    }

    /// As the API shows it.
    pub(in crate::stripe) fn to_json(&self, payment: &PaymentIntent, refunded: i64) -> Value {
        let failed = self.failure_code.is_some();
        json!({
            "id": self.id,
            "object": "charge",
            "amount": self.amount,
            "amount_captured": self.amount_captured,
            "amount_refunded": refunded,
            "captured": self.amount_captured > 0,
            "created": unix_seconds(self.created),
            "currency": payment.currency,
            "customer": payment.customer,
            "failure_code": self.failure_code,
            "livemode": payment.livemode,
            "metadata": payment.metadata,
            "paid": !failed,
            "payment_intent": payment.id,
            "payment_method": payment.payment_method,
            "payment_method_details": {
                "type": "card",
                "card": { "capture_before": self.capture_before.map(unix_seconds) },
            },
            "refunded": refunded > 0 && refunded >= self.amount_captured,
            "status": if failed { "failed" } else { "succeeded" },
        })
    }
}
