//! What Stripe's API v1 does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{Alphabet, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule};

use crate::amount::AMOUNT;

/// The metadata name that carries the key, so that a look-up can find it.
pub(crate) const KEY_NAME: &str = "payonce_key";
/// The metadata name that carries the merchant's reference.
pub(crate) const REFERENCE_NAME: &str = "payonce_reference";

/// At most 255 characters: <https://docs.stripe.com/api/idempotent_requests>. Which characters is
/// not documented; these are the ones that any header carries unchanged.
pub(crate) const KEY_FORMAT: KeyFormat = KeyFormat::new(255, Alphabet::VisibleAscii);

const HOUR: Duration = Duration::from_secs(60 * 60);

/// The rule for a kind of operation, if this adapter can do it.
pub(crate) fn of(kind: OperationKind, key_life: Option<Duration>) -> Option<Rule> {
    match kind {
        OperationKind::Charge => Some(charge(key_life)),
        OperationKind::Authorize
        | OperationKind::Capture
        | OperationKind::Refund
        | OperationKind::Void
        | _ => None,
    }
}

fn charge(key_life: Option<Duration>) -> Rule {
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
            Duration::from_secs(60),
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
        let rule = of(OperationKind::Charge, None).unwrap();
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
        assert_eq!(rule.key_again.value, Some("metadata[payonce_key]"));
        assert_eq!(
            rule.reference_field.value,
            Some("metadata[payonce_reference]")
        );
    }
}
