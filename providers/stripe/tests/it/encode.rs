//! Whole requests, byte for byte.

use payonce::provider::{Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, OperationKind, Problem, Source};

use crate::kit::{KEY, call, key, money, stripe};

/// What every body starts with for a token, and ends with before the merchant's own fields.
const HEAD: &str = "amount=48000&currency=sar&payment_method=pm_1Visa";
const TAIL: &str = "metadata%5Bpayonce_key%5D=0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b\
                    &metadata%5Bpayonce_reference%5D=order-1042";

fn encode(details: &Details<'_>) -> Result<Request, EncodeError> {
    let key = key();
    stripe().encode(&call(&key), details)
}

fn body(details: &Details<'_>) -> String {
    String::from_utf8(encode(details).unwrap().body).unwrap()
}

fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn refused(details: &Details<'_>) -> String {
    encode(details).unwrap_err().to_string()
}

#[test]
fn a_whole_request() {
    let token = Source::token("pm_1Visa");
    let request = encode(&Details::new(Some(&token), None, None, &[])).unwrap();
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v1/payment_intents")
    );
    let mut headers: Vec<(&str, &str)> = request
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    headers.sort_unstable();
    let expected = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("idempotency-key", KEY),
        ("stripe-version", "2026-07-29.dahlia"),
    ];
    assert_eq!(headers, expected);
    let expected = format!(
        "{HEAD}&confirm=true&capture_method=automatic\
         &automatic_payment_methods%5Benabled%5D=true\
         &automatic_payment_methods%5Ballow_redirects%5D=never&{TAIL}"
    );
    assert_eq!(String::from_utf8(request.body).unwrap(), expected);
}

#[test]
fn a_saved_card_with_everything() {
    let saved = Source::saved("pm_1Visa", Some("cus_9Layla"));
    let metadata = fields(&[("b", "2"), ("a", "1")]);
    let url = "https://shop.example/back?order=1042&x=a%20b";
    let details = Details::new(Some(&saved), Some(url), Some("Two bags"), &metadata);
    let expected = format!(
        "{HEAD}&customer=cus_9Layla&off_session=true&confirm=true&capture_method=automatic\
         &automatic_payment_methods%5Benabled%5D=true\
         &return_url=https%3A%2F%2Fshop.example%2Fback%3Forder%3D1042%26x%3Da%2520b\
         &description=Two+bags&{TAIL}&metadata%5Bb%5D=2&metadata%5Ba%5D=1"
    );
    assert_eq!(body(&details), expected);
}

#[test]
fn c87_other_scripts_and_reserved_characters() {
    let token = Source::token("pm_1Visa");
    let text = "طلب رقم ٥ – \"قهوة\" & 100% +1 🙂";
    let metadata = fields(&[("اسم", "ليلى +&=%")]);
    let body = body(&Details::new(Some(&token), None, Some(text), &metadata));
    let description = "&description=%D8%B7%D9%84%D8%A8+%D8%B1%D9%82%D9%85+%D9%A5+%E2%80%93+%22\
                       %D9%82%D9%87%D9%88%D8%A9%22+%26+100%25+%2B1+%F0%9F%99%82&metadata";
    assert!(body.contains(description), "{body}");
    let own = "&metadata%5B%D8%A7%D8%B3%D9%85%5D=%D9%84%D9%8A%D9%84%D9%89+%2B%26%3D%25";
    assert!(body.ends_with(own), "{body}");
    // An independent reader gets the same text, composed or decomposed as it was given.
    let read: Vec<(String, String)> = form_urlencoded::parse(body.as_bytes())
        .into_owned()
        .collect();
    assert!(read.contains(&("description".to_owned(), text.to_owned())));
    assert!(read.contains(&("metadata[اسم]".to_owned(), "ليلى +&=%".to_owned())));
    assert!(body.is_ascii());
}

#[test]
fn c06_the_same_arguments_give_the_same_bytes() {
    let token = Source::token("pm_1Visa");
    let metadata = fields(&[("order", "A9"), ("phone", "x")]);
    let details = Details::new(Some(&token), None, Some("x"), &metadata);
    assert_eq!(encode(&details), encode(&details));
}

#[test]
fn c14_the_key_is_there_once() {
    let token = Source::token("pm_1Visa");
    let metadata = fields(&[("idempotency-key", "k"), ("Authorization", "x")]);
    let request = encode(&Details::new(Some(&token), None, None, &metadata)).unwrap();
    assert_eq!(request.headers.get_all("idempotency-key").iter().count(), 1);
    assert!(!request.headers.contains_key("authorization"));
    let body = String::from_utf8(request.body).unwrap();
    assert_eq!(body.matches(KEY).count(), 1);
}

