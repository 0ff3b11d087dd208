//! What Tap's API v2 does with operations: data, each fact with its source.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::{Alphabet, Fact, KeyFormat, OnRepeat, Placement, Retention, Rule};

use crate::amount::AMOUNT;

/// The metadata name that carries the merchant's reference.
pub(crate) const REFERENCE_NAME: &str = "payonce_reference";

/// Which keys Tap takes is not documented. The key is written again in a reference of at most 99
/// characters (code 1123), and these 32 need no escape anywhere.
pub(crate) const KEY_FORMAT: KeyFormat = KeyFormat::new(32, Alphabet::Hex32);
/// The key of a void never leaves the ledger.
const INNER_KEY: KeyFormat = KeyFormat::new(255, Alphabet::VisibleAscii);

const HOUR: Duration = Duration::from_secs(60 * 60);

/// The rule for a kind of operation, if this adapter can do it.
pub(crate) fn of(kind: OperationKind, key_life: Option<Duration>) -> Option<Rule> {
    Some(match kind {
        // A capture is a charge whose source is the authorization.
        OperationKind::Charge | OperationKind::Authorize | OperationKind::Capture => {
            payment(key_life)
        }
        OperationKind::Refund => Rule {
            key_again: Fact::new(
                Some("reference.merchant"),
                "https://developers.tap.company/docs/refunds (request and response show it)",
            ),
            ..payment(key_life)
        },
        OperationKind::Void => void(),
        _ => return None,
    })
}

fn payment(key_life: Option<Duration>) -> Rule {
    Rule {
        placement: Fact::new(
            Placement::Body("reference.idempotent"),
            "https://developers.tap.company/docs/idempotency",
        ),
        key_again: Fact::new(
            Some("reference.transaction"),
            "https://developers.tap.company/reference/charges (request and response show it)",
        ),
        reference_field: Fact::new(
            Some("metadata.payonce_reference"),
            "https://developers.tap.company/reference/charges and \
             https://developers.tap.company/docs/refunds (metadata); the name is payonce's",
        ),
        key_format: Fact::new(
            KEY_FORMAT,
            "not documented, safe reading: 32 hexadecimal digits; \
             https://developers.tap.company/reference/charge-response-codes limits the reference \
             beside it to 99 characters (1123)",
        ),
        retention: Fact::new(
            // Afterwards the same request is a new charge.
            Some(Retention::new(HOUR.saturating_mul(24), HOUR).with_shortened(key_life)),
            "https://developers.tap.company/docs/idempotency (24 hours)",
        ),
        on_repeat: Fact::new(
            OnRepeat::ReplaysSuccess,
            "https://developers.tap.company/docs/idempotency (the original response is returned); \
             what a repeat gets while the first is carried out, after a decline, or with another \
             body is not documented, safe reading",
        ),
        settling: SETTLING,
        look_up_reliable: LOOK_UP_RELIABLE,
        reversal_final: REVERSAL_FINAL,
        baseline: Fact::new(
            false,
            "https://developers.tap.company/docs/idempotency (charges, authorizations and refunds \
             have their key)",
        ),
        one_capture: ONE_CAPTURE,
        amount: Fact::new(
            AMOUNT,
            "https://developers.tap.company/docs/create-a-refund (three decimals in BHD, KWD and \
             OMR, else two); the most digits and a list of currencies are not documented, safe \
             reading",
        ),
    }
}

/// A void takes no body, so it has neither a key nor a reference.
fn void() -> Rule {
    let nothing = "https://developers.tap.company/reference/void-an-authorize (the request holds \
                   nothing but the id)";
    Rule {
        placement: Fact::new(Placement::Nowhere, nothing),
        key_again: Fact::new(None, nothing),
        reference_field: Fact::new(None, nothing),
        key_format: Fact::new(INNER_KEY, nothing),
        retention: Fact::new(None, nothing),
        on_repeat: Fact::new(
            OnRepeat::RunsAgain,
            "not documented, safe reading: no page says what a second void does",
        ),
        baseline: Fact::new(
            true,
            "https://developers.tap.company/reference/authorize (the authorization shows that it \
             is void, and not by whom)",
        ),
        ..payment(None)
    }
}

const SETTLING: Fact<Duration> = Fact::new(
    Duration::from_secs(60),
    "not documented, safe reading: no page says how soon a list shows a payment, and nothing is \
     sent because it shows none",
);
const LOOK_UP_RELIABLE: Fact<bool> = Fact::new(
    false,
    "not documented, safe reading: no page says that a list shows everything, or when",
);
const REVERSAL_FINAL: Fact<bool> = Fact::new(
    false,
    "not documented, safe reading: no page says that a payment taken back stays so",
);
const ONE_CAPTURE: Fact<bool> = Fact::new(
    true,
    "safe reading: https://developers.tap.company/docs/authorize-and-capture allows a part of the \
     amount, and no page says that a second capture may follow",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c15_the_window_is_23_hours_and_is_only_ever_shortened() {
        let window = |life| of(OperationKind::Charge, life)?.snapshot().window;
        assert_eq!(window(None), Some(HOUR * 23));
        assert_eq!(window(Some(HOUR)), Some(HOUR));
        assert_eq!(window(Some(HOUR * 48)), Some(HOUR * 23));
    }

    /// What a repeat does while the first is carried out is on no page, so no kind is sent again
    /// before a look-up, and a void never.
    #[test]
    fn no_repeat_is_believed_further_than_it_is_documented() {
        for kind in OperationKind::all().iter().copied() {
            let rule = of(kind, None).unwrap().snapshot();
            let void = kind == OperationKind::Void;
            let class = if void {
                OnRepeat::RunsAgain
            } else {
                OnRepeat::ReplaysSuccess
            };
            assert_eq!(rule.on_repeat, class, "{kind}");
            assert_eq!(rule.baseline, void, "{kind}");
            assert!(!rule.look_up_reliable && rule.one_capture, "{kind}");
        }
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
                let sourced = source.starts_with("https://developers.tap.company/");
                assert!(sourced || source.contains("safe reading"), "{source}");
            }
        }
    }
}
