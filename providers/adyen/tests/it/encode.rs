//! Requests, byte for byte, and what is refused before anything is sent.

use payonce::provider::{Call, Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, Customer, Money, OperationKind, Source};
use serde_json::{Value, json};

use crate::kit::{KEY, PARENT, TOKEN, adyen, call, key, money};

const BACK: Option<&str> = Some("https://shop.example/back");

fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

fn encode(kind: OperationKind, details: &Details<'_>) -> Result<Request, EncodeError> {
    let key = key();
    adyen().encode(&call(kind, &key), details)
}

fn problem(result: Result<Request, EncodeError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_charge_takes_the_money_at_once_whatever_the_account_says() {
    let source = Source::token(TOKEN);
    let request = encode(
        OperationKind::Charge,
        &Details::new(Some(&source), BACK, None, &[]),
    );
    let request = request.unwrap();
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/v72/payments")
    );
    assert_eq!(request.headers["idempotency-key"], KEY);
    assert_eq!(request.headers["content-type"], "application/json");
    assert_eq!(
        body(&request),
        json!({
            "amount": { "currency": "SAR", "value": 48_000 },
            "merchantAccount": "AcmeECOM",
            "reference": KEY,
            "paymentMethod": {
                "type": "scheme",
                "encryptedCardNumber": "eyJ1",
                "encryptedExpiryMonth": "eyJ2",
                "encryptedExpiryYear": "eyJ3",
            },
            "returnUrl": "https://shop.example/back",
            "shopperInteraction": "Ecommerce",
            "captureDelayHours": 0,
            "metadata": { "payonce_reference": "order-1042" },
        })
    );
}

#[test]
fn an_authorization_is_captured_by_hand_only() {
    let source = Source::saved("8416038790273850", Some("shopper-1042"));
    let fields = [("basket".to_owned(), "7".to_owned())];
    let customer = Customer::new()
        .name("ليلى")
        .email("laila@shop.example")
        .phone("+966500000001")
        .ip("192.0.2.7".parse().unwrap())
        .address("SA", "Riyadh", "Olaya 1", "11564");
    let details = Details::new(Some(&source), BACK, Some("Two bags"), &fields);
    let details = details.with_customer(Some(&customer));
    let request = encode(OperationKind::Authorize, &details).unwrap();
    assert_eq!(
        body(&request),
        json!({
            "amount": { "currency": "SAR", "value": 48_000 },
            "merchantAccount": "AcmeECOM",
            "reference": KEY,
            "paymentMethod": { "type": "scheme", "storedPaymentMethodId": "8416038790273850" },
            "returnUrl": "https://shop.example/back",
            "shopperInteraction": "ContAuth",
            "recurringProcessingModel": "UnscheduledCardOnFile",
            "shopperReference": "shopper-1042",
            "shopperEmail": "laila@shop.example",
            "telephoneNumber": "+966500000001",
            "shopperIP": "192.0.2.7",
            "countryCode": "SA",
            // The text "true": Adyen takes no other form of it.
            "additionalData": { "manualCapture": "true" },
            "metadata": {
                "payonce_reference": "order-1042",
                "payonce_description": "Two bags",
                "basket": "7",
            },
        })
    );
}

/// The forms of Adyen's own description of the API (`CheckoutService-v72`, its examples of captures,
/// refunds and cancels).
#[test]
fn a_change_names_its_payment_in_the_path() {
    let none = Details::new(None, None, None, &[]);
    for (kind, end, amount) in [
        (OperationKind::Capture, "captures", Some(40_000)),
        (OperationKind::Refund, "refunds", Some(10_000)),
        (OperationKind::Void, "cancels", None),
    ] {
        let request = encode(kind, &none).unwrap();
        assert_eq!(request.path, format!("/v72/payments/{PARENT}/{end}"));
        assert_eq!(request.headers["idempotency-key"], KEY);
        let mut wanted = json!({ "merchantAccount": "AcmeECOM", "reference": KEY });
        if let Some(amount) = amount {
            wanted["amount"] = json!({ "currency": "SAR", "value": amount });
        }
        assert_eq!(body(&request), wanted, "{kind}");
        let told = Details::new(None, None, Some("Two bags"), &[]);
        assert!(problem(encode(kind, &told)).contains("no description"));
    }
}

