use super::*;
use crate::EffectKind::{Authorize, Charge};
use crate::{Fault, Matcher};

/// Makes a payment that needs 3-D Secure. The path of its page comes back.
fn waiting(bench: &mut Bench, body: &Value) -> String {
    let request = bench
        .post_request(PAYMENTS, body)
        .with_header("host", "127.0.0.1:9");
    let answer = bench.send(request);
    assert_eq!(answer.status, 201);
    assert_eq!(answer.json["status"], "initiated");
    let url = answer.json["source"]["transaction_url"].as_str().unwrap();
    let path = url.strip_prefix("http://127.0.0.1:9/moyasar");
    path.expect("the address of this simulator").to_owned()
}

/// The customer's browser, which has no key.
fn open(bench: &mut Bench, path: &str) -> Answer {
    bench.send(Request::new(Method::GET, path))
}

#[test]
fn the_customer_passes_on_the_page_and_money_moves_once() {
    let mut bench = Bench::new();
    let path = waiting(&mut bench, &with_token(ID, "token_3ds"));
    let page = open(&mut bench, &path);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(page.text.contains("?passed=true") && page.text.contains("?passed=false"));
    assert!(bench.moved().is_empty(), "looking moves nothing");

    let passed = open(&mut bench, &format!("{path}?passed=true"));
    let back = format!("https://shop.example/back?id={ID}&status=paid&message=APPROVED");
    assert_eq!(
        (passed.status, passed.header("location")),
        (302, Some(back.as_str()))
    );
    for result in ["true", "false"] {
        let again = open(&mut bench, &format!("{path}?passed={result}"));
        assert_eq!(again.header("location"), Some(back.as_str()));
    }
    assert!(open(&mut bench, &path).text.contains("over"));
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
    let effect = &bench.world.effects()[0];
    assert_eq!((effect.key.as_deref(), effect.request), (Some(ID), Some(3)));
    assert_eq!(bench.read(ID)["status"], "paid");
}

#[test]
fn the_customer_fails_on_the_page() {
    let mut bench = Bench::new();
    let mut body = with_token(ID, "token_3ds");
    body["callback_url"] = json!("https://shop.example/back?order=1");
    let path = waiting(&mut bench, &body);
    let failed = open(&mut bench, &format!("{path}?passed=false"));
    let back = failed.header("location").unwrap();
    let start = format!("https://shop.example/back?order=1&id={ID}&status=failed&message=");
    assert!(back.starts_with(&start), "{back}");
    assert_eq!(bench.read(ID)["status"], "failed");
    assert!(bench.moved().is_empty());
}

#[test]
fn an_authorization_that_needs_the_customer_is_authorized_in_the_end() {
    let mut bench = Bench::new();
    let mut body = with_token(ID, "token_3ds");
    body["source"]["manual"] = json!(true);
    let path = waiting(&mut bench, &body);
    open(&mut bench, &format!("{path}?passed=true"));
    assert_eq!(bench.read(ID)["status"], "authorized");
    assert_eq!(bench.moved(), [(Authorize, 10_000)]);
}

#[test]
fn a_test_can_be_the_customer() {
    let mut bench = Bench::new();
    waiting(&mut bench, &with_token(ID, "token_3ds"));
    waiting(&mut bench, &with_token(OTHER_ID, "token_3ds"));
    bench.wait(60);
    bench
        .moyasar(|moyasar| moyasar.complete_action(ID, true))
        .unwrap();
    bench
        .moyasar(|moyasar| moyasar.complete_action(OTHER_ID, false))
        .unwrap();
    assert_eq!(bench.read(ID)["status"], "paid");
    assert_eq!(bench.read(OTHER_ID)["status"], "failed");
    let twice = bench.moyasar(|moyasar| moyasar.complete_action(ID, true));
    assert!(twice.unwrap_err().contains("paid"));
    let effect = &bench.world.effects()[0];
    assert_eq!((effect.request, effect.at), (None, bench.now));
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}

#[test]
fn only_a_payment_that_waits_for_its_customer_has_a_page() {
    let mut bench = Bench::new();
    bench.charged(ID);
    for path in [
        "/transactions/1",
        "/transactions/2?passed=true",
        "/transactions/x",
    ] {
        assert_eq!(open(&mut bench, path).status, 404, "{path}");
    }
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}

#[test]
fn the_page_can_be_hit_by_a_fault_that_asks_for_it() {
    let mut bench = Bench::new();
    let path = waiting(&mut bench, &with_token(ID, "token_3ds"));
    let on_page = Matcher::get().path_prefix("/transactions/");
    bench.world.push_fault(Fault::Forbidden.on(on_page));
    let passed = format!("{path}?passed=true");
    assert_eq!(open(&mut bench, &passed).status, 403);
    assert!(bench.moved().is_empty());
    assert_eq!(open(&mut bench, &passed).status, 302);
}
