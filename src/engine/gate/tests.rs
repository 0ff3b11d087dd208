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

/// The run of the machine that `Hands` counts in, and how long it has been up at the start.
const UP: Duration = Duration::from_secs(1_000_000);

impl Hands {
    /// The ledger's moment: its clocks are ours.
    fn moment(&self) -> Moment {
        Moment::new(self.now(), UP + self.uptime(), Some("test".into()), true)
    }
}

/// A moment so many seconds before the claim, by every clock.
fn ago(seconds: u64) -> Moment {
    testing::moment(testing::NOW.minus(SECOND * u32::try_from(seconds).unwrap()))
}

/// An operation that was claimed now, with a lease of 90 s, in a call of 60 s.
fn claimed(window_from: Option<Moment>) -> (Record, Hands, Times) {
    let hands = Hands::default();
    let record = Record {
        lease: Some(testing::lease(testing::NOW, testing::after(90))),
        window_from,
        send_until: testing::after(360),
        ..testing::row(1, State::Sending)
    };
    let times = times(&record, Some(HOUR * 23), 60 * SECOND);
    (record, hands, times)
}

fn times(record: &Record, window: Option<Duration>, end: Duration) -> Times {
    Times::new(
        record,
        testing::moment(testing::NOW),
        window,
        Duration::ZERO,
        end,
    )
}

/// What the ledger says when it is asked now.
fn stored(record: &Record, hands: &Hands) -> Stored {
    Stored::checked(Checked::new(record, false, hands.moment()), hands.uptime())
}

fn gate(record: &Record, hands: &Hands, times: &Times, maybe_sent: bool) -> Gate {
    times.gate(&stored(record, hands), maybe_sent, hands)
}

#[test]
fn a_fresh_claim_may_send() {
    let (record, hands, times) = claimed(None);
    assert_eq!(gate(&record, &hands, &times, false), Gate::Open);
    assert_eq!(gate(&record, &hands, &times, true), Gate::Open);
    assert_eq!(times.left(&stored(&record, &hands), &hands), 60 * SECOND);
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
        assert!(!times.is_time_left(&stored(&record, &hands), &hands));
    }
}

/// What the ledger said ages with our uptime: no second read is needed to see a lease lapse.
#[test]
fn a_lease_lapses_without_a_further_read() {
    let (record, hands, _) = claimed(None);
    let long = times(&record, None, HOUR);
    hands.set(50, 50 * SECOND);
    let read = stored(&record, &hands);
    hands.set(50, 89 * SECOND);
    assert_eq!(long.left(&read, &hands), SECOND);
}

#[test]
fn a_key_whose_age_either_clock_shows_as_over_is_not_repeated() {
    for (from, wall, uptime, open) in [
        (ago(22 * 3600 + 3540), 0, Duration::ZERO, true),
        (ago(23 * 3600), 0, Duration::ZERO, false),
        (ago(23 * 3600 - 10), 30, 5 * SECOND, false),
        (ago(23 * 3600 - 10), 5, 30 * SECOND, false),
    ] {
        let (record, hands, times) = claimed(Some(from.clone()));
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

/// A clock that was 20 hours ahead at the first send, and has been set right since, makes a key
/// look 20 hours younger than it is. The uptime of one boot does not.
#[test]
fn a_clock_that_was_ahead_at_the_first_send_does_not_make_a_key_younger() {
    let first = Moment {
        at: testing::NOW.minus(HOUR * 4),
        ..ago(24 * 3600)
    };
    let (record, hands, times) = claimed(Some(first.clone()));
    assert_eq!(
        gate(&record, &hands, &times, true),
        Gate::Shut(Shut::WindowOver)
    );
    // After a boot there is only the wall clock, and nobody saw that it was right then.
    for (sure, expected) in [(false, Gate::Shut(Shut::ClockDoubtful)), (true, Gate::Open)] {
        let boot = Some("an earlier boot".to_owned());
        let first = Moment {
            boot,
            sure,
            ..first.clone()
        };
        let (record, hands, times) = claimed(Some(first));
        assert_eq!(gate(&record, &hands, &times, true), expected);
    }
}

#[test]
fn a_wall_clock_before_the_first_send_says_nothing_about_the_keys_age() {
    let (record, hands, times) = claimed(Some(testing::moment(testing::NOW)));
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
    let doubted = Checked::new(&record, true, hands.moment());
    let stored = Stored::checked(doubted, hands.uptime());
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
    let long = times(&record, None, HOUR);
    let left = || long.left(&stored(&record, &hands), &hands);
    hands.set(80, 70 * SECOND);
    assert_eq!(left(), 10 * SECOND);
    hands.set(70, 80 * SECOND);
    assert_eq!(left(), 10 * SECOND);
    // A wall clock that stepped back does not make the lease longer.
    hands.set(-3600, 80 * SECOND);
    assert_eq!(left(), 10 * SECOND);
}
