//! What the gateway's documentation shows, and what the adapter's author tells the kit.

use http::{HeaderMap, StatusCode};
use payonce::conformance::{Fixture, Kit, Means};
use payonce::provider::{Call, IdempotencyKey, Provider, Response};
use payonce::{Currency, Money, OperationKind, Source};

pub(crate) const SECRET: &str = "sk_test_SENTINEL";

/// Kind of operation, name, status, body, what it means. `KEY` stands for the key.
const REPLIES: &[(OperationKind, &str, u16, &str, Means)] = &[
    (
        OperationKind::Charge,
        "200_paid",
        200,
        r#"{"id":"p_1","state":"paid","amount":"480.00","currency":"SAR","key":"KEY"}"#,
        Means::Succeeded,
    ),
    (
        OperationKind::Charge,
        "200_paid_no_key",
        200,
        r#"{"id":"p_1","state":"paid","amount":"480.00","currency":"SAR"}"#,
        Means::Held,
    ),
    (
        OperationKind::Charge,
        "402_no_money",
        402,
        r#"{"error":"no_money","key":"KEY"}"#,
        Means::Declined,
    ),
    (
        OperationKind::Charge,
        "409_in_use",
        409,
        r#"{"error":"key_in_use"}"#,
        Means::InProgress,
    ),
    (
        OperationKind::Charge,
        "500",
        500,
        r#"{"error":"internal"}"#,
        Means::Unknown,
    ),
    (
        OperationKind::Refund,
        "200_refunded",
        200,
        r#"{"id":"r_1","state":"refunded","amount":"480.00","currency":"SAR","key":"KEY"}"#,
        Means::Succeeded,
    ),
    (
        OperationKind::Void,
        "200_voided",
        200,
        r#"{"id":"p_0","state":"voided","amount":"480.00","currency":"SAR"}"#,
        Means::Succeeded,
    ),
];

/// The kit with all that is valid at the gateway.
pub(crate) fn kit(gateway: impl Provider) -> Kit {
    Kit::new(gateway, SECRET)
        .source(Source::token("tok_1"))
        .source(Source::saved("tok_2", None))
        .return_url("https://shop.example/back")
        .parent("p_0")
        .parent("p_9")
        .fixtures(REPLIES.iter().map(|(kind, name, status, body, means)| {
            let key = IdempotencyKey::new("0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b");
            let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
            let money = Money::parse("480.00", Currency::SAR).unwrap();
            let mut call = Call::new(*kind, operation, "order-1042", &key, money);
            call.parent = (*kind != OperationKind::Charge).then_some("p_0");
            let status = StatusCode::from_u16(*status).unwrap();
            let body = body.replace("KEY", key.as_str()).into_bytes();
            let reply = Response::new(status, HeaderMap::new(), body);
            Fixture::new(*name, &call, reply, *means)
        }))
}
