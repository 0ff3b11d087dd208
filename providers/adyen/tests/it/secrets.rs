//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::Source;
use payonce::provider::{Details, Provider, Request};
use payonce::{OperationKind, ProceedInput};
use payonce_adyen::Adyen;

use crate::kit::{ACCOUNT, TOKEN, call, key};

const API_KEY: &str = "AQESENTINEL1";

fn rendered(adyen: &Adyen) -> Request {
    let (key, source) = (key(), Source::token(TOKEN));
    let details = Details::new(Some(&source), Some("https://shop.example/back"), None, &[]);
    adyen
        .encode(&call(OperationKind::Charge, &key), &details)
        .unwrap()
}

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let adyen = Adyen::live(ACCOUNT, "1797-Acme", API_KEY);
    let mut request = rendered(&adyen);
    assert!(
        !String::from_utf8(request.body.clone())
            .unwrap()
            .contains("SENTINEL")
    );
    adyen
        .authorize(&mut request, SystemTime::UNIX_EPOCH)
        .unwrap();
    let header = &request.headers["x-api-key"];
    assert_eq!(header, API_KEY);
    assert!(header.is_sensitive());
    let shown = format!(
        "{adyen:?} {request:?} {:?} {:?}",
        request.headers,
        adyen.account()
    );
    assert!(!shown.contains("SENTINEL"), "{shown}");
    let input = ProceedInput::new().field("redirectResult", "SENTINEL");
    assert!(!format!("{input:?}").contains("SENTINEL"));
}

#[test]
fn a_refused_source_is_not_repeated_in_the_error() {
    let (adyen, key) = (Adyen::test(ACCOUNT, API_KEY), key());
    for token in [
        "SENTINEL2",
        r#"{"type":"scheme","number":"SENTINEL2"}"#,
        r#"{"type":"scheme","encryptedSecurityCode":"SENTINEL2"}"#,
        r#"{"SENTINEL2":"scheme"}"#,
        r#"{"type":"scheme","holderName":{"x":"SENTINEL2"}}"#,
        r#"{"holderName":"SENTINEL2"}"#,
    ] {
        let source = Source::token(token);
        let details = Details::new(Some(&source), Some("https://shop.example/back"), None, &[]);
        let error = adyen.encode(&call(OperationKind::Charge, &key), &details);
        let error = error.unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("SENTINEL"),
            "{error}"
        );
        assert!(error.to_string().starts_with("source "), "{error}");
    }
}

#[test]
fn authorization_is_added_once_and_nothing_else_changes() {
    let adyen = Adyen::test(ACCOUNT, API_KEY);
    let before = rendered(&adyen);
    let mut request = before.clone();
    for _ in 0..2 {
        adyen
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    assert_eq!(request.headers.get_all("x-api-key").iter().count(), 1);
    request.headers.remove("x-api-key");
    assert_eq!(request, before);
}

#[test]
fn a_key_that_cannot_be_sent_is_refused_and_not_repeated() {
    for bad in [
        "",
        "SENTINEL\n",
        " SENTINEL",
        "SENTINEL SENTINEL",
        "SENTINELق",
    ] {
        let adyen = Adyen::test(ACCOUNT, bad);
        let mut request = Request::new(http::Method::GET, "/");
        let error = adyen.authorize(&mut request, SystemTime::UNIX_EPOCH);
        let error = error.unwrap_err();
        assert!(error.to_string().starts_with("api_key "), "{error}");
        assert!(!format!("{error} {error:?}").contains("SENTINEL"));
        assert!(request.headers.is_empty());
    }
}
