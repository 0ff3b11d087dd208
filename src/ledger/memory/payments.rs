//! Payments at the gateways, with all their names.

use super::rows::Rows;
use crate::error::LedgerError;
use crate::ledger::{Record, Totals, UnderPayment};
use crate::money::Money;
use crate::operation::{Family, OperationKind, State};
use crate::payment::Payment;

/// A payment, or another name of one.
#[derive(Clone)]
pub(super) struct Paid {
    pub(super) tenant: String,
    pub(super) payment: Payment,
    /// The payment, if this is another name of it.
    pub(super) root: Option<usize>,
    pub(super) made_by: Option<usize>,
    pub(super) kind: OperationKind,
    pub(super) money: Money,
    pub(super) before: Totals,
}

impl Rows {
    /// Keeps the ids that a success returned: of a payment as a root, of anything else as another
    /// name of its payment. `false`: another operation has the id already.
    pub(super) fn keep(&mut self, record: &Record) -> Result<bool, LedgerError> {
        let (State::Succeeded, Some(effect)) = (record.state, &record.standing.effect) else {
            return Ok(true);
        };
        let place = self.place(record.id)?;
        let is_root = record.kind.family() == Family::Payment;
        // A payment that has a name already gets another one.
        let own = if is_root {
            let made = |p: &Paid| p.root.is_none() && p.made_by == Some(place);
            self.payments.iter().position(made)
        } else {
            self.operations.get(place).and_then(|row| row.root)
        };
        let payment = Payment::new(record.account.clone(), &effect.provider_id);
        let known = self.payments.iter().position(|p| p.payment == payment);
        let Some(known) = known else {
            self.payments.push(Paid {
                tenant: record.identity.tenant.clone(),
                payment,
                root: own,
                made_by: Some(place),
                kind: record.kind,
                money: effect.money,
                before: Totals::default(),
            });
            return Ok(true);
        };
        let Some(paid) = self.payments.get_mut(known) else {
            return Ok(false);
        };
        let root = paid.root.unwrap_or(known);
        if paid.made_by == Some(place) || (!is_root && own == Some(root)) {
            return Ok(true);
        }
        let adopted = paid.made_by.is_none() && root == known;
        let ours = is_root && own.is_none() && paid.tenant == record.identity.tenant;
        if adopted && ours {
            paid.made_by = Some(place);
            // What the gateway confirmed counts from now on, and not what was said of it.
            (paid.kind, paid.money) = (record.kind, effect.money);
        }
        Ok(adopted && ours)
    }

    /// The place of a payment, by its own id or another name.
    pub(super) fn root(&self, payment: &Payment) -> Option<usize> {
        let mut places = self.payments.iter().enumerate();
        let (place, paid) = places.find(|(_, paid)| paid.payment == *payment)?;
        Some(paid.root.unwrap_or(place))
    }

    pub(super) fn under_root(&self, place: usize) -> Option<UnderPayment> {
        let paid = self.payments.get(place)?;
        let made_by = paid.made_by.and_then(|place| self.operations.get(place));
        let made_by = made_by.map(|row| Box::new(row.record.clone()));
        let of_root = self.operations.iter().filter(|row| row.root == Some(place));
        let operations = of_root.map(|row| row.record.clone()).collect();
        Some(UnderPayment::new(
            paid.tenant.clone(),
            paid.kind,
            paid.money,
            made_by,
            paid.before,
            operations,
        ))
    }
}
