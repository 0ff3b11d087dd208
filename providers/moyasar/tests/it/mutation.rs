//! A field that is gone, null or of another type never turns one definite answer into another.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::Timestamp;
use payonce::provider::{Echo, Finding, LookUpStep, Provider, Query, Response, Ruling, Verdict};
use serde_json::{Value, json};

use crate::kit::{call, fixture, key, line, moyasar, reply, ruling};

/// Fixtures and the fields whose change may change the definite answer: they are the
/// answer. What lies below such a field is one too.
const REPLIES: &[(OperationKind, &str, &[&str])] = &[
    // The amounts are what the engine compares with what was sent.
    (Charge, "201_paid", &["/amount"]),
    (Charge, "201_paid_unknown_fields", &["/amount"]),
    (Charge, "201_captured_part", &["/captured"]),
    (Charge, "200_refunded", &["/amount"]),
    (Charge, "200_voided", &[]),
    (Charge, "201_failed", &["/source"]),
    // The page itself.
    (Charge, "201_initiated", &["/source/transaction_url"]),
    (Charge, "200_abandoned", &[]),
    (Charge, "400_validation", &["/errors"]),
    // What has another name than the id is wrong with something else.
    (Charge, "400_already_created", &["/message"]),
    (Charge, "400_given_id_taken", &["/errors"]),
    (Charge, "401_wrong_secret", &[]),
    (Charge, "429_rate_limit", &[]),
    (Charge, "500_api_error", &[]),
    (Authorize, "201_authorized", &["/amount"]),
    (Capture, "200_captured", &["/captured"]),
    (Capture, "400_not_capturable", &["/errors"]),
    // Without the total the refund is not shown; a greater or lesser one shows as it is.
    (Refund, "200_part", &["/refunded"]),
    (Refund, "200_after_another", &["/refunded"]),
    (Refund, "200_full", &["/refunded"]),
    (Void, "200_voided", &["/amount"]),
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
    let (moyasar, key) = (moyasar(), key());
    let mut tried = 0_u32;
    for (kind, name, deciding) in REPLIES {
        let original = fixture(*kind, name);
        let before = definite(&moyasar.classify(&call(*kind, &key), &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            let body = value.to_string().into_bytes();
            let changed = Response::new(original.status, original.headers.clone(), body);
            let verdict = moyasar.classify(&call(*kind, &key), &changed);
            let after = definite(&verdict);
            tried += 1;
            assert!(
                after.is_none() || after == before || is_deciding(&path, deciding),
                "{kind} {name} {path}: {before:?} became {}",
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
    let (moyasar, key) = (moyasar(), key());
    let word = |verdict: &Verdict| definite(verdict).map(|text| word(&text));
    for (kind, name, _) in REPLIES {
        let original = fixture(*kind, name);
        let before = word(&moyasar.classify(&call(*kind, &key), &original));
        for (path, value) in mutations(&original.json().unwrap()) {
            // By the text and the fields alone it is a refusal like any other.
            let may_become = match (*name, path.as_str()) {
                ("400_already_created", "/message") | ("400_given_id_taken", _) => Some("rejected"),
                _ => None,
            };
            let body = value.to_string().into_bytes();
            let changed = Response::new(original.status, original.headers.clone(), body);
            let after = word(&moyasar.classify(&call(*kind, &key), &changed));
            assert!(
                after.is_none() || after == before || after.as_deref() == may_become,
                "{kind} {name} {path}: {before:?} became {after:?}"
            );
        }
    }
}

fn word(text: &str) -> String {
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// What a look-up makes of a payment: the word of its answer, if it is a definite one.
fn looked_up(kind: OperationKind, baseline: Option<&str>, payment: &Value) -> Option<String> {
    let (moyasar, key) = (moyasar(), key());
    let sent = Timestamp::from_millis(1_764_500_000_000);
    let query = Query::new(None, sent, sent).with_baseline(baseline);
    let replies = [reply(200, payment.to_string())];
    let look_up = moyasar.look_up().unwrap();
    match look_up.next(&call(kind, &key), &query, &replies) {
        LookUpStep::Done(Finding::Found(found)) => {
            assert_eq!(found.len(), 1);
            definite(&found[0].verdict)
        }
        LookUpStep::Done(Finding::Absent) => Some("absent".to_owned()),
        LookUpStep::Done(Finding::Unclear(_)) | LookUpStep::Ask(_) => None,
    }
}

#[test]
fn c39_a_changed_field_in_a_look_up_never_makes_another_answer() {
    for name in ["201_paid", "201_failed", "201_initiated", "200_voided"] {
        let payment = fixture(Charge, name).json().unwrap();
        let before = looked_up(Charge, None, &payment);
        assert!(before.is_some(), "{name}");
        for (path, value) in mutations(&payment) {
            let after = looked_up(Charge, None, &value).map(|text| word(&text));
            let same = before.as_deref().map(word);
            assert!(after.is_none() || after == same, "{name} {path}: {after:?}");
        }
    }
}

/// The whole answer of a comparison must stand: nothing may be read out of a damaged payment, on
/// either side.
#[test]
fn c39_a_changed_field_in_a_comparison_gives_the_same_answer_or_none() {
    let (moyasar, key) = (moyasar(), key());
    for (kind, before, after) in [
        (Capture, "200_still_authorized", "200_captured"),
        (Refund, "200_nothing", "200_part"),
        (Void, "200_still_authorized", "200_voided"),
    ] {
        let (before, after) = (fixture(kind, before), fixture(kind, after));
        let read = |reply: &Response| moyasar.baseline().unwrap().read(&call(kind, &key), reply);
        let baseline = read(&before).unwrap();
        let shown = after.json().unwrap();
        let expected = looked_up(kind, Some(&baseline), &shown);
        assert!(expected.is_some(), "{kind}");
        for (path, value) in mutations(&shown) {
            let found = looked_up(kind, Some(&baseline), &value);
            assert!(found.is_none() || found == expected, "{kind} {path}");
        }
        for (path, value) in mutations(&before.json().unwrap()) {
            let Ok(baseline) = read(&reply(200, value.to_string())) else {
                continue;
            };
            let found = looked_up(kind, Some(&baseline), &shown);
            assert!(found.is_none() || found == expected, "{kind} before {path}");
        }
    }
}
