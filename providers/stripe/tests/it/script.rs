//! Look-ups as scripts: what is asked, what comes back, what is found.

use payonce::Timestamp;
use payonce::provider::{LookUpStep, Provider, Query, Response};
use serde_json::{Value, json};

use crate::kit::{KEY, call, finding, key, reply, stripe};

pub(crate) const SEARCH: &str = "/v1/payment_intents/search?query=metadata%5B%27payonce_key%27%5D%3A%27\
                      0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b%27&limit=100";
/// From a quarter of an hour before the first send to as long after the last.
pub(crate) const LIST: &str =
    "/v1/payment_intents?created%5Bgte%5D=1764499100&created%5Blte%5D=1764500900&limit=100";
/// From there to a day after the last send.
pub(crate) const DAY: &str =
    "/v1/payment_intents?created%5Bgte%5D=1764500900&created%5Blte%5D=1764586400&limit=100";
pub(crate) const FIRST_SENT: Timestamp = Timestamp::from_millis(1_764_500_000_999);

/// Plays a script: the requests must be these, and end with a finding.
pub(crate) fn play(id: Option<&str>, script: &[(&str, Response)]) -> String {
    let (stripe, key) = (stripe(), key());
    let query = Query::new(id, FIRST_SENT, FIRST_SENT);
    let mut replies = Vec::new();
    for (path, reply) in script {
        match stripe
            .look_up()
            .unwrap()
            .next(&call(&key), &query, &replies)
        {
            LookUpStep::Ask(request) => {
                assert_eq!(
                    (request.method.as_str(), request.path.as_str()),
                    ("GET", *path)
                );
                assert!(request.body.is_empty());
                assert_eq!(request.headers["stripe-version"], "2026-07-29.dahlia");
                assert!(!request.headers.contains_key("idempotency-key"));
            }
            LookUpStep::Done(found) => panic!("over before {path}: {}", finding(&found)),
        }
        replies.push(reply.clone());
    }
    match stripe
        .look_up()
        .unwrap()
        .next(&call(&key), &query, &replies)
    {
        LookUpStep::Done(found) => finding(&found),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

pub(crate) fn payment(id: &str, status: &str, key: &str) -> Value {
    json!({
        "id": id, "object": "payment_intent", "status": status, "amount": 48_000,
        "amount_received": if status == "succeeded" { 48_000 } else { 0 }, "currency": "sar",
        "metadata": { "payonce_key": key }, "last_payment_error": null,
    })
}

pub(crate) fn declined(id: &str) -> Value {
    let mut payment = payment(id, "requires_payment_method", KEY);
    payment["last_payment_error"] =
        json!({ "type": "card_error", "code": "card_declined", "decline_code": "lost_card" });
    payment
}

pub(crate) fn one(payment: &Value) -> Response {
    reply(200, payment.to_string())
}

pub(crate) fn page(payments: &[Value], has_more: bool) -> Response {
    let page = json!({ "object": "list", "data": payments, "has_more": has_more });
    reply(200, page.to_string())
}

pub(crate) fn missing() -> Response {
    let error = json!({ "type": "invalid_request_error", "code": "resource_missing" });
    reply(404, json!({ "error": error }).to_string())
}

pub(crate) fn path(id: &str) -> String {
    format!("/v1/payment_intents/{id}")
}

pub(crate) fn strangers(from: usize, count: usize) -> Vec<Value> {
    (from..)
        .take(count)
        .map(|i| payment(&format!("pi_other{i}"), "succeeded", "other"))
        .collect()
}
