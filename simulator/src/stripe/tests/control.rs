use http::Method;
use serde_json::{Value, json};

use crate::EffectKind::Charge;
use crate::testing::{Bench, CHARGE, PAYMENTS, REFUNDS};
use crate::{ControlCall, Fault};

fn call(bench: &mut Bench, method: Method, path: &str, body: Value) -> (u16, Value) {
    let mut call = ControlCall::new(method, path);
    call.body = body;
    let reply = bench.world.control("stripe", &call, bench.now);
    (reply.status.as_u16(), reply.body)
}

#[test]
fn payments_are_listed_and_changed() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let (status, listed) = call(&mut bench, Method::GET, "payment_intents", Value::Null);
    assert_eq!(
        (status, &listed[0]["id"], &listed[0]["account"]),
        (200, &json!(id), &json!("acct_shop"))
    );

    let path = format!("payment_intents/{id}");
    let change = json!({ "amount": 10_000, "currency": "eur", "status": "processing", "metadata": { "order": "x" } });
    assert_eq!(call(&mut bench, Method::PATCH, &path, change).0, 200);
    let shown = bench.get(&format!("{PAYMENTS}/{id}"));
    assert_eq!(
        (&shown.json["amount"], &shown.json["status"]),
        (&json!(10_000), &json!("processing"))
    );
    let found = bench.get("/v1/payment_intents/search?query=metadata['order']:'x'");
    assert_eq!(found.json["data"][0]["id"], json!(id));
}

#[test]
fn a_wrong_patch_changes_nothing_and_says_why() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let path = format!("payment_intents/{id}");
    let wrong = [
        (
            json!({ "amount": 1, "status": "half_settled" }),
            "half_settled",
        ),
        (json!({ "amount": 1, "colour": "red" }), "amount_received"),
        (json!({ "amount": "1" }), "amount"),
        (json!([]), "JSON object"),
        (Value::Null, "JSON object"),
    ];
    for (change, hint) in wrong {
        let (status, body) = call(&mut bench, Method::PATCH, &path, change);
        assert_eq!(status, 400);
        assert!(body["error"].as_str().unwrap().contains(hint), "{body}");
    }
    assert_eq!(bench.get(&format!("{PAYMENTS}/{id}")).json["amount"], 1099);
}

#[test]
fn the_customer_acts_and_a_payment_settles() {
    let mut bench = Bench::new();
    let form = CHARGE.replace("pm_card_visa", "pm_card_threeDSecureRequired");
    let id = bench.post(PAYMENTS, "a", &form).id();
    let path = format!("payment_intents/{id}/complete_action");
    bench.wait(60);
    assert_eq!(call(&mut bench, Method::POST, &path, Value::Null).0, 400);
    let (status, payment) = call(&mut bench, Method::POST, &path, json!({ "passed": true }));
    assert_eq!((status, &payment["status"]), (200, &json!("succeeded")));
    assert_eq!(
        call(&mut bench, Method::POST, &path, json!({ "passed": true })).0,
        400
    );

    bench.world.push_fault(Fault::Processing);
    let id = bench.charged("b");
    let path = format!("payment_intents/{id}/settle");
    let (_, payment) = call(
        &mut bench,
        Method::POST,
        &path,
        json!({ "succeeded": false }),
    );
    assert_eq!(payment["status"], "requires_payment_method");
    assert_eq!(bench.moved(), [(Charge, 1099)]);
    assert_eq!(bench.world.effects()[0].at, bench.now);
}

#[test]
fn copies_refunds_settings_and_keys() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let (_, copy) = call(
        &mut bench,
        Method::POST,
        &format!("payment_intents/{id}/copy"),
        Value::Null,
    );
    assert_eq!(copy["id"], "pi_sim_000002");
    let refund = bench
        .post(REFUNDS, "b", &format!("payment_intent={id}"))
        .id();
    let path = format!("refunds/{refund}");
    let (_, failed) = call(
        &mut bench,
        Method::PATCH,
        &path,
        json!({ "status": "failed" }),
    );
    assert_eq!(failed["status"], "failed");
    assert_eq!(
        call(
            &mut bench,
            Method::PATCH,
            &path,
            json!({ "status": "lost" })
        )
        .0,
        400
    );

    let settings = json!({ "key_life_seconds": 10, "search_lag_seconds": 5 });
    let (_, now) = call(&mut bench, Method::POST, "settings", settings);
    assert_eq!(
        (&now["key_life_seconds"], &now["search_lag_seconds"]),
        (&json!(10), &json!(5))
    );
    assert_eq!(
        call(
            &mut bench,
            Method::POST,
            "settings",
            json!({ "key_life": 1 })
        )
        .0,
        400
    );
    assert_eq!(
        call(
            &mut bench,
            Method::POST,
            "settings",
            json!({ "search_lag_seconds": -1 })
        )
        .0,
        400
    );

    call(&mut bench, Method::POST, "forget_keys", Value::Null);
    assert_eq!(bench.stripe(|stripe| stripe.remembered_keys()), 0);
}

#[test]
fn what_is_not_there_lists_what_is() {
    let mut bench = Bench::new();
    let (status, body) = call(&mut bench, Method::GET, "customers", Value::Null);
    assert_eq!(status, 404);
    assert!(body["error"].as_str().unwrap().contains("complete_action"));
    let (status, body) = call(
        &mut bench,
        Method::POST,
        "payment_intents/pi_1/copy",
        Value::Null,
    );
    assert_eq!(status, 400);
    assert!(body["error"].as_str().unwrap().contains("pi_1"));
    let call = ControlCall::new(Method::GET, "x");
    assert_eq!(
        bench
            .world
            .control("adyen", &call, bench.now)
            .status
            .as_u16(),
        404
    );
}
