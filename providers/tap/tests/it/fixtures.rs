//! The cases of the table that a person should find by name.

use http::{HeaderMap, StatusCode};
use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund};
use payonce::conformance::lines;
use payonce::provider::{Provider, Response, Ruling};

use crate::kit::{KINDS, call, fixture, key, tap};
use crate::table::VERDICTS;

fn verdict(kind: OperationKind, name: &str) -> String {
    let key = key();
    lines::verdict(&tap().classify(&call(kind, &key), &fixture(kind, name)))
}

/// The money may have moved at the first send, and this is the answer to the second.
#[test]
fn a_duplicate_is_no_decline() {
    for (kind, name) in [
        (Charge, "200_failed_duplicate"),
        (Charge, "200_captured_duplicate_code"),
        (Charge, "400_source_used"),
        (Refund, "200_failed_duplicate"),
    ] {
        assert_eq!(verdict(kind, name), "repeated; -", "{kind} {name}");
    }
}

/// Most charges begin so. Whoever ships the goods then was not paid.
#[test]
fn a_charge_that_has_only_begun_is_no_success() {
    for name in [
        "200_initiated",
        "200_in_progress",
        "200_in_progress_two_words",
    ] {
        assert!(verdict(Charge, name).starts_with("action"), "{name}");
    }
    assert!(verdict(Charge, "200_initiated_no_page").starts_with("pending"));
}

/// The page is Tap's, and never our own address to come back to.
#[test]
fn the_customer_is_sent_to_taps_page() {
    let shown = verdict(Charge, "200_initiated");
    assert!(shown.contains("payments.tap.company"), "{shown}");
    assert!(!shown.contains("shop.example"), "{shown}");
}

/// No page says which replies are stored, so none may speak for an earlier send.
#[test]
fn no_reply_is_kept_or_marked_as_a_repeat() {
    let (tap, key) = (tap(), key());
    for (kind, name, _) in VERDICTS {
        let verdict = tap.classify(&call(*kind, &key), &fixture(*kind, name));
        assert!(!verdict.kept && !verdict.replayed, "{kind} {name}");
    }
}

#[test]
fn c36_a_page_is_never_an_answer() {
    for (kind, name, line) in VERDICTS.iter().filter(|(_, name, _)| name.contains("html")) {
        assert!(line.starts_with("unknown"), "{kind} {name}");
    }
}

/// The same number may be a fraction of what was asked for, or more.
#[test]
fn c43_another_amount_is_shown_as_it_is() {
    assert!(verdict(Charge, "200_captured_other_amount").contains("48000.00 SAR"));
    assert!(verdict(Charge, "200_captured_other_currency").contains("480.00 USD"));
    assert!(verdict(Capture, "200_captured_whole").contains("480.00 SAR"));
    assert!(verdict(Refund, "200_refunded_other_amount").contains("12.00 SAR"));
}

/// Only a 200 may bring an object, whatever the body says.
#[test]
fn a_failing_machine_answers_nothing() {
    let (tap, key) = (tap(), key());
    let body = fixture(Charge, "200_captured").body;
    for status in (100..200).chain(201..1000) {
        let code = StatusCode::from_u16(status).unwrap();
        let reply = Response::new(code, HeaderMap::new(), body.clone());
        let ruling = tap.classify(&call(Charge, &key), &reply).ruling;
        assert!(matches!(ruling, Ruling::Unknown(_)), "{status} {ruling:?}");
    }
}

/// What was to be held was taken, or the other way round: a person must see it.
#[test]
fn a_hold_and_a_charge_are_told_apart() {
    assert!(verdict(Charge, "200_authorized").starts_with("unknown"));
    assert!(verdict(Authorize, "200_captured").starts_with("unknown"));
    assert!(verdict(Charge, "200_an_authorization").starts_with("unknown"));
}

/// Too many requests, and a conflict: neither is documented as without effect.
#[test]
fn what_is_not_documented_as_without_effect_is_in_doubt() {
    for name in ["409_conflict", "429_too_many", "400_gateway_timed_out"] {
        assert!(verdict(Charge, name).starts_with("unknown"), "{name}");
    }
}

#[test]
fn messages_and_the_trace_are_kept() {
    let key = key();
    let verdict = tap().classify(&call(Charge, &key), &fixture(Charge, "200_declined"));
    assert_eq!(verdict.request_id.as_deref(), Some("tck_FixtureA1"));
    let Ruling::Declined(refusal) = verdict.ruling else {
        panic!("{verdict:?}");
    };
    let message = "Declined, Insufficient Funds";
    assert_eq!(refusal.message.as_deref(), Some(message));
}

#[test]
fn every_kind_has_fixtures() {
    for kind in KINDS {
        assert!(VERDICTS.iter().any(|(of, ..)| *of == kind), "{kind}");
    }
}
