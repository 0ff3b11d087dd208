//! How long, how often, how far apart.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock::{Timestamp, millis};

/// How long a call may take and how it tries again. Every value has a default.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// How long a call may take in all: 60 s.
    pub deadline: Duration,
    /// How long one send may take: 30 s.
    pub send_timeout: Duration,
    /// How many sends a call may make: 5.
    pub sends: u32,
    /// The first backoff interval: 0.5 s. The pause is drawn from zero to the interval.
    pub backoff_first: Duration,
    /// The longest backoff interval: 8 s.
    pub backoff_longest: Duration,
    /// How much longer than the call its claim lasts: 30 s.
    pub lease_margin: Duration,
    /// How long after the call's deadline a payment may still be sent by a later one: 5 min.
    pub send_until_margin: Duration,
    /// How many repeats an account may have before successes pay for more: 100.
    pub retry_budget: u32,
    /// How many operations may be in flight in one client: 10,000.
    pub in_flight: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(60),
            send_timeout: Duration::from_secs(30),
            sends: 5,
            backoff_first: Duration::from_millis(500),
            backoff_longest: Duration::from_secs(8),
            lease_margin: Duration::from_secs(30),
            send_until_margin: Duration::from_secs(300),
            retry_budget: 100,
            in_flight: 10_000,
        }
    }
}

impl Policy {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another deadline for a call.
    #[must_use]
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Another limit for one send.
    #[must_use]
    pub const fn send_timeout(mut self, timeout: Duration) -> Self {
        self.send_timeout = timeout;
        self
    }

    /// Another number of sends in a call.
    #[must_use]
    pub const fn sends(mut self, sends: u32) -> Self {
        self.sends = sends;
        self
    }

    /// Other backoff intervals.
    #[must_use]
    pub const fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.backoff_first = first;
        self.backoff_longest = longest;
        self
    }

    /// Another margin of the lease.
    #[must_use]
    pub const fn lease_margin(mut self, margin: Duration) -> Self {
        self.lease_margin = margin;
        self
    }

    /// Another time after the deadline in which a payment may still be sent.
    #[must_use]
    pub const fn send_until_margin(mut self, margin: Duration) -> Self {
        self.send_until_margin = margin;
        self
    }

    /// Another retry budget.
    #[must_use]
    pub const fn retry_budget(mut self, repeats: u32) -> Self {
        self.retry_budget = repeats;
        self
    }

    /// Another limit for operations in flight.
    #[must_use]
    pub const fn in_flight(mut self, operations: usize) -> Self {
        self.in_flight = operations;
        self
    }
}

/// Where the jitter of pauses comes from.
pub trait Jitter: fmt::Debug + Send + Sync + 'static {
    /// A number from 0 to `limit`, both included.
    fn draw(&self, limit: u64) -> u64;
}

/// Jitter from the operating system's random source.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OsJitter;

impl Jitter for OsJitter {
    fn draw(&self, limit: u64) -> u64 {
        // Without a random source the longest pause is the careful one.
        let random = getrandom::u64().unwrap_or(limit);
        limit.checked_add(1).map_or(random, |choices| {
            random.checked_rem(choices).unwrap_or(limit)
        })
    }
}

/// Full jitter: a pause from zero to the interval.
pub(super) fn jittered(jitter: &dyn Jitter, interval: Duration) -> Duration {
    let limit = u64::try_from(interval.as_millis()).unwrap_or(u64::MAX);
    Duration::from_millis(jitter.draw(limit).min(limit))
}

/// When a gateway asks to be tried again: seconds, or one of the three date forms of HTTP.
pub(super) fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
        return value.parse().ok().map(Duration::from_secs);
    }
    let at = Timestamp::from(httpdate::parse_http_date(value).ok()?);
    Some(at.since(now).unwrap_or_default())
}

/// How many repeats an account may still have. A token bucket: every repeat takes a token, every
/// success gives some back, so that a gateway in trouble is not stormed.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    tokens: Mutex<u32>,
    most: u32,
}

/// A repeat costs this much, and a success gives back one: ten successes pay for one repeat.
const REPEAT: u32 = 10;

impl RetryBudget {
    pub(crate) const fn new(repeats: u32) -> Self {
        let most = repeats.saturating_mul(REPEAT);
        Self {
            tokens: Mutex::new(most),
            most,
        }
    }

    /// Takes the tokens of one repeat, if there are enough.
    pub(super) fn take(&self) -> bool {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        match tokens.checked_sub(REPEAT) {
            Some(left) => {
                *tokens = left;
                true
            }
            None => false,
        }
    }

    /// Gives back what a success pays.
    pub(super) fn success(&self) {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        *tokens = tokens.saturating_add(1).min(self.most);
    }
}

/// How far a gateway's clock may differ from ours before the age of its keys is doubted: a quarter
/// of the retention margin.
pub(super) fn date_differs(date: &str, now: Timestamp, margin: Duration) -> Option<bool> {
    let date = Timestamp::from(httpdate::parse_http_date(date).ok()?);
    Some(millis(date.distance(now)) > millis(margin) / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_takes_seconds_and_the_three_date_forms() {
        // 1994-11-06 08:49:37 UTC
        let now = Timestamp::from_millis(784_111_777_000);
        assert_eq!(retry_after("7", now), Some(Duration::from_secs(7)));
        for date in [
            "Sun, 06 Nov 1994 08:49:47 GMT",
            "Sunday, 06-Nov-94 08:49:47 GMT",
            "Sun Nov  6 08:49:47 1994",
        ] {
            assert_eq!(
                retry_after(date, now),
                Some(Duration::from_secs(10)),
                "{date}"
            );
        }
        assert_eq!(
            retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now),
            Some(Duration::ZERO)
        );
        for none in ["", "-1", "soon", "1.5", "99999999999999999999999"] {
            assert_eq!(retry_after(none, now), None, "{none}");
        }
    }

    #[test]
    fn a_spent_budget_stops_repeats_until_successes_pay() {
        let budget = RetryBudget::new(2);
        assert!(budget.take() && budget.take());
        assert!(!budget.take());
        (0..9).for_each(|_| budget.success());
        assert!(!budget.take());
        budget.success();
        assert!(budget.take());
        // However long all went well, they never pay for more than the budget.
        (0..1000).for_each(|_| budget.success());
        assert!(budget.take() && budget.take() && !budget.take());
    }

    #[test]
    fn jitter_stays_between_zero_and_the_interval() {
        for _ in 0..1000 {
            assert!(OsJitter.draw(3) <= 3);
        }
        assert_eq!(OsJitter.draw(0), 0);
        let _any = OsJitter.draw(u64::MAX);
    }

    #[test]
    fn dates_may_differ_by_a_quarter_of_the_margin() {
        let now = Timestamp::from_millis(784_111_777_000);
        let hour = Duration::from_secs(3600);
        let differs = |date| date_differs(date, now, hour);
        assert_eq!(differs("Sun, 06 Nov 1994 09:04:37 GMT"), Some(false));
        assert_eq!(differs("Sun, 06 Nov 1994 09:04:38 GMT"), Some(true));
        assert_eq!(differs("Sun, 06 Nov 1994 08:34:36 GMT"), Some(true));
        assert_eq!(differs("no date"), None);
    }
}
