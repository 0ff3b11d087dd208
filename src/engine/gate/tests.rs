#![expect(
    clippy::arithmetic_side_effects,
    reason = "a test's own numbers are small"
)]

use std::sync::Mutex;

use super::*;
use crate::clock::BoxFuture;
use crate::ledger::{Checked, testing};
use crate::operation::State;

const HOUR: Duration = Duration::from_secs(3600);
const SECOND: Duration = Duration::from_secs(1);

/// A clock whose two hands are moved by hand: the wall clock by a signed number of seconds.
#[derive(Debug, Default)]
struct Hands(Mutex<(i64, Duration)>);

impl Hands {
    fn set(&self, wall_seconds: i64, uptime: Duration) {
        *self.0.lock().unwrap() = (wall_seconds * 1000, uptime);
    }
}

impl Clock for Hands {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(testing::NOW.as_millis() + self.0.lock().unwrap().0)
    }

    fn uptime(&self) -> Duration {
        self.0.lock().unwrap().1
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

/// An operation that was claimed now, with a lease of 90 s, in a call of 60 s.
fn claimed(window_from: Option<Timestamp>) -> (Record, Hands, Times) {
    let hands = Hands::default();
    let lease = testing::lease(testing::NOW, testing::after(90));
    let record = Record {
        lease: Some(lease),
        window_from,
        send_until: testing::after(360),
        ..testing::row(1, State::Sending)
    };
    let times = Times::new(&record, testing::NOW, &hands, Some(HOUR * 23), 60 * SECOND);
    (record, hands, times)
}

fn gate(record: &Record, hands: &Hands, times: &Times, maybe_sent: bool) -> Gate {
    let stored = Stored::from(&Checked::new(record, false, hands.now()));
    times.gate(&stored, maybe_sent, hands)
}

#[test]
fn a_fresh_claim_may_send() {
    let (record, hands, times) = claimed(None);
    assert_eq!(gate(&record, &hands, &times, false), Gate::Open);
    assert_eq!(gate(&record, &hands, &times, true), Gate::Open);
    assert_eq!(times.left(hands.now(), &hands), 60 * SECOND);
}

/// A laptop that slept has lost its lease, whichever clock shows it.
#[test]
fn a_lease_that_either_clock_shows_as_over_sends_nothing() {
    for (wall, uptime) in [(91, SECOND), (1, 91 * SECOND), (91, 91 * SECOND)] {
        let (record, hands, times) = claimed(None);
        hands.set(wall, uptime);
        let shut = Gate::Shut(Shut::TimeOver);
        assert_eq!(
            gate(&record, &hands, &times, false),
            shut,
            "{wall} {uptime:?}"
        );
        assert!(!times.is_time_left(&hands));
    }
}

#[test]
fn a_key_whose_age_either_clock_shows_as_over_is_not_repeated() {
    let ago = |seconds: i64| {
        Some(Timestamp::from_millis(
            testing::NOW.as_millis() - seconds * 1000,
        ))
    };
    for (from, wall, uptime, open) in [
        (ago(22 * 3600 + 3540), 0, Duration::ZERO, true),
        (ago(23 * 3600), 0, Duration::ZERO, false),
        (ago(23 * 3600 - 10), 30, 5 * SECOND, false),
        (ago(23 * 3600 - 10), 5, 30 * SECOND, false),
    ] {
        let (record, hands, times) = claimed(from);
        hands.set(wall, uptime);
        let expected = if open {
            Gate::Open
        } else {
            Gate::Shut(Shut::WindowOver)
        };
        assert_eq!(gate(&record, &hands, &times, true), expected, "{from:?}");
        // Without an earlier send the key is as good as new.
        assert_eq!(gate(&record, &hands, &times, false), Gate::Open);
    }
}

#[test]
fn a_wall_clock_before_the_first_send_says_nothing_about_the_keys_age() {
    let (record, hands, times) = claimed(Some(testing::NOW));
    hands.set(-3600, SECOND);
    assert_eq!(
        gate(&record, &hands, &times, true),
        Gate::Shut(Shut::ClockDoubtful)
    );
    assert_eq!(gate(&record, &hands, &times, false), Gate::Open);
}

#[test]
fn a_doubted_clock_bars_only_what_may_have_been_sent() {
    let (record, hands, times) = claimed(None);
    let stored = Stored::from(&Checked::new(&record, true, hands.now()));
    assert_eq!(
        times.gate(&stored, true, &hands),
        Gate::Shut(Shut::ClockDoubtful)
    );
    assert_eq!(times.gate(&stored, false, &hands), Gate::Open);
}

#[test]
fn nothing_is_sent_past_send_until_or_where_only_look_ups_are_allowed() {
    let (record, hands, times) = claimed(None);
    let past = Record {
        send_until: testing::NOW,
        ..record.clone()
    };
    assert_eq!(
        gate(&past, &hands, &times, false),
        Gate::Shut(Shut::PastSendUntil)
    );
    let look_up_only = Record {
        look_up_only: true,
        ..record
    };
    assert_eq!(
        gate(&look_up_only, &hands, &times, false),
        Gate::Shut(Shut::LookUpOnly)
    );
}

#[test]
fn a_send_ends_before_the_lease() {
    let (record, hands, _) = claimed(None);
    let long = Times::new(&record, testing::NOW, &hands, None, HOUR);
    hands.set(80, 70 * SECOND);
    assert_eq!(long.left(hands.now(), &hands), 10 * SECOND);
    hands.set(70, 80 * SECOND);
    assert_eq!(long.left(hands.now(), &hands), 10 * SECOND);
    // A wall clock that stepped back does not make the lease longer.
    hands.set(-3600, 80 * SECOND);
    assert_eq!(long.left(hands.now(), &hands), 10 * SECOND);
}
