//! A field that is gone, null or of another type in what a look-up reads never makes another
//! definite answer of it.

use payonce::provider::{Finding, LookUpStep, Provider, Query, Response};
use payonce::{OperationKind, Timestamp};
use serde_json::{Value, json};

use crate::kit::{call_of, fixture_of, key, reply, stripe};
use crate::mutation::{definite, mutations, word};

/// What an operation leaves at Stripe, and whether it is read by its id or in a list.
const SHOWN: &[(OperationKind, &str, bool)] = &[
    (OperationKind::Charge, "200_succeeded", true),
    (OperationKind::Charge, "200_declined", true),
    (OperationKind::Charge, "200_processing", true),
    (OperationKind::Charge, "200_canceled", true),
    (OperationKind::Authorize, "200_authorized", true),
    (OperationKind::Refund, "200_succeeded", true),
    (OperationKind::Refund, "200_pending", true),
    (OperationKind::Refund, "200_failed", true),
    (OperationKind::Capture, "200_captured", false),
    (OperationKind::Capture, "200_processing", false),
    (OperationKind::Capture, "200_canceled", false),
    (OperationKind::Void, "200_canceled", false),
    (OperationKind::Void, "200_succeeded", false),
];

/// Without our object, or with another key in it, a page shows nothing of ours.
const GONE: [&str; 4] = [
    "/data",
    "/data/0",
    "/data/0/metadata",
    "/data/0/metadata/payonce_key",
];

/// The answers of a look-up that reads this, one word each.
fn answers(kind: OperationKind, shown: &Value) -> Vec<String> {
    let (stripe, key) = (stripe(), key());
    let sent = Timestamp::from_millis(1_764_500_000_000);
    let query = Query::new(None, sent, sent);
    let nothing = || reply(200, r#"{"data":[],"has_more":false}"#);
    let shown = reply(200, shown.to_string());
    // A payment is searched for, then in two lists.
    let replies: Vec<Response> = match kind {
        OperationKind::Charge | OperationKind::Authorize => vec![nothing(), shown, nothing()],
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void | _ => vec![shown],
    };
    let look_up = stripe.look_up().unwrap();
    match look_up.next(&call_of(kind, &key), &query, &replies) {
        LookUpStep::Done(Finding::Found(found)) => found
            .iter()
            .filter_map(|one| definite(&one.verdict))
            .map(|text| word(&text))
            .collect(),
        LookUpStep::Done(Finding::Absent) => vec!["absent".to_owned()],
        LookUpStep::Done(Finding::Unclear(_)) | LookUpStep::Ask(_) => Vec::new(),
    }
}

#[test]
fn c39_a_changed_field_in_a_look_up_never_makes_another_answer() {
    for (kind, name, listed) in SHOWN.iter().copied() {
        let object = fixture_of(kind, name).json().unwrap();
        let shown = if listed {
            json!({ "object": "list", "data": [object], "has_more": false })
        } else {
            object
        };
        let before = answers(kind, &shown);
        assert_eq!(before.len(), 1, "{kind} {name}");
        for (path, value) in mutations(&shown) {
            let after = answers(kind, &value);
            let absent = listed && after == ["absent"] && GONE.contains(&path.as_str());
            assert!(
                after.is_empty() || after == before || absent,
                "{kind} {name} {path}: {before:?} became {after:?}"
            );
        }
    }
}
