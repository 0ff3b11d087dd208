//! Backoff intervals. The only file that knows the `backoff` crate, which is unmaintained: it is
//! used for the growing interval and nothing else, and shows in no interface.

use std::time::Duration;

use backoff::backoff::Backoff;
use backoff::{ExponentialBackoff, ExponentialBackoffBuilder};

/// Intervals that double from a first one up to a longest one.
#[derive(Debug)]
pub(super) struct Intervals(ExponentialBackoff);

impl Intervals {
    pub(super) fn new(first: Duration, longest: Duration) -> Self {
        // Its own jitter is off: it cannot be seeded. Ours is drawn from the injected source.
        let intervals = ExponentialBackoffBuilder::new()
            .with_initial_interval(first)
            .with_max_interval(longest)
            .with_multiplier(2.0)
            .with_randomization_factor(0.0)
            .with_max_elapsed_time(None)
            .build();
        Self(intervals)
    }

    /// The next interval.
    pub(super) fn next(&mut self) -> Duration {
        self.0.next_backoff().unwrap_or(self.0.max_interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_double_up_to_the_longest() {
        let mut intervals = Intervals::new(Duration::from_millis(500), Duration::from_secs(8));
        let millis: Vec<u128> = (0..7).map(|_| intervals.next().as_millis()).collect();
        assert_eq!(millis, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
    }
}
