//! The guards: what may still be captured, refunded or voided of a payment. The pure part, the
//! same for every ledger.
//!
//! A ledger reads the payment and what was ever asked of it under the payment's lock, asks
//! [`guard`], and inserts in the same transaction. What is open counts as if it had happened:
//! nobody can tell that it will not.

use super::claim::Claim;
use super::record::Record;
use crate::money::Money;
use crate::operation::{OperationId, OperationKind, State};

/// A payment and what was asked of it, read under its lock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnderPayment {
    /// Whether it is charged or only reserved.
    pub kind: OperationKind,
    /// How much it is about.
    pub money: Money,
    /// The operation that made it. `None`: it was adopted.
    pub made_by: Option<Box<Record>>,
    /// What an adopted payment had captured and refunded before, in minor units.
    pub before: Totals,
    /// Its captures, refunds and voids.
    pub operations: Vec<Record>,
}

/// What was captured and refunded of a payment, in minor units of its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Captured.
    pub captured: i64,
    /// Refunded.
    pub refunded: i64,
}

impl Totals {
    /// Totals from their parts, in minor units.
    pub const fn new(captured: i64, refunded: i64) -> Self {
        Self { captured, refunded }
    }
}

impl UnderPayment {
    /// A payment from its parts.
    pub const fn new(
        kind: OperationKind,
        money: Money,
        made_by: Option<Box<Record>>,
        before: Totals,
        operations: Vec<Record>,
    ) -> Self {
        Self {
            kind,
            money,
            made_by,
            before,
            operations,
        }
    }

    /// What counts of one kind: in full, unless it definitely had no effect.
    fn counted(&self, kind: OperationKind) -> impl Iterator<Item = &Record> {
        let of_kind = self.operations.iter().filter(move |o| o.kind == kind);
        of_kind.filter(|o| !o.state.is_no_effect_final())
    }

    fn sum(&self, kind: OperationKind) -> i64 {
        let minor = self.counted(kind).map(|o| o.money.minor());
        minor.fold(0, i64::saturating_add)
    }

    /// How much is captured for certain, in minor units.
    fn captured(&self) -> i64 {
        match self.kind {
            OperationKind::Charge => self.money.minor(),
            OperationKind::Authorize
            | OperationKind::Capture
            | OperationKind::Refund
            | OperationKind::Void => {
                let done = self
                    .operations
                    .iter()
                    .filter(|o| o.kind == OperationKind::Capture && o.state == State::Succeeded);
                done.map(|o| o.money.minor())
                    .fold(self.before.captured, i64::saturating_add)
            }
        }
    }
}

/// Why a payment does not allow an operation.
#[derive(Debug)]
#[non_exhaustive]
pub enum Guarded {
    /// The payment is not known.
    NoPayment,
    /// This operation of the same payment, or the one that made it, is in the way.
    ParentBusy(Box<Record>),
    /// No more than this is left of the payment.
    ExceedsParent(Money),
    /// The payment, of this amount, is in another currency.
    OtherCurrency(Money),
    /// The payment is charged already.
    NothingToCapture,
    /// The reference of the operation that made the payment is frozen.
    Frozen(Box<Record>),
}

/// Whether an operation may be asked of a payment. `replaced`: attempts that end when it starts.
///
/// # Errors
///
/// Why not. Nothing is stored then.
pub fn guard(
    claim: &Claim,
    payment: Option<UnderPayment>,
    replaced: &[OperationId],
) -> Result<(), Guarded> {
    let Some(mut payment) = payment else {
        return Err(Guarded::NoPayment);
    };
    payment.operations.retain(|o| !replaced.contains(&o.id));
    if let Some(made_by) = payment.made_by.take() {
        if made_by.identity.tenant != claim.identity.tenant {
            return Err(Guarded::NoPayment);
        }
        if made_by.frozen {
            return Err(Guarded::Frozen(made_by));
        }
        if made_by.state != State::Succeeded || made_by.closing {
            return Err(Guarded::ParentBusy(made_by));
        }
    }
    if claim.money.currency() != payment.money.currency() {
        return Err(Guarded::OtherCurrency(payment.money));
    }
    if let Some(first) = in_the_way(claim, &payment) {
        return Err(Guarded::ParentBusy(Box::new(first.clone())));
    }
    let asked = claim.money.minor();
    let left = match claim.kind {
        OperationKind::Capture if payment.kind != OperationKind::Authorize => {
            return Err(Guarded::NothingToCapture);
        }
        OperationKind::Capture => {
            let taken = payment.sum(OperationKind::Capture);
            let left = payment.money.minor().saturating_sub(taken);
            left.saturating_sub(payment.before.captured)
        }
        OperationKind::Refund => {
            let given = payment.sum(OperationKind::Refund);
            let left = payment.captured().saturating_sub(given);
            left.saturating_sub(payment.before.refunded)
        }
        OperationKind::Void if payment.before != Totals::default() => 0,
        OperationKind::Void | OperationKind::Charge | OperationKind::Authorize => asked,
    };
    if asked > left {
        let left = Money::from_minor(left.max(0), payment.money.currency());
        return Err(Guarded::ExceedsParent(left.unwrap_or(payment.money)));
    }
    Ok(())
}

/// The operation that keeps another from being asked for.
fn in_the_way<'p>(claim: &Claim, payment: &'p UnderPayment) -> Option<&'p Record> {
    let rule = claim.rendered.as_ref().map(|rendered| rendered.rule);
    let one_at_a_time = rule.is_none_or(|rule| rule.baseline);
    let one_capture = rule.is_none_or(|rule| rule.one_capture);
    let is_void = |o: &&Record| o.kind == OperationKind::Void;
    let mut counted = payment
        .operations
        .iter()
        .filter(|o| !o.state.is_no_effect_final());
    if claim.kind == OperationKind::Void {
        // What was captured or refunded cannot be released any more, and a void is one.
        return counted.next();
    }
    counted.find(|o| {
        is_void(o)
            || (one_at_a_time && o.state.is_open())
            || (one_capture
                && claim.kind == OperationKind::Capture
                && o.kind == OperationKind::Capture)
    })
}

#[cfg(test)]
mod tests;
