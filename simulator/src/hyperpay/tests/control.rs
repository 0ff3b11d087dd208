use http::Method;
use serde_json::{Value, json};

use super::{Bench, ENTITY, PAID, registrations};
use crate::EffectKind::Charge;

#[test]
fn payments_are_listed_changed_and_copied_without_effect() {
    let mut bench = Bench::new();
    let id = bench.charged();
    let (status, listed) = bench.call(Method::GET, "payments", Value::Null);
    assert_eq!((status, &listed[0]["entityId"]), (200, &json!(ENTITY)));
    assert_eq!(listed[0]["moved"], true);
    let change = json!({ "amount": "100.00", "currency": "USD", "code": "000.200.000" });
    let path = format!("payments/{id}");
    assert_eq!(bench.call(Method::PATCH, &path, change).0, 200);
    let shown = bench.get(&format!("/v1/payments/{id}"));
    assert_eq!(shown.code(), "000.200.000");
    assert_eq!(
        (&shown.json["amount"], &shown.json["currency"]),
        (&json!("100.00"), &json!("USD"))
    );
    let (_, copy) = bench.call(Method::POST, &format!("{path}/copy"), Value::Null);
    assert_ne!(copy["id"], json!(id));
    assert_eq!(bench.query("order-0001").listed().len(), 2);
    assert_eq!(bench.moved(), [(Charge, 9200)]);
}

#[test]
fn a_wrong_change_changes_nothing_and_says_why() {
    let mut bench = Bench::new();
    let id = bench.charged();
    let path = format!("payments/{id}");
    for (change, hint) in [
        (json!({ "currency": "USD", "amount": "1" }), "amount"),
        (json!({ "currency": "USD", "code": "paid" }), "code"),
        (
            json!({ "currency": "USD", "colour": "red" }),
            "merchantTransactionId",
        ),
        (json!([]), "JSON object"),
    ] {
        let (status, body) = bench.call(Method::PATCH, &path, change);
        assert_eq!(status, 400);
        assert!(body["error"].as_str().unwrap().contains(hint), "{body}");
    }
    let shown = bench.get(&format!("/v1/payments/{id}"));
    assert_eq!(shown.json["currency"], "SAR");
}

#[test]
fn the_customer_acts_and_a_payment_settles() {
    let mut bench = Bench::new();
    let id = bench.charge(registrations::REDIRECT, "order-0001").id();
    let path = format!("payments/{id}/complete_action");
    assert_eq!(bench.call(Method::POST, &path, Value::Null).0, 400);
    let (status, payment) = bench.call(Method::POST, &path, json!({ "passed": true }));
    assert_eq!((status, &payment["result"]["code"]), (200, &json!(PAID)));
    assert_eq!(
        bench.call(Method::POST, &path, json!({ "passed": true })).0,
        400
    );
    for (body, code) in [
        (json!({ "code": "800.100.151" }), "800.100.151"),
        (json!({ "succeeded": false }), "800.100.152"),
        (json!({ "succeeded": true }), PAID),
    ] {
        let id = bench.charge(registrations::PENDING, "order-0002").id();
        let path = format!("payments/{id}/settle");
        assert_eq!(
            bench.call(Method::POST, &path, json!({ "code": "paid" })).0,
            400
        );
        let (_, payment) = bench.call(Method::POST, &path, body);
        assert_eq!(payment["result"]["code"], code);
    }
    assert_eq!(bench.moved(), [(Charge, 9200), (Charge, 9200)]);
}

#[test]
fn registrations_are_added_and_listed() {
    let mut bench = Bench::new();
    for (result, code) in [
        ("approved", PAID),
        ("redirect", "000.200.000"),
        ("800.100.151", "800.100.151"),
    ] {
        let body = json!({ "result": result });
        let (status, added) = bench.call(Method::POST, "registrations", body);
        assert_eq!((status, &added["entityId"]), (200, &Value::Null));
        let id = added["id"].as_str().unwrap();
        assert_eq!(id.len(), 32);
        assert_eq!(bench.charge(id, "order-0001").code(), code);
    }
    let (_, listed) = bench.call(Method::GET, "registrations", Value::Null);
    assert_eq!(listed.as_array().map(Vec::len), Some(10));
    for wrong in [
        json!({}),
        json!({ "result": "works" }),
        json!({ "resul": "approved" }),
    ] {
        assert_eq!(bench.call(Method::POST, "registrations", wrong).0, 400);
    }
}

#[test]
fn settings_are_changed_and_outlive_a_reset() {
    let mut bench = Bench::new();
    let settings = json!({ "duplicate_window_seconds": 60, "live": true });
    let (_, now) = bench.call(Method::POST, "settings", settings);
    assert_eq!(
        (&now["duplicate_window_seconds"], &now["live"]),
        (&json!(60), &json!(true))
    );
    for wrong in [
        json!({ "duplicate_window": 1 }),
        json!({ "query_lag_seconds": -1 }),
        json!({ "live": 1 }),
    ] {
        assert_eq!(bench.call(Method::POST, "settings", wrong).0, 400);
    }
    bench.charged();
    let again = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(again.code(), "800.110.100");
    bench.world.reset();
    assert_eq!(
        bench.charge(registrations::APPROVED, "order-0001").code(),
        "000.000.000"
    );
    let off = json!({ "duplicate_window_seconds": null });
    bench.call(Method::POST, "settings", off);
    assert_eq!(
        bench.charge(registrations::APPROVED, "order-0001").code(),
        "000.000.000"
    );
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn what_is_planted_is_found_and_makes_no_effect() {
    let mut bench = Bench::new();
    let id = bench.hyperpay(|hyperpay| {
        let planted = hyperpay.plant_payment(ENTITY, 1250, "SAR");
        planted.fields.transaction_id = Some("order-0007".to_owned());
        planted.id.clone()
    });
    let found = bench.query("order-0007");
    assert_eq!(found.listed(), [("DB", PAID)]);
    assert_eq!(found.json["payments"][0]["amount"], "12.50");
    assert!(bench.moved().is_empty());
    assert_eq!(bench.manage(&id, "RF", "12.50").code(), PAID);
}

#[test]
fn what_is_not_there_lists_what_is() {
    let mut bench = Bench::new();
    let (status, body) = bench.call(Method::GET, "customers", Value::Null);
    assert_eq!(status, 404);
    assert!(body["error"].as_str().unwrap().contains("complete_action"));
    for path in ["payments/x/copy", "payments/x/settle"] {
        let (status, body) = bench.call(Method::POST, path, json!({ "code": PAID }));
        assert_eq!(status, 400);
        assert!(body["error"].as_str().unwrap().contains("\"x\""));
    }
}
