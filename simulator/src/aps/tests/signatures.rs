//! Who may ask, and who answered.

use serde_json::{Value, json};

use super::super::{Config, sign};
use super::{Bench, code, purchase, request};
use crate::{Fault, Tamper};

/// The example of the gateway's own pages (A1).
#[test]
fn a_known_signature() {
    let fields = json!({
        "command": "PURCHASE", "merchant_reference": "Test010", "amount": "1000",
        "access_code": "SILgpo7pWbmzuURp2qri", "merchant_identifier": "MxvOupuG",
        "currency": "USD", "language": "en", "customer_email": "test@gmail.com",
    });
    assert_eq!(
        sign::of("PASS", fields.as_object().unwrap()),
        "94c38afc7bdae0114fc8c740edf12416f22998241ce4b4ea70d5521233a2c882"
    );
}

#[test]
fn a_wrong_signature_is_refused_and_moves_nothing() {
    let mut bench = Bench::new();
    let answer = bench.send(request(&purchase("a1"), "another phrase"));
    assert_eq!((answer.status, code(&answer)), (200, "00008".to_owned()));
    // Signed, and then changed.
    let signed = request(&purchase("a1"), "request-phrase");
    let mut body: Value = serde_json::from_slice(&signed.body).unwrap();
    body["amount"] = json!("20000");
    let answer = bench.send(signed.with_body(body.to_string()));
    assert_eq!(code(&answer), "00008");
    assert!(bench.moved().is_empty());
}

#[test]
fn an_unknown_access_code_is_refused_and_moves_nothing() {
    let mut bench = Bench::with(Config::default().access_code("other"));
    assert_eq!(code(&bench.post(&purchase("a1"))), "00010");
    let mut body = purchase("a1");
    body["access_code"] = json!("invalid7");
    assert_eq!(code(&Bench::new().post(&body)), "00010");
    assert!(bench.moved().is_empty());
}

/// A gateway that says another amount signs it; somebody on the way cannot.
#[test]
fn what_a_fault_changes_is_signed_again_unless_it_is_forged() {
    for forged in [false, true] {
        let mut bench = Bench::new();
        let tamper = Tamper::set("/amount", "1");
        let tamper = if forged { tamper.forged() } else { tamper };
        bench.world.push_fault(Fault::Tamper(tamper));
        let answer = bench.post(&purchase("a1"));
        assert_eq!(answer.json["amount"], "1");
        let fields = answer.json.as_object().unwrap();
        assert_eq!(sign::is_right("response-phrase", fields), !forged);
    }
}

#[test]
fn every_reply_is_signed_with_the_other_phrase() {
    let mut bench = Bench::with(Config::default().phrases("request-phrase", "other"));
    for body in [purchase("a1"), purchase("a1"), json!({})] {
        let answer = bench.post(&body);
        let fields = answer.json.as_object().unwrap();
        assert!(sign::is_right("other", fields));
        assert!(!sign::is_right("request-phrase", fields));
    }
}
