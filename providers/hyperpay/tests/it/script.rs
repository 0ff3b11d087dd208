//! Look-ups as scripts: what is asked, what comes back, what is found.

use payonce::provider::{LookUpStep, Provider, Query, Response};
use payonce::{OperationKind, Timestamp};
use serde_json::{Value, json};

use crate::kit::{KEY, PARENT, call, finding, hyperpay, key, reply};

/// The query for every payment with our key.
pub(crate) const LIST: &str = "/v1/query?entityId=8ac7a4c98694e687018696fd2f2c0b71\
                               &merchantTransactionId=0190b5a01c2d7e3f8a4b5c6d7e8f9a0b";

/// The query for one payment.
pub(crate) fn path(id: &str) -> String {
    format!("/v1/query/{id}?entityId=8ac7a4c98694e687018696fd2f2c0b71")
}

/// Plays a script for a charge: the requests must be these, and end with a finding.
pub(crate) fn play(id: Option<&str>, script: &[(&str, Response)]) -> String {
    play_for(OperationKind::Charge, id, script)
}

pub(crate) fn play_for(
    kind: OperationKind,
    id: Option<&str>,
    script: &[(&str, Response)],
) -> String {
    let (hyperpay, key) = (hyperpay(), key());
    let sent = Timestamp::from_millis(1_796_036_000_999);
    let (call, query) = (call(kind, &key), Query::new(id, sent, sent));
    let mut replies = Vec::new();
    for (path, reply) in script {
        match hyperpay.look_up().unwrap().next(&call, &query, &replies) {
            LookUpStep::Ask(request) => {
                assert_eq!(
                    (request.method.as_str(), request.path.as_str()),
                    ("GET", *path)
                );
                assert!(request.body.is_empty() && request.headers.is_empty());
            }
            LookUpStep::Done(found) => panic!("over before {path}: {}", finding(&found)),
        }
        replies.push(reply.clone());
    }
    match hyperpay.look_up().unwrap().next(&call, &query, &replies) {
        LookUpStep::Done(found) => finding(&found),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

pub(crate) fn payment(id: &str, kind: &str, code: &str) -> Value {
    let mut payment = json!({
        "id": id, "paymentType": kind, "paymentBrand": "VISA", "amount": "480.00",
        "currency": "SAR", "merchantTransactionId": KEY, "result": { "code": code },
    });
    if ["CP", "RF", "RV"].contains(&kind) {
        payment["referencedId"] = PARENT.into();
    }
    payment
}

pub(crate) fn one(payment: &Value) -> Response {
    reply(200, payment.to_string())
}

pub(crate) fn list(payments: &[Value]) -> Response {
    let list = json!({ "result": { "code": "000.000.100" }, "payments": payments });
    reply(200, list.to_string())
}

pub(crate) fn missing() -> Response {
    reply(
        404,
        json!({ "result": { "code": "700.400.580" } }).to_string(),
    )
}
