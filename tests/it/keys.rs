//! One operation, one key, one body.

use payonce::{Client, Currency, Error, Outcome, Policy};
use payonce_simulator::{Close, Fault, When};

use crate::world::{World, assert_word, charge, money};

/// The key must outlive the attempt that failed. Otherwise the retry carries a new one and the
/// customer pays twice.
#[tokio::test]
async fn c01_a_lost_reply_keeps_row_key_and_bytes_for_the_next_call() {
    let world = World::new();
    world.fault(Fault::ReplyLost {
        when: When::After,
        how: Close::Fin,
    });
    assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
    assert_eq!(world.state("r1"), "unknown");

    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    let sent = world.sent();
    assert_eq!(sent.len(), 2);
    assert_eq!(world.keys().len(), 1);
    assert_eq!(sent[0].body, sent[1].body);
    assert_eq!(world.effects("r1"), 1);
    assert_eq!(
        world.sql::<i64>("SELECT count(DISTINCT idem_key) FROM operation"),
        1
    );
}

/// A caller's own key is what it reconciles by. Replaced on a retry, it guards nothing.
#[tokio::test]
async fn c03_a_callers_own_key_is_on_every_send() {
    for retries in [0, 1, 3] {
        let world = World::new();
        for _ in 0..2 {
            world.fault(Fault::server_error(503, When::Before));
        }
        let policy = Policy::new().sends(retries + 1);
        let client = world.client_with(|builder| builder.policy(policy));
        let result = client.charge(charge("r1").key("ord-7f21-a1")).await;
        assert_word(&result, if retries == 3 { "succeeded" } else { "unknown" });
        assert_eq!(result.unwrap().operation().key.as_str(), "ord-7f21-a1");
        assert_eq!(
            world.sent().len(),
            if retries == 0 {
                1
            } else {
                retries.min(2) as usize + 1
            }
        );
        assert_eq!(world.keys(), ["ord-7f21-a1"]);
    }
}

#[tokio::test]
async fn c03_a_key_that_the_gateway_does_not_take_is_refused_and_never_changed() {
    let world = World::new();
    let client = world.client();
    for key in ["k".repeat(256).as_str(), "with space", "مفتاح"] {
        let result = client.charge(charge("r1").key(key)).await;
        assert!(matches!(&result, Err(Error::Invalid { field, .. }) if field == "key"));
    }
    assert_word(&client.charge(charge("r1").key("mine")).await, "succeeded");
    let other = client.charge(charge("r2").key("mine")).await;
    assert!(matches!(other, Err(Error::KeyInUse)));
    let changed = client.charge(charge("r1").key("another")).await;
    assert_word(&changed, "mismatch");
    assert_eq!(world.sent().len(), 1);
}

/// Metadata that grew between two calls must not change the bytes: the gateway would answer "same
/// key, other parameters" for ever.
#[tokio::test]
async fn c06_an_incidental_field_does_not_change_the_request() {
    let world = World::new();
    world.fault(Fault::ReplyLost {
        when: When::After,
        how: Close::Fin,
    });
    let first = charge("A9").metadata("order", "A9");
    assert_word(&world.blind_client().charge(first).await, "unknown");

    let second = charge("A9")
        .metadata("order", "A9")
        .metadata("phone", "x")
        .description("late");
    assert_word(&world.client().charge(second).await, "succeeded");
    let sent = world.sent();
    assert_eq!((sent.len(), world.keys().len()), (2, 1));
    assert_eq!(sent[0].body, sent[1].body);
    assert_eq!(world.effects("A9"), 1);
}

/// What changes the payment is refused here, before the gateway can take it for another one.
#[tokio::test]
async fn c06_another_amount_under_the_reference_is_refused_and_nothing_is_sent() {
    let world = World::new();
    world.fault(Fault::ReplyLost {
        when: When::After,
        how: Close::Fin,
    });
    let blind = world.blind_client();
    assert_word(&blind.charge(charge("A9")).await, "unknown");

    let client = world.client();
    let other = payonce::Intent::charge("A9", money("481.00", Currency::SAR))
        .source(payonce::Source::token("pm_card_visa"));
    match client.charge(other).await {
        Err(Error::IntentMismatch { fields, state, .. }) => {
            assert_eq!(fields, ["amount"]);
            assert_eq!(state.as_str(), "unknown");
        }
        other => panic!("{other:?}"),
    }
    let card = charge("A9").source(payonce::Source::token("pm_card_mastercard"));
    match client.charge(card).await {
        Err(Error::IntentMismatch { fields, .. }) => assert_eq!(fields, ["source"]),
        other => panic!("{other:?}"),
    }
    assert_eq!(world.sent().len(), 1);
    assert_eq!(world.state("A9"), "unknown");
}

/// Two key headers in one request are read as another key by some gateways.
#[tokio::test]
async fn c14_every_send_has_exactly_one_key_header() {
    let world = World::new();
    for _ in 0..2 {
        world.fault(Fault::server_error(503, When::Before));
    }
    let client = world.client_with(|builder| builder.extra_header("X-Trace", "abc"));
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    let sent = world.sent();
    assert_eq!(sent.len(), 3);
    for post in sent {
        for name in [
            "idempotency-key",
            "authorization",
            "content-type",
            "x-trace",
        ] {
            assert_eq!(post.header_values(name).len(), 1, "{name}");
        }
    }
}

#[tokio::test]
async fn c14_reserved_headers_are_refused_when_the_client_is_built() {
    let world = World::new();
    for name in [
        "idempotency-key",
        "IDEMPOTENCY-KEY",
        "Authorization",
        "Content-Length",
        "Host",
        // These change what the gateway reads, or what comes back.
        "Accept-Encoding",
        "X-HTTP-Method-Override",
        // These are Stripe's own: another account, another version.
        "Stripe-Account",
        "stripe-context",
        "Stripe-Version",
    ] {
        let builder = Client::builder(world.ledger()).provider(world.stripe());
        let error = builder.extra_header(name, "x").build().unwrap_err();
        let name = name.to_ascii_lowercase();
        assert!(
            matches!(&error, Error::Config(text) if text.contains(&name)),
            "{error}"
        );
    }
}

/// Keys stay the same over restarts and differ between operations.
#[tokio::test]
async fn each_operation_has_a_key_of_its_own() {
    let world = World::new();
    let client = world.client();
    for reference in ["a", "b", "c"] {
        let Outcome::Succeeded(receipt) = client.charge(charge(reference)).await.unwrap() else {
            panic!("{reference}");
        };
        let key = receipt.operation.key.as_str().to_owned();
        assert!(world.keys().contains(&key));
    }
    assert_eq!(world.keys().len(), 3);
}
