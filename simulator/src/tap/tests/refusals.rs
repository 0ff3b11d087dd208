//! What is refused, and in which words.

use super::*;
use crate::{ControlCall, Fault, RateLimit};

#[test]
fn only_a_secret_key_is_let_in() {
    let mut bench = Bench::with(Config::default().secret("sk_test_a"));
    let body = payment("tok_visa", "k1");
    for (secret, expected) in [
        ("sk_test_b", "2104"),
        ("sk_test_", "2104"),
        ("pk_test_a", "2106"),
        ("", "2104"),
    ] {
        bench.secret = secret;
        assert_eq!(
            code(&bench.post("/v2/charges/", &body)),
            (401, expected),
            "{secret}"
        );
    }
    let bare = Request::new(Method::POST, "/v2/charges/").with_body(body.to_string());
    assert_eq!(code(&bench.send(bare)), (401, "2107"));
    bench.secret = "sk_test_a";
    bench.post("/v2/charges/", &body);
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn a_payment_must_be_whole() {
    let mut bench = Bench::new();
    for (pointer, value, expected) in [
        ("/amount", Value::Null, "1117"),
        ("/amount", json!("100.00"), "1117"),
        ("/amount", json!(100.005), "1117"),
        ("/amount", json!(-1), "1117"),
        ("/currency", json!("sar"), "1118"),
        ("/customer", Value::Null, "1129"),
        ("/customer/first_name", Value::Null, "1130"),
        ("/customer/email", Value::Null, "1139"),
        ("/source", Value::Null, "1124"),
        ("/source/id", json!("tok_unheard_of"), "1125"),
        ("/redirect", Value::Null, "1110"),
        ("/redirect/url", json!("shop.example"), "1111"),
        ("/reference/transaction", json!("x".repeat(100)), "1123"),
        ("/customer_initiated", json!(false), "1216"),
        ("/threeDSecure", json!("true"), "1103"),
    ] {
        let mut body = payment("tok_visa", "k1");
        *body.pointer_mut(pointer).expect("a field") = value;
        assert_eq!(
            code(&bench.post("/v2/charges/", &body)),
            (400, expected),
            "{pointer}"
        );
    }
    let mut strange = payment("tok_visa", "k1");
    strange["cvc"] = json!("123");
    assert_eq!(code(&bench.post("/v2/charges/", &strange)), (400, "1103"));
    let plain = bench.post_request("/v2/charges/", &payment("tok_visa", "k1"));
    let plain = plain.with_body("amount=1");
    assert_eq!(code(&bench.send(plain)), (400, "2100"));
    assert_eq!(bench.moved(), []);
}

#[test]
fn a_refund_needs_a_reason_and_its_own_currency() {
    let mut bench = Bench::new();
    let charge = bench.charged("k1");
    for (name, value, expected) in [
        ("reason", Value::Null, (400, "1156")),
        ("currency", json!("USD"), (400, "1149")),
        ("charge_id", json!("chg_1"), (404, "1144")),
    ] {
        let mut body = refund(&charge, 30, "k2");
        body[name] = value;
        assert_eq!(code(&bench.post("/v2/refunds/", &body)), expected, "{name}");
    }
}

#[test]
fn faults_speak_as_tap_does_and_move_nothing() {
    let mut bench = Bench::new();
    let body = payment("tok_visa", "k1");
    let (kind, retry_after) = (RateLimit::RateLimit, Some("7".to_owned()));
    for (fault, expected) in [
        (Fault::KeyInUse, (409, "1103")),
        (Fault::RateLimited { kind, retry_after }, (429, "2101")),
        (Fault::Unauthorized, (401, "2104")),
        (Fault::server_error(503, crate::When::Before), (503, "2101")),
    ] {
        bench.world.push_fault(fault);
        assert_eq!(code(&bench.post("/v2/charges/", &body)), expected);
    }
    bench.world.push_fault(Fault::KeyReused);
    let duplicate = bench.post("/v2/charges/", &body);
    assert_eq!(
        (duplicate.status, &duplicate.json["response"]["code"]),
        (200, &json!("403"))
    );
    assert_eq!(duplicate.json["reference"], json!({ "transaction": "k1" }));
    assert_eq!(bench.moved(), []);
}

#[test]
fn an_unknown_address_says_what_there_is() {
    let mut bench = Bench::new();
    assert_eq!(code(&bench.get("/v2/tokens/tok_1")), (404, "2102"));
    assert_eq!(
        code(&bench.post("/v2/charges/chg_1/cancel", &json!({}))),
        (404, "2102")
    );
}

#[test]
fn the_control_api_shows_and_changes() {
    let mut bench = Bench::new();
    let id = bench.post("/v2/charges/", &payment("tok_3ds", "k1")).id();
    let mut control = |path: &str, body: Value| {
        let mut call = ControlCall::new(Method::POST, path);
        call.body = body;
        let reply = bench.world.control("tap", &call, bench.now);
        (reply.status.as_u16(), reply.body)
    };
    let (status, shown) = control(
        &format!("objects/{id}/complete_action"),
        json!({ "passed": true }),
    );
    assert_eq!((status, &shown["account"]), (200, &json!("merchant_shop")));
    assert_eq!(shown["status"], "CAPTURED");
    assert_eq!(
        control(
            &format!("objects/{id}/settle"),
            json!({ "succeeded": true })
        )
        .0,
        400
    );
    assert_eq!(control(&format!("objects/{id}/copy"), Value::Null).0, 200);
    assert_eq!(control("settings", json!({ "key_life_seconds": 1 })).0, 200);
    assert_eq!(control("settings", json!({ "key_live_seconds": 1 })).0, 400);
    assert_eq!(control("keys/forget", Value::Null).0, 200);
    assert_eq!(control("else", Value::Null).0, 404);
    assert_eq!(bench.moved().len(), 1);
    bench.charged("k1");
    assert_eq!(bench.moved().len(), 2);
}
