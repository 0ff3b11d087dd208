//! Concurrent callers of one operation in one process: one task drives it, and all wait for it.

mod board;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use self::board::{Board, Post, Reached};
use crate::clock::Clock;
use crate::engine::{CLOSE, Heard, PROCEED, in_flight, refused, unknown, unrecorded};
use crate::error::{Error, LedgerError};
use crate::ledger::{Claim, Record};
use crate::operation::Identity;
use crate::outcome::{Doubt, Outcome, PendingReason};

/// The operations that are in flight in this client.
#[derive(Debug, Clone, Default)]
pub(super) struct Flights {
    open: Arc<Mutex<Open>>,
    /// Somebody may wait until there is none.
    closed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Open {
    flights: HashMap<Identity, (u8, Board<Progress>)>,
    /// No new ones.
    shut: bool,
}

/// How far a flight is.
#[derive(Debug, Clone, Default)]
struct Progress {
    row: Row,
    /// Its time was too short for more.
    out_of_time: bool,
    /// What came of it.
    result: Option<Result<Outcome, Error>>,
}

/// The operation's row, as far as the flight knows.
#[derive(Debug, Clone, Default)]
enum Row {
    /// It is not known.
    #[default]
    None,
    /// As the claim would store it.
    Wanted(Arc<Record>),
    /// As it is stored.
    Stored(Arc<Record>),
}

/// What a caller is.
pub(super) enum Joined {
    /// The first: it must start the task.
    Leader(Flight),
    /// Another one: it waits for the task that is there.
    Follower(Waiter),
}

impl Flights {
    /// Joins the flight of an operation, or opens one. `strength`: how much the caller may do.
    pub(super) fn join(
        &self,
        identity: &Identity,
        strength: u8,
        most: usize,
    ) -> Result<Joined, Error> {
        let mut open = self.lock();
        if let Some((of_flight, progress)) = open.flights.get(identity) {
            return Ok(Joined::Follower(Waiter {
                progress: progress.clone(),
                may_do_more: strength > *of_flight || *of_flight == CLOSE,
                asks_else: *of_flight == PROCEED,
                // What only this caller brings, the flight does not have.
                brings_more: strength >= PROCEED && strength != *of_flight,
            }));
        }
        if open.shut {
            return Err(Error::ShutDown);
        }
        if open.flights.len() >= most {
            return Err(Error::Overloaded { limit: most });
        }
        let post = Post::new(Progress::default());
        open.flights
            .insert(identity.clone(), (strength, post.board()));
        drop(open);
        Ok(Joined::Leader(Flight {
            progress: post,
            identity: Some(identity.clone()),
            flights: self.clone(),
        }))
    }
}

impl Flights {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens no new flight from now on.
    pub(super) fn shut(&self) {
        self.lock().shut = true;
    }

    /// How many are open.
    pub(super) fn count(&self) -> usize {
        self.lock().flights.len()
    }

    /// Waits until none is open.
    pub(super) async fn emptied(&self) {
        loop {
            let closed = self.closed.notified();
            if self.count() == 0 {
                return;
            }
            closed.await;
        }
    }
}

/// A flight, in the hands of the task that drives it. However the task ends, the flight closes.
#[derive(Debug)]
pub(super) struct Flight {
    progress: Post<Progress>,
    /// What is in flight, until the flight is closed.
    identity: Option<Identity>,
    flights: Flights,
}

impl Flight {
    pub(super) fn waiter(&self) -> Waiter {
        Waiter {
            progress: self.progress.board(),
            may_do_more: false,
            asks_else: false,
            brings_more: false,
        }
    }

    /// Tells those who wait how far it is.
    pub(super) fn hear(&self, heard: Heard<'_>) {
        self.progress.change(|progress| match heard {
            Heard::Wanted(row) => progress.row = Row::Wanted(Arc::new(row.clone())),
            Heard::Stored(row) => progress.row = Row::Stored(Arc::new(row.clone())),
            Heard::OutOfTime => progress.out_of_time = true,
        });
    }

    /// It is over. Who calls from now on starts anew: the answer is for those who waited.
    pub(super) fn done(mut self, result: Result<Outcome, Error>) {
        self.close();
        self.progress
            .change(|progress| progress.result = Some(result));
    }

