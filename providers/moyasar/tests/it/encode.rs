//! Whole requests of charges and authorizations, byte for byte.

use payonce::OperationKind::{self, Authorize, Charge};
use payonce::provider::{Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, Problem, Source};

use crate::kit::{KEY, KINDS, call, key, money, moyasar};

const BACK: &str = "https://shop.example/back?order=1042&x=a%20b";

fn encode(kind: OperationKind, details: &Details<'_>) -> Result<Request, EncodeError> {
    let key = key();
    moyasar().encode(&call(kind, &key), details)
}

fn body(kind: OperationKind, details: &Details<'_>) -> String {
    String::from_utf8(encode(kind, details).unwrap().body).unwrap()
}

fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn refused(details: &Details<'_>) -> String {
    encode(Charge, details).unwrap_err().to_string()
}

#[test]
fn a_whole_charge() {
    let token = Source::token("token_Visa1");
    let request = encode(Charge, &Details::new(Some(&token), Some(BACK), None, &[])).unwrap();
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/payments")
    );
    assert_eq!(request.headers.len(), 1);
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(
        String::from_utf8(request.body).unwrap(),
        r#"{"given_id":"9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b","amount":48000,"currency":"SAR","#
            .to_owned()
            + r#""callback_url":"https://shop.example/back?order=1042&x=a%20b","#
            + r#""source":{"type":"token","token":"token_Visa1","3ds":true,"manual":false},"#
            + r#""metadata":{"payonce_key":"9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b","#
            + r#""payonce_reference":"order-1042"}}"#
    );
}

