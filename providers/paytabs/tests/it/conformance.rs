//! The core's own kit: what the engine relies on, checked from outside.

use payonce::conformance::{Finds, Fixture, Kit, Means, Sought};
use payonce::{OperationKind, Source};
use payonce_paytabs::{PayTabs, Region};

use crate::fixtures::verdicts;
use crate::kit::{PARENT, PAYMENT, PROFILE, call, file, fixture, key, kind, recorded};
use crate::script::{list, missing};

const SERVER_KEY: &str = "SXJ9SENTINEL-Example";

const PAID: &[&str] = &["/tran_total", "/cart_amount", "/tran_ref"];
const CODE: &[&str] = &["/payment_result/response_code", "/tran_ref"];

/// Fixtures whose every field is changed, and the fields that are the answer.
const DECIDED: &[(&str, &[&str])] = &[
    // The amounts are what the engine compares with what was sent.
    ("charge/200_paid", PAID),
    ("charge/200_paid_unknown_fields", PAID),
    ("charge/200_paid_no_total", &["/cart_amount", "/tran_ref"]),
    ("charge/200_paid_no_cart", &["/tran_total", "/tran_ref"]),
    ("charge/200_paid_with_page", &[]),
    ("charge/200_held", &["/tran_ref"]),
    ("charge/200_pending", &["/tran_ref"]),
    ("charge/200_declined", CODE),
    ("charge/200_declined_with_page", &[]),
    ("charge/200_error_card", &["/tran_ref"]),
    ("charge/200_error_request", &["/tran_ref"]),
    ("charge/200_expired", CODE),
    ("charge/200_page", &["/tran_ref"]),
    ("charge/200_error_system", &[]),
    ("charge/409_duplicate", &[]),
    ("charge/400_invalid_request", &[]),
    ("charge/401_wrong_key", &[]),
    ("authorize/200_authorized", PAID),
    ("authorize/200_page", &["/tran_ref"]),
    ("capture/200_captured", PAID),
    ("capture/200_over_authorized", &["/tran_ref"]),
    ("refund/200_refunded", PAID),
    ("refund/200_refunded_other_parent", &[]),
    ("void/200_voided", PAID),
];

/// Where a change of one field may make another kind of answer, and which.
const BECOMES: &[(&str, &str, Means)] = &[
    // Without the page beside it, a result is a result.
    (
        "charge/200_paid_with_page",
        "/redirect_url",
        Means::Succeeded,
    ),
    (
        "charge/200_declined_with_page",
        "/redirect_url",
        Means::Declined,
    ),
    // And without a result beside it, a page is a page.
    (
        "charge/200_paid_with_page",
        "/payment_result",
        Means::ActionRequired,
    ),
    (
        "charge/200_declined_with_page",
        "/payment_result",
        Means::ActionRequired,
    ),
    // The parent that it names is what makes it another's.
    (
        "refund/200_refunded_other_parent",
        "/previous_tran_ref",
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
    becomes.fold(fixture, |fixture, (_, field, means)| {
        fixture.may_become(*field, *means)
    })
}

/// The list of all transactions with our key.
fn sought(name: &str, finds: Finds, fields: &[&str]) -> Sought {
    let entry = fixture(name).json().unwrap();
    Sought::new(name, &call(kind(name), &key()), [list(&[entry])], finds)
        .more([missing()])
        .decided_by(fields)
}

/// One that a reply named, and that the list does not show.
fn named(name: &str, finds: Finds, fields: &[&str]) -> Sought {
    let title = format!("{name} by its reference");
    let replies = [missing(), fixture(name)];
    Sought::new(title, &call(kind(name), &key()), replies, finds)
        .id(PAYMENT)
        .decided_by(fields)
}

fn all_sought() -> Vec<Sought> {
    let paid = Finds::One(Means::Succeeded);
    let in_list: &[&str] = &["/0/tran_total", "/0/cart_amount", "/0/tran_ref"];
    let alone: &[&str] = &["/tran_total", "/cart_amount"];
    let key = key();
    let charge = call(OperationKind::Charge, &key);
    vec![
        sought("charge/200_paid", paid, in_list),
        sought(
            "charge/200_declined",
            Finds::One(Means::Declined),
            &["/0/payment_result/response_code", "/0/tran_ref"],
        ),
        sought(
            "charge/200_held",
            Finds::One(Means::Pending),
            &["/0/tran_ref"],
        ),
        // A page that waits for its customer shows the same.
        sought("charge/200_pending", Finds::Nothing, &[]),
        sought("charge/200_error_system", Finds::Nothing, &[]),
        sought("authorize/200_authorized", paid, in_list),
        sought("capture/200_captured", paid, in_list),
        sought("refund/200_refunded", paid, in_list),
        sought("void/200_voided", paid, in_list),
        named("charge/200_paid", paid, alone),
        named("refund/200_refunded", paid, alone),
        Sought::new("nothing", &charge, [missing()], Finds::Nothing),
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
    let region = Region::SaudiArabia;
    Kit::new(PayTabs::test(region, PROFILE, SERVER_KEY), SERVER_KEY)
        .twin(PayTabs::test(region, PROFILE, "another"))
        .source(Source::token("2C4652BE67A3EA30C6B390F2668178B9"))
        .source(Source::saved("2C4652BE67A3EA30C6B390F2668178B8", None))
        .source(Source::saved(
            "2C4652BE67A3EA30C6B390F2668178B9",
            Some("TST1"),
        ))
        .source(Source::hosted())
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("TST2633500000002")
        .odd_id(PAYMENT)
        .odd_id("TST2")
        .reads_by_post("/payment/query")
        .fixtures(fixtures.into_iter().map(told))
        .all_sought(all_sought())
        .check()
        .assert_ok();
}
