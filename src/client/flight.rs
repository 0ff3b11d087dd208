//! Concurrent callers of one operation in one process: one task drives it, and all wait for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::clock::Clock;
use crate::engine::{in_flight, unknown};
use crate::error::Error;
use crate::ledger::Record;
use crate::operation::Identity;
use crate::outcome::{Doubt, Outcome};

/// The operations that are in flight in this client.
#[derive(Debug, Clone, Default)]
pub(super) struct Flights {
    open: Arc<Mutex<HashMap<Identity, watch::Receiver<Progress>>>>,
}

/// How far a flight is.
#[derive(Debug, Clone, Default)]
struct Progress {
    /// The row: as it is stored, or as the claim would store it.
    row: Option<Arc<Record>>,
    /// The row is stored.
    stored: bool,
    /// What came of it.
    result: Option<Result<Outcome, Error>>,
}

/// What a caller is.
pub(super) enum Joined {
    /// The first: it must start the task.
    Leader(Flight),
    /// Another one: it waits for the task that is there.
    Follower(Waiter),
}

impl Flights {
    /// Joins the flight of an operation, or opens one.
    pub(super) fn join(&self, identity: &Identity, most: usize) -> Result<Joined, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = open.get(identity) {
            return Ok(Joined::Follower(Waiter {
                progress: progress.clone(),
            }));
        }
        if open.len() >= most {
            return Err(Error::Overloaded { limit: most });
        }
        let (sender, receiver) = watch::channel(Progress::default());
        open.insert(identity.clone(), receiver);
        drop(open);
        Ok(Joined::Leader(Flight {
            progress: sender,
            identity: Some(identity.clone()),
            flights: self.clone(),
        }))
    }
}

/// A flight, in the hands of the task that drives it. However the task ends, the flight closes.
#[derive(Debug)]
pub(super) struct Flight {
    progress: watch::Sender<Progress>,
    /// What is in flight, until the flight is closed.
    identity: Option<Identity>,
    flights: Flights,
}

impl Flight {
    pub(super) fn waiter(&self) -> Waiter {
        Waiter {
            progress: self.progress.subscribe(),
        }
    }

    /// There is a row, or there is about to be one.
    pub(super) fn row(&self, record: &Record, stored: bool) {
        self.progress.send_modify(|progress| {
            progress.row = Some(Arc::new(record.clone()));
            progress.stored = stored;
        });
    }

    /// It is over. Who calls from now on starts anew: the answer is for those who waited.
    pub(super) fn done(mut self, result: Result<Outcome, Error>) {
        self.close();
        self.progress
            .send_modify(|progress| progress.result = Some(result));
    }

    /// Lets the next caller open a flight of its own.
    fn close(&mut self) {
        if let Some(identity) = self.identity.take() {
            let mut open = self
                .flights
                .open
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            open.remove(&identity);
        }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.close();
    }
}

/// A caller that waits for a flight.
#[derive(Debug)]
pub(super) struct Waiter {
    progress: watch::Receiver<Progress>,
}

impl Waiter {
    /// The stored row, once there is one. `None`: the flight ended without, or the caller's time
    /// is over.
    pub(super) async fn stored(&self, clock: &dyn Clock, end: Duration) -> Option<Arc<Record>> {
        let mut progress = self.progress.clone();
        let found = progress.wait_for(|p| p.stored || p.result.is_some());
        tokio::select! {
            biased;
            found = found => found.ok().filter(|p| p.stored).and_then(|p| p.row.clone()),
            () = until(clock, end) => None,
        }
    }

    /// Whether the flight ended without a row.
    pub(super) fn ended_without_row(&self) -> bool {
        let progress = self.progress.borrow();
        !progress.stored && (progress.result.is_some() || self.progress.has_changed().is_err())
    }

    /// What came of the flight, or what is known when the caller's time is over.
    pub(super) async fn result(self, clock: &dyn Clock, end: Duration) -> Result<Outcome, Error> {
        let mut progress = self.progress.clone();
        // Before there is a row to speak of there is nothing to answer: the ledger's own limit
        // ends that.
        let row = progress
            .wait_for(|p| p.row.is_some() || p.result.is_some())
            .await
            .is_ok();
        let over = tokio::select! {
            biased;
            over = progress.wait_for(|p| p.result.is_some()), if row => over.is_ok(),
            () = until(clock, end), if row => true,
            else => false,
        };
        let last = self.progress.borrow().clone();
        match (last.result, last.row) {
            (Some(result), _) => result,
            (None, Some(row)) if !last.stored => Ok(unknown(&row, Doubt::Unrecorded, false)),
            (None, Some(row)) if over => Ok(in_flight(&row)),
            (None, Some(row)) => Ok(unknown(&row, Doubt::TaskLost, true)),
            (None, None) => Err(Error::Config(
                "the task ended before anything was stored".to_owned(),
            )),
        }
    }
}

/// Completes at this uptime.
async fn until(clock: &dyn Clock, end: Duration) {
    clock.sleep(end.saturating_sub(clock.uptime())).await;
}
