//! One reference: which calls continue its operation, and which are refused.

use payonce::provider::Provider;
use payonce::{Currency, Customer, Error, Intent, Outcome, Source};
use payonce_simulator::{Close, Fault, When};
use payonce_stripe::Stripe;

use crate::world::{World, assert_word, charge, money};

fn lost(when: When) -> Fault {
    let how = Close::Fin;
    Fault::ReplyLost { when, how }
}

fn card(token: &str) -> Source {
    Source::token(token)
}

/// The reply was lost and the customer gives another card. As long as the first charge may have
/// worked, the second card would pay the order again.
#[tokio::test]
async fn another_card_waits_until_the_first_attempt_is_known() {
    for happened in [false, true] {
        let when = if happened { When::After } else { When::Before };
        let world = World::new();
        world.fault(lost(when));
        assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
        world.gateway.faults().clear();

        let client = world.client();
        let second = || charge("r1").source(card("pm_card_mastercard")).attempt(2);
        match client.charge(second()).await {
            Err(Error::PriorAttemptOpen { attempt, state, .. }) => {
                assert_eq!((attempt, state.as_str()), (1, "unknown"));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(world.sent().len(), 1);

        // What became of the first attempt is found, and then there is nothing left to pay.
        assert_word(&client.charge(charge("r1")).await, "succeeded");
        match client.charge(second()).await {
            Err(Error::PriorAttemptSucceeded { attempt, .. }) => assert_eq!(attempt, 1),
            other => panic!("{other:?}"),
        }
        assert_eq!((world.keys().len(), world.effects("r1")), (1, 1));
    }
}

/// The first card was declined, and of the second it is not known. A third would pay again, and
/// the decline of the first is no answer any more.
#[tokio::test]
async fn a_third_card_waits_for_the_second_whatever_became_of_the_first() {
    let world = World::new();
    let client = world.blind_client();
    let first = || charge("r1").source(card("pm_card_chargeDeclined"));
    assert_word(&client.charge(first()).await, "declined");
    world.fault(lost(When::After));
    assert_word(&client.charge(charge("r1").attempt(2)).await, "unknown");
    let third = charge("r1").source(card("pm_card_amex")).attempt(3);
    match client.charge(third).await {
        Err(Error::PriorAttemptOpen { attempt, state, .. }) => {
            assert_eq!((attempt, state.as_str()), (2, "unknown"));
        }
        other => panic!("{other:?}"),
    }
    match client.charge(first()).await {
        Err(Error::LaterAttempt {
            attempt, outcome, ..
        }) => {
            assert_eq!(attempt, 2);
            assert!(matches!(outcome.as_deref(), Some(Outcome::Unknown(_))));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 1));
}

/// What does not change the payment may differ from call to call: a text, a trace id, another way
/// back. It is the same operation, and the bytes of the first call are sent again. With new bytes
/// the gateway would answer "same key, other parameters".
#[tokio::test]
async fn what_does_not_change_the_payment_continues_it_with_the_stored_bytes() {
    let first = || {
        charge("r1")
            .description("Two bags")
            .metadata("trace", "1")
            .return_url("https://shop.example/back?call=1")
    };
    let bare = || charge("r1");
    for later in [
        first().description("Two bags of coffee"),
        first().metadata("visit", "2"),
        bare().description("Two bags").metadata("trace", "2"),
        first().return_url("https://shop.example/back?call=2"),
        first().customer(Customer::new().phone("+966500000001")),
        bare(),
    ] {
        let world = World::new();
        world.fault(lost(When::Before));
        assert_word(&world.blind_client().charge(first()).await, "unknown");
        world.gateway.faults().clear();

        let client = world.client();
        assert_word(&client.charge(later.clone()).await, "succeeded");
        let sent = world.sent();
        assert_eq!((sent.len(), world.keys().len()), (2, 1));
        assert_eq!(sent[0].body, sent[1].body);
        assert_eq!(world.effects("r1"), 1);
        // Also when it is settled.
        assert_word(&client.charge(later).await, "succeeded");
        assert_eq!(world.sent().len(), 2);
    }
}

/// What changes the payment is named, all of it and nothing else, whatever state the first one is
/// in: the merchant must see what its two calls do not agree about, before anything is sent.
#[tokio::test]
async fn what_changes_the_payment_is_named_exactly_and_nothing_is_sent() {
    let of =
        |amount, currency, token| Intent::charge("r1", money(amount, currency)).source(card(token));
    let (sar, usd, visa) = (Currency::SAR, Currency::USD, "pm_card_visa");
    for open in [true, false] {
        let world = World::new();
        if open {
            world.fault(lost(When::After));
        }
        let own = || charge("r1").key("order-1042");
        let result = world.blind_client().charge(own()).await;
        assert_word(&result, if open { "unknown" } else { "succeeded" });
        world.gateway.faults().clear();

        let other = Stripe::new("other", "sk_test_2").base_url(world.gateway.gateway_url("stripe"));
        let (main, elsewhere) = (world.stripe().account().id(), other.account().id());
        let unknown = Stripe::new("unknown", "sk_test_3").account().id();
        let client = world.client_with(|builder| builder.provider(other));
        for (intent, expected) in [
            (of("480.01", sar, visa), &["amount"] as &[&str]),
            (of("480.00", usd, visa), &["currency"]),
            (of("480.00", sar, "pm_card_amex"), &["source"]),
            (
                charge("r1").source(Source::hosted()),
                &["source_kind", "source"],
            ),
            (
                charge("r1").source(Source::saved(visa, None)),
                &["source_kind"],
            ),
            (own().via(elsewhere.clone()), &["account"]),
            (own().via(unknown), &["account"]),
            (charge("r1").key("order-1043"), &["key"]),
            (
                of("1", usd, "pm_card_amex").via(elsewhere).key("k"),
                &["amount", "currency", "source", "account", "key"],
            ),
        ] {
            match client.charge(intent).await {
                Err(Error::IntentMismatch { fields, state, .. }) => {
                    assert_eq!(fields, expected);
                    assert_eq!(state.as_str(), world.state("r1"));
                }
                other => panic!("{expected:?}: {other:?}"),
            }
        }
        assert_eq!(world.sent().len(), 1, "nothing was sent");
        // Nothing of that was taken over. The same intent, spelled otherwise, goes on.
        let same = of("480", sar, visa).via(main).key("order-1042");
        assert_word(&client.charge(same).await, "succeeded");
        assert_eq!((world.keys().len(), world.effects("r1")), (1, 1));
    }
}

/// A reference that was tried with a test account must never look paid, nor be paid, at the shop's
/// real one: whatever its test payment came to, a live client refuses it and sends nothing.
#[tokio::test]
async fn a_live_client_takes_nothing_from_a_test_payment() {
    let live = |world: &World| {
        let stripe = Stripe::new("main", "sk_live_1");
        let stripe = stripe.base_url(world.gateway.gateway_url("stripe"));
        let builder = world.builder(world.ledger()).provider(stripe);
        builder.build().unwrap()
    };
    for (fault, word) in [
        (None, "succeeded"),
        (Some(Fault::decline("insufficient_funds")), "declined"),
        (Some(Fault::Unauthorized), "unauthorized"),
        (Some(lost(When::After)), "unknown"),
        (Some(Fault::Processing), "pending"),
    ] {
        let world = World::new();
        if let Some(fault) = fault {
            world.fault(fault);
        }
        assert_word(&world.blind_client().charge(charge("r1")).await, word);
        world.gateway.faults().clear();
        let client = live(&world);
        match client.charge(charge("r1")).await {
            Err(Error::AccountNotConfigured { account, .. }) => {
                assert!(account.as_str().starts_with("stripe:test:"), "{account}");
            }
            other => panic!("{word}: {other:?}"),
        }
        assert_eq!(
            (world.sent().len(), world.state("r1").as_str()),
            (1, state(word))
        );
        assert_word(&client.charge(charge("r2")).await, "succeeded");
    }
}

/// The state of a row whose call came to this.
fn state(word: &str) -> &str {
    if word == "unauthorized" {
        "unsent"
    } else {
        word
    }
}

/// A later attempt that a test account paid is no payment of the order either.
#[tokio::test]
async fn a_live_client_is_not_told_of_a_later_test_attempt_as_if_it_were_paid() {
    let world = World::new();
    let declined = charge("r1").source(card("pm_card_chargeDeclined"));
    assert_word(&world.client().charge(declined.clone()).await, "declined");
    let second = world.client().charge(charge("r1").attempt(2)).await;
    assert_word(&second, "succeeded");
    let live = Stripe::new("main", "sk_live_1").base_url(world.gateway.gateway_url("stripe"));
    let builder = world.builder(world.ledger()).provider(live);
    let live = builder.build().unwrap();
    for intent in [declined, charge("r1").attempt(2), charge("r1").attempt(3)] {
        let result = live.charge(intent).await;
        let refused = matches!(result, Err(Error::AccountNotConfigured { .. }));
        assert!(refused, "{result:?}");
    }
    assert_eq!(world.sent().len(), 2);
}
