//! The kinds of intents, and how each begins.

use super::{Intent, Source};
use crate::money::Money;
use crate::operation::OperationKind;
use crate::payment::Payment;
use crate::provider::AccountId;

/// The kinds of intents, as types: a refund cannot be passed to `charge`.
pub trait Kind: sealed::Sealed + Send + Sync + 'static {
    /// The kind as a value.
    const KIND: OperationKind;
}

/// The kinds that a customer pays: charge and authorize.
pub trait Pays: Kind {}

mod sealed {
    #[expect(unnameable_types, reason = "nobody else may add a kind")]
    pub trait Sealed {}
}

/// Take the money now.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Charge;

impl sealed::Sealed for Charge {}
impl Kind for Charge {
    const KIND: OperationKind = OperationKind::Charge;
}
impl Pays for Charge {}

/// Reserve the money, to capture it later.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Authorize;

impl sealed::Sealed for Authorize {}
impl Kind for Authorize {
    const KIND: OperationKind = OperationKind::Authorize;
}
impl Pays for Authorize {}

/// Take money that was reserved.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Capture;

impl sealed::Sealed for Capture {}
impl Kind for Capture {
    const KIND: OperationKind = OperationKind::Capture;
}

/// Give money back.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Refund;

impl sealed::Sealed for Refund {}
impl Kind for Refund {
    const KIND: OperationKind = OperationKind::Refund;
}

/// Release what was reserved, or undo a payment that is not settled yet.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Void;

impl sealed::Sealed for Void {}
impl Kind for Void {
    const KIND: OperationKind = OperationKind::Void;
}

impl Intent<Charge> {
    /// A charge: take `money` for what the merchant calls `reference`.
    ///
    /// A reference has 1 to 255 characters of any script, without control characters. It is
    /// checked when the intent is used, and never cut or changed.
    pub fn charge(reference: impl Into<String>, money: Money) -> Self {
        Self::new(reference.into(), Some(money), None)
    }
}

impl Intent<Authorize> {
    /// An authorization: reserve `money` for what the merchant calls `reference`. It shares its
    /// reference with a charge: one order is either charged or authorized.
    pub fn authorize(reference: impl Into<String>, money: Money) -> Self {
        Self::new(reference.into(), Some(money), None)
    }
}

impl Intent<Capture> {
    /// A capture: take `money` of what `payment` reserved. `reference` is the merchant's own name
    /// of this capture: two captures of one payment have two.
    pub fn capture(reference: impl Into<String>, payment: Payment, money: Money) -> Self {
        Self::new(reference.into(), Some(money), Some(payment))
    }
}

impl Intent<Refund> {
    /// A refund: give `money` of `payment` back. `reference` is the merchant's own name of this
    /// refund: two refunds of one payment have two, and the same one is given at most once.
    pub fn refund(reference: impl Into<String>, payment: Payment, money: Money) -> Self {
        Self::new(reference.into(), Some(money), Some(payment))
    }
}

impl Intent<Void> {
    /// A void: release `payment` whole. `reference` is the merchant's own name of this void.
    pub fn void(reference: impl Into<String>, payment: Payment) -> Self {
        Self::new(reference.into(), None, Some(payment))
    }
}

impl<K: Pays> Intent<K> {
    /// What pays. It is needed.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.fields.source = Some(source);
        self
    }

    /// Where the customer comes back to after a page of the gateway or the bank: an absolute URL.
    #[must_use]
    pub fn return_url(mut self, url: impl Into<String>) -> Self {
        self.fields.return_url = Some(url.into());
        self
    }

    /// The account to use. Needed where the client has several, for the first call only: later
    /// calls use the account that the first one pinned.
    #[must_use]
    pub fn via(mut self, account: AccountId) -> Self {
        self.fields.via = Some(account);
        self
    }
}
