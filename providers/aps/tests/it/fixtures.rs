//! What the verdicts on the fixtures must not be. The kit compares each with its line in the table.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::lines;
use payonce::provider::{Echo, Provider, Ruling, Verdict};

use crate::kit::{aps, call, fixture, key};
use crate::signed::signed;
use crate::table::VERDICTS;

fn classify(kind: OperationKind, name: &str) -> Verdict {
    let key = key();
    aps().classify(&call(kind, &key), &fixture(kind, name))
}

fn line(kind: OperationKind, name: &str) -> String {
    lines::verdict(&classify(kind, name))
}

/// A second charge would follow if a duplicate were taken for a refusal of our request.
#[test]
fn c26_a_duplicate_is_looked_up_and_never_a_refusal() {
    for (kind, name) in [
        (Charge, "00007_duplicate"),
        (Charge, "00066_exists"),
        (Charge, "13007_duplicate"),
        (Charge, "00047_processed"),
        (Authorize, "00007_duplicate"),
        (Capture, "00047_processed"),
        (Refund, "00007_duplicate"),
    ] {
        assert_eq!(line(kind, name), "repeated; -", "{kind} {name}");
    }
    assert_eq!(line(Charge, "13784_still_processing"), "in progress; -");
}

/// No page says that a repeat gets the first reply, so no refusal speaks for an earlier send.
#[test]
fn nothing_is_kept_or_marked_as_a_repeat() {
    for (kind, name, _) in VERDICTS {
        let verdict = classify(*kind, name);
        assert!(!verdict.kept && !verdict.replayed, "{kind} {name}");
    }
}

/// Every reply comes with 200: whoever stands between us and the gateway could say "paid".
#[test]
fn a_success_without_the_gateways_signature_is_none() {
    for name in [
        "14000_no_signature",
        "14000_wrong_signature",
        "14000_changed_after_signing",
    ] {
        let verdict = classify(Charge, name);
        assert!(matches!(verdict.ruling, Ruling::Unknown(_)), "{name}");
        let key = key();
        // Only the signature was wrong.
        let right = signed(&fixture(Charge, name));
        let verdict = aps().classify(&call(Charge, &key), &right);
        assert!(matches!(verdict.ruling, Ruling::Succeeded(_)), "{name}");
    }
}

/// A refusal that is not signed would free the reference.
#[test]
fn a_refusal_without_the_gateways_signature_is_none() {
    for (kind, name, expected) in VERDICTS {
        let refused = ["declined", "rejected", "unauthorized", "repeated"];
        if !refused.iter().any(|word| expected.starts_with(word)) {
            continue;
        }
        let mut reply = fixture(*kind, name);
        let mut body = reply.json().unwrap();
        body["signature"] = "0".into();
        reply.body = body.to_string().into_bytes();
        let key = key();
        let verdict = aps().classify(&call(*kind, &key), &reply);
        assert!(matches!(verdict.ruling, Ruling::Unknown(_)), "{name}");
    }
}

/// The customer's money would be taken where it was only to be held, or the other way round.
#[test]
fn taken_and_held_are_not_the_same() {
    assert!(line(Authorize, "14000_paid").starts_with("unknown"));
    assert!(line(Charge, "02000_held").starts_with("unknown"));
    assert!(line(Capture, "14000_paid").starts_with("unknown"));
}

#[test]
fn c42_what_names_another_order_or_key_is_not_ours() {
    for (kind, name) in [
        (Charge, "14000_foreign_reference"),
        (Charge, "13666_foreign_reference"),
        (Capture, "04000_other_payment"),
        (Refund, "06000_other_payment"),
        (Refund, "06000_foreign_reference"),
        (Void, "08000_other_payment"),
    ] {
        assert_eq!(classify(kind, name).echo, Echo::Foreign, "{kind} {name}");
    }
    for (kind, name) in [
        (Charge, "14000_no_reference"),
        (Charge, "13666_no_reference"),
        (Refund, "06000_no_reference"),
    ] {
        assert_eq!(classify(kind, name).echo, Echo::Missing, "{kind} {name}");
    }
}
