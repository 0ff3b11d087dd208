//! Whether a send may leave now, and how long it may take.

use std::time::Duration;

use crate::clock::{Clock, Timestamp};
use crate::ledger::{Checked, Moment, Owned, Record};
use crate::machine::{Gate, Shut};

/// The shortest time in which a send makes sense.
const SHORTEST: Duration = Duration::from_millis(10);

/// The times that a drive must keep, on the ledger's wall clock and on our uptime, which counts
/// suspend: a machine that slept has lost its lease, whichever of the two shows it.
#[derive(Debug, Clone)]
pub(super) struct Times {
    /// The ledger's time of the claim.
    claimed: Moment,
    /// Our uptime before the claim was asked for.
    asked_up: Duration,
    /// How long the lease lasts.
    lease: Duration,
    /// How long the key is safe to repeat.
    window: Option<Duration>,
    /// From when the key's age counts, if an earlier claim may have sent.
    window_from: Option<Moment>,
    /// Our uptime at which the last exchange of this call must have ended.
    end_up: Duration,
    /// This call only asks.
    ask_only: bool,
}

/// What the ledger last said of an operation.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    send_until: Timestamp,
    look_up_only: bool,
    clock_doubtful: bool,
    /// The ledger's time of this.
    now: Moment,
    /// Our uptime at which it was asked.
    asked_up: Duration,
}

impl Stored {
    pub(super) fn claimed(owned: &Owned, asked_up: Duration) -> Self {
        Self {
            send_until: owned.record.send_until,
            look_up_only: owned.record.look_up_only,
            clock_doubtful: owned.clock_doubtful,
            now: owned.now.clone(),
            asked_up,
        }
    }

    pub(super) fn checked(checked: Checked, asked_up: Duration) -> Self {
        Self {
            send_until: checked.send_until,
            look_up_only: checked.look_up_only,
            clock_doubtful: checked.clock_doubtful,
            now: checked.now,
            asked_up,
        }
    }
}

impl Times {
    /// The times of a claim that was asked for at `asked_up`. `end_up`: our uptime at which the
    /// last exchange must have ended.
    pub(super) fn new(
        record: &Record,
        claimed: Moment,
        window: Option<Duration>,
        asked_up: Duration,
        end_up: Duration,
    ) -> Self {
        let until = record
            .lease
            .as_ref()
            .map_or(claimed.at, |lease| lease.until);
        Self {
            asked_up,
            lease: until.since(claimed.at).unwrap_or_default(),
            window,
            window_from: record.window_from.clone(),
            end_up,
            claimed,
            ask_only: false,
        }
    }

    /// Our uptime at which the last exchange must have ended.
    pub(super) const fn end(&self) -> Duration {
        self.end_up
    }

    /// The same for a call that only asks, if so.
    pub(super) const fn asking_only(mut self, ask_only: bool) -> Self {
        self.ask_only = ask_only;
        self
    }

    /// Whether a send may leave. `maybe_sent`: an earlier send may have had an effect, so that the
    /// age of the key counts.
    pub(super) fn gate(&self, stored: &Stored, maybe_sent: bool, clock: &dyn Clock) -> Gate {
        let shut = if stored.look_up_only || self.ask_only {
            Shut::LookUpOnly
        } else if stored.send_until <= stored.now.at {
            Shut::PastSendUntil
        } else if maybe_sent && stored.clock_doubtful {
            Shut::ClockDoubtful
        } else if self.left(stored, clock) < SHORTEST {
            Shut::TimeOver
        } else if maybe_sent {
            return self.window(&stored.now);
        } else {
            return Gate::Open;
        };
        Gate::Shut(shut)
    }

    /// Whether the gateway still knows the key.
    fn window(&self, now: &Moment) -> Gate {
        let Some(window) = self.window else {
            return Gate::Open;
        };
        let from = self.window_from.as_ref().unwrap_or(&self.claimed);
        match now.age_of(from) {
            Some(age) if age < window => Gate::Open,
            Some(_) => Gate::Shut(Shut::WindowOver),
            None => Gate::Shut(Shut::ClockDoubtful),
        }
    }

    /// How long an exchange may take that begins now: within the call, and within the lease by
    /// both clocks.
    pub(super) fn left(&self, stored: &Stored, clock: &dyn Clock) -> Duration {
        let up = clock.uptime();
        let by_uptime = self.asked_up.saturating_add(self.lease).saturating_sub(up);
        // The ledger's time now: what it last said, and what has passed since.
        let since = up.saturating_sub(stored.asked_up);
        let by_wall = self
            .claimed
            .at
            .plus(self.lease)
            .since(stored.now.at.plus(since))
            .unwrap_or_default()
            .min(self.lease);
        self.end_up.saturating_sub(up).min(by_uptime).min(by_wall)
    }

    /// Whether an exchange may still begin.
    pub(super) fn is_time_left(&self, stored: &Stored, clock: &dyn Clock) -> bool {
        self.left(stored, clock) >= SHORTEST
    }
}

#[cfg(test)]
mod tests;
