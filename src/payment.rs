//! A payment at a gateway: what a capture, refund or void is about.

use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::operation::OperationKind;
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

/// A payment that was made without payonce, as the merchant or the gateway's own list knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Adopted {
    /// The payment.
    pub payment: Payment,
    /// Whether it was charged or only authorized.
    pub kind: OperationKind,
    /// How much it is about.
    pub money: Money,
    /// How much of an authorization was captured already, in minor units.
    pub captured: i64,
    /// How much was refunded already, in minor units.
    pub refunded: i64,
}

impl Adopted {
    /// A payment that was charged whole.
    pub const fn charge(payment: Payment, money: Money) -> Self {
        Self::new(payment, OperationKind::Charge, money)
    }

    /// A payment that was authorized.
    pub const fn authorization(payment: Payment, money: Money) -> Self {
        Self::new(payment, OperationKind::Authorize, money)
    }

    const fn new(payment: Payment, kind: OperationKind, money: Money) -> Self {
        Self {
            payment,
            kind,
            money,
            captured: 0,
            refunded: 0,
        }
    }

    /// How much of it was captured before, in minor units.
    #[must_use]
    pub const fn captured(mut self, minor: i64) -> Self {
        self.captured = minor;
        self
    }

    /// How much of it was refunded before, in minor units.
    #[must_use]
    pub const fn refunded(mut self, minor: i64) -> Self {
        self.refunded = minor;
        self
    }
}
