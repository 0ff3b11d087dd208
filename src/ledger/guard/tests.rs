use super::*;
use crate::ledger::testing::{claim, row};
use crate::money::Currency;
use crate::provider::Effect;

const AUTHORIZE: OperationKind = OperationKind::Authorize;
const CHARGE: OperationKind = OperationKind::Charge;
const CAPTURE: OperationKind = OperationKind::Capture;
const REFUND: OperationKind = OperationKind::Refund;
const VOID: OperationKind = OperationKind::Void;

fn sar(minor: i64) -> Money {
    Money::from_minor(minor, Currency::SAR).unwrap()
}

fn operation(kind: OperationKind, minor: i64, state: State) -> Record {
    let mut record = Record {
        kind,
        money: sar(minor),
        ..row(1, state)
    };
    if state == State::Succeeded {
        record.standing.effect = Some(Effect::new("x", sar(minor), "succeeded"));
    }
    record
}

/// A payment of 100 and what was asked of it.
fn payment(kind: OperationKind, operations: &[(OperationKind, i64, State)]) -> UnderPayment {
    let operations = operations
        .iter()
        .map(|(kind, minor, state)| operation(*kind, *minor, *state))
        .collect();
    let made_by = operation(kind, 100, State::Succeeded);
    let (made_by, before) = (Some(Box::new(made_by)), Totals::default());
    UnderPayment::new(String::new(), kind, sar(100), made_by, before, operations)
}

fn wanted(kind: OperationKind, minor: i64) -> Claim {
    Claim {
        kind,
        money: sar(minor),
        ..claim(1)
    }
}

fn asked(
    claim: &Claim,
    payment: Option<UnderPayment>,
    replaced: &[OperationId],
) -> Result<(), Guarded> {
    let rule = claim.rendered.as_ref().unwrap().rule;
    guard(&Asked::by_claim(claim, rule, replaced), payment)
}

/// What becomes of a wish, in a word.
fn word(kind: OperationKind, minor: i64, payment: UnderPayment) -> String {
    said(&wanted(kind, minor), payment)
}

fn said(claim: &Claim, payment: UnderPayment) -> String {
    match asked(claim, Some(payment), &[]) {
        Ok(()) => "may".to_owned(),
        Err(Guarded::ExceedsParent(left)) => format!("left {}", left.minor()),
        Err(Guarded::ParentBusy(record)) => format!("busy {}", record.kind),
        Err(Guarded::OtherCurrency(_)) => "currency".to_owned(),
        Err(Guarded::NothingToCapture) => "charged".to_owned(),
        Err(Guarded::Frozen(_)) => "frozen".to_owned(),
        Err(Guarded::NoPayment) => "unknown".to_owned(),
    }
}

/// Two refunds of 80 on a payment of 100 would give back 60 too much.
#[test]
fn refunds_never_exceed_what_was_captured_and_open_ones_count() {
    for state in State::all().iter().copied() {
        let counts = !state.is_no_effect_final();
        let expected = if counts { "left 20" } else { "may" };
        let before = payment(CHARGE, &[(REFUND, 80, state)]);
        assert_eq!(word(REFUND, 80, before), expected, "{state}");
    }
    let before = || payment(CHARGE, &[(REFUND, 80, State::Unknown)]);
    assert_eq!(word(REFUND, 20, before()), "may");
    assert_eq!(word(REFUND, 21, before()), "left 20");
    assert_eq!(word(REFUND, 101, payment(CHARGE, &[])), "left 100");
}

#[test]
fn captures_never_exceed_the_authorization_and_open_ones_count() {
    for state in State::all().iter().copied() {
        let counts = !state.is_no_effect_final();
        let expected = if counts { "left 20" } else { "may" };
        let before = payment(AUTHORIZE, &[(CAPTURE, 80, state)]);
        assert_eq!(word(CAPTURE, 80, before), expected, "{state}");
    }
    assert_eq!(word(CAPTURE, 100, payment(AUTHORIZE, &[])), "may");
    assert_eq!(word(CAPTURE, 1, payment(CHARGE, &[])), "charged");
}

/// Only what is captured for certain can be given back.
#[test]
fn a_refund_of_an_authorization_needs_its_capture() {
    let of = |state| payment(AUTHORIZE, &[(CAPTURE, 60, state)]);
    assert_eq!(word(REFUND, 60, of(State::Succeeded)), "may");
    assert_eq!(word(REFUND, 61, of(State::Succeeded)), "left 60");
    assert_eq!(word(REFUND, 60, of(State::Unknown)), "left 0");
    assert_eq!(word(REFUND, 1, payment(AUTHORIZE, &[])), "left 0");
}

