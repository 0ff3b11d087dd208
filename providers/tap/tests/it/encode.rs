//! The bytes of each request.

use http::Method;
use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::provider::{Details, Provider, Request};
use payonce::{Currency, Customer, Source};
use payonce_tap::Tap;

use crate::kit::{AUTHORIZATION, KEY, PAID, call, customer, key, money, tap};

fn rendered(kind: OperationKind, details: &Details<'_>) -> Request {
    tap().encode(&call(kind, &key()), details).unwrap()
}

fn body(request: &Request) -> &str {
    std::str::from_utf8(&request.body).unwrap()
}

#[test]
fn a_charge() {
    let (source, customer) = (Source::token("tok_1"), customer());
    let fields = [("basket".to_owned(), "قهوة \"2\"".to_owned())];
    let url = Some("https://shop.example/thanks");
    let details = Details::new(Some(&source), url, Some("Two bags"), &fields);
    let request = rendered(Charge, &details.with_customer(Some(&customer)));
    assert_eq!(
        (&request.method, request.path.as_str()),
        (&Method::POST, "/v2/charges/")
    );
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(
        body(&request),
        r#"{"amount":480.00,"currency":"SAR","customer_initiated":true,"threeDSecure":true,"#
            .to_owned()
            + r#""description":"Two bags","metadata":{"payonce_reference":"order-1042","#
            + r#""basket":"قهوة \"2\""},"reference":{"transaction":"KEY","idempotent":"KEY"},"#
                .replace("KEY", KEY)
                .as_str()
            + r#""customer":{"first_name":"Layla Example","email":"layla@shop.example","#
            + r#""phone":{"country_code":"966","number":"500000001"}},"source":{"id":"tok_1"},"#
            + r#""redirect":{"url":"https://shop.example/thanks"}}"#
    );
}

/// The key stands inside `reference`: beside it Tap is said to ignore it, and every repeat would be
/// another charge.
#[test]
fn the_key_stands_where_tap_reads_it() {
    let (source, customer) = (Source::token("tok_1"), customer());
    for kind in [Charge, Authorize, Capture, Refund] {
        let payment = Details::new(Some(&source), None, None, &[]);
        let request = rendered(kind, &payment.with_customer(Some(&customer)));
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(body["reference"]["idempotent"], KEY, "{kind}");
        assert!(body.get("idempotent").is_none(), "{kind}");
    }
}

#[test]
fn an_authorization_has_a_path_of_its_own() {
    let (source, customer) = (Source::token("tok_1"), customer());
    let details = Details::new(Some(&source), None, None, &[]).with_customer(Some(&customer));
    let (held, taken) = (rendered(Authorize, &details), rendered(Charge, &details));
    assert_eq!(
        (held.path.as_str(), taken.path.as_str()),
        ("/v2/authorize/", "/v2/charges/")
    );
    assert_eq!(held.body, taken.body);
}

/// It is a charge of the authorization. Whoever is away is not said to be asked.
#[test]
fn a_capture() {
    let customer = Customer::new().name("Layla Example").phone("+96550000000");
    let details = Details::new(None, None, None, &[]).with_customer(Some(&customer));
    let request = rendered(Capture, &details);
    assert_eq!(request.path, "/v2/charges/");
    assert_eq!(
        body(&request),
        r#"{"amount":300.00,"currency":"SAR","metadata":{"payonce_reference":"order-1042/capture"},"#
            .to_owned()
            + &r#""reference":{"transaction":"KEY","idempotent":"KEY"},"#.replace("KEY", KEY)
            + r#""customer":{"first_name":"Layla Example","#
            + r#""phone":{"country_code":"965","number":"50000000"}},"#
            + &format!(r#""source":{{"id":"{AUTHORIZATION}"}},"#)
            + r#""redirect":{"url":"https://shop.example/back"}}"#
    );
}

#[test]
fn a_refund_needs_neither_customer_nor_address() {
    let request = Tap::new("main", "sk_test_1")
        .encode(&call(Refund, &key()), &Details::new(None, None, None, &[]))
        .unwrap();
    assert_eq!(request.path, "/v2/refunds/");
    assert_eq!(
        body(&request),
        format!(r#"{{"charge_id":"{PAID}","amount":120.00,"currency":"SAR","#)
            + r#""reason":"requested_by_customer","#
            + r#""metadata":{"payonce_reference":"order-1042/refund"},"#
            + &r#""reference":{"merchant":"KEY","idempotent":"KEY"}}"#.replace("KEY", KEY)
    );
}

#[test]
fn a_void_has_no_body() {
    let request = rendered(Void, &Details::new(None, None, None, &[]));
    let path = format!("/v2/authorize/{AUTHORIZATION}/void");
    assert_eq!((&request.method, request.path), (&Method::POST, path));
    assert!(request.body.is_empty() && request.headers.is_empty());
}

#[test]
fn sources_by_their_names() {
    let customer = customer();
    for (kind, source, id) in [
        (Charge, Source::hosted(), "src_all"),
        (Authorize, Source::hosted(), "src_all"),
        (Charge, Source::token("src_kw.knet"), "src_kw.knet"),
        (Charge, Source::token("src_all"), "src_all"),
        (Authorize, Source::token("src_card"), "src_card"),
        (Charge, Source::token("tok_a1B2"), "tok_a1B2"),
    ] {
        let details = Details::new(Some(&source), None, None, &[]);
        let request = rendered(kind, &details.with_customer(Some(&customer)));
        let wanted = format!(r#""source":{{"id":"{id}"}}"#);
        assert!(body(&request).contains(&wanted), "{id}");
    }
}

/// A float would make 18.6 of it, or worse.
#[test]
fn amounts_keep_every_digit() {
    let (source, customer, key) = (Source::token("tok_1"), customer(), key());
    for (text, currency, wire) in [
        ("18.600", Currency::KWD, "18.600"),
        ("0.001", Currency::BHD, "0.001"),
        ("0.10", Currency::AED, "0.10"),
        ("1.15", Currency::USD, "1.15"),
        ("9999999999999.99", Currency::SAR, "9999999999999.99"),
    ] {
        let mut call = call(Charge, &key);
        call.money = money(text, currency);
        let details = Details::new(Some(&source), None, None, &[]);
        let request = tap().encode(&call, &details.with_customer(Some(&customer)));
        let start = format!(r#"{{"amount":{wire},"currency":"{}","#, currency.code());
        assert!(body(&request.unwrap()).starts_with(&start), "{text}");
    }
}
