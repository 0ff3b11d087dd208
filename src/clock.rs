//! Time. The only file that asks the system for it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A future on the heap, for traits that are used as `dyn`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A moment of the wall clock, in milliseconds since 1970-01-01 UTC.
///
/// This is how the ledger stores time. Arithmetic saturates and never panics.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// A moment from its milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The moment `by` later.
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        Self(self.0.saturating_add(millis(by)))
    }

    /// The moment `by` earlier.
    #[must_use]
    pub fn minus(self, by: Duration) -> Self {
        Self(self.0.saturating_sub(millis(by)))
    }

    /// How long after `earlier` this is, or `None` if it is before it.
    pub fn since(self, earlier: Self) -> Option<Duration> {
        u64::try_from(self.0.checked_sub(earlier.0)?)
            .ok()
            .map(Duration::from_millis)
    }

    /// How far apart two moments are, in either direction.
    #[must_use]
    pub fn distance(self, other: Self) -> Duration {
        Duration::from_millis(self.0.abs_diff(other.0))
    }
}

/// Whole milliseconds of a duration, at most `i64::MAX`.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self(millis(after)),
            Err(before) => Self(millis(before.duration()).saturating_neg()),
        }
    }
}

impl From<Timestamp> for SystemTime {
    fn from(timestamp: Timestamp) -> Self {
        let distance = Duration::from_millis(timestamp.0.unsigned_abs());
        let time = if timestamp.0 < 0 {
            UNIX_EPOCH.checked_sub(distance)
        } else {
            UNIX_EPOCH.checked_add(distance)
        };
        time.unwrap_or(UNIX_EPOCH)
    }
}

/// Where the engine gets its time from, and the only way it waits.
///
/// Give your own in tests: a virtual clock makes every wait immediate.
pub trait Clock: fmt::Debug + Send + Sync + 'static {
    /// The wall clock. It may jump in either direction.
    fn now(&self) -> Timestamp;

    /// Time since some fixed moment, never going back, **counting the time the machine slept**.
    fn uptime(&self) -> Duration;

    /// Names the run of the machine that `uptime` counts in: two uptimes can be compared if their
    /// boots are the same. `None`: it is not known, and then only the wall clock tells how old
    /// something is that another process stored.
    fn boot(&self) -> Option<String> {
        None
    }

    /// Completes when `duration` has passed.
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
}

/// The system's clock.
#[cfg(feature = "client")]
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct SystemClock;

#[cfg(feature = "client")]
impl SystemClock {
    /// The system's clock.
    pub const fn new() -> Self {
        Self
    }
}

#[cfg(feature = "client")]
impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that others must ask"
    )]
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn uptime(&self) -> Duration {
        uptime()
    }

    fn boot(&self) -> Option<String> {
        boot()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// `CLOCK_BOOTTIME`: monotonic, and it goes on while the machine is suspended.
#[cfg(all(feature = "client", target_os = "linux"))]
fn uptime() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    let nanos = u32::try_from(now.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanos)
}

/// The kernel's name of this run of the machine.
#[cfg(all(feature = "client", target_os = "linux"))]
fn boot() -> Option<String> {
    use std::sync::OnceLock;
    static BOOT: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(id.trim().to_owned())
    };
    BOOT.get_or_init(read).clone()
}

#[cfg(all(feature = "client", not(target_os = "linux")))]
const fn boot() -> Option<String> {
    None
}

/// Elsewhere the standard monotonic clock: on macOS and Windows it may stop during suspend, so
/// there only the wall clock sees a suspended lease lapse.
#[cfg(all(feature = "client", not(target_os = "linux")))]
#[expect(
    clippy::disallowed_methods,
    reason = "this is the clock that others must ask"
)]
fn uptime() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_1970_and_far_away_never_panic() {
        let early = UNIX_EPOCH - Duration::from_millis(1500);
        assert_eq!(Timestamp::from(early), Timestamp::from_millis(-1500));
        assert_eq!(SystemTime::from(Timestamp::from_millis(-1500)), early);
        let last = Timestamp::from_millis(i64::MAX);
        assert_eq!(last.plus(Duration::MAX), last);
        assert_eq!(Timestamp::from_millis(i64::MIN).since(last), None);
        let _no_panic = SystemTime::from(Timestamp::from_millis(i64::MIN));
    }

    #[test]
    fn since_is_none_when_the_clock_went_back() {
        let (early, late) = (Timestamp::from_millis(1), Timestamp::from_millis(5));
        assert_eq!(late.since(early), Some(Duration::from_millis(4)));
        assert_eq!(early.since(late), None);
        assert_eq!(early.distance(late), Duration::from_millis(4));
    }
}
