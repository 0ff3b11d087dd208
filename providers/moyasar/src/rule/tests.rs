use super::*;

const PAYMENTS: [OperationKind; 2] = [OperationKind::Charge, OperationKind::Authorize];
const FOLLOW_UPS: [OperationKind; 3] = [
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

/// A refund that ran twice gives the money back twice.
#[test]
fn what_has_no_key_is_never_repeated_and_is_compared_with_a_baseline() {
    for kind in FOLLOW_UPS {
        let rule = of(kind).unwrap();
        assert_eq!(rule.placement.value, Placement::Nowhere);
        assert_eq!(rule.on_repeat.value, OnRepeat::RunsAgain);
        assert!(rule.baseline.value, "{kind}");
        assert_eq!(rule.key_again.value, None);
        assert_eq!(rule.reference_field.value, None);
    }
}

#[test]
fn the_key_of_a_payment_is_its_id_for_ever() {
    for kind in PAYMENTS {
        let rule = of(kind).unwrap();
        assert_eq!(rule.placement.value, Placement::Body("given_id"));
        assert_eq!(rule.key_format.value.alphabet, Alphabet::UuidV4);
        assert_eq!(rule.on_repeat.value, OnRepeat::Replays);
        assert_eq!(rule.snapshot().window, None);
        assert!(!rule.baseline.value);
        assert_eq!(rule.key_again.value, Some("metadata.payonce_key"));
        assert_eq!(
            rule.reference_field.value,
            Some("metadata.payonce_reference")
        );
    }
}

#[test]
fn nothing_rests_on_a_look_up_that_finds_nothing_and_one_capture_is_all() {
    for kind in PAYMENTS.into_iter().chain(FOLLOW_UPS) {
        let rule = of(kind).unwrap();
        assert!(!rule.look_up_reliable.value, "{kind}");
        assert!(!rule.reversal_final.value, "{kind}");
        assert!(rule.one_capture.value, "{kind}");
    }
}

#[test]
fn every_fact_has_a_source_or_says_that_it_has_none() {
    for kind in PAYMENTS.into_iter().chain(FOLLOW_UPS) {
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
            let sourced = source.starts_with("https://docs.moyasar.com/");
            assert!(sourced || source.contains("safe reading"), "{source}");
        }
    }
}
