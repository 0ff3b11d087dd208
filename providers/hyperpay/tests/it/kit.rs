//! What the tests share: one order and the documented replies.

use http::{HeaderMap, StatusCode};
use payonce::conformance::{Recorded, lines};
use payonce::provider::{Call, Finding, IdempotencyKey, Response, Verdict};
use payonce::{Currency, Money, OperationKind};
use payonce_hyperpay::HyperPay;

pub(crate) const ENTITY: &str = "8ac7a4c98694e687018696fd2f2c0b71";
pub(crate) const KEY: &str = "0190b5a01c2d7e3f8a4b5c6d7e8f9a0b";
pub(crate) const REFERENCE: &str = "order-1042";
/// The payment that every fixture shows.
pub(crate) const PAYMENT: &str = "8ac7a4a18f1d2c3b018f1d9a1b2c0a11";
/// The payment that is captured, refunded or voided.
pub(crate) const PARENT: &str = "8ac7a4a18f1d2c3b018f1d9a1b2c0001";

pub(crate) fn hyperpay() -> HyperPay {
    HyperPay::test(ENTITY, "OGFjN2E0Yzk4Njk0fHRlc3Q=")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The operation that every fixture is about: 480.00 SAR for `order-1042`.
pub(crate) fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let call = Call::new(
        kind,
        operation,
        REFERENCE,
        key,
        money("480.00", Currency::SAR),
    );
    match kind {
        OperationKind::Charge | OperationKind::Authorize => call,
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void | _ => {
            call.with_parent(PARENT)
        }
    }
}

pub(crate) fn charge(key: &IdempotencyKey) -> Call<'_> {
    call(OperationKind::Charge, key)
}

/// The kind that a fixture's folder names.
pub(crate) fn kind(name: &str) -> OperationKind {
    let folder = name.split('/').next().unwrap();
    let mut kinds = OperationKind::all().iter().copied();
    kinds.find(|kind| kind.to_string() == folder).unwrap()
}

/// The recorded replies, each in the folder of its kind.
pub(crate) fn recorded() -> Recorded {
    Recorded::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))
}

/// One of them: `charge/200_succeeded`.
pub(crate) fn fixture(name: &str) -> Response {
    recorded().reply(kind(name), file(name)).unwrap()
}

/// The name without its folder.
pub(crate) fn file(name: &str) -> &str {
    name.split('/').nth(1).unwrap()
}

/// A reply without headers.
pub(crate) fn reply(status: u16, body: impl Into<Vec<u8>>) -> Response {
    Response::new(
        StatusCode::from_u16(status).unwrap(),
        HeaderMap::new(),
        body.into(),
    )
}

/// A verdict in one line, with a word for the payment's id.
pub(crate) fn line(verdict: &Verdict) -> String {
    lines::verdict(verdict).replace(PAYMENT, "PAYMENT")
}

/// A finding in one line, with the same word.
pub(crate) fn finding(finding: &Finding) -> String {
    lines::finding(finding).replace(PAYMENT, "PAYMENT")
}
