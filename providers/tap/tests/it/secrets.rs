//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::OperationKind::Charge;
use payonce::Source;
use payonce::provider::{Details, Provider, Request};
use payonce_tap::Tap;

use crate::kit::{call, customer, key};

const SECRET: &str = "sk_test_SENTINEL1";

fn tap(secret: &str) -> Tap {
    Tap::new("main", secret).return_url("https://shop.example/back")
}

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let (tap, key, customer) = (tap(SECRET), key(), customer());
    let source = Source::token("tok_SENTINEL2");
    let details = Details::new(Some(&source), None, None, &[]).with_customer(Some(&customer));
    let rendered = tap.encode(&call(Charge, &key), &details).unwrap();
    let mut request = rendered.clone();
    for _ in 0..2 {
        tap.authorize(&mut request, SystemTime::UNIX_EPOCH).unwrap();
    }
    let header = &request.headers["authorization"];
    assert_eq!(header, format!("Bearer {SECRET}").as_str());
    assert!(header.is_sensitive());
    let shown = format!(
        "{tap:?} {:?} {request:?} {:?}",
        tap.account(),
        request.headers
    );
    assert!(!shown.contains("SENTINEL"), "{shown}");
    assert!(!tap.account().id().as_str().contains("SENTINEL"));
    // Nothing else is added, and nothing twice.
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
    request.headers.remove("authorization");
    assert_eq!(request, rendered);
}

#[test]
fn a_refused_source_is_not_repeated_in_the_error() {
    let (key, customer) = (key(), customer());
    let source = Source::token("tok_/SENTINEL");
    let details = Details::new(Some(&source), None, None, &[]).with_customer(Some(&customer));
    let error = tap(SECRET)
        .encode(&call(Charge, &key), &details)
        .unwrap_err();
    assert!(!format!("{error} {error:?}").contains("SENTINEL"));
}

#[test]
fn a_secret_that_cannot_be_used_is_refused_and_not_repeated() {
    for secret in [
        "",
        "pk_test_SENTINEL",
        "SENTINEL",
        "sk_test_SENTINEL\n",
        " sk_test_SENTINEL",
        "sk_test_SENTINELق",
    ] {
        let mut request = Request::new(http::Method::GET, "/");
        let error = tap(secret)
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap_err();
        assert!(error.to_string().starts_with("secret "), "{error}");
        assert!(!format!("{error} {error:?}").contains("SENTINEL"));
        assert!(request.headers.is_empty());
    }
}
