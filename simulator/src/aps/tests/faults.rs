//! The faults that every gateway knows, in this one's words.

use serde_json::Value;

use super::{Bench, authorization, code, done_to, purchase, text};
use crate::{Close, Delivery, Fault, RateLimit, When};

#[test]
fn refusals_execute_nothing_and_have_their_codes() {
    let limited = Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: Some("30".to_owned()),
    };
    for (fault, status, expected) in [
        (Fault::KeyInUse, 200, "13784"),
        (Fault::KeyReused, 200, "00007"),
        (Fault::Unauthorized, 200, "00008"),
        (Fault::Forbidden, 403, ""),
        (limited, 429, ""),
        (Fault::server_error(503, When::Before), 503, ""),
    ] {
        let mut bench = Bench::new();
        bench.world.push_fault(fault.clone());
        let answer = bench.post(&purchase("a1"));
        assert_eq!(
            (answer.status, code(&answer).as_str()),
            (status, expected),
            "{fault:?}"
        );
        assert!(bench.moved().is_empty());
        assert_eq!(code(&bench.post(&purchase("a1"))), "14000");
    }
    let mut bench = Bench::new();
    let id = bench.made(&authorization("a1"));
    bench.world.push_fault(Fault::KeyReused);
    assert_eq!(code(&bench.post(&done_to(&id, "CAPTURE", "1"))), "00047");
}

#[test]
fn an_error_after_execution_hides_money_that_moved() {
    for fault in [
        Fault::server_error(500, When::After),
        Fault::stored_error(When::After),
    ] {
        let mut bench = Bench::new();
        bench.world.push_fault(fault);
        assert_eq!(bench.post(&purchase("a1")).status, 500);
        assert_eq!(bench.moved().len(), 1);
        assert_eq!(code(&bench.post(&purchase("a1"))), "00007");
    }
}

#[test]
fn a_lost_reply_leaves_what_was_done() {
    let mut bench = Bench::new();
    let (when, how) = (When::After, Close::Fin);
    bench.world.push_fault(Fault::ReplyLost { when, how });
    let lost = bench.world.handle(
        "aps",
        super::request(&purchase("a1"), "request-phrase"),
        bench.now,
    );
    assert_eq!(lost, Delivery::Close(Close::Fin));
    assert_eq!(bench.moved().len(), 1);
    let shown = bench.query("merchant_reference", "a1");
    assert_eq!(text(&shown, "transaction_code"), "14000");
}

#[test]
fn declines_actions_and_waits_can_be_asked_for() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::decline("insufficient_funds"));
    assert_eq!(code(&bench.post(&purchase("a1"))), "13029");
    let kind = crate::ActionKind::default();
    bench.world.push_fault(Fault::RequireAction { kind });
    assert_eq!(code(&bench.post(&authorization("a2"))), "20064");
    bench.world.push_fault(Fault::Processing);
    let answer = bench.post(&purchase("a3"));
    assert_eq!(code(&answer), "19065");
    assert!(bench.moved().is_empty());
    let id = text(&answer, "fort_id");
    bench.aps(|aps| aps.settle(&id, true)).unwrap();
    assert_eq!(bench.moved().len(), 1);
    bench.world.push_fault(Fault::Processing);
    assert_eq!(code(&bench.post(&done_to(&id, "REFUND", "1"))), "19000");
    bench.world.push_fault(Fault::decline("card_declined"));
    assert_eq!(code(&bench.post(&done_to(&id, "REFUND", "1"))), "07666");
    assert_eq!(bench.moved().len(), 1);
}

/// Over the control API, as from another language.
#[test]
fn the_control_api_looks_and_plants() {
    use crate::ControlCall;
    use http::Method;
    let mut bench = Bench::new();
    let mut body = purchase("a1");
    body["token_name"] = "3ds".into();
    let id = bench.made(&body);
    let now = bench.now;
    let mut call = |method, path: &str, body: Value| {
        let mut call = ControlCall::new(method, path);
        call.body = body;
        let reply = bench.world.control("aps", &call, now);
        (reply.status.as_u16(), reply.body)
    };
    let passed = serde_json::json!({ "passed": true });
    let (status, orders) = call(
        Method::POST,
        &format!("orders/{id}/complete_action"),
        passed,
    );
    assert_eq!(
        (status, &orders[0]["captured"]),
        (200, &Value::from(10_000))
    );
    let lag = serde_json::json!({ "query_lag_seconds": 60 });
    assert_eq!(call(Method::POST, "settings", lag).0, 200);
    let wrong = serde_json::json!({ "other": 1 });
    assert_eq!(call(Method::POST, "settings", wrong).0, 400);
    assert_eq!(call(Method::GET, "nothing", Value::Null).0, 404);
    assert_eq!(bench.moved().len(), 1);
    assert_eq!(bench.aps(|aps| aps.orders().count()), 1);
    let planted = bench.aps(|aps| aps.order_mut(&id).map(|order| order.captured = 7));
    assert!(planted.is_some());
}
