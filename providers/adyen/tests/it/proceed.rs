//! Going on after the customer came back.

use http::HeaderValue;
use payonce::conformance::lines;
use payonce::provider::{IdempotencyKey, OnRepeat, Proceeding, Provider, Response, Verdict};
use payonce::{OperationKind, ProceedInput};
use serde_json::{Value, json};

use crate::kit::{KEY, PAYMENT, adyen, call, fixture, key};

/// The key of the further step.
const STEP: &str = "0c1e8b34-7a53-4f0e-9f0e-0a5c2b7d1d11";

fn rendered(input: &ProceedInput) -> Result<(String, String, Value), String> {
    let (adyen, key, step) = (adyen(), key(), IdempotencyKey::new(STEP));
    let adapter = adyen.proceed(OperationKind::Charge).unwrap();
    let proceeding = Proceeding::new(Some(PAYMENT), &step);
    let call = call(OperationKind::Charge, &key);
    let request = adapter.proceed_request(&call, &proceeding, input);
    let request = request.map_err(|error| error.to_string())?;
    let again = adapter.proceed_request(&call, &proceeding, input).unwrap();
    assert_eq!(request, again);
    let header = request.headers["idempotency-key"]
        .to_str()
        .unwrap()
        .to_owned();
    let body = serde_json::from_slice(&request.body).unwrap();
    Ok((request.path, header, body))
}

/// The reply to the further step: a recorded one, under its key.
fn reply(name: &str) -> Response {
    let mut reply = fixture(OperationKind::Charge, name);
    if reply.headers.contains_key("idempotency-key") {
        let step = HeaderValue::from_static(STEP);
        reply.headers.insert("idempotency-key", step);
    }
    reply
}

fn verdict(reply: &Response) -> Verdict {
    let (adyen, key, step) = (adyen(), key(), IdempotencyKey::new(STEP));
    let adapter = adyen.proceed(OperationKind::Charge).unwrap();
    let proceeding = Proceeding::new(Some(PAYMENT), &step);
    adapter.proceed_reply(&call(OperationKind::Charge, &key), &proceeding, reply)
}

fn line(name: &str) -> String {
    lines::verdict(&verdict(&reply(name)))
}

#[test]
fn what_came_back_goes_into_the_details() {
    let input = ProceedInput::new().field("redirectResult", "X6XtfGC3!Y");
    let (path, header, body) = rendered(&input).unwrap();
    assert_eq!(
        (path.as_str(), header.as_str()),
        ("/v72/payments/details", STEP)
    );
    assert_eq!(
        body,
        json!({ "details": { "redirectResult": "X6XtfGC3!Y" } })
    );
    let input = ProceedInput::new()
        .field("threeDSResult", "eyJ0")
        .field("paymentData", "Ab02");
    let (_, _, body) = rendered(&input).unwrap();
    let wanted = json!({ "details": { "threeDSResult": "eyJ0" }, "paymentData": "Ab02" });
    assert_eq!(body, wanted);
}

#[test]
fn what_no_customer_brings_back_is_refused_and_not_repeated() {
    let refused = |input: &ProceedInput| rendered(input).unwrap_err();
    assert!(refused(&ProceedInput::new()).starts_with("input is missing"));
    let only = ProceedInput::new().field("paymentData", "Ab02");
    assert!(refused(&only).starts_with("input is missing"));
    for name in ["oneTimePasscode", "cvc", "SENTINEL"] {
        let error = refused(&ProceedInput::new().field(name, "SENTINEL"));
        assert!(error.starts_with("input has a field"), "{error}");
        assert!(!error.contains("SENTINEL"), "{error}");
    }
    let empty = ProceedInput::new().field("redirectResult", "");
    assert!(refused(&empty).starts_with("redirectResult "));
    let long = ProceedInput::new().field("redirectResult", "x".repeat(20_001));
    assert!(refused(&long).contains("20000"));
}

/// The reply names the key of the step in its header, and that of the payment in its body.
#[test]
fn the_customer_who_passed_has_paid() {
    assert_eq!(
        line("200_authorised"),
        format!("succeeded Authorised {PAYMENT} 480.00 SAR; ours; kept")
    );
    // The reply to the first request is not that of this one.
    let first = fixture(OperationKind::Charge, "200_authorised");
    assert_eq!(first.headers["idempotency-key"], KEY);
    assert!(lines::verdict(&verdict(&first)).ends_with("; foreign"));
    assert!(line("200_authorised_no_header").ends_with("; missing"));
    assert!(line("200_authorised_foreign_reference").ends_with("; foreign"));
}

/// The customer's result is used up and the state is final: nobody can pay this any more, so the
/// merchant may take another card.
#[test]
fn a_refusal_after_the_customer_acted_ends_the_payment() {
    assert_eq!(
        line("200_refused"),
        format!("canceled Refused 2 {PAYMENT}; ours; kept")
    );
    assert_eq!(
        line("200_cancelled"),
        format!("canceled Cancelled 16 {PAYMENT}; ours; kept")
    );
    // But not one of which a notification may still make a success.
    for name in [
        "200_refused_acquirer_error",
        "200_error_issuer_unavailable",
        "200_refused_no_reason",
    ] {
        assert!(line(name).starts_with("unknown: "), "{name}");
    }
}

/// A fingerprint may be followed by a challenge.
#[test]
fn a_second_action_is_one_more_action() {
    assert!(line("200_identify").starts_with("action "));
    assert!(line("200_pending").starts_with("pending "));
}

#[test]
fn replies_that_say_nothing_settle_nothing() {
    for name in [
        "200_cut",
        "200_html",
        "502_html",
        "422_already_processed",
        "500_stored",
        "429_rate_limit",
    ] {
        assert!(line(name).starts_with("unknown: "), "{name}");
    }
}

#[test]
fn the_step_is_as_safe_as_the_payment() {
    let adyen = adyen();
    let adapter = adyen.proceed(OperationKind::Charge).unwrap();
    let (rule, own) = (
        adapter.proceed_rule(),
        adyen.rule(OperationKind::Charge).unwrap(),
    );
    assert_eq!(rule.on_repeat.value, OnRepeat::Replays);
    assert_eq!(
        (rule.key_format, rule.retention),
        (own.key_format, own.retention)
    );
    for source in [
        rule.key_format.source,
        rule.retention.source,
        rule.on_repeat.source,
    ] {
        assert!(source.starts_with("https://docs.adyen.com/"), "{source}");
    }
    for kind in [
        OperationKind::Capture,
        OperationKind::Refund,
        OperationKind::Void,
    ] {
        assert!(adyen.proceed(kind).is_none());
    }
}
