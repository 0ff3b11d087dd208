//! Whole requests, byte for byte.

use payonce::provider::{Call, Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, OperationKind, Problem, Source};
use payonce_hyperpay::HyperPay;

use crate::kit::{ENTITY, KEY, PARENT, call, charge, hyperpay, key, money};

const REGISTRATION: &str = "8ac7a4a18f1d2c3b018f1d9a1b2c0777";
const NOTHING: Details<'_> = Details::new(None, None, None, &[]);
/// What every body ends with before description and metadata.
const TAIL: &str = "customParameters%5Bpayonce_reference%5D=order-1042";

fn encode(call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    hyperpay().encode(call, details)
}

fn body(kind: OperationKind, details: &Details<'_>) -> String {
    let request = encode(&call(kind, &key()), details).unwrap();
    String::from_utf8(request.body).unwrap()
}

fn refused(details: &Details<'_>) -> String {
    encode(&charge(&key()), details).unwrap_err().to_string()
}

fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn a_whole_charge() {
    let token = Source::token(REGISTRATION);
    let details = Details::new(Some(&token), None, None, &[]);
    let request = encode(&charge(&key()), &details).unwrap();
    assert_eq!(request.method.as_str(), "POST");
    let path = format!("/v1/registrations/{REGISTRATION}/payments");
    assert_eq!(request.path, path);
    let headers: Vec<(&str, &str)> = request
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    let form = ("content-type", "application/x-www-form-urlencoded");
    assert_eq!(headers, [form]);
    let expected = format!(
        "entityId={ENTITY}&amount=480.00&currency=SAR&paymentType=DB\
         &merchantTransactionId={KEY}&{TAIL}"
    );
    assert_eq!(String::from_utf8(request.body).unwrap(), expected);
}

#[test]
fn a_saved_card_with_everything() {
    let saved = Source::saved(REGISTRATION, None);
    let metadata = fields(&[("b", "2"), ("a.x_1", "1")]);
    let url = "https://shop.example/back?order=1042&x=a%20b";
    let details = Details::new(Some(&saved), Some(url), Some("Two bags"), &metadata);
    let expected = format!(
        "entityId={ENTITY}&amount=480.00&currency=SAR&paymentType=PA\
         &merchantTransactionId={KEY}&standingInstruction.mode=REPEATED\
         &standingInstruction.type=UNSCHEDULED&standingInstruction.source=MIT\
         &shopperResultUrl=https%3A%2F%2Fshop.example%2Fback%3Forder%3D1042%26x%3Da%2520b\
         &{TAIL}&customParameters%5Bpayonce_description%5D=Two+bags\
         &customParameters%5Bmerchant_b%5D=2&customParameters%5Bmerchant_a.x_1%5D=1"
    );
    assert_eq!(body(OperationKind::Authorize, &details), expected);
}

#[test]
fn a_present_customer_is_not_called_away() {
    let token = Source::token(REGISTRATION);
    let details = Details::new(Some(&token), None, None, &[]);
    assert!(!body(OperationKind::Charge, &details).contains("standingInstruction"));
}

#[test]
fn what_is_done_to_a_payment() {
    let amount = "&amount=480.00&currency=SAR";
    for (kind, amount, payment_type) in [
        (OperationKind::Capture, amount, "CP"),
        (OperationKind::Refund, amount, "RF"),
        (OperationKind::Void, "", "RV"),
    ] {
        let request = encode(&call(kind, &key()), &NOTHING).unwrap();
        let path = format!("/v1/payments/{PARENT}");
        assert_eq!((request.method.as_str(), &*request.path), ("POST", &*path));
        let expected = format!(
            "entityId={ENTITY}{amount}&paymentType={payment_type}\
             &merchantTransactionId={KEY}&{TAIL}"
        );
        assert_eq!(String::from_utf8(request.body).unwrap(), expected, "{kind}");
    }
}

#[test]
fn an_id_that_would_leave_its_place_in_the_path_is_refused() {
    for bad in [
        "",
        "8ac7/../x",
        "8ac7?a=b",
        "8ac7#",
        "8ac7 1",
        "8ac7%2f",
        "مدفوع",
    ] {
        for kind in [
            OperationKind::Capture,
            OperationKind::Refund,
            OperationKind::Void,
        ] {
            let key = key();
            let error = encode(&call(kind, &key).with_parent(bad), &NOTHING).unwrap_err();
            assert!(error.to_string().starts_with("parent"), "{error}");
        }
        let token = Source::token(bad);
        let error = refused(&Details::new(Some(&token), None, None, &[]));
        assert!(error.starts_with("source"), "{error}");
        let details = Details::new(None, None, None, &[]);
        let other = HyperPay::test(bad, "token");
        let error = other.encode(&charge(&key()), &details).unwrap_err();
        assert!(error.to_string().starts_with("entity_id"), "{error}");
    }
    let key = key();
    let mut orphan = call(OperationKind::Refund, &key);
    orphan.parent = None;
    let empty = EncodeError::field("parent", Problem::Empty);
    assert_eq!(encode(&orphan, &NOTHING), Err(empty));
}

#[test]
fn sources_that_hyperpay_cannot_take_are_refused() {
    let details = |source| Details::new(source, None, None, &[]);
    assert!(refused(&NOTHING).contains("registration"));
    let hosted = Source::hosted();
    let unsupported = encode(&charge(&key()), &details(Some(&hosted)));
    assert!(matches!(unsupported, Err(EncodeError::Unsupported { .. })));
    assert!(refused(&details(Some(&hosted))).contains("no hosted pages yet"));
    let of_customer = Source::saved(REGISTRATION, Some("7"));
    assert!(refused(&details(Some(&of_customer))).starts_with("customer"));
}

