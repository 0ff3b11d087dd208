//! Every fixture and the verdict on it, written by hand from what Adyen documents.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::lines;
use payonce::provider::{Advice, Echo, Provider, Ruling};

use crate::kit::{adyen, call, fixture, key};

/// Kind, name of the file, verdict.
pub(crate) fn verdicts() -> Vec<(OperationKind, &'static str, &'static str)> {
    let changes = [Capture, Refund, Void].into_iter().flat_map(|kind| {
        let lines = CHANGES.iter().filter(move |(name, _)| {
            kind != Void || !["201_received_other_amount", "201_received_no_amount"].contains(name)
        });
        lines.map(move |(name, line)| {
            let line = match (kind, *name) {
                (Refund, "201_received_other_amount") => {
                    "unknown: mismatch 100.00 SAR 1.00 SAR CHANGE; ours; kept; stop"
                }
                _ => line,
            };
            (kind, *name, line)
        })
    });
    let taken = CHARGE.iter().map(|(name, line)| (Charge, *name, *line));
    let reserved = AUTHORIZE
        .iter()
        .map(|(name, line)| (Authorize, *name, *line));
    taken.chain(reserved).chain(changes).collect()
}

fn verdict(kind: OperationKind, name: &str) -> payonce::provider::Verdict {
    let key = key();
    adyen().classify(&call(kind, &key), &fixture(kind, name))
}

#[test]
fn c36_a_page_is_never_an_answer() {
    for (kind, name, _) in verdicts() {
        if name.contains("_html") {
            let ruling = verdict(kind, name).ruling;
            assert!(matches!(ruling, Ruling::Unknown(_)), "{name} {ruling:?}");
        }
    }
}

/// What `received` says may still fail, and only a notification tells. A refund that was taken for
/// done would be shown to the customer, and never come.
#[test]
fn c42_what_is_received_is_pending_and_neither_a_success_nor_an_error() {
    for (kind, name, _) in verdicts() {
        let changes = matches!(kind, Capture | Refund | Void);
        let ruling = verdict(kind, name).ruling;
        assert!(!(changes && ruling.effect().is_some()), "{kind} {name}");
        if name == "201_received" {
            assert!(matches!(ruling, Ruling::Pending(_)), "{kind} {ruling:?}");
        }
    }
}

/// "In progress" without the word that it passes is "processed already": the payment may be made.
#[test]
fn in_progress_is_said_by_the_header_only() {
    for (kind, name, _) in verdicts() {
        let in_progress = verdict(kind, name).ruling == Ruling::InProgress;
        assert_eq!(in_progress, name.contains("in_progress"), "{kind} {name}");
    }
}

/// A reply that was not handled under the key may be that of a second payment.
#[test]
fn without_the_key_in_the_header_nothing_is_settled() {
    for (kind, name, _) in verdicts() {
        let verdict = verdict(kind, name);
        if name.contains("no_header") {
            assert_eq!(verdict.echo, Echo::Missing, "{kind} {name}");
            assert!(!verdict.kept);
        }
    }
}

/// Adyen answers a refused card with a 200.
#[test]
fn c40_a_refusal_in_a_200_is_a_refusal() {
    let refused = verdict(Charge, "200_refused");
    assert!(matches!(refused.ruling, Ruling::Declined(_)), "{refused:?}");
}

/// No error is sent again on its own unless Adyen says that it passes.
#[test]
fn c23_an_error_is_tried_again_only_if_adyen_says_so() {
    for (kind, name, _) in verdicts() {
        let verdict = verdict(kind, name);
        let passes = name.contains("transient") && !name.contains("not_transient")
            || name.contains("in_progress")
            || name.contains("key_store_down");
        assert_eq!(verdict.advice == Advice::Retry, passes, "{kind} {name}");
        let error = !name.starts_with("20");
        if error && !passes && matches!(verdict.ruling, Ruling::Unknown(_)) {
            assert_eq!(verdict.advice, Advice::Stop, "{kind} {name}");
        }
    }
}

#[test]
fn the_message_and_the_name_of_the_exchange_are_kept() {
    let refused = verdict(Charge, "200_error_invalid_card");
    assert_eq!(refused.request_id.as_deref(), Some("JLCMPCQ8HXSKGK82"));
    let message = refused.ruling.refusal().unwrap().message.as_deref();
    assert_eq!(message, Some("Invalid Card Number"));
    let rejected = verdict(Charge, "422_return_url_missing");
    let message = rejected.ruling.refusal().unwrap().message.as_deref();
    assert_eq!(message, Some("Return URL is missing."));
    assert_eq!(rejected.provider_id(), None);
    assert!(!lines::verdict(&rejected).contains("8816118280275544"));
}

