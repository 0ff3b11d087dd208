use serde_json::json;

use super::*;
use crate::ControlCall;
use crate::EffectKind::Charge;

fn call(bench: &mut Bench, method: Method, path: &str, body: Value) -> (u16, Value) {
    let mut call = ControlCall::new(method, path);
    call.body = body;
    let reply = bench.world.control("moyasar", &call, bench.now);
    (reply.status.as_u16(), reply.body)
}

#[test]
fn payments_are_listed_and_changed() {
    let mut bench = Bench::new();
    bench.charged(ID);
    let (status, listed) = call(&mut bench, Method::GET, "payments", Value::Null);
    assert_eq!((status, &listed[0]["id"]), (200, &json!(ID)));
    assert_eq!(listed[0]["account"], "merchant_shop");
    assert_eq!(listed[0]["live"], false);

    bench.wait(60);
    let path = format!("payments/{ID}");
    let change = json!({
        "amount": 5, "currency": "USD", "status": "voided", "captured": 2, "refunded": 1,
        "metadata": { "order": "x" },
    });
    let (status, patched) = call(&mut bench, Method::PATCH, &path, change.clone());
    assert_eq!(status, 200);
    let read = bench.read(ID);
    for (name, value) in change.as_object().unwrap() {
        assert_eq!((&patched[name], &read[name]), (value, value), "{name}");
    }
    for time in ["captured_at", "refunded_at", "voided_at", "updated_at"] {
        assert_eq!(read[time], "2027-01-15T08:01:00.000Z", "{time}");
    }
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}

#[test]
fn a_wrong_patch_changes_nothing_and_says_why() {
    let mut bench = Bench::new();
    bench.charged(ID);
    let path = format!("payments/{ID}");
    for (change, hint) in [
        (
            json!({ "amount": 1, "status": "half_settled" }),
            "half_settled",
        ),
        (json!({ "amount": 1, "colour": "red" }), "refunded"),
        (json!({ "amount": "1" }), "amount"),
        (json!({ "metadata": 7 }), "metadata"),
        (json!([]), "JSON object"),
    ] {
        let (status, body) = call(&mut bench, Method::PATCH, &path, change);
        assert_eq!(status, 400);
        assert!(body["error"].as_str().unwrap().contains(hint), "{body}");
    }
    assert_eq!(bench.read(ID)["amount"], 10_000);
}

#[test]
fn the_customer_acts_a_payment_settles_and_is_copied() {
    let mut bench = Bench::new();
    bench.create(&with_token(ID, "token_3ds"));
    let act = format!("payments/{ID}/complete_action");
    assert_eq!(call(&mut bench, Method::POST, &act, Value::Null).0, 400);
    let (status, payment) = call(&mut bench, Method::POST, &act, json!({ "passed": true }));
    assert_eq!((status, &payment["status"]), (200, &json!("paid")));
    assert_eq!(
        call(&mut bench, Method::POST, &act, json!({ "passed": true })).0,
        400
    );

    bench.world.push_fault(crate::Fault::Processing);
    bench.charged(OTHER_ID);
    let settle = format!("payments/{OTHER_ID}/settle");
    let (_, payment) = call(
        &mut bench,
        Method::POST,
        &settle,
        json!({ "succeeded": false }),
    );
    assert_eq!(payment["status"], "failed");

    let copy = format!("payments/{ID}/copy");
    let (_, payment) = call(&mut bench, Method::POST, &copy, Value::Null);
    assert_ne!(payment["id"], ID);
    assert_eq!(payment["metadata"]["order"], "order-1");
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}

#[test]
fn settings_are_changed_all_or_none_and_outlive_a_reset() {
    let mut bench = Bench::new();
    let settings = json!({
        "repeat": "stored", "page_size": 3, "read_lag_seconds": 0,
        "settlement_seconds": 1, "authorization_life_seconds": 2,
    });
    let (status, now) = call(&mut bench, Method::POST, "settings", settings.clone());
    assert_eq!((status, &now), (200, &settings));
    for wrong in [
        json!({ "page_size": 9, "repeat": "always" }),
        json!({ "page_size": 0 }),
        json!({ "page_size": 9, "read_lag_seconds": -1 }),
        json!({ "page_size": 9, "read_lag": 1 }),
    ] {
        let (status, body) = call(&mut bench, Method::POST, "settings", wrong);
        assert_eq!(status, 400);
        assert!(
            body["error"].as_str().unwrap().contains("read_lag_seconds"),
            "{body}"
        );
    }
    bench.charged(ID);
    bench.world.reset();
    assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, 404);
    let (_, kept) = call(&mut bench, Method::POST, "settings", json!({}));
    assert_eq!(kept, settings);
    assert_eq!(bench.charged(ID).status, 201);
    assert_eq!(bench.charged(ID).status, 200, "stored");
}

#[test]
fn what_is_not_there_lists_what_is() {
    let mut bench = Bench::new();
    let (status, body) = call(&mut bench, Method::GET, "tokens", Value::Null);
    assert_eq!(status, 404);
    assert!(body["error"].as_str().unwrap().contains("complete_action"));
    let path = format!("payments/{ID}/copy");
    let (status, body) = call(&mut bench, Method::POST, &path, Value::Null);
    assert_eq!(status, 400);
    assert!(body["error"].as_str().unwrap().contains(ID));
}
