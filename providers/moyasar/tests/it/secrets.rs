//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::provider::{Details, Provider, Request};
use payonce::{OperationKind, Source};
use payonce_moyasar::Moyasar;

use crate::kit::{call, key};

const SECRET: &str = "sk_test_SENTINEL_1";
const BACK: &str = "https://shop.example/back";

fn rendered(moyasar: &Moyasar) -> Request {
    let (key, token) = (key(), Source::token("token_SENTINEL_2"));
    let details = Details::new(Some(&token), Some(BACK), None, &[]);
    moyasar
        .encode(&call(OperationKind::Charge, &key), &details)
        .unwrap()
}

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let moyasar = Moyasar::new("main", SECRET);
    let mut request = rendered(&moyasar);
    assert!(!format!("{moyasar:?} {:?} {request:?}", moyasar.account()).contains("SENTINEL"));
    moyasar
        .authorize(&mut request, SystemTime::UNIX_EPOCH)
        .unwrap();
    // `sk_test_SENTINEL_1:` in base64: the user name, and no password.
    assert_eq!(
        request.headers["authorization"],
        "Basic c2tfdGVzdF9TRU5USU5FTF8xOg=="
    );
    assert!(request.headers["authorization"].is_sensitive());
    let shown = format!("{request:?} {:?}", request.headers);
    assert!(!shown.contains("SENTINEL") && !shown.contains("c2tf"));
    assert!(!moyasar.account().id().as_str().contains("SENTINEL"));
}

#[test]
fn authorization_is_added_once_and_nothing_else_changes() {
    let moyasar = Moyasar::new("main", SECRET);
    let rendered = rendered(&moyasar);
    let mut request = rendered.clone();
    for _ in 0..2 {
        moyasar
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
        "pk_test_SENTINEL",
        "sk_test_SENTINEL\n",
        " sk_test_SENTINEL",
        "sk_test_SENTINEL:x",
        "sk_test_SENTINEL\0",
        "sk_SENTINELق",
    ] {
        let moyasar = Moyasar::new("main", secret);
        let mut request = Request::new(http::Method::GET, "/");
        let error = moyasar
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
