//! Reading the answer.

use payonce::{Currency, Doubt, Intent, Outcome, Source};
use payonce_simulator::{ActionKind, CutBody, Fault, Tamper, When};

use crate::world::{World, assert_word, charge, money};

/// A page of HTML is no answer: neither success nor failure, and never an error without a row.
#[tokio::test]
async fn c36_html_is_never_a_definite_answer() {
    for status in [502, 503, 504, 500, 403, 200] {
        for when in [When::Before, When::After] {
            let world = World::new();
            world.fault(Fault::Html {
                status,
                size: 20_000,
                when,
            });
            let result = world.blind_client().charge(charge("r1")).await;
            assert_word(&result, "unknown");
            let Ok(Outcome::Unknown(unknown)) = result else {
                panic!("{result:?}")
            };
            let expected = match status {
                403 => Doubt::Blocked { status },
                200 => Doubt::Unreadable {
                    status: Some(status),
                },
                _ => Doubt::ServerError { status },
            };
            assert_eq!(unknown.doubt, expected);
            assert!(unknown.doubt.to_string().chars().count() < 300);
            let kept: i64 = world.sql("SELECT max(length(body)) FROM reply");
            assert!(kept <= 2_000, "an excerpt is kept, not the page");

            // The same intent settles it, and the money has moved once.
            world.gateway.faults().clear();
            assert_word(&world.client().charge(charge("r1")).await, "succeeded");
            assert_eq!((world.effects("r1"), world.keys().len()), (1, 1));
        }
    }
}

/// A success whose JSON ends in the middle is sent again with the same key, and read whole.
#[tokio::test]
async fn c37_a_cut_success_is_asked_for_again() {
    for how in [
        CutBody::CleanEnd,
        CutBody::ShortOfLength,
        CutBody::NoLastChunk,
    ] {
        let world = World::new();
        world.fault(Fault::CutBody {
            how,
            keep: Some(30),
        });
        assert_word(&world.client().charge(charge("r1")).await, "succeeded");
        assert_eq!((world.sent().len(), world.keys().len()), (2, 1));
        assert_eq!(world.effects("r1"), 1);
    }
}

/// A success with unrelated surprises is still a success.
#[tokio::test]
async fn c39_only_the_fields_that_decide_are_needed() {
    for tamper in [
        Tamper::set("/latest_charge", serde_json::Value::Null),
        Tamper::remove("/latest_charge")
            .and_remove("/client_secret")
            .and_remove("/created"),
        Tamper::set(
            "/charges",
            serde_json::json!({"data": [{"type": "brand_new"}]}),
        ),
        Tamper::set("/amount", "48000").and_set("/amount_received", "48000"),
        Tamper::set("/payment_method", serde_json::json!({"id": 7})).and_set("/livemode", "no"),
    ] {
        let world = World::new();
        world.fault(Fault::Tamper(tamper));
        assert_word(&world.client().charge(charge("r1")).await, "succeeded");
        assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
    }
}

/// A state that we do not know is kept as it came, and settles nothing.
#[tokio::test]
async fn c39_an_unknown_status_is_unknown_and_keeps_its_name() {
    let world = World::new();
    world.fault(Fault::Tamper(Tamper::set("/status", "half_settled")));
    let result = world.blind_client().charge(charge("r1")).await;
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    let code = Some("half_settled".to_owned());
    assert_eq!(unknown.doubt, Doubt::Undocumented { status: 200, code });
    // The look-up starts at the object that the reply named.
    assert!(
        unknown
            .provider_id
            .as_ref()
            .is_some_and(|id| id.starts_with("pi_"))
    );
    assert_eq!(world.state("r1"), "unknown");
}

/// Multiplying on the way out and dividing on the way back agree with each other while the
/// customer pays a hundredfold. So the wire is compared with a known answer.
#[tokio::test]
async fn c43_the_wire_amount_is_right_and_another_one_in_the_answer_is_held() {
    let yen =
        || Intent::charge("r1", money("100", Currency::JPY)).source(Source::token("pm_card_visa"));
    let world = World::new();
    assert_word(&world.client().charge(yen()).await, "succeeded");
    assert_eq!(world.sent()[0].form_value("amount").as_deref(), Some("100"));

    for tamper in [
        Tamper::set("/amount", 10_000),
        Tamper::set("/amount_received", 10_000),
        Tamper::set("/currency", "usd"),
    ] {
        let world = World::new();
        world.fault(Fault::Tamper(tamper));
        let result = world.client().charge(yen()).await;
        let Ok(Outcome::Unknown(unknown)) = &result else {
            panic!("{result:?}")
        };
        let Doubt::Mismatch { sent, got, .. } = &unknown.doubt else {
            panic!("{unknown:?}")
        };
        assert_eq!(*sent, money("100", Currency::JPY));
        assert_ne!(Some(*sent), *got);
        assert_eq!(world.sql::<String>("SELECT kind FROM alarm"), "mismatch");
        assert_eq!(world.sent().len(), 1, "it is held, not repeated");
    }
}

