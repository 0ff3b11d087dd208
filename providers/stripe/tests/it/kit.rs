//! What the tests share: one order and the documented replies.

use http::{HeaderMap, StatusCode};
use payonce::conformance::Recorded;
use payonce::provider::{Call, IdempotencyKey, Response};
use payonce::{Currency, Money, OperationKind};
use payonce_stripe::Stripe;

pub(crate) const KEY: &str = "0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b";
pub(crate) const REFERENCE: &str = "order-1042";

pub(crate) fn stripe() -> Stripe {
    Stripe::new("main", "sk_test_51Example")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The charge that every fixture is about: 480.00 SAR for `order-1042`.
pub(crate) fn call(key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let money = money("480.00", Currency::SAR);
    Call::new(OperationKind::Charge, operation, REFERENCE, key, money)
}

/// The payment that is captured, refunded and voided.
pub(crate) const PARENT: &str = "pi_3FixtureA1";

/// The operations that have a folder of fixtures each: its name is that of the kind.
pub(crate) const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

/// The operation that the fixtures of a kind are about. 480.00 SAR were charged, or reserved and
/// 400.00 of them captured; 100.00 go back, or all is released.
pub(crate) fn call_of(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let amount = match kind {
        OperationKind::Capture => "400.00",
        OperationKind::Refund => "100.00",
        OperationKind::Charge | OperationKind::Authorize | OperationKind::Void | _ => "480.00",
    };
    let pays = matches!(kind, OperationKind::Charge | OperationKind::Authorize);
    let mut call = call(key);
    call.kind = kind;
    call.money = money(amount, Currency::SAR);
    call.parent = (!pays).then_some(PARENT);
    call
}

/// The recorded replies, each in the folder of its kind.
pub(crate) fn recorded() -> Recorded {
    Recorded::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))
}

/// A fixture of a charge.
pub(crate) fn fixture(name: &str) -> Response {
    fixture_of(OperationKind::Charge, name)
}

/// One of a kind.
pub(crate) fn fixture_of(kind: OperationKind, name: &str) -> Response {
    recorded().reply(kind, name).unwrap()
}

/// A reply without headers.
pub(crate) fn reply(status: u16, body: impl Into<Vec<u8>>) -> Response {
    Response::new(
        StatusCode::from_u16(status).unwrap(),
        HeaderMap::new(),
        body.into(),
    )
}
