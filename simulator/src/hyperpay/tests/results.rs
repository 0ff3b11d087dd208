//! Any result code, before or after the money moved.

use http::Method;
use serde_json::{Value, json};

use super::{Bench, PAID, charge, payments_of, registrations};
use crate::EffectKind::{Capture, Charge, Refund};
use crate::hyperpay::PlannedResult;
use crate::{Fault, Matcher, When};

#[test]
fn any_code_is_answered_before_or_after_the_money_moved() {
    for (code, status) in [
        ("900.100.300", 400),
        ("000.200.000", 200),
        ("000.400.000", 200),
        ("000.400.030", 400),
        ("800.110.100", 400),
        ("123.456.789", 400),
    ] {
        for (when, effects) in [(When::Before, 0), (When::After, 1)] {
            let mut bench = Bench::new();
            bench.hyperpay(|hyperpay| hyperpay.plan_result(PlannedResult::new(code, when)));
            let answer = bench.charge(registrations::APPROVED, "order-0001");
            assert_eq!(answer.result(), (status, code));
            assert_eq!(bench.moved().len(), effects, "{code}");
            // The query knows no more than the answer did.
            assert_eq!(bench.query("order-0001").listed(), [("DB", code)]);
            // It is used up.
            assert_eq!(
                bench.charge(registrations::APPROVED, "order-0002").code(),
                PAID
            );
        }
    }
}

#[test]
fn a_result_chooses_its_request_and_is_not_used_up_by_what_is_not_executed() {
    let mut bench = Bench::new();
    let id = bench.charged();
    let refunds = Matcher::post().contains("paymentType=RF");
    let planned = PlannedResult::new("900.100.300", When::After)
        .on(refunds)
        .times(2);
    bench.hyperpay(|hyperpay| hyperpay.plan_result(planned));
    bench.charged();
    assert_eq!(bench.manage(&id, "RF", "92.01").code(), "700.400.200");
    assert_eq!(bench.manage("unknown", "RF", "1.00").code(), "700.400.520");
    assert_eq!(bench.manage(&id, "RF", "1").code(), "200.300.404");
    for _ in 0..2 {
        // The platform does not know that they worked, so it does not count them either.
        assert_eq!(bench.manage(&id, "RF", "92.00").code(), "900.100.300");
    }
    assert!(bench.hyperpay(|hyperpay| hyperpay.planned_results().is_empty()));
    assert_eq!(bench.moved()[2..], [(Refund, 9200), (Refund, 9200)]);
}

#[test]
fn an_uncertain_payment_gets_its_result_later_and_moves_money_only_once() {
    for (when, code, effects) in [
        (When::Before, PAID, 1),
        (When::After, PAID, 1),
        (When::Before, "900.100.301", 0),
        (When::After, "900.100.301", 1),
    ] {
        let mut bench = Bench::new();
        let id = bench.authorized();
        let planned = PlannedResult::new("900.100.300", when);
        bench.hyperpay(|hyperpay| hyperpay.plan_result(planned));
        let capture = bench.manage(&id, "CP", "92.00").id();
        bench
            .hyperpay(|hyperpay| hyperpay.settle(&capture, code))
            .unwrap();
        assert_eq!(bench.query("manage-CP").listed(), [("CP", code)]);
        let captures = bench
            .moved()
            .iter()
            .filter(|moved| **moved == (Capture, 9200))
            .count();
        assert_eq!(captures, effects, "{when:?} {code}");
        let again = bench.hyperpay(|hyperpay| hyperpay.settle(&capture, PAID));
        assert!(again.unwrap_err().contains("final"));
    }
}

#[test]
fn results_are_planned_over_http_and_misspelt_ones_are_refused() {
    let mut bench = Bench::new();
    let plan = |bench: &mut Bench, body: Value| bench.call(Method::POST, "results", body);
    for (wrong, hint) in [
        (json!({ "code": "900.100.300" }), "when"),
        (json!({ "code": "timeout", "when": "after" }), "timeout"),
        (
            json!({ "code": "900.100.300.1", "when": "after" }),
            "900.100.300.1",
        ),
        (json!({ "code": "900.100.300", "when": "later" }), "later"),
        (
            json!({ "code": "900.100.300", "when": "after", "times": 0 }),
            "times",
        ),
        (
            json!({ "code": "900.100.300", "when": "after", "tmies": 1 }),
            "tmies",
        ),
    ] {
        let (status, body) = plan(&mut bench, wrong);
        assert_eq!(status, 400);
        assert!(body["error"].as_str().unwrap().contains(hint), "{body}");
    }
    let right = json!({
        "code": "900.100.300", "when": "after", "times": 1, "match": { "contains": "order-0002" },
    });
    let (status, planned) = plan(&mut bench, right);
    assert_eq!((status, planned.as_array().map(Vec::len)), (200, Some(1)));
    assert_eq!(
        bench.charge(registrations::APPROVED, "order-0001").code(),
        PAID
    );
    assert_eq!(
        bench.charge(registrations::APPROVED, "order-0002").code(),
        "900.100.300"
    );
    assert_eq!(bench.moved(), [(Charge, 9200), (Charge, 9200)]);
    assert_eq!(bench.call(Method::GET, "results", Value::Null).1, json!([]));
}

#[test]
fn a_decline_takes_a_result_code_or_finds_one_for_the_reason() {
    for (code, reason, expected) in [
        ("900.100.300", None, "900.100.300"),
        ("card_declined", Some("100.400.311"), "100.400.311"),
        ("card_declined", Some("insufficient_funds"), "800.100.203"),
        ("expired_card", None, "800.100.157"),
        ("card_declined", Some("do_not_honor"), "800.100.152"),
    ] {
        let mut bench = Bench::new();
        let id = bench.authorized();
        let decline_code = reason.map(str::to_owned);
        let code = code.to_owned();
        bench
            .world
            .push_fault(Fault::Decline { code, decline_code });
        assert_eq!(bench.manage(&id, "CP", "1.00").result(), (400, expected));
        assert_eq!(bench.moved().len(), 1);
    }
}

#[test]
fn the_merchant_forces_a_code_as_on_the_real_test_platform() {
    for (code, effects) in [("800.100.151", 0), ("000.400.000", 1)] {
        let mut bench = Bench::new();
        let form = charge("order-0001") + "&customParameters[forceResultCode]=" + code;
        let answer = bench.post(&payments_of(registrations::APPROVED), &form);
        assert_eq!(answer.code(), code);
        assert_eq!(bench.moved().len(), effects);
    }
}
