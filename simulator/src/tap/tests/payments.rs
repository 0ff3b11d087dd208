//! How charges and authorizations end.

use super::*;
use crate::EffectKind::{Authorize, Charge};
use crate::{ActionKind, Fault};

#[test]
fn a_charge_that_works_takes_the_money() {
    let mut bench = Bench::new();
    let answer = bench.post("/v2/charges/", &payment("tok_visa", "k1"));
    let shown = &answer.json;
    assert_eq!((answer.status, &shown["status"]), (200, &json!("CAPTURED")));
    assert_eq!(
        (&shown["object"], &shown["amount"]),
        (&json!("charge"), &json!(100.0))
    );
    assert_eq!(shown["reference"]["transaction"], "k1");
    // It is not given back.
    assert!(shown["reference"].get("idempotent").is_none());
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
    assert_eq!(bench.world.effects()[0].key.as_deref(), Some("k1"));
    assert!(bench.world.effects()[0].has_reference("order-1"));
}

#[test]
fn declines_have_their_status_and_code_and_take_nothing() {
    let mut bench = Bench::new();
    for (token, code) in [("tok_declined", "501"), ("tok_insufficient_funds_2", "505")] {
        let answer = bench.post("/v2/charges/", &payment(token, token));
        assert_eq!(answer.status, 200, "a decline is no error of the request");
        assert_eq!(answer.json["status"], "DECLINED");
        assert_eq!(answer.json["response"]["code"], code);
    }
    bench.world.push_fault(Fault::decline("insufficient_funds"));
    let answer = bench.post("/v2/charges/", &payment("tok_visa", "k1"));
    assert_eq!(answer.json["response"]["code"], "505");
    assert_eq!(bench.moved(), []);
}

#[test]
fn the_customer_pays_on_the_page() {
    let mut bench = Bench::new();
    for (number, source) in ["tok_3ds", "src_all", "src_kw.knet"]
        .into_iter()
        .enumerate()
    {
        let answer = bench.post("/v2/charges/", &payment(source, source));
        assert_eq!(answer.json["status"], "INITIATED", "{source}");
        let url = answer.json["transaction"]["url"]
            .as_str()
            .unwrap()
            .to_owned();
        let path = url
            .strip_prefix("http://simulator.example/tap")
            .unwrap()
            .to_owned();
        assert_eq!(bench.moved().len(), number);
        assert_eq!(bench.get(&path).status, 200);
        let back = bench.get(&format!("{path}?passed=true"));
        let location = format!("https://shop.example/back?tap_id={}", answer.id());
        assert_eq!(
            (back.status, back.header("location")),
            (302, Some(location.as_str()))
        );
        // Twice is once.
        bench.get(&format!("{path}?passed=true"));
        let read = bench.get(&format!("/v2/charges/{}", answer.id()));
        assert_eq!(read.json["status"], "CAPTURED");
    }
    assert_eq!(bench.moved(), [(Charge, 10_000); 3]);
}

#[test]
fn a_page_that_fails_declines() {
    let mut bench = Bench::new();
    let kind = ActionKind::RedirectToUrl;
    bench.world.push_fault(Fault::RequireAction { kind });
    let id = bench
        .post("/v2/authorize/", &payment("tok_visa", "k1"))
        .id();
    bench.tap(|tap| tap.complete_action(&id, false)).unwrap();
    let read = bench.get(&format!("/v2/authorize/{id}"));
    assert_eq!(
        (&read.json["status"], &read.json["response"]["code"]),
        (&json!("DECLINED"), &json!("503"))
    );
    bench.tap(|tap| tap.complete_action(&id, true)).unwrap_err();
    assert_eq!(bench.moved(), []);
}

#[test]
fn an_authorization_only_holds() {
    let mut bench = Bench::new();
    let answer = bench.post("/v2/authorize/", &payment("tok_visa", "k1"));
    assert_eq!(
        (&answer.json["status"], &answer.json["object"]),
        (&json!("AUTHORIZED"), &json!("authorize"))
    );
    assert_eq!(bench.moved(), [(Authorize, 10_000)]);
}

#[test]
fn what_has_no_result_yet_gets_one() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Processing);
    let answer = bench.post("/v2/charges/", &payment("tok_visa", "k1"));
    assert_eq!(answer.json["status"], "INITIATED");
    assert!(answer.json["transaction"]["url"].is_null());
    bench.tap(|tap| tap.settle(&answer.id(), true)).unwrap();
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}
