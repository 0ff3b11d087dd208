//! Whole requests, byte for byte.

use payonce::provider::{Call, Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, Customer, OperationKind, Problem, Source};

use crate::kit::{KEY, PARENT, call, charge, key, money, paytabs};

const TOKEN: &str = "2C4652BE67A3EA30C6B390F2668178B9";
const NOTHING: Details<'_> = Details::new(None, None, None, &[]);

fn encode(call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    paytabs().encode(call, details)
}

fn body(kind: OperationKind, details: &Details<'_>) -> String {
    let request = encode(&call(kind, &key()), details).unwrap();
    String::from_utf8(request.body).unwrap()
}

fn refused(details: &Details<'_>) -> String {
    encode(&charge(&key()), details).unwrap_err().to_string()
}

fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn a_whole_charge() {
    let token = Source::token(TOKEN);
    let details = Details::new(Some(&token), None, None, &[]);
    let request = encode(&charge(&key()), &details).unwrap();
    assert_eq!(request.method.as_str(), "POST");
    assert_eq!(request.path, "/payment/request");
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(request.headers.len(), 1);
    let expected = format!(
        r#"{{"profile_id":987654,"tran_type":"sale","tran_class":"recurring","token":"{TOKEN}","cart_id":"{KEY}","cart_description":"order-1042","cart_currency":"SAR","cart_amount":480.00,"user_defined":{{"udf1":"order-1042"}}}}"#
    );
    assert_eq!(String::from_utf8(request.body).unwrap(), expected);
}

#[test]
fn the_page_with_everything() {
    let hosted = Source::hosted();
    let metadata = fields(&[("basket", "2 bags"), ("till", "7")]);
    let customer = Customer::new()
        .name("ليلى")
        .email("laila@shop.example")
        .phone("+966500000001")
        .ip("203.0.113.9".parse().unwrap())
        .address("SA", "Riyadh", "Olaya 1", "12211");
    let url = Some("https://shop.example/back");
    let details = Details::new(Some(&hosted), url, Some("Two bags"), &metadata)
        .with_customer(Some(&customer));
    let expected = format!(
        r#"{{"profile_id":987654,"tran_type":"auth","tran_class":"ecom","cart_id":"{KEY}","cart_description":"Two bags","cart_currency":"SAR","cart_amount":480.00,"user_defined":{{"udf1":"order-1042","udf2":"basket: 2 bags","udf3":"till: 7"}},"customer_details":{{"name":"ليلى","email":"laila@shop.example","phone":"+966500000001","street1":"Olaya 1","city":"Riyadh","country":"SA","zip":"12211","ip":"203.0.113.9"}},"return":"https://shop.example/back"}}"#
    );
    assert_eq!(body(OperationKind::Authorize, &details), expected);
}

#[test]
fn a_saved_card_may_name_its_first_payment() {
    let saved = Source::saved(TOKEN, Some("TST2105600089454"));
    let body = body(
        OperationKind::Charge,
        &Details::new(Some(&saved), None, None, &[]),
    );
    let part = format!(
        r#""tran_class":"recurring","tran_ref":"TST2105600089454","token":"{TOKEN}","cart_id""#
    );
    assert!(body.contains(&part), "{body}");
}

/// Each follow-up has a `cart_id` of its own: with the order's it could not be found again.
#[test]
fn what_is_done_to_a_transaction() {
    for (kind, word) in [
        (OperationKind::Capture, "capture"),
        (OperationKind::Refund, "refund"),
        (OperationKind::Void, "void"),
    ] {
        let expected = format!(
            r#"{{"profile_id":987654,"tran_type":"{word}","tran_class":"ecom","tran_ref":"{PARENT}","cart_id":"{KEY}","cart_description":"order-1042","cart_currency":"SAR","cart_amount":480.00,"user_defined":{{"udf1":"order-1042"}}}}"#
        );
        assert_eq!(body(kind, &NOTHING), expected);
    }
}

#[test]
fn ids_that_are_none_of_paytabs_are_refused() {
    for bad in ["", "TST/../x", "TST 1", "TST\"", "مدفوع", &"1".repeat(65)] {
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
        let saved = Source::saved(TOKEN, Some(bad));
        let error = refused(&Details::new(Some(&saved), None, None, &[]));
        assert!(error.starts_with("customer"), "{error}");
    }
    let key = key();
    let mut orphan = call(OperationKind::Refund, &key);
    orphan.parent = None;
    let empty = EncodeError::field("parent", Problem::Empty);
    assert_eq!(encode(&orphan, &NOTHING), Err(empty));
    assert!(refused(&NOTHING).starts_with("source"));
}

