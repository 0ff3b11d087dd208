//! What PayTabs does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{Alphabet, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule};

use crate::amount::AMOUNT;

/// The field that carries the key. PayTabs calls it the merchant's order.
pub(crate) const KEY_FIELD: &str = "cart_id";
/// The field that carries the merchant's own reference.
const REFERENCE_FIELD: &str = "user_defined.udf1";

/// 1 to 64 characters, and no symbols.
pub(crate) const KEY_FORMAT: KeyFormat = KeyFormat::new(64, Alphabet::Alphanumeric);

/// The rule for a kind of operation, if this adapter can do it. All kinds are alike: each carries a
/// `cart_id` of its own, and none is told from a new one by it for longer than two minutes.
pub(crate) fn of(kind: OperationKind) -> Option<Rule> {
    match kind {
        OperationKind::Charge
        | OperationKind::Authorize
        | OperationKind::Capture
        | OperationKind::Refund
        | OperationKind::Void => Some(rule()),
        _ => None,
    }
}

fn rule() -> Rule {
    Rule {
        placement: Fact::new(
            Placement::Body(KEY_FIELD),
            "https://github.com/paytabscom/php-sdk (the merchant's order; captures, refunds and \
             voids take one of their own; there is no idempotency key)",
        ),
        key_again: Fact::new(
            None,
            "https://support.paytabs.com/en/support/solutions/articles/60000806381 (a query finds \
             transactions by cart_id itself)",
        ),
        reference_field: Fact::new(
            Some(REFERENCE_FIELD),
            "https://github.com/paytabscom/php-sdk (nine fields of the merchant's own); nothing is \
             decided by it",
        ),
        key_format: Fact::new(
            KEY_FORMAT,
            "https://support.paytabs.com/en/support/solutions/articles/60000713612 (symbols are \
             refused) and https://docs.paytabs.com, request parameters (1 to 64 characters)",
        ),
        retention: Fact::new(
            // A duplicate is refused for about two minutes and then accepted as a new payment, so
            // no repeat is ever safe.
            Some(Retention::new(Duration::ZERO, Duration::ZERO)),
            "https://support.paytabs.com/en/support/solutions/articles/60000711358 (code 4, \
             duplicate request, within two minutes)",
        ),
        on_repeat: Fact::new(
            OnRepeat::RunsAgain,
            "https://support.paytabs.com/en/support/solutions/articles/60000711358 (code 4 hides \
             the first transaction, and after two minutes the same request is a new one)",
        ),
        settling: Fact::new(
            Duration::from_secs(180),
            "not documented, safe reading: no page says how soon a query shows a transaction; this \
             is more than the two minutes in which a duplicate is refused",
        ),
        look_up_reliable: Fact::new(
            false,
            "not documented, safe reading: a query by cart_id is documented for pages and forms, \
             and not for tokens, captures, refunds and voids",
        ),
        reversal_final: Fact::new(
            false,
            "not documented, safe reading: no page says that a payment taken back stays so",
        ),
        baseline: Fact::new(
            false,
            "https://docs.paytabs.com/Backend-Web-Packages/Laravel/laravel-Step-7-Manage-Transactions/Refund-Transaction \
             (each is a transaction of its own, with a cart_id of its own; no page shows totals)",
        ),
        one_capture: Fact::new(
            true,
            "not documented, safe reading: no page says that a part that was left can be captured \
             later",
        ),
        amount: Fact::new(
            AMOUNT,
            "https://docs.paytabs.com, request parameters, cart_amount (two decimals, and ten digits \
             before them); no third decimal, safe reading",
        ),
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
            assert!(!snapshot.look_up_reliable, "{kind}");
            assert!(!snapshot.baseline && snapshot.one_capture, "{kind}");
        }
    }
}
