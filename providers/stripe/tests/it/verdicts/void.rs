//! Every fixture of a void and the verdict on it.

/// Name of the file, verdict. Written by hand from what Stripe documents.
pub(crate) const VERDICTS: &[(&str, &str)] = &[
    (
        "200_canceled",
        "succeeded canceled pi_3FixtureA1 480.00 SAR; ours; kept",
    ),
    (
        "200_canceled_replayed",
        "succeeded canceled pi_3FixtureA1 480.00 SAR; ours; kept; replayed",
    ),
    (
        "200_canceled_no_key",
        "succeeded canceled pi_3FixtureA1 480.00 SAR; missing; kept",
    ),
    (
        "200_canceled_foreign_header",
        "succeeded canceled pi_3FixtureA1 480.00 SAR; foreign; kept",
    ),
    (
        "200_canceled_part_taken",
        "succeeded canceled pi_3FixtureA1 380.00 SAR; ours; kept",
    ),
    (
        "200_canceled_other_currency",
        "succeeded canceled pi_3FixtureA1 480.00 USD; ours; kept",
    ),
    ("200_canceled_no_amount", "unknown: unreadable 200; -; kept"),
    (
        "200_canceled_no_received",
        "unknown: unreadable 200; -; kept",
    ),
    ("200_other_payment", "unknown: unreadable 200; -; kept"),
    ("200_other_object", "unknown: unreadable 200; -; kept"),
    (
        "200_requires_capture",
        "unknown: undocumented 200 requires_capture; -; kept",
    ),
    (
        "200_succeeded",
        "unknown: undocumented 200 succeeded; -; kept",
    ),
    (
        "400_canceled_before",
        "succeeded canceled pi_3FixtureA1 480.00 SAR; ours",
    ),
    (
        "400_canceled_before_no_header",
        "succeeded canceled pi_3FixtureA1 480.00 SAR; missing",
    ),
    (
        "400_canceled_before_no_amount",
        "unknown: unreadable 400; -",
    ),
    (
        "400_canceled_other_code",
        "unknown: undocumented 400 canceled; -",
    ),
    (
        "400_canceled_other_payment",
        "unknown: undocumented 400 canceled; -",
    ),
    (
        "400_captured",
        "rejected payment_intent_unexpected_state - -; -",
    ),
    (
        "400_half_settled",
        "unknown: undocumented 400 half_settled; -",
    ),
    (
        "400_payment_not_shown",
        "rejected payment_intent_unexpected_state - -; -",
    ),
    (
        "400_should_retry",
        "unknown: undocumented 400 succeeded; -; retry",
    ),
    ("402_declined", "declined card_declined - -; ours; kept"),
    (
        "402_canceled",
        "unknown: undocumented 402 canceled; -; kept",
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
