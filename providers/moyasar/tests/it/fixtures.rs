//! What the verdicts on the fixtures must not be. The kit compares each with its line in the table.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::lines;
use payonce::provider::{Provider, Ruling, Verdict};

use crate::conformance::PAGE;
use crate::kit::{KEY, PARENT, call, fixture, key, moyasar};
use crate::table::VERDICTS;

fn classify(kind: OperationKind, name: &str) -> Verdict {
    let key = key();
    moyasar().classify(&call(kind, &key), &fixture(kind, name))
}

/// The verdict on a fixture in one line, with the words of the table for its ids.
fn verdict(kind: OperationKind, name: &str) -> String {
    lines::verdict(&classify(kind, name))
        .replace(KEY, "KEY")
        .replace(PARENT, "PARENT")
        .replace(PAGE, "PAGE")
}

/// A second charge would follow if a duplicate were taken for a refusal of our request.
#[test]
fn c26_a_duplicate_is_looked_up_and_never_a_refusal() {
    for name in [
        "400_already_created",
        "400_already_created_no_type",
        "400_given_id_taken",
    ] {
        assert_eq!(verdict(Charge, name), "repeated; -", "{name}");
    }
    // There is no key that could be a duplicate here.
    assert!(verdict(Capture, "400_already").starts_with("rejected"));
    assert!(verdict(Refund, "400_already").starts_with("rejected"));
}

/// No page says that a repeat gets the first reply, so no refusal speaks for an earlier send.
#[test]
fn nothing_is_kept_or_marked_as_a_repeat() {
    for (kind, name, _) in VERDICTS {
        let verdict = classify(*kind, name);
        assert!(!verdict.kept && !verdict.replayed, "{kind} {name}");
    }
}

/// The goods would leave for a payment that was declined.
#[test]
fn c40_a_201_is_no_success_by_itself() {
    assert!(verdict(Charge, "201_failed").starts_with("declined"));
    assert!(verdict(Charge, "201_initiated").starts_with("action"));
    assert!(verdict(Charge, "201_authorized").starts_with("unknown"));
    assert!(verdict(Charge, "200_verified").starts_with("unknown"));
}

/// The customer's money would be taken where it was only to be held, or the other way round.
#[test]
fn taken_and_held_are_not_the_same() {
    assert!(verdict(Authorize, "201_paid").starts_with("unknown"));
    assert!(verdict(Charge, "201_authorized").starts_with("unknown"));
    assert!(verdict(Authorize, "201_authorized").starts_with("succeeded authorized"));
}

/// An abandoned page that the customer still has open might be paid after a second attempt.
#[test]
fn an_abandoned_payment_frees_nothing() {
    assert!(verdict(Charge, "200_abandoned").starts_with("unknown"));
}

/// A proxy's or a firewall's own refusal says nothing of what is behind it.
#[test]
fn only_moyasars_own_word_says_that_nothing_was_done() {
    for name in [
        "400_html",
        "401_html",
        "401_other_json",
        "401_api_error",
        "403_html",
        "403_other_json",
        "404_html",
        "404_other_json",
        "405_html",
        "429_html",
        "429_other_type",
        "500_already_created",
    ] {
        assert!(verdict(Charge, name).starts_with("unknown"), "{name}");
    }
    for kind in [Capture, Refund] {
        assert!(verdict(kind, "404_html").starts_with("unknown"), "{kind}");
    }
}

#[test]
fn c36_a_page_is_never_an_answer() {
    for name in ["201_html", "400_html", "403_html", "500_html"] {
        assert!(verdict(Charge, name).starts_with("unknown"), "{name}");
    }
}

#[test]
fn c37_a_cut_success_is_unknown() {
    assert_eq!(verdict(Charge, "201_cut"), "unknown: unreadable 201; -");
    assert_eq!(verdict(Capture, "200_cut"), "unknown: unreadable 200; -");
}

#[test]
fn c43_another_amount_is_shown_as_it_is() {
    assert!(verdict(Charge, "201_paid_other_amount").contains("48000.00 SAR"));
    assert!(verdict(Charge, "201_paid_other_currency").contains("480.00 USD"));
    assert!(verdict(Capture, "200_captured_all").contains("480.00 SAR"));
    assert!(verdict(Refund, "200_less").contains("50.00 SAR"));
    assert!(verdict(Void, "200_other_amount").contains("500.00 SAR"));
}

/// Somebody else's payment under an id that the merchant gave us must not settle ours.
#[test]
fn the_id_alone_does_not_make_a_payment_ours() {
    for name in ["201_paid_no_metadata", "201_paid_key_not_in_metadata"] {
        assert!(verdict(Charge, name).ends_with("missing"), "{name}");
    }
    for name in ["201_paid_other_id", "201_paid_other_key_in_metadata"] {
        assert!(verdict(Charge, name).ends_with("foreign"), "{name}");
    }
}

#[test]
fn a_reply_about_another_payment_settles_no_follow_up() {
    for kind in [Capture, Refund, Void] {
        assert!(
            verdict(kind, "200_other_payment").ends_with("foreign"),
            "{kind}"
        );
    }
}

/// A 200 that shows the payment as it was is no proof that something was done.
#[test]
fn a_follow_up_that_shows_no_change_is_looked_up() {
    for (kind, name) in [
        (Capture, "200_still_authorized"),
        (Refund, "200_nothing"),
        (Void, "200_still_authorized"),
    ] {
        assert!(verdict(kind, name).starts_with("unknown"), "{kind}");
    }
}

#[test]
fn the_texts_of_a_decline_are_kept() {
    let Ruling::Declined(refusal) = classify(Charge, "201_failed").ruling else {
        panic!("no decline");
    };
    assert_eq!(refusal.message.as_deref(), Some("INSUFFICIENT FUNDS"));
    assert_eq!(refusal.reason.as_deref(), Some("51"));
}
