//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::provider::{Details, Provider, Request};
use payonce::{OperationKind, Source};
use payonce_square::Square;

use crate::kit::{LOCATION, call, key};

const SECRET: &str = "EAAA_SENTINEL_1";

fn rendered(square: &Square) -> Request {
    let (key, token) = (key(), Source::token("cnon:SENTINEL_2"));
    let details = Details::new(Some(&token), None, None, &[]);
    square
        .encode(&call(OperationKind::Charge, &key), &details)
        .unwrap()
}

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let square = Square::live(LOCATION, SECRET);
    let mut request = rendered(&square);
    assert!(!format!("{square:?} {:?} {request:?}", square.account()).contains("SENTINEL"));
    square
        .authorize(&mut request, SystemTime::UNIX_EPOCH)
        .unwrap();
    assert_eq!(request.headers["authorization"], "Bearer EAAA_SENTINEL_1");
    assert!(request.headers["authorization"].is_sensitive());
    let shown = format!("{request:?} {:?}", request.headers);
    assert!(!shown.contains("SENTINEL"));
    assert!(!square.account().id().as_str().contains("SENTINEL"));
}

#[test]
fn authorization_is_added_once_and_nothing_else_changes() {
    let square = Square::live(LOCATION, SECRET);
    let rendered = rendered(&square);
    let mut request = rendered.clone();
    for _ in 0..2 {
        square
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
    request.headers.remove("authorization");
    assert_eq!(request, rendered);
}

#[test]
fn a_secret_that_cannot_be_used_is_refused_and_not_repeated() {
    for secret in [
        "",
        "SENTINEL\n",
        " SENTINEL",
        "SENTINEL x",
        "SENTINEL\0",
        "SENTINELق",
    ] {
        let square = Square::live(LOCATION, secret);
        let mut request = Request::new(http::Method::GET, "/");
        let error = square
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap_err();
        assert!(error.to_string().starts_with("secret "), "{error}");
        assert!(!format!("{error} {error:?}").contains("SENTINEL"));
        assert!(request.headers.is_empty());
    }
}
