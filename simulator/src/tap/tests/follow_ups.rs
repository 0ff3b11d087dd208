//! Captures, refunds and voids.

use super::*;
use crate::EffectKind::{Authorize, Capture, Charge, Refund, Void};
use crate::Fault;

#[test]
fn a_part_is_captured_once_and_refunded_in_parts() {
    let mut bench = Bench::new();
    let held = bench.held("k1");
    assert_eq!(
        code(&bench.post("/v2/charges/", &capture(&held, 101, "k2"))),
        (400, "1150")
    );
    let taken = bench.post("/v2/charges/", &capture(&held, 60, "k3"));
    assert_eq!(taken.json["status"], "CAPTURED");
    assert_eq!(taken.json["source"]["id"], held.as_str());
    assert_eq!(
        code(&bench.post("/v2/charges/", &capture(&held, 40, "k4"))),
        (400, "1114")
    );
    assert_eq!(
        bench.get(&format!("/v2/authorize/{held}")).json["status"],
        "CAPTURED"
    );
    let id = taken.id();
    for (amount, key) in [(20, "k5"), (40, "k6")] {
        let back = bench.post("/v2/refunds/", &refund(&id, amount, key));
        assert_eq!(back.json["status"], "REFUNDED");
        assert_eq!(back.json["reference"]["merchant"], key);
        assert_eq!(back.json["charge_id"], id.as_str());
    }
    assert_eq!(
        code(&bench.post("/v2/refunds/", &refund(&id, 1, "k7"))),
        (400, "1161")
    );
    let parts = [
        (Authorize, 10_000),
        (Capture, 6_000),
        (Refund, 2_000),
        (Refund, 4_000),
    ];
    assert_eq!(bench.moved(), parts);
}

/// Two refund requests with two keys are two refunds.
#[test]
fn refunds_with_other_keys_are_other_refunds() {
    let mut bench = Bench::new();
    let charge = bench.charged("k1");
    for key in ["k2", "k3", "k2"] {
        bench.post("/v2/refunds/", &refund(&charge, 30, key));
    }
    assert_eq!(
        bench.moved(),
        [(Charge, 10_000), (Refund, 3_000), (Refund, 3_000)]
    );
}

#[test]
fn an_authorization_is_no_charge_to_refund() {
    let mut bench = Bench::new();
    let held = bench.held("k1");
    assert_eq!(
        code(&bench.post("/v2/refunds/", &refund(&held, 30, "k2"))),
        (404, "1144")
    );
}

#[test]
fn a_pending_refund_counts_as_given() {
    let mut bench = Bench::new();
    let charge = bench.charged("k1");
    bench.world.push_fault(Fault::Processing);
    let pending = bench.post("/v2/refunds/", &refund(&charge, 80, "k2"));
    assert_eq!(pending.json["status"], "PENDING");
    assert_eq!(
        code(&bench.post("/v2/refunds/", &refund(&charge, 30, "k3"))),
        (400, "1161")
    );
    bench.tap(|tap| tap.settle(&pending.id(), false)).unwrap();
    bench.post("/v2/refunds/", &refund(&charge, 30, "k4"));
    assert_eq!(bench.moved(), [(Charge, 10_000), (Refund, 3_000)]);
}

#[test]
fn a_void_releases_once_and_shows_when() {
    let mut bench = Bench::new();
    let held = bench.held("k1");
    bench.wait(60);
    let path = format!("/v2/authorize/{held}/void");
    let void = bench.send(bench.request(Method::POST, &path));
    assert_eq!(
        (&void.json["status"], &void.json["response"]["code"]),
        (&json!("VOID"), &json!("601"))
    );
    let activities = void.json["activities"].as_array().unwrap();
    let last = activities.last().unwrap();
    assert_eq!(
        (&last["status"], &last["created"]),
        (&json!("VOID"), &json!(1_800_000_060_000_i64))
    );
    assert_eq!(
        code(&bench.send(bench.request(Method::POST, &path))),
        (400, "1114")
    );
    assert_eq!(
        code(&bench.post("/v2/charges/", &capture(&held, 10, "k2"))),
        (400, "1114")
    );
    assert_eq!(bench.moved(), [(Authorize, 10_000), (Void, 10_000)]);
}

#[test]
fn an_old_authorization_cannot_be_captured() {
    let mut bench = Bench::new();
    let held = bench.held("k1");
    bench.wait(7 * 24 * 3600);
    assert_eq!(
        code(&bench.post("/v2/charges/", &capture(&held, 10, "k2"))),
        (400, "1114")
    );
}

#[test]
fn what_the_bank_refuses_moves_nothing() {
    let mut bench = Bench::new();
    let (held, charge) = (bench.held("k1"), bench.charged("k2"));
    bench.world.push_fault(Fault::decline("insufficient_funds"));
    bench.world.push_fault(Fault::decline("insufficient_funds"));
    let taken = bench.post("/v2/charges/", &capture(&held, 10, "k3"));
    assert_eq!(
        (&taken.json["status"], &taken.json["response"]["code"]),
        (&json!("FAILED"), &json!("505"))
    );
    let back = bench.post("/v2/refunds/", &refund(&charge, 10, "k4"));
    assert_eq!(
        (&back.json["status"], &back.json["response"]["code"]),
        (&json!("DECLINED"), &json!("502"))
    );
    assert_eq!(bench.moved().len(), 2);
}
