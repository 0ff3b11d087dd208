use serde_json::json;

use super::*;
use crate::{Delivery, Fault, Matcher, RateLimit, Tamper, When};

#[test]
fn a_key_that_is_missing_or_wrong_is_401() {
    let mut bench = Bench::new();
    let headers = [
        None,
        Some("Bearer sk_test_shop".to_owned()),
        Some("Basic".to_owned()),
        Some("Basic !!!".to_owned()),
        // sk_test_shop without the colon, with a password, sk_test_invalid: and acct_shop:
        Some("Basic c2tfdGVzdF9zaG9w".to_owned()),
        Some("Basic c2tfdGVzdF9zaG9wOnB3".to_owned()),
        Some("Basic c2tfdGVzdF9pbnZhbGlkOg==".to_owned()),
        Some("Basic YWNjdF9zaG9wOg==".to_owned()),
    ];
    for header in headers {
        let mut request = bench.post_request(PAYMENTS, &charge(ID));
        request.headers.remove("authorization");
        if let Some(header) = &header {
            request = request.with_header("authorization", header);
        }
        let answer = bench.send(request);
        assert_eq!(
            refused(&answer),
            (401, "authentication_error"),
            "{header:?}"
        );
        assert!(answer.json["message"].is_string());
        assert_eq!(answer.json["errors"], Value::Null);
    }
    let request = bench.post_request(PAYMENTS, &charge(ID));
    assert!(bench.moved().is_empty());
    assert_eq!(bench.send(request).status, 201);
}

#[test]
fn only_the_keys_that_were_named_are_accepted() {
    let config = Config::default()
        .secret("sk_test_shop")
        .account("sk_test_shop", "main");
    let mut bench = Bench::with(config);
    assert_eq!(bench.charged(ID).status, 201);
    assert_eq!(bench.world.effects()[0].account, "main");
    bench.key = OTHER;
    assert_eq!(bench.charged(ID).status, 401);
}

#[test]
fn a_publishable_key_may_only_create() {
    let mut bench = Bench::new();
    bench.key = SHOP_PUBLISHABLE;
    assert_eq!(bench.charged(ID).status, 201);
    assert_eq!(refused(&bench.get(PAYMENTS)), (403, "authentication_error"));
    assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, 403);
}

#[test]
fn refusals_have_moyasars_words_and_execute_nothing() {
    let limited = |kind| Fault::RateLimited {
        kind,
        retry_after: Some("7".to_owned()),
    };
    let cases = [
        (Fault::KeyInUse, INVALID),
        (Fault::KeyReused, INVALID),
        (limited(RateLimit::RateLimit), (429, "rate_limit_error")),
        (limited(RateLimit::LockTimeout), (429, "rate_limit_error")),
        (limited(RateLimit::Html), (429, "")),
        (Fault::Unauthorized, (401, "authentication_error")),
        (Fault::Forbidden, (403, "")),
        (Fault::server_error(500, When::Before), (500, "api_error")),
        (
            Fault::server_error(503, When::Before),
            (503, "api_connection_error"),
        ),
    ];
    for (fault, expected) in cases {
        let mut bench = Bench::new();
        bench.world.push_fault(fault.clone());
        let answer = bench.charged(ID);
        assert_eq!(refused(&answer), expected, "{fault:?}");
        if expected.0 == 429 {
            assert_eq!(answer.header("retry-after"), Some("7"));
        }
        let already = answer.json["message"] == "Payment is already created";
        assert_eq!(already, expected == INVALID);
        assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, 404);
        assert!(bench.moved().is_empty());
        assert_eq!(bench.charged(ID).status, 201, "{fault:?}");

        bench.world.push_fault(fault.clone());
        let answer = bench.change(ID, "refund", &json!({}));
        assert_eq!(refused(&answer), expected, "{fault:?}");
        assert_ne!(answer.json["message"], "Payment is already created");
        assert_eq!(bench.moved().len(), 1);
    }
}

#[test]
fn replies_are_cut_changed_and_replaced() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::Tamper(
        Tamper::set("/amount", 1).and_remove("/source/token"),
    ));
    let tampered = bench.charged(ID);
    assert_eq!(tampered.json["amount"], 1);
    assert_eq!(bench.read(ID)["amount"], 10_000);

    bench.world.push_fault(Fault::CutBody {
        how: crate::CutBody::CleanEnd,
        keep: Some(10),
    });
    let request = bench.post_request(PAYMENTS, &charge(OTHER_ID));
    let cut = bench.world.handle("moyasar", request, bench.now);
    assert!(matches!(cut, Delivery::Cut { keep: 10, .. }));
    assert_eq!(bench.read(OTHER_ID)["status"], "paid");

    let get = Matcher::get().contains(SHOP);
    bench
        .world
        .push_fault(Fault::server_error(502, When::Before).on(get));
    assert_eq!(bench.get(PAYMENTS).status, 502);
    assert_eq!(bench.moved().len(), 2);
}
