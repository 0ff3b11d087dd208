//! The gateway's retry protocol.

use std::time::Duration;

use payonce::{Doubt, Error, Outcome, Policy, Source};
use payonce_simulator::stripe::Stripe;
use payonce_simulator::{Close, Fault, Matcher, RateLimit, When};

use crate::world::{World, assert_word, charge, hasty, late_reply, lost_after};

fn hours(hours: u64, minutes: u64) -> Duration {
    Duration::from_secs(hours * 3600 + minutes * 60)
}

/// A key that the gateway has forgotten makes the retry a second charge.
#[tokio::test]
async fn c15_after_the_keys_life_the_charge_is_looked_up_and_never_sent_again() {
    for (age, may_send) in [
        (hours(22, 59), true),
        (hours(23, 1), false),
        (hours(24, 1), false),
        (hours(240, 0), false),
    ] {
        for happened in [true, false] {
            let world = World::new();
            let when = if happened { When::After } else { When::Before };
            world.fault(Fault::ReplyLost {
                when,
                how: Close::Fin,
            });
            assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
            world.gateway.faults().clear();
            world.clock.advance(age);

            let result = world.client().charge(charge("r1")).await;
            let known = happened || may_send;
            assert_word(&result, if known { "succeeded" } else { "unknown" });
            assert_eq!(world.sent().len(), if may_send { 2 } else { 1 }, "{age:?}");
            assert_eq!(world.effects("r1"), usize::from(known), "{age:?}");
            if let Ok(Outcome::Unknown(unknown)) = result {
                assert_eq!(unknown.doubt, Doubt::WindowOver);
            }
        }
    }
}

/// 409 says that the first request is still running. Read as a failure, the customer pays again.
#[tokio::test]
async fn c17_key_in_use_is_waited_for_with_the_same_key() {
    let world = World::new();
    world.fault(late_reply());
    for _ in 0..3 {
        world.fault(Fault::KeyInUse);
    }
    let client = world.client_with(|builder| builder.policy(hasty()));
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent().len(), world.keys().len()), (5, 1));
    assert_eq!(world.effects("r1"), 1);
    let pauses = world.clock.pauses();
    assert_eq!(pauses.len(), 4);
    assert!(pauses.is_sorted_by(|a, b| a < b), "gaps grow: {pauses:?}");
}

#[tokio::test]
async fn c17_if_it_stays_in_use_the_outcome_is_unknown_and_not_declined() {
    let world = World::new();
    world.fault(Fault::HoldForEver { execute: false });
    for _ in 0..6 {
        world.fault(Fault::KeyInUse);
    }
    let client = world.client_with(|builder| builder.policy(hasty().sends(7)));
    match client.charge(charge("r1")).await {
        Ok(Outcome::Unknown(unknown)) => assert_eq!(unknown.doubt, Doubt::InProgress),
        other => panic!("{other:?}"),
    }
    assert_eq!((world.sent().len(), world.keys().len()), (7, 1));
    assert_eq!(world.state("r1"), "unknown");
}

/// "Same key, other parameters" says nothing about the first request.
#[tokio::test]
async fn c19_a_key_mismatch_changes_nothing_that_is_known() {
    let world = World::new();
    world.fault(lost_after());
    assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
    world.gateway.faults().clear();

    world.fault(Fault::KeyReused);
    let client = world.client();
    match client.charge(charge("r1")).await {
        Ok(Outcome::Unknown(unknown)) => assert_eq!(unknown.doubt, Doubt::KeyMismatch),
        other => panic!("{other:?}"),
    }
    assert_eq!(world.sent().len(), 2);
    assert_eq!(world.state("r1"), "unknown");
    assert_eq!(
        world.sql::<String>("SELECT kind FROM alarm"),
        "key_mismatch"
    );

    // From now on it is only looked up, and the look-up finds what the first request did.
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!(world.sent().len(), 2);
    assert_eq!(world.effects("r1"), 1);
}

