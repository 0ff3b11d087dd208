//! Known signatures, and what may not pass for one.

use http::Method;
use serde_json::json;

use super::*;

fn fields(pairs: &[(&str, &str)]) -> Map<String, Value> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect()
}

fn sha256(phrase: &str, pairs: &[(&str, &str)]) -> String {
    let keys = Keys::new("-", phrase, "-");
    keys.signature(&keys.request_phrase, &fields(pairs))
        .unwrap()
}

/// The examples of the gateway's own pages and of the tests of its PHP library
/// (<https://docs.payfort.com/docs/api/build/index.html#signature>,
/// <https://github.com/payfort/payfort-php-sdk>).
#[test]
fn known_signatures() {
    let purchase = [
        ("command", "PURCHASE"),
        ("merchant_reference", "Test010"),
        ("amount", "1000"),
        ("access_code", "SILgpo7pWbmzuURp2qri"),
        ("merchant_identifier", "MxvOupuG"),
        ("currency", "USD"),
        ("language", "en"),
        ("customer_email", "test@gmail.com"),
    ];
    assert_eq!(
        sha256("PASS", &purchase),
        "94c38afc7bdae0114fc8c740edf12416f22998241ce4b4ea70d5521233a2c882"
    );
    let tokenization = [
        ("service_command", "TOKENIZATION"),
        ("language", "en"),
        ("merchant_identifier", "MxvOupuG"),
        ("access_code", "SILgpo7pWbmzuURp2qri"),
        ("merchant_reference", "MyReference0001"),
    ];
    assert_eq!(
        sha256("PASS", &tokenization),
        "7ee560ccd621da61bfc772f2f1b5849babda768f5ee36d4de67efa88403e4b99"
    );
    let authorization = [
        ("command", "AUTHORIZATION"),
        ("merchant_reference", "test 2121"),
        ("amount", "1"),
        ("access_code", "43287943278432"),
        ("merchant_identifier", "343278h432"),
        ("currency", "USD"),
        ("language", "en"),
        ("customer_email", "test@aps.com"),
    ];
    for (phrase, signature) in [
        (
            "test1",
            "6b73011e4eda060bbbdf206ad110b5208690b57d9e39bec1a548fe8bf3029439",
        ),
        (
            "test2",
            "916b0c4952b7d072fe6cbe15fad9b5509660b482aaa952d90096c9094ca87478",
        ),
    ] {
        assert_eq!(sha256(phrase, &authorization), signature);
    }
}

/// A forged success would ship the goods for nothing.
#[test]
fn only_the_response_phrase_signs_a_reply() {
    let keys = Keys::new("code", "test1", "test2");
    let mut reply = fields(&[("status", "14"), ("amount", "1")]);
    assert!(!keys.signed(&reply));
    let wrong = keys.signature(&keys.request_phrase, &reply).unwrap();
    let right = keys.signature(&keys.response_phrase, &reply).unwrap();
    for (signature, is_signed) in [
        (json!(right), true),
        (json!(right.to_uppercase()), true),
        (json!(wrong), false),
        (json!(right.get(..63)), false),
        (json!(""), false),
        (Value::Null, false),
    ] {
        reply.insert("signature".to_owned(), signature.clone());
        assert_eq!(keys.signed(&reply), is_signed, "{signature}");
    }
    reply.insert("signature".to_owned(), json!(right));
    reply.insert("amount".to_owned(), json!("2"));
    assert!(!keys.signed(&reply));
}

#[test]
fn what_is_empty_is_left_out_and_a_number_is_its_digits() {
    let keys = Keys::new("code", "test1", "test2");
    let signature = |value: Value| {
        let fields: Map<String, Value> =
            serde_json::from_value(json!({ "a": "1", "b": value })).unwrap();
        keys.signature(&keys.request_phrase, &fields)
    };
    let without = keys.signature(&keys.request_phrase, &fields(&[("a", "1")]));
    assert_eq!(signature(json!("")), without);
    assert_eq!(signature(Value::Null), without);
    assert_eq!(signature(json!(17)), signature(json!("17")));
    for unknown in [json!(true), json!([]), json!({ "c": "1" }), json!(1.5)] {
        assert_eq!(signature(unknown), None);
    }
}

#[test]
fn another_hash_is_another_signature() {
    let request = || Request::new(Method::POST, "/").with_body("application/json", "{}");
    let signed = |keys: Keys| {
        let mut request = request();
        authorize(&keys, &mut request).unwrap();
        let fields: Map<String, Value> = serde_json::from_slice(&request.body).unwrap();
        fields["signature"].as_str().unwrap().len()
    };
    assert_eq!(signed(Keys::new("code", "a", "b")), 64);
    assert_eq!(signed(Keys::new("code", "a", "b").sha512()), 128);
}

/// A client tries its keys so when it is built.
#[test]
fn a_request_without_a_body_is_signed_and_one_of_another_kind_is_not() {
    let keys = Keys::new("code", "a", "b");
    let mut request = Request::new(Method::GET, "/");
    authorize(&keys, &mut request).unwrap();
    let mut request = Request::new(Method::POST, "/").with_body("text/plain", "amount=1");
    authorize(&keys, &mut request).unwrap_err();
}

#[test]
fn keys_that_cannot_work_are_refused_by_name_and_not_repeated() {
    for (field, keys) in [
        ("access_code", Keys::new("", "a", "b")),
        ("access_code", Keys::new("SENTINEL\n", "a", "b")),
        ("request_phrase", Keys::new("code", " SENTINEL", "b")),
        ("response_phrase", Keys::new("code", "a", "")),
        ("response_phrase", Keys::new("code", "a", "SENTI\0NEL")),
    ] {
        let mut request = Request::new(Method::POST, "/").with_body("application/json", "{}");
        let error = authorize(&keys, &mut request).unwrap_err();
        assert!(error.to_string().starts_with(field), "{error}");
        assert!(!format!("{error:?}").contains("SENTI"));
        assert_eq!(request.body, b"{}");
    }
}
