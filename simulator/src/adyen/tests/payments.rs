//! Payments, and what the customer brings back.

use serde_json::json;

use super::*;
use crate::{Fault, When};

#[test]
fn a_charge_takes_the_money_and_an_authorization_reserves_it() {
    let mut bench = Bench::new();
    let answer = bench.post(PAYMENTS, "k1", &charge());
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("idempotency-key"), Some("k1"));
    assert_eq!(answer.json["merchantReference"], "ref-1");
    assert_eq!(
        answer.json["amount"],
        json!({ "currency": "EUR", "value": 1099 })
    );
    assert_eq!(id(&answer).len(), 16);
    bench.paid("k2", &authorize());
    let kinds = [(EffectKind::Charge, 1099), (EffectKind::Authorize, 1099)];
    assert_eq!(bench.moved(), kinds);
    let effect = &bench.world.effects()[0];
    assert!(effect.has_reference("order-1") && effect.has_reference("ref-1"));
    assert_eq!(
        (effect.account.as_str(), effect.key.as_deref()),
        ("AcmeECOM", Some("k1"))
    );
}

/// The text "true" only: whoever sends the JSON word is told so, and nothing is charged.
#[test]
fn capture_by_hand_is_a_text() {
    let mut bench = Bench::new();
    let mut body = authorize();
    body["additionalData"]["manualCapture"] = json!(true);
    assert_eq!(refused(&bench.post(PAYMENTS, "k1", &body)), (400, "702"));
    assert_eq!(bench.moved(), []);
}

#[test]
fn a_refusal_comes_with_a_200_and_moves_nothing() {
    let mut bench = Bench::new();
    for (holder, code) in [
        ("DECLINED", "2"),
        ("CARD_EXPIRED", "6"),
        ("ISSUER_UNAVAILABLE", "9"),
    ] {
        let answer = bench.post(PAYMENTS, holder, &held_by(charge(), holder));
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json["resultCode"], "Refused");
        assert_eq!(answer.json["refusalReasonCode"], code);
    }
    bench.world.push_fault(Fault::decline("insufficient_funds"));
    assert_eq!(
        bench.post(PAYMENTS, "k", &charge()).json["refusalReasonCode"],
        "12"
    );
    assert_eq!(bench.moved(), []);
}

#[test]
fn what_is_missing_unknown_or_too_long_is_refused() {
    let mut bench = Bench::new();
    let mut wrong = |field: &str, value: Value, expected: (u16, &str)| {
        let mut body = charge();
        body[field] = value;
        if body[field].is_null() {
            body.as_object_mut().expect("an object").remove(field);
        }
        let answer = bench.post(PAYMENTS, "k1", &body);
        assert_eq!(refused(&answer), expected, "{field}");
        // Only with this status is the key documented.
        assert_eq!(
            answer.header("idempotency-key").is_some(),
            expected.0 == 422
        );
    };
    wrong("returnUrl", json!(null), (422, "14_030"));
    wrong("reference", json!(null), (422, "130"));
    wrong("reference", json!("x".repeat(81)), (422, "702"));
    wrong("paymentMethod", json!(null), (422, "14_004"));
    wrong(
        "paymentMethod",
        json!({ "type": "scheme" }),
        (422, "14_004"),
    );
    wrong(
        "amount",
        json!({ "currency": "eur", "value": 1 }),
        (422, "137"),
    );
    wrong(
        "amount",
        json!({ "currency": "EUR", "value": 10.5 }),
        (422, "137"),
    );
    wrong(
        "amount",
        json!({ "currency": "EUR", "value": 0 }),
        (422, "137"),
    );
    wrong(
        "metadata",
        json!({ "a name of 21 letters_": "b" }),
        (422, "177"),
    );
    wrong("metadata", json!({ "a": "x".repeat(81) }), (422, "177"));
    wrong("captureDelayHours", json!(673), (422, "702"));
    wrong("idempotencyKey", json!("k1"), (400, "702"));
    wrong("merchantAccount", json!("invalidECOM"), (403, "901"));
    assert_eq!(bench.moved(), []);
}

#[test]
fn a_stored_method_needs_its_shopper() {
    let mut bench = Bench::new();
    let mut body = charge();
    body["paymentMethod"] = json!({ "type": "scheme", "storedPaymentMethodId": "8416" });
    assert_eq!(refused(&bench.post(PAYMENTS, "k1", &body)), (422, "115"));
    body["shopperReference"] = json!("shopper-1");
    bench.paid("k1", &body);
}

