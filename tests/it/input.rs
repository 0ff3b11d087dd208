//! Bad input: a typed error that says what to do, nothing stored, nothing sent.

use payonce::{Client, Error, LedgerError, Money, MoneyError, Problem, Source, SqliteLedger};
use payonce::{Currency, Customer, Intent};
use payonce_stripe::Stripe;

use crate::world::{World, assert_word, charge, money};

#[expect(clippy::too_many_lines, reason = "it is a table")]
#[tokio::test]
async fn a_bad_field_is_refused_by_name_and_nothing_is_stored_or_sent() {
    let world = World::new();
    let client = world.client();
    let zero = Money::from_minor(0, Currency::SAR).unwrap();
    let nothing = Intent::charge("r1", zero).source(Source::token("pm_card_visa"));
    let unpaid = Intent::charge("r1", money("480.00", Currency::SAR));
    for (intent, field, problem) in [
        (charge(""), "reference", Problem::Empty),
        (
            charge(&"x".repeat(256)),
            "reference",
            Problem::TooLong { limit: 255 },
        ),
        (charge("a\tb"), "reference", Problem::ControlCharacter),
        (charge(" a"), "reference", Problem::EdgeSpace),
        (
            charge("4111 1111 1111 1111"),
            "reference",
            Problem::CardNumber,
        ),
        (
            nothing,
            "amount",
            Problem::other("is zero: give an amount above zero"),
        ),
        (
            unpaid,
            "source",
            Problem::other("is missing: say what pays, with .source(..)"),
        ),
        (
            charge("r1").attempt(0),
            "attempt",
            Problem::other("is 0: the first attempt is 1"),
        ),
        (
            charge("r1").source(Source::token("")),
            "source",
            Problem::Empty,
        ),
        (
            charge("r1").description("card 4111111111111111"),
            "description",
            Problem::CardNumber,
        ),
        (
            charge("r1").customer(Customer::new().name("4111111111111111")),
            "customer name",
            Problem::CardNumber,
        ),
        (
            charge("r1").customer(Customer::new().email("")),
            "customer email",
            Problem::Empty,
        ),
        (
            charge("r1").metadata("cvv", "737"),
            "metadata name",
            Problem::SecurityCode,
        ),
        (
            charge("r1").metadata("note", ""),
            "metadata note",
            Problem::Empty,
        ),
    ] {
        match client.charge(intent).await {
            Err(Error::Invalid {
                field: named,
                problem: found,
            }) => {
                assert_eq!((named.as_str(), found), (field, problem));
            }
            other => panic!("{field}: {other:?}"),
        }
    }
    for (intent, field) in [
        (charge("r1").return_url("/back"), "return_url"),
        (
            charge("r1").metadata("a", "1").metadata("a", "2"),
            "metadata a",
        ),
        (charge("r1").metadata("payonce_key", "1"), "metadata name"),
    ] {
        match client.charge(intent).await {
            Err(Error::Invalid { field: named, .. }) => assert_eq!(named, field),
            other => panic!("{field}: {other:?}"),
        }
    }
    let page = client.charge(charge("r1").source(Source::hosted())).await;
    assert!(matches!(page, Err(Error::Unsupported { .. })), "{page:?}");
    assert_eq!(world.sent().len(), 0);
    assert_eq!(world.sql::<i64>("SELECT count(*) FROM operation"), 0);
    assert_eq!(
        Money::from_minor(-100, Currency::SAR),
        Err(MoneyError::Negative)
    );
}

/// References of any script are taken as they are.
#[tokio::test]
async fn a_reference_of_255_characters_of_any_script_works() {
    let world = World::new();
    let client = world.client();
    for reference in [
        "ط".repeat(255),
        "طلب رقم ٥ – \"قهوة\" & 100% +1 🙂".to_owned(),
    ] {
        assert_word(&client.charge(charge(&reference)).await, "succeeded");
        assert_eq!(world.effects(&reference), 1);
    }
}

