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
use crate::payment::Adopted;
use crate::provider::RuleSnapshot;

/// A payment and what was asked of it, read under its lock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnderPayment {
    /// Whose payment it is.
    pub tenant: String,
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
        tenant: String,
        kind: OperationKind,
        money: Money,
        made_by: Option<Box<Record>>,
        before: Totals,
        operations: Vec<Record>,
    ) -> Self {
        Self {
            tenant,
            kind,
            money,
            made_by,
            before,
            operations,
        }
    }

    /// Whether it is what a merchant says of a payment that was made without payonce. Of one that
    /// payonce made, the merchant must not know of captures and refunds beside.
    pub(crate) fn is(&self, adopted: &Adopted) -> bool {
        let said = Totals::new(adopted.captured, adopted.refunded);
        self.kind == adopted.kind && self.money == adopted.money && self.before == said
    }

    /// What may have been asked for and given of one kind, in minor units.
    fn sum(&self, kind: OperationKind) -> i64 {
        let counted = self
            .operations
            .iter()
            .filter(|o| o.kind == kind && counts(o));
        counted.map(at_most).fold(0, i64::saturating_add)
    }

    /// How much is captured for certain, in minor units.
    fn captured(&self) -> i64 {
        match self.kind {
            OperationKind::Charge => self.money.minor(),
            OperationKind::Authorize
            | OperationKind::Capture
            | OperationKind::Refund
            | OperationKind::Void => {
                let captures = self.operations.iter().filter(|o| {
                    o.kind == OperationKind::Capture && o.state == State::Succeeded && !o.frozen
                });
                let taken = captures.filter_map(|o| o.standing.effect.as_ref());
                taken
                    .map(|effect| effect.money.minor())
                    .fold(self.before.captured, i64::saturating_add)
            }
        }
    }
}

/// Whether an operation counts: in full, unless it definitely had no effect. Of a frozen one the
/// evidence contradicts itself, so that nothing about it is definite.
const fn counts(operation: &Record) -> bool {
    operation.frozen || !operation.state.is_no_effect_final()
}

/// How much an operation moved at the most, in minor units: what was asked for or what is known to
/// have moved, as often as it is known to have happened.
fn at_most(operation: &Record) -> i64 {
    let moved = operation.standing.effect.as_ref();
    let moved = moved.map_or(0, |effect| effect.money.minor());
    let times = i64::try_from(operation.standing.duplicates.len()).unwrap_or(i64::MAX);
    let most = operation.money.minor().max(moved);
    most.saturating_mul(times.saturating_add(1))
}

/// What is asked of a payment.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Asked<'a> {
    /// Whose operation it is.
    pub tenant: &'a str,
    /// What it does.
    pub kind: OperationKind,
    /// How much.
    pub money: Money,
    /// What the gateway does with operations of the kind.
    pub rule: RuleSnapshot,
    /// Operations that do not count beside it: itself, and attempts that end when it starts.
    pub without: &'a [OperationId],
}

impl<'a> Asked<'a> {
    /// What a first claim asks. `replaced`: the attempts that end when it starts.
    pub fn by_claim(claim: &'a Claim, rule: RuleSnapshot, replaced: &'a [OperationId]) -> Self {
        Self {
            tenant: &claim.identity.tenant,
            kind: claim.kind,
            money: claim.money,
            rule,
            without: replaced,
        }
    }

    /// What a stored operation asks that is claimed again.
    pub fn by_record(record: &'a Record) -> Self {
        Self {
            tenant: &record.identity.tenant,
            kind: record.kind,
            money: record.money,
            rule: record.rule,
            without: std::slice::from_ref(&record.id),
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

/// Whether an operation may be asked of a payment.
///
/// # Errors
///
/// Why not. Nothing is stored then.
pub fn guard(asked: &Asked<'_>, payment: Option<UnderPayment>) -> Result<(), Guarded> {
    let Some(mut payment) = payment.filter(|payment| payment.tenant == asked.tenant) else {
        return Err(Guarded::NoPayment);
    };
    payment
        .operations
        .retain(|o| !asked.without.contains(&o.id));
    if let Some(made_by) = payment.made_by.take() {
        if made_by.frozen {
            return Err(Guarded::Frozen(made_by));
        }
        if made_by.state != State::Succeeded || made_by.closing {
            return Err(Guarded::ParentBusy(made_by));
        }
    }
    if asked.money.currency() != payment.money.currency() {
        return Err(Guarded::OtherCurrency(payment.money));
    }
    if let Some(first) = in_the_way(asked, &payment) {
        return Err(Guarded::ParentBusy(Box::new(first.clone())));
    }
    let minor = asked.money.minor();
    let left = match asked.kind {
        OperationKind::Capture if payment.kind != OperationKind::Authorize => {
            return Err(Guarded::NothingToCapture);
        }
        OperationKind::Capture if asked.rule.one_capture && payment.before.captured > 0 => 0,
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
        OperationKind::Void | OperationKind::Charge | OperationKind::Authorize => minor,
    };
    if minor > left {
        let left = Money::from_minor(left.max(0), payment.money.currency());
        return Err(Guarded::ExceedsParent(left.unwrap_or(payment.money)));
    }
    Ok(())
}

/// The operation that keeps another from being asked for.
fn in_the_way<'p>(asked: &Asked<'_>, payment: &'p UnderPayment) -> Option<&'p Record> {
    let mut counted = payment.operations.iter().filter(|o| counts(o));
    if asked.kind == OperationKind::Void {
        // What was captured or refunded cannot be released any more, and a void is one.
        return counted.next();
    }
    counted.find(|o| {
        o.kind == OperationKind::Void
            || (asked.rule.baseline && o.state.is_open())
            || (asked.rule.one_capture
                && asked.kind == OperationKind::Capture
                && o.kind == OperationKind::Capture)
    })
}

#[cfg(test)]
mod tests;
