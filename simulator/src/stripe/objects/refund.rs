//! The refund (REF).

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::clock::unix_seconds;
use crate::stripe::auth::Scope;

/// A refund, as Stripe keeps it. A test may change every field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Refund {
    /// The id, `re_...`.
    pub id: String,
    /// The account that it belongs to.
    pub account: String,
    /// Whether it is in live mode.
    pub livemode: bool,
    /// The payment that it gives back.
    pub payment_intent: String,
    /// The charge that it gives back.
    pub charge: String,
    /// The amount, in the minor unit.
    pub amount: i64,
    /// The currency, in lowercase.
    pub currency: String,
    /// Where it stands.
    pub status: RefundStatus,
    /// Why it failed.
    pub failure_reason: Option<String>,
    /// The merchant's reason.
    pub reason: Option<String>,
    /// The merchant's own fields.
    pub metadata: BTreeMap<String, String>,
    /// When it was made.
    pub created: SystemTime,
    /// The key of the request that made it.
    pub(in crate::stripe) key: Option<String>,
}

/// Where a refund stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "Stripe documents these five")]
pub enum RefundStatus {
    /// No result yet.
    Pending,
    /// The customer has to act.
    RequiresAction,
    /// Given back.
    Succeeded,
    /// It did not work, perhaps after it had succeeded.
    Failed,
    /// Given up.
    Canceled,
}

impl RefundStatus {
    /// Stripe's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::RequiresAction => "requires_action",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
        }
    }

    /// The status of Stripe's word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [
            Self::Pending,
            Self::RequiresAction,
            Self::Succeeded,
            Self::Failed,
            Self::Canceled,
        ];
        all.into_iter().find(|status| status.as_str() == word)
    }
}

impl Refund {
    pub(in crate::stripe) fn is_of(&self, scope: &Scope) -> bool {
        self.account == scope.account && self.livemode == scope.livemode
    }

    /// Whether its amount is no longer there to be refunded.
    pub(in crate::stripe) fn counts(&self) -> bool {
        match self.status {
            RefundStatus::Pending | RefundStatus::RequiresAction | RefundStatus::Succeeded => true,
            RefundStatus::Failed | RefundStatus::Canceled => false,
        }
    }

    /// As the API shows it.
    pub(in crate::stripe) fn to_json(&self) -> Value {
        let mut refund = json!({
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "balance_transaction": null,
            "charge": self.charge,
            "created": unix_seconds(self.created),
            "currency": self.currency,
            "metadata": self.metadata,
            "payment_intent": self.payment_intent,
            "reason": self.reason,
            "status": self.status.as_str(),
        });
        if let (Some(reason), Value::Object(members)) = (&self.failure_reason, &mut refund) {
            members.insert("failure_reason".to_owned(), json!(reason));
        }
        refund
    }
}
