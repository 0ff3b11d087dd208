//! Another gateway as the next attempt: only when the one before it can have no effect.

use payonce::{Client, Error, Intent, Money, Source};
use payonce_moyasar::Moyasar;
use payonce_simulator::{Fault, Matcher};

use crate::world::{World, assert_word, charge, lost_after, word};

/// A client of a new process with both gateways.
fn client(world: &World) -> Client {
    let moyasar = Moyasar::new("main", "sk_test_1").base_url(world.gateway.gateway_url("moyasar"));
    world.client_with(|builder| builder.provider(moyasar))
}

fn money() -> Money {
    Money::parse("480.00", payonce::Currency::SAR).unwrap()
}

fn first(client: &Client) -> Intent<payonce::Charge> {
    charge("r1").via(client.accounts()[0].clone())
}

fn second(client: &Client) -> Intent<payonce::Charge> {
    Intent::charge("r1", money())
        .attempt(2)
        .source(Source::token("token_visa"))
        .return_url("https://shop.example/back")
        .via(client.accounts()[1].clone())
}

#[tokio::test]
async fn another_gateway_waits_until_the_first_is_known() {
    let world = World::new();
    let client = client(&world);
    world.no_look_ups();
    for _ in 0..5 {
        world.fault(lost_after());
    }
    assert_word(&client.charge(first(&client)).await, "unknown");
    let refused = client.charge(second(&client)).await;
    assert!(
        matches!(refused, Err(Error::PriorAttemptOpen { .. })),
        "{refused:?}"
    );
    world.gateway.faults().clear();
    assert_word(&client.charge(first(&client)).await, "succeeded");
    let paid = client.charge(second(&client)).await;
    assert!(
        matches!(paid, Err(Error::PriorAttemptSucceeded { .. })),
        "{paid:?}"
    );
    assert_eq!(world.effects("r1"), 1);
}

#[tokio::test]
async fn after_a_definite_no_another_gateway_may_try() {
    let world = World::new();
    let client = client(&world);
    world.fault(Fault::decline("insufficient_funds"));
    assert_word(&client.charge(first(&client)).await, "declined");
    assert_word(&client.charge(second(&client)).await, "succeeded");
    assert_eq!(world.effects("r1"), 1);
    let over = client.charge(first(&client)).await;
    assert!(matches!(over, Err(Error::LaterAttempt { .. })), "{over:?}");
}

/// Attempt 1 came to nothing. Now one process tries it again while another goes to the other
/// gateway: exactly one of the two may ever send, whoever is quicker.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_an_unsent_attempt_and_its_successor_exactly_one_is_sent() {
    let mut won = [0, 0];
    for schedule in 0..40_u32 {
        let world = World::new();
        let (one, other) = (client(&world), client(&world));
        let unauthorized = Fault::Unauthorized.on(Matcher::post());
        world.gateway.faults().push(unauthorized);
        assert_word(&one.charge(first(&one)).await, "unauthorized");
        let sent = world.sent().len();
        let yields = |times: u32| async move {
            for _ in 0..times {
                tokio::task::yield_now().await;
            }
        };
        let again = tokio::spawn(async move {
            yields(schedule % 8 * 3).await;
            one.charge(first(&one)).await
        });
        let next = tokio::spawn(async move {
            yields(schedule % 5 * 4).await;
            other.charge(second(&other)).await
        });
        let (again, next) = (again.await.unwrap(), next.await.unwrap());
        let words = (word(&again), word(&next));
        assert!(
            matches!(words, ("succeeded", "error") | ("error", "succeeded")),
            "{again:?} {next:?}"
        );
        won[usize::from(words.1 == "succeeded")] += 1;
        assert_eq!((world.sent().len(), world.effects("r1")), (sent + 1, 1));
    }
    // Both come about, or the schedules say nothing.
    assert!(won[0] > 0 && won[1] > 0, "{won:?}");
}
