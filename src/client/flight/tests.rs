use super::*;
use crate::clock::SystemClock;
use crate::intent::Problem;
use crate::ledger::testing;
use crate::operation::{Family, State};

fn identity(reference: &str) -> Identity {
    Identity::new("", Family::Payment, reference, 1)
}

fn lead(flights: &Flights, reference: &str, most: usize) -> Flight {
    match flights.join(&identity(reference), 2, most) {
        Ok(Joined::Leader(flight)) => flight,
        Ok(Joined::Follower(_)) => panic!("{reference} is in flight"),
        Err(error) => panic!("{reference}: {error}"),
    }
}

/// A merchant's own limit keeps a storm from its database and its gateway. Callers of what is in
/// flight already take no place of their own.
#[test]
fn beyond_the_limit_nothing_new_takes_off() {
    let flights = Flights::default();
    let first = lead(&flights, "a", 2);
    let _second = lead(&flights, "b", 2);
    let third = flights.join(&identity("c"), 2, 2);
    assert!(matches!(third, Err(Error::Overloaded { limit: 2 })));
    let joined = flights.join(&identity("a"), 2, 2);
    assert!(matches!(joined, Ok(Joined::Follower(_))));
    // However a flight ends, it frees its place.
    first.done(Err(Error::ShutDown));
    let again = lead(&flights, "c", 2);
    drop(again);
    lead(&flights, "d", 2);
}

/// What a caller hears whose flight is gone: that the task is lost, if a row may have been sent.
/// An error would let the merchant charge again.
#[tokio::test]
async fn a_task_that_is_lost_leaves_what_it_stored_in_doubt() {
    let clock = SystemClock::new();
    let end = clock.uptime().saturating_add(Duration::from_secs(600));
    let row = testing::row(1, State::Sending);
    let heard = async |heard: Option<Heard<'_>>| {
        let flights = Flights::default();
        let flight = lead(&flights, "a", 1);
        if let Some(heard) = heard {
            flight.hear(heard);
        }
        let waiter = flight.waiter();
        drop(flight);
        let result = waiter.result(&clock, end).await;
        lead(&flights, "a", 1);
        result
    };
    let nothing = heard(None).await;
    assert!(matches!(nothing, Err(Error::ShutDown)), "{nothing:?}");
    let wanted = heard(Some(Heard::Wanted(&row))).await;
    let Ok(Outcome::Unknown(unknown)) = &wanted else {
        panic!("{wanted:?}")
    };
    assert!(!unknown.recorded && matches!(unknown.doubt, Doubt::Unrecorded { .. }));
    let stored = heard(Some(Heard::Stored(&row))).await;
    let Ok(Outcome::Unknown(unknown)) = &stored else {
        panic!("{stored:?}")
    };
    assert_eq!((&unknown.doubt, unknown.recorded), (&Doubt::TaskLost, true));
    assert_eq!(unknown.operation.id, row.id);
}

/// A look-up or a recovery of an operation that was refused for its secret ends with that old
/// refusal. Who wants the money to move has perhaps put the secret right, and must not hear of it.
#[tokio::test]
async fn a_caller_that_may_do_more_does_not_take_the_error_of_one_who_may_do_less() {
    let clock = SystemClock::new();
    let end = clock.uptime().saturating_add(Duration::from_secs(600));
    let row = testing::row(1, State::Unsent);
    let unauthorized = || Error::Unauthorized {
        account: row.account.clone(),
        operation: row.id,
        state: row.state,
    };
    for (of_flight, of_caller, tries_itself) in [(0, 2, true), (1, 2, true), (2, 2, false)] {
        let flights = Flights::default();
        let Ok(Joined::Leader(flight)) = flights.join(&identity("a"), of_flight, 1) else {
            panic!("it is not in flight")
        };
        flight.hear(Heard::Stored(&row));
        let Ok(Joined::Follower(waiter)) = flights.join(&identity("a"), of_caller, 1) else {
            panic!("it is in flight")
        };
        flight.done(Err(unauthorized()));
        let heard = waiter.followed(&clock, end, &testing::claim(1)).await;
        assert_eq!(heard.is_none(), tries_itself, "{of_flight}: {heard:?}");
        assert!(tries_itself || heard == Some(Err(unauthorized())));
    }
}

