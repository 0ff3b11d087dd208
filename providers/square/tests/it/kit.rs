//! What the tests share: one order and the documented replies.

use http::{HeaderMap, StatusCode};
use payonce::conformance::Recorded;
use payonce::provider::{Call, IdempotencyKey, Response};
use payonce::{Currency, Money, OperationKind};
use payonce_square::Square;
use serde_json::{Value, json};

pub(crate) const KEY: &str = "9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b";
pub(crate) const PARENT: &str = "R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY";
pub(crate) const REFUND: &str =
    "R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY_KlWP8IC1557ddwc9QWTKrCVU6m0JXDz15R2Qym5eQfR";
pub(crate) const REFERENCE: &str = "order-1042";
pub(crate) const LOCATION: &str = "L88917AVBK2S5";

pub(crate) const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

pub(crate) fn square() -> Square {
    Square::sandbox(LOCATION, "EAAAExample")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The operations that the fixtures are about: 480.00 USD for `order-1042`; of an earlier payment of
/// 480.00 USD, all of it captured or voided, 120.00 refunded.
pub(crate) fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let refund = kind == OperationKind::Refund;
    let money = money(if refund { "120.00" } else { "480.00" }, Currency::USD);
    let mut call = Call::new(kind, operation, REFERENCE, key, money);
    let pays = matches!(kind, OperationKind::Charge | OperationKind::Authorize);
    call.parent = (!pays).then_some(PARENT);
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

/// The object of a fixture, as it stands in a list.
pub(crate) fn object(kind: OperationKind, name: &str) -> Value {
    let name_of = if kind == OperationKind::Refund {
        "refund"
    } else {
        "payment"
    };
    fixture(kind, name).json().unwrap()[name_of].clone()
}

/// The last page of a list.
pub(crate) fn list(name: &str, objects: &[Value]) -> Response {
    reply(200, json!({ name: objects }).to_string())
}
