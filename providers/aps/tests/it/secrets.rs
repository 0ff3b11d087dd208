//! No secret shows anywhere but in what `authorize` adds.

use std::time::SystemTime;

use payonce::OperationKind::{Capture, Charge};
use payonce::Source;
use payonce::provider::{Details, Provider, Request};
use payonce_aps::{Aps, Keys};
use serde_json::Value;

use crate::kit::{MERCHANT, call, customer, key};

fn secret() -> Aps {
    let keys = Keys::new("SENTINEL1", "SENTINEL2", "SENTINEL3");
    Aps::live(MERCHANT, keys)
}

fn charge(aps: &Aps) -> Request {
    let (key, token, customer) = (key(), Source::token("Op9Vmp"), customer());
    let details = Details::new(Some(&token), None, None, &[]).with_customer(Some(&customer));
    aps.encode(&call(Charge, &key), &details).unwrap()
}

#[test]
fn c82_debug_errors_and_stored_requests_show_no_secret() {
    let aps = secret();
    let request = charge(&aps);
    assert!(!format!("{aps:?} {:?}", aps.account()).contains("SENTINEL"));
    assert!(!aps.account().id().as_str().contains("SENTINEL"));
    let body = String::from_utf8(request.body).unwrap();
    assert!(!body.contains("SENTINEL") && !body.contains("signature"));
    let capture = aps
        .encode(&call(Capture, &key()), &Details::new(None, None, None, &[]))
        .unwrap();
    let body = String::from_utf8(capture.body).unwrap();
    assert!(!body.contains("SENTINEL") && !body.contains("signature"));
}

/// The phrases never leave; what is sent is what was stored, with the access code and the signature.
#[test]
fn a_send_adds_the_access_code_and_the_signature_and_nothing_else() {
    let aps = secret();
    let stored = charge(&aps);
    let mut sent = stored.clone();
    for _ in 0..2 {
        aps.authorize(&mut sent, SystemTime::UNIX_EPOCH).unwrap();
    }
    let read = |request: &Request| -> Value { serde_json::from_slice(&request.body).unwrap() };
    let mut fields = read(&sent);
    let text = fields.to_string();
    assert!(!text.contains("SENTINEL2") && !text.contains("SENTINEL3"));
    let fields = fields.as_object_mut().unwrap();
    assert_eq!(fields.remove("access_code").unwrap(), "SENTINEL1");
    assert_eq!(
        fields.remove("signature").unwrap().as_str().unwrap().len(),
        64
    );
    assert_eq!(Value::from(fields.clone()), read(&stored));
    assert_eq!(sent.headers, stored.headers);
    assert!(!format!("{sent:?}").contains("SENTINEL"));
}

/// A phrase may be replaced while an operation is open: the next send has the new signature.
#[test]
fn a_stored_request_is_signed_anew_with_new_keys() {
    let stored = charge(&secret());
    let signature = |keys: Keys| {
        let aps = Aps::live(MERCHANT, keys);
        assert_eq!(charge(&aps), stored);
        let mut sent = stored.clone();
        aps.authorize(&mut sent, SystemTime::UNIX_EPOCH).unwrap();
        let fields: Value = serde_json::from_slice(&sent.body).unwrap();
        fields["signature"].as_str().unwrap().to_owned()
    };
    let first = signature(Keys::new("code", "one", "reply"));
    assert_eq!(first, signature(Keys::new("code", "one", "another")));
    assert_ne!(first, signature(Keys::new("code", "two", "reply")));
    assert_ne!(first, signature(Keys::new("code2", "one", "reply")));
}
