//! The status query.

use std::time::Duration;

use http::Method;
use serde_json::json;

use super::super::Config;
use super::{Bench, authorization, code, done_to, purchase, query, request, text};
use crate::Gateway;
use crate::testing::later;

#[test]
fn it_shows_the_last_operation_and_the_totals() {
    let mut bench = Bench::new();
    let id = bench.made(&authorization("a1"));
    bench.post(&done_to(&id, "CAPTURE", "8000"));
    let mut refund = done_to(&id, "REFUND", "3000");
    refund["maintenance_reference"] = json!("r1");
    bench.post(&refund);
    for (name, value) in [("merchant_reference", "a1"), ("fort_id", id.as_str())] {
        let shown = bench.query(name, value);
        assert_eq!(
            (code(&shown).as_str(), text(&shown, "status").as_str()),
            ("12000", "12")
        );
        assert_eq!(text(&shown, "transaction_code"), "06000");
        assert_eq!(text(&shown, "transaction_status"), "06");
        assert_eq!(text(&shown, "authorized_amount"), "10000");
        assert_eq!(text(&shown, "captured_amount"), "8000");
        assert_eq!(text(&shown, "refunded_amount"), "3000");
        assert_eq!(text(&shown, "fort_id"), id);
        assert_eq!(text(&shown, name), value);
        assert_eq!(text(&shown, "currency"), "");
    }
}

/// Each refund by its own reference, whatever came after it.
#[test]
fn it_shows_one_refund() {
    let mut bench = Bench::new();
    let id = bench.made(&purchase("a1"));
    let mut refund = done_to(&id, "REFUND", "3000");
    refund["maintenance_reference"] = json!("r1");
    bench.post(&refund);
    refund["maintenance_reference"] = json!("r2");
    bench
        .world
        .push_fault(crate::Fault::decline("card_declined"));
    assert_eq!(code(&bench.post(&refund)), "07666");
    for (reference, expected) in [("r1", "06000"), ("r2", "07666")] {
        let shown = bench.query("maintenance_reference", reference);
        assert_eq!(text(&shown, "transaction_code"), expected);
        assert_eq!(text(&shown, "refunded_amount"), "3000");
    }
    assert_eq!(code(&bench.query("maintenance_reference", "r3")), "12036");
}

/// With the status of success.
#[test]
fn it_says_that_it_finds_nothing() {
    let mut bench = Bench::new();
    bench.post(&purchase("a1"));
    let nothing = bench.query("merchant_reference", "a2");
    assert_eq!(
        (code(&nothing).as_str(), text(&nothing, "status").as_str()),
        ("12036", "12")
    );
    let mut theirs = query("merchant_reference", "a1");
    theirs["merchant_identifier"] = json!("Other");
    assert_eq!(code(&bench.post(&theirs)), "12036");
}

#[test]
fn it_may_lag_and_leave_out_what_is_not_complete() {
    let mut bench = Bench::with(Config::default().query_lag(Duration::from_secs(60)));
    bench.post(&purchase("a1"));
    assert_eq!(code(&bench.query("merchant_reference", "a1")), "12036");
    bench.now = later(bench.now, 60);
    assert_eq!(code(&bench.query("merchant_reference", "a1")), "12000");
    bench.aps(|aps| {
        aps.config.hides_unfinished = true;
        aps.config.query_lag = Duration::ZERO;
    });
    let mut declined = purchase("a2");
    declined["token_name"] = json!("declined");
    bench.post(&declined);
    assert_eq!(code(&bench.query("merchant_reference", "a2")), "12036");
    assert_eq!(code(&bench.query("merchant_reference", "a1")), "12000");
}

/// A fault for what moves money must not hit a query, though both are a `POST`.
#[test]
fn a_query_counts_as_a_read() {
    let mut bench = Bench::new();
    bench.world.push_fault(crate::Fault::Unauthorized);
    assert_eq!(code(&bench.query("merchant_reference", "a1")), "12036");
    assert_eq!(code(&bench.post(&purchase("a1"))), "00008");
    let get = crate::Fault::Unauthorized.on(crate::Matcher::get());
    bench.world.push_fault(get);
    assert_eq!(code(&bench.post(&purchase("a1"))), "14000");
    assert_eq!(code(&bench.query("merchant_reference", "a1")), "00008");
    let (reads, moves) = (query("fort_id", "7"), purchase("a2"));
    bench.aps(|aps| {
        assert!(aps.reads(&request(&reads, "p")) && !aps.reads(&request(&moves, "p")));
        assert!(aps.reads(&crate::Request::new(Method::GET, "/")));
        assert_eq!(aps.key_of(&request(&moves, "p")).as_deref(), Some("a2"));
        assert_eq!(aps.lane(&request(&reads, "p")), None);
    });
}
