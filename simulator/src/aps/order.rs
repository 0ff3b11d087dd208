//! The order: a purchase or an authorization, with what was done to it. There are no other objects.

use std::collections::BTreeMap;
use std::time::SystemTime;

/// The ids look like those of the gateway (A1).
const FIRST_ID: u64 = 149_295_435_400_000_000;

/// An order, as the gateway keeps it. A test may change every field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Order {
    /// The merchant that it belongs to.
    pub merchant: String,
    /// The merchant's unique number of it.
    pub merchant_reference: String,
    /// The gateway's id.
    pub fort_id: String,
    /// Whether it was only authorized.
    pub manual: bool,
    /// The amount asked for, in the currency's smallest unit.
    pub amount: i64,
    /// The currency.
    pub currency: String,
    /// The code of the last thing that was done.
    pub code: String,
    /// What was reserved or taken at first.
    pub authorized: i64,
    /// What was taken, in all.
    pub captured: i64,
    /// What was given back, in all.
    pub refunded: i64,
    /// Whether the reservation was released.
    pub voided: bool,
    /// The refunds, oldest first: reference, code, amount.
    pub refunds: Vec<(Option<String>, String, i64)>,
    /// The merchant's own fields.
    pub fields: BTreeMap<String, String>,
}

/// Orders by number, with what they were.
#[derive(Debug, Default)]
pub(super) struct Table {
    last: u64,
    rows: BTreeMap<u64, Row>,
    touched: Vec<u64>,
}

#[derive(Debug)]
struct Row {
    order: Order,
    history: Vec<(SystemTime, Order)>,
}

impl Table {
    /// Adds an order, gives it its id and gives its number back.
    pub(super) fn add(&mut self, mut order: Order) -> u64 {
        self.last = self.last.saturating_add(1);
        order.fort_id = FIRST_ID.saturating_add(self.last).to_string();
        let history = Vec::new();
        self.rows.insert(self.last, Row { order, history });
        self.touched.push(self.last);
        self.last
    }

    pub(super) fn get(&self, number: u64) -> Option<&Order> {
        self.rows.get(&number).map(|row| &row.order)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut Order> {
        self.touched.push(number);
        self.rows.get_mut(&number).map(|row| &mut row.order)
    }

    /// The first order that fits.
    pub(super) fn find(&self, fits: impl Fn(&Order) -> bool) -> Option<u64> {
        let found = self.rows.iter().find(|(_, row)| fits(&row.order))?;
        Some(*found.0)
    }

    /// Oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Order> {
        self.rows.values().map(|row| &row.order)
    }

    /// The orders as they were at that time.
    pub(super) fn as_of(&self, at: SystemTime) -> impl Iterator<Item = &Order> {
        let known = move |row: &'_ Row| {
            let mut past = row.history.iter().rev();
            past.position(|(since, _)| *since <= at)
        };
        self.rows.values().filter_map(move |row| {
            let back = known(row)?;
            let last = row.history.len().checked_sub(1)?.checked_sub(back)?;
            row.history.get(last).map(|(_, order)| order)
        })
    }

    /// Writes down what changed up to now.
    pub(super) fn write_down(&mut self, now: SystemTime) {
        for number in std::mem::take(&mut self.touched) {
            if let Some(row) = self.rows.get_mut(&number) {
                row.history.push((now, row.order.clone()));
            }
        }
    }
}
