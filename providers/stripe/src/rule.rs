//! What Stripe's API v1 does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{Alphabet, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule};

use crate::amount::AMOUNT;

/// The metadata name that carries the key, so that a look-up can find it.
pub(crate) const KEY_NAME: &str = "payonce_key";
/// The metadata name that carries the merchant's reference.
pub(crate) const REFERENCE_NAME: &str = "payonce_reference";
/// The same of a capture. It is written on the payment that it captures, where the authorization's
/// own fields must stay.
pub(crate) const CAPTURE_KEY_NAME: &str = "payonce_capture_key";
/// The same of a capture's reference.
pub(crate) const CAPTURE_REFERENCE_NAME: &str = "payonce_capture_reference";

/// At most 255 characters: <https://docs.stripe.com/api/idempotent_requests>. Which characters is
/// not documented; these are the ones that any header carries unchanged.
pub(crate) const KEY_FORMAT: KeyFormat = KeyFormat::new(255, Alphabet::VisibleAscii);

const HOUR: Duration = Duration::from_secs(60 * 60);

/// The rule for a kind of operation, if this adapter can do it.
pub(crate) fn of(kind: OperationKind, key_life: Option<Duration>) -> Option<Rule> {
    Some(match kind {
        OperationKind::Charge | OperationKind::Authorize => payment(key_life),
        OperationKind::Capture => capture(key_life),
        OperationKind::Refund => refund(key_life),
        OperationKind::Void => void(key_life),
        _ => return None,
    })
}

/// A capture writes on its payment, and is looked up by reading that.
fn capture(key_life: Option<Duration>) -> Rule {
    Rule {
        key_again: Fact::new(
            Some("metadata[payonce_capture_key]"),
            "https://docs.stripe.com/api/payment_intents/capture (it takes metadata, and fields \
             that it does not name stay); the name is payonce's",
        ),
        reference_field: Fact::new(
            Some("metadata[payonce_capture_reference]"),
            "https://docs.stripe.com/api/payment_intents/capture; the name is payonce's",
        ),
        settling: BY_ID,
        look_up_reliable: READ_TOO_EARLY,
        ..payment(key_life)
    }
}

/// A refund is an object of its own.
fn refund(key_life: Option<Duration>) -> Rule {
    Rule {
        key_again: Fact::new(
            Some("metadata[payonce_key]"),
            "https://docs.stripe.com/api/refunds/create (metadata); the name is payonce's",
        ),
        settling: Fact::new(
            MINUTE,
            "not documented, safe reading: https://docs.stripe.com/api/refunds/list says what the \
             list holds, not how soon",
        ),
        look_up_reliable: Fact::new(
            false,
            "not documented, safe reading: no page says when the list shows a refund",
        ),
        reversal_final: Fact::new(
            false,
            "not documented, safe reading: https://docs.stripe.com/refunds#failed-refunds says \
             that the money of a failed refund comes back, not that it is never sent again",
        ),
        ..payment(key_life)
    }
}

/// A void leaves the payment canceled, and nothing that says who did it.
fn void(key_life: Option<Duration>) -> Rule {
    Rule {
        key_again: Fact::new(
            None,
            "https://docs.stripe.com/api/payment_intents/cancel (it takes a reason only, no \
             metadata)",
        ),
        reference_field: Fact::new(
            None,
            "https://docs.stripe.com/api/payment_intents/cancel (as the key)",
        ),
        settling: BY_ID,
        look_up_reliable: READ_TOO_EARLY,
        ..payment(key_life)
    }
}

const MINUTE: Duration = Duration::from_secs(60);

/// A payment read by its id does not lag. The time is for the request that may still be under way.
const BY_ID: Fact<Duration> = Fact::new(
    MINUTE,
    "not documented, safe reading: a payment read by its id is said to be current, but no page \
     says how long a request may be under way",
);

const READ_TOO_EARLY: Fact<bool> = Fact::new(
    false,
    "not documented, safe reading: a payment may be read before a request that is under way has \
     reached it",
);

