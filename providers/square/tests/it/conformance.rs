//! The core's own kit: what the engine relies on, checked from outside.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::Source;
use payonce::conformance::{Finds, Fixture, Kit, Means, Sought};
use payonce_square::Square;
use serde_json::json;

use crate::kit::{
    KINDS, LOCATION, PARENT, REFUND, call, fixture, key, list, object, recorded, reply,
};
use crate::table::VERDICTS;

const SECRET: &str = "EAAA_SENTINEL_1";

/// The amounts and the id are what the engine compares with what was sent.
const PAID: &[&str] = &[
    "/payment/id",
    "/payment/total_money",
    "/payment/amount_money",
    "/payment/approved_money",
];
/// Fixtures whose every field is changed, and the fields that are the answer.
const DECIDED: &[(OperationKind, &str, &[&str])] = &[
    (Charge, "200_completed", PAID),
    (Charge, "200_pending", &["/payment/id"]),
    (Charge, "200_failed", &["/payment/id"]),
    (Charge, "200_canceled", &["/payment/id"]),
    (Charge, "200_approved", &[]),
    (Charge, "400_generic_decline", &[]),
    (Charge, "400_decline_with_payment", &["/errors", "/payment"]),
    (Charge, "400_token_used", &[]),
    (Charge, "400_invalid_value", &["/errors/0/field"]),
    (Charge, "400_key_reused", &[]),
    (Charge, "401_unauthorized", &[]),
    (Charge, "429_rate_limited", &[]),
    (Authorize, "200_approved", PAID),
    (Capture, "200_completed", &["/payment/total_money"]),
    (Capture, "400_bad_request", &[]),
    (Capture, "404_not_found", &[]),
    (
        Refund,
        "200_completed",
        &["/refund/id", "/refund/amount_money"],
    ),
    (Refund, "200_pending", &["/refund/id"]),
    (Refund, "400_amount_invalid", &[]),
    (Void, "200_canceled", &["/payment/total_money"]),
];

fn told(fixture: Fixture) -> Fixture {
    let (kind, name) = (fixture.kind(), fixture.name().to_owned());
    let decided = |(of, named, _): &&(OperationKind, &str, &[&str])| (*of, *named) == (kind, &name);
    match DECIDED.iter().find(decided) {
        Some((.., fields)) => fixture.decided_by(fields),
        None => fixture,
    }
}

/// The object of a fixture in a list, beside one of somebody else.
fn listed(kind: OperationKind, name: &str, finds: Finds) -> Sought {
    let (field, mark) = if kind == Refund {
        ("refunds", "reason")
    } else {
        ("payments", "reference_id")
    };
    let mut other = object(kind, name);
    other["id"] = json!("GQTFp1ZlXdpoW4o6eGiZhbjosiDFf");
    other[mark] = json!("table 7");
    let page = list(field, &[other, object(kind, name)]);
    let ours = format!("/{field}/1/{mark}");
    let sought = Sought::new(name, &call(kind, &key()), [page], finds);
    if matches!(finds, Finds::One(_)) {
        // A list without it is whole all the same.
        sought.absent_without(&[&ours, &format!("/{field}/1"), &format!("/{field}")])
    } else {
        sought
    }
}

/// The payment after a capture or void that had found it open.
fn changed(kind: OperationKind, name: &str) -> Sought {
    let shown = |name| reply(200, fixture(kind, name).body);
    let found = Finds::One(Means::Succeeded);
    Sought::new(name, &call(kind, &key()), [shown(name)], found)
        .before(shown("200_still_approved"))
        .decided_by(&["/payment/total_money"])
}

fn all_sought() -> Vec<Sought> {
    let paid = &[
        "/payments/1/id",
        "/payments/1/total_money",
        "/payments/1/amount_money",
        "/payments/1/approved_money",
    ];
    let by_id = |kind, id, name| {
        let found = Finds::One(Means::Succeeded);
        Sought::new(
            format!("{name} by id"),
            &call(kind, &key()),
            [fixture(kind, name)],
            found,
        )
        .id(id)
    };
    vec![
        listed(Charge, "200_completed", Finds::One(Means::Succeeded)).decided_by(paid),
        listed(Charge, "200_failed", Finds::One(Means::Declined)).decided_by(&["/payments/1/id"]),
        listed(Charge, "200_completed_other_reference", Finds::Absent),
        by_id(Charge, PARENT, "200_completed").decided_by(&PAID[1..]),
        listed(Authorize, "200_approved", Finds::One(Means::Succeeded)).decided_by(paid),
        changed(Capture, "200_completed"),
        listed(Refund, "200_completed", Finds::One(Means::Succeeded))
            .decided_by(&["/refunds/1/id", "/refunds/1/amount_money"]),
        by_id(Refund, REFUND, "200_completed").decided_by(&["/refund/amount_money"]),
        changed(Void, "200_canceled"),
    ]
}

#[test]
fn c39_the_adapter_keeps_the_promises_of_the_kit() {
    let key = key();
    let fixtures = recorded()
        .word("PAYID", PARENT)
        .word("REFID", REFUND)
        .fixtures(&KINDS.map(|kind| call(kind, &key)), VERDICTS)
        .unwrap();
    Kit::new(Square::sandbox(LOCATION, SECRET), SECRET)
        .twin(Square::sandbox(LOCATION, "EAAA_another"))
        .source(Source::token("cnon:card-nonce-ok"))
        .source(Source::token("cnon:another"))
        .source(Source::saved("ccof:customer-card-id-ok", Some("CUST1")))
        .parent(PARENT)
        .parent("GQTFp1ZlXdpoW4o6eGiZhbjosiDFf")
        .captures_whole()
        .fixtures(fixtures.into_iter().map(told))
        .all_sought(all_sought())
        .check()
        .assert_ok();
}
