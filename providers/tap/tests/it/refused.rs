//! What is refused before anything is sent: the field and the limit are named.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::provider::{Details, IdempotencyKey, Provider};
use payonce::{Currency, Customer, Source};
use payonce_tap::Tap;

use crate::kit::{AUTHORIZATION, PAID, call, customer, key, money, tap};

/// Why a payment with this source and customer is refused.
fn refusal(kind: OperationKind, source: Option<&Source>, customer: Option<&Customer>) -> String {
    let details = Details::new(source, None, None, &[]).with_customer(customer);
    let refused = tap().encode(&call(kind, &key()), &details);
    refused.unwrap_err().to_string()
}

#[track_caller]
fn starts(error: &str, start: &str) {
    assert!(error.starts_with(start), "{error}");
}

#[test]
fn a_payment_without_a_customer() {
    let source = Source::token("tok_1");
    let why = |customer: Option<Customer>| refusal(Charge, Some(&source), customer.as_ref());
    let named = || Customer::new().name("Layla Example");
    starts(&why(None), "customer is missing");
    starts(
        &why(Some(Customer::new().email("l@shop.example"))),
        "customer name is missing",
    );
    starts(&why(Some(named())), "customer email is missing");
    starts(
        &why(Some(named().phone("0500000001"))),
        "customer phone is no number",
    );
    let long = Customer::new()
        .name("ل".repeat(150))
        .email("l@shop.example");
    let error = why(Some(long));
    assert!(
        error.starts_with("customer name") && error.contains("149"),
        "{error}"
    );
    // A capture is a charge too.
    starts(&refusal(Capture, None, None), "customer is missing");
}

#[test]
fn a_payment_without_an_address_to_come_back_to() {
    let (source, customer) = (Source::token("tok_1"), customer());
    let bare = Tap::new("main", "sk_test_1");
    for kind in [Charge, Authorize, Capture] {
        let details = Details::new(Some(&source), None, None, &[]);
        let refused = bare.encode(&call(kind, &key()), &details.with_customer(Some(&customer)));
        starts(&refused.unwrap_err().to_string(), "return_url is missing");
    }
}

#[test]
fn what_is_no_source() {
    let customer = customer();
    let why = |kind, source: &Source| refusal(kind, Some(source), Some(&customer));
    starts(&refusal(Charge, None, Some(&customer)), "source is missing");
    for token in [
        "",
        "tok_",
        "src_",
        "4111111111111111",
        "pm_1",
        "tok_1\n",
        "tok_a/b",
        "TOK_1",
    ] {
        starts(&why(Charge, &Source::token(token)), "source is no token");
    }
    // As a source it would take the money that was only to be held.
    starts(
        &why(Charge, &Source::token(AUTHORIZATION)),
        "source is no token",
    );
    // Authorizations are for cards.
    starts(
        &why(Authorize, &Source::token("src_kw.knet")),
        "source is no token",
    );
    let saved = why(Charge, &Source::saved("tok_1", Some("cus_1")));
    assert!(saved.contains("saved card"), "{saved}");
}

#[test]
fn what_cannot_be_captured_refunded_or_voided() {
    let (key, customer) = (key(), customer());
    for (kind, parents) in [
        (Capture, [PAID, "auth_", "auth_1/../2", ""]),
        (Refund, [AUTHORIZATION, "chg_", "chg_1?x=y", ""]),
        (Void, [PAID, "auth_", "auth_1/../2", ""]),
    ] {
        for parent in parents {
            let call = call(kind, &key).with_parent(parent);
            let details = Details::new(None, None, None, &[]).with_customer(Some(&customer));
            let refused = tap().encode(&call, &details).unwrap_err();
            starts(&refused.to_string(), "payment is no ");
        }
    }
}

#[test]
fn amounts_that_tap_cannot_carry() {
    let (source, customer, key) = (Source::token("tok_1"), customer(), key());
    for (text, currency) in [
        ("5.124", Currency::JOD),
        ("500", Currency::JPY),
        ("0.00", Currency::SAR),
        ("10000000000000.00", Currency::SAR),
    ] {
        for kind in [Charge, Authorize, Capture, Refund, Void] {
            let mut call = call(kind, &key);
            call.money = money(text, currency);
            let details = Details::new(Some(&source), None, None, &[]);
            let refused = tap().encode(&call, &details.with_customer(Some(&customer)));
            starts(&refused.unwrap_err().to_string(), "amount ");
        }
    }
}

#[test]
fn texts_that_are_too_long() {
    let (source, customer, key) = (Source::token("tok_1"), customer(), key());
    let why = |description: Option<&str>, name: &str, value: &str| {
        let fields = [(name.to_owned(), value.to_owned())];
        let details = Details::new(Some(&source), None, description, &fields);
        let call = call(Charge, &key);
        let rendered = tap().encode(&call, &details.with_customer(Some(&customer)));
        rendered.err().map(|error| error.to_string())
    };
    let long = |count: usize| "ق".repeat(count);
    assert_eq!(why(Some(&long(999)), &long(249), &long(999)), None);
    for (error, field, limit) in [
        (why(Some(&long(1000)), "a", "b"), "description", "999"),
        (why(None, &long(250), "b"), "metadata name", "249"),
        (why(None, "a", &long(1000)), "metadata a", "999"),
    ] {
        let error = error.unwrap();
        assert!(error.starts_with(field) && error.contains(limit), "{error}");
    }
    starts(
        &why(None, "payonce_reference", "b").unwrap(),
        "metadata name starts with payonce_",
    );
}

/// It is used as it is or refused: another key would be another payment.
#[test]
fn keys_that_are_not_32_hexadecimal_digits() {
    let (source, customer) = (Source::token("tok_1"), customer());
    for text in ["", "order-1042", &"a".repeat(33), &"g".repeat(32)] {
        let key = IdempotencyKey::new(text);
        for kind in [Charge, Authorize, Capture, Refund] {
            let details = Details::new(Some(&source), None, None, &[]);
            let refused = tap().encode(&call(kind, &key), &details.with_customer(Some(&customer)));
            starts(&refused.unwrap_err().to_string(), "key ");
        }
    }
}

/// Left out it would be missed later.
#[test]
fn a_void_takes_nothing() {
    let fields = [("a".to_owned(), "b".to_owned())];
    for details in [
        Details::new(None, None, Some("text"), &[]),
        Details::new(None, None, None, &fields),
    ] {
        let refused = tap().encode(&call(Void, &key()), &details).unwrap_err();
        assert!(
            refused.to_string().contains("not taken by a void"),
            "{refused}"
        );
    }
}
