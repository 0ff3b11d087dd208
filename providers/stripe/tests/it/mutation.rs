//! A field that is gone, null or of another type never turns one definite answer into another.

use payonce::Timestamp;
use payonce::provider::{Echo, Finding, LookUpStep, Provider, Query, Response, Ruling, Verdict};
use serde_json::{Value, json};

use crate::kit::{call, fixture, key, line, ruling, stripe};

/// Fixtures and the fields whose change may change the definite answer: they are the
/// answer. What lies below such a field is one too.
const REPLIES: &[(&str, &[&str])] = &[
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

/// Every copy of `value` with one field gone, null or of another type, and the field's path.
fn mutations(value: &Value) -> Vec<(String, Value)> {
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
fn definite(verdict: &Verdict) -> Option<String> {
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
    for (name, deciding) in REPLIES {
        let original = fixture(name);
        let before = definite(&stripe.classify(&call(&key), &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            let body = value.to_string().into_bytes();
            let changed = Response::new(original.status, original.headers.clone(), body);
            let verdict = stripe.classify(&call(&key), &changed);
            let after = definite(&verdict);
            tried += 1;
            assert!(
                after.is_none() || after == before || is_deciding(&path, deciding),
                "{name} {path}: {before:?} became {}",
                line(&verdict)
            );
        }
    }
    assert!(tried > 4_000, "{tried}");
}

/// A change of a deciding field may show another amount or code, but never make another kind of
/// answer out of it; those that may are named here.
#[test]
fn c39_a_changed_deciding_field_makes_no_other_kind_of_answer() {
    let (stripe, key) = (stripe(), key());
    let kind = |verdict: &Verdict| definite(verdict).map(|text| word(&text));
    for (name, _) in REPLIES {
        let original = fixture(name);
        let before = kind(&stripe.classify(&call(&key), &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            let may_become = match (*name, path.as_str()) {
                ("429_lock_timeout", "" | "/error" | "/error/code") => Some("no"),
                ("402_payment_succeeded", "/error/payment_intent") => Some("declined"),
                _ => None,
            };
            let body = value.to_string().into_bytes();
            let changed = Response::new(original.status, original.headers.clone(), body);
            let after = kind(&stripe.classify(&call(&key), &changed));
            assert!(
                after.is_none() || after == before || after.as_deref() == may_become,
                "{name} {path}: {before:?} became {after:?}"
            );
        }
    }
}

fn word(text: &str) -> String {
    text.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn c39_a_changed_field_in_a_look_up_never_makes_another_answer() {
    let (stripe, key) = (stripe(), key());
    let sent = Timestamp::from_millis(1_764_500_000_000);
    let query = Query::new(None, sent, sent);
    let nothing = Response::new(
        http::StatusCode::OK,
        http::HeaderMap::new(),
        br#"{"data":[],"has_more":false}"#.to_vec(),
    );
    for name in [
        "200_succeeded",
        "200_declined",
        "200_processing",
        "200_canceled",
    ] {
        let payment = fixture(name).json().unwrap();
        let page = json!({ "object": "list", "data": [payment], "has_more": false });
        let step = |page: &Value| {
            let page = Response::new(
                http::StatusCode::OK,
                http::HeaderMap::new(),
                page.to_string().into_bytes(),
            );
            stripe.look_up().unwrap().next(
                &call(&key),
                &query,
                &[nothing.clone(), page, nothing.clone()],
            )
        };
        let kinds = |step: &LookUpStep| match step {
            LookUpStep::Done(Finding::Found(found)) => found
                .iter()
                .filter_map(|one| definite(&one.verdict))
                .map(|t| word(&t))
                .collect(),
            LookUpStep::Done(Finding::Absent) => vec!["absent".to_owned()],
            LookUpStep::Done(Finding::Unclear(_)) | LookUpStep::Ask(_) => Vec::new(),
        };
        let before = kinds(&step(&page));
        assert_eq!(before.len(), 1, "{name}");
        for (path, value) in mutations(&page) {
            let after = kinds(&step(&value));
            // Without our payment, or with another key in it, the page shows nothing of ours.
            let gone = [
                "/data",
                "/data/0",
                "/data/0/metadata",
                "/data/0/metadata/payonce_key",
            ];
            let absent = after == ["absent"] && gone.contains(&path.as_str());
            assert!(
                after.is_empty() || after == before || absent,
                "{name} {path}: {after:?}"
            );
        }
    }
}
