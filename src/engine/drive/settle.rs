//! The end of a drive: what is written, and what is answered.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::Drive;
use crate::engine::answer::{answer, in_flight, unrecorded, unsent as unsent_error};
use crate::engine::backoff::Intervals;
use crate::engine::{Engine, telemetry};
use crate::error::Error;
use crate::ledger::{Conclusion, Record, Settle, Settled, apply};
use crate::operation::State;
use crate::outcome::Outcome;

/// How often a settlement is tried before the answer is given unrecorded.
const SETTLES: u32 = 4;
/// How often it is tried after that, ever less often.
const LATER: u32 = 6;

impl Drive<'_> {
    /// Writes what was learned so far. If that fails it stays to be written with the settlement:
    /// until then the claim itself stands for a send that may have had an effect.
    pub(super) async fn write_learned(&mut self) {
        if self.learned.exchanges.is_empty() {
            return;
        }
        let (id, epoch) = (self.record.id, self.record.epoch);
        let written = self.engine.ledger.record(id, epoch, self.learned.clone());
        match written.await {
            Ok(()) => self.learned.exchanges.clear(),
            Err(error) => tracing::warn!(%error, "an exchange is not recorded yet"),
        }
    }

    /// Writes the conclusion, and answers with what the ledger then holds.
    pub(super) async fn finish(self, conclusion: Conclusion) -> Result<Outcome, Error> {
        let succeeded = matches!(conclusion, Conclusion::Succeeded { .. });
        if succeeded && let Some(budget) = self.engine.budgets.get(&self.record.account) {
            budget.success();
        }
        let settle = Settle::new(&self.record, conclusion, self.learned);
        let mut pauses = Intervals::new(Duration::from_millis(20), Duration::from_millis(200));
        let mut tries = 1;
        let error = loop {
            match self.engine.ledger.settle(settle.clone()).await {
                Ok(Settled::Applied(record) | Settled::Fenced(record)) => {
                    telemetry::settled(&record, &settle.conclusion);
                    // A further step that was not sent leaves the action that it began from.
                    let unsent = matches!(settle.conclusion, Conclusion::Unsent(_));
                    if unsent && record.state == State::ActionRequired && !record.frozen {
                        return Err(unsent_error(&record));
                    }
                    return settled(&record);
                }
                Err(error) if tries >= SETTLES => break error,
                Err(_) => {
                    tries = tries.saturating_add(1);
                    self.engine.clock.sleep(pauses.next()).await;
                }
            }
        };
        telemetry::unrecorded(&self.record, &error);
        self.engine.unwritten.add(settle.clone());
        // What the row would be. That nothing was sent is an error only if the ledger says so.
        let now = self.engine.clock.now();
        let record = apply(self.record.clone(), &settle, now).map_or(self.record, |c| c.record);
        if matches!(settle.conclusion, Conclusion::Unsent(_)) {
            return Ok(unrecorded(&record, &error.to_string()));
        }
        answer(&record, false)
    }

    /// Somebody else has the operation now. What we learned is still told to the ledger.
    pub(super) async fn fenced(mut self) -> Result<Outcome, Error> {
        self.write_learned().await;
        match self.engine.ledger.read(self.record.id).await {
            Ok(Some(record)) => settled(&record),
            Ok(None) => Ok(unrecorded(&self.record, "its row is gone")),
            Err(error) => Ok(unrecorded(&self.record, &error.to_string())),
        }
    }
}

/// Settlements that could not be written. They are true all the same, and fenced by their epoch,
/// so they can be written at any time.
#[derive(Debug, Default)]
pub(crate) struct Unwritten(Mutex<Vec<Settle>>);

impl Unwritten {
    fn add(&self, settle: Settle) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(settle);
    }

    fn take(&self) -> Vec<Settle> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Engine {
    /// Writes what could not be written when it was answered, for about a minute. What cannot be
    /// written then is tried again after the next operation, or found out anew by the next claim.
    pub(crate) async fn write_later(&self) {
        let mut pauses = Intervals::new(Duration::from_secs(1), Duration::from_secs(30));
        for _ in 0..LATER {
            let waiting = self.unwritten.take();
            if waiting.is_empty() {
                return;
            }
            let mut failed = false;
            for settle in waiting {
                match self.ledger.settle(settle.clone()).await {
                    Ok(Settled::Applied(record) | Settled::Fenced(record)) => {
                        telemetry::settled(&record, &settle.conclusion);
                    }
                    Err(_) => {
                        failed = true;
                        self.unwritten.add(settle);
                    }
                }
            }
            if failed {
                self.clock.sleep(pauses.next()).await;
            }
        }
    }
}

/// The answer after a settlement, whoever made it.
fn settled(record: &Record) -> Result<Outcome, Error> {
    if record.lease.is_some() && !record.frozen {
        return Ok(in_flight(record));
    }
    answer(record, true)
}
