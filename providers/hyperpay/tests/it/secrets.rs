//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::Source;
use payonce::provider::{Details, Provider, Request};
use payonce_hyperpay::HyperPay;

use crate::kit::{ENTITY, charge, key};

const TOKEN: &str = "OGFjSENTINEL1fHRlc3Q=";

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let (hyperpay, key) = (HyperPay::live(ENTITY, TOKEN), key());
    let source = Source::token("8ac7SENTINEL2");
    let mut request = hyperpay
        .encode(&charge(&key), &Details::new(Some(&source), None, None, &[]))
        .unwrap();
    // The registration stands in the path, since the platform wants it there, and nowhere else. It
    // pays nothing without the token.
    let body = String::from_utf8(request.body.clone()).unwrap();
    assert!(!body.contains("SENTINEL"));
    assert!(!format!("{hyperpay:?} {:?}", hyperpay.account()).contains("SENTINEL"));
    hyperpay
        .authorize(&mut request, SystemTime::UNIX_EPOCH)
        .unwrap();
    let header = &request.headers["authorization"];
    assert_eq!(header, format!("Bearer {TOKEN}").as_str());
    assert!(header.is_sensitive());
    assert!(!format!("{request:?} {:?}", request.headers).contains("SENTINEL1"));
    assert!(!hyperpay.account().id().as_str().contains("SENTINEL"));
}

#[test]
fn a_refused_source_is_not_repeated_in_the_error() {
    let (hyperpay, key) = (HyperPay::live(ENTITY, TOKEN), key());
    let source = Source::token("8ac7/SENTINEL");
    let error = hyperpay
        .encode(&charge(&key), &Details::new(Some(&source), None, None, &[]))
        .unwrap_err();
    assert!(!format!("{error} {error:?}").contains("SENTINEL"));
}

#[test]
fn authorization_is_added_once_and_nothing_else_changes() {
    let (hyperpay, key) = (HyperPay::live(ENTITY, TOKEN), key());
    let source = Source::token("8ac7a4a18f1d2c3b018f1d9a1b2c0777");
    let details = Details::new(Some(&source), None, None, &[]);
    let rendered = hyperpay.encode(&charge(&key), &details).unwrap();
    let mut request = rendered.clone();
    for _ in 0..2 {
        hyperpay
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
    request.headers.remove("authorization");
    assert_eq!(request, rendered);
}

#[test]
fn a_token_that_cannot_be_sent_is_refused_and_not_repeated() {
    let bad = [
        "",
        "SENTINEL\n",
        " SENTINEL",
        "SENTINEL SENTINEL",
        "SENTINEL\0",
        "SENTINELق",
    ];
    for token in bad {
        let hyperpay = HyperPay::live(ENTITY, token);
        let mut request = Request::new(http::Method::GET, "/");
        let error = hyperpay
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap_err();
        assert!(error.to_string().starts_with("token "), "{error}");
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("SENTINEL"), "{shown}");
        assert!(request.headers.is_empty());
    }
}
