//! What the tests share: one order and the documented replies.

use payonce::conformance::Recorded;
use payonce::provider::{Call, IdempotencyKey, Response};
use payonce::{Currency, Money, OperationKind};
use payonce_adyen::Adyen;

pub(crate) const ACCOUNT: &str = "AcmeECOM";
pub(crate) const KEY: &str = "9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b";
pub(crate) const REFERENCE: &str = "order-1042";
/// The payment that the fixtures of payments show.
pub(crate) const PAYMENT: &str = "JLCMPCQ8HXSKGK82";
/// The capture, refund or void that the others show.
pub(crate) const CHANGE: &str = "WNS7WQ756L2GWR82";
/// The payment that is captured, refunded or voided.
pub(crate) const PARENT: &str = "993617894903480A";
pub(crate) const PAGE: &str =
    "https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=FixtureA1";
/// A card as Adyen's front-end code gives it, without a security code.
pub(crate) const TOKEN: &str = r#"{"type":"scheme","encryptedCardNumber":"eyJ1","encryptedExpiryMonth":"eyJ2","encryptedExpiryYear":"eyJ3"}"#;

pub(crate) fn adyen() -> Adyen {
    Adyen::test(ACCOUNT, "AQEexample")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The operation that the fixtures of a kind are about. 480.00 SAR were charged, or reserved and
/// 400.00 of them captured; 100.00 go back, or all is released.
pub(crate) fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let amount = match kind {
        OperationKind::Capture => "400.00",
        OperationKind::Refund => "100.00",
        OperationKind::Charge | OperationKind::Authorize | OperationKind::Void | _ => "480.00",
    };
    let money = money(amount, Currency::SAR);
    let call = Call::new(kind, operation, REFERENCE, key, money);
    match kind {
        OperationKind::Charge | OperationKind::Authorize => call,
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void | _ => {
            call.with_parent(PARENT)
        }
    }
}

/// The recorded replies, each in the folder of its kind.
pub(crate) fn recorded() -> Recorded {
    Recorded::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))
        .word("KEY", KEY)
        .word("PAYMENT", PAYMENT)
        .word("CHANGE", CHANGE)
        .word("PARENT", PARENT)
        .word("PAGE", PAGE)
}

/// One of them.
pub(crate) fn fixture(kind: OperationKind, name: &str) -> Response {
    recorded().reply(kind, name).unwrap()
}
