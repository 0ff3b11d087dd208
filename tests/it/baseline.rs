//! Operations that leave no trace of their own at the gateway: the payment is read before, and
//! compared after a lost reply.

use std::time::Duration;

use payonce::{Client, Currency, Error, Family, Intent, Outcome, Receipt, Refund, Source, State};
use payonce_moyasar::Moyasar;
use payonce_simulator::{Fault, Matcher, Tamper};

use crate::world::{World, assert_word, lost_after, money};

fn client(world: &World) -> Client {
    let moyasar = Moyasar::new("main", "sk_test_1");
    let moyasar = moyasar.base_url(world.gateway.gateway_url("moyasar"));
    let builder = Client::builder(world.ledger()).provider(moyasar);
    builder.clock(world.clock.clone()).build().unwrap()
}

async fn paid(client: &Client) -> Receipt {
    let intent = Intent::charge("o1", money("100.00", Currency::SAR))
        .source(Source::saved("token_visa", None))
        .return_url("https://shop.example/back");
    match client.charge(intent).await {
        Ok(Outcome::Succeeded(receipt)) => receipt,
        other => panic!("{other:?}"),
    }
}

fn refund(reference: &str, receipt: &Receipt) -> Intent<Refund> {
    Intent::refund(reference, receipt.payment(), money("40.00", Currency::SAR))
}

/// A refund that a person made by hand in the same moment would look like ours. Who is told
/// "refunded" must also be told that it was inferred.
#[tokio::test]
async fn a_success_that_was_inferred_is_marked_and_stays_so() {
    let world = World::new();
    let client = client(&world);
    let receipt = paid(&client).await;
    assert!(!receipt.inferred);
    let plain = client.refund(refund("f1", &receipt)).await;
    let Ok(Outcome::Succeeded(plain)) = plain else {
        panic!("{plain:?}")
    };
    assert!(!plain.inferred, "the gateway answered");
    // A change in the millisecond of an earlier one cannot be told from it.
    world.clock.advance(Duration::from_secs(1));
    world.fault(lost_after());
    let inferred = client.refund(refund("f2", &receipt)).await;
    let Ok(Outcome::Succeeded(inferred)) = inferred else {
        panic!("{inferred:?}")
    };
    assert!(inferred.inferred, "no reply came");
    let stored = client.refund(refund("f2", &receipt)).await;
    assert_eq!(stored, Ok(Outcome::Succeeded(inferred)));
}

/// The request names no currency, so 40.00 SAR of a payment in dollars would pay back 40.00 USD.
/// Asking again changes nothing: the caller is told at once, and is free to correct it.
#[tokio::test]
async fn another_payment_than_ours_is_refused_and_not_tried_again() {
    for tamper in [
        Tamper::set("/currency", "USD"),
        Tamper::set("/id", "0e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a0b"),
    ] {
        let world = World::new();
        let client = client(&world);
        let receipt = paid(&client).await;
        let (posts, reads) = (world.sent().len(), world.gateway.requests().len());
        let faults = world.gateway.faults();
        faults.push(Fault::Tamper(tamper.clone()).on(Matcher::get()));
        let refused = client.refund(refund("f1", &receipt)).await;
        let Err(error @ Error::PaymentMismatch { .. }) = &refused else {
            panic!("{refused:?}")
        };
        assert_eq!(error.operation().unwrap().1, State::Unsent);
        assert_eq!(world.sent().len(), posts, "{tamper:?}");
        assert_eq!(world.gateway.requests().len(), reads + 1, "one read");
        // The reference is not held: the next attempt may be about another payment.
        let next = client.refund(refund("f1", &receipt).attempt(2)).await;
        assert_word(&next, "succeeded");
        let history = client.history(Family::Refund, "f1").await.unwrap();
        assert_eq!(history.len(), 2);
        assert!(client.alarms().await.unwrap().is_empty());
    }
}
