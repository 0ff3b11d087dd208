//! What the tests share: one order and the documented replies.

use http::{HeaderMap, StatusCode};
use payonce::conformance::Recorded;
use payonce::provider::{Call, IdempotencyKey, Response};
use payonce::{Currency, Customer, Money, OperationKind};
use payonce_tap::Tap;

pub(crate) const KEY: &str = "0190b5a01c2d7e3f8a4b5c6d7e8f9a0b";
/// The charge, the authorization and the refund that the fixtures show.
pub(crate) const CHARGE: &str = "chg_TS01Fixture0A1";
pub(crate) const NEW: &str = "auth_TS01Fixture0A2";
pub(crate) const REFUND: &str = "re_TS01Fixture0R1";
/// What is captured or voided, and what is refunded.
pub(crate) const AUTHORIZATION: &str = "auth_TS01Fixture0P1";
pub(crate) const PAID: &str = "chg_TS01Fixture0P2";
pub(crate) const PAGE: &str = "https://sandbox.payments.tap.company/test_gosell/v2/payment/\
                               tap_process.aspx?chg=FixtureA1";

/// The words of the table and the texts that they stand for.
pub(crate) const WORDS: [(&str, &str); 5] = [
    ("CHG", CHARGE),
    ("NEW", NEW),
    ("AUTH ", "auth_TS01Fixture0P1 "),
    ("PAGE", PAGE),
    ("RFD", REFUND),
];

pub(crate) const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

pub(crate) fn tap() -> Tap {
    Tap::new("main", "sk_test_Example").return_url("https://shop.example/back")
}

pub(crate) fn customer() -> Customer {
    let customer = Customer::new().name("Layla Example");
    customer.email("layla@shop.example").phone("+966500000001")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The operations that the fixtures are about: 480.00 SAR for `order-1042`; of an earlier payment,
/// 300.00 captured, 120.00 refunded, or 480.00 released.
pub(crate) fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let (reference, amount, parent) = match kind {
        OperationKind::Capture => ("order-1042/capture", "300.00", Some(AUTHORIZATION)),
        OperationKind::Refund => ("order-1042/refund", "120.00", Some(PAID)),
        OperationKind::Void => ("order-1042/void", "480.00", Some(AUTHORIZATION)),
        OperationKind::Charge | OperationKind::Authorize | _ => ("order-1042", "480.00", None),
    };
    let money = money(amount, Currency::SAR);
    let mut call = Call::new(kind, operation, reference, key, money);
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
    let status = StatusCode::from_u16(status).unwrap();
    Response::new(status, HeaderMap::new(), body.into())
}
