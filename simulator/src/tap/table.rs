//! Objects by id, and what reads saw of them when.

use std::collections::BTreeMap;
use std::time::SystemTime;

use super::record::Record;

/// Objects in the order of their creation.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// By their numbers, from 1.
    rows: BTreeMap<usize, Row>,
}

#[derive(Debug)]
struct Row {
    record: Record,
    /// Whether it may have changed since it was last written down.
    touched: bool,
    /// What it was from when on, oldest first.
    history: Vec<(SystemTime, Record)>,
}

impl Table {
    /// Adds an object and gives it its id.
    pub(super) fn add(&mut self, mut record: Record) -> &mut Record {
        let number = self.rows.len().saturating_add(1);
        let (prefix, _) = record.kind.names();
        let mode = if record.live { "LV" } else { "TS" };
        record.id = format!("{prefix}{mode}{number:08}");
        let row = Row {
            record,
            touched: true,
            history: Vec::new(),
        };
        let rows = self.rows.entry(number).or_insert(row);
        &mut rows.record
    }

    pub(super) fn get(&self, id: &str) -> Option<&Record> {
        self.iter().find(|record| record.id == id)
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Record> {
        let row = self.rows.values_mut().find(|row| row.record.id == id)?;
        row.touched = true;
        Some(&mut row.record)
    }

    /// Oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Record> {
        self.rows.values().map(|row| &row.record)
    }

    /// All objects as they were at that time, oldest first.
    pub(super) fn iter_as_of(&self, at: SystemTime) -> impl DoubleEndedIterator<Item = &Record> {
        self.rows.values().filter_map(move |row| {
            let known = row.history.iter().rev().find(|(since, _)| *since <= at);
            known.map(|(_, record)| record)
        })
    }

    /// Writes down what changed up to now.
    pub(super) fn write_down(&mut self, now: SystemTime) {
        for row in self.rows.values_mut().filter(|row| row.touched) {
            row.touched = false;
            row.history.push((now, row.record.clone()));
        }
    }
}