#[test]
fn c87_other_scripts_and_reserved_characters() {
    let token = Source::token(REGISTRATION);
    let text = "طلب رقم ٥ – \"قهوة\" & 100% +1 🙂";
    let metadata = fields(&[("name", "ليلى +&=%")]);
    let details = Details::new(Some(&token), None, Some(text), &metadata);
    let body = body(OperationKind::Charge, &details);
    assert!(body.is_ascii());
    let read: Vec<(String, String)> = form_urlencoded::parse(body.as_bytes())
        .into_owned()
        .collect();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert!(read.contains(&pair("customParameters[payonce_description]", text)));
    assert!(read.contains(&pair("customParameters[merchant_name]", "ليلى +&=%")));
}

/// Only the gateway's own settings have names that it reads.
#[test]
fn a_merchants_field_is_never_a_setting() {
    let token = Source::token(REGISTRATION);
    let metadata = fields(&[("3DS2_enrolled", "true"), ("payonce_reference", "x")]);
    let body = body(
        OperationKind::Charge,
        &Details::new(Some(&token), None, None, &metadata),
    );
    assert!(body.contains("%5Bmerchant_3DS2_enrolled%5D=true"));
    assert!(!body.contains("%5B3DS2_enrolled%5D"));
    assert_eq!(body.matches("%5Bpayonce_reference%5D").count(), 1);
}

#[test]
fn fields_beyond_the_limits_are_refused() {
    let token = Source::token(REGISTRATION);
    let with = |metadata: &[(String, String)]| {
        encode(
            &charge(&key()),
            &Details::new(Some(&token), None, None, metadata),
        )
    };
    let refused =
        |name: &str, value: &str| with(&fields(&[(name, value)])).unwrap_err().to_string();
    let (name, value) = ("n".repeat(55), "🙂".repeat(255));
    assert!(with(&fields(&[(&name, &value)])).is_ok());
    assert!(refused(&format!("{name}n"), "x").contains("55 characters"));
    assert!(refused("n", &format!("{value}x")).contains("255 characters"));
    for bad in ["a b", "a[b", "a]", "a-b", "اسم"] {
        assert!(refused(bad, "x").starts_with("metadata name"), "{bad}");
    }
    assert!(refused("", "x").contains("empty"));
    let details = Details::new(Some(&token), None, Some(&value), &[]);
    assert!(encode(&charge(&key()), &details).is_ok());
    let long = format!("{value}x");
    let details = Details::new(Some(&token), None, Some(&long), &[]);
    let error = encode(&charge(&key()), &details).unwrap_err().to_string();
    assert!(error.starts_with("description"), "{error}");
}

#[test]
fn c44_amounts_have_two_decimals_or_are_refused() {
    let (token, key) = (Source::token(REGISTRATION), key());
    let details = Details::new(Some(&token), None, None, &[]);
    let encode = |text: &str, currency| {
        let mut call = charge(&key);
        call.money = money(text, currency);
        encode(&call, &details)
    };
    for (text, currency, part) in [
        ("92", Currency::SAR, "&amount=92.00&currency=SAR&"),
        ("18.600", Currency::KWD, "&amount=18.60&currency=KWD&"),
    ] {
        let body = String::from_utf8(encode(text, currency).unwrap().body).unwrap();
        assert!(body.contains(part), "{body}");
    }
    for (text, currency) in [("5.124", Currency::KWD), ("500", Currency::JPY)] {
        let refused = encode(text, currency);
        assert!(matches!(refused, Err(EncodeError::Amount(_))), "{currency}");
    }
}

#[test]
fn c06_the_same_arguments_give_the_same_bytes() {
    let token = Source::token(REGISTRATION);
    let metadata = fields(&[("order", "A9"), ("phone", "x")]);
    let details = Details::new(Some(&token), None, Some("x"), &metadata);
    let key = key();
    let request = encode(&charge(&key), &details);
    assert_eq!(request, encode(&charge(&key), &details));
    let body = String::from_utf8(request.unwrap().body).unwrap();
    assert_eq!(body.matches(KEY).count(), 1);
}

#[test]
fn c12_a_key_is_used_as_it_is_or_refused() {
    let token = Source::token(REGISTRATION);
    let details = Details::new(Some(&token), None, None, &[]);
    let encode = |key: &str| {
        let key = IdempotencyKey::new(key);
        encode(&charge(&key), &details)
    };
    assert!(encode(&KEY.to_uppercase()).is_ok());
    for bad in [
        "",
        "0190b5a01c2d7e3f",
        "0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
        "0190b5a01c2d7e3f8a4b5c6d7e8f9a0g",
        "0190b5a01c2d7e3f8a4b5c6d7e8f9a0b0",
    ] {
        let error = encode(bad).unwrap_err().to_string();
        assert!(error.starts_with("key"), "{bad} {error}");
    }
}

#[test]
fn rule_and_encode_agree_about_kinds() {
    let (token, key) = (Source::token(REGISTRATION), key());
    let details = Details::new(Some(&token), None, None, &[]);
    for kind in OperationKind::all().iter().copied() {
        let encoded = encode(&call(kind, &key), &details);
        assert!(hyperpay().rule(kind).is_some() && encoded.is_ok(), "{kind}");
    }
}
