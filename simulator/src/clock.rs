//! The simulator's own clock. The only file that asks the system for the time.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Where the time comes from.
type Source = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// A clock that can be set and moved. Clones are the same clock.
///
/// `Date` headers, creation times and the life of keys follow it. Waits on the wire do not:
/// they are real.
#[derive(Clone)]
pub struct SimClock {
    source: Source,
    offset: Arc<Mutex<Offset>>,
}

/// The distance between the source and the time shown.
#[derive(Debug, Clone, Copy)]
enum Offset {
    Ahead(Duration),
    Behind(Duration),
}

impl SimClock {
    /// Follows real time.
    pub fn real() -> Self {
        Self::from_source(Arc::new(system_now))
    }

    /// Stands still at this time until it is set or advanced.
    pub fn fixed(at: SystemTime) -> Self {
        Self::from_source(Arc::new(move || at))
    }

    /// Follows a clock of the caller, for example a virtual one.
    pub fn from_source(source: Arc<dyn Fn() -> SystemTime + Send + Sync>) -> Self {
        Self {
            source,
            offset: Arc::new(Mutex::new(Offset::Ahead(Duration::ZERO))),
        }
    }

    /// The time that the gateways see.
    pub fn now(&self) -> SystemTime {
        let base = (self.source)();
        let offset = *self.offset.lock().unwrap_or_else(PoisonError::into_inner);
        // A time that cannot be expressed stays where the source is.
        match offset {
            Offset::Ahead(by) => base.checked_add(by),
            Offset::Behind(by) => base.checked_sub(by),
        }
        .unwrap_or(base)
    }

    /// Sets the time, forwards or backwards; the clock goes on from there.
    pub fn set(&self, to: SystemTime) {
        let base = (self.source)();
        let offset = match to.duration_since(base) {
            Ok(ahead) => Offset::Ahead(ahead),
            Err(behind) => Offset::Behind(behind.duration()),
        };
        *self.offset.lock().unwrap_or_else(PoisonError::into_inner) = offset;
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        if let Some(later) = self.now().checked_add(by) {
            self.set(later);
        }
    }
}

impl Default for SimClock {
    fn default() -> Self {
        Self::real()
    }
}

impl fmt::Debug for SimClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimClock")
            .field("now", &self.now())
            .finish_non_exhaustive()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the system clock"
)]
fn system_now() -> SystemTime {
    SystemTime::now()
}

/// Whole seconds since 1970, negative before.
pub(crate) fn unix_seconds(at: SystemTime) -> i64 {
    unix_ms::of(at).div_euclid(1000)
}

/// Times as milliseconds since 1970 in JSON.
pub(crate) mod unix_ms {
    use std::time::{Duration, SystemTime};

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(at: &SystemTime, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(of(*at))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SystemTime, D::Error> {
        let ms = i64::deserialize(from)?;
        at(ms).ok_or_else(|| serde::de::Error::custom("this time is out of range"))
    }

    /// The milliseconds; what does not fit is moved to the nearest end.
    pub(crate) fn of(at: SystemTime) -> i64 {
        match at.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_millis())
                .map_or(i64::MIN, |ms| ms.checked_neg().unwrap_or(i64::MIN)),
        }
    }

    /// The time of so many milliseconds since 1970.
    pub(crate) fn at(ms: i64) -> Option<SystemTime> {
        let distance = Duration::from_millis(ms.unsigned_abs());
        if ms < 0 {
            SystemTime::UNIX_EPOCH.checked_sub(distance)
        } else {
            SystemTime::UNIX_EPOCH.checked_add(distance)
        }
    }
}