/// 429 in all its forms is tried again with the same key, not before the gateway asks for it.
#[tokio::test]
async fn c20_rate_limits_are_waited_for() {
    let limited = |kind, retry_after: Option<&str>| Fault::RateLimited {
        kind,
        retry_after: retry_after.map(str::to_owned),
    };
    for (fault, at_least) in [
        (limited(RateLimit::LockTimeout, None), 0),
        (limited(RateLimit::RateLimit, Some("7")), 7),
        (limited(RateLimit::Html, None), 0),
    ] {
        let world = World::new();
        world.fault(fault);
        assert_word(&world.client().charge(charge("r1")).await, "succeeded");
        assert_eq!((world.sent().len(), world.keys().len()), (2, 1));
        assert!(world.clock.pauses()[0] >= Duration::from_secs(at_least));
        assert_eq!(world.effects("r1"), 1);
    }
}

/// A rate limit that never ends: nothing was executed, and the merchant may say so.
#[tokio::test]
async fn c20_if_only_rate_limits_were_seen_nothing_was_carried_out() {
    let world = World::new();
    let limited = |retry_after: &str| Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: Some(retry_after.to_owned()),
    };
    world.fault(limited("7"));
    world.fault(limited("1200"));
    let client = world.client();
    match client.charge(charge("r1")).await {
        Err(Error::Unavailable {
            retry_after, state, ..
        }) => {
            assert_eq!(retry_after, Some(Duration::from_secs(1200)));
            assert_eq!(state.as_str(), "unsent");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 0));
    assert_eq!(world.state("r1"), "unsent");
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!((world.keys().len(), world.effects("r1")), (1, 1));
}

/// After one doubtful send a rate limit proves nothing. Nor does a lock timeout, of which Stripe
/// does not document that nothing was done.
#[tokio::test]
async fn c20_after_a_doubtful_send_the_outcome_stays_unknown() {
    let limited = |kind| Fault::RateLimited {
        kind,
        retry_after: None,
    };
    for first in [lost_after(), limited(RateLimit::LockTimeout)] {
        let world = World::new();
        world.no_look_ups();
        world.fault(first);
        for _ in 0..4 {
            world.fault(limited(RateLimit::RateLimit));
        }
        assert_word(&world.client().charge(charge("r1")).await, "unknown");
        assert_eq!((world.sent().len(), world.keys().len()), (5, 1));
    }
}

/// Stripe replays a stored 500 for ever. The charge may have worked; only a look-up can tell.
#[tokio::test]
async fn c22_a_stored_500_ends_the_repeats_and_the_look_up_decides() {
    let world = World::new();
    world.fault(Fault::stored_error(When::After));
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent().len(), world.keys().len()), (2, 1));
    assert_eq!(world.effects("r1"), 1);
}

#[tokio::test]
async fn c22_without_an_answer_to_the_look_up_it_stays_unknown_for_ever_under_one_key() {
    let world = World::new();
    world.fault(Fault::stored_error(When::After));
    world.no_look_ups();
    for _ in 0..3 {
        match world.client().charge(charge("r1")).await {
            Ok(Outcome::Unknown(unknown)) => {
                assert_eq!(unknown.doubt, Doubt::StoredServerError { status: 500 });
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        (world.sent().len(), world.keys().len()),
        (2, 1),
        "no more sends, no new key"
    );

    world.gateway.faults().clear();
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert_eq!(world.effects("r1"), 1);
}

/// A stored 500 before the money moved: an empty look-up does not make it a failure.
#[tokio::test]
async fn c22_an_empty_look_up_after_a_stored_500_proves_nothing() {
    let world = World::new();
    world.fault(Fault::stored_error(When::Before));
    for _ in 0..2 {
        assert_word(&world.client().charge(charge("r1")).await, "unknown");
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 0));
}

/// A decline is the stored answer of the first execution, so it settles even after a lost reply.
#[tokio::test]
async fn a_decline_that_is_replayed_after_a_lost_reply_is_final_and_frees_the_reference() {
    let world = World::new();
    let declined = Fault::decline("insufficient_funds");
    world.fault(Fault::Together {
        faults: vec![declined, lost_after()],
    });
    let client = world.client();
    match client.charge(charge("r1")).await {
        Ok(Outcome::Declined(decline)) => {
            assert_eq!(
                decline.refusal.reason.as_deref(),
                Some("insufficient_funds")
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 0));
    let second = charge("r1")
        .source(Source::token("pm_card_mastercard"))
        .attempt(2);
    assert_word(&client.charge(second).await, "succeeded");
    assert_eq!((world.keys().len(), world.effects("r1")), (2, 1));
}

/// A request that travelled long arrives after its repeat: the key holds it.
#[tokio::test]
async fn a_late_arrival_moves_nothing_more() {
    let world = World::new();
    world.fault(Fault::LateArrival {
        ms: 30,
        how: Close::Fin,
    });
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    while world.gateway.in_flight() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 1));
}