/// What a customer brought back could not be used, or a close was not carried out. Who only asks what
/// became of the charge, or brings something else, must not take that for an error of his own.
#[tokio::test]
async fn an_error_about_what_a_customer_brought_is_no_answer_to_another_caller() {
    let clock = SystemClock::new();
    let end = clock.uptime().saturating_add(Duration::from_secs(600));
    let row = testing::row(1, State::ActionRequired);
    let callers = [0, 1, 2, PROCEED, CLOSE];
    let met = [PROCEED, CLOSE].into_iter();
    for (of_flight, of_caller) in met.flat_map(|met| callers.map(|caller| (met, caller))) {
        let flights = Flights::default();
        let Ok(Joined::Leader(flight)) = flights.join(&identity("a"), of_flight, 1) else {
            panic!("it is not in flight")
        };
        flight.hear(Heard::Stored(&row));
        let Ok(Joined::Follower(waiter)) = flights.join(&identity("a"), of_caller, 1) else {
            panic!("it is in flight")
        };
        flight.done(Err(Error::invalid("code", Problem::Empty)));
        let heard = waiter.followed(&clock, end, &testing::claim(1)).await;
        assert_eq!(heard, None, "{of_flight} {of_caller}");
    }
}

/// The charge that was met ends where the customer or the gateway must act. That is an answer to who
/// charges, and none to who wants an end, or brings what the customer came back with.
#[tokio::test]
async fn who_brings_more_does_not_take_what_waits_for_an_answer() {
    let clock = SystemClock::new();
    let end = clock.uptime().saturating_add(Duration::from_secs(600));
    let row = testing::row(1, State::Pending);
    let Outcome::Pending(mut pending) = in_flight(&row) else {
        panic!("it is in flight")
    };
    pending.why = PendingReason::AtGateway;
    let waits = Ok(Outcome::Pending(pending));
    for (of_flight, of_caller, tries_itself) in [
        (2, CLOSE, true),
        (2, PROCEED, true),
        (CLOSE, PROCEED, true),
        (PROCEED, CLOSE, true),
        (2, 2, false),
        (CLOSE, CLOSE, false),
        (PROCEED, PROCEED, false),
    ] {
        let flights = Flights::default();
        let Ok(Joined::Leader(flight)) = flights.join(&identity("a"), of_flight, 1) else {
            panic!("it is not in flight")
        };
        flight.hear(Heard::Stored(&row));
        let Ok(Joined::Follower(waiter)) = flights.join(&identity("a"), of_caller, 1) else {
            panic!("it is in flight")
        };
        flight.done(waits.clone());
        let heard = waiter.followed(&clock, end, &testing::claim(1)).await;
        assert_eq!(heard.is_none(), tries_itself, "{of_flight} {of_caller}");
    }
}

/// The same for a caller that joined. It compares its own intent first.
#[tokio::test]
async fn a_caller_that_joined_a_lost_task_hears_the_same() {
    let clock = SystemClock::new();
    let end = clock.uptime().saturating_add(Duration::from_secs(600));
    let row = testing::row(1, State::Sending);
    let other = Claim {
        fingerprint: testing::fingerprint("481.00"),
        ..testing::claim(1)
    };
    for (claim, same) in [(testing::claim(1), true), (other, false)] {
        let flights = Flights::default();
        let flight = lead(&flights, "a", 1);
        flight.hear(Heard::Stored(&row));
        let Ok(Joined::Follower(waiter)) = flights.join(&identity("a"), 2, 1) else {
            panic!("it is in flight")
        };
        drop(flight);
        let result = waiter.followed(&clock, end, &claim).await.unwrap();
        match result {
            Ok(Outcome::Unknown(unknown)) => assert!(same && unknown.doubt == Doubt::TaskLost),
            Err(Error::IntentMismatch { .. }) => assert!(!same),
            other => panic!("{other:?}"),
        }
    }
}
