//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::Source;
use payonce::provider::{Details, Provider};
use payonce_stripe::Stripe;

use crate::kit::{call, key};

const SECRET: &str = "sk_test_SENTINEL_1";

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let (stripe, key) = (Stripe::new("main", SECRET), key());
    let token = Source::token("pm_SENTINEL_2");
    let mut request = stripe
        .encode(&call(&key), &Details::new(Some(&token), None, None, &[]))
        .unwrap();
    assert!(!format!("{stripe:?} {:?} {:?}", stripe.account(), request).contains("SENTINEL"));
    stripe
        .authorize(&mut request, SystemTime::UNIX_EPOCH)
        .unwrap();
    assert_eq!(
        request.headers["authorization"],
        format!("Bearer {SECRET}").as_str()
    );
    assert!(request.headers["authorization"].is_sensitive());
    assert!(!format!("{request:?} {:?}", request.headers).contains("SENTINEL"));
    assert!(!stripe.account().id().as_str().contains("SENTINEL"));
}

#[test]
fn authorization_is_added_once_and_nothing_else_changes() {
    let (stripe, key) = (Stripe::new("main", SECRET), key());
    let token = Source::token("pm_1Visa");
    let details = Details::new(Some(&token), None, None, &[]);
    let rendered = stripe.encode(&call(&key), &details).unwrap();
    let mut request = rendered.clone();
    for _ in 0..2 {
        stripe
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
    request.headers.remove("authorization");
    assert_eq!(request, rendered);
}

#[test]
fn a_secret_that_cannot_be_sent_is_refused_and_not_repeated() {
    let bad = [
        "",
        "sk_test_SENTINEL\n",
        " sk_test_SENTINEL",
        "sk_test_SENTINEL\0",
        "sk_SENTINELق",
    ];
    for secret in bad {
        let stripe = Stripe::new("main", secret);
        let mut request = payonce::provider::Request::new(http::Method::GET, "/");
        let error = stripe
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap_err();
        assert!(error.to_string().starts_with("secret "), "{error}");
        assert!(
            !format!("{error} {error:?}").contains("SENTINEL"),
            "{error:?}"
        );
        assert!(request.headers.is_empty());
    }
}