#[test]
fn an_authorization_of_a_saved_card_with_everything() {
    let saved = Source::saved("token_Visa1", None);
    let metadata = fields(&[("b", "2"), ("a", "1")]);
    let details = Details::new(Some(&saved), Some(BACK), Some("Two bags"), &metadata);
    let body = body(Authorize, &details);
    assert!(
        body.contains(r#""currency":"SAR","description":"Two bags","callback_url""#),
        "{body}"
    );
    // The customer is away: nobody could answer the bank.
    let source = r#"{"type":"token","token":"token_Visa1","3ds":false,"manual":true}"#;
    assert!(body.contains(source), "{body}");
    assert!(
        body.ends_with(r#","payonce_reference":"order-1042","b":"2","a":"1"}}"#),
        "{body}"
    );
}

#[test]
fn c87_other_scripts_and_reserved_characters() {
    let token = Source::token("token_Visa1");
    let text = "طلب رقم ٥ – \"قهوة\" & 100% +1 🙂";
    let metadata = fields(&[("اسم", "ليلى \\+&=%")]);
    let body = body(
        Charge,
        &Details::new(Some(&token), Some(BACK), Some(text), &metadata),
    );
    // An independent reader gets the same text, composed or decomposed as it was given.
    let read: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(read["description"], text);
    assert_eq!(read["metadata"]["اسم"], "ليلى \\+&=%");
}

#[test]
fn c06_the_same_arguments_give_the_same_bytes() {
    let token = Source::token("token_Visa1");
    let metadata = fields(&[("order", "A9"), ("phone", "x")]);
    let details = Details::new(Some(&token), Some(BACK), Some("x"), &metadata);
    assert_eq!(encode(Charge, &details), encode(Charge, &details));
}

#[test]
fn c45_amounts_are_in_the_smallest_unit_with_their_currency() {
    let (token, key) = (Source::token("token_Visa1"), key());
    let details = Details::new(Some(&token), Some(BACK), None, &[]);
    let mut call = call(Charge, &key);
    for (text, currency, part) in [
        (
            "18.600",
            Currency::KWD,
            r#""amount":18600,"currency":"KWD""#,
        ),
        ("100", Currency::JPY, r#""amount":100,"currency":"JPY""#),
        ("1.15", Currency::USD, r#""amount":115,"currency":"USD""#),
        ("1.00", Currency::SAR, r#""amount":100,"currency":"SAR""#),
    ] {
        call.money = money(text, currency);
        let body = String::from_utf8(moyasar().encode(&call, &details).unwrap().body).unwrap();
        assert!(body.contains(part), "{body}");
    }
    for (text, currency, least) in [
        ("0.99", Currency::SAR, "1.00 SAR"),
        ("0.099", Currency::KWD, "0.100 KWD"),
        ("99", Currency::JPY, "100 JPY"),
        ("0.00", Currency::SAR, ""),
    ] {
        call.money = money(text, currency);
        let error = moyasar().encode(&call, &details).unwrap_err().to_string();
        assert!(
            error.starts_with("amount") && error.contains(least),
            "{error}"
        );
    }
}

#[test]
fn c12_a_key_is_a_uuid_of_version_4_as_it_is_or_refused() {
    let token = Source::token("token_Visa1");
    let details = Details::new(Some(&token), Some(BACK), None, &[]);
    let encode = |key: &str| {
        let key = IdempotencyKey::new(key);
        moyasar().encode(&call(Charge, &key), &details)
    };
    let body = String::from_utf8(encode(KEY).unwrap().body).unwrap();
    assert_eq!(body.matches(KEY).count(), 2);
    for bad in [
        "",
        "order-1042",
        "0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
        "9f1c2b7e4d5a4e0f8a3b6c7d8e9f0a1b",
        "{9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b}",
        &KEY.to_uppercase(),
    ] {
        let error = encode(bad).unwrap_err().to_string();
        assert!(error.starts_with("key"), "{bad}: {error}");
    }
}

#[test]
fn what_is_rendered_for_the_rule_is_a_key_that_is_taken() {
    let token = Source::token("token_Visa1");
    let details = Details::new(Some(&token), Some(BACK), None, &[]);
    let rule = moyasar().rule(Charge).unwrap();
    let key = rule
        .key_format
        .value
        .render(0x9F1C_2B7E_4D5A_4E0F_8A3B_6C7D_8E9F_0A1B);
    assert_eq!(key.as_str(), KEY);
    assert!(moyasar().encode(&call(Charge, &key), &details).is_ok());
}

#[test]
fn a_payment_without_a_return_url_is_refused() {
    for source in [
        Source::token("token_Visa1"),
        Source::saved("token_Visa1", None),
    ] {
        let error = refused(&Details::new(Some(&source), None, None, &[]));
        assert!(error.starts_with("return_url is missing"), "{error}");
    }
}

#[test]
fn sources_that_moyasar_cannot_take_are_refused_and_not_repeated() {
    let details = |source| Details::new(source, Some(BACK), None, &[]);
    assert!(refused(&details(None)).starts_with("source"));
    let hosted = Source::hosted();
    let unsupported = encode(Charge, &details(Some(&hosted)));
    assert!(matches!(unsupported, Err(EncodeError::Unsupported { .. })));
    for bad in [
        "",
        "token_",
        "pm_1Visa",
        "4111111111111111",
        "token_a b",
        "token_a\"}",
        "Token_1",
    ] {
        let source = Source::token(bad);
        let error = refused(&Details::new(Some(&source), Some(BACK), None, &[]));
        assert!(error.starts_with("source"), "{error}");
        assert!(bad.len() < 7 || !error.contains(bad), "{error}");
    }
    let customer = Source::saved("token_Visa1", Some("cus_9"));
    assert!(refused(&details(Some(&customer))).starts_with("customer"));
}

#[test]
fn metadata_beyond_moyasars_limits_is_refused() {
    let token = Source::token("token_Visa1");
    let encode = |metadata: &[(String, String)]| {
        encode(
            Charge,
            &Details::new(Some(&token), Some(BACK), None, metadata),
        )
    };
    let refused = |metadata: &[(String, String)]| encode(metadata).unwrap_err().to_string();
    let many = |count| -> Vec<(String, String)> {
        (0..count)
            .map(|i| (format!("n{i}"), String::from("x")))
            .collect()
    };
    assert!(encode(&many(28)).is_ok());
    assert!(refused(&many(29)).contains("at most 28"));
    let forty = "ق".repeat(40);
    let most = fields(&[(&forty, &"🙂".repeat(500))]);
    assert!(encode(&most).is_ok());
    assert!(refused(&fields(&[(&format!("{forty}x"), "x")])).contains("40 characters"));
    assert!(refused(&fields(&[("n", &"🙂".repeat(501))])).contains("500 characters"));
    assert!(refused(&fields(&[("payonce_key", "x")])).contains("payonce_"));
    assert!(refused(&fields(&[("", "x")])).contains("empty"));
}

#[test]
fn a_reference_beyond_moyasars_limit_is_refused() {
    let (token, key) = (Source::token("token_Visa1"), key());
    let long = "r".repeat(501);
    let mut call = call(Charge, &key);
    call.reference = &long;
    let error = moyasar()
        .encode(&call, &Details::new(Some(&token), Some(BACK), None, &[]))
        .unwrap_err();
    let limit = EncodeError::field("reference", Problem::TooLong { limit: 500 });
    assert_eq!(error, limit);
}

#[test]
fn rule_and_encode_agree_about_kinds() {
    let (token, key) = (Source::token("token_Visa1"), key());
    assert_eq!(OperationKind::all(), KINDS);
    for kind in KINDS {
        let details = Details::new(Some(&token), Some(BACK), None, &[]);
        assert!(moyasar().rule(kind).is_some(), "{kind}");
        assert!(
            moyasar().encode(&call(kind, &key), &details).is_ok(),
            "{kind}"
        );
    }
}
