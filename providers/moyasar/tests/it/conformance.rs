//! The core's own kit: what the engine relies on, checked from outside.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::{Finds, Fixture, Kit, Means, Shown, Sought};
use payonce::{Source, Timestamp};
use payonce_moyasar::Moyasar;

use crate::kit::{KEY, KINDS, PARENT, call, fixture, key, recorded, reply};
use crate::table::VERDICTS;

const SECRET: &str = "sk_test_SENTINEL_1";
/// Before what the fixtures say that changed.
const SENT: Timestamp = Timestamp::from_millis(1_764_500_000_000);
pub(crate) const PAGE: &str = "https://api.moyasar.com/v1/transaction_auths/FixtureA1/form";

/// Fixtures whose every field is changed, and the fields that are the answer.
const DECIDED: &[(OperationKind, &str, &[&str])] = &[
    // The amounts are what the engine compares with what was sent.
    (Charge, "201_paid", &["/amount"]),
    (Charge, "201_paid_unknown_fields", &["/amount"]),
    (Charge, "201_captured_part", &["/captured"]),
    (Charge, "200_refunded", &["/amount"]),
    (Charge, "200_voided", &[]),
    (Charge, "201_failed", &["/source"]),
    (Charge, "201_initiated", &[]),
    (Charge, "200_abandoned", &[]),
    (Charge, "400_validation", &["/errors"]),
    (Charge, "400_already_created", &[]),
    (Charge, "400_given_id_taken", &[]),
    (Charge, "401_wrong_secret", &[]),
    (Charge, "429_rate_limit", &[]),
    (Charge, "500_api_error", &[]),
    (Authorize, "201_authorized", &["/amount"]),
    (Capture, "200_captured", &["/captured"]),
    (Capture, "400_not_capturable", &["/errors"]),
    // Without the total the refund is not shown; a greater or lesser one shows as it is.
    (Refund, "200_part", &["/refunded"]),
    (Refund, "200_after_another", &["/refunded"]),
    (Refund, "200_full", &["/refunded"]),
    (Void, "200_voided", &["/amount"]),
];

/// By the text and the fields alone it is a refusal like any other: what has another name than the
/// id is wrong with something else.
const BECOMES: &[(&str, &str, Means)] = &[
    ("400_already_created", "/message", Means::Rejected),
    ("400_given_id_taken", "/errors", Means::Rejected),
    ("400_given_id_taken", "/errors/given_id", Means::Rejected),
];

fn told(mut fixture: Fixture) -> Fixture {
    let (kind, name) = (fixture.kind(), fixture.name().to_owned());
    // The reply to a refund shows what was refunded in all.
    if kind == Refund {
        fixture = fixture.shows(Shown::Total);
    }
    let decided = |(of, named, _): &&(OperationKind, &str, &[&str])| (*of, *named) == (kind, &name);
    if let Some((.., fields)) = DECIDED.iter().find(decided) {
        fixture = fixture.decided_by(fields);
    }
    let becomes = BECOMES.iter().filter(|(of, ..)| *of == name);
    becomes.fold(fixture, |fixture, (_, field, means)| {
        fixture.may_become(*field, *means)
    })
}

/// The payment of a fixture, as a look-up shows it.
fn sought(kind: OperationKind, name: &str, finds: Finds) -> Sought {
    let shown = reply(200, fixture(kind, name).body);
    Sought::new(name, &call(kind, &key()), [shown], finds).sent(SENT)
}

fn all_sought() -> Vec<Sought> {
    let compared = |kind, before, after| {
        let before = reply(200, fixture(kind, before).body);
        sought(kind, after, Finds::One(Means::Succeeded)).before(before)
    };
    vec![
        sought(Charge, "201_paid", Finds::One(Means::Succeeded)).decided_by(&["/amount"]),
        sought(Charge, "201_failed", Finds::One(Means::Declined)).decided_by(&["/source"]),
        sought(Charge, "201_initiated", Finds::One(Means::ActionRequired)),
        sought(Charge, "200_voided", Finds::One(Means::Canceled)),
        sought(Charge, "200_abandoned", Finds::Nothing),
        sought(Authorize, "201_authorized", Finds::One(Means::Succeeded)).decided_by(&["/amount"]),
        compared(Capture, "200_still_authorized", "200_captured"),
        compared(Refund, "200_nothing", "200_part"),
        compared(Void, "200_still_authorized", "200_voided"),
    ]
}

/// With every field changed, one by one: a new value, a null or a missing field settles nothing by
/// itself.
#[test]
fn c39_the_adapter_keeps_the_promises_of_the_kit() {
    let key = key();
    let fixtures = recorded()
        .word("KEY", KEY)
        .word("PARENT", PARENT)
        .word("PAGE", PAGE)
        .fixtures(&KINDS.map(|kind| call(kind, &key)), VERDICTS)
        .unwrap();
    Kit::new(Moyasar::new("main", SECRET), SECRET)
        // As it stands in HTTP Basic.
        .secret("c2tfdGVzdF9TRU5USU5FTF8xOg==")
        .twin(Moyasar::new("main", "sk_test_another"))
        .source(Source::token("token_1"))
        .source(Source::saved("token_2", None))
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("7c0a1d5e-6c1f-4d57-9a55-0d9f3c1c2b7b")
        .fixtures(fixtures.into_iter().map(told))
        .all_sought(all_sought())
        .check()
        .assert_ok();
}
