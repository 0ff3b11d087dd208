//! A field that is gone, null or of another type never turns one definite answer into another.

use payonce::Timestamp;
use payonce::provider::{Echo, Finding, LookUpStep, Provider, Query, Response, Ruling, Verdict};
use serde_json::{Value, json};

use crate::kit::{call, charge, fixture, hyperpay, key, kind, line, reply, ruling};
use crate::script::missing;

/// Fixtures and the fields whose change may change the definite answer: they are the answer. What
/// lies below such a field is one too.
const REPLIES: &[(&str, &[&str])] = &[
    // The amount is what the engine compares with what was sent.
    ("charge/200_succeeded", &["/amount", "/id"]),
    ("charge/200_succeeded_unknown_fields", &["/amount", "/id"]),
    ("charge/200_review", &["/id"]),
    ("charge/200_pending", &["/id"]),
    // Without its page a payment is pending. With less to do for the page it is a plain one.
    ("charge/200_redirect_get", &["/id", "/redirect"]),
    ("charge/200_redirect_post", &["/redirect"]),
    ("charge/200_redirect_parameters", &["/redirect"]),
    ("charge/400_declined", &["/id", "/resultDetails"]),
    ("charge/400_declined_with_redirect", &["/redirect"]),
    (
        "charge/400_rejected_with_payment",
        &["/id", "/resultDetails"],
    ),
    ("charge/400_missing_parameter", &[]),
    ("charge/400_duplicate", &[]),
    ("charge/401_wrong_token", &[]),
    ("charge/200_timeout", &[]),
    ("charge/200_partly_failed", &[]),
    ("charge/200_query_answer", &[]),
    ("capture/200_captured", &["/amount", "/id"]),
    ("refund/200_refunded", &["/amount", "/id"]),
    // The parent that it names is what makes it another's.
    ("refund/200_refunded_other_parent", &["/referencedId"]),
    ("refund/400_over_captured", &["/id", "/resultDetails"]),
    ("void/200_voided", &["/amount", "/id"]),
    ("void/200_voided_no_amount", &["/id"]),
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
    let (hyperpay, key) = (hyperpay(), key());
    let mut tried = 0_u32;
    for (name, deciding) in REPLIES {
        let (call, original) = (call(kind(name), &key), fixture(name));
        let before = definite(&hyperpay.classify(&call, &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            let changed = reply(original.status.as_u16(), value.to_string());
            let verdict = hyperpay.classify(&call, &changed);
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

/// A change of a deciding field may show another amount or id, but never make another kind of
/// answer out of it; those that may are named here.
#[test]
fn c39_a_changed_deciding_field_makes_no_other_kind_of_answer() {
    let (hyperpay, key) = (hyperpay(), key());
    let word_of = |verdict: &Verdict| definite(verdict).map(|text| word(&text));
    for (name, _) in REPLIES {
        let (call, original) = (call(kind(name), &key), fixture(name));
        let before = word_of(&hyperpay.classify(&call, &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            let may_become = match (*name, path.as_str()) {
                (
                    "charge/200_redirect_get"
                    | "charge/200_redirect_post"
                    | "charge/200_redirect_parameters",
                    "/redirect",
                ) => Some("pending"),
                (
                    "charge/200_redirect_parameters",
                    "/redirect/parameters" | "/redirect/parameters/0",
                ) => Some("action"),
                ("charge/400_declined_with_redirect", "/redirect") => Some("declined"),
                ("refund/200_refunded_other_parent", "/referencedId") => Some("succeeded"),
                _ => None,
            };
            let changed = reply(original.status.as_u16(), value.to_string());
            let after = word_of(&hyperpay.classify(&call, &changed));
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
    let (hyperpay, key) = (hyperpay(), key());
    let sent = Timestamp::from_millis(1_796_036_000_000);
    let query = Query::new(None, sent, sent);
    for name in [
        "charge/200_succeeded",
        "charge/200_declined",
        "charge/200_pending",
        "charge/200_timeout",
    ] {
        let payment = fixture(name).json().unwrap();
        let list = json!({ "result": { "code": "000.000.100" }, "payments": [payment] });
        let step = |list: &Value| {
            let list: Response = reply(200, list.to_string());
            let look_up = hyperpay.look_up().unwrap();
            look_up.next(&charge(&key), &query, &[list, missing()])
        };
        let words = |step: &LookUpStep| match step {
            LookUpStep::Done(Finding::Found(found)) => found
                .iter()
                .filter_map(|one| definite(&one.verdict))
                .map(|text| word(&text))
                .collect(),
            LookUpStep::Done(Finding::Absent) => vec!["absent".to_owned()],
            LookUpStep::Done(Finding::Unclear(_)) | LookUpStep::Ask(_) => Vec::new(),
        };
        let before = words(&step(&list));
        for (path, value) in mutations(&list) {
            let after = words(&step(&value));
            // With another key in it the list shows nothing of ours.
            let gone = path == "/payments/0/merchantTransactionId" && after == ["absent"];
            assert!(
                after.is_empty() || after == before || gone,
                "{name} {path}: {after:?}"
            );
        }
    }
}
