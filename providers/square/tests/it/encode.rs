//! The bytes of each request, and what is refused before one is made.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::provider::{Call, Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, Source};
use payonce_square::Square;

use crate::kit::{KEY, PARENT, call, key, money, square};

fn token() -> Source {
    Source::token("cnon:card-nonce-ok")
}

fn encode(call: &Call<'_>, source: &Source) -> Result<Request, EncodeError> {
    square().encode(call, &Details::new(Some(source), None, None, &[]))
}

fn plain(kind: OperationKind) -> Request {
    let key = key();
    square()
        .encode(&call(kind, &key), &Details::new(None, None, None, &[]))
        .unwrap()
}

fn body(request: &Request) -> &str {
    std::str::from_utf8(&request.body).unwrap()
}

/// Stored bytes are sent again after an upgrade, so they must not change by accident.
#[test]
fn the_bytes_of_a_payment() {
    let key = key();
    for (kind, autocomplete) in [(Charge, true), (Authorize, false)] {
        let request = encode(&call(kind, &key), &token()).unwrap();
        assert_eq!(request.method, http::Method::POST);
        assert_eq!(request.path, "/v2/payments");
        assert_eq!(request.headers["square-version"], "2026-05-20");
        let expected = format!(
            r#"{{"idempotency_key":"{KEY}","source_id":"cnon:card-nonce-ok","amount_money":{{"amount":48000,"currency":"USD"}},"autocomplete":{autocomplete},"location_id":"L88917AVBK2S5","reference_id":"{KEY}","note":"order-1042"}}"#
        );
        assert_eq!(body(&request), expected, "{kind}");
    }
}

#[test]
fn the_bytes_of_what_follows() {
    let complete = plain(Capture);
    assert_eq!(complete.path, format!("/v2/payments/{PARENT}/complete"));
    assert_eq!(body(&complete), "{}");
    let cancel = plain(Void);
    assert_eq!(cancel.path, format!("/v2/payments/{PARENT}/cancel"));
    assert_eq!(body(&cancel), "");
    let refund = plain(Refund);
    assert_eq!(refund.path, "/v2/refunds");
    assert_eq!(
        body(&refund),
        format!(
            r#"{{"idempotency_key":"{KEY}","payment_id":"{PARENT}","amount_money":{{"amount":12000,"currency":"USD"}},"reason":"{KEY}"}}"#
        )
    );
}

#[test]
fn a_card_on_file_goes_with_its_customer() {
    let key = key();
    let saved = Source::saved("ccof:customer-card-id-ok", Some("CUST1"));
    let request = encode(&call(Charge, &key), &saved).unwrap();
    let customer = r#""source_id":"ccof:customer-card-id-ok","customer_id":"CUST1","#;
    assert!(body(&request).contains(customer));
}

/// `CASH` would be a payment that nobody made, and a card's number has no place here at all.
#[test]
fn only_a_token_of_a_card_pays() {
    let key = key();
    for (source, field) in [
        (Source::token("CASH"), "source "),
        (Source::token("EXTERNAL"), "source "),
        (Source::token("cnon:"), "source "),
        (Source::token("cnon:a b"), "source "),
        (Source::token("ccof:customer-card-id-ok"), "source "),
        (Source::token("4111111111111111"), "source "),
        (
            Source::saved("cnon:card-nonce-ok", Some("CUST1")),
            "source ",
        ),
        (Source::saved("ccof:customer-card-id-ok", None), "customer "),
        (
            Source::saved("ccof:customer-card-id-ok", Some("")),
            "customer ",
        ),
        (Source::hosted(), "the Square adapter has no hosted pages"),
    ] {
        let problem = encode(&call(Charge, &key), &source)
            .unwrap_err()
            .to_string();
        assert!(problem.starts_with(field), "{problem}");
    }
    let none = Details::new(None, None, None, &[]);
    let problem = square().encode(&call(Charge, &key), &none).unwrap_err();
    assert!(problem.to_string().starts_with("source is missing"));
}

