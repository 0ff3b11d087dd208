//! Look-ups as scripts: what is asked, what comes back, what is found.

use payonce::conformance::lines;
use payonce::provider::{Call, LookUpStep, Provider, Query, Response};
use payonce::{OperationKind, Timestamp};
use serde_json::{Value, json};

use crate::kit::{KEY, call_of, key, reply, stripe};

pub(crate) const SEARCH: &str = "/v1/payment_intents/search?query=metadata%5B%27payonce_key%27%5D%3A%27\
                      0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b%27&limit=100";
/// From a quarter of an hour before the first send to as long after the last.
pub(crate) const LIST: &str =
    "/v1/payment_intents?created%5Bgte%5D=1764499100&created%5Blte%5D=1764500900&limit=100";
/// From there to a day after the last send.
pub(crate) const DAY: &str =
    "/v1/payment_intents?created%5Bgte%5D=1764500900&created%5Blte%5D=1764586400&limit=100";
pub(crate) const FIRST_SENT: Timestamp = Timestamp::from_millis(1_764_500_000_999);

/// Plays a script of a charge: the requests must be these, and end with a finding.
pub(crate) fn play(id: Option<&str>, script: &[(&str, Response)]) -> String {
    play_of(OperationKind::Charge, id, script)
}

/// The same of an operation of a kind.
pub(crate) fn play_of(
    kind: OperationKind,
    id: Option<&str>,
    script: &[(&str, Response)],
) -> String {
    let key = key();
    play_call(&call_of(kind, &key), id, script)
}

/// The same of one that is about this payment.
pub(crate) fn play_with(kind: OperationKind, parent: &str, script: &[(&str, Response)]) -> String {
    let key = key();
    play_call(&call_of(kind, &key).with_parent(parent), None, script)
}

fn play_call(call: &Call<'_>, id: Option<&str>, script: &[(&str, Response)]) -> String {
    let stripe = stripe();
    let look_up = stripe.look_up().unwrap();
    let query = Query::new(id, FIRST_SENT, FIRST_SENT);
    let mut replies = Vec::new();
    for (path, reply) in script {
        match look_up.next(call, &query, &replies) {
            LookUpStep::Ask(request) => {
                assert_eq!(
                    (request.method.as_str(), request.path.as_str()),
                    ("GET", *path)
                );
                assert!(request.body.is_empty());
                assert_eq!(request.headers["stripe-version"], "2026-07-29.dahlia");
                assert!(!request.headers.contains_key("idempotency-key"));
            }
            LookUpStep::Done(found) => panic!("over before {path}: {}", lines::finding(&found)),
        }
        replies.push(reply.clone());
    }
    match look_up.next(call, &query, &replies) {
        LookUpStep::Done(found) => lines::finding(&found),
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