/// A charge or an authorization; the others have what differs.
fn payment(key_life: Option<Duration>) -> Rule {
    Rule {
        placement: Fact::new(
            Placement::Header("Idempotency-Key"),
            "https://docs.stripe.com/api/idempotent_requests",
        ),
        key_again: Fact::new(
            Some("metadata[payonce_key]"),
            "https://docs.stripe.com/error-low-level#server-errors advises to put an id of one's \
             own into metadata; the name is payonce's",
        ),
        reference_field: Fact::new(
            Some("metadata[payonce_reference]"),
            "https://docs.stripe.com/metadata; the name is payonce's",
        ),
        key_format: Fact::new(
            KEY_FORMAT,
            "https://docs.stripe.com/api/idempotent_requests (255 characters); the alphabet is \
             not documented, safe reading",
        ),
        retention: Fact::new(
            // Once pruned, the same key is a new request, so a second charge.
            Some(Retention::new(HOUR.saturating_mul(24), HOUR).with_shortened(key_life)),
            "https://docs.stripe.com/api/idempotent_requests (keys may be removed once they are \
             at least 24 hours old)",
        ),
        on_repeat: Fact::new(
            // Not stored, and so run again: most parameter errors, 401, rate limits, conflicts.
            // None of them had an effect.
            OnRepeat::Replays,
            "https://docs.stripe.com/error-low-level#idempotency (the first result is stored \
             whatever it is, 402 and 500 too, once the method began executing)",
        ),
        settling: Fact::new(
            MINUTE,
            "https://docs.stripe.com/search (the search shows data in under a minute as a rule, in \
             an outage later; list requests are said not to lag, but not how soon they show what)",
        ),
        look_up_reliable: Fact::new(
            false,
            "not documented, safe reading: the search lags without a limit in an outage, and the \
             list is read to ten pages only",
        ),
        reversal_final: Fact::new(
            false,
            "not documented, safe reading: no page says that a payment taken back stays so",
        ),
        baseline: Fact::new(
            false,
            "https://docs.stripe.com/api/idempotent_requests (every POST takes a key)",
        ),
        one_capture: Fact::new(
            true,
            "https://docs.stripe.com/payments/place-a-hold-on-a-payment-method (a capture releases \
             the rest; several captures are a feature of some accounts, safe reading)",
        ),
        amount: Fact::new(
            AMOUNT,
            "https://docs.stripe.com/currencies; steps of ten for three-decimal currencies from \
             memory, safe reading",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c15_the_window_is_23_hours_and_is_only_ever_shortened() {
        let window = |life| {
            of(OperationKind::Charge, life)
                .unwrap()
                .snapshot()
                .window
                .unwrap()
        };
        assert_eq!(window(None), HOUR * 23);
        assert_eq!(window(Some(HOUR)), HOUR);
        assert_eq!(window(Some(HOUR * 48)), HOUR * 23);
    }

    #[test]
    fn every_fact_has_a_source_or_says_that_it_has_none() {
        for kind in OperationKind::all().iter().copied() {
            let rule = of(kind, None).unwrap();
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
                let sourced = source.starts_with("https://docs.stripe.com/");
                assert!(sourced || source.contains("safe reading"), "{source}");
            }
        }
    }

    /// The rule says where to look for a key; what is written must be there.
    #[test]
    fn the_fields_are_those_that_are_written() {
        let field = |name: &str| Some(format!("metadata[{name}]"));
        for (kind, key, reference) in [
            (OperationKind::Charge, KEY_NAME, REFERENCE_NAME),
            (OperationKind::Authorize, KEY_NAME, REFERENCE_NAME),
            (
                OperationKind::Capture,
                CAPTURE_KEY_NAME,
                CAPTURE_REFERENCE_NAME,
            ),
            (OperationKind::Refund, KEY_NAME, REFERENCE_NAME),
        ] {
            let rule = of(kind, None).unwrap();
            assert_eq!(rule.key_again.value.map(str::to_owned), field(key));
            assert_eq!(
                rule.reference_field.value.map(str::to_owned),
                field(reference)
            );
        }
        let void = of(OperationKind::Void, None).unwrap();
        assert_eq!(
            (void.key_again.value, void.reference_field.value),
            (None, None)
        );
    }

    /// Every request has a key at Stripe, so nothing is ever compared with what was there before.
    #[test]
    fn every_kind_replays_within_the_window_and_none_needs_a_baseline() {
        for kind in OperationKind::all().iter().copied() {
            let rule = of(kind, None).unwrap().snapshot();
            assert_eq!(rule.on_repeat, OnRepeat::Replays, "{kind}");
            assert_eq!(rule.window, Some(HOUR * 23), "{kind}");
            assert!(rule.one_capture && !rule.baseline, "{kind}");
        }
    }
}
