//! The core's own kit: what the engine relies on, checked from outside.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::Source;
use payonce::conformance::{Finds, Fixture, Kit, Means, Sought};
use payonce_stripe::Stripe;
use serde_json::json;

use crate::decided::{BECOMES, DECIDED};
use crate::kit::{KINDS, PARENT, call_of, fixture_of, key, recorded, reply};
use crate::{fixtures, verdicts};

const SECRET: &str = "sk_test_51SENTINEL";

fn told(fixture: Fixture) -> Fixture {
    let (kind, name) = (fixture.kind(), fixture.name().to_owned());
    let decided = |(of, named, _): &&(OperationKind, &str, &[&str])| (*of, *named) == (kind, &name);
    let fixture = match DECIDED.iter().find(decided) {
        Some((.., fields)) => fixture.decided_by(fields),
        None => fixture,
    };
    let becomes = BECOMES
        .iter()
        .filter(|(of, named, ..)| (*of, *named) == (kind, &name));
    becomes.fold(fixture, |fixture, (.., field, means)| {
        fixture.may_become(*field, *means)
    })
}

/// What an operation leaves at Stripe, read by its id. The amounts show as they are.
fn by_id(kind: OperationKind, name: &str, means: Means, fields: &[&str]) -> Sought {
    let shown = reply(200, fixture_of(kind, name).body);
    Sought::new(name, &call_of(kind, &key()), [shown], Finds::One(means)).decided_by(fields)
}

/// The same in a list. Without our object, or with another key in it, there is nothing of ours.
fn listed(kind: OperationKind, name: &str, means: Means, fields: &[&str]) -> Sought {
    let object = fixture_of(kind, name).json().unwrap();
    let shown = json!({ "object": "list", "data": [object], "has_more": false });
    let shown = reply(200, shown.to_string());
    let nothing = || reply(200, r#"{"data":[],"has_more":false}"#);
    // A payment is searched for, then in two lists.
    let replies = match kind {
        Charge | Authorize => vec![nothing(), shown],
        Capture | Refund | Void | _ => vec![shown],
    };
    Sought::new(name, &call_of(kind, &key()), replies, Finds::One(means))
        .more([nothing()])
        .decided_by(fields)
        .absent_without(&[
            "/data",
            "/data/0",
            "/data/0/metadata",
            "/data/0/metadata/payonce_key",
        ])
}

fn all_sought() -> Vec<Sought> {
    let paid: &[&str] = &["/data/0/amount", "/data/0/amount_received", "/data/0/id"];
    vec![
        listed(Charge, "200_succeeded", Means::Succeeded, paid),
        listed(
            Charge,
            "200_declined",
            Means::Declined,
            &["/data/0/id", "/data/0/last_payment_error"],
        ),
        listed(Charge, "200_processing", Means::Pending, &["/data/0/id"]),
        listed(
            Charge,
            "200_canceled",
            Means::Canceled,
            &["/data/0/id", "/data/0/cancellation_reason"],
        ),
        listed(
            Authorize,
            "200_authorized",
            Means::Succeeded,
            &["/data/0/amount", "/data/0/amount_capturable", "/data/0/id"],
        ),
        listed(
            Refund,
            "200_succeeded",
            Means::Succeeded,
            &["/data/0/amount", "/data/0/id"],
        ),
        listed(Refund, "200_pending", Means::Pending, &["/data/0/id"]),
        listed(
            Refund,
            "200_failed",
            Means::Declined,
            &["/data/0/id", "/data/0/failure_reason"],
        ),
        by_id(
            Capture,
            "200_captured",
            Means::Succeeded,
            &["/amount_received"],
        ),
        by_id(Capture, "200_processing", Means::Pending, &[]),
        by_id(
            Capture,
            "200_canceled",
            Means::Canceled,
            &["/cancellation_reason"],
        ),
        by_id(
            Void,
            "200_canceled",
            Means::Succeeded,
            &["/amount", "/amount_received"],
        ),
        by_id(Void, "200_succeeded", Means::Rejected, &[]),
    ]
}

/// With every field changed, one by one: a new value, a null or a missing field settles nothing by
/// itself.
#[test]
fn c39_the_adapter_keeps_the_promises_of_the_kit() {
    let key = key();
    let of = |kind: OperationKind, table: &[(&'static str, &'static str)]| -> Vec<_> {
        table
            .iter()
            .map(|(name, line)| (kind, *name, *line))
            .collect()
    };
    let verdicts = [
        of(Charge, fixtures::VERDICTS),
        of(Authorize, verdicts::AUTHORIZE),
        of(Capture, verdicts::CAPTURE),
        of(Refund, verdicts::REFUND),
        of(Void, verdicts::VOID),
    ];
    let fixtures = recorded()
        .fixtures(&KINDS.map(|kind| call_of(kind, &key)), &verdicts.concat())
        .unwrap();
    Kit::new(Stripe::new("main", SECRET), SECRET)
        .twin(Stripe::new("main", "rk_test_another"))
        .source(Source::token("pm_1Visa"))
        .source(Source::saved("pm_1Mada", Some("cus_1")))
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("pi_3FixtureA2")
        .odd_id("ch_3FixtureA1")
        .odd_id("pi_1/../x")
        .odd_id("pi_")
        .fixtures(fixtures.into_iter().map(told))
        .all_sought(all_sought())
        .rounds(40)
        .check()
        .assert_ok();
}