/// A refused secret had no effect: the same intent goes on when the secret is right.
#[tokio::test]
async fn a_refused_secret_leaves_the_charge_unsent() {
    let world = World::new();
    let wrong =
        Stripe::new("main", "sk_test_invalid").base_url(world.gateway.gateway_url("stripe"));
    let client = world
        .builder(world.ledger())
        .provider(wrong)
        .build()
        .unwrap();
    match client.charge(charge("r1")).await {
        Err(error @ Error::Unauthorized { .. }) => {
            assert!(!error.to_string().contains("sk_test"), "{error}");
            assert_eq!(error.operation().unwrap().1.as_str(), "unsent");
        }
        other => panic!("{other:?}"),
    }
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert_eq!(
        (world.sent().len(), world.keys().len(), world.effects("r1")),
        (2, 1, 1)
    );
}

#[tokio::test]
async fn a_set_up_that_cannot_work_is_refused_when_the_client_is_built() {
    let world = World::new();
    let build = |stripe: Stripe| {
        Client::builder(world.ledger())
            .provider(stripe)
            .build()
            .unwrap_err()
            .to_string()
    };
    let url = "https://api.stripe.com";
    for (stripe, says) in [
        (Stripe::new("main", "").base_url(url), "secret"),
        (Stripe::new("main", "sk_test_\n1").base_url(url), "secret"),
        (Stripe::new("", "sk_test_1").base_url(url), "label"),
        (
            Stripe::new("main", "sk_test_1").base_url("http://gateway.example"),
            "use https",
        ),
        (
            Stripe::new("main", "sk_test_1").base_url("ftp://x"),
            "https://host",
        ),
    ] {
        let text = build(stripe);
        assert!(text.contains(says) && !text.contains("sk_test"), "{text}");
    }
    let none = Client::builder(world.ledger())
        .build()
        .unwrap_err()
        .to_string();
    assert!(none.contains(".provider(..)"), "{none}");
    let twice = Client::builder(world.ledger())
        .provider(world.stripe())
        .provider(world.stripe())
        .build()
        .unwrap_err();
    assert!(twice.to_string().contains("twice"), "{twice}");
}

#[test]
fn a_place_that_cannot_be_written_is_refused_when_the_ledger_is_opened() {
    let error = SqliteLedger::open("/proc/payments.db").unwrap_err();
    assert!(matches!(
        error,
        LedgerError::ReadOnly { .. } | LedgerError::NotFound { .. }
    ));
}

/// With two accounts a first call must choose; later ones use what the first pinned.
#[tokio::test]
async fn with_several_accounts_the_first_call_chooses() {
    let world = World::new();
    let other = Stripe::new("other", "sk_test_2").base_url(world.gateway.gateway_url("stripe"));
    let (main, second) = (account(&world.stripe()), account(&other));
    let client = world.client_with(|builder| builder.provider(other));
    match client.charge(charge("r1")).await {
        Err(Error::Invalid { field, .. }) => assert_eq!(field, "account"),
        other => panic!("{other:?}"),
    }
    assert_word(
        &client.charge(charge("r1").via(second.clone())).await,
        "succeeded",
    );
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_word(&client.charge(charge("r1").via(main)).await, "mismatch");
    assert_eq!(world.sent().len(), 1);

    // A client without the pinned account still knows what became of it.
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
}

/// An open operation of an account that is not configured any more is its own error.
#[tokio::test]
async fn an_open_operation_of_a_missing_account_is_named() {
    let world = World::new();
    world.fault(payonce_simulator::Fault::KeyInUse);
    assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
    let other = Stripe::new("other", "sk_test_2").base_url(world.gateway.gateway_url("stripe"));
    let client = world
        .builder(world.ledger())
        .provider(other)
        .build()
        .unwrap();
    match client.charge(charge("r1")).await {
        Err(Error::AccountNotConfigured { account, .. }) => {
            assert!(account.as_str().contains(":main@"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.sent().len(), 1);
}

fn account(stripe: &Stripe) -> payonce::AccountId {
    payonce::Provider::account(stripe).id()
}

/// An intent may be logged before it is used, and only then refused.
#[test]
fn c82_an_intent_that_was_not_checked_shows_no_card_number() {
    for card in ["4111111111111111", "card 4111 1111 1111 1111"] {
        let customer = Customer::new().name(card).phone(card);
        let intent = charge(card).source(Source::token(card)).description(card);
        let intent = intent.customer(customer.clone());
        assert!(!format!("{customer:?}").contains("4111"));
        let shown = format!("{intent:?}");
        assert!(!shown.contains("4111"), "{shown}");
    }
    assert!(format!("{:?}", charge("order-1042")).contains("order-1042"));
}
