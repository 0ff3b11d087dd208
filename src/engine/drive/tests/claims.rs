//! Which claims speak for a send, and what becomes of a claim that fails.

use super::*;

/// Only the first send right after the claim of a first attempt goes without another read: else
/// what somebody did meanwhile is not seen, and the money moves twice.
#[tokio::test]
async fn only_the_first_send_of_a_fresh_claim_goes_without_another_read() {
    let second = Duration::from_secs(1);
    let (none, under) = (Duration::ZERO, Duration::from_millis(999));
    for (takes, read) in [
        ((none, none), false),
        ((under, under), false),
        ((second, none), true),
        ((none, second), true),
    ] {
        let world = World::new();
        let engine = world.engine(vec![Fake::new()], Policy::new());
        world.fault(|faults| faults.takes = takes);
        drop(run(&engine, &wanted("r1")).await);
        let expected: &[_] = if read {
            &["claim", "check", "send", "settle"]
        } else {
            &["claim", "send", "settle"]
        };
        assert_eq!(world.done(), expected, "{takes:?}");
    }
}

/// After another attempt the claim's answer is not enough, however fresh it is. Nor is it for a
/// repeat.
#[tokio::test]
async fn a_second_attempt_and_a_repeat_read_the_ledger_first() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new());
    world.sends([Some((402, "declined"))]);
    drop(run(&engine, &wanted("r1")).await);
    world.done();
    let mut second = wanted("r1");
    second.fields.attempt = 2;
    world.sends([LOST]);
    drop(run(&engine, &second).await);
    let first = ["claim", "check", "send"];
    let repeat = ["record", "pause", "check", "send"];
    assert_eq!(world.done(), [&first[..], &repeat, &["settle"]].concat());
}

/// A row that is claimed again is no first send: the key's age counts, and is over.
#[tokio::test]
async fn a_row_that_is_claimed_again_is_not_taken_for_new() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new().sends(1));
    world.sends([LOST]);
    drop(run(&engine, &wanted("r1")).await);
    world.done();
    world.advance(HOUR * 25, HOUR * 25);
    let result = run(&engine, &wanted("r1")).await;
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    assert_eq!(unknown.doubt, Doubt::WindowOver);
    assert_eq!(world.count("send"), 0);
}

/// A generated key that is taken is made anew, a few times. The caller's own is never replaced.
#[tokio::test]
async fn c11_a_key_that_is_taken_is_made_anew_a_few_times() {
    for (collisions, claims, works) in [(0, 1, true), (2, 3, true), (3, 3, false)] {
        let world = World::new();
        let engine = world.engine(vec![Fake::new()], Policy::new());
        world.fault(|faults| faults.collisions = collisions);
        let result = run(&engine, &wanted("r1")).await;
        assert_eq!(matches!(result, Ok(Outcome::Succeeded(_))), works);
        assert_eq!(matches!(result, Err(Error::KeyInUse)), !works);
        let mut keys = world.keys();
        assert_eq!(keys.len(), claims);
        keys.dedup();
        assert_eq!(keys.len(), claims, "each is another one");
    }
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new());
    world.fault(|faults| faults.collisions = 1);
    let mut own = wanted("r1");
    own.fields.key = Some(IdempotencyKey::new("mine"));
    let result = run(&engine, &own).await;
    assert!(matches!(result, Err(Error::KeyInUse)), "{result:?}");
    assert_eq!(world.keys(), ["mine"]);
}

/// A claim that failed and is there all the same is ended, if it is still ours. One that somebody
/// else took over meanwhile is theirs: to call it unsent would let the next attempt pay beside it.
#[tokio::test]
async fn a_failed_claim_is_ended_only_under_its_own_epoch() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new());
    world.fault(|faults| faults.fails = true);
    let result = run(&engine, &wanted("ours")).await;
    assert!(matches!(result, Err(Error::Ledger { .. })), "{result:?}");
    let record = row(&engine, &wanted("ours")).await;
    assert_eq!((record.state, record.epoch), (State::Unsent, 1));

    // The other one waits until the lease is over.
    let thief = world.ledger();
    world.fault(|faults| {
        faults.thief = Some(thief);
        faults.takes = (HOUR, HOUR);
    });
    let result = run(&engine, &wanted("theirs")).await;
    let Ok(Outcome::Pending(pending)) = &result else {
        panic!("{result:?}")
    };
    assert_eq!(pending.why, PendingReason::InFlight);
    let record = row(&engine, &wanted("theirs")).await;
    assert_eq!((record.state, record.epoch), (State::Sending, 2));
    assert!(record.lease.is_some(), "it is still claimed");
    assert_eq!(world.count("send"), 0);
}

/// A row of an earlier call is never ended by a failed claim of a later one: it may have been sent.
#[tokio::test]
async fn a_failed_claim_of_an_earlier_row_ends_nothing() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new().sends(1));
    world.sends([LOST]);
    drop(run(&engine, &wanted("r1")).await);
    world.fault(|faults| faults.fails = true);
    let result = run(&engine, &wanted("r1")).await;
    assert!(matches!(result, Ok(Outcome::Pending(_))), "{result:?}");
    let record = row(&engine, &wanted("r1")).await;
    assert_eq!((record.state, record.maybe_sent), (State::Sending, 1));
}

/// What the caller asked for is stored, and past it nothing is sent.
#[tokio::test]
async fn a_call_is_not_sent_past_its_own_send_until() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new());
    let now = engine.clock.now();
    let mut late = wanted("late");
    late.fields.send_until = Some(now);
    let result = run(&engine, &late).await;
    assert!(matches!(result, Err(Error::Unavailable { .. })));
    assert_eq!(row(&engine, &late).await.send_until, now);
    assert_eq!(world.count("send"), 0);
    let mut in_time = wanted("in time");
    let until = now.plus(Duration::from_millis(1));
    in_time.fields.send_until = Some(until);
    let result = run(&engine, &in_time).await;
    assert!(matches!(result, Ok(Outcome::Succeeded(_))), "{result:?}");
    assert_eq!(row(&engine, &in_time).await.send_until, until);
}

/// An attempt that was never sent and is replaced says so to whoever asks for it.
#[tokio::test]
async fn a_replaced_attempt_is_not_executed_and_names_the_one_that_counts() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new());
    let mut first = wanted("r1");
    first.fields.send_until = Some(engine.clock.now());
    drop(run(&engine, &first).await);
    let mut second = wanted("r1");
    second.fields.attempt = 2;
    drop(run(&engine, &second).await);
    let record = row(&engine, &first).await;
    assert_eq!(record.state, State::NotExecuted);
    let why = record.standing.no_effect;
    assert_eq!(why, Some(NoEffectReason::Superseded));
    let result = run(&engine, &first).await;
    let Err(Error::LaterAttempt {
        attempt, outcome, ..
    }) = &result
    else {
        panic!("{result:?}")
    };
    assert_eq!(*attempt, 2);
    assert!(matches!(outcome.as_deref(), Some(Outcome::Succeeded(_))));
}
