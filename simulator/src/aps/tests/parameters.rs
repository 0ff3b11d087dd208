//! What is wrong is refused by its message, and moves nothing.

use serde_json::{Value, json};

use super::{Bench, authorization, code, done_to, purchase, query, with};

fn refused(body: &Value, expected: &str) {
    let mut bench = Bench::new();
    let answer = bench.post(body);
    assert_eq!(code(&answer), expected, "{body}");
    assert!(bench.moved().is_empty());
}

#[test]
fn a_payment_with_a_wrong_parameter() {
    for (name, value, expected) in [
        ("amount", json!("0"), "00005"),
        ("amount", json!("100.00"), "00002"),
        ("amount", json!("12345678901"), "00032"),
        ("amount", json!(10_000), "00002"),
        ("amount", Value::Null, "00001"),
        ("currency", json!("sar"), "00013"),
        ("customer_email", Value::Null, "00001"),
        ("customer_email", json!("laila shop"), "00002"),
        ("merchant_reference", json!("a".repeat(41)), "00032"),
        ("merchant_reference", json!("a/b"), "00002"),
        ("token_name", json!("nobody"), "00044"),
        ("eci", json!("OTHER"), "00033"),
        ("language", json!("de"), "00033"),
        ("metadata", json!("7"), "00027"),
        ("fort_id", json!("7"), "00027"),
        ("command", json!("SALE"), "00004"),
    ] {
        let mut body = purchase("a1");
        body[name] = value;
        refused(&body, expected);
    }
    let mut away = authorization("a1");
    away["eci"] = json!("RECURRING");
    refused(&away, "00113");
}

#[test]
fn what_is_done_to_an_order_that_is_not_named_or_not_there() {
    refused(&done_to("7", "CAPTURE", "1"), "00036");
    let mut nameless = done_to("7", "REFUND", "1");
    nameless["fort_id"] = Value::Null;
    refused(&nameless, "00001");
    let mut own = done_to("7", "CAPTURE", "1");
    own["maintenance_reference"] = json!("a1");
    refused(&own, "00027");
}

#[test]
fn a_query_without_a_reference_or_with_an_amount() {
    refused(&with(&[("query_command", "CHECK_STATUS")]), "00001");
    let mut body = query("fort_id", "7");
    body["amount"] = json!("1");
    refused(&body, "00027");
}
