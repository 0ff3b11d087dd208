//! What Square's Payments and Refunds APIs do with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{
    Alphabet, AmountRule, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule,
};

use crate::amount::AMOUNT;

/// Square takes keys of 45 characters. The key of a payment stands in `reference_id` as well, which
/// holds 40.
pub(crate) const PAYMENT_KEY: KeyFormat = KeyFormat::new(40, Alphabet::VisibleAscii);
/// The key of a refund stands in `reason` as well, which holds more.
pub(crate) const REFUND_KEY: KeyFormat = KeyFormat::new(45, Alphabet::VisibleAscii);
/// The key of a capture or void never leaves the ledger.
const INNER_KEY: KeyFormat = KeyFormat::new(255, Alphabet::VisibleAscii);

const HOUR: Duration = Duration::from_secs(60 * 60);

// What holds for every kind.
const ONE_CAPTURE: Fact<bool> = Fact::new(
    true,
    "https://developer.squareup.com/reference/square/objects/Payment (COMPLETED is a terminal \
     state), https://developer.squareup.com/reference/square/payments-api/complete-payment (only \
     an APPROVED payment can be completed)",
);
const AMOUNTS: Fact<AmountRule> = Fact::new(
    AMOUNT,
    "https://developer.squareup.com/docs/build-basics/working-with-monetary-amounts (whole numbers \
     of the smallest unit); the list of currencies is from memory and the most digits are not \
     documented, safe reading",
);
const REVERSAL_FINAL: Fact<bool> = Fact::new(
    false,
    "not documented, safe reading: no page says that what was taken back is never tried again",
);

/// The rule for a kind of operation, if this adapter can do it.
pub(crate) fn of(kind: OperationKind) -> Option<Rule> {
    match kind {
        OperationKind::Charge | OperationKind::Authorize => Some(payment()),
        OperationKind::Refund => Some(refund()),
        OperationKind::Capture => Some(of_state(
            "https://developer.squareup.com/reference/square/payments-api/complete-payment (it takes \
             a version token and nothing else)",
            "https://developer.squareup.com/reference/square/payments-api/complete-payment (only an \
             APPROVED payment can be completed), \
             https://developer.squareup.com/reference/square/objects/Payment (COMPLETED is a \
             terminal state): a payment is completed once, whoever asks how often",
        )),
        OperationKind::Void => Some(of_state(
            "https://developer.squareup.com/reference/square/payments-api/cancel-payment (it takes \
             no body)",
            "https://developer.squareup.com/reference/square/payments-api/cancel-payment (only an \
             APPROVED payment can be canceled), \
             https://developer.squareup.com/reference/square/objects/Payment (CANCELED is a terminal \
             state): a payment is canceled once, whoever asks how often",
        )),
        _ => None,
    }
}

fn payment() -> Rule {
    Rule {
        placement: Fact::new(
            Placement::Body("idempotency_key"),
            "https://developer.squareup.com/reference/square/payments-api/create-payment",
        ),
        key_again: Fact::new(
            Some("reference_id"),
            "https://developer.squareup.com/reference/square/payments-api/create-payment (an id of \
             one's own, 40 characters; the payment shows it, and never its idempotency key)",
        ),
        reference_field: Fact::new(
            Some("note"),
            "https://developer.squareup.com/reference/square/payments-api/create-payment (500 \
             characters)",
        ),
        key_format: Fact::new(
            PAYMENT_KEY,
            "https://developer.squareup.com/reference/square/payments-api/create-payment (45 \
             characters, and 40 of reference_id); the alphabet is not documented, safe reading",
        ),
        retention: Fact::new(
            // A repeat after that is never made, so a longer life costs nothing.
            Some(Retention::new(HOUR.saturating_mul(24), HOUR)),
            "not documented, safe reading: Square publishes no life of a key \
             (https://developer.squareup.com/forums/t/28303), and it is planned with a day",
        ),
        on_repeat: Fact::new(
            OnRepeat::ReplaysSuccess,
            "https://developer.squareup.com/docs/working-with-apis/idempotency (the same request \
             gets the response of the first successful one); what a repeat does after a refusal or \
             beside a running request is not documented",
        ),
        settling: SETTLING,
        look_up_reliable: Fact::new(
            true,
            "https://developer.squareup.com/reference/square/payments-api/list-payments (every \
             payment of the location; one may take several seconds to appear)",
        ),
        reversal_final: REVERSAL_FINAL,
        baseline: Fact::new(
            false,
            "https://developer.squareup.com/reference/square/payments-api/create-payment (a payment \
             has its key)",
        ),
        one_capture: ONE_CAPTURE,
        amount: AMOUNTS,
    }
}

