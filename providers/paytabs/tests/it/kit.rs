//! What the tests share: one order and the documented replies.

use http::{HeaderMap, StatusCode};
use payonce::conformance::{Recorded, lines};
use payonce::provider::{Call, Finding, IdempotencyKey, Response, Verdict};
use payonce::{Currency, Money, OperationKind};
use payonce_paytabs::{PayTabs, Region};

pub(crate) const PROFILE: u64 = 987_654;
pub(crate) const KEY: &str = "0190b5a01c2d7e3f8a4b5c6d7e8f9a0b";
pub(crate) const REFERENCE: &str = "order-1042";
/// The transaction that every fixture shows.
pub(crate) const PAYMENT: &str = "TST2633500000011";
/// The transaction that is captured, refunded or voided.
pub(crate) const PARENT: &str = "TST2633500000001";

pub(crate) fn paytabs() -> PayTabs {
    PayTabs::test(Region::SaudiArabia, PROFILE, "SXJ9TEST00-Example-Key")
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
    let money = money("480.00", Currency::SAR);
    let call = Call::new(kind, operation, REFERENCE, key, money);
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

/// One of them: `charge/200_paid`.
pub(crate) fn fixture(name: &str) -> Response {
    recorded().reply(kind(name), file(name)).unwrap()
}

/// The name without its folder.
pub(crate) fn file(name: &str) -> &str {
    name.split('/').nth(1).unwrap()
}

/// A reply without headers.
pub(crate) fn reply(status: u16, body: impl Into<Vec<u8>>) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    Response::new(status, HeaderMap::new(), body.into())
}

/// A verdict in one line, with a word for the transaction's reference.
pub(crate) fn line(verdict: &Verdict) -> String {
    lines::verdict(verdict).replace(PAYMENT, "PAYMENT")
}

/// A finding in one line, with the same word.
pub(crate) fn finding(finding: &Finding) -> String {
    lines::finding(finding).replace(PAYMENT, "PAYMENT")
}
