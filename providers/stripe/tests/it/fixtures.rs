//! Every fixture of a charge and the verdict on it. The kit compares them.

use payonce::conformance::lines;
use payonce::provider::Provider;

use crate::kit::{call, fixture, key, stripe};

/// Name of the file, verdict. Written by hand from what Stripe documents.
pub(crate) const VERDICTS: &[(&str, &str)] = &[
    (
        "200_succeeded",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_replayed",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; ours; kept; replayed",
    ),
    (
        "200_succeeded_unknown_fields",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_key_in_metadata_only",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_key_in_header_only",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_no_key",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; missing; kept",
    ),
    (
        "200_succeeded_foreign_header",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; foreign; kept",
    ),
    (
        "200_succeeded_foreign_metadata",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; foreign; kept",
    ),
    (
        "200_succeeded_two_headers",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; foreign; kept",
    ),
    (
        "200_succeeded_other_amount",
        "succeeded succeeded pi_3FixtureA1 48000.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_received_ours_of_more",
        "succeeded succeeded pi_3FixtureA1 48000.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_other_currency",
        "succeeded succeeded pi_3FixtureA1 480.00 USD; ours; kept",
    ),
    (
        "200_succeeded_received_less",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_received_absent",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    ("200_succeeded_no_id", "unknown: unreadable 200; -; kept"),
    (
        "200_succeeded_path_as_id",
        "unknown: unreadable 200; -; kept",
    ),
    (
        "200_succeeded_no_amount",
        "unknown: unreadable 200; -; kept",
    ),
    ("200_succeeded_fraction", "unknown: unreadable 200; -; kept"),
    (
        "200_succeeded_unknown_currency",
        "unknown: unreadable 200; -; kept",
    ),
    (
        "200_succeeded_other_object",
        "unknown: unreadable 200; -; kept",
    ),
    (
        "200_processing",
        "pending pi_3FixtureA1 processing; ours; kept",
    ),
    (
        "200_processing_other_amount",
        "unknown: mismatch 480.00 SAR 48000.00 SAR pi_3FixtureA1; -; kept",
    ),
    (
        "200_processing_unknown_currency",
        "unknown: mismatch 480.00 SAR - pi_3FixtureA1; -; kept",
    ),
    (
        "200_requires_action_redirect",
        "action pi_3FixtureA1 redirect_to_url https://hooks.stripe.example/3ds/src_1; ours; kept",
    ),
    (
        "200_requires_action_sdk",
        "action pi_3FixtureA1 use_stripe_sdk pi_3FixtureA1_secret_Invented; ours; kept",
    ),
    (
        "200_requires_action_nothing",
        "unknown: unreadable 200; -; kept",
    ),
    (
        "200_declined",
        "declined card_declined generic_decline pi_3FixtureA1; ours; kept",
    ),
    (
        "200_untried",
        "unknown: undocumented 200 requires_payment_method; -; kept",
    ),
    (
        "200_requires_capture",
        "unknown: undocumented 200 requires_capture; -; kept",
    ),
    (
        "200_requires_confirmation",
        "unknown: undocumented 200 requires_confirmation; -; kept",
    ),
    (
        "200_canceled",
        "canceled canceled abandoned pi_3FixtureA1; ours; kept",
    ),
    (
        "200_half_settled",
        "unknown: undocumented 200 half_settled; -; kept",
    ),
    ("200_cut", "unknown: unreadable 200; -"),
    ("200_empty", "unknown: unreadable 200; -"),
    ("200_array", "unknown: unreadable 200; -"),
    ("200_html", "unknown: unreadable 200; -"),
    ("201_created", "unknown: undocumented 201 -; -"),
    (
        "302_redirect",
        "unknown: redirected 302 elsewhere.example; -",
    ),
    ("400_missing_parameter", "rejected parameter_missing - -; -"),
    ("400_echoed", "rejected parameter_missing - -; -"),
    (
        "400_replayed",
        "rejected amount_too_small - -; -; kept; replayed",
    ),
    (
        "400_foreign_header",
        "rejected parameter_missing - -; foreign",
    ),
    (
        "400_payment_left",
        "rejected payment_method_unactivated - pi_3FixtureA1; ours",
    ),
    (
        "400_payment_succeeded",
        "unknown: undocumented 400 succeeded; -",
    ),
    (
        "400_should_retry",
        "unknown: undocumented 400 parameter_invalid_empty; -; retry",
    ),
    (
        "400_key_in_use",
        "unknown: undocumented 400 idempotency_key_in_use; -",
    ),
    ("400_idempotency_error", "key mismatch; -"),
    ("400_api_error", "unknown: undocumented 400 api_error; -"),
    ("400_html", "unknown: undocumented 400 -; -"),
    ("401_wrong_secret", "unauthorized; -"),
    ("401_html", "unknown: undocumented 401 -; -"),
    ("401_other_json", "unknown: undocumented 401 -; -"),
    (
        "401_replayed",
        "unknown: undocumented 401 invalid_request_error; -; kept; replayed",
    ),
    (
        "402_insufficient_funds",
        "declined card_declined insufficient_funds pi_3FixtureA1; ours; kept",
    ),
    (
        "402_replayed",
        "declined card_declined insufficient_funds pi_3FixtureA1; ours; kept; replayed",
    ),
    (
        "402_lost_card",
        "declined card_declined lost_card pi_3FixtureA1 never again; ours; kept",
    ),
    (
        "402_advice_do_not_try_again",
        "declined card_declined do_not_honor pi_3FixtureA1 never again; ours; kept",
    ),
    (
        "402_expired_card",
        "declined expired_card - pi_3FixtureA1 never again; ours; kept",
    ),
    (
        "402_authentication_required",
        "declined authentication_required authentication_required pi_3FixtureA1; ours; kept",
    ),
    (
        "402_no_payment",
        "declined card_declined generic_decline -; ours; kept",
    ),
    (
        "402_no_payment_no_key",
        "declined card_declined generic_decline -; missing; kept",
    ),
    (
        "402_payment_succeeded",
        "unknown: undocumented 402 succeeded; -; kept",
    ),
    (
        "402_payment_processing",
        "unknown: undocumented 402 processing; -; kept",
    ),
    (
        "402_payment_requires_capture",
        "unknown: undocumented 402 requires_capture; -; kept",
    ),
    (
        "402_payment_requires_action",
        "unknown: undocumented 402 requires_action; -; kept",
    ),
    (
        "402_payment_unreadable",
        "unknown: undocumented 402 card_declined; -; kept",
    ),
    (
        "402_other_amount",
        "unknown: mismatch 480.00 SAR 48000.00 SAR pi_3FixtureA1; -; kept",
    ),
    (
        "402_other_type",
        "unknown: undocumented 402 setup_failed; -; kept",
    ),
    ("402_html", "unknown: undocumented 402 -; -"),
    ("403_permission", "unauthorized; -"),
    (
        "404_other_json",
        "unknown: undocumented 404 resource_missing; -",
    ),
    ("403_html", "unknown: blocked 403; -"),
    ("404_resource_missing", "rejected resource_missing - -; -"),
    (
        "404_unknown_address",
        "unknown: undocumented 404 invalid_request_error; -",
    ),
    ("404_html", "unknown: undocumented 404 -; -"),
    ("409_key_in_use", "in progress; -"),
    (
        "409_other",
        "unknown: undocumented 409 resource_conflict; -",
    ),
    (
        "424_dependency",
        "unknown: undocumented 424 external_dependency_failed; -",
    ),
    ("429_rate_limit", "no effect; -"),
    ("429_html", "unknown: undocumented 429 -; -"),
    ("429_rate_limit_by_header", "no effect; -"),
    (
        "429_lock_timeout",
        "unknown: undocumented 429 lock_timeout; -",
    ),
    (
        "429_card_error",
        "unknown: undocumented 429 requires_payment_method; -",
    ),
    (
        "429_replayed",
        "unknown: undocumented 429 rate_limit; -; kept; replayed",
    ),
    ("500_first", "unknown: server error 500; -; kept; stop"),
    (
        "500_replayed",
        "unknown: server error 500; -; kept; replayed; stop",
    ),
    ("500_html", "unknown: server error 500; -"),
    ("502_html", "unknown: server error 502; -"),
    ("503_should_not_retry", "unknown: server error 503; -; stop"),
    ("503_should_retry", "unknown: server error 503; -; retry"),
    ("504_empty", "unknown: server error 504; -"),
];

/// The verdict on a fixture. The cases below are in the table too; here they have names.
fn verdict(name: &str) -> String {
    let key = key();
    lines::verdict(&stripe().classify(&call(&key), &fixture(name)))
}

#[test]
fn c17_key_in_use_is_in_progress() {
    assert_eq!(verdict("409_key_in_use"), "in progress; -");
}

#[test]
fn c19_other_parameters_say_nothing_about_the_first_request() {
    assert_eq!(verdict("400_idempotency_error"), "key mismatch; -");
}

#[test]
fn c20_a_lock_is_no_rate_limit() {
    assert!(verdict("429_lock_timeout").starts_with("unknown"));
    assert!(verdict("429_rate_limit").starts_with("no effect"));
    assert!(verdict("429_rate_limit_by_header").starts_with("no effect"));
    assert!(verdict("429_html").starts_with("unknown"));
}

/// A proxy's or a firewall's own refusal says nothing of what is behind it.
#[test]
fn only_stripes_own_word_says_that_nothing_was_done() {
    for name in ["401_html", "401_other_json", "403_html", "404_other_json"] {
        assert!(verdict(name).starts_with("unknown"), "{name}");
    }
}

#[test]
fn c22_a_stored_500_is_marked() {
    assert!(verdict("500_first").contains("kept"));
    assert!(verdict("500_replayed").contains("kept; replayed"));
}

#[test]
fn c23_advice_is_read_in_any_case() {
    assert!(verdict("503_should_not_retry").ends_with("stop"));
    assert!(verdict("400_should_retry").starts_with("unknown"));
    assert!(verdict("400_should_retry").ends_with("retry"));
}

#[test]
fn c36_a_page_is_never_an_answer() {
    for name in [
        "200_html", "400_html", "402_html", "403_html", "404_html", "500_html",
    ] {
        assert!(verdict(name).starts_with("unknown"), "{name}");
    }
}

#[test]
fn c37_a_cut_success_is_unknown() {
    assert_eq!(verdict("200_cut"), "unknown: unreadable 200; -");
}

#[test]
fn c39_only_what_decides_is_required() {
    assert!(verdict("200_succeeded_unknown_fields").starts_with("succeeded"));
    assert_eq!(
        verdict("200_half_settled"),
        "unknown: undocumented 200 half_settled; -; kept"
    );
}

#[test]
fn c43_another_amount_is_shown_as_it_is() {
    assert!(verdict("200_succeeded_other_amount").contains("48000.00 SAR"));
    assert!(verdict("200_succeeded_other_currency").contains("480.00 USD"));
}

#[test]
fn messages_and_request_ids_are_kept() {
    let key = key();
    let verdict = stripe().classify(&call(&key), &fixture("402_insufficient_funds"));
    assert_eq!(verdict.request_id.as_deref(), Some("req_FixtureA1"));
    let payonce::provider::Ruling::Declined(refusal) = verdict.ruling else {
        panic!("{verdict:?}");
    };
    assert_eq!(
        refusal.message.as_deref(),
        Some("Your card has insufficient funds.")
    );
}
