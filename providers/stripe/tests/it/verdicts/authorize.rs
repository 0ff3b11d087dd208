//! Every fixture of an authorization and the verdict on it.

/// Name of the file, verdict. Written by hand from what Stripe documents.
pub(crate) const VERDICTS: &[(&str, &str)] = &[
    (
        "200_authorized",
        "succeeded requires_capture pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    (
        "200_authorized_replayed",
        "succeeded requires_capture pi_3FixtureA1 480.00 SAR; ours; kept; replayed",
    ),
    (
        "200_authorized_less",
        "succeeded requires_capture pi_3FixtureA1 400.00 SAR; ours; kept",
    ),
    (
        "200_authorized_other_amount",
        "succeeded requires_capture pi_3FixtureA1 48000.00 SAR; ours; kept",
    ),
    (
        "200_authorized_other_currency",
        "succeeded requires_capture pi_3FixtureA1 480.00 USD; ours; kept",
    ),
    (
        "200_authorized_no_capturable",
        "unknown: unreadable 200; -; kept",
    ),
    (
        "200_authorized_no_amount",
        "unknown: unreadable 200; -; kept",
    ),
    ("200_authorized_no_id", "unknown: unreadable 200; -; kept"),
    (
        "200_authorized_no_key",
        "succeeded requires_capture pi_3FixtureA1 480.00 SAR; missing; kept",
    ),
    (
        "200_authorized_foreign_metadata",
        "succeeded requires_capture pi_3FixtureA1 480.00 SAR; foreign; kept",
    ),
    (
        "200_succeeded",
        "unknown: undocumented 200 succeeded; -; kept",
    ),
    (
        "200_processing",
        "pending pi_3FixtureA1 processing; ours; kept",
    ),
    (
        "200_requires_action_redirect",
        "action pi_3FixtureA1 redirect_to_url https://hooks.stripe.example/3ds/src_1; ours; kept",
    ),
    (
        "200_declined",
        "declined card_declined generic_decline pi_3FixtureA1; ours; kept",
    ),
    (
        "200_canceled",
        "canceled canceled automatic pi_3FixtureA1; ours; kept",
    ),
    (
        "402_insufficient_funds",
        "declined card_declined insufficient_funds pi_3FixtureA1; ours; kept",
    ),
    (
        "402_payment_requires_capture",
        "unknown: undocumented 402 requires_capture; -; kept",
    ),
    (
        "400_payment_requires_capture",
        "unknown: undocumented 400 requires_capture; -",
    ),
    ("400_missing_parameter", "rejected parameter_missing - -; -"),
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
