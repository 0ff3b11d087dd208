//! Replies that are not what they seem: of another request, of a machine in between, of a payment
//! that is not ours. None of them may free a reference or send again.

use payonce::{Doubt, Outcome, Policy, Source};
use payonce_simulator::{Fault, Tamper, When};

use crate::world::{World, assert_word, charge, word};

/// Executed, and answered with this instead.
fn answered(status: u16, headers: &[(&str, &str)], body: &str) -> Fault {
    let headers = headers
        .iter()
        .chain(&[("content-type", "application/json")]);
    Fault::Raw {
        status,
        headers: headers
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        body: body.to_owned(),
        when: When::After,
    }
}

/// Our request worked, and what came back refuses a request: by another's key, by a replay of
/// something before our first send, or in the words of a proxy. Whoever believes it lets the next
/// attempt pay again.
#[tokio::test]
async fn a_refusal_that_may_be_anothers_does_not_free_the_reference() {
    let rate_limit = r#"{"error":{"type":"invalid_request_error","code":"rate_limit"}}"#;
    let wrong_key = r#"{"error":{"type":"invalid_request_error"}}"#;
    let invalid = r#"{"error":{"type":"invalid_request_error","code":"parameter_invalid"}}"#;
    let proxy = r#"{"error":{"code":403,"message":"quota","status":"PERMISSION_DENIED"}}"#;
    let theirs = [("idempotency-key", "theirs")];
    let replayed = [("idempotent-replayed", "true")];
    for fault in [
        answered(429, &theirs, rate_limit),
        answered(401, &theirs, wrong_key),
        answered(400, &theirs, invalid),
        answered(400, &replayed, invalid),
        answered(401, &replayed, wrong_key),
        answered(401, &[], ""),
        answered(401, &[], r#"{"message":"session expired"}"#),
        answered(403, &[], proxy),
        answered(403, &[], r#"{"error":{}}"#),
        answered(404, &[], r#"{"error":{"code":"resource_missing"}}"#),
        Fault::Html {
            status: 401,
            size: 500,
            when: When::After,
        },
        Fault::Html {
            status: 429,
            size: 500,
            when: When::After,
        },
    ] {
        let world = World::new();
        world.no_look_ups();
        world.fault(fault.clone());
        let client = world.client_with(|builder| builder.policy(Policy::new().sends(1)));
        assert_word(&client.charge(charge("r1")).await, "unknown");
        assert_eq!(world.sql::<i64>("SELECT maybe_sent FROM operation"), 1);
        // Nor does a later refusal that is ours, or the end of the key's life.
        world.fault(Fault::Unauthorized);
        assert_word(&client.charge(charge("r1")).await, "unknown");
        world
            .clock
            .advance(std::time::Duration::from_secs(25 * 3600));
        assert_word(&client.charge(charge("r1")).await, "unknown");
        let second = charge("r1").attempt(2);
        let second = second.source(Source::token("pm_card_mastercard"));
        assert_word(&client.charge(second).await, "error");
        assert_eq!(world.effects("r1"), 1, "{fault:?}");
    }
}

/// What differs from what was sent stays with a person: the next call neither sends nor settles,
/// and raises no second alarm.
#[tokio::test]
async fn a_mismatch_is_held_by_every_later_call() {
    let theirs = Tamper::set("/metadata/payonce_key", "theirs");
    for tamper in [
        Tamper::set("/amount", 10_000),
        theirs.and_header("idempotency-key", Some("theirs")),
    ] {
        let world = World::new();
        world.fault(Fault::Tamper(tamper));
        for _ in 0..3 {
            let result = world.client().charge(charge("r1")).await;
            let Ok(Outcome::Unknown(unknown)) = &result else {
                panic!("{result:?}")
            };
            assert!(matches!(unknown.doubt, Doubt::Mismatch { .. }));
        }
        assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
        assert_eq!(world.sql::<i64>("SELECT count(*) FROM alarm"), 1);
        assert_eq!(world.sql::<i64>("SELECT look_up_only FROM operation"), 1);
    }
}

/// A reply that was mixed up on its way names another's payment. Ours is found all the same, also
/// when nothing may be sent any more.
#[tokio::test]
async fn the_id_of_anothers_payment_is_not_asked_about_for_ever() {
    let world = World::new();
    assert_word(&world.client().charge(charge("other")).await, "succeeded");
    let other = world.gateway.effects()[0].provider_id.clone();
    let mixed_up = Tamper::set("/id", other.as_str())
        .and_remove("/metadata/payonce_key")
        .and_remove("/metadata/payonce_reference")
        .and_header("idempotency-key", None);
    world.fault(Fault::Tamper(mixed_up));
    let blind = world.blind_client();
    assert_word(&blind.charge(charge("r1")).await, "unknown");
    world.gateway.faults().clear();
    world
        .clock
        .advance(std::time::Duration::from_secs(25 * 3600));
    let result = world.client().charge(charge("r1")).await;
    let Ok(Outcome::Succeeded(receipt)) = &result else {
        panic!("{result:?}")
    };
    assert_ne!(receipt.provider_id, other);
    assert_eq!((world.sent_for("r1"), world.effects("r1")), (1, 1));
}

/// A frozen reference is not believed, whatever its row says and however it is read.
#[tokio::test]
async fn what_is_frozen_is_unknown_to_every_reader() {
    let world = World::new();
    let (client, fails) = crate::ledgers::faulty(&world);
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    world.freeze();
    for busy in [false, true] {
        crate::ledgers::set(&fails.claim_before, busy);
        let result = client.charge(charge("r1")).await;
        let Ok(Outcome::Unknown(unknown)) = &result else {
            panic!("{}", word(&result))
        };
        assert_eq!(unknown.doubt, Doubt::Frozen);
    }
}