#[test]
fn c45_amounts_are_in_stripes_own_units() {
    let (token, key) = (Source::token("pm_1Visa"), key());
    let mut call = call(&key);
    for (text, currency, start) in [
        ("380000", Currency::UGX, "amount=38000000&currency=ugx&"),
        ("100", Currency::JPY, "amount=100&currency=jpy&"),
        ("18.600", Currency::KWD, "amount=18600&currency=kwd&"),
    ] {
        call.money = money(text, currency);
        let request = stripe().encode(&call, &Details::new(Some(&token), None, None, &[]));
        let body = String::from_utf8(request.unwrap().body).unwrap();
        assert!(body.starts_with(start), "{body}");
    }
    call.money = money("5.124", Currency::KWD);
    let refused = stripe().encode(&call, &Details::new(Some(&token), None, None, &[]));
    assert!(matches!(refused, Err(EncodeError::Amount(_))));
}

#[test]
fn a_connected_account_is_named() {
    let (token, key) = (Source::token("pm_1Visa"), key());
    let details = Details::new(Some(&token), None, None, &[]);
    let request = stripe()
        .connected_account("acct_1Shop")
        .encode(&call(&key), &details);
    assert_eq!(request.unwrap().headers["stripe-account"], "acct_1Shop");
    for bad in ["", "acct 1", "acct_1\r\nX: y", "حساب"] {
        let error = stripe()
            .connected_account(bad)
            .encode(&call(&key), &details)
            .unwrap_err();
        assert!(
            error.to_string().starts_with("connected_account"),
            "{error}"
        );
    }
}

#[test]
fn metadata_beyond_stripes_limits_is_refused() {
    let token = Source::token("pm_1Visa");
    let refused =
        |metadata: &[(String, String)]| refused(&Details::new(Some(&token), None, None, metadata));
    let many = |count| -> Vec<(String, String)> {
        (0..count)
            .map(|i| (format!("n{i}"), String::from("x")))
            .collect()
    };
    assert!(encode(&Details::new(Some(&token), None, None, &many(48))).is_ok());
    assert!(refused(&many(49)).contains("at most 48"));
    let forty = "ق".repeat(40);
    let most = fields(&[(&forty, &"🙂".repeat(500))]);
    assert!(encode(&Details::new(Some(&token), None, None, &most)).is_ok());
    assert!(refused(&fields(&[(&format!("{forty}x"), "x")])).contains("40 characters"));
    assert!(refused(&fields(&[("n", &"🙂".repeat(501))])).contains("500 characters"));
    assert!(refused(&fields(&[("payonce_key", "x")])).contains("payonce_"));
    assert!(refused(&fields(&[("a[b", "x")])).contains("square bracket"));
    assert!(refused(&fields(&[("a]", "x")])).contains("square bracket"));
    assert!(refused(&fields(&[("", "x")])).contains("empty"));
}

#[test]
fn sources_that_stripe_cannot_take_are_refused() {
    let details = |source| Details::new(source, None, None, &[]);
    assert!(refused(&details(None)).contains("source"));
    let hosted = Source::hosted();
    let unsupported = encode(&details(Some(&hosted)));
    assert!(matches!(unsupported, Err(EncodeError::Unsupported { .. })));
    let (empty, nobody) = (Source::token(""), Source::saved("pm_1Visa", Some("")));
    assert_eq!(
        encode(&details(Some(&empty))),
        Err(EncodeError::field("source", Problem::Empty))
    );
    assert_eq!(
        encode(&details(Some(&nobody))),
        Err(EncodeError::field("customer", Problem::Empty))
    );
}

#[test]
fn rule_and_encode_agree_about_kinds() {
    let (token, key) = (Source::token("pm_1Visa"), key());
    for kind in OperationKind::all().iter().copied() {
        let mut call = call(&key).with_parent("pi_1");
        call.kind = kind;
        let encoded = stripe().encode(&call, &Details::new(Some(&token), None, None, &[]));
        assert_eq!(stripe().rule(kind).is_some(), encoded.is_ok(), "{kind}");
        if let Err(error) = encoded {
            assert!(matches!(error, EncodeError::Unsupported { .. }), "{error}");
        }
    }
}

#[test]
fn c12_a_key_is_used_as_it_is_or_refused() {
    let token = Source::token("pm_1Visa");
    let encode = |key: &str| {
        let key = IdempotencyKey::new(key);
        stripe().encode(&call(&key), &Details::new(Some(&token), None, None, &[]))
    };
    let longest = "k".repeat(255);
    assert_eq!(
        encode(&longest).unwrap().headers["idempotency-key"],
        longest.as_str()
    );
    let limit = EncodeError::field("key", Problem::TooLong { limit: 255 });
    assert_eq!(encode(&"k".repeat(256)), Err(limit));
    for bad in ["", "a b", "a\nb", "مفتاح"] {
        assert!(
            encode(bad).unwrap_err().to_string().starts_with("key"),
            "{bad}"
        );
    }
}
