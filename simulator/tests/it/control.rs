//! The control API.

use payonce_simulator::Running;
use serde_json::{Value, json};

use crate::client::{call, charge, exchange, send, start};

fn ok(simulator: &Running, method: &str, path: &str, body: &Value) -> Value {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let answer = call(simulator, method, path, &body);
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[test]
fn faults_are_planted_listed_and_dropped() {
    let simulator = start();
    let planted = json!([
        { "fault": "key_in_use", "times": 2 },
        { "fault": "reply_lost", "when": "after", "how": "rst", "match": { "contains": "key-9" } },
    ]);
    let answer = ok(&simulator, "POST", "/control/faults", &planted);
    assert_eq!(answer, json!({ "planted": [1, 2] }));
    assert_eq!(exchange(&simulator, &charge("k")).status, 409);

    let listed = ok(&simulator, "GET", "/control/faults", &Value::Null);
    assert_eq!(
        (&listed[0]["fault"], &listed[0]["times"]),
        (&json!("key_in_use"), &json!(1))
    );
    assert_eq!(listed[1]["match"]["contains"], "key-9");
    ok(&simulator, "DELETE", "/control/faults", &Value::Null);
    assert_eq!(exchange(&simulator, &charge("k")).status, 200);

    ok(&simulator, "POST", "/control/faults", &planted[1]);
    assert!(send(&simulator, &charge("key-9")).read_to_end().is_err());
}

#[test]
fn a_wrong_fault_plants_nothing_and_says_why() {
    let simulator = start();
    for (body, hint) in [
        (
            r#"[{"fault":"key_in_use"},{"fault":"key_in_us"}]"#,
            "key_in_us",
        ),
        (r#"{"fault":"hold"}"#, "ms"),
        ("fault=hold", "not JSON"),
        ("", "not JSON"),
    ] {
        let answer = call(&simulator, "POST", "/control/faults", body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(
            answer.json()["error"].as_str().unwrap().contains(hint),
            "{answer:?}"
        );
    }
    assert!(simulator.faults().list().is_empty());
}

#[test]
fn effects_and_requests_are_read() {
    let simulator = start();
    exchange(&simulator, &charge("k"));
    let effects = ok(&simulator, "GET", "/control/effects", &Value::Null);
    assert_eq!(effects[0]["kind"], "charge");
    assert_eq!(effects[0]["amount"], 1099);
    assert_eq!(effects[0]["key"], "k");
    assert_eq!(effects[0]["fields"]["order"], "order-1");
    assert!(effects[0]["at_ms"].is_i64());
    let found = ok(
        &simulator,
        "GET",
        "/control/effects?reference=order%2D1",
        &Value::Null,
    );
    assert_eq!(found, effects);
    let none = ok(
        &simulator,
        "GET",
        "/control/effects?reference=order-2",
        &Value::Null,
    );
    assert_eq!(none, json!([]));

    let requests = ok(&simulator, "GET", "/control/requests", &Value::Null);
    assert_eq!(
        requests.as_array().map(Vec::len),
        Some(1),
        "control calls are not in it"
    );
    assert_eq!(requests[0]["path"], "/v1/payment_intents");
    assert_eq!(
        (&requests[0]["status"], &requests[0]["fault"]),
        (&json!(200), &Value::Null)
    );
    assert!(
        requests[0]["body"]
            .as_str()
            .unwrap()
            .contains("amount=1099")
    );
    let idempotency_key = json!(["Idempotency-Key", "k"]);
    assert!(
        requests[0]["headers"]
            .as_array()
            .unwrap()
            .contains(&idempotency_key)
    );
}

#[test]
fn effects_read_over_http_are_the_same_as_in_process() {
    let simulator = start();
    simulator
        .clock()
        .set(std::time::UNIX_EPOCH + std::time::Duration::from_millis(1_700_000_000_123));
    exchange(&simulator, &charge("k"));
    let body = call(&simulator, "GET", "/control/effects", "").body;
    let mut effects: Vec<payonce_simulator::Effect> = serde_json::from_str(&body).unwrap();
    let mut own = simulator.effects();
    for effect in effects.iter_mut().chain(&mut own) {
        effect.at = std::time::UNIX_EPOCH; // whole milliseconds over HTTP
    }
    assert_eq!(effects, own);
}

#[test]
fn the_clock_is_set_and_advanced() {
    let simulator = start();
    let set = ok(
        &simulator,
        "POST",
        "/control/clock",
        &json!({ "set": 1_700_000_000_000_i64 }),
    );
    let now = set["now_ms"].as_i64().unwrap();
    assert!((1_700_000_000_000..1_700_000_060_000).contains(&now));
    ok(
        &simulator,
        "POST",
        "/control/clock",
        &json!({ "advance_ms": 86_400_000 }),
    );
    let later = ok(&simulator, "GET", "/control/clock", &Value::Null);
    assert!(later["now_ms"].as_i64().unwrap() >= now + 86_400_000);
    for wrong in [
        json!({}),
        json!({ "set": "now" }),
        json!({ "advance_ms": -1 }),
    ] {
        let answer = call(&simulator, "POST", "/control/clock", &wrong.to_string());
        assert_eq!(answer.status, 400);
        assert!(
            answer.json()["error"]
                .as_str()
                .unwrap()
                .contains("advance_ms")
        );
    }
}

#[test]
fn a_gateways_own_calls_are_reached() {
    let simulator = start();
    let id = exchange(&simulator, &charge("k")).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/control/stripe/payment_intents/{id}");
    let patched = ok(&simulator, "PATCH", &path, &json!({ "amount": 5 }));
    assert_eq!(patched["amount"], 5);
    let broken = call(&simulator, "PATCH", &path, "{");
    assert_eq!(broken.status, 400);
    assert_eq!(call(&simulator, "GET", "/control/adyen/x", "").status, 404);
    let reset = call(&simulator, "POST", "/control/reset", "");
    assert_eq!(reset.status, 200);
    assert!(simulator.effects().is_empty());
}

#[test]
fn what_is_not_there_says_where_to_look() {
    let simulator = start();
    for (method, path) in [
        ("GET", "/controls"),
        ("PUT", "/control/faults"),
        ("GET", "/control/release"),
        ("POST", "/nobody/v1/payments"),
        ("POST", "/control/stripe"),
    ] {
        let answer = call(&simulator, method, path, "");
        assert_eq!(answer.status, 404, "{method} {path}");
        assert!(
            answer.json()["error"].as_str().unwrap().contains("GET /"),
            "{answer:?}"
        );
    }
}