const CHARGE: &[(&str, &str)] = &[
    (
        "200_authorised",
        "succeeded Authorised PAYMENT 480.00 SAR; ours; kept",
    ),
    (
        "200_authorised_unknown_fields",
        "succeeded Authorised PAYMENT 480.00 SAR; ours; kept",
    ),
    (
        "200_authorised_no_header",
        "succeeded Authorised PAYMENT 480.00 SAR; missing",
    ),
    (
        "200_authorised_foreign_header",
        "succeeded Authorised PAYMENT 480.00 SAR; foreign",
    ),
    (
        "200_authorised_two_headers",
        "succeeded Authorised PAYMENT 480.00 SAR; foreign",
    ),
    (
        "200_authorised_foreign_reference",
        "succeeded Authorised PAYMENT 480.00 SAR; foreign",
    ),
    (
        "200_authorised_no_reference",
        "succeeded Authorised PAYMENT 480.00 SAR; ours; kept",
    ),
    (
        "200_authorised_other_amount",
        "succeeded Authorised PAYMENT 48.00 SAR; ours; kept",
    ),
    (
        "200_authorised_other_currency",
        "succeeded Authorised PAYMENT 480.00 USD; ours; kept",
    ),
    (
        "200_authorised_unknown_currency",
        "unknown: unreadable 200; ours; stop",
    ),
    (
        "200_authorised_fraction",
        "unknown: unreadable 200; ours; stop",
    ),
    (
        "200_authorised_text_amount",
        "unknown: unreadable 200; ours; stop",
    ),
    (
        "200_authorised_no_amount",
        "unknown: unreadable 200; ours; stop",
    ),
    (
        "200_authorised_no_id",
        "unknown: unreadable 200; ours; stop",
    ),
    (
        "200_authorised_path_as_id",
        "unknown: unreadable 200; ours; stop",
    ),
    (
        "200_partly_authorised",
        "succeeded PartiallyAuthorised PAYMENT 300.00 SAR; ours; kept",
    ),
    ("200_refused", "declined Refused 2 PAYMENT; ours; kept"),
    (
        "200_refused_no_header",
        "declined Refused 2 PAYMENT; missing",
    ),
    (
        "200_refused_foreign_reference",
        "declined Refused 2 PAYMENT; foreign",
    ),
    (
        "200_refused_new_reason",
        "declined Refused 461 PAYMENT; ours; kept",
    ),
    (
        "200_refused_no_amount",
        "declined Refused 6 PAYMENT; ours; kept",
    ),
    (
        "200_refused_no_reason",
        "unknown: undocumented 200 Refused -; ours; kept; stop",
    ),
    (
        "200_refused_acquirer_error",
        "unknown: undocumented 200 Refused 4; ours; kept; stop",
    ),
    (
        "200_refused_other_amount",
        "unknown: mismatch 480.00 SAR 48.00 SAR PAYMENT; ours; kept; stop",
    ),
    (
        "200_error_invalid_card",
        "declined Error 8 PAYMENT; ours; kept",
    ),
    (
        "200_error_issuer_unavailable",
        "unknown: undocumented 200 Error 9; ours; kept; stop",
    ),
    (
        "200_error_new_reason",
        "unknown: undocumented 200 Error 461; ours; kept; stop",
    ),
    ("200_cancelled", "canceled Cancelled 16 PAYMENT; ours; kept"),
    ("200_redirect", "action PAYMENT redirect PAGE; ours; kept"),
    ("200_redirect_no_id", "action KEY redirect PAGE; ours; kept"),
    (
        "200_redirect_post",
        "action PAYMENT redirect FORM; ours; kept",
    ),
    (
        "200_redirect_script",
        "action PAYMENT redirect SCRIPT; ours; kept",
    ),
    (
        "200_redirect_no_action",
        "unknown: unreadable 200; ours; stop",
    ),
    (
        "200_redirect_other_amount",
        "unknown: mismatch 480.00 SAR 48.00 SAR PAYMENT; ours; kept; stop",
    ),
    ("200_identify", "action KEY threeDS2 CHALLENGE; ours; kept"),
    ("200_voucher", "action PAYMENT voucher VOUCHER; ours; kept"),
    ("200_pending", "pending PAYMENT Pending; ours; kept"),
    (
        "200_pending_with_action",
        "action PAYMENT await AWAIT; ours; kept",
    ),
    (
        "200_pending_other_amount",
        "unknown: mismatch 480.00 SAR 48.00 SAR PAYMENT; ours; kept; stop",
    ),
    ("200_received", "pending PAYMENT Received; ours; kept"),
    (
        "200_success",
        "unknown: undocumented 200 Success; ours; kept; stop",
    ),
    (
        "200_authentication_finished",
        "unknown: undocumented 200 AuthenticationFinished; ours; kept; stop",
    ),
    (
        "200_new_result",
        "unknown: undocumented 200 HalfAuthorised; ours; kept; stop",
    ),
    (
        "200_small_letters",
        "unknown: undocumented 200 authorised; ours; kept; stop",
    ),
    ("200_no_result", "unknown: unreadable 200; ours"),
    ("200_cut", "unknown: unreadable 200; ours"),
    ("200_cut_no_header", "unknown: unreadable 200; missing"),
    ("200_empty", "unknown: unreadable 200; ours"),
    ("200_array", "unknown: unreadable 200; ours"),
    ("200_html", "unknown: unreadable 200; missing"),
    (
        "201_authorised",
        "unknown: undocumented 201 -; ours; kept; stop",
    ),
    (
        "302_redirect",
        "unknown: redirected 302 elsewhere.example; -; stop",
    ),
    ("400_unreadable", "rejected 702 - -; -"),
    ("400_html", "unknown: undocumented 400 -; -; stop"),
    ("401_wrong_key", "unauthorized; -"),
    ("401_html", "unknown: undocumented 401 -; -; stop"),
    ("403_wrong_account", "unauthorized; -"),
    ("403_html", "unknown: blocked 403; -; stop"),
    ("404_html", "unknown: undocumented 404 -; -; stop"),
    ("422_in_progress", "in progress; ours; retry"),
    ("422_in_progress_no_key", "in progress; -; retry"),
    ("409_in_progress", "in progress; ours; retry"),
    (
        "409_in_progress_foreign_header",
        "in progress; foreign; retry",
    ),
    (
        "422_already_processed",
        "unknown: undocumented 422 704; ours; stop",
    ),
    (
        "422_already_processed_not_transient",
        "unknown: undocumented 422 704; -; stop",
    ),
    ("422_return_url_missing", "rejected 14_030 - -; ours"),
    (
        "422_return_url_missing_no_header",
        "rejected 14_030 - -; missing",
    ),
    ("422_not_configured", "rejected 905 - -; ours"),
    (
        "422_transient",
        "unknown: undocumented 422 14_031; ours; retry",
    ),
    ("422_internal", "unknown: undocumented 422 999; ours; stop"),
    ("422_no_code", "unknown: undocumented 422 -; ours; stop"),
    ("422_html", "unknown: undocumented 422 -; missing; stop"),
    ("429_rate_limit", "unknown: undocumented 429 429; -; stop"),
    ("500_internal", "unknown: server error 500; -; stop"),
    ("500_stored", "unknown: server error 500; ours; stop"),
    ("500_transient", "unknown: server error 500; ours; retry"),
    ("500_authorised", "unknown: server error 500; ours; stop"),
    ("502_html", "unknown: server error 502; -; stop"),
    ("503_key_store_down", "unknown: server error 503; -; retry"),
    ("504_empty", "unknown: server error 504; -; stop"),
];

