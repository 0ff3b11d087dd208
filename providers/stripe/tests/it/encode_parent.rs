//! Whole requests of what comes after a payment, and of an authorization.

use payonce::provider::{Call, Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, OperationKind, Source};

use crate::kit::{KEY, PARENT, call_of, key, money, stripe};

const NOTHING: Details<'_> = Details::new(None, None, None, &[]);
const AFTER: [OperationKind; 3] = [
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

fn encode(call: &Call<'_>) -> Result<Request, EncodeError> {
    stripe().encode(call, &NOTHING)
}

/// Method, path and body. The headers are checked: every one of these requests has the key.
fn shown(request: Request) -> (String, String) {
    assert_eq!(request.method, http::Method::POST);
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
    (request.path, String::from_utf8(request.body).unwrap())
}

fn rendered(kind: OperationKind, parent: &str) -> (String, String) {
    let key = key();
    shown(encode(&call_of(kind, &key).with_parent(parent)).unwrap())
}

#[test]
fn an_authorization_differs_from_a_charge_in_the_capture_method_only() {
    let (key, token) = (key(), Source::token("pm_1Visa"));
    let details = Details::new(Some(&token), None, Some("Two bags"), &[]);
    let body = |kind| {
        let request = stripe().encode(&call_of(kind, &key), &details).unwrap();
        shown(request).1
    };
    let charge = body(OperationKind::Charge);
    assert!(charge.contains("&capture_method=automatic&"));
    assert_eq!(
        body(OperationKind::Authorize),
        charge.replace("capture_method=automatic", "capture_method=manual")
    );
}

/// The authorization's own key stays on the payment: under its name a look-up finds it.
#[test]
fn a_whole_capture() {
    let (path, body) = rendered(OperationKind::Capture, PARENT);
    assert_eq!(path, "/v1/payment_intents/pi_3FixtureA1/capture");
    let expected = "amount_to_capture=40000\
                    &metadata%5Bpayonce_capture_key%5D=0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b\
                    &metadata%5Bpayonce_capture_reference%5D=order-1042";
    assert_eq!(body, expected);
}

#[test]
fn a_whole_refund_of_a_payment_or_a_charge() {
    for (parent, field) in [(PARENT, "payment_intent"), ("ch_3FixtureA1", "charge")] {
        let (path, body) = rendered(OperationKind::Refund, parent);
        assert_eq!(path, "/v1/refunds");
        let expected = format!(
            "{field}={parent}&amount=10000\
             &metadata%5Bpayonce_key%5D=0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b\
             &metadata%5Bpayonce_reference%5D=order-1042"
        );
        assert_eq!(body, expected);
    }
}

#[test]
fn a_whole_void() {
    let (path, body) = rendered(OperationKind::Void, PARENT);
    assert_eq!(path, "/v1/payment_intents/pi_3FixtureA1/cancel");
    assert_eq!(body, "");
}

/// Bytes that differ on a repeat would be refused, and the first send's result never be seen.
#[test]
fn c06_the_same_arguments_give_the_same_bytes() {
    for kind in AFTER {
        let key = key();
        let call = call_of(kind, &key);
        assert_eq!(encode(&call), encode(&call));
        assert_eq!(encode(&call).unwrap().headers["idempotency-key"], KEY);
    }
}

/// An id from elsewhere could make another request of this one: cancel instead of capture, say.
#[test]
fn a_parent_of_the_wrong_form_is_refused_before_it_is_in_a_path() {
    let key = key();
    let bad = [
        "",
        "pi_",
        "pi",
        "cus_1",
        "re_3FixtureR1",
        "PI_1",
        "pi_1/cancel?x=",
        "../refunds",
        "pi_1 2",
        "pi_1\n",
        "pi_1%2F",
        "مدفوع",
        &format!("pi_{}", "1".repeat(253)),
    ];
    for kind in AFTER {
        for parent in bad {
            let error = encode(&call_of(kind, &key).with_parent(parent)).unwrap_err();
            assert!(error.to_string().starts_with("payment is no"), "{error}");
        }
        let mut orphan = call_of(kind, &key);
        orphan.parent = None;
        let error = encode(&orphan).unwrap_err().to_string();
        assert!(error.starts_with("payment is missing"), "{error}");
    }
    // A charge is refunded, but has no capture and no void of its own here.
    for kind in [OperationKind::Capture, OperationKind::Void] {
        encode(&call_of(kind, &key).with_parent("ch_1")).unwrap_err();
    }
}

#[test]
fn c45_amounts_are_in_stripes_own_units() {
    let key = key();
    for kind in [OperationKind::Capture, OperationKind::Refund] {
        let mut call = call_of(kind, &key);
        for (text, currency, units) in [
            ("380000", Currency::UGX, "=38000000&"),
            ("100", Currency::JPY, "=100&"),
            ("18.600", Currency::KWD, "=18600&"),
        ] {
            call.money = money(text, currency);
            let (_, body) = shown(encode(&call).unwrap());
            assert!(body.contains(units), "{body}");
        }
        call.money = money("5.124", Currency::KWD);
        assert!(matches!(encode(&call), Err(EncodeError::Amount(_))));
    }
}

/// What Stripe would drop or has no field for is not lost without a word.
#[test]
fn what_stripe_has_no_field_for_is_refused() {
    let key = key();
    let fields = [("note".to_owned(), "damaged".to_owned())];
    for kind in AFTER {
        let text = Details::new(None, None, Some("One bag back"), &[]);
        let refused = stripe().encode(&call_of(kind, &key), &text);
        assert!(matches!(refused, Err(EncodeError::Unsupported { .. })));
        let noted = Details::new(None, None, None, &fields);
        let noted = stripe().encode(&call_of(kind, &key), &noted);
        if kind == OperationKind::Void {
            assert!(matches!(noted, Err(EncodeError::Unsupported { .. })));
        } else {
            let (_, body) = shown(noted.unwrap());
            assert!(body.ends_with("&metadata%5Bnote%5D=damaged"), "{body}");
        }
    }
}

/// Stripe takes fifty fields on a payment, and a capture writes two more there.
#[test]
fn an_authorization_leaves_room_for_its_capture() {
    let (key, token) = (key(), Source::token("pm_1Visa"));
    let accepted = |kind, count: usize| {
        let fields: Vec<(String, String)> = (0..count)
            .map(|i| (format!("n{i}"), String::from("x")))
            .collect();
        let details = Details::new(Some(&token), None, None, &fields);
        stripe().encode(&call_of(kind, &key), &details).is_ok()
    };
    for (kind, most) in [
        (OperationKind::Charge, 48),
        (OperationKind::Authorize, 46),
        (OperationKind::Capture, 46),
        (OperationKind::Refund, 48),
    ] {
        assert!(accepted(kind, most), "{kind}");
        assert!(!accepted(kind, most + 1), "{kind}");
    }
}

#[test]
fn c12_a_key_is_used_as_it_is_or_refused() {
    for kind in AFTER {
        for bad in ["", "a b", "مفتاح", &"k".repeat(256)] {
            let key = IdempotencyKey::new(bad);
            let error = encode(&call_of(kind, &key)).unwrap_err().to_string();
            assert!(error.starts_with("key"), "{error}");
        }
    }
}