#[test]
fn texts_beyond_the_limits_are_refused_and_never_cut() {
    let hosted = Source::hosted();
    let long = |count: usize| "🙂".repeat(count);
    let key = key();
    let described = |text: &str| {
        let details = Details::new(Some(&hosted), None, Some(text), &[]);
        encode(&charge(&key), &details).map_err(|error| error.to_string())
    };
    assert!(described(&long(128)).is_ok());
    let error = described(&long(129)).unwrap_err();
    assert!(error.starts_with("description") && error.contains("128"));
    let details = Details::new(Some(&hosted), None, None, &[]);
    for (count, fits) in [(128, true), (129, false), (255, false)] {
        let reference = long(count);
        let mut call = charge(&key);
        call.reference = &reference;
        let body = encode(&call, &details).unwrap().body;
        let read: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let shown = if fits { reference.as_str() } else { "sale" };
        assert_eq!(read["cart_description"], shown);
        assert_eq!(read["user_defined"]["udf1"], reference);
    }
    let back = |count: usize| {
        let url = format!("https://shop.example/{}", "b".repeat(count - 21));
        let details = Details::new(Some(&hosted), Some(&url), None, &[]);
        encode(&charge(&key), &details).map_err(|error| error.to_string())
    };
    assert!(back(255).is_ok());
    assert!(back(256).unwrap_err().starts_with("return_url"));
}

#[test]
fn more_fields_than_paytabs_has_are_refused() {
    let hosted = Source::hosted();
    let with = |metadata: &[(String, String)]| {
        let details = Details::new(Some(&hosted), None, None, metadata);
        encode(&charge(&key()), &details).map_err(|error| error.to_string())
    };
    let some = |count: usize| vec![("a".to_owned(), "b".to_owned()); count];
    assert!(with(&some(8)).is_ok());
    assert!(with(&some(9)).unwrap_err().starts_with("metadata has 9"));
    let value = "v".repeat(252);
    assert!(with(&fields(&[("a", &value)])).is_ok());
    let error = with(&fields(&[("ab", &value)])).unwrap_err();
    assert!(error.starts_with("metadata ab") && error.contains("255"));
}

#[test]
fn c87_other_scripts_and_reserved_characters() {
    let hosted = Source::hosted();
    let text = "طلب رقم ٥ – \"قهوة\" & 100% +1 🙂";
    let metadata = fields(&[("name", "ليلى \\\" }")]);
    let details = Details::new(Some(&hosted), None, Some(text), &metadata);
    let body = body(OperationKind::Charge, &details);
    let read: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(read["cart_description"], text);
    assert_eq!(read["user_defined"]["udf2"], "name: ليلى \\\" }");
}

#[test]
fn c44_amounts_are_exact_numbers_or_refused() {
    let (hosted, key) = (Source::hosted(), key());
    let details = Details::new(Some(&hosted), None, None, &[]);
    let encode = |text: &str, currency| {
        let mut call = charge(&key);
        call.money = money(text, currency);
        encode(&call, &details)
    };
    for (text, currency, part) in [
        ("92", Currency::SAR, r#""SAR","cart_amount":92.00,"#),
        ("0.10", Currency::SAR, r#""SAR","cart_amount":0.10,"#),
        ("18.600", Currency::KWD, r#""KWD","cart_amount":18.60,"#),
        ("500", Currency::JPY, r#""JPY","cart_amount":500,"#),
        (
            "9999999999.99",
            Currency::EGP,
            r#""EGP","cart_amount":9999999999.99,"#,
        ),
    ] {
        let body = String::from_utf8(encode(text, currency).unwrap().body).unwrap();
        assert!(body.contains(part), "{body}");
    }
    for (text, currency) in [("5.124", Currency::KWD), ("10000000000", Currency::SAR)] {
        let refused = encode(text, currency);
        assert!(matches!(refused, Err(EncodeError::Amount(_))), "{currency}");
    }
    let zero = encode("0", Currency::SAR).unwrap_err().to_string();
    assert!(zero.starts_with("amount is zero"), "{zero}");
}

#[test]
fn c06_the_same_arguments_give_the_same_bytes() {
    let token = Source::token(TOKEN);
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
    let hosted = Source::hosted();
    let details = Details::new(Some(&hosted), None, None, &[]);
    let encode = |key: &str| {
        let key = IdempotencyKey::new(key);
        encode(&charge(&key), &details)
    };
    for good in [KEY.to_uppercase(), "a".repeat(64)] {
        assert!(encode(&good).is_ok());
    }
    // Symbols are refused by PayTabs itself.
    for bad in ["", "a-b", "a b", "ключ", &"a".repeat(65)] {
        let error = encode(bad).unwrap_err().to_string();
        assert!(error.starts_with("key"), "{bad} {error}");
    }
}

#[test]
fn rule_and_encode_agree_about_kinds() {
    let (hosted, key) = (Source::hosted(), key());
    let details = Details::new(Some(&hosted), None, None, &[]);
    for kind in OperationKind::all().iter().copied() {
        let encoded = encode(&call(kind, &key), &details);
        assert!(paytabs().rule(kind).is_some() && encoded.is_ok(), "{kind}");
    }
}
