//! The core's own kit: what the engine relies on, checked from outside.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::{Finds, Fixture, Kit, Means, Sought};
use payonce::provider::Response;
use payonce::{Currency, Source, Timestamp};
use payonce_tap::Tap;

use crate::kit::{
    AUTHORIZATION, CHARGE, KINDS, NEW, PAID, REFUND, WORDS, call, customer, fixture, key, recorded,
    reply,
};
use crate::table::VERDICTS;

const SECRET: &str = "sk_test_SENTINEL_1";
/// Before what the fixtures say that changed.
const SENT: Timestamp = Timestamp::from_millis(1_764_500_000_000);

/// Fixtures whose every field is changed, and the fields that are the answer.
const DECIDED: &[(OperationKind, &str, &[&str])] = &[
    // The amount is what the engine compares with what was sent.
    (Charge, "200_captured", &["/amount"]),
    (Charge, "200_captured_unknown_fields", &["/amount"]),
    (Charge, "200_initiated", &[]),
    (Charge, "200_declined", &[]),
    (Charge, "200_failed_duplicate", &[]),
    (Charge, "200_timed_out", &[]),
    (Charge, "200_expired", &[]),
    (Charge, "400_amount", &[]),
    (Charge, "400_source_used", &[]),
    (Charge, "401_wrong_secret", &[]),
    (Authorize, "200_authorized", &["/amount"]),
    (Capture, "200_captured", &["/amount"]),
    (Refund, "200_refunded", &["/amount"]),
    (Refund, "200_pending", &[]),
    (Void, "200_void", &["/amount"]),
];

/// Without its page a payment is pending.
const BECOMES: &[(&str, &str, Means)] = &[
    ("200_initiated", "/transaction", Means::Pending),
    ("200_initiated", "/transaction/url", Means::Pending),
];

fn told(fixture: Fixture) -> Fixture {
    let (kind, name) = (fixture.kind(), fixture.name().to_owned());
    let decided = |(of, named, _): &&(OperationKind, &str, &[&str])| (*of, *named) == (kind, &name);
    let Some((.., fields)) = DECIDED.iter().find(decided) else {
        return fixture;
    };
    let fixture = fixture.decided_by(fields);
    let becomes = BECOMES.iter().filter(|(of, ..)| *of == name);
    becomes.fold(fixture, |fixture, (_, field, means)| {
        fixture.may_become(*field, *means)
    })
}

/// A list of one object, with a name that no page states for any but charges.
fn list(name: &str, object: &Response) -> Response {
    let object = String::from_utf8(object.body.clone()).unwrap();
    let head = r#""object_type":"list","live_mode":false,"count":1,"has_more":false"#;
    reply(
        200,
        format!(r#"{{{head},"api_version":"V2","{name}":[{object}]}}"#),
    )
}

/// The object of a fixture, listed among all of the time.
fn listed(kind: OperationKind, name: &str, of: &str, finds: Finds) -> Sought {
    let key_field = if kind == Refund {
        "merchant"
    } else {
        "transaction"
    };
    let place = |field: &str| format!("/{of}/0/{field}");
    let list = list(of, &fixture(kind, name));
    Sought::new(name, &call(kind, &key()), [list], finds)
        .decided_by(&[&place("amount")])
        // Others need not give a reference.
        .absent_without(&[
            &place("reference"),
            &place(&format!("reference/{key_field}")),
        ])
}

/// The same, read by its id.
fn read(kind: OperationKind, name: &str, id: &str, finds: Finds) -> Sought {
    let shown = fixture(kind, name);
    let sought = Sought::new(format!("{name} by id"), &call(kind, &key()), [shown], finds);
    let sought = sought.id(id);
    if finds == Finds::One(Means::Succeeded) {
        sought.decided_by(&["/amount"])
    } else {
        sought
    }
}

fn all_sought() -> Vec<Sought> {
    let paid = Finds::One(Means::Succeeded);
    let declined = Finds::One(Means::Declined);
    let empty = r#"{"count":0,"has_more":false,"charges":[]}"#;
    let before = reply(200, fixture(Void, "200_still_authorized").body);
    vec![
        listed(Charge, "200_captured", "charges", paid),
        listed(Authorize, "200_authorized", "authorizes", paid),
        listed(Capture, "200_captured", "charges", paid),
        listed(Refund, "200_refunded", "refunds", paid),
        read(Charge, "200_captured", CHARGE, paid),
        read(Charge, "200_declined", CHARGE, declined),
        read(Charge, "200_timed_out", CHARGE, declined),
        read(Authorize, "200_captured", NEW, paid),
        read(Refund, "200_refunded", REFUND, paid),
        read(
            Charge,
            "200_failed_duplicate",
            CHARGE,
            Finds::One(Means::Repeated),
        ),
        Sought::new(
            "none",
            &call(Charge, &key()),
            [reply(200, empty)],
            Finds::Absent,
        ),
        Sought::new(
            "void",
            &call(Void, &key()),
            [fixture(Void, "200_void")],
            paid,
        )
        .sent(SENT)
        .before(before),
    ]
}

/// With every field changed, one by one: a new value, a null or a missing field settles nothing by
/// itself.
#[test]
fn c39_the_adapter_keeps_the_promises_of_the_kit() {
    let key = key();
    let recorded = WORDS.iter().fold(recorded(), |recorded, (word, text)| {
        recorded.word(*word, *text)
    });
    let calls = KINDS.map(|kind| call(kind, &key));
    let fixtures = recorded.fixtures(&calls, VERDICTS).unwrap();
    let tap = |secret: &str| Tap::new("main", secret).return_url("https://shop.example/back");
    let mut kit = Kit::new(tap(SECRET), SECRET)
        .twin(tap("sk_test_another"))
        .source(Source::token("tok_FixtureA1"))
        .source(Source::token("tok_FixtureA2"))
        .source(Source::hosted())
        .customer(customer())
        .currencies([Currency::SAR, Currency::KWD, Currency::BHD, Currency::AED])
        .odd_id(CHARGE)
        .odd_id("chg_")
        .fixtures(fixtures.into_iter().map(told))
        .all_sought(all_sought());
    for path in ["charges", "authorize", "refunds"] {
        kit = kit.reads_by_post(format!("/v2/{path}/list"));
    }
    kit.parent(AUTHORIZATION)
        .parent("auth_TS01Fixture0P9")
        .parent_of(Refund, PAID)
        .parent_of(Refund, "chg_TS01Fixture0P9")
        .check()
        .assert_ok();
}
