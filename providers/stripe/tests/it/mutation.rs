//! A field that is gone, null or of another type never turns one definite answer into another.

use payonce::OperationKind;
use payonce::provider::{Echo, Provider, Response, Ruling, Verdict};
use serde_json::{Value, json};

use crate::kit::{call_of, fixture_of, key, line, ruling, stripe};

/// Fixtures and the fields whose change may change the definite answer: they are the
/// answer. What lies below such a field is one too.
const CHARGES: &[(&str, &[&str])] = &[
    // The amounts are what the engine compares with what was sent.
    ("200_succeeded", &["/amount", "/amount_received", "/id"]),
    (
        "200_succeeded_unknown_fields",
        &["/amount", "/amount_received", "/id"],
    ),
    ("200_processing", &["/id"]),
    // Without the page the client secret is handed out instead.
    ("200_requires_action_redirect", &["/id", "/next_action"]),
    (
        "200_requires_action_sdk",
        &["/id", "/next_action", "/client_secret"],
    ),
    ("200_canceled", &["/id", "/cancellation_reason"]),
    (
        "200_declined",
        &[
            "/id",
            "/last_payment_error/code",
            "/last_payment_error/decline_code",
        ],
    ),
    (
        "402_insufficient_funds",
        &[
            "/error/code",
            "/error/decline_code",
            "/error/payment_intent",
        ],
    ),
    // The payment contradicts the decline; where none is named, nothing does.
    (
        "402_payment_succeeded",
        &[
            "/error/payment_intent",
            "/error/code",
            "/error/decline_code",
        ],
    ),
    (
        "400_payment_left",
        &["/error/code", "/error/payment_intent"],
    ),
    ("400_idempotency_error", &["/error/type"]),
    ("400_missing_parameter", &["/error/code"]),
    ("404_resource_missing", &["/error/code"]),
    ("409_key_in_use", &["/error/code"]),
    // By the code alone it is not the rate limiter, whose pages need not be JSON.
    ("429_lock_timeout", &["", "/error", "/error/code"]),
    ("500_first", &[]),
];

const OTHERS: &[(OperationKind, &str, &[&str])] = &[
    (
        OperationKind::Authorize,
        "200_authorized",
        &["/amount", "/amount_capturable", "/id"],
    ),
    (OperationKind::Authorize, "200_succeeded", &[]),
    (
        OperationKind::Authorize,
        "402_payment_requires_capture",
        &["/error/payment_intent"],
    ),
    (
        OperationKind::Authorize,
        "400_payment_requires_capture",
        &["/error/payment_intent"],
    ),
    (
        OperationKind::Capture,
        "200_captured",
        &["/amount_received"],
    ),
    (OperationKind::Capture, "200_processing", &[]),
    (OperationKind::Capture, "200_requires_capture", &[]),
    (
        OperationKind::Capture,
        "400_already_captured",
        &["/error/code"],
    ),
    // The payment contradicts the refusal; where none is named, nothing does.
    (
        OperationKind::Capture,
        "400_captured_with_our_key",
        &["/error/payment_intent"],
    ),
    (
        OperationKind::Capture,
        "402_declined",
        &["/error/code", "/error/decline_code"],
    ),
    (
        OperationKind::Capture,
        "402_captured",
        &["/error/payment_intent"],
    ),
    (OperationKind::Refund, "200_succeeded", &["/amount", "/id"]),
    (OperationKind::Refund, "200_pending", &["/id"]),
    (
        OperationKind::Refund,
        "200_failed",
        &["/id", "/failure_reason"],
    ),
    (
        OperationKind::Refund,
        "200_canceled",
        &["/id", "/failure_reason"],
    ),
    (
        OperationKind::Refund,
        "400_charge_already_refunded",
        &["/error/code"],
    ),
    (
        OperationKind::Void,
        "200_canceled",
        &["/amount", "/amount_received"],
    ),
    (OperationKind::Void, "200_requires_capture", &[]),
    // Without the payment, or with another code, it is a refusal like any other.
    (
        OperationKind::Void,
        "400_canceled_before",
        &[
            "/error/payment_intent",
            "/error/payment_intent/amount",
            "/error/payment_intent/amount_received",
        ],
    ),
    (
        OperationKind::Void,
        "400_captured",
        &["/error/code", "/error/payment_intent"],
    ),
];