/// An answer to somebody else's request settles nothing of ours.
#[tokio::test]
async fn a_reply_with_another_key_is_held_with_an_alarm() {
    let world = World::new();
    let theirs = Tamper::set("/metadata/payonce_key", "theirs")
        .and_header("idempotency-key", Some("theirs"));
    world.fault(Fault::Tamper(theirs));
    assert_word(&world.client().charge(charge("r1")).await, "unknown");
    assert_eq!(world.sql::<String>("SELECT kind FROM alarm"), "mismatch");
    assert_eq!(world.sent().len(), 1);
}

/// A reply that names no key is looked up by its id before it is believed.
#[tokio::test]
async fn a_reply_without_a_key_is_looked_up() {
    let nameless = || Tamper::remove("/metadata/payonce_key").and_header("idempotency-key", None);
    let world = World::new();
    world.fault(Fault::Tamper(nameless()));
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));

    let world = World::new();
    world.fault(Fault::Tamper(nameless()));
    let result = world.blind_client().charge(charge("r1")).await;
    let Ok(Outcome::Unknown(unknown)) = result else {
        panic!("{result:?}")
    };
    assert_eq!(unknown.doubt, Doubt::EchoMissing);
}

/// A decline is final: the same intent is answered from the ledger.
#[tokio::test]
async fn a_decline_is_final_and_is_not_asked_for_again() {
    let world = World::new();
    let client = world.client();
    let broke = || charge("r1").source(Source::token("pm_card_chargeDeclinedInsufficientFunds"));
    for _ in 0..2 {
        let result = client.charge(broke()).await;
        let Ok(Outcome::Declined(decline)) = result else {
            panic!("{result:?}")
        };
        assert_eq!(decline.refusal.code, "card_declined");
        assert_eq!(
            decline.refusal.reason.as_deref(),
            Some("insufficient_funds")
        );
        assert!(decline.refusal.provider_id.is_some());
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 0));
}

/// The gateway refuses the request itself: nothing moved, and a corrected one is attempt 2.
#[tokio::test]
async fn a_rejected_request_is_final_and_frees_the_reference() {
    let world = World::new();
    let client = world.client();
    let wrong = charge("r1").source(Source::token("pm_card_that_does_not_exist"));
    assert_word(&client.charge(wrong).await, "rejected");
    assert_word(&client.charge(charge("r1").attempt(2)).await, "succeeded");
    assert_eq!(world.effects("r1"), 1);
}

/// 3-D Secure: the page goes to the customer only after it is stored, and a later call finds what
/// the customer did.
#[tokio::test]
async fn a_required_action_is_stored_and_later_calls_look_up_what_became_of_it() {
    for kind in [ActionKind::RedirectToUrl, ActionKind::UseStripeSdk] {
        let world = World::new();
        world.fault(Fault::RequireAction { kind });
        let client = world.client();
        let intent = || charge("r1").return_url("https://shop.example/back");
        let result = client.charge(intent()).await;
        let Ok(Outcome::ActionRequired(action)) = result else {
            panic!("{result:?}")
        };
        assert_eq!(action.url.is_some(), kind == ActionKind::RedirectToUrl);
        assert_eq!(
            action.client_secret.is_some(),
            kind == ActionKind::UseStripeSdk
        );
        assert_eq!(world.state("r1"), "action_required");

        // The customer has not acted: the same page, no second charge.
        let again = client.charge(intent()).await;
        let Ok(Outcome::ActionRequired(same)) = again else {
            panic!("{again:?}")
        };
        assert_eq!(same.url, action.url);
        assert_eq!((world.sent().len(), world.effects("r1")), (1, 0));

        // A second card meanwhile is refused: the first page can still be paid.
        let second = client.charge(intent().attempt(2)).await;
        assert!(
            matches!(second, Err(payonce::Error::PriorAttemptOpen { .. })),
            "{second:?}"
        );

        complete(&world, &action.provider_id, true);
        assert_word(&client.charge(intent()).await, "succeeded");
        assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
    }
}

/// A customer who failed at the page may try again there, so the attempt is not over.
#[tokio::test]
async fn a_failed_page_stays_open_with_its_last_decline() {
    let world = World::new();
    world.fault(Fault::RequireAction {
        kind: ActionKind::RedirectToUrl,
    });
    let client = world.client();
    let intent = || charge("r1").return_url("https://shop.example/back");
    let Ok(Outcome::ActionRequired(action)) = client.charge(intent()).await else {
        panic!()
    };
    complete(&world, &action.provider_id, false);
    let result = client.charge(intent()).await;
    let Ok(Outcome::ActionRequired(action)) = result else {
        panic!("{result:?}")
    };
    assert!(action.last_decline.is_some());
    assert_eq!(world.state("r1"), "action_required");
}

/// What the gateway still works on is pending, and is looked up later.
#[tokio::test]
async fn a_pending_charge_is_looked_up_by_later_calls() {
    let world = World::new();
    world.fault(Fault::Processing);
    let client = world.client();
    assert_word(&client.charge(charge("r1")).await, "pending");
    assert_word(&client.charge(charge("r1")).await, "pending");
    assert_eq!(world.sent().len(), 1);
}

/// The customer acts on the gateway's page.
fn complete(world: &World, id: &str, success: bool) {
    let done = world
        .gateway
        .stripe(|stripe| stripe.complete_action(id, success))
        .unwrap();
    assert!(done.is_ok(), "{done:?}");
}
