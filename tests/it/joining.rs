//! Callers of one intent that join one call: each with its own intent, and its own time.

use std::time::Duration;

use payonce::{Client, Currency, Intent, SqliteLedger};
use payonce_simulator::{Fault, When};

use crate::ledgers::{Faulty, stalling};
use crate::world::{World, assert_word, charge, money, word};

/// A client in real time.
fn client(world: &World, ledger: Faulty) -> Client {
    let builder = Client::builder(ledger).provider(world.stripe());
    builder.build().unwrap()
}

fn other_amount(reference: &str) -> Intent<payonce::Charge> {
    let intent = Intent::charge(reference, money("999.00", Currency::SAR));
    intent.source(payonce::Source::token("pm_card_visa"))
}

/// The first caller has little time. The second has plenty, and gets an answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_with_more_time_than_the_first_goes_on() {
    let world = World::new();
    world.fault(Fault::Delay {
        when: When::After,
        ms: 600,
    });
    let ledger = SqliteLedger::open(world.ledger_path()).unwrap();
    let client = Client::builder(ledger)
        .provider(world.stripe())
        .build()
        .unwrap();
    let first = tokio::spawn({
        let client = client.clone();
        async move {
            client
                .charge(charge("r1").deadline(Duration::from_millis(300)))
                .await
        }
    });
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    let first = first.await.unwrap();
    assert!(matches!(word(&first), "unknown" | "pending"), "{first:?}");
    assert_eq!((world.keys().len(), world.effects("r1")), (1, 1));
}

/// A caller waits no longer than it said, whatever the ledger does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_ledger_does_not_hold_a_caller_beyond_its_time() {
    let world = World::new();
    let (ledger, stall) = stalling(SqliteLedger::open(world.ledger_path()).unwrap());
    let client = client(&world, ledger);
    let call = client.charge(charge("r1").deadline(Duration::from_millis(200)));
    let result = tokio::time::timeout(Duration::from_secs(20), call).await;
    assert_word(&result.unwrap(), "unknown");
    stall.go(10);
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!(world.effects("r1"), 1);
}

/// A caller that wants something else is never answered with the first one's outcome, also in the
/// moment before the row is stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_of_another_amount_never_hears_of_the_first_one() {
    let world = World::new();
    let (ledger, stall) = stalling(SqliteLedger::open(world.ledger_path()).unwrap());
    let client = client(&world, ledger);
    for round in 0..40 {
        let reference = format!("r{round}");
        let first = tokio::spawn({
            let (client, intent) = (client.clone(), charge(&reference));
            async move { client.charge(intent).await }
        });
        stall.stored().await;
        let other = tokio::spawn({
            let (client, intent) = (client.clone(), other_amount(&reference));
            let time = Duration::from_millis(100 + round % 8);
            async move { client.charge(intent.deadline(time)).await }
        });
        if round % 2 == 0 {
            tokio::task::yield_now().await;
        }
        stall.go(1);
        assert_word(&other.await.unwrap(), "mismatch");
        assert_word(&first.await.unwrap(), "succeeded");
        assert_eq!(world.effects(&reference), 1);
    }
}
