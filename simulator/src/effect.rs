//! Money movements, the thing that this simulator counts.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// What moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EffectKind {
    /// Money was taken in one step.
    Charge,
    /// Money was reserved.
    Authorize,
    /// Reserved money was taken.
    Capture,
    /// Money was given back.
    Refund,
    /// Reserved money was released, or money that was taken went back before it settled.
    Void,
}

/// One movement of money at a gateway. A decline, a pending payment or a planted object is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Effect {
    /// The gateway's name, for example `stripe`.
    pub gateway: String,
    /// The account at the gateway that the request's secret belongs to.
    pub account: String,
    /// What moved.
    pub kind: EffectKind,
    /// The gateway's id of the object that moved the money.
    pub provider_id: String,
    /// The payment that a capture, refund or void belongs to.
    pub payment_id: Option<String>,
    /// The amount in the gateway's own minor unit, exactly as the gateway saw it.
    pub amount: i64,
    /// The currency, exactly as the gateway saw it.
    pub currency: String,
    /// The idempotency key of the request that began it, if it had one.
    pub key: Option<String>,
    /// The merchant's own fields on the object at that moment (`metadata`).
    pub fields: BTreeMap<String, String>,
    /// The number in the request log of the request that moved the money; none if it was a
    /// control call, such as a customer who passed 3-D Secure.
    pub request: Option<u64>,
    /// When, by the simulator's clock.
    #[serde(rename = "at_ms", with = "crate::clock::unix_ms")]
    pub at: SystemTime,
}

impl Effect {
    /// Whether one of the merchant's own fields holds this reference.
    pub fn has_reference(&self, reference: &str) -> bool {
        self.fields.values().any(|value| value == reference)
    }
}
