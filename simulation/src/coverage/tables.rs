//! Coverage as tables, and what is too little of it.

use super::Coverage;
use crate::faults::Kind;

/// The edges between states, as the core's own test writes them.
const EDGES: &str = include_str!("../../../src/machine/transition/edges.txt");
/// The engine's table, as the core's own test writes it.
const STEPS: &str = include_str!("../../../src/machine/decide/steps.txt");

/// The columns of the table of edges that no client can reach yet: queueing, closing and notices.
const NOT_YET: &[&str] = &[
    "enq", "exp", "proc", "close", "cl-yes", "cl-no", "cl-suc", "late", "recap",
];

const COLUMNS: [&str; 8] = [
    "A first", "A after", "B first", "B after", "C first", "C after", "D first", "D after",
];

impl Coverage {
    /// All of it, as text.
    pub fn tables(&self) -> String {
        let mut text = String::from("faults\n");
        for kind in Kind::ALL {
            let hits = self.hits_of_fault(kind.name());
            put(&mut text, &format!("  {hits:>9}  {}\n", kind.name()));
        }
        text.push_str("\nedges between states (of those that a client can reach)\n");
        let (columns, rows) = edges();
        text.push_str("       ");
        for column in &columns {
            put(&mut text, &format!("{column:>8}"));
        }
        for (row, _) in rows {
            put(&mut text, &format!("\n  {row:<5}"));
            for column in &columns {
                put(&mut text, &format!("{:>8}", self.hits_of_edge(row, column)));
            }
        }
        text.push_str("\n\nthe engine's table\n                         ");
        for column in COLUMNS {
            put(&mut text, &format!("{column:>9}"));
        }
        for row in steps() {
            put(&mut text, &format!("\n  {row:<23}"));
            for column in COLUMNS {
                put(&mut text, &format!("{:>9}", self.hits_of_cell(row, column)));
            }
        }
        text.push_str("\n\nheld for a person\n");
        for (why, hits) in self.held_by_reason() {
            put(&mut text, &format!("  {hits:>9}  {why}\n"));
        }
        text
    }

    fn count_cells(&self) -> usize {
        let hit = |row: &&str| {
            let of_row = |column: &&&str| self.hits_of_cell(row, column) > 0;
            COLUMNS.iter().filter(of_row).count()
        };
        steps().iter().map(hit).fold(0, usize::saturating_add)
    }

    fn count_edges(&self) -> usize {
        let (columns, rows) = edges();
        let hit = |(row, _): &(&str, Vec<&str>)| {
            let of_row = |column: &&&str| self.hits_of_edge(row, column) > 0;
            columns.iter().filter(of_row).count()
        };
        rows.iter().map(hit).fold(0, usize::saturating_add)
    }
}

fn put(text: &mut String, part: &str) {
    text.push_str(part);
}

/// The columns that a client can reach, and the rows with their cells.
fn edges() -> (Vec<&'static str>, Vec<(&'static str, Vec<&'static str>)>) {
    let mut lines = EDGES.lines();
    let head = lines.next().unwrap_or_default().split_whitespace();
    let columns: Vec<_> = head
        .skip(1)
        .filter(|name| !NOT_YET.contains(name))
        .collect();
    let rows = lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        let row = words.next()?;
        Some((row, words.collect()))
    });
    // Nothing is queued yet, and nothing is taken back.
    let rows = rows.filter(|(row, _)| *row != "QUE" && *row != "REV");
    (columns, rows.collect())
}

/// The rows of the engine's table.
fn steps() -> Vec<&'static str> {
    let lines = STEPS.lines().skip(1);
    lines
        .filter_map(|line| line.get(..25).map(str::trim))
        .collect()
}

/// What is too little after so many histories. Nothing: it is enough.
pub fn floor(coverage: &Coverage, histories: u64) -> Vec<String> {
    let mut missing = Vec::new();
    // Fewer histories cannot have met everything.
    if histories < 1000 {
        return missing;
    }
    for kind in Kind::ALL {
        let hits = coverage.hits_of_fault(kind.name());
        let least = histories / 200;
        if hits < least {
            missing.push(format!("{} was met {hits} times, not {least}", kind.name()));
        }
    }
    for (what, hit, least) in [
        ("edges between states", coverage.count_edges(), LEAST_EDGES),
        (
            "cells of the engine's table",
            coverage.count_cells(),
            LEAST_CELLS,
        ),
    ] {
        if hit < least {
            missing.push(format!("{hit} {what} were met, not {least}"));
        }
    }
    missing
}

/// How many edges a thousand histories go over at least.
const LEAST_EDGES: usize = 30;
/// How many cells a thousand histories meet at least.
const LEAST_CELLS: usize = 100;
