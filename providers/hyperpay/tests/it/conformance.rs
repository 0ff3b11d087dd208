//! The core's own kit: what the engine relies on, checked from outside.

use payonce::conformance::{Finds, Fixture, Kit, Means, Shown, Sought};
use payonce::{OperationKind, Source};
use payonce_hyperpay::HyperPay;

use crate::fixtures::verdicts;
use crate::kit::{ENTITY, PARENT, PAYMENT, call, file, fixture, key, kind, recorded};
use crate::script::{list, missing};

const TOKEN: &str = "OGFjN2E0SENTINELfHRlc3Q=";

/// Fixtures whose every field is changed, and the fields that are the answer.
const DECIDED: &[(&str, &[&str])] = &[
    // The amount is what the engine compares with what was sent.
    ("charge/200_succeeded", &["/amount", "/id"]),
    ("charge/200_succeeded_unknown_fields", &["/amount", "/id"]),
    ("charge/200_review", &["/id"]),
    ("charge/200_pending", &["/id"]),
    // Without its page a payment is pending. With less to do for the page it is a plain one.
    ("charge/200_redirect_get", &["/id"]),
    ("charge/200_redirect_post", &[]),
    ("charge/200_redirect_parameters", &[]),
    ("charge/400_declined", &["/id", "/resultDetails"]),
    ("charge/400_declined_with_redirect", &[]),
    (
        "charge/400_rejected_with_payment",
        &["/id", "/resultDetails"],
    ),
    ("charge/400_missing_parameter", &[]),
    ("charge/400_duplicate", &[]),
    ("charge/401_wrong_token", &[]),
    ("charge/200_timeout", &[]),
    ("charge/200_partly_failed", &[]),
    ("charge/200_query_answer", &[]),
    ("authorize/200_authorized", &["/amount", "/id"]),
    ("capture/200_captured", &["/amount", "/id"]),
    ("refund/200_refunded", &["/amount", "/id"]),
    ("refund/200_refunded_other_parent", &[]),
    ("refund/400_over_captured", &["/id", "/resultDetails"]),
    ("void/200_voided", &["/amount", "/id"]),
    ("void/200_voided_no_amount", &["/id"]),
];

/// Where a change of one field may make another kind of answer, and which.
const BECOMES: &[(&str, &str, Means)] = &[
    ("charge/200_redirect_get", "/redirect", Means::Pending),
    ("charge/200_redirect_post", "/redirect", Means::Pending),
    (
        "charge/200_redirect_parameters",
        "/redirect",
        Means::Pending,
    ),
    (
        "charge/200_redirect_parameters",
        "/redirect/parameters",
        Means::ActionRequired,
    ),
    (
        "charge/200_redirect_parameters",
        "/redirect/parameters/0",
        Means::ActionRequired,
    ),
    (
        "charge/400_declined_with_redirect",
        "/redirect",
        Means::Declined,
    ),
    // The parent that it names is what makes it another's.
    (
        "refund/200_refunded_other_parent",
        "/referencedId",
        Means::Succeeded,
    ),
];

fn told(fixture: Fixture) -> Fixture {
    let name = format!("{}/{}", fixture.kind(), fixture.name());
    let fixture = match DECIDED.iter().find(|(of, _)| *of == name) {
        Some((_, fields)) => fixture.decided_by(fields),
        None => fixture,
    };
    let becomes = BECOMES.iter().filter(|(of, ..)| *of == name);
    let fixture = becomes.fold(fixture, |fixture, (_, field, means)| {
        fixture.may_become(*field, *means)
    });
    if name == "void/200_voided_no_amount" {
        fixture.shows(Shown::Nothing)
    } else {
        fixture
    }
}

/// The list of all payments with our key. With another key in it there is nothing of ours.
fn sought(name: &str, finds: Finds, fields: &[&str]) -> Sought {
    let payment = fixture(name).json().unwrap();
    Sought::new(name, &call(kind(name), &key()), [list(&[payment])], finds)
        .more([missing()])
        .decided_by(fields)
        .absent_without(&["/payments/0/merchantTransactionId"])
}

fn all_sought() -> Vec<Sought> {
    let paid = Finds::One(Means::Succeeded);
    let amount: &[&str] = &["/payments/0/amount", "/payments/0/id"];
    let declined = Finds::One(Means::Declined);
    let nothing = Sought::new(
        "nothing",
        &call(OperationKind::Charge, &key()),
        [missing()],
        Finds::Absent,
    );
    vec![
        sought("charge/200_succeeded", paid, amount),
        sought(
            "charge/200_declined",
            declined,
            &["/payments/0/id", "/payments/0/resultDetails"],
        ),
        sought(
            "charge/200_pending",
            Finds::One(Means::Pending),
            &["/payments/0/id"],
        ),
        sought("charge/200_timeout", Finds::Nothing, &[]),
        sought("authorize/200_authorized", paid, amount),
        sought("capture/200_captured", paid, amount),
        sought("refund/200_refunded", paid, amount),
        sought("void/200_voided", paid, amount),
        nothing,
    ]
}

/// With every field changed, one by one: a new value, a null or a missing field settles nothing by
/// itself.
#[test]
fn c39_the_adapter_keeps_the_promises_of_the_kit() {
    let key = key();
    let table: Vec<_> = verdicts()
        .map(|(name, line)| (kind(name), file(name), *line))
        .collect();
    let calls: Vec<_> = OperationKind::all()
        .iter()
        .map(|kind| call(*kind, &key))
        .collect();
    let fixtures = recorded()
        .word("PAYMENT", PAYMENT)
        .fixtures(&calls, &table)
        .unwrap();
    Kit::new(HyperPay::test(ENTITY, TOKEN), TOKEN)
        .twin(HyperPay::test(ENTITY, "another"))
        .source(Source::token("8ac7a4a18f1d2c3b018f1d9a1b2c0a99"))
        .source(Source::saved("8ac7a4a18f1d2c3b018f1d9a1b2c0a98", None))
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("8ac7a4a18f1d2c3b018f1d9a1b2c0002")
        .odd_id(PAYMENT)
        .odd_id("8a2")
        .fixtures(fixtures.into_iter().map(told))
        .all_sought(all_sought())
        .check()
        .assert_ok();
}
