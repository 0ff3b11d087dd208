//! Payments and refunds in the order of their making, and what lists saw of them when.

use std::time::SystemTime;

/// Rows in the order of their making.
#[derive(Debug)]
pub(super) struct Table<T> {
    rows: Vec<Row<T>>,
}

#[derive(Debug)]
struct Row<T> {
    object: T,
    /// What it was from when on, oldest first.
    history: Vec<(SystemTime, T)>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<T: Clone + PartialEq> Table<T> {
    /// Adds an object.
    pub(super) fn add(&mut self, object: T) {
        let history = Vec::new();
        self.rows.push(Row { object, history });
    }

    /// Oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.rows.iter().map(|row| &row.object)
    }

    /// The same, to change them.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.rows.iter_mut().map(|row| &mut row.object)
    }

    /// All as they were at that time, oldest first.
    pub(super) fn as_of(&self, at: SystemTime) -> impl Iterator<Item = &T> {
        self.rows.iter().filter_map(move |row| {
            let mut known = row.history.iter().rev();
            known
                .find(|(since, _)| *since <= at)
                .map(|(_, object)| object)
        })
    }

    /// Writes down what changed up to now.
    pub(super) fn write_down(&mut self, now: SystemTime) {
        for row in &mut self.rows {
            if row.history.last().map(|(_, known)| known) != Some(&row.object) {
                row.history.push((now, row.object.clone()));
            }
        }
    }
}
