//! What happened, in order: as a hash always, and as text where somebody reads it.

use std::time::Duration;

use crate::dice::Hash;

/// What happened, in order.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    hash: Hash,
    lines: Option<Vec<String>>,
    events: u64,
}

impl Trace {
    /// A trace whose lines are kept.
    pub(crate) fn kept() -> Self {
        Self {
            lines: Some(Vec::new()),
            ..Self::default()
        }
    }

    pub(crate) fn note(&mut self, at: Duration, line: &str) {
        self.hash.add(&at.as_millis().to_be_bytes());
        self.hash.add(line.as_bytes());
        self.events = self.events.saturating_add(1);
        if let Some(lines) = &mut self.lines {
            let seconds = at.as_secs();
            lines.push(format!("{seconds:>7}.{:03} {line}", at.subsec_millis()));
        }
    }

    /// One number for the whole history: two runs are the same if it is.
    pub(crate) const fn hash(&self) -> u64 {
        self.hash.0
    }

    pub(crate) fn take_lines(&mut self) -> Vec<String> {
        self.lines.take().unwrap_or_default()
    }
}
