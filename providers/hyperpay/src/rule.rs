//! What HyperPay's platform does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{Alphabet, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule};

use crate::amount::AMOUNT;

/// The field that carries the key. The platform calls it the merchant's reference.
pub(crate) const KEY_FIELD: &str = "merchantTransactionId";
/// The field that carries the merchant's own reference.
pub(crate) const REFERENCE_FIELD: &str = "customParameters[payonce_reference]";

/// 8 to 255 characters of any kind: <https://hyperpay.docs.oppwa.com/reference/parameters>. Some
/// acquirers take letters and digits only, so it is these 32.
pub(crate) const KEY_FORMAT: KeyFormat = KeyFormat::new(32, Alphabet::Hex32);

/// The rule for a kind of operation, if this adapter can do it. All kinds are alike: each carries
/// its own reference, and none is told from a new one by it.
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
            "https://hyperpay.docs.oppwa.com/reference/parameters (a reference that should be \
             unique; there is no idempotency key)",
        ),
        key_again: Fact::new(
            None,
            "https://hyperpay.docs.oppwa.com/reporting-transaction (a query finds payments by \
             merchantTransactionId itself)",
        ),
        reference_field: Fact::new(
            Some(REFERENCE_FIELD),
            "custom parameters are stored and given back [memory], so safe reading: nothing is \
             decided by them; the name is payonce's",
        ),
        key_format: Fact::new(
            KEY_FORMAT,
            "https://hyperpay.docs.oppwa.com/reference/parameters (8 to 255 characters); the \
             alphabet is the one that connectors take",
        ),
        retention: Fact::new(
            // Nothing is remembered, so no repeat is ever safe.
            Some(Retention::new(Duration::ZERO, Duration::ZERO)),
            "https://hyperpay.docs.oppwa.com/reporting-transaction (several payments may share a \
             reference)",
        ),
        on_repeat: Fact::new(
            OnRepeat::RunsAgain,
            "https://hyperpay.docs.oppwa.com/reporting-transaction (several payments may share a \
             reference; some acquirers refuse duplicates, which is no promise)",
        ),
        settling: Fact::new(
            Duration::from_secs(60),
            "not documented, safe reading: no page says how soon a query shows a payment, and \
             queries are limited to two a minute",
        ),
        look_up_reliable: Fact::new(
            false,
            "not documented, safe reading: the query shows only what this entity made, and must \
             be enabled for the account",
        ),
        reversal_final: Fact::new(
            false,
            "not documented, safe reading: no page says that a payment taken back stays so",
        ),
        baseline: Fact::new(
            false,
            "https://hyperpay.docs.oppwa.com/reporting-transaction (captures, refunds and voids \
             are found by their own reference)",
        ),
        one_capture: Fact::new(
            true,
            "safe reading: pages of the platform differ, \
             https://aci.docs.oppwa.com/tutorials/manage-payments/backoffice allows several \
             captures, https://docs.latam.ppro.com/manage-payments/backoffice-operations one",
        ),
        amount: Fact::new(
            AMOUNT,
            "https://hyperpay.docs.oppwa.com/reference/parameters (always two decimals); no third \
             decimal and no currency without decimals, safe reading",
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

    #[test]
    fn every_fact_has_a_source_or_says_that_it_has_none() {
        let rule = rule();
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
            let sourced = source.starts_with("https://hyperpay.docs.oppwa.com/");
            assert!(sourced || source.contains("safe reading"), "{source}");
        }
    }
}