const AUTHORIZE: &[(&str, &str)] = &[
    (
        "200_authorised",
        "succeeded Authorised PAYMENT 480.00 SAR; ours; kept",
    ),
    (
        "200_authorised_other_amount",
        "succeeded Authorised PAYMENT 48.00 SAR; ours; kept",
    ),
    ("200_refused", "declined Refused 12 PAYMENT; ours; kept"),
];

const CHANGES: &[(&str, &str)] = &[
    ("201_received", "pending CHANGE received; ours; kept"),
    ("201_received_no_header", "pending CHANGE received; missing"),
    (
        "201_received_foreign_header",
        "pending CHANGE received; foreign",
    ),
    (
        "201_received_other_reference",
        "pending CHANGE received; foreign",
    ),
    (
        "201_received_no_reference",
        "pending CHANGE received; ours; kept",
    ),
    (
        "201_received_other_payment",
        "pending CHANGE received; foreign",
    ),
    (
        "201_received_no_payment",
        "unknown: unreadable 201; ours; stop",
    ),
    ("201_received_no_id", "unknown: unreadable 201; ours; stop"),
    (
        "201_received_other_amount",
        "unknown: mismatch 400.00 SAR 1.00 SAR CHANGE; ours; kept; stop",
    ),
    (
        "201_received_no_amount",
        "unknown: unreadable 201; ours; stop",
    ),
    (
        "201_new_status",
        "unknown: undocumented 201 refused; ours; kept; stop",
    ),
    ("201_no_status", "unknown: unreadable 201; ours"),
    ("201_cut", "unknown: unreadable 201; ours"),
    ("201_html", "unknown: unreadable 201; missing"),
    (
        "200_received",
        "unknown: undocumented 200 -; ours; kept; stop",
    ),
    ("422_wrong_original", "rejected 167 - -; ours"),
    ("422_in_progress", "in progress; ours; retry"),
    ("500_internal", "unknown: server error 500; -; stop"),
];
