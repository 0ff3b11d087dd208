//! What the histories went through: each kind of fault, each edge between states, each cell of the
//! engine's table. A simulation that draws no faults proves nothing.

mod tables;

use std::collections::BTreeMap;

use payonce::State;
use payonce::ledger::Conclusion;
use payonce::provider::OnRepeat;

pub use self::tables::floor;
use crate::faults::Kind;

/// What happened to an operation, by the names of the table of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    Claim,
    Unsent,
    Hold,
    Distrust,
    Pending,
    Action,
    Succeeded,
    Declined,
    Rejected,
    Canceled,
    CloseBegun,
    CloseRefused,
    Supersede,
    Withdraw,
    ResolveSucceeded,
    ResolveNotExecuted,
}

impl Event {
    pub(crate) const fn of(conclusion: &Conclusion) -> Self {
        match conclusion {
            Conclusion::Succeeded { .. } => Self::Succeeded,
            Conclusion::Declined(_) => Self::Declined,
            Conclusion::Rejected(_) => Self::Rejected,
            Conclusion::Canceled(_) => Self::Canceled,
            Conclusion::ActionRequired { .. } => Self::Action,
            Conclusion::Pending { .. } => Self::Pending,
            Conclusion::Hold {
                doubt: payonce::Doubt::Mismatch { .. },
                ..
            } => Self::Distrust,
            Conclusion::Hold { .. } => Self::Hold,
            Conclusion::Unsent(_) => Self::Unsent,
            Conclusion::CloseRefused(_) => Self::CloseRefused,
        }
    }

    /// Its column in the table of edges.
    const fn column(self) -> &'static str {
        match self {
            Self::Claim => "claim",
            Self::Unsent => "unsent",
            Self::Hold => "hold",
            Self::Distrust => "distr",
            Self::Pending => "pend",
            Self::Action => "act",
            Self::Succeeded => "succ",
            Self::Declined => "decl",
            Self::Rejected => "rej",
            Self::Canceled => "canc",
            Self::CloseBegun => "close",
            Self::CloseRefused => "cl-no",
            Self::Supersede => "super",
            Self::Withdraw => "withd",
            Self::ResolveSucceeded => "r-suc",
            Self::ResolveNotExecuted => "r-not",
        }
    }
}

/// A state's row in the table of edges.
pub(crate) const fn row_of(state: Option<State>) -> &'static str {
    match state {
        None => "new",
        Some(State::Queued) => "QUE",
        Some(State::Sending) => "SND",
        Some(State::Unsent) => "UNS",
        Some(State::ActionRequired) => "ACT",
        Some(State::Pending) => "PEN",
        Some(State::Unknown) => "UNK",
        Some(State::Succeeded) => "SUC",
        Some(State::Declined) => "DEC",
        Some(State::Rejected) => "REJ",
        Some(State::Canceled) => "CAN",
        Some(State::NotExecuted) => "NOT",
        Some(State::Reversed) => "REV",
        Some(_) => "?",
    }
}

/// What was seen, at what class, before or after a send that may have worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) row: &'static str,
    pub(crate) class: OnRepeat,
    pub(crate) after: bool,
}

impl Cell {
    fn column(self) -> &'static str {
        match (self.class, self.after) {
            (OnRepeat::Replays, false) => "A first",
            (OnRepeat::Replays, true) => "A after",
            (OnRepeat::ReplaysSuccess, false) => "B first",
            (OnRepeat::ReplaysSuccess, true) => "B after",
            (OnRepeat::RunsAgain, false) => "C first",
            (OnRepeat::RunsAgain, true) => "C after",
            (OnRepeat::NoFurtherEffect, false) => "D first",
            (OnRepeat::NoFurtherEffect, true) => "D after",
        }
    }
}

/// How often each thing happened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    faults: BTreeMap<&'static str, u64>,
    edges: BTreeMap<(&'static str, &'static str), u64>,
    cells: BTreeMap<(&'static str, &'static str), u64>,
    /// Why operations were held for a person in the end.
    held: BTreeMap<String, u64>,
}

fn count<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, by: u64) {
    let count = counts.entry(key).or_default();
    *count = count.saturating_add(by);
}

impl Coverage {
    pub(crate) fn fault(&mut self, kind: Kind) {
        count(&mut self.faults, kind.name(), 1);
    }

    pub(crate) fn edge(&mut self, from: Option<State>, event: Event) {
        count(&mut self.edges, (row_of(from), event.column()), 1);
    }

    pub(crate) fn cell(&mut self, cell: Cell) {
        count(&mut self.cells, (cell.row, cell.column()), 1);
    }

    pub(crate) fn held(&mut self, why: &str) {
        count(&mut self.held, why.to_owned(), 1);
    }

    /// Adds what another history went through.
    pub fn add(&mut self, other: &Self) {
        for (name, hits) in &other.faults {
            count(&mut self.faults, *name, *hits);
        }
        for (edge, hits) in &other.edges {
            count(&mut self.edges, *edge, *hits);
        }
        for (cell, hits) in &other.cells {
            count(&mut self.cells, *cell, *hits);
        }
        for (why, hits) in &other.held {
            count(&mut self.held, why.clone(), *hits);
        }
    }

    /// Why operations were held for a person, and how many.
    pub const fn held_by_reason(&self) -> &BTreeMap<String, u64> {
        &self.held
    }

    /// How often a kind of fault was met.
    pub(crate) fn hits_of_fault(&self, name: &str) -> u64 {
        self.faults.get(name).copied().unwrap_or(0)
    }

    pub(crate) fn hits_of_edge(&self, from: &str, event: &str) -> u64 {
        let found = self
            .edges
            .iter()
            .find(|((f, e), _)| *f == from && *e == event);
        found.map_or(0, |(_, hits)| *hits)
    }

    pub(crate) fn hits_of_cell(&self, row: &str, column: &str) -> u64 {
        let found = self
            .cells
            .iter()
            .find(|((r, c), _)| *r == row && *c == column);
        found.map_or(0, |(_, hits)| *hits)
    }
}
