//! What the gateway's documentation shows, and what the adapter's author tells the kit.

use http::{HeaderMap, StatusCode};
use payonce::conformance::{Finds, Fixture, Kit, Means, Sought};
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
    let key = IdempotencyKey::new("0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b");
    Kit::new(gateway, SECRET)
        .source(Source::token("tok_1"))
        .source(Source::saved("tok_2", None))
        .return_url("https://shop.example/back")
        .parent("p_0")
        .parent("p_9")
        .fixtures(REPLIES.iter().map(|(kind, name, _, _, means)| {
            let fixture = Fixture::new(*name, &call(*kind, &key), reply(name, &key), *means);
            // The amount and the id are what is read from the reply; all else makes it none.
            match (kind, *name) {
                (OperationKind::Void, "200_voided") => fixture.decided_by(&["/amount"]),
                (_, "200_paid" | "200_refunded") => fixture.decided_by(&["/amount", "/id"]),
                (_, "402_no_money") => {
                    let fixture = fixture.reads("declined no_money - -; ours; kept");
                    fixture.decided_by(&[])
                }
                _ => fixture,
            }
        }))
        .all_sought(sought(&key))
}

/// Each look-up as it goes. With another key an object is not ours, and nothing else is absent.
fn sought(key: &IdempotencyKey) -> Vec<Sought> {
    let (charge, refund) = (OperationKind::Charge, OperationKind::Refund);
    let one = |kind, name, means| {
        let replies = [reply(name, key)];
        Sought::new(name, &call(kind, key), replies, Finds::One(means))
    };
    let body = r#"{"error":"no_such_payment"}"#;
    let missing = Response::new(StatusCode::NOT_FOUND, HeaderMap::new(), body.into());
    let before = r#"{"id":"p_0","state":"paid","amount":"480.00","currency":"SAR"}"#;
    let before = Response::new(StatusCode::OK, HeaderMap::new(), before.into());
    vec![
        one(charge, "200_paid", Means::Succeeded).decided_by(&["/amount", "/id"]),
        one(refund, "200_refunded", Means::Succeeded).decided_by(&["/amount", "/id"]),
        one(OperationKind::Void, "200_voided", Means::Succeeded)
            .before(before)
            .decided_by(&["/amount"]),
        Sought::new("nothing", &call(charge, key), [missing], Finds::Absent),
    ]
}

fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    let mut call = Call::new(kind, operation, "order-1042", key, money);
    call.parent = (kind != OperationKind::Charge).then_some("p_0");
    call
}

fn reply(name: &str, key: &IdempotencyKey) -> Response {
    let (.., status, body, _) = REPLIES.iter().find(|(_, of, ..)| *of == name).unwrap();
    let status = StatusCode::from_u16(*status).unwrap();
    let body = body.replace("KEY", key.as_str()).into_bytes();
    Response::new(status, HeaderMap::new(), body)
}
