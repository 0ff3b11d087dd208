use serde_json::json;

use crate::EffectKind::{Authorize, Capture, Charge, Void};
use crate::Fault;
use crate::testing::{AUTHORIZE, Answer, Bench, CHARGE, PAYMENTS};

fn authorized(bench: &mut Bench) -> String {
    bench.post(PAYMENTS, "authorize", AUTHORIZE).id()
}

fn act(bench: &mut Bench, id: &str, verb: &str, key: &str, form: &str) -> Answer {
    bench.post(&format!("{PAYMENTS}/{id}/{verb}"), key, form)
}

#[test]
fn a_capture_takes_what_was_reserved() {
    let mut bench = Bench::new();
    let id = authorized(&mut bench);
    let answer = act(&mut bench, &id, "capture", "c", "");
    assert_eq!(answer.json["status"], "succeeded");
    assert_eq!(answer.json["amount_received"], 1099);
    assert_eq!(answer.json["amount_capturable"], 0);
    assert_eq!(bench.moved(), [(Authorize, 1099), (Capture, 1099)]);
    let effect = &bench.world.effects()[1];
    assert_eq!(
        (effect.key.as_deref(), effect.payment_id.as_deref()),
        (Some("c"), Some(&*id))
    );
}

#[test]
fn a_partial_capture_releases_the_rest() {
    let mut bench = Bench::new();
    let id = authorized(&mut bench);
    let form = "amount_to_capture=750&metadata[capture]=c-1&metadata[order]=";
    let answer = act(&mut bench, &id, "capture", "c", form);
    assert_eq!(answer.json["status"], "succeeded");
    assert_eq!(answer.json["amount"], 1099);
    assert_eq!(answer.json["amount_received"], 750);
    assert_eq!(answer.json["metadata"], json!({ "capture": "c-1" }));
    assert_eq!(bench.moved(), [(Authorize, 1099), (Capture, 750)]);
    assert_eq!(bench.world.effects_for("c-1").len(), 1);
    let again = act(&mut bench, &id, "capture", "d", "amount_to_capture=349");
    assert_eq!(again.refused(), (400, "payment_intent_unexpected_state"));
}

#[test]
fn a_second_capture_is_refused_and_shows_the_payment() {
    let mut bench = Bench::new();
    let id = authorized(&mut bench);
    act(&mut bench, &id, "capture", "c", "");
    let again = act(&mut bench, &id, "capture", "d", "");
    assert_eq!(again.refused(), (400, "payment_intent_unexpected_state"));
    let error = &again.json["error"];
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("already been captured")
    );
    assert_eq!(error["payment_intent"]["amount_received"], 1099);
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn a_capture_is_refused_if_it_is_too_much_or_nothing_is_reserved() {
    let mut bench = Bench::new();
    let id = authorized(&mut bench);
    let answer = act(&mut bench, &id, "capture", "a", "amount_to_capture=1100");
    assert_eq!(answer.refused(), (400, "amount_too_large"));
    let answer = act(&mut bench, &id, "capture", "b", "amount_to_capture=0");
    assert_eq!(answer.refused(), (400, "parameter_invalid_integer"));
    let answer = act(&mut bench, &id, "capture", "c", "final_capture=false");
    assert_eq!(answer.status, 400);
    let unpaid = "amount=1099&currency=usd&payment_method_types[]=card";
    let unpaid = bench.post(PAYMENTS, "d", unpaid).id();
    let answer = act(&mut bench, &unpaid, "capture", "e", "");
    assert_eq!(answer.refused(), (400, "payment_intent_unexpected_state"));
    assert_eq!(bench.moved(), [(Authorize, 1099)]);
}

#[test]
fn a_capture_can_fail_or_take_its_time() {
    let mut bench = Bench::new();
    let id = authorized(&mut bench);
    bench.world.push_fault(Fault::Decline {
        code: "capture_charge_authorization_expired".to_owned(),
        decline_code: None,
    });
    assert_eq!(act(&mut bench, &id, "capture", "a", "").status, 402);
    bench.world.push_fault(Fault::Processing);
    let answer = act(&mut bench, &id, "capture", "b", "amount_to_capture=500");
    assert_eq!(answer.json["status"], "processing");
    assert_eq!(bench.moved(), [(Authorize, 1099)]);
    bench.stripe(|stripe| stripe.settle(&id, true)).unwrap();
    assert_eq!(bench.moved(), [(Authorize, 1099), (Capture, 500)]);
}

#[test]
fn canceling_an_authorization_is_a_void_and_canceling_an_open_payment_is_no_effect() {
    let mut bench = Bench::new();
    let id = authorized(&mut bench);
    let form = "cancellation_reason=requested_by_customer";
    let answer = act(&mut bench, &id, "cancel", "a", form);
    assert_eq!(answer.json["status"], "canceled");
    assert_eq!(answer.json["cancellation_reason"], "requested_by_customer");
    assert_eq!(answer.json["amount_capturable"], 0);
    assert_eq!(bench.moved(), [(Authorize, 1099), (Void, 1099)]);

    let open = CHARGE.replace("pm_card_visa", "pm_card_threeDSecureRequired");
    let open = bench.post(PAYMENTS, "b", &open).id();
    assert_eq!(
        act(&mut bench, &open, "cancel", "c", "").json["status"],
        "canceled"
    );
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn what_is_paid_canceled_or_processing_cannot_be_canceled() {
    let mut bench = Bench::new();
    let paid = bench.charged("a");
    let canceled = authorized(&mut bench);
    act(&mut bench, &canceled, "cancel", "b", "");
    bench.world.push_fault(Fault::Processing);
    let processing = bench.charged("c");
    for id in [paid, canceled, processing] {
        let answer = act(&mut bench, &id, "cancel", &id, "");
        assert_eq!(
            answer.refused(),
            (400, "payment_intent_unexpected_state"),
            "{id}"
        );
    }
    assert_eq!(
        bench.moved(),
        [(Charge, 1099), (Authorize, 1099), (Void, 1099)]
    );
}

#[test]
fn an_authorization_lives_out_by_itself() {
    let mut bench = Bench::new();
    let id = authorized(&mut bench);
    bench.wait(7 * 24 * 3600 - 1);
    let path = format!("{PAYMENTS}/{id}?expand[]=latest_charge");
    let shown = bench.get(&path);
    assert_eq!(shown.json["status"], "requires_capture");
    let details = &shown.json["latest_charge"]["payment_method_details"];
    assert_eq!(
        details["card"]["capture_before"],
        1_800_000_000 + 7 * 24 * 3600
    );
    bench.wait(1);
    assert_eq!(bench.get(&path).json["status"], "canceled");
    assert_eq!(act(&mut bench, &id, "capture", "c", "").status, 400);
    assert_eq!(
        bench.moved(),
        [(Authorize, 1099)],
        "nobody asked for a void"
    );
}

#[test]
fn unknown_ids_and_those_of_others_are_missing() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    bench.secret = "sk_live_shop".to_owned();
    let others = [
        id.as_str(),
        "pi_sim_1",
        "pi_sim_000099",
        "pi_1\u{7f}",
        "ch_sim_000001",
    ];
    for id in others {
        let path = format!("{PAYMENTS}/{id}");
        assert_eq!(
            bench.get(&path).refused(),
            (404, "resource_missing"),
            "{id}"
        );
        let answer = act(&mut bench, id, "cancel", id, "");
        assert_eq!(answer.status, 404, "{id}");
    }
}
