//! Every fixture of a capture and the verdict on it.

/// Name of the file, verdict. Written by hand from what Stripe documents.
pub(crate) const VERDICTS: &[(&str, &str)] = &[
    (
        "200_captured",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; ours; kept",
    ),
    (
        "200_captured_replayed",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; ours; kept; replayed",
    ),
    (
        "200_captured_more",
        "succeeded succeeded pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    (
        "200_captured_less",
        "succeeded succeeded pi_3FixtureA1 300.00 SAR; ours; kept",
    ),
    (
        "200_captured_no_received",
        "unknown: unreadable 200; -; kept",
    ),
    (
        "200_captured_other_currency",
        "succeeded succeeded pi_3FixtureA1 400.00 USD; ours; kept",
    ),
    (
        "200_captured_key_in_metadata_only",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; ours; kept",
    ),
    (
        "200_captured_key_in_header_only",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; ours; kept",
    ),
    (
        "200_captured_no_key",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; missing; kept",
    ),
    (
        "200_captured_foreign_header",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; foreign; kept",
    ),
    (
        "200_captured_foreign_metadata",
        "succeeded succeeded pi_3FixtureA1 400.00 SAR; foreign; kept",
    ),
    ("200_other_payment", "unknown: unreadable 200; -; kept"),
    ("200_other_object", "unknown: unreadable 200; -; kept"),
    (
        "200_processing",
        "pending pi_3FixtureA1 processing; ours; kept",
    ),
    (
        "200_requires_capture",
        "unknown: undocumented 200 requires_capture; -; kept",
    ),
    (
        "200_canceled",
        "unknown: undocumented 200 canceled; -; kept",
    ),
    (
        "400_already_captured",
        "rejected payment_intent_unexpected_state - -; -",
    ),
    (
        "400_already_captured_no_header",
        "rejected payment_intent_unexpected_state - -; -",
    ),
    (
        "400_already_captured_replayed",
        "rejected payment_intent_unexpected_state - -; -; kept; replayed",
    ),
    (
        "400_captured_with_our_key",
        "unknown: undocumented 400 succeeded; -",
    ),
    (
        "400_captured_with_another_key",
        "rejected payment_intent_unexpected_state - -; -",
    ),
    (
        "400_canceled",
        "rejected payment_intent_unexpected_state - -; -",
    ),
    (
        "400_other_payment",
        "unknown: undocumented 400 succeeded; -",
    ),
    (
        "400_payment_unreadable",
        "unknown: undocumented 400 payment_intent_unexpected_state; -",
    ),
    (
        "400_charge_already_captured",
        "rejected charge_already_captured - -; -",
    ),
    (
        "400_charge_expired_for_capture",
        "rejected charge_expired_for_capture - -; -",
    ),
    ("400_amount_too_large", "rejected amount_too_large - -; -"),
    (
        "400_should_retry",
        "unknown: undocumented 400 payment_intent_unexpected_state; -; retry",
    ),
    (
        "402_declined",
        "declined card_declined generic_decline -; ours; kept",
    ),
    (
        "402_captured",
        "unknown: undocumented 402 succeeded; -; kept",
    ),
    (
        "402_with_our_key",
        "unknown: undocumented 402 requires_capture; -; kept",
    ),
    ("200_cut", "unknown: unreadable 200; -"),
    ("200_html", "unknown: unreadable 200; -"),
    ("400_html", "unknown: undocumented 400 -; -"),
    ("400_idempotency_error", "key mismatch; -"),
    ("404_resource_missing", "rejected resource_missing - -; -"),
    ("409_key_in_use", "in progress; -"),
    ("429_rate_limit", "no effect; -"),
    (
        "429_lock_timeout",
        "unknown: undocumented 429 lock_timeout; -",
    ),
    ("500_first", "unknown: server error 500; -; kept; stop"),
    (
        "500_replayed",
        "unknown: server error 500; -; kept; replayed",
    ),
];
