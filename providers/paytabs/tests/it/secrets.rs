//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::Source;
use payonce::provider::{Details, Provider, Request};
use payonce_paytabs::{PayTabs, Region};

use crate::kit::{PROFILE, charge, key};

const SERVER_KEY: &str = "SXJ9SENTINEL1-Example";

fn paytabs(server_key: &str) -> PayTabs {
    PayTabs::live(Region::Egypt, PROFILE, server_key)
}

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let (paytabs, key) = (paytabs(SERVER_KEY), key());
    let source = Source::token("2C46SENTINEL2");
    let details = Details::new(Some(&source), None, None, &[]);
    let mut request = paytabs.encode(&charge(&key), &details).unwrap();
    let body = String::from_utf8(request.body.clone()).unwrap();
    assert!(!body.contains("SENTINEL1"));
    assert!(!format!("{paytabs:?} {:?}", paytabs.account()).contains("SENTINEL"));
    paytabs
        .authorize(&mut request, SystemTime::UNIX_EPOCH)
        .unwrap();
    // PayTabs wants no word before the key.
    let header = &request.headers["authorization"];
    assert_eq!(header, SERVER_KEY);
    assert!(header.is_sensitive());
    assert!(!format!("{request:?} {:?}", request.headers).contains("SENTINEL"));
    assert!(!paytabs.account().id().as_str().contains("SENTINEL"));
}

#[test]
fn a_refused_source_is_not_repeated_in_the_error() {
    let (paytabs, key) = (paytabs(SERVER_KEY), key());
    let source = Source::saved("2C46/SENTINEL", Some("TST-SENTINEL"));
    let details = Details::new(Some(&source), None, None, &[]);
    let error = paytabs.encode(&charge(&key), &details).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("SENTINEL"));
}

#[test]
fn authorization_is_added_once_and_nothing_else_changes() {
    let (paytabs, key) = (paytabs(SERVER_KEY), key());
    let source = Source::hosted();
    let details = Details::new(Some(&source), None, None, &[]);
    let rendered = paytabs.encode(&charge(&key), &details).unwrap();
    let mut request = rendered.clone();
    for _ in 0..2 {
        paytabs
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
    request.headers.remove("authorization");
    assert_eq!(request, rendered);
}

#[test]
fn a_key_that_cannot_be_sent_is_refused_and_not_repeated() {
    let bad = [
        "",
        "SENTINEL\n",
        " SENTINEL",
        "SENTINEL SENTINEL",
        "SENTINEL\0",
        "SENTINELق",
    ];
    for server_key in bad {
        let mut request = Request::new(http::Method::POST, "/payment/query");
        let error = paytabs(server_key)
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap_err();
        assert!(error.to_string().starts_with("server_key "), "{error}");
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("SENTINEL"), "{shown}");
        assert!(request.headers.is_empty());
    }
}
