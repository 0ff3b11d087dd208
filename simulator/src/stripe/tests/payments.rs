use serde_json::json;

use crate::EffectKind::{Authorize, Charge};
use crate::stripe::{NextAction, PaymentIntentStatus};
use crate::testing::{AUTHORIZE, Bench, CHARGE, PAYMENTS};
use crate::{ActionKind, Fault};

fn with_card(card: &str) -> String {
    CHARGE.replace("pm_card_visa", card)
}

#[test]
fn a_charge_shows_what_was_paid_and_is_one_effect() {
    let mut bench = Bench::new();
    let answer = bench.post(PAYMENTS, "k", CHARGE);
    let payment = &answer.json;
    assert_eq!(payment["object"], "payment_intent");
    assert_eq!(payment["status"], "succeeded");
    assert_eq!(payment["amount"], 1099);
    assert_eq!(payment["amount_received"], 1099);
    assert_eq!(payment["amount_capturable"], 0);
    assert_eq!(payment["currency"], "usd");
    assert_eq!(payment["metadata"], json!({ "order": "order-1" }));
    assert_eq!(payment["created"], 1_800_000_000);
    assert_eq!(payment["livemode"], false);
    assert_eq!(payment["latest_charge"], "ch_sim_000001");
    assert_eq!(answer.header("date"), Some("Fri, 15 Jan 2027 08:00:00 GMT"));

    let effects = bench.world.effects_for("order-1");
    assert_eq!(effects.len(), 1);
    let effect = &effects[0];
    assert_eq!(
        (effect.kind, effect.amount, effect.currency.as_str()),
        (Charge, 1099, "usd")
    );
    assert_eq!(effect.provider_id, answer.id());
    assert_eq!(effect.key.as_deref(), Some("k"));
    assert_eq!((effect.request, effect.at), (Some(1), bench.now));
    assert!(
        bench.world.effects_for("order").is_empty(),
        "a reference is a whole value"
    );
}

#[test]
fn an_authorization_reserves_and_takes_nothing() {
    let mut bench = Bench::new();
    let answer = bench.post(PAYMENTS, "k", AUTHORIZE);
    assert_eq!(answer.json["status"], "requires_capture");
    assert_eq!(answer.json["amount_capturable"], 1099);
    assert_eq!(answer.json["amount_received"], 0);
    assert_eq!(bench.moved(), [(Authorize, 1099)]);
}

#[test]
fn a_decline_is_402_and_leaves_a_payment_that_can_be_tried_again() {
    let mut bench = Bench::new();
    let card = "pm_card_chargeDeclinedInsufficientFunds";
    let answer = bench.post(PAYMENTS, "k", &with_card(card));
    let error = &answer.json["error"];
    assert_eq!((answer.status, answer.error()), (402, "card_declined"));
    assert_eq!(error["type"], "card_error");
    assert_eq!(error["decline_code"], "insufficient_funds");
    assert_eq!(error["advice_code"], "try_again_later");
    assert_eq!(error["payment_intent"]["status"], "requires_payment_method");
    assert_eq!(
        error["payment_intent"]["last_payment_error"]["code"],
        "card_declined"
    );
    assert!(bench.moved().is_empty());

    let id = error["payment_intent"]["id"].as_str().unwrap();
    let shown = bench.get(&format!("{PAYMENTS}/{id}"));
    assert_eq!(
        shown.json["last_payment_error"]["decline_code"],
        "insufficient_funds"
    );
    let confirm = format!("{PAYMENTS}/{id}/confirm");
    let paid = bench.post(&confirm, "k2", "payment_method=pm_card_visa");
    assert_eq!(paid.json["status"], "succeeded");
    assert_eq!(paid.json["last_payment_error"], json!(null));
    assert_eq!(bench.world.effects_for("order-1").len(), 1);
}

#[test]
fn every_test_card_declines_as_documented_in_both_spellings() {
    let cards = [
        ("chargeDeclined", "card_declined", json!("generic_decline")),
        (
            "chargeDeclinedLostCard",
            "card_declined",
            json!("lost_card"),
        ),
        (
            "chargeDeclinedStolenCard",
            "card_declined",
            json!("stolen_card"),
        ),
        ("chargeDeclinedExpiredCard", "expired_card", json!(null)),
        ("chargeDeclinedIncorrectCvc", "incorrect_cvc", json!(null)),
        (
            "chargeDeclinedProcessingError",
            "processing_error",
            json!(null),
        ),
        ("radarBlock", "card_declined", json!("fraudulent")),
    ];
    let mut bench = Bench::new();
    for (card, code, decline_code) in cards {
        for prefix in ["pm_card_", "pm_card_visa_"] {
            let card = format!("{prefix}{card}");
            let answer = bench.post(PAYMENTS, &card, &with_card(&card));
            assert_eq!(answer.refused(), (402, code), "{card}");
            assert_eq!(answer.json["error"]["decline_code"], decline_code, "{card}");
        }
    }
    assert!(bench.moved().is_empty());
}