const SETTLING: Fact<Duration> = Fact::new(
    Duration::from_secs(60),
    "https://developer.squareup.com/reference/square/payments-api/list-payments (several seconds); \
     a minute is the safe reading of several",
);

fn refund() -> Rule {
    Rule {
        placement: Fact::new(
            Placement::Body("idempotency_key"),
            "https://developer.squareup.com/reference/square/refunds-api/refund-payment",
        ),
        key_again: Fact::new(
            Some("reason"),
            "https://developer.squareup.com/reference/square/refunds-api/refund-payment (192 \
             characters; the only text of one's own that a refund shows)",
        ),
        reference_field: Fact::new(
            None,
            "https://developer.squareup.com/reference/square/refunds-api/refund-payment (there is \
             one text, and it holds the key)",
        ),
        key_format: Fact::new(
            REFUND_KEY,
            "https://developer.squareup.com/reference/square/refunds-api/refund-payment (45 \
             characters); the alphabet is not documented, safe reading",
        ),
        look_up_reliable: Fact::new(
            true,
            "https://developer.squareup.com/reference/square/refunds-api/list-payment-refunds (every \
             refund of the seller; one may take several seconds to appear)",
        ),
        ..payment()
    }
}

/// A capture or void: it has neither a key nor a reference nor an object of its own, and is known by
/// the state that it leaves its payment in.
fn of_state(nothing: &'static str, once: &'static str) -> Rule {
    Rule {
        placement: Fact::new(Placement::Nowhere, nothing),
        key_again: Fact::new(None, nothing),
        reference_field: Fact::new(None, nothing),
        key_format: Fact::new(INNER_KEY, nothing),
        retention: Fact::new(None, once),
        on_repeat: Fact::new(OnRepeat::NoFurtherEffect, once),
        settling: Fact::new(
            Duration::from_secs(60),
            "not documented, safe reading: no page says how long a request may be under way",
        ),
        look_up_reliable: Fact::new(
            false,
            "not documented, safe reading: a payment may be read before a request that is under way \
             has reached it",
        ),
        baseline: Fact::new(
            // The request is of the whole payment, whatever that is by then.
            true,
            "https://developer.squareup.com/docs/payments-api/take-payments/card-payments/delayed-capture \
             (the whole approved amount): a payment of another amount than the one meant must be \
             seen before",
        ),
        ..payment()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_a_source_or_says_that_it_has_none() {
        for kind in OperationKind::all().iter().copied() {
            let rule = of(kind).unwrap();
            for source in [
                rule.placement.source,
                rule.key_again.source,
                rule.reference_field.source,
                rule.key_format.source,
                rule.retention.source,
                rule.on_repeat.source,
                rule.settling.source,
                rule.look_up_reliable.source,
                rule.reversal_final.source,
                rule.baseline.source,
                rule.one_capture.source,
                rule.amount.source,
            ] {
                let sourced = source.starts_with("https://developer.squareup.com/");
                assert!(sourced || source.contains("safe reading"), "{source}");
            }
        }
    }

    /// A repeat of a payment beside a running one could be a second payment: nobody says that it is
    /// not.
    #[test]
    fn only_successes_are_replayed_and_only_for_a_day() {
        for kind in [
            OperationKind::Charge,
            OperationKind::Authorize,
            OperationKind::Refund,
        ] {
            let rule = of(kind).unwrap().snapshot();
            assert_eq!(rule.on_repeat, OnRepeat::ReplaysSuccess, "{kind}");
            assert_eq!(rule.window, Some(HOUR * 23), "{kind}");
            assert!(!rule.baseline, "{kind}");
        }
    }

    /// Without it a part would be captured as the whole.
    #[test]
    fn what_is_of_the_whole_payment_is_read_before() {
        for kind in [OperationKind::Capture, OperationKind::Void] {
            let rule = of(kind).unwrap().snapshot();
            assert_eq!(rule.on_repeat, OnRepeat::NoFurtherEffect, "{kind}");
            assert!(rule.baseline && rule.one_capture, "{kind}");
        }
    }
}
