//! What the verdicts on the fixtures must not be. The kit compares each with its line in the table.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::lines;
use payonce::provider::{Provider, Ruling, Verdict};

use crate::kit::{call, fixture, key, square};
use crate::table::VERDICTS;

fn classify(kind: OperationKind, name: &str) -> Verdict {
    let key = key();
    square().classify(&call(kind, &key), &fixture(kind, name))
}

fn verdict(kind: OperationKind, name: &str) -> String {
    lines::verdict(&classify(kind, name))
}

/// What a repeat gets after a refusal is not documented, so none speaks for an earlier send.
#[test]
fn nothing_is_kept_or_marked_as_a_repeat() {
    for (kind, name, _) in VERDICTS {
        let verdict = classify(*kind, name);
        assert!(!verdict.kept && !verdict.replayed, "{kind} {name}");
    }
}

/// The goods would leave for a payment that was declined, or only held.
#[test]
fn c40_a_200_is_no_success_by_itself() {
    assert!(verdict(Charge, "200_failed").starts_with("declined"));
    assert!(verdict(Charge, "200_pending").starts_with("pending"));
    assert!(verdict(Charge, "200_approved").starts_with("unknown"));
    assert!(verdict(Authorize, "200_completed").starts_with("unknown"));
}

/// A code that is new, or of the gateway's own trouble, frees nothing.
#[test]
fn only_documented_codes_are_a_no() {
    for name in [
        "400_unknown_code",
        "400_unknown_decline",
        "400_temporary_error",
        "400_decline_and_temporary",
        "400_decline_of_other_category",
        "408_timeout",
        "409_conflict",
        "500_declined",
    ] {
        assert!(verdict(Charge, name).starts_with("unknown"), "{name}");
    }
}

/// A proxy's or a firewall's own refusal says nothing of what is behind it.
#[test]
fn c36_a_page_is_never_an_answer() {
    for name in [
        "200_html",
        "400_html",
        "401_html",
        "401_other_json",
        "403_html",
        "404_html",
        "429_html",
        "500_html",
    ] {
        assert!(verdict(Charge, name).starts_with("unknown"), "{name}");
    }
}

#[test]
fn c37_a_cut_success_is_unknown() {
    for kind in [Charge, Capture, Void] {
        assert_eq!(verdict(kind, "200_cut"), "unknown: unreadable 200; -");
    }
}

#[test]
fn c43_another_amount_is_shown_as_it_is() {
    assert!(verdict(Charge, "200_completed_other_amount").contains("48000.00 USD"));
    assert!(verdict(Charge, "200_completed_other_currency").contains("480.00 EUR"));
    assert!(verdict(Charge, "200_completed_approved_less").contains("300.00 USD"));
    assert!(verdict(Capture, "200_completed_other_amount").contains("500.00 USD"));
    assert!(verdict(Refund, "200_completed_other_amount").contains("50.00 USD"));
}

/// Somebody else's payment must not settle ours.
#[test]
fn what_does_not_name_our_key_is_not_ours() {
    assert!(verdict(Charge, "200_completed_no_reference").ends_with("missing"));
    assert!(verdict(Charge, "200_completed_other_reference").ends_with("foreign"));
    assert!(verdict(Refund, "200_completed_no_reason").ends_with("missing"));
    assert!(verdict(Refund, "200_completed_other_reason").ends_with("foreign"));
    for kind in [Capture, Void] {
        assert!(verdict(kind, "200_other_payment").ends_with("foreign"));
    }
}

/// What was refused may have been done by an earlier send of ours: the payment tells.
#[test]
fn a_refused_capture_or_void_is_looked_up() {
    for kind in [Capture, Void] {
        for name in [
            "400_bad_request",
            "400_already",
            "400_expired",
            "200_still_approved",
        ] {
            assert!(verdict(kind, name).starts_with("unknown"), "{kind} {name}");
        }
    }
}

#[test]
fn the_texts_of_a_decline_are_kept() {
    let Ruling::Declined(refusal) = classify(Charge, "400_decline_with_payment").ruling else {
        panic!("no decline");
    };
    let text = "Authorization error: 'INSUFFICIENT_FUNDS'";
    assert_eq!(refusal.message.as_deref(), Some(text));
}
