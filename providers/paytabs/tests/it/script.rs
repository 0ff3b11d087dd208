//! Look-ups as scripts: what is asked, what comes back, what is found.

use payonce::provider::{LookUpStep, Provider, Query, Response};
use payonce::{OperationKind, Timestamp};
use serde_json::{Value, json};

use crate::kit::{KEY, PARENT, call, finding, key, paytabs, reply};

/// The query for every transaction with our key.
pub(crate) const LIST: &str =
    r#"{"cart_id":"0190b5a01c2d7e3f8a4b5c6d7e8f9a0b","profile_id":987654}"#;

/// The query for one transaction.
pub(crate) fn one(id: &str) -> String {
    format!(r#"{{"profile_id":987654,"tran_ref":"{id}"}}"#)
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
    let (paytabs, key) = (paytabs(), key());
    let sent = Timestamp::from_millis(1_796_036_000_999);
    let (call, query) = (call(kind, &key), Query::new(id, sent, sent));
    let mut replies = Vec::new();
    for (body, reply) in script {
        match paytabs.look_up().unwrap().next(&call, &query, &replies) {
            LookUpStep::Ask(request) => {
                let place = (request.method.as_str(), request.path.as_str());
                assert_eq!(place, ("POST", "/payment/query"));
                assert_eq!(String::from_utf8(request.body).unwrap(), *body);
                assert_eq!(request.headers["content-type"], "application/json");
                assert_eq!(request.headers.len(), 1);
            }
            LookUpStep::Done(found) => panic!("over before {body}: {}", finding(&found)),
        }
        replies.push(reply.clone());
    }
    match paytabs.look_up().unwrap().next(&call, &query, &replies) {
        LookUpStep::Done(found) => finding(&found),
        LookUpStep::Ask(request) => panic!("asks {:?}", String::from_utf8(request.body)),
    }
}

pub(crate) fn transaction(id: &str, kind: &str, letter: &str) -> Value {
    let mut transaction = json!({
        "tran_ref": id, "tran_type": kind, "cart_id": KEY, "cart_currency": "SAR",
        "cart_amount": "480.00", "tran_currency": "SAR", "tran_total": "480.00",
        "payment_result": { "response_status": letter, "response_code": "316" },
    });
    if ["Capture", "Refund", "Void"].contains(&kind) {
        transaction["previous_tran_ref"] = PARENT.into();
    }
    transaction
}

pub(crate) fn shown(transaction: &Value) -> Response {
    reply(200, transaction.to_string())
}

pub(crate) fn list(transactions: &[Value]) -> Response {
    reply(200, json!(transactions).to_string())
}

pub(crate) fn missing() -> Response {
    let body = json!({ "code": 113, "message": "Transaction not found", "trace": "PMNT1" });
    reply(404, body.to_string())
}
