//! What Amazon Payment Services does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{
    Alphabet, AmountRule, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule,
};

use crate::amount::AMOUNT;

/// The field that carries the key of a charge or authorization.
pub(crate) const ORDER_KEY: &str = "merchant_reference";
/// The field that carries the key of a refund.
pub(crate) const REFUND_KEY: &str = "maintenance_reference";
/// The field that carries the merchant's own reference.
pub(crate) const REFERENCE_FIELD: &str = "merchant_extra";

/// 40 letters, digits, `-`, `_` and `.` at most
/// (<https://paymentservices.amazon.com/docs/api/managing-payments/check-status>, of both
/// references; an older page gives the refund's 200). Letters and digits are enough.
pub(crate) const KEY_FORMAT: KeyFormat = KeyFormat::new(40, Alphabet::Alphanumeric);
/// The key of a capture or void never leaves the ledger.
const INNER_KEY: KeyFormat = KeyFormat::new(255, Alphabet::VisibleAscii);

// What holds for every kind.
const RETENTION: Fact<Option<Retention>> = Fact::new(
    // No repeat is ever relied on.
    Some(Retention::new(Duration::ZERO, Duration::ZERO)),
    "not documented, safe reading: no page says how long a reference is remembered",
);
const SETTLING: Fact<Duration> = Fact::new(
    Duration::from_secs(60),
    "not documented, safe reading: no page says how soon a status query shows a payment",
);
const LOOK_UP_RELIABLE: Fact<bool> = Fact::new(
    false,
    "https://paymentservices.amazon.com/docs/managing-payments/tracking-a-payment/check-transaction-status \
     (it mainly shows payments that were completed; others may not appear)",
);
const REVERSAL_FINAL: Fact<bool> = Fact::new(
    false,
    "not documented, safe reading: no page says that a payment taken back stays so",
);
const ONE_CAPTURE: Fact<bool> = Fact::new(
    true,
    "not documented, safe reading: a capture may be partial, and no page says whether another may \
     follow",
);
const AMOUNTS: Fact<AmountRule> = Fact::new(
    AMOUNT,
    "https://docs.payfort.com/docs/api/build/index.html (whole numbers of the smallest unit by \
     ISO 4217, at most 10 digits)",
);

/// The rule for a kind of operation, if this adapter can do it.
pub(crate) fn of(kind: OperationKind) -> Option<Rule> {
    match kind {
        OperationKind::Charge | OperationKind::Authorize => Some(payment()),
        OperationKind::Refund => Some(refund()),
        OperationKind::Capture | OperationKind::Void => Some(traceless()),
        _ => None,
    }
}

fn payment() -> Rule {
    let page = "https://docs.payfort.com/docs/api/build/index.html (the merchant's unique order \
                number)";
    Rule {
        placement: Fact::new(Placement::Body(ORDER_KEY), page),
        key_again: Fact::new(
            None,
            "https://paymentservices.amazon.com/docs/api/managing-payments/check-status (a query \
             finds a payment by merchant_reference itself)",
        ),
        reference_field: Fact::new(
            Some(REFERENCE_FIELD),
            "https://docs.payfort.com/docs/api/build/index.html (merchant_extra is sent back as it \
             was received)",
        ),
        key_format: Fact::new(
            KEY_FORMAT,
            "https://docs.payfort.com/docs/api/build/index.html (alphanumeric with - _ . of at most \
             40)",
        ),
        retention: RETENTION,
        on_repeat: Fact::new(
            OnRepeat::RunsAgain,
            "https://docs.payfort.com/docs/api/build/index.html#transactions-response-codes (a \
             duplicate is refused with 007 or 066, which does not show what became of the first)",
        ),
        settling: SETTLING,
        look_up_reliable: LOOK_UP_RELIABLE,
        reversal_final: REVERSAL_FINAL,
        baseline: Fact::new(false, page),
        one_capture: ONE_CAPTURE,
        amount: AMOUNTS,
    }
}

fn refund() -> Rule {
    let page = "https://paymentservices.amazon.com/docs/api/managing-payments/check-status (a query \
                by maintenance_reference shows one refund)";
    Rule {
        placement: Fact::new(
            Placement::Body(REFUND_KEY),
            "https://docs.payfort.com/docs/api/build/index.html (the refund's unique order number)",
        ),
        key_again: Fact::new(None, page),
        reference_field: Fact::new(
            None,
            "https://docs.payfort.com/docs/api/build/index.html (a refund takes no extra fields)",
        ),
        key_format: Fact::new(
            KEY_FORMAT,
            "https://paymentservices.amazon.com/docs/api/managing-payments/check-status (at most \
             40; an older page gives 200)",
        ),
        on_repeat: Fact::new(
            OnRepeat::RunsAgain,
            "not documented, safe reading: a reference may be used again when its refund was \
             declined, and no page says what happens when it was not",
        ),
        baseline: Fact::new(false, page),
        ..payment()
    }
}

/// Captures and voids have no reference of their own, and leave no object.
fn traceless() -> Rule {
    let nothing = "https://docs.payfort.com/docs/api/build/index.html (the request names the \
                   order, an amount and nothing of its own)";
    Rule {
        placement: Fact::new(Placement::Nowhere, nothing),
        key_again: Fact::new(None, nothing),
        reference_field: Fact::new(None, nothing),
        key_format: Fact::new(
            INNER_KEY,
            "https://docs.payfort.com/docs/api/build/index.html (no field takes one): the key stays \
             in the ledger",
        ),
        on_repeat: Fact::new(
            OnRepeat::RunsAgain,
            "not documented, safe reading: a second partial capture is another capture",
        ),
        baseline: Fact::new(
            true,
            "https://paymentservices.amazon.com/docs/api/managing-payments/check-status (a query \
             shows the totals of an order and its last operation, and no single capture or void)",
        ),
        ..payment()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_repeat_is_ever_safe() {
        for kind in OperationKind::all().iter().copied() {
            let snapshot = of(kind).unwrap().snapshot();
            assert_eq!(snapshot.on_repeat, OnRepeat::RunsAgain, "{kind}");
            assert_eq!(snapshot.window, Some(Duration::ZERO), "{kind}");
            assert!(!snapshot.look_up_reliable && snapshot.one_capture, "{kind}");
        }
    }

    /// Without it nobody could tell whether it was ever sent.
    #[test]
    fn what_leaves_no_trace_is_read_before() {
        for kind in OperationKind::all().iter().copied() {
            let rule = of(kind).unwrap();
            let traceless = rule.placement.value == Placement::Nowhere;
            assert_eq!(rule.baseline.value, traceless, "{kind}");
        }
    }
}
