//! Clocks that are wrong, and machines that start anew: a key is never thought younger than it is.

use payonce::{Doubt, Outcome};
use payonce_simulator::{Close, Fault, When};
use std::time::Duration;

use crate::world::{FastClock, World, assert_word, charge, hasty};

const HOUR: Duration = Duration::from_secs(3600);

/// A client of a new process, whose machine shows this time.
fn client(world: &World, clock: &FastClock) -> payonce::Client {
    payonce::Client::builder(world.ledger_with(clock))
        .clock(clock.clone())
        .provider(world.stripe())
        .policy(hasty())
        .build()
        .unwrap()
}

/// A charge that worked, and whose reply was lost.
async fn charge_in_doubt(world: &World, clock: &FastClock) {
    world.no_look_ups();
    world.fault(Fault::ReplyLost {
        when: When::After,
        how: Close::Fin,
    });
    let blind = payonce::Client::builder(world.ledger_with(clock))
        .clock(clock.clone())
        .provider(world.stripe())
        .policy(hasty().sends(1))
        .build()
        .unwrap();
    assert_word(&blind.charge(charge("r1")).await, "unknown");
    world.gateway.faults().clear();
}

/// A server starts with its clock three hours ahead, sends, and then gets the right time. A day
/// later the stored key looks three hours younger than it is: the gateway has forgotten it.
#[tokio::test]
async fn a_clock_that_was_ahead_at_the_first_send_does_not_charge_again() {
    for hours in [0, 3, 10] {
        let world = World::new();
        let clock = world.clock.another();
        clock.set_wrong(hours * 3600);
        charge_in_doubt(&world, &clock).await;
        clock.set_wrong(0);
        world.clock.advance(HOUR);
        // Another order shows that the clock is right now.
        assert_word(
            &client(&world, &clock).charge(charge("r2")).await,
            "succeeded",
        );
        world.clock.advance(HOUR * 24);
        world.no_look_ups();
        let result = client(&world, &clock).charge(charge("r1")).await;
        assert_word(&result, "unknown");
        assert_eq!(
            (world.sent_for("r1"), world.effects("r1")),
            (1, 1),
            "{hours}"
        );
    }
}

/// After a boot only the wall clock tells a key's age. It counts if a gateway's own `Date` showed
/// it to be right, then and now.
#[tokio::test]
async fn after_a_boot_a_key_is_repeated_only_if_the_clock_was_seen_to_be_right() {
    for (before, after) in [(false, false), (true, false), (false, true), (true, true)] {
        let world = World::new();
        let clock = &world.clock;
        if before {
            assert_word(
                &client(&world, clock).charge(charge("r2")).await,
                "succeeded",
            );
        }
        charge_in_doubt(&world, clock).await;
        clock.reboot();
        world.clock.advance(HOUR);
        if after {
            assert_word(
                &client(&world, clock).charge(charge("r3")).await,
                "succeeded",
            );
        }
        world.no_look_ups();
        let result = client(&world, clock).charge(charge("r1")).await;
        if before && after {
            assert_word(&result, "succeeded");
        } else {
            let Ok(Outcome::Unknown(unknown)) = &result else {
                panic!("{result:?}")
            };
            assert_eq!(unknown.doubt, Doubt::ClockDoubtful);
        }
        let sends = if before && after { 2 } else { 1 };
        assert_eq!((world.sent_for("r1"), world.effects("r1")), (sends, 1));
    }
}

/// The ledger's clock gives lease and window. A host whose own clock is some minutes off works all
/// the same; one that is so far behind that its sends would be too late says so.
#[tokio::test]
async fn a_host_whose_clock_differs_from_the_ledgers_charges_once() {
    for (seconds, expected) in [
        (-600, "unavailable"),
        (-60, "succeeded"),
        (60, "succeeded"),
        (95, "succeeded"),
        (600, "succeeded"),
    ] {
        let world = World::new();
        let ours = world.clock.another();
        ours.set_wrong(seconds);
        let client = payonce::Client::builder(world.ledger())
            .clock(ours)
            .provider(world.stripe())
            .build()
            .unwrap();
        assert_word(&client.charge(charge("r1")).await, expected);
        let moved = usize::from(expected == "succeeded");
        assert_eq!((world.sent().len(), world.effects("r1")), (moved, moved));
    }
}

/// A claim from a clock that was ten years ahead does not lock the order for ten years.
#[tokio::test]
async fn a_claim_from_the_future_can_be_taken_over() {
    let world = World::new();
    let clock = world.clock.another();
    clock.set_wrong(10 * 365 * 86_400);
    let (ledger, stall) = crate::ledgers::stalling(world.ledger_with(&clock));
    let first = payonce::Client::builder(ledger)
        .clock(clock.clone())
        .provider(world.stripe())
        .build()
        .unwrap();
    let call = tokio::spawn({
        let first = first.clone();
        async move { first.charge(charge("r1")).await }
    });
    stall.stored().await;
    clock.set_wrong(0);
    // Its owner is alive and may have sent: the key's age is not known.
    let result = client(&world, &clock).charge(charge("r1")).await;
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    assert_eq!(unknown.doubt, Doubt::ClockDoubtful);
    stall.go(1);
    assert_word(&call.await.unwrap(), "unknown");
    assert_eq!(world.effects("r1"), 0, "the first owner was fenced");
}
