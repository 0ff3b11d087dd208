//! What Moyasar's API v1 does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{Alphabet, AmountRule, Fact, KeyFormat, OnRepeat, Placement, Rule};

use crate::amount::AMOUNT;

/// The metadata name that carries the key again: the id alone does not tell a payment of ours
/// from one that somebody else made under the same id.
pub(crate) const KEY_NAME: &str = "payonce_key";
/// The metadata name that carries the merchant's reference.
pub(crate) const REFERENCE_NAME: &str = "payonce_reference";

/// The key of a payment becomes its id.
pub(crate) const PAYMENT_KEY: KeyFormat = KeyFormat::new(36, Alphabet::UuidV4);
/// The key of a capture, refund or void never leaves the ledger.
const INNER_KEY: KeyFormat = KeyFormat::new(255, Alphabet::VisibleAscii);

// What holds for every kind.
const SETTLING: Fact<Duration> = Fact::new(
    Duration::from_secs(60),
    "not documented, safe reading: nothing is sent because a look-up finds nothing, except a \
     payment under the same id",
);
const LOOK_UP_RELIABLE: Fact<bool> = Fact::new(
    false,
    "not documented, safe reading: no page says how soon a payment or a change shows",
);
const REVERSAL_FINAL: Fact<bool> = Fact::new(
    false,
    "not documented, safe reading: no page says that a payment taken back stays so",
);
const ONE_CAPTURE: Fact<bool> = Fact::new(
    true,
    "https://docs.moyasar.com/manual-payments (a partial capture releases the rest)",
);
const AMOUNTS: Fact<AmountRule> = Fact::new(
    AMOUNT,
    "https://docs.moyasar.com/api/payments/01-create-payment (whole numbers of the smallest unit, \
     at least 100); the most digits are not documented",
);

/// The rule for a kind of operation, if this adapter can do it.
pub(crate) fn of(kind: OperationKind) -> Option<Rule> {
    match kind {
        OperationKind::Charge | OperationKind::Authorize => Some(payment()),
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void => Some(follow_up()),
        _ => None,
    }
}

fn payment() -> Rule {
    Rule {
        placement: Fact::new(
            Placement::Body("given_id"),
            "https://docs.moyasar.com/api/idempotency",
        ),
        key_again: Fact::new(
            Some("metadata.payonce_key"),
            "https://docs.moyasar.com/metadata; the name is payonce's",
        ),
        reference_field: Fact::new(
            Some("metadata.payonce_reference"),
            "https://docs.moyasar.com/metadata; the name is payonce's",
        ),
        key_format: Fact::new(
            PAYMENT_KEY,
            "https://docs.moyasar.com/api/idempotency (a UUID, version 4 is recommended)",
        ),
        retention: Fact::new(
            None,
            "https://docs.moyasar.com/api/idempotency (the key becomes the payment's id, which \
             nothing else can ever have; no life is stated)",
        ),
        on_repeat: Fact::new(
            // The reply to a repeat is the stored payment or a 400 that hides it: no page says
            // which. Neither makes a second payment, and the look-up by id shows the one there is.
            OnRepeat::Replays,
            "https://docs.moyasar.com/api/idempotency (a repeat with the same id does not charge \
             twice)",
        ),
        settling: SETTLING,
        look_up_reliable: LOOK_UP_RELIABLE,
        reversal_final: REVERSAL_FINAL,
        baseline: Fact::new(
            false,
            "https://docs.moyasar.com/api/idempotency (a payment has its key)",
        ),
        one_capture: ONE_CAPTURE,
        amount: AMOUNTS,
    }
}

/// Captures, refunds and voids have neither a key nor a reference, nor an object of their own.
fn follow_up() -> Rule {
    let nothing = "https://docs.moyasar.com/guides/payment-operations (the request holds at most \
                   an amount)";
    Rule {
        placement: Fact::new(
            Placement::Nowhere,
            "https://docs.moyasar.com/api/idempotency (for the creation of payments only)",
        ),
        key_again: Fact::new(None, nothing),
        reference_field: Fact::new(None, nothing),
        key_format: Fact::new(
            INNER_KEY,
            "https://docs.moyasar.com/api/idempotency (for the creation of payments only): the \
             key stays in the ledger",
        ),
        retention: Fact::new(
            None,
            "https://docs.moyasar.com/api/idempotency (for the creation of payments only): there \
             is no key to forget, and the class allows no repeat",
        ),
        on_repeat: Fact::new(
            OnRepeat::RunsAgain,
            "not documented, safe reading: a second partial refund is another refund",
        ),
        baseline: Fact::new(
            true,
            "https://docs.moyasar.com/api/payments/02-fetch-payment (the payment shows totals, and \
             no single capture or refund)",
        ),
        settling: SETTLING,
        look_up_reliable: LOOK_UP_RELIABLE,
        reversal_final: REVERSAL_FINAL,
        one_capture: ONE_CAPTURE,
        amount: AMOUNTS,
    }
}

#[cfg(test)]
mod tests;