/// A cut key or reference would be somebody else's.
#[test]
fn what_is_too_long_is_refused_with_its_limit() {
    let (long, fits) = ("k".repeat(41), "k".repeat(40));
    let long = IdempotencyKey::new(long);
    let problem = encode(&call(Charge, &long), &token())
        .unwrap_err()
        .to_string();
    assert!(
        problem.starts_with("key ") && problem.contains("40"),
        "{problem}"
    );
    encode(&call(Charge, &IdempotencyKey::new(fits)), &token()).unwrap();
    // A refund's key stands in a longer field.
    let none = Details::new(None, None, None, &[]);
    square().encode(&call(Refund, &long), &none).unwrap();

    let key = key();
    let mut order = call(Charge, &key);
    let reference = "ط".repeat(501);
    order.reference = &reference;
    let problem = encode(&order, &token()).unwrap_err().to_string();
    assert!(
        problem.starts_with("reference ") && problem.contains("500"),
        "{problem}"
    );

    let location = Square::sandbox("L".repeat(51), "token");
    let (token, order) = (token(), call(Charge, &key));
    let details = Details::new(Some(&token), None, None, &[]);
    let problem = location.encode(&order, &details).unwrap_err().to_string();
    assert!(
        problem.starts_with("location ") && problem.contains("50"),
        "{problem}"
    );
}

#[test]
fn the_note_holds_the_reference_and_after_it_what_else_is_given() {
    let (key, token) = (key(), token());
    let order = call(Charge, &key);
    let details = Details::new(Some(&token), None, Some("Two bags of coffee"), &[]);
    let request = square().encode(&order, &details).unwrap();
    assert!(body(&request).contains(r#""note":"order-1042\nTwo bags of coffee""#));
    let cart = [("cart".to_owned(), "7".to_owned())];
    let details = Details::new(Some(&token), None, Some("Two bags"), &cart);
    let request = square().encode(&order, &details).unwrap();
    assert!(body(&request).contains(r#""note":"order-1042\nTwo bags\ncart: 7""#));
    let long = [("cart".to_owned(), "x".repeat(490))];
    let details = Details::new(Some(&token), None, None, &long);
    let problem = square().encode(&order, &details).unwrap_err().to_string();
    assert!(problem.starts_with("metadata cart ") && problem.contains("489"));
    let long = "x".repeat(490);
    let details = Details::new(Some(&token), None, Some(&long), &[]);
    let problem = square().encode(&order, &details).unwrap_err().to_string();
    assert!(
        problem.starts_with("description ") && problem.contains("489"),
        "{problem}"
    );
}

/// Left out silently they would be missed later.
#[test]
fn what_has_no_place_at_square_is_refused() {
    let key = key();
    let metadata = [("cart".to_owned(), "7".to_owned())];
    for kind in [Capture, Refund, Void] {
        let details = Details::new(None, None, None, &metadata);
        let problem = square().encode(&call(kind, &key), &details).unwrap_err();
        assert!(problem.to_string().starts_with("metadata "), "{kind}");
    }
    for kind in [Capture, Refund, Void] {
        let details = Details::new(None, None, Some("text"), &[]);
        let problem = square().encode(&call(kind, &key), &details).unwrap_err();
        assert!(problem.to_string().starts_with("description "), "{kind}");
    }
}

#[test]
fn an_amount_that_square_cannot_carry_is_refused() {
    let key = key();
    for (text, currency) in [("0.00", Currency::USD), ("18.600", Currency::KWD)] {
        for kind in [Charge, Authorize, Capture, Refund, Void] {
            let mut order = call(kind, &key);
            order.money = money(text, currency);
            let problem = encode(&order, &token()).unwrap_err().to_string();
            assert!(
                problem.starts_with("amount ") || problem.contains("description"),
                "{problem}"
            );
        }
    }
}
