//! What the tests share: one order and the documented replies.

use http::{HeaderMap, StatusCode};
use payonce::conformance::Recorded;
use payonce::provider::{Call, IdempotencyKey, Response};
use payonce::{Currency, Money, OperationKind};
use payonce_moyasar::Moyasar;

pub(crate) const KEY: &str = "9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b";
pub(crate) const PARENT: &str = "5b0a1d5e-6c1f-4d57-9a55-0d9f3c1c2b7a";
pub(crate) const REFERENCE: &str = "order-1042";

pub(crate) const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

pub(crate) fn moyasar() -> Moyasar {
    Moyasar::new("main", "sk_test_Example")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
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
}

/// One of them.
pub(crate) fn fixture(kind: OperationKind, name: &str) -> Response {
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