/// A capture after a void, or a void while a capture may still work, would take money that the
/// customer was promised back.
#[test]
fn a_void_and_the_others_exclude_each_other() {
    for state in State::all().iter().copied() {
        let counts = !state.is_no_effect_final();
        for kind in [CAPTURE, REFUND] {
            let root = if kind == CAPTURE { AUTHORIZE } else { CHARGE };
            let expected = if counts { "busy void" } else { "may" };
            let voided = payment(root, &[(VOID, 100, state)]);
            assert_eq!(word(kind, 10, voided), expected, "{kind} after {state}");
            let expected = if counts {
                format!("busy {kind}")
            } else {
                "may".to_owned()
            };
            let before = payment(root, &[(kind, 10, state)]);
            assert_eq!(word(VOID, 100, before), expected, "void after {state}");
        }
        let expected = if counts { "busy void" } else { "may" };
        let again = payment(AUTHORIZE, &[(VOID, 100, state)]);
        assert_eq!(word(VOID, 100, again), expected);
    }
}

#[test]
fn only_a_payment_that_succeeded_can_be_captured_refunded_or_voided() {
    for state in State::all().iter().copied() {
        let mut unfit = payment(AUTHORIZE, &[]);
        unfit.made_by = Some(Box::new(operation(AUTHORIZE, 100, state)));
        let expected = if state == State::Succeeded {
            "may"
        } else {
            "busy authorize"
        };
        assert_eq!(word(CAPTURE, 10, unfit.clone()), expected, "{state}");
        assert_eq!(word(VOID, 100, unfit), expected, "{state}");
    }
    let frozen = Record {
        frozen: true,
        ..operation(CHARGE, 100, State::Succeeded)
    };
    let mut held = payment(CHARGE, &[]);
    held.made_by = Some(Box::new(frozen));
    assert_eq!(word(REFUND, 10, held), "frozen");
    assert!(matches!(
        asked(&wanted(REFUND, 10), None, &[]),
        Err(Guarded::NoPayment)
    ));
}

#[test]
fn another_currency_is_refused() {
    let money = Money::from_minor(10, Currency::USD).unwrap();
    let dollars = Claim {
        money,
        ..wanted(REFUND, 10)
    };
    assert_eq!(said(&dollars, payment(CHARGE, &[])), "currency");
}

/// Without a key at the gateway two open refunds could not be told apart.
#[test]
fn where_a_baseline_is_read_one_operation_at_a_time_is_open() {
    let mut refund = wanted(REFUND, 10);
    refund.rendered.as_mut().unwrap().rule.baseline = true;
    for state in State::all().iter().copied() {
        let expected = if state.is_open() {
            "busy refund"
        } else {
            "may"
        };
        let before = payment(CHARGE, &[(REFUND, 10, state)]);
        assert_eq!(said(&refund, before), expected, "{state}");
    }
}

#[test]
fn where_one_capture_closes_the_authorization_there_is_no_second() {
    let mut capture = wanted(CAPTURE, 10);
    capture.rendered.as_mut().unwrap().rule.one_capture = true;
    let before = |state| payment(AUTHORIZE, &[(CAPTURE, 10, state)]);
    assert_eq!(said(&capture, before(State::Succeeded)), "busy capture");
    assert_eq!(said(&capture, before(State::Unknown)), "busy capture");
    assert_eq!(said(&capture, before(State::Declined)), "may");
}

/// An attempt that ends when this one starts does not count beside it.
#[test]
fn a_replaced_attempt_does_not_count() {
    let before = payment(CHARGE, &[(REFUND, 80, State::Unsent)]);
    let replaced = [before.operations[0].id];
    assert!(asked(&wanted(REFUND, 80), Some(before), &replaced).is_ok());
}

/// What an adopted payment had before payonce counts too.
#[test]
fn what_was_captured_and_refunded_before_counts() {
    let adopted = |kind, captured, refunded| {
        let before = Totals::new(captured, refunded);
        UnderPayment::new(String::new(), kind, sar(100), None, before, Vec::new())
    };
    assert_eq!(word(CAPTURE, 50, adopted(AUTHORIZE, 60, 0)), "left 40");
    assert_eq!(word(REFUND, 50, adopted(AUTHORIZE, 60, 30)), "left 30");
    assert_eq!(word(REFUND, 50, adopted(CHARGE, 0, 60)), "left 40");
    assert_eq!(word(VOID, 100, adopted(AUTHORIZE, 60, 0)), "left 0");
    assert_eq!(word(VOID, 100, adopted(AUTHORIZE, 0, 0)), "may");
}
