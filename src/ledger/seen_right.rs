//! Whether the wall clock was seen to be right. The pure part, the same for every ledger.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::record::{Exchange, Moment};
use crate::clock::{Clock, Timestamp, millis};

/// How far the wall clock may have moved against the uptime since it was seen to be right. It is
/// what a gateway's `Date` may differ by at the most common margin, of one hour.
const DRIFT: Duration = Duration::from_secs(15 * 60);

/// The boot in which a gateway's `Date` agreed with the wall clock, and how far the wall clock was
/// before the uptime then. A ledger keeps the latest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenRight {
    boot: String,
    /// Wall clock less uptime, in milliseconds.
    offset: i64,
}

impl SeenRight {
    /// What to keep when a `Date` agrees with the clock. `None`: the boot has no name, so nothing
    /// can be said of it later.
    pub fn at(now: &Moment) -> Option<Self> {
        Some(Self {
            boot: now.boot.clone()?,
            offset: offset(now.at, now.up),
        })
    }
}

impl Exchange {
    /// The moment at which its `Date` was compared with our clock, which is written at `now`: in
    /// the same boot, since the process that compared it lives.
    pub fn compared_at(&self, now: &Moment) -> Moment {
        match self.compared {
            Some((at, up)) => Moment::new(at, up, now.boot.clone(), false),
            None => now.clone(),
        }
    }
}

impl Moment {
    /// Whether the wall clock is still the one that it was at another moment of this boot: it was
    /// not set since.
    pub fn is_of_the_same_clock(&self, other: &Self) -> bool {
        let moved = offset(self.at, self.up).abs_diff(offset(other.at, other.up));
        self.boot == other.boot && moved <= limit(DRIFT)
    }

    /// Now, by every clock. `seen`: what the ledger keeps of when its clock was right.
    pub fn now(clock: &dyn Clock, seen: Option<&SeenRight>) -> Self {
        let (at, up, boot) = (clock.now(), clock.uptime(), clock.boot());
        let sure = match (&boot, seen) {
            (Some(boot), Some(right)) => {
                right.boot == *boot && offset(at, up).abs_diff(right.offset) <= limit(DRIFT)
            }
            _ => false,
        };
        Self::new(at, up, boot, sure)
    }
}

fn offset(at: Timestamp, up: Duration) -> i64 {
    at.as_millis().saturating_sub(millis(up))
}

fn limit(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