/// The retry budget of an account keeps a storm of repeats from a gateway in trouble.
#[tokio::test]
async fn a_spent_retry_budget_ends_the_repeats() {
    let world = World::new();
    let fault = Fault::server_error(503, When::Before);
    world
        .gateway
        .faults()
        .push(fault.on(Matcher::post()).times(100));
    let client = world.client_with(|builder| builder.policy(Policy::new().retry_budget(3)));
    for reference in ["a", "b", "c"] {
        assert_word(&client.charge(charge(reference)).await, "unknown");
    }
    // Three first sends, and three repeats for all of them.
    assert_eq!(world.sent().len(), 6);
}

/// A gateway that asks for a pause gets it, or the merchant is told, whatever else is in doubt.
#[tokio::test]
async fn c20_what_the_gateway_asked_for_is_obeyed_or_told() {
    let busy = |retry_after: &str| Fault::ServerError {
        status: 503,
        when: When::Before,
        stored: false,
        should_retry: None,
        retry_after: Some(retry_after.to_owned()),
    };
    let world = World::new();
    world.fault(busy("7"));
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert!(world.clock.pauses()[0] >= Duration::from_secs(7));

    let world = World::new();
    world.no_look_ups();
    world.fault(busy("1200"));
    let result = world.client().charge(charge("r1")).await;
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    assert_eq!(unknown.retry_after, Some(Duration::from_secs(1200)));
    assert_eq!(world.sent().len(), 1);
}

/// A server that names an absurd time does not make the client panic, wait for ever, or forget.
#[tokio::test]
async fn c20_an_absurd_pause_is_told_and_not_waited_for() {
    for text in [
        "18446744073709551615",
        "9223372036854775807",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ] {
        let world = World::new();
        world.fault(Fault::RateLimited {
            kind: RateLimit::RateLimit,
            retry_after: Some(text.to_owned()),
        });
        let client = world.client();
        let result = client.charge(charge("r1")).await;
        let Err(Error::Unavailable { retry_after, .. }) = &result else {
            panic!("{result:?}")
        };
        assert!(*retry_after > Some(Duration::from_secs(86_400)), "{text}");
        assert_word(&client.charge(charge("r1")).await, "succeeded");
    }
}

/// A shop that takes a payment every 80 seconds, and whose search fails: our payment of two days
/// ago is found all the same.
#[tokio::test]
async fn in_a_busy_account_an_old_payment_is_still_found() {
    let world = World::new();
    world.no_look_ups();
    world.fault(lost_after());
    let blind = world.client_with(|builder| builder.policy(hasty().sends(1)));
    assert_word(&blind.charge(charge("r1")).await, "unknown");
    world.gateway.faults().clear();
    assert_word(&world.client().charge(charge("other")).await, "succeeded");
    let effects = world.gateway.effects_for("other");
    for _ in 0..1080 {
        world.clock.advance(Duration::from_secs(80));
        let copied = |stripe: &mut Stripe| stripe.copy_payment_intent(&effects[0].provider_id);
        world.gateway.stripe(copied).unwrap().unwrap();
    }
    world.clock.advance(hours(24, 0));
    let failing = Fault::server_error(503, When::Before);
    let search = Matcher::get().path_contains("/search");
    world.gateway.faults().push(failing.on(search).always());
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent_for("r1"), world.effects("r1")), (1, 1));
}
