//! What the tests share: one order and the documented replies.

use http::{HeaderMap, StatusCode};
use payonce::conformance::Recorded;
use payonce::provider::{Call, IdempotencyKey, Response};
use payonce::{Currency, Customer, Money, OperationKind};
use payonce_aps::{Aps, Keys};

pub(crate) const MERCHANT: &str = "CycHZxVj";
pub(crate) const KEY: &str = "0190b5a01c2d7e3f8a4b5c6d7e8f9a0b";
pub(crate) const PARENT: &str = "149295435400084008";
pub(crate) const PAYMENT: &str = "149295435400084009";
pub(crate) const REFERENCE: &str = "order-1042";
/// With this phrase the fixtures are signed.
pub(crate) const RESPONSE_PHRASE: &str = "response-phrase";

pub(crate) const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

pub(crate) fn keys() -> Keys {
    Keys::new("zx0IPmPy5jp1vAz8Kpg7", "request-phrase", RESPONSE_PHRASE)
}

pub(crate) fn aps() -> Aps {
    Aps::test(MERCHANT, keys())
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn customer() -> Customer {
    Customer::new().email("laila@shop.example")
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The operations that the fixtures are about: 480.00 SAR for `order-1042`; of an earlier payment
/// of 480.00 SAR, 300.00 captured, 120.00 refunded, or all of it voided.
pub(crate) fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let (amount, parent) = match kind {
        OperationKind::Capture => ("300.00", Some(PARENT)),
        OperationKind::Refund => ("120.00", Some(PARENT)),
        OperationKind::Void => ("480.00", Some(PARENT)),
        OperationKind::Charge | OperationKind::Authorize | _ => ("480.00", None),
    };
    let money = money(amount, Currency::SAR);
    let mut call = Call::new(kind, operation, REFERENCE, key, money);
    call.parent = parent;
    call
}

/// The recorded replies, each in the folder of its kind.
pub(crate) fn recorded() -> Recorded {
    Recorded::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))
        .word("KEY", KEY)
        .word("PARENT", PARENT)
        .word("PAYMENT", PAYMENT)
}

/// One of them.
pub(crate) fn fixture(kind: OperationKind, name: &str) -> Response {
    recorded().reply(kind, name).unwrap()
}

/// A reply without headers.
pub(crate) fn reply(status: u16, body: impl Into<Vec<u8>>) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    Response::new(status, HeaderMap::new(), body.into())
}
