//! Payments by id, and what reads saw of them when.

use std::collections::BTreeMap;
use std::time::SystemTime;

use super::auth::Scope;
use super::payment::Payment;

/// Payments in the order of their creation. Their numbers count from 1.
#[derive(Debug, Default)]
pub(super) struct Table {
    last: u64,
    rows: BTreeMap<u64, Row>,
    /// An id belongs to an account in one mode.
    ids: BTreeMap<(Scope, String), u64>,
    /// Rows that may have changed since they were last written down.
    touched: Vec<u64>,
}

#[derive(Debug)]
struct Row {
    payment: Payment,
    /// What it was from when on, oldest first.
    history: Vec<(SystemTime, Payment)>,
}

impl Table {
    /// Adds a payment. Its number comes back.
    pub(super) fn add(&mut self, payment: Payment) -> u64 {
        self.add_and_get(payment).0
    }

    /// Adds a payment and gives it back.
    pub(super) fn add_and_get(&mut self, payment: Payment) -> (u64, &mut Payment) {
        self.last = self.last.saturating_add(1);
        let scope = Scope {
            account: payment.account.clone(),
            live: payment.live,
        };
        self.ids.insert((scope, payment.id.clone()), self.last);
        self.touched.push(self.last);
        let history = Vec::new();
        let row = Row { payment, history };
        let row = self.rows.entry(self.last).or_insert(row);
        (self.last, &mut row.payment)
    }

    /// The payment with an id, as its account sees it.
    pub(super) fn find(&self, scope: &Scope, id: &str) -> Option<u64> {
        self.ids.get(&(scope.clone(), id.to_owned())).copied()
    }

    /// The first payment with an id, of any account.
    pub(super) fn find_anywhere(&self, id: &str) -> Option<u64> {
        let mut rows = self.rows.iter();
        let (number, _) = rows.find(|(_, row)| row.payment.id == id)?;
        Some(*number)
    }

    pub(super) fn get(&self, number: u64) -> Option<&Payment> {
        self.rows.get(&number).map(|row| &row.payment)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut Payment> {
        self.touched.push(number);
        self.rows.get_mut(&number).map(|row| &mut row.payment)
    }

    /// Oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Payment> {
        self.rows.values().map(|row| &row.payment)
    }

    /// A payment as it was at that time; none if it was not there yet.
    pub(super) fn get_as_of(&self, number: u64, at: SystemTime) -> Option<&Payment> {
        self.rows.get(&number)?.as_of(at)
    }

    /// All payments as they were at that time, oldest first.
    pub(super) fn iter_as_of(&self, at: SystemTime) -> impl DoubleEndedIterator<Item = &Payment> {
        self.rows.values().filter_map(move |row| row.as_of(at))
    }

    /// Writes down what changed up to now.
    pub(super) fn write_down(&mut self, now: SystemTime) {
        for number in std::mem::take(&mut self.touched) {
            if let Some(row) = self.rows.get_mut(&number) {
                row.history.push((now, row.payment.clone()));
            }
        }
    }
}

impl Row {
    fn as_of(&self, at: SystemTime) -> Option<&Payment> {
        let known = self.history.iter().rev().find(|(since, _)| *since <= at);
        known.map(|(_, payment)| payment)
    }
}
