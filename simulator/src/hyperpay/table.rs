//! Payments by id. Ids come from a counter, so that the same run gives the same ids.

use std::collections::BTreeMap;

use super::objects::Payment;

/// The ids look like those of the platform: 32 characters, these first (EX).
const PREFIX: &str = "8ac7a4a0";

/// All payments, in the order of their creation.
#[derive(Debug, Default)]
pub(super) struct Table {
    last: u64,
    rows: BTreeMap<u64, Payment>,
}

impl Table {
    /// Adds a payment, gives it its id and gives it back.
    pub(super) fn add(&mut self, mut payment: Payment) -> &mut Payment {
        self.last = self.last.saturating_add(1);
        payment.id = format!("{PREFIX}{:024x}", self.last);
        self.rows.entry(self.last).or_insert(payment)
    }

    pub(super) fn get(&self, id: &str) -> Option<&Payment> {
        self.rows.get(&number(id)?)
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Payment> {
        self.rows.get_mut(&number(id)?)
    }

    /// Oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Payment> {
        self.rows.values()
    }
}

/// The number in an id; another spelling of the same number is another id.
fn number(id: &str) -> Option<u64> {
    let number = u64::from_str_radix(id.strip_prefix(PREFIX)?, 16).ok()?;
    (format!("{PREFIX}{number:024x}") == id).then_some(number)
}
