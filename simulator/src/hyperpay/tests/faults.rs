//! The faults that every gateway knows, in this one's words.

use super::{Bench, PAID, charge, payments_of, registrations};
use crate::EffectKind::Charge;
use crate::{Close, Delivery, Fault, Gateway, Matcher, Next, RateLimit, Tamper, When};

#[test]
fn refusals_execute_nothing_and_have_their_codes() {
    let server_error = Fault::ServerError {
        status: 503,
        when: When::Before,
        stored: false,
        should_retry: Some(false),
        retry_after: Some("7".to_owned()),
    };
    let limited = |kind| Fault::RateLimited {
        kind,
        retry_after: Some("30".to_owned()),
    };
    let all = [
        (Fault::KeyInUse, 400, "800.110.100"),
        (Fault::KeyReused, 400, "800.110.100"),
        (Fault::Unauthorized, 401, "800.900.300"),
        (Fault::Forbidden, 403, ""),
        (limited(RateLimit::RateLimit), 429, "800.120.100"),
        (limited(RateLimit::LockTimeout), 400, "800.120.100"),
        (limited(RateLimit::Html), 429, ""),
        (server_error, 503, "999.999.999"),
    ];
    for (fault, status, code) in all {
        let mut bench = Bench::new();
        bench.world.push_fault(fault.clone());
        let answer = bench.charge(registrations::APPROVED, "order-0001");
        assert_eq!(answer.result(), (status, code), "{fault:?}");
        assert_eq!(answer.json.is_null(), code.is_empty());
        let expects_advice = matches!(fault, Fault::RateLimited { .. } | Fault::ServerError { .. });
        assert_eq!(answer.retry_after.is_some(), expects_advice, "{fault:?}");
        assert!(bench.moved().is_empty());
        assert_eq!(bench.query("order-0001").status, 404);
    }
}

#[test]
fn the_query_can_be_throttled() {
    let mut bench = Bench::new();
    bench.charged();
    let fault = Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: None,
    };
    bench.world.push_fault(fault.on(Matcher::get()));
    assert_eq!(bench.query("order-0001").result(), (429, "800.120.100"));
    assert_eq!(bench.query("order-0001").status, 200);
}

#[test]
fn an_error_after_execution_hides_money_that_moved() {
    let stored = Fault::ServerError {
        status: 500,
        when: When::After,
        stored: true,
        should_retry: None,
        retry_after: None,
    };
    for fault in [Fault::server_error(502, When::After), stored] {
        let mut bench = Bench::new();
        bench.world.push_fault(fault);
        let answer = bench.charge(registrations::APPROVED, "order-0001");
        assert!(answer.status >= 500);
        assert_eq!(bench.moved(), [(Charge, 9200)]);
        // Nothing is kept under a key: the same request is another payment.
        assert_eq!(
            bench.charge(registrations::APPROVED, "order-0001").code(),
            PAID
        );
        assert_eq!(bench.moved().len(), 2);
    }
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::stored_error(When::Before));
    assert_eq!(
        bench.charge(registrations::APPROVED, "order-0001").status,
        500
    );
    assert!(bench.moved().is_empty());
}

#[test]
fn a_lost_or_cut_reply_leaves_what_happened() {
    let lost = Fault::ReplyLost {
        when: When::After,
        how: Close::Rst,
    };
    let cut = Fault::CutBody {
        how: crate::CutBody::ShortOfLength,
        keep: None,
    };
    for fault in [lost, cut] {
        let mut bench = Bench::new();
        bench.world.push_fault(fault);
        let request =
            bench.post_request(&payments_of(registrations::APPROVED), &charge("order-0001"));
        let delivery = bench.deliver(request);
        assert!(!matches!(delivery, Delivery::Reply(_)));
        assert_eq!(bench.query("order-0001").listed(), [("DB", PAID)]);
        assert_eq!(bench.moved(), [(Charge, 9200)]);
    }
}

#[test]
fn a_reply_is_changed_on_its_way_and_the_payment_is_not() {
    let mut bench = Bench::new();
    let tamper = Tamper::set("/result/code", "000.200.000").and_set("/amount", "9.20");
    bench.world.push_fault(Fault::Tamper(tamper));
    let answer = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(
        (answer.code(), &answer.json["amount"]),
        ("000.200.000", &"9.20".into())
    );
    assert_eq!(bench.query("order-0001").listed(), [("DB", PAID)]);
}

#[test]
fn a_customer_is_asked_for_a_charge_and_never_for_a_refund() {
    let mut bench = Bench::new();
    let ask = Fault::RequireAction {
        kind: crate::ActionKind::RedirectToUrl,
    };
    bench.world.push_fault(ask.clone());
    let answer = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(answer.result(), (200, "000.200.000"));
    assert!(answer.json["redirect"]["url"].is_string());
    assert!(bench.moved().is_empty());
    let id = bench.charged();
    bench.world.push_fault(ask);
    assert_eq!(bench.manage(&id, "RF", "1.00").code(), PAID);
}

#[test]
fn a_pending_charge_settles_later() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Processing);
    let answer = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(answer.result(), (200, "000.200.000"));
    assert!(answer.json.get("redirect").is_none());
    let id = answer.id();
    assert!(
        bench
            .hyperpay(|hyperpay| hyperpay.complete_action(&id, true))
            .is_err()
    );
    bench
        .hyperpay(|hyperpay| hyperpay.settle(&id, PAID))
        .unwrap();
    assert_eq!(bench.moved(), [(Charge, 9200)]);
}

#[test]
fn two_equal_requests_at_the_same_time_are_both_executed() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Hold { ms: 5000 });
    let request = bench.post_request(&payments_of(registrations::APPROVED), &charge("order-0001"));
    let held = bench.world.arrive("hyperpay", request.clone(), bench.now);
    let Next::Wait { ticket, .. } = held else {
        panic!("does not wait: {held:?}")
    };
    assert_eq!(bench.send(request).code(), PAID);
    bench.wait(5);
    bench.world.advance(ticket, bench.now);
    assert_eq!(bench.moved(), [(Charge, 9200), (Charge, 9200)]);
}

#[test]
fn the_reference_is_what_the_log_calls_the_key() {
    let mut bench = Bench::new();
    bench.charge(registrations::APPROVED, "order%2D0001");
    bench.query("order-0001");
    let keys: Vec<Option<&str>> = bench
        .world
        .requests()
        .iter()
        .map(|request| request.key.as_deref())
        .collect();
    assert_eq!(keys, [Some("order-0001"), None]);
    let request = bench.post_request("/v1/payments/x", "paymentType=RV");
    assert_eq!(bench.hyperpay(|hyperpay| hyperpay.key_of(&request)), None);
}

#[test]
fn the_same_run_gives_the_same_answers() {
    let run = || {
        let mut bench = Bench::new();
        let id = bench.authorized();
        let captured = bench.manage(&id, "CP", "50.00").text;
        let rejected = bench.manage(&id, "CP", "50.00").text;
        bench.world.push_fault(Fault::Unauthorized);
        let refused = bench.charge(registrations::APPROVED, "order-0001").text;
        [captured, rejected, refused, bench.query("manage-CP").text]
    };
    assert_eq!(run(), run());
}
