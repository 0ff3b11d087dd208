//! The payment that a capture, refund or void is about.

use serde::{Deserialize, Serialize};

use crate::provider::AccountId;

/// A payment at a gateway: what a capture, a refund and a void name.
///
/// [`Receipt::payment`](crate::Receipt::payment) gives it. Store it with the order: it holds no
/// secret. A payment made before payonce must be adopted first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Payment {
    /// The account at the gateway.
    pub account: AccountId,
    /// The gateway's id of the payment, or of a capture of it.
    pub provider_id: String,
}

impl Payment {
    /// A payment, by its account and the gateway's id.
    pub fn new(account: AccountId, provider_id: impl Into<String>) -> Self {
        let provider_id = provider_id.into();
        Self {
            account,
            provider_id,
        }
    }
}
