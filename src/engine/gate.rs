//! Whether a send may leave now, and how long it may take.

use std::time::Duration;

use crate::clock::{Clock, Timestamp};
use crate::ledger::{Checked, Owned, Record};
use crate::machine::{Gate, Shut};

/// The shortest time in which a send makes sense.
const SHORTEST: Duration = Duration::from_millis(10);

/// The times that a drive must keep, on the wall clock and on one that counts suspend: a machine
/// that slept has lost its lease, whichever of the two shows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    /// The ledger's time of the claim.
    claimed_at: Timestamp,
    /// The uptime at the claim.
    claimed_up: Duration,
    /// How long the lease lasts.
    lease: Duration,
    /// How long the key is safe to repeat.
    window: Option<Duration>,
    /// From when the key's age counts, if an earlier claim may have sent.
    window_from: Option<Timestamp>,
    /// The uptime at which the last exchange of this call must have ended.
    end_up: Duration,
}

/// What is checked of a stored operation before a send.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    send_until: Timestamp,
    look_up_only: bool,
    clock_doubtful: bool,
    now: Timestamp,
}

impl From<&Owned> for Stored {
    fn from(owned: &Owned) -> Self {
        Self {
            send_until: owned.record.send_until,
            look_up_only: owned.record.look_up_only,
            clock_doubtful: owned.clock_doubtful,
            now: owned.now,
        }
    }
}

impl From<&Checked> for Stored {
    fn from(checked: &Checked) -> Self {
        Self {
            send_until: checked.send_until,
            look_up_only: checked.look_up_only,
            clock_doubtful: checked.clock_doubtful,
            now: checked.now,
        }
    }
}

impl Times {
    pub(super) fn new(
        record: &Record,
        now: Timestamp,
        clock: &dyn Clock,
        window: Option<Duration>,
        end_up: Duration,
    ) -> Self {
        let until = record.lease.as_ref().map_or(now, |lease| lease.until);
        Self {
            claimed_at: now,
            claimed_up: clock.uptime(),
            lease: until.since(now).unwrap_or_default(),
            window,
            window_from: record.window_from,
            end_up,
        }
    }

    /// Whether a send may leave. `maybe_sent`: an earlier send may have had an effect, so that the
    /// age of the key counts.
    pub(super) fn gate(&self, stored: &Stored, maybe_sent: bool, clock: &dyn Clock) -> Gate {
        let shut = if stored.look_up_only {
            Shut::LookUpOnly
        } else if stored.send_until <= stored.now {
            Shut::PastSendUntil
        } else if maybe_sent && stored.clock_doubtful {
            Shut::ClockDoubtful
        } else if self.left(stored.now, clock) < SHORTEST {
            Shut::TimeOver
        } else if maybe_sent {
            return self.window(stored.now, clock);
        } else {
            return Gate::Open;
        };
        Gate::Shut(shut)
    }

    /// Whether the gateway still knows the key.
    fn window(&self, now: Timestamp, clock: &dyn Clock) -> Gate {
        let Some(window) = self.window else {
            return Gate::Open;
        };
        let from = self.window_from.unwrap_or(self.claimed_at);
        let by_wall = now.since(from);
        let by_uptime = self
            .claimed_at
            .since(from)
            .map(|age| age.saturating_add(clock.uptime().saturating_sub(self.claimed_up)));
        match (by_wall, by_uptime) {
            (Some(wall), Some(uptime)) if wall.max(uptime) < window => Gate::Open,
            (Some(_), Some(_)) => Gate::Shut(Shut::WindowOver),
            // A clock that is before the first send says nothing about the key's age.
            _ => Gate::Shut(Shut::ClockDoubtful),
        }
    }

    /// How long an exchange may take that begins now: within the call, and within the lease by
    /// both clocks.
    pub(super) fn left(&self, now: Timestamp, clock: &dyn Clock) -> Duration {
        let uptime = clock.uptime();
        let lease_by_uptime = self
            .claimed_up
            .saturating_add(self.lease)
            .saturating_sub(uptime);
        let lease_by_wall = self
            .claimed_at
            .plus(self.lease)
            .since(now)
            .unwrap_or_default()
            .min(self.lease);
        self.end_up
            .saturating_sub(uptime)
            .min(lease_by_uptime)
            .min(lease_by_wall)
    }

    /// Whether an exchange may still begin.
    pub(super) fn is_time_left(&self, clock: &dyn Clock) -> bool {
        self.left(clock.now(), clock) >= SHORTEST
    }
}

#[cfg(test)]
mod tests;
