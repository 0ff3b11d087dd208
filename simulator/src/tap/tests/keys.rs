//! What a key does, and what it does not.

use super::*;
use crate::{Fault, When};

#[test]
fn a_repeat_gets_the_original_answer() {
    let mut bench = Bench::new();
    let body = payment("tok_3ds", "k1");
    let first = bench.post("/v2/charges/", &body);
    bench
        .tap(|tap| tap.complete_action(&first.id(), true))
        .unwrap();
    // The answer is the one from then, whatever became of the charge.
    let again = bench.post("/v2/charges/", &body);
    assert_eq!((again.status, &again.json), (200, &first.json));
    for (path, body) in [
        ("/v2/authorize/", payment("tok_visa", "k2")),
        ("/v2/refunds/", refund(&first.id(), 30, "k3")),
    ] {
        let first = bench.post(path, &body);
        assert_eq!(bench.post(path, &body).json, first.json, "{path}");
    }
    assert_eq!(bench.moved().len(), 3);
}

#[test]
fn after_24_hours_it_is_a_new_charge() {
    let mut bench = Bench::new();
    let body = payment("tok_visa", "k1");
    bench.post("/v2/charges/", &body);
    bench.wait(24 * 3600 - 1);
    bench.post("/v2/charges/", &body);
    assert_eq!(bench.moved().len(), 1);
    bench.wait(1);
    bench.post("/v2/charges/", &body);
    assert_eq!(bench.moved().len(), 2);
}

/// A key beside `reference` is none, and neither is a header.
#[test]
fn a_key_elsewhere_protects_nothing() {
    let mut bench = Bench::new();
    let mut body = payment("tok_visa", "k1");
    body["reference"]
        .as_object_mut()
        .unwrap()
        .remove("idempotent");
    for _ in 0..2 {
        let request = bench.post_request("/v2/charges/", &body);
        bench.send(request.with_header("idempotency-key", "k1"));
    }
    assert_eq!(bench.moved().len(), 2);
    body["idempotent"] = json!("k1");
    assert_eq!(code(&bench.post("/v2/charges/", &body)), (400, "1103"));
}

#[test]
fn keys_are_those_of_an_account_in_one_mode() {
    let mut bench = Bench::new();
    for secret in [
        "sk_test_shop",
        "sk_live_shop",
        "sk_test_other",
        "sk_test_shop",
    ] {
        bench.secret = secret;
        bench.charged("k1");
    }
    assert_eq!(bench.moved().len(), 3);
}

#[test]
fn another_request_under_the_key_is_refused_and_moves_nothing() {
    let mut bench = Bench::new();
    bench.charged("k1");
    let mut other = payment("tok_visa", "k1");
    other["amount"] = json!(5);
    assert_eq!(code(&bench.post("/v2/charges/", &other)), (400, "1103"));
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn a_refused_request_keeps_no_key() {
    let mut bench = Bench::new();
    let mut wrong = payment("tok_visa", "k1");
    wrong["amount"] = json!(0);
    assert_eq!(code(&bench.post("/v2/charges/", &wrong)), (400, "1117"));
    bench.charged("k1");
    assert_eq!(bench.moved().len(), 1);
}

/// An error after the execution: the money moved, and the key knows it.
#[test]
fn after_an_error_the_key_still_knows() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::stored_error(When::After));
    assert_eq!(
        code(&bench.post("/v2/charges/", &payment("tok_visa", "k1"))),
        (500, "9999")
    );
    bench.charged("k1");
    assert_eq!(bench.moved().len(), 1);
}
