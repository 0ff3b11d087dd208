//! What callers were told: an error only if nothing of the call can have an effect, and what is
//! said to be recorded is.

use std::time::Duration;

use payonce::{Error, Family, OperationId, Outcome};

use super::Checks;

/// A call, and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct Called {
    pub(crate) family: Family,
    pub(crate) reference: String,
    /// `None`: the latest.
    pub(crate) attempt: Option<u32>,
    pub(crate) process: String,
    pub(crate) from: Duration,
    /// Until when a task of it may have gone on.
    pub(crate) until: Duration,
    pub(crate) failed: bool,
}

/// How long the task of a call may go on that nobody waits for any more.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

impl Checks {
    /// A call begins.
    pub(crate) fn call(
        &mut self,
        family: Family,
        reference: &str,
        attempt: Option<u32>,
        process: String,
        now: Duration,
    ) -> usize {
        let place = self.calls.len();
        self.calls.push(Called {
            family,
            reference: reference.to_owned(),
            attempt,
            process,
            from: now,
            until: now.saturating_add(LONGEST),
            failed: false,
        });
        place
    }

    /// It is answered. Without an answer, because its caller or its process is gone, its task may
    /// go on.
    pub(crate) fn answered(
        &mut self,
        place: usize,
        answer: &Result<Outcome, Error>,
        now: Duration,
    ) {
        self.tick(now);
        if let Some(call) = self.calls.get_mut(place) {
            call.until = now;
            call.failed = answer.is_err();
        }
        let Ok(outcome) = answer else { return };
        let id = outcome.operation().id;
        let name = self.name(id);
        if outcome.is_recorded() && !self.was_ever(id, outcome) {
            let text = format!("{name} was answered as {}", outcome.operation().state);
            self.fail("durability", text);
        }
        self.compare_outcome(id, &name, outcome);
    }

    /// A recovery goes on with anything.
    pub(crate) fn recovers(&mut self, process: String, from: Duration, until: Duration) {
        self.recoveries.push((process, from, until));
    }

    fn was_ever(&self, id: OperationId, outcome: &Outcome) -> bool {
        let state = outcome.operation().state;
        let known = self.known.get(&id);
        self.rows.contains_key(&id) && known.is_some_and(|known| known.states.contains(&state))
    }

    fn compare_outcome(&mut self, id: OperationId, name: &str, outcome: &Outcome) {
        let known = self.known.get(&id);
        let erred = known.is_some_and(|known| self.erred.contains(&known.made.reference));
        if self.resolved.contains(&id) || erred {
            return;
        }
        let moved = known.is_some_and(|known| !known.effects.is_empty());
        match outcome {
            Outcome::Succeeded(_) if !self.holds(id) => {
                self.fail("false final", format!("{name} is paid, they say"));
            }
            Outcome::Declined(_) | Outcome::Rejected(_) | Outcome::NoEffect(_) if moved => {
                self.fail("false final", format!("{name} is refused, they say"));
            }
            Outcome::Succeeded(_)
            | Outcome::Declined(_)
            | Outcome::Rejected(_)
            | Outcome::NoEffect(_)
            | Outcome::ActionRequired(_)
            | Outcome::Pending(_)
            | Outcome::Reversed(_)
            | Outcome::Unknown(_) => {}
        }
    }

    /// When nothing is under way any more: no call that ended with an error sent what worked.
    pub(crate) fn errors_were_true(&mut self) {
        let mut wrong = Vec::new();
        for (place, call) in self
            .calls
            .iter()
            .enumerate()
            .filter(|(_, call)| call.failed)
        {
            let beside = self.calls.iter().enumerate().any(|(other, beside)| {
                other != place
                    && beside.family == call.family
                    && beside.reference == call.reference
                    && beside.process == call.process
                    && beside.from <= call.until
                    && call.from <= beside.until
            });
            let recovered = self.recoveries.iter().any(|(process, from, until)| {
                *process == call.process && *from <= call.until && call.from <= *until
            });
            if beside || recovered {
                continue;
            }
            let worked = self.sends.iter().find(|send| {
                let known = self.known.get(&send.id);
                let same = known.is_some_and(|known| {
                    let made = &known.made;
                    made.kind.family() == call.family && made.reference == call.reference
                });
                let attempt = self.rows.get(&send.id).map(|row| row.identity.attempt);
                let same = same && (call.attempt.is_none() || call.attempt == attempt);
                same && send.worked
                    && send.process == call.process
                    && send.at >= call.from
                    && send.at <= call.until
            });
            if let Some(send) = worked {
                let name = self.name(send.id);
                wrong.push(format!("{name} worked, and its call ended with an error"));
            }
        }
        for text in wrong {
            self.fail("error after an effect", text);
        }
    }
}
