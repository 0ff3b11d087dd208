//! What is kept under a key, for whom and how long.

use super::*;
use crate::{Close, Fault, When};

const DAY: u64 = 24 * 60 * 60;

#[test]
fn the_same_key_gets_the_first_answer_for_seven_days() {
    let mut bench = Bench::new();
    let first = bench.post(PAYMENTS, "k1", &charge());
    bench.wait(7 * DAY - 1);
    let again = bench.post(PAYMENTS, "k1", &charge());
    assert_eq!((again.status, &again.json), (200, &first.json));
    assert_eq!(again.header("idempotency-key"), Some("k1"));
    bench.wait(1);
    bench.paid("k1", &charge());
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn a_refusal_is_kept_too() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::decline("insufficient_funds"));
    let first = bench.post(PAYMENTS, "k1", &charge());
    assert_eq!(bench.post(PAYMENTS, "k1", &charge()).json, first.json);
    assert_eq!(bench.moved(), []);
}

/// What a changed body gets is not documented: the first answer, without a word.
#[test]
fn a_changed_body_gets_the_first_answer() {
    let mut bench = Bench::new();
    let first = bench.post(PAYMENTS, "k1", &charge());
    let mut other = charge();
    other["amount"]["value"] = 1.into();
    other["merchantAccount"] = "OtherECOM".into();
    assert_eq!(bench.post(PAYMENTS, "k1", &other).json, first.json);
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn a_wrong_request_may_be_corrected_under_its_key() {
    let mut bench = Bench::new();
    let mut wrong = charge();
    wrong["amount"]["value"] = 0.into();
    assert_eq!(bench.post(PAYMENTS, "k1", &wrong).status, 422);
    bench.paid("k1", &charge());
}

#[test]
fn without_a_key_every_request_is_one_more() {
    let mut bench = Bench::new();
    for _ in 0..2 {
        let answer = bench.send(bench.request(PAYMENTS, None, &charge()));
        assert_eq!(answer.header("idempotency-key"), None);
    }
    assert_eq!(bench.moved().len(), 2);
    let long = "k".repeat(65);
    assert_eq!(bench.post(PAYMENTS, &long, &charge()).status, 422);
}

/// The layer is off: the money moves each time, and no reply names the key.
#[test]
fn a_key_that_is_not_handled_protects_nothing_and_does_not_come_back() {
    let mut bench = Bench::with(Config::default().protects(false));
    for _ in 0..2 {
        let answer = bench.post(PAYMENTS, "k1", &charge());
        assert_eq!(answer.header("idempotency-key"), None);
    }
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn a_lost_reply_and_a_repeat_are_one_payment() {
    let mut bench = Bench::new();
    let how = Close::Rst;
    bench.world.push_fault(Fault::ReplyLost {
        when: When::After,
        how,
    });
    let request = bench.request(PAYMENTS, Some("k1"), &charge());
    drop(bench.world.handle("adyen", request, bench.now));
    bench.paid("k1", &charge());
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn an_error_that_is_kept_hides_what_happened() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::stored_error(When::After));
    for _ in 0..2 {
        let answer = bench.post(PAYMENTS, "k1", &charge());
        assert_eq!(refused(&answer), (500, "900"));
        assert_eq!(answer.header("idempotency-key"), Some("k1"));
        assert_eq!(answer.header("transient-error"), None);
    }
    assert_eq!(bench.moved(), [(EffectKind::Charge, 1099)]);
}

#[test]
fn a_key_in_progress_passes_and_one_that_is_used_up_does_not() {
    let mut bench = Bench::new();
    for (fault, passes) in [(Fault::KeyInUse, "true"), (Fault::KeyReused, "false")] {
        bench.world.push_fault(fault);
        let answer = bench.post(PAYMENTS, "k1", &charge());
        assert_eq!(refused(&answer), (422, "704"));
        assert_eq!(answer.header("transient-error"), Some(passes));
    }
    bench.paid("k1", &charge());
}

#[test]
fn two_at_once_are_one_payment() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::HoldForEver { execute: true });
    let first = bench.request(PAYMENTS, Some("k1"), &charge());
    let held = bench.world.arrive("adyen", first, bench.now);
    assert!(matches!(held, crate::Next::Held { .. }), "{held:?}");
    let answer = bench.post(PAYMENTS, "k1", &charge());
    assert_eq!(refused(&answer), (422, "704"));
    assert_eq!(bench.moved(), []);
}
