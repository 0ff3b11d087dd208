//! The faults that every gateway knows, in this one's words.

use super::{Bench, charge, tokens};
use crate::EffectKind::{Charge, Refund};
use crate::{Close, Delivery, Fault, Matcher, Next, RateLimit, Tamper, When};

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
        (Fault::KeyInUse, 409, 4),
        (Fault::KeyReused, 409, 4),
        (Fault::Unauthorized, 401, 1),
        (Fault::Forbidden, 403, 0),
        (limited(RateLimit::RateLimit), 429, 400),
        (limited(RateLimit::LockTimeout), 429, 400),
        (limited(RateLimit::Html), 429, 0),
        (server_error, 503, 400),
    ];
    for (fault, status, code) in all {
        let mut bench = Bench::new();
        bench.world.push_fault(fault.clone());
        let answer = bench.charge(tokens::APPROVED, "order1");
        assert_eq!(answer.error(), (status, code), "{fault:?}");
        let expects_advice = matches!(fault, Fault::RateLimited { .. } | Fault::ServerError { .. });
        assert_eq!(answer.retry_after.is_some(), expects_advice, "{fault:?}");
        assert!(bench.moved().is_empty());
        assert_eq!(bench.query("order1").status, 404);
    }
}

#[test]
fn the_query_can_fail_by_itself() {
    // It counts as a GET, though it is a POST: it only reads.
    let mut bench = Bench::new();
    let fault = Fault::server_error(503, When::Before).on(Matcher::get().path("/payment/query"));
    bench.world.push_fault(fault);
    bench.charge(tokens::APPROVED, "order1");
    assert_eq!(bench.query("order1").error(), (503, 400));
    assert_eq!(bench.query("order1").listed(), [("Sale", "A")]);
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
        assert!(bench.charge(tokens::APPROVED, "order1").status >= 500);
        assert_eq!(bench.moved(), [(Charge, 9200)]);
        // Nothing is kept: the same request is refused, and later it is another payment.
        assert_eq!(bench.charge(tokens::APPROVED, "order1").error(), (409, 4));
        bench.wait(120);
        assert_eq!(bench.charge(tokens::APPROVED, "order1").result().1, "A");
        assert_eq!(bench.moved().len(), 2);
    }
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::stored_error(When::Before));
    assert_eq!(bench.charge(tokens::APPROVED, "order1").status, 500);
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
        let request = bench.request("/payment/request", charge(tokens::APPROVED, "order1"));
        assert!(!matches!(bench.deliver(request), Delivery::Reply(_)));
        assert_eq!(bench.query("order1").listed(), [("Sale", "A")]);
        assert_eq!(bench.moved(), [(Charge, 9200)]);
    }
}

#[test]
fn a_reply_is_changed_on_its_way_and_the_transaction_is_not() {
    let mut bench = Bench::new();
    let tamper = Tamper::set("/payment_result/response_status", "P").and_set("/tran_total", "9.20");
    bench.world.push_fault(Fault::Tamper(tamper));
    let answer = bench.charge(tokens::APPROVED, "order1");
    assert_eq!(answer.result().1, "P");
    assert_eq!(answer.json["tran_total"], "9.20");
    assert_eq!(bench.query("order1").listed(), [("Sale", "A")]);
}

#[test]
fn executions_end_as_a_fault_wants_it() {
    let mut bench = Bench::new();
    let decline = Fault::Decline {
        code: "card_declined".to_owned(),
        decline_code: Some("insufficient_funds".to_owned()),
    };
    bench.world.push_fault(decline);
    assert_eq!(
        bench.charge(tokens::APPROVED, "order1").result(),
        (200, "D", "316")
    );
    let ask = Fault::RequireAction {
        kind: crate::ActionKind::RedirectToUrl,
    };
    bench.world.push_fault(ask.clone());
    let asked = bench.charge(tokens::APPROVED, "order2");
    assert!(asked.json["redirect_url"].is_string());
    bench.world.push_fault(Fault::Processing);
    let pending = bench.charge(tokens::APPROVED, "order3");
    assert_eq!(pending.result(), (200, "P", "600"));
    assert!(bench.moved().is_empty());
    let id = pending.id();
    bench
        .paytabs(|paytabs| paytabs.settle(&id, "A", "G1"))
        .unwrap();
    // Nobody is asked for a refund.
    bench.world.push_fault(ask);
    assert_eq!(bench.follow(&id, "refund", "1.00").result().1, "A");
    assert_eq!(bench.moved(), [(Charge, 9200), (Refund, 100)]);
}

#[test]
fn an_equal_request_in_progress_is_refused_as_a_duplicate() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Hold { ms: 5000 });
    let request = bench.request("/payment/request", charge(tokens::APPROVED, "order1"));
    let held = bench.world.arrive("paytabs", request.clone(), bench.now);
    let Next::Wait { ticket, .. } = held else {
        panic!("does not wait: {held:?}")
    };
    assert_eq!(bench.send(request).error(), (409, 4));
    bench.wait(5);
    bench.world.advance(ticket, bench.now);
    assert_eq!(bench.moved(), [(Charge, 9200)]);
}

#[test]
fn the_cart_id_is_what_the_log_calls_the_key() {
    let mut bench = Bench::new();
    bench.charge(tokens::APPROVED, "order1");
    bench.query("order1");
    let requests = bench.world.requests().iter();
    let keys: Vec<Option<&str>> = requests.map(|request| request.key.as_deref()).collect();
    assert_eq!(keys, [Some("order1"), None]);
}

#[test]
fn the_same_run_gives_the_same_answers() {
    let run = || {
        let mut bench = Bench::new();
        let id = bench.authorized();
        let captured = bench.follow(&id, "capture", "50.00").text;
        let rejected = bench.follow(&id, "capture", "50.00").text;
        bench.world.push_fault(Fault::Unauthorized);
        let refused = bench.charge(tokens::APPROVED, "order1").text;
        [
            captured,
            rejected,
            refused,
            bench.query("capture50.00").text,
        ]
    };
    assert_eq!(run(), run());
}