#[test]
fn three_d_secure_waits_for_the_customer() {
    let card = with_card("pm_card_threeDSecure2Required");
    let mut bench = Bench::new();
    let answer = bench.post(PAYMENTS, "k", &card);
    assert_eq!(answer.json["status"], "requires_action");
    assert_eq!(answer.json["next_action"]["type"], "use_stripe_sdk");
    assert!(
        answer.json["client_secret"]
            .as_str()
            .unwrap()
            .starts_with(&answer.id())
    );
    assert!(bench.moved().is_empty());

    let returning = format!("{card}&return_url=https://shop.example/back");
    let answer = bench.post(PAYMENTS, "k2", &returning);
    let action = &answer.json["next_action"];
    assert_eq!(action["type"], "redirect_to_url");
    assert_eq!(
        action["redirect_to_url"]["return_url"],
        "https://shop.example/back"
    );

    bench.wait(60);
    bench
        .stripe(|stripe| stripe.complete_action(&answer.id(), true))
        .unwrap();
    let shown = bench.get(&format!("{PAYMENTS}/{}", answer.id()));
    assert_eq!(shown.json["status"], "succeeded");
    assert_eq!(shown.json["next_action"], json!(null));
    let effect = &bench.world.effects()[0];
    assert_eq!(
        (effect.kind, effect.key.as_deref(), effect.request),
        (Charge, Some("k2"), None)
    );
    let twice = bench.stripe(|stripe| stripe.complete_action(&answer.id(), true));
    assert!(twice.unwrap_err().contains("succeeded"));
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn failed_three_d_secure_moves_nothing() {
    let mut bench = Bench::new();
    let id = bench
        .post(PAYMENTS, "k", &with_card("pm_card_authenticationRequired"))
        .id();
    bench
        .stripe(|stripe| stripe.complete_action(&id, false))
        .unwrap();
    let shown = bench.get(&format!("{PAYMENTS}/{id}"));
    assert_eq!(shown.json["status"], "requires_payment_method");
    let code = &shown.json["last_payment_error"]["code"];
    assert_eq!(code, "payment_intent_authentication_failure");
    assert!(bench.moved().is_empty());
}

#[test]
fn three_d_secure_without_a_customer_is_a_decline() {
    let mut bench = Bench::new();
    for option in ["off_session=true", "error_on_requires_action=true"] {
        let form = format!("{}&{option}", with_card("pm_card_threeDSecureRequired"));
        let answer = bench.post(PAYMENTS, option, &form);
        assert_eq!(
            answer.refused(),
            (402, "authentication_required"),
            "{option}"
        );
        let payment = &answer.json["error"]["payment_intent"];
        assert_eq!(payment["status"], "requires_payment_method");
    }
}

#[test]
fn faults_steer_a_payment_that_would_work() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::decline("do_not_honor"));
    let answer = bench.post(PAYMENTS, "a", CHARGE);
    assert_eq!(answer.refused(), (402, "card_declined"));
    assert_eq!(answer.json["error"]["decline_code"], "do_not_honor");

    bench.world.push_fault(Fault::RequireAction {
        kind: ActionKind::RedirectToUrl,
    });
    let answer = bench.post(PAYMENTS, "b", CHARGE);
    let action = bench.stripe(|stripe| {
        stripe
            .payment_intent(&answer.id())
            .and_then(|payment| payment.next_action.clone())
    });
    assert!(matches!(
        action,
        Some(NextAction::RedirectToUrl {
            return_url: None,
            ..
        })
    ));

    bench.world.push_fault(Fault::Processing);
    let answer = bench.post(PAYMENTS, "c", CHARGE);
    assert_eq!(answer.json["status"], "processing");
    assert!(bench.moved().is_empty());
    bench
        .stripe(|stripe| stripe.settle(&answer.id(), true))
        .unwrap();
    assert_eq!(bench.moved(), [(Charge, 1099)]);
}

#[test]
fn a_steering_fault_changes_nothing_about_a_replay() {
    let mut bench = Bench::new();
    bench.charged("k");
    bench.world.push_fault(Fault::decline("do_not_honor"));
    assert_eq!(
        bench.post(PAYMENTS, "k", CHARGE).json["status"],
        "succeeded"
    );
}

#[test]
fn a_payment_that_is_not_confirmed_waits() {
    let mut bench = Bench::new();
    let bare = "amount=1099&currency=usd&payment_method_types[]=card";
    let answer = bench.post(PAYMENTS, "a", bare);
    assert_eq!(answer.json["status"], "requires_payment_method");
    let confirm = format!("{PAYMENTS}/{}/confirm", answer.id());
    let missing = bench.post(&confirm, "b", "");
    assert_eq!(missing.refused(), (400, "payment_intent_unexpected_state"));
    assert_eq!(
        bench
            .post(&confirm, "c", "payment_method=pm_card_amex")
            .status,
        200
    );
    let again = bench.post(&confirm, "d", "payment_method=pm_card_amex");
    assert_eq!(again.refused(), (400, "payment_intent_unexpected_state"));
    assert_eq!(again.json["error"]["payment_intent"]["status"], "succeeded");

    let with_method = bench.post(
        PAYMENTS,
        "e",
        &format!("{bare}&payment_method=pm_card_visa"),
    );
    assert_eq!(with_method.json["status"], "requires_confirmation");
    assert_eq!(bench.moved(), [(Charge, 1099)]);
}

#[test]
fn planted_changes_show_and_move_nothing() {
    let mut bench = Bench::new();
    let id = bench.charged("k");
    bench.stripe(|stripe| {
        let payment = stripe.payment_intent_mut(&id).unwrap();
        payment.amount = 10_000;
        payment.currency = "eur".to_owned();
        payment.status = PaymentIntentStatus::Processing;
    });
    let shown = bench.get(&format!("{PAYMENTS}/{id}"));
    assert_eq!(shown.json["amount"], 10_000);
    assert_eq!(shown.json["currency"], "eur");
    assert_eq!(shown.json["status"], "processing");

    let copy = bench
        .stripe(|stripe| stripe.copy_payment_intent(&id))
        .unwrap();
    let shown = bench.get(&format!("{PAYMENTS}/{copy}"));
    assert_eq!(shown.json["metadata"]["order"], "order-1");
    assert_eq!(bench.moved(), [(Charge, 1099)]);
}