    /// Lets the next caller open a flight of its own.
    fn close(&mut self) {
        if let Some(identity) = self.identity.take() {
            self.flights.lock().flights.remove(&identity);
            self.flights.closed.notify_waiters();
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
    progress: Board<Progress>,
    /// The flight does less than this caller may: it only asks, or goes on, or ends.
    may_do_more: bool,
    /// The flight has what one customer brought back, and this caller does not speak of that.
    asks_else: bool,
    /// This caller wants the operation to be over, or brings what the customer came back with.
    brings_more: bool,
}

impl Waiter {
    /// For the caller that started the flight: what came of it, or what is known when the caller's
    /// time is over.
    pub(super) async fn result(self, clock: &dyn Clock, end: Duration) -> Result<Outcome, Error> {
        let over = self.wait(clock, end, |p| p.result.is_some()).await;
        let last = self.progress.read(Progress::clone);
        last.result.unwrap_or_else(|| last.row.known(over))
    }

    /// For a caller that joined: its own intent is compared with the flight's, and its own time
    /// holds. `None`: the flight is over without an answer for it, and it has time left to try
    /// itself.
    pub(super) async fn followed(
        self,
        clock: &dyn Clock,
        end: Duration,
        claim: &Claim,
    ) -> Option<Result<Outcome, Error>> {
        let over = self
            .wait(clock, end, |p| p.row.is_stored() || p.result.is_some())
            .await;
        let row = self.progress.read(|progress| progress.row.clone());
        match &row {
            // Only what is stored counts. A flight whose row came to nothing says nothing.
            Row::Stored(record) => {
                if let Some(mismatch) = claim.mismatch(record) {
                    return Some(Err(refused(mismatch)));
                }
            }
            Row::None | Row::Wanted(_) if over == Over::Time => {
                return Some(row.known_to(claim));
            }
            Row::None | Row::Wanted(_) => return None,
        }
        let over = self.wait(clock, end, |p| p.result.is_some()).await;
        let last = self.progress.read(Progress::clone);
        match last.result {
            // The time of the flight's own caller was over, or it might do less. This one's is not,
            // and it may.
            Some(result) if clock.uptime() < end && self.may_try(&result, last.out_of_time) => None,
            Some(result) => Some(result),
            None => Some(last.row.known(over)),
        }
    }

    /// Whether this caller could bring more than what came of the flight.
    fn may_try(&self, result: &Result<Outcome, Error>, out_of_time: bool) -> bool {
        let open = is_open(result);
        // An error of one who might do less, or asked something else, is about what that one asked.
        let failed = result.is_err() && (self.may_do_more || self.asks_else);
        let more = failed || (open && (out_of_time || self.may_do_more));
        let waits = matches!(result, Ok(Outcome::ActionRequired(_) | Outcome::Pending(_)));
        more || (self.brings_more && (waits || open))
    }

    /// Waits until the flight is so far, or ends, or the caller's time is over.
    async fn wait(
        &self,
        clock: &dyn Clock,
        end: Duration,
        so_far: impl Fn(&Progress) -> bool,
    ) -> Over {
        tokio::select! {
            biased;
            reached = self.progress.wait_for(so_far) => match reached {
                Reached::Yes => Over::Reached,
                Reached::Gone => Over::Lost,
            },
            () = clock.sleep(end.saturating_sub(clock.uptime())) => Over::Time,
        }
    }
}

/// Why a wait is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    /// The flight is so far.
    Reached,
    /// The flight's task is gone.
    Lost,
    /// The caller's time is over.
    Time,
}

/// Whether more time could bring more.
fn is_open(result: &Result<Outcome, Error>) -> bool {
    match result {
        Ok(Outcome::Unknown(_)) | Err(Error::Unavailable { .. }) => true,
        Ok(Outcome::Pending(pending)) => pending.why == PendingReason::InFlight,
        Ok(_) | Err(_) => false,
    }
}

impl Row {
    const fn is_stored(&self) -> bool {
        matches!(self, Self::Stored(_))
    }

    /// What is known of a flight without a result.
    fn known(&self, over: Over) -> Result<Outcome, Error> {
        match (self, over) {
            (Self::Stored(row), Over::Lost) => Ok(unknown(row, Doubt::TaskLost, true)),
            (Self::Stored(row), Over::Time | Over::Reached) => Ok(in_flight(row)),
            (Self::Wanted(row), _) => Ok(unrecorded(row, "the ledger did not answer in time")),
            // The call ends here, and so does its right to send: nothing is stored of it.
            (Self::None, Over::Time | Over::Reached) => Err(LedgerError::Busy.into()),
            (Self::None, Over::Lost) => Err(Error::ShutDown),
        }
    }

    /// The same for a caller that may want something else than the flight.
    fn known_to(&self, claim: &Claim) -> Result<Outcome, Error> {
        if let Self::Wanted(row) = self
            && let Some(mismatch) = claim.mismatch(row)
        {
            return Err(refused(mismatch));
        }
        self.known(Over::Time)
    }
}

#[cfg(test)]
mod tests;
