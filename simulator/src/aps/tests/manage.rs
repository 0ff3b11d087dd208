//! Captures, refunds and voids.

use serde_json::json;

use super::{Bench, authorization, code, done_to, purchase, text};
use crate::EffectKind::{Authorize, Capture, Charge, Refund, Void};

/// A client that repeats one after a lost reply takes the money twice.
#[test]
fn a_repeated_capture_captures_again_as_far_as_the_hold_goes() {
    let mut bench = Bench::new();
    let id = bench.made(&authorization("a1"));
    for expected in ["04000", "04000", "00042"] {
        let answer = bench.post(&done_to(&id, "CAPTURE", "4000"));
        assert_eq!(code(&answer), expected);
    }
    assert_eq!(
        bench.moved(),
        [(Authorize, 10_000), (Capture, 4_000), (Capture, 4_000)]
    );
}

/// What happens with a reference that was used before is not documented.
#[test]
fn a_repeated_refund_gives_back_again_as_far_as_the_capture_goes() {
    let mut bench = Bench::new();
    let id = bench.made(&purchase("a1"));
    let mut body = done_to(&id, "REFUND", "6000");
    body["maintenance_reference"] = json!("r1");
    let answer = bench.post(&body);
    assert_eq!(code(&answer), "06000");
    assert_eq!(text(&answer, "maintenance_reference"), "r1");
    assert_eq!(text(&answer, "fort_id"), id);
    assert_eq!(code(&bench.post(&body)), "00048");
    body["amount"] = json!("4000");
    assert_eq!(code(&bench.post(&body)), "06000");
    assert_eq!(
        bench.moved(),
        [(Charge, 10_000), (Refund, 6_000), (Refund, 4_000)]
    );
    assert_eq!(bench.world.effects()[1].key.as_deref(), Some("r1"));
}

#[test]
fn a_void_is_of_the_whole_and_before_a_capture() {
    let mut bench = Bench::new();
    let id = bench.made(&authorization("a1"));
    assert_eq!(
        code(&bench.post(&done_to(&id, "VOID_AUTHORIZATION", "9999"))),
        "00005"
    );
    assert_eq!(
        code(&bench.post(&done_to(&id, "VOID_AUTHORIZATION", "10000"))),
        "08000"
    );
    for (command, expected) in [
        ("VOID_AUTHORIZATION", "00034"),
        ("CAPTURE", "00034"),
        ("REFUND", "00034"),
    ] {
        assert_eq!(code(&bench.post(&done_to(&id, command, "10000"))), expected);
    }
    assert_eq!(bench.moved(), [(Authorize, 10_000), (Void, 10_000)]);
    let captured = bench.made(&authorization("a2"));
    bench.post(&done_to(&captured, "CAPTURE", "1"));
    let answer = bench.post(&done_to(&captured, "VOID_AUTHORIZATION", "10000"));
    assert_eq!(code(&answer), "00034");
}

#[test]
fn the_currency_is_that_of_the_order_and_the_order_that_of_its_merchant() {
    let mut bench = Bench::new();
    let id = bench.made(&purchase("a1"));
    let mut body = done_to(&id, "REFUND", "1");
    body["currency"] = json!("USD");
    assert_eq!(code(&bench.post(&body)), "00013");
    let mut theirs = done_to(&id, "REFUND", "1");
    theirs["merchant_identifier"] = json!("Other");
    assert_eq!(code(&bench.post(&theirs)), "00036");
    // One of the two ids is enough, and both must fit.
    let mut by_reference = done_to("", "REFUND", "1");
    by_reference["merchant_reference"] = json!("a1");
    assert_eq!(code(&bench.post(&by_reference)), "06000");
    by_reference["fort_id"] = json!("7");
    assert_eq!(code(&bench.post(&by_reference)), "00036");
}