/// All of them, each with the kind of operation that it answers.
fn replies() -> Vec<(OperationKind, &'static str, &'static [&'static str])> {
    let charges = CHARGES
        .iter()
        .map(|(name, deciding)| (OperationKind::Charge, *name, *deciding));
    charges.chain(OTHERS.iter().copied()).collect()
}

/// Every copy of `value` with one field gone, null or of another type, and the field's path.
pub(crate) fn mutations(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for path in paths(value, "") {
        for other in [
            Value::Null,
            json!(true),
            json!(7),
            json!(-1),
            json!("x"),
            json!(""),
            json!([]),
            json!([value]),
            json!({}),
            json!({ "a": 1 }),
        ] {
            let mut copy = value.clone();
            *copy.pointer_mut(&path).unwrap() = other;
            all.push((path.clone(), copy));
        }
        if let Some((parent, name)) = path.rsplit_once('/') {
            let mut copy = value.clone();
            match copy.pointer_mut(parent).unwrap() {
                Value::Object(fields) => drop(fields.remove(name)),
                Value::Array(items) => drop(items.remove(name.parse().unwrap())),
                other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                    panic!("{other} has no fields")
                }
            }
            all.push((path, copy));
        }
    }
    all
}

fn paths(value: &Value, here: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(i, value)| (i.to_string(), value))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let mut all = vec![here.to_owned()];
    for (name, value) in below {
        all.extend(paths(value, &format!("{here}/{name}")));
    }
    all
}

/// The definite answer, if the engine would take it as one.
pub(crate) fn definite(verdict: &Verdict) -> Option<String> {
    let held = matches!(verdict.echo, Echo::Foreign | Echo::Missing);
    if held || matches!(verdict.ruling, Ruling::Unknown(_)) {
        return None;
    }
    Some(ruling(&verdict.ruling))
}

fn is_deciding(path: &str, deciding: &[&str]) -> bool {
    deciding.iter().any(|field| {
        path == *field || (!field.is_empty() && path.starts_with(&format!("{field}/")))
    })
}

#[test]
fn c39_a_changed_field_gives_the_same_answer_or_none() {
    let (stripe, key) = (stripe(), key());
    let mut tried = 0_u32;
    for (kind, name, deciding) in replies() {
        let original = fixture_of(kind, name);
        let call = call_of(kind, &key);
        let before = definite(&stripe.classify(&call, &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            let body = value.to_string().into_bytes();
            let changed = Response::new(original.status, original.headers.clone(), body);
            let verdict = stripe.classify(&call, &changed);
            let after = definite(&verdict);
            tried += 1;
            assert!(
                after.is_none() || after == before || is_deciding(&path, deciding),
                "{kind} {name} {path}: {before:?} became {}",
                line(&verdict)
            );
        }
    }
    assert!(tried > 9_000, "{tried}");
}

/// A change of a deciding field may show another amount or code, but never make another kind of
/// answer out of it; those that may are named here.
#[test]
fn c39_a_changed_deciding_field_makes_no_other_kind_of_answer() {
    let (stripe, key) = (stripe(), key());
    let first = |verdict: &Verdict| definite(verdict).map(|text| word(&text));
    for (kind, name, _) in replies() {
        let original = fixture_of(kind, name);
        let call = call_of(kind, &key);
        let before = first(&stripe.classify(&call, &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            let may_become = match (name, path.as_str()) {
                ("429_lock_timeout", "" | "/error" | "/error/code") => Some("no"),
                (
                    "402_payment_succeeded" | "402_payment_requires_capture" | "402_captured",
                    "/error/payment_intent",
                ) => Some("declined"),
                (
                    "400_payment_requires_capture"
                    | "400_captured_with_our_key"
                    | "400_canceled_before",
                    "/error/payment_intent",
                ) => Some("rejected"),
                // Without our key it is the capture of somebody else.
                ("400_captured_with_our_key", path) if path.contains("/metadata") => {
                    Some("rejected")
                }
                _ => None,
            };
            let body = value.to_string().into_bytes();
            let changed = Response::new(original.status, original.headers.clone(), body);
            let after = first(&stripe.classify(&call, &changed));
            assert!(
                after.is_none() || after == before || after.as_deref() == may_become,
                "{kind} {name} {path}: {before:?} became {after:?}"
            );
        }
    }
}

pub(crate) fn word(text: &str) -> String {
    text.split(' ').next().unwrap_or_default().to_owned()
}
