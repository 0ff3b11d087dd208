//! The refund that a refund made.
//!
//! The list of the payment's refunds is short and says of each whose it is:
//! <https://docs.stripe.com/api/refunds/list>. It is read even where the refund's id is known,
//! since it alone would show a second one.

use payonce::provider::{Finding, Match};

use super::list::{List, key_of};
use super::{Walk, Walked, unclear};
use crate::classify::refund_ruling;
use crate::wire::{self, Refund};

impl Walk<'_> {
    pub(super) fn refund(&mut self) -> Walked<Finding> {
        let filter = match self.call.parent {
            Some(id) if wire::is_payment(id) => ("payment_intent", id),
            Some(id) if wire::is_charge(id) => ("charge", id),
            Some(_) | None => return Err(unclear("the refunded payment is not known")),
        };
        let list = List {
            path: "/v1/refunds",
            filter: &[filter],
            too_many: "there are more refunds of the payment than are read",
        };
        let found = self.list(&list, Self::refunded)?;
        Ok(if found.is_empty() {
            Finding::Absent
        } else {
            Finding::Found(found)
        })
    }

    fn refunded(&self, id: &str, refund: &Refund) -> Match {
        self.matched(id, refund_ruling(self.call, refund, 200), key_of(refund))
    }
}
