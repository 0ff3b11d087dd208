//! What may be left when the faults are over: nothing, but for what only a person can settle.

use std::time::Duration;

use payonce::ledger::Record;
use payonce::provider::OnRepeat;
use payonce::{Doubt, State};

use super::Checks;

/// Where an operation stands in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is over.
    Final,
    /// It is held for a person, and why.
    Held(&'static str),
    /// It should have been settled.
    Unsettled(String),
}

impl Checks {
    /// Where a row stands in the end.
    pub(crate) fn standing(&self, row: &Record) -> Standing {
        if row.frozen {
            return Standing::Held("frozen");
        }
        match row.state {
            State::Succeeded
            | State::Declined
            | State::Rejected
            | State::Canceled
            | State::NotExecuted
            | State::Reversed => Standing::Final,
            State::ActionRequired | State::Pending if row.standing.refusal.is_some() => {
                Standing::Held("a page that is still open after a decline, and no close")
            }
            State::ActionRequired | State::Pending | State::Unknown
                if self.is_one_decline_of_many(row) =>
            {
                Standing::Held("a decline that does not account for every send, not class A")
            }
            State::Pending if is_under_review(row) => {
                Standing::Held("under review by a person at the gateway")
            }
            State::Unknown => self.held(row),
            State::Queued
            | State::Sending
            | State::Unsent
            | State::ActionRequired
            | State::Pending
            | _ => Standing::Unsettled(format!("it is {}", row.state)),
        }
    }
}

/// Some results of HyperPay say that a person there has to look at the payment.
fn is_under_review(row: &Record) -> bool {
    let pending = row.standing.pending.as_ref();
    pending.is_some_and(|pending| pending.status.starts_with("000.400."))
}

/// How long an operation has after the end of the faults to be settled, if its key was still safe
/// to repeat by then.
const TIME: Duration = Duration::from_secs(1_000);

impl Checks {
    /// Why an unknown one is held.
    fn held(&self, row: &Record) -> Standing {
        let Some(doubt) = &row.standing.doubt else {
            return Standing::Unsettled("it is unknown without a doubt".to_owned());
        };
        let class = row.rule.on_repeat;
        let stored = row.stored_error || self.stored_errors.contains(&row.id);
        let why = if matches!(doubt, Doubt::Mismatch { .. }) {
            "a mismatch"
        } else if matches!(doubt, Doubt::KeyMismatch | Doubt::KeyUsedElsewhere) {
            "a key clash"
        } else if stored {
            "a stored 5xx"
        } else if row.look_up_only {
            "look-up only"
        } else if class == OnRepeat::RunsAgain {
            "class C"
        } else if class == OnRepeat::ReplaysSuccess && !row.rule.look_up_reliable {
            "class B without a reliable look-up"
        } else if self.was_past_window(row) {
            "past its window without a look-up"
        } else if self.clock_was_wrong {
            "a doubtful clock"
        } else {
            return Standing::Unsettled(format!("it is unknown: {doubt}"));
        };
        Standing::Held(why)
    }

    /// Whether a look-up shows a decline, and there were more sends than that accounts for.
    fn is_one_decline_of_many(&self, row: &Record) -> bool {
        let declined = self.findings.get(&row.id) == Some(&"found declined");
        declined && row.rule.on_repeat != OnRepeat::Replays && row.maybe_sent > 1
    }

    /// Whether its key was too old already when the faults ended.
    fn was_past_window(&self, row: &Record) -> bool {
        let known = self.known.get(&row.id);
        let first = known.and_then(|known| known.sends.first());
        let first = first.and_then(|place| self.sends.get(*place));
        let made = known.map_or(Duration::ZERO, |known| known.first_row);
        let since = first.map_or(made, |send| send.at);
        row.rule
            .window
            .is_some_and(|window| since.saturating_add(window) < self.calm_at.saturating_add(TIME))
    }

    /// The faults end.
    pub(crate) fn calm(&mut self, now: Duration) {
        self.calm_at = now;
    }
}
