//! What Adyen's Checkout API does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{
    Alphabet, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule, StepRule,
};

use crate::amount::AMOUNT;

/// The header that carries the key, in the request and in the reply.
pub(crate) const KEY_HEADER: &str = "idempotency-key";
/// The metadata name that carries the merchant's reference.
pub(crate) const REFERENCE_NAME: &str = "payonce_reference";

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const KEY_FORMAT: Fact<KeyFormat> = Fact::new(
    KeyFormat::new(64, Alphabet::UuidV4),
    "https://docs.adyen.com/development-resources/api-idempotency (64 characters; a random UUID of \
     version 4, since keys are shared by the whole company and one that can be guessed shows \
     another's reply)",
);

const RETENTION: Fact<Option<Retention>> = Fact::new(
    // Older pages say 31 days. A key that is forgotten is a second payment, so the least holds.
    Some(Retention::new(DAY.saturating_mul(7), DAY)),
    "https://docs.adyen.com/development-resources/api-idempotency (at least 7 days)",
);

const ON_REPEAT: Fact<OnRepeat> = Fact::new(
    OnRepeat::Replays,
    "https://docs.adyen.com/development-resources/api-idempotency (every POST: what was processed is \
     answered with the first reply, also where that is an error)",
);

/// The rule for a kind of operation, if this adapter can do it. All are POSTs of one API, and alike.
pub(crate) fn of(kind: OperationKind) -> Option<Rule> {
    match kind {
        OperationKind::Charge | OperationKind::Authorize => Some(payment()),
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void => Some(Rule {
            reference_field: Fact::new(
                None,
                "https://github.com/Adyen/adyen-openapi CheckoutService-v72 (one reference, which \
                 carries the key; no other field is taken)",
            ),
            ..payment()
        }),
        _ => None,
    }
}

/// The rule for `/payments/details`.
pub(crate) const fn step() -> StepRule {
    StepRule {
        key_format: KEY_FORMAT,
        retention: RETENTION,
        on_repeat: ON_REPEAT,
    }
}

fn payment() -> Rule {
    Rule {
        placement: Fact::new(
            Placement::Header("Idempotency-Key"),
            "https://docs.adyen.com/development-resources/api-idempotency",
        ),
        key_again: Fact::new(
            // The notification names it, under its signature, and a cancel by reference finds it.
            Some("reference"),
            "https://docs.adyen.com/api-explorer/Checkout/latest/post/payments (at most 80 \
             characters)",
        ),
        reference_field: Fact::new(
            Some("metadata.payonce_reference"),
            "https://docs.adyen.com/api-explorer/Checkout/latest/post/payments (metadata: 20 \
             fields, names of 20 characters, values of 80); the name is payonce's",
        ),
        key_format: KEY_FORMAT,
        retention: RETENTION,
        on_repeat: ON_REPEAT,
        settling: Fact::new(
            Duration::from_secs(60),
            "https://github.com/Adyen/adyen-openapi CheckoutService-v72 has no request that reads a \
             payment, so there is no look-up that could lag; safe reading",
        ),
        look_up_reliable: Fact::new(
            false,
            "https://github.com/Adyen/adyen-openapi CheckoutService-v72 (there is no look-up)",
        ),
        reversal_final: Fact::new(
            false,
            "https://docs.adyen.com/online-payments/capture/failure-reasons (a capture that failed \
             may be taken again by Adyen itself)",
        ),
        baseline: Fact::new(
            false,
            "https://docs.adyen.com/development-resources/api-idempotency (every kind has a key)",
        ),
        one_capture: Fact::new(
            true,
            "https://docs.adyen.com/online-payments/capture (the rest is released by the first one, \
             unless the account was set up for several)",
        ),
        amount: Fact::new(
            AMOUNT,
            "https://docs.adyen.com/development-resources/currency-codes",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key that Adyen has forgotten is a second payment.
    #[test]
    fn a_key_is_relied_on_for_six_days() {
        for kind in OperationKind::all().iter().copied() {
            let snapshot = of(kind).unwrap().snapshot();
            assert_eq!(snapshot.on_repeat, OnRepeat::Replays, "{kind}");
            assert_eq!(snapshot.window, Some(DAY * 6), "{kind}");
            assert!(!snapshot.look_up_reliable, "{kind}");
            assert!(!snapshot.baseline && snapshot.one_capture, "{kind}");
            assert_eq!(step().snapshot(snapshot).window, Some(DAY * 6));
        }
    }

    /// Adyen takes a failed capture again by itself: whoever gave up then would be paid twice.
    #[test]
    fn a_reversal_is_not_the_end() {
        for kind in OperationKind::all().iter().copied() {
            assert!(!of(kind).unwrap().reversal_final.value);
        }
    }
}
