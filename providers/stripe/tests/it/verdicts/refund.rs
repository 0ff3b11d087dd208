//! Every fixture of a refund and the verdict on it.

/// Name of the file, verdict. Written by hand from what Stripe documents.
pub(crate) const VERDICTS: &[(&str, &str)] = &[
    (
        "200_succeeded",
        "succeeded succeeded re_3FixtureR1 100.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_replayed",
        "succeeded succeeded re_3FixtureR1 100.00 SAR; ours; kept; replayed",
    ),
    (
        "200_succeeded_other_amount",
        "succeeded succeeded re_3FixtureR1 480.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_other_currency",
        "succeeded succeeded re_3FixtureR1 100.00 USD; ours; kept",
    ),
    (
        "200_succeeded_no_amount",
        "unknown: unreadable 200; -; kept",
    ),
    ("200_succeeded_no_id", "unknown: unreadable 200; -; kept"),
    (
        "200_succeeded_path_as_id",
        "unknown: unreadable 200; -; kept",
    ),
    (
        "200_succeeded_key_in_metadata_only",
        "succeeded succeeded re_3FixtureR1 100.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_key_in_header_only",
        "succeeded succeeded re_3FixtureR1 100.00 SAR; ours; kept",
    ),
    (
        "200_succeeded_no_key",
        "succeeded succeeded re_3FixtureR1 100.00 SAR; missing; kept",
    ),
    (
        "200_succeeded_foreign_header",
        "succeeded succeeded re_3FixtureR1 100.00 SAR; foreign; kept",
    ),
    (
        "200_succeeded_foreign_metadata",
        "succeeded succeeded re_3FixtureR1 100.00 SAR; foreign; kept",
    ),
    ("200_other_payment", "unknown: unreadable 200; -; kept"),
    ("200_other_object", "unknown: unreadable 200; -; kept"),
    ("200_pending", "pending re_3FixtureR1 pending; ours; kept"),
    (
        "200_pending_other_amount",
        "unknown: mismatch 100.00 SAR 480.00 SAR re_3FixtureR1; -; kept",
    ),
    (
        "200_requires_action",
        "pending re_3FixtureR1 requires_action; ours; kept",
    ),
    (
        "200_failed",
        "declined failed expired_or_canceled_card re_3FixtureR1; ours; kept",
    ),
    (
        "200_failed_other_amount",
        "unknown: mismatch 100.00 SAR 480.00 SAR re_3FixtureR1; -; kept",
    ),
    (
        "200_canceled",
        "canceled canceled merchant_request re_3FixtureR1; ours; kept",
    ),
    (
        "200_half_settled",
        "unknown: undocumented 200 half_settled; -; kept",
    ),
    (
        "400_charge_already_refunded",
        "rejected charge_already_refunded - -; -",
    ),
    ("400_amount_too_large", "rejected amount_too_large - -; -"),
    (
        "400_payment_shown",
        "rejected payment_intent_unexpected_state - -; -",
    ),
    (
        "400_other_payment",
        "unknown: undocumented 400 succeeded; -",
    ),
    (
        "400_should_retry",
        "unknown: undocumented 400 charge_already_refunded; -; retry",
    ),
    (
        "402_declined",
        "declined card_declined generic_decline -; ours; kept",
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