#[test]
fn the_money_moves_when_the_details_come_and_once() {
    let mut bench = Bench::new();
    let answer = bench.post(PAYMENTS, "k1", &held_by(charge(), "SIMULATED_REDIRECT"));
    assert_eq!(answer.json["resultCode"], "RedirectShopper");
    assert_eq!(answer.json["action"]["method"], "GET");
    let payment = id(&answer);
    let result = bench
        .adyen(|adyen| adyen.complete_action(&payment, true))
        .expect("waits");
    assert_eq!(bench.moved(), []);
    let body = json!({ "details": { "redirectResult": result } });
    for key in ["d1", "d1", "d2"] {
        let answer = bench.post(DETAILS, key, &body);
        assert_eq!(answer.json["resultCode"], "Authorised");
        assert_eq!(answer.header("idempotency-key"), Some(key));
    }
    assert_eq!(bench.moved(), [(EffectKind::Charge, 1099)]);
    assert_eq!(
        refused(&bench.post(DETAILS, "d3", &json!({ "details": {} }))),
        (422, "101")
    );
    bench
        .adyen(|adyen| adyen.complete_action(&payment, true))
        .expect_err("is over");
}

#[test]
fn a_customer_who_fails_has_paid_nothing() {
    let mut bench = Bench::new();
    let answer = bench.post(PAYMENTS, "k1", &held_by(charge(), "SIMULATED_CHALLENGE"));
    assert_eq!(answer.json["action"]["type"], "threeDS2");
    let result = bench.adyen(|adyen| adyen.complete_action(&id(&answer), false));
    let body = json!({ "details": { "threeDSResult": result.expect("waits") } });
    let answer = bench.post(DETAILS, "d1", &body);
    assert_eq!(answer.json["refusalReasonCode"], "11");
    assert_eq!(bench.moved(), []);
}

#[test]
fn what_is_pending_is_settled_later() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Processing);
    let answer = bench.post(PAYMENTS, "k1", &charge());
    assert_eq!(answer.json["resultCode"], "Pending");
    assert_eq!(bench.moved(), []);
    let payment = id(&answer);
    bench
        .adyen(|adyen| adyen.settle(&payment, true))
        .expect("is pending");
    bench
        .adyen(|adyen| adyen.settle(&payment, true))
        .expect_err("is settled");
    // The first answer stays under the key all the same.
    assert_eq!(
        bench.post(PAYMENTS, "k1", &charge()).json["resultCode"],
        "Pending"
    );
    assert_eq!(bench.moved(), [(EffectKind::Charge, 1099)]);
}

#[test]
fn a_wrong_api_key_or_path_does_nothing() {
    let mut bench = Bench::with(
        Config::default()
            .api_key("AQE1")
            .merchant_account("AcmeECOM"),
    );
    for wrong in ["", "AQE2", "invalid"] {
        bench.api_key = wrong;
        let answer = bench.post(PAYMENTS, "k1", &charge());
        assert_eq!(refused(&answer), (401, "000"));
        assert_eq!(answer.header("idempotency-key"), None);
    }
    bench.api_key = "AQE1";
    for path in ["/payments", "/v1/payments", "/v72/payments/x/undo", "/v72"] {
        assert_eq!(bench.post(path, "k1", &charge()).status, 404, "{path}");
    }
    let mut body = charge();
    body["merchantAccount"] = json!("OtherECOM");
    assert_eq!(refused(&bench.post(PAYMENTS, "k1", &body)), (403, "901"));
    assert_eq!(bench.moved(), []);
    bench.paid("k1", &charge());
}

#[test]
fn a_server_error_says_whether_it_passes() {
    let mut bench = Bench::new();
    let error = |should_retry| Fault::ServerError {
        status: 500,
        when: When::Before,
        stored: false,
        should_retry,
        retry_after: None,
    };
    for (advice, header) in [
        (None, None),
        (Some(true), Some("true")),
        (Some(false), Some("false")),
    ] {
        bench.world.push_fault(error(advice));
        let answer = bench.post(PAYMENTS, "k1", &charge());
        assert_eq!(
            (answer.status, answer.header("transient-error")),
            (500, header)
        );
    }
    assert_eq!(bench.moved(), []);
}
