//! What can be done with which transaction (P3).

use super::PayTabs;
use super::error::ApiError;
use super::order::Order;
use super::transaction::{TranType, Transaction};

impl PayTabs {
    /// Why this cannot be done with its transaction, as a code, if so. What the transaction does not
    /// allow is kept as an error and listed. Whether `PayTabs` lists it too is not documented.
    ///
    /// # Errors
    ///
    /// The profile has no such transaction.
    pub(super) fn refusal(
        &self,
        order: &Order,
        profile: u64,
    ) -> Result<Option<&'static str>, ApiError> {
        let id = order.tran_ref.as_deref().unwrap_or_default();
        let own = self.transaction(id).filter(|of| of.profile == profile);
        let of = own.ok_or_else(|| ApiError::bad(113, "Transaction not found"))?;
        Ok(self.refused(of, order))
    }

    fn refused(&self, of: &Transaction, order: &Order) -> Option<&'static str> {
        let allowed = match order.tran_type {
            TranType::Capture | TranType::Void => of.tran_type == TranType::Auth,
            TranType::Refund => matches!(of.tran_type, TranType::Sale | TranType::Capture),
            TranType::Sale | TranType::Auth => false,
        };
        if !allowed || of.status != "A" {
            return Some("2");
        }
        if of.currency != order.currency {
            return Some("206");
        }
        let done = self.done(&of.tran_ref, order.tran_type);
        let too_much = done.saturating_add(order.amount) > of.amount;
        match order.tran_type {
            TranType::Capture => too_much.then_some("118"),
            TranType::Refund => too_much.then_some("342"),
            // Only what was not captured, and only the whole of it.
            TranType::Void => {
                let captured = self.done(&of.tran_ref, TranType::Capture) > 0;
                (captured || order.amount != of.amount).then_some("2")
            }
            TranType::Sale | TranType::Auth => Some("2"),
        }
    }

    /// The sum of what was done with a transaction, or still may come of it.
    fn done(&self, id: &str, tran_type: TranType) -> i64 {
        let parts = self.rows.values().filter(|part| {
            part.previous.as_deref() == Some(id)
                && part.tran_type == tran_type
                && ["A", "H", "P"].contains(&part.status.as_str())
        });
        parts.fold(0, |sum: i64, part| sum.saturating_add(part.amount))
    }
}