#[test]
fn amounts_are_in_adyens_own_minor_units() {
    let (key, source) = (key(), Source::token(TOKEN));
    let details = Details::new(Some(&source), BACK, None, &[]);
    let with = |money: Money| {
        let mut call = call(OperationKind::Charge, &key);
        call.money = money;
        adyen().encode(&call, &details)
    };
    let value = |money| body(&with(money).unwrap())["amount"]["value"].clone();
    assert_eq!(value(money("500", Currency::ISK)), 50_000);
    assert_eq!(value(money("15000.00", Currency::IDR)), 15_000);
    for (money, told) in [
        (
            money("1.01", Currency::IDR),
            "amount has more than the 0 decimals",
        ),
        (
            money("10", Currency::BIF),
            "amount is in BIF, which this gateway does not take",
        ),
        (money("0.00", Currency::SAR), "amount is zero"),
    ] {
        assert!(problem(with(money)).starts_with(told), "{money}");
    }
}

fn plain(source: Option<&Source>, url: Option<&str>) -> String {
    let details = Details::new(source, url, None, &[]);
    problem(encode(OperationKind::Charge, &details))
}

#[test]
fn what_is_missing_or_too_long_is_named_with_its_limit() {
    let token = Source::token(TOKEN);
    let charge = |details: &Details<'_>| problem(encode(OperationKind::Charge, details));
    assert!(plain(None, BACK).starts_with("source is missing"));
    assert!(plain(Some(&token), None).starts_with("return_url is missing"));
    let long = format!("https://shop.example/{}", "x".repeat(1024));
    assert!(plain(Some(&token), Some(&long)).contains("1024"));
    let hosted = Source::hosted();
    assert!(plain(Some(&hosted), BACK).contains("no hosted pages"));
    for customer in [None, Some("ab"), Some("x".repeat(257).as_str())] {
        let saved = Source::saved("8416038790273850", customer);
        assert!(plain(Some(&saved), BACK).starts_with("customer must be"));
    }
    let saved = Source::saved("841/../x", Some("shopper"));
    assert!(plain(Some(&saved), BACK).starts_with("source is no id"));
    let text = "x".repeat(81);
    let told =
        |text, fields: &[(String, String)]| charge(&Details::new(Some(&token), BACK, text, fields));
    assert!(told(Some(&text), &[]).contains("80"));
    let field = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    assert!(told(None, &field("a", &text)).contains("80"));
    assert!(told(None, &field("a name of 21 letters_", "b")).contains("20"));
    assert!(told(None, &field("payonce_x", "b")).contains("for payonce"));
    assert!(told(None, &vec![("a".to_owned(), "b".to_owned()); 19]).contains("at most 18"));
}

#[test]
fn a_reference_or_key_that_adyen_cannot_carry_is_refused() {
    let (long, source) = ("x".repeat(81), Source::token(TOKEN));
    let details = Details::new(Some(&source), BACK, None, &[]);
    let key = key();
    let mut call: Call<'_> = call(OperationKind::Charge, &key);
    call.reference = &long;
    let error = problem(adyen().encode(&call, &details));
    assert!(
        error.starts_with("reference ") && error.contains("80"),
        "{error}"
    );
    // One that somebody can guess shows another's reply to the whole company.
    for bad in ["", "order-1042", "0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b"] {
        let key = IdempotencyKey::new(bad);
        let call = crate::kit::call(OperationKind::Charge, &key);
        assert!(
            problem(adyen().encode(&call, &details)).starts_with("key "),
            "{bad}"
        );
    }
}

/// A code that may be used once may not lie in a ledger, encrypted or not.
#[test]
fn a_security_code_is_refused_in_any_form() {
    for field in ["encryptedSecurityCode", "cvc"] {
        let source = Source::token(format!(r#"{{"type":"scheme","{field}":"eyJ9"}}"#));
        let error = problem(encode(
            OperationKind::Charge,
            &Details::new(Some(&source), BACK, None, &[]),
        ));
        assert!(error.starts_with("source "), "{error}");
    }
    for raw in ["number", "encryptedCard", "expiryMonth", "oneTimePasscode"] {
        let source = Source::token(format!(r#"{{"type":"scheme","{raw}":"eyJ9"}}"#));
        let error = problem(encode(
            OperationKind::Charge,
            &Details::new(Some(&source), BACK, None, &[]),
        ));
        assert!(error.contains("not taken"), "{error}");
    }
}

#[test]
fn a_parent_that_would_lead_elsewhere_is_refused() {
    let key = key();
    for bad in ["", "../x", "a/b", "a?b", "a b", &"a".repeat(65)] {
        let call = call(OperationKind::Refund, &key).with_parent(bad);
        let result = adyen().encode(&call, &Details::new(None, None, None, &[]));
        assert!(problem(result).starts_with("parent "), "{bad}");
    }
}
