//! The core's own kit: what the engine relies on, checked from outside.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::{Finds, Fixture, Kit, Means, Shown, Sought};
use payonce::{Provider, Source};
use payonce_aps::{Aps, Keys};

use crate::kit::{
    KINDS, MERCHANT, PARENT, PAYMENT, RESPONSE_PHRASE, call, customer, key, recorded,
};
use crate::look_up::{Shows, of_order};
use crate::signed::Signed;
use crate::table::VERDICTS;

const ACCESS_CODE: &str = "SENTINEL1access";
const REQUEST_PHRASE: &str = "SENTINEL2phrase";
pub(crate) const PAGE: &str = "https://sbcheckout.payfort.com/FortAPI/general/3ds?t=FixtureA1";

/// Fixtures whose every field is changed, and the fields that are the answer.
const DECIDED: &[(OperationKind, &str, &[&str])] = &[
    // The amount is what the engine compares with what was sent.
    (Charge, "14000_paid", &["/amount", "/fort_id"]),
    (Charge, "14000_paid_numbers", &["/amount", "/fort_id"]),
    (
        Charge,
        "14000_paid_unknown_fields",
        &["/amount", "/fort_id"],
    ),
    (Charge, "20064_3ds", &["/fort_id"]),
    (Charge, "19065_pending", &["/fort_id"]),
    (
        Charge,
        "13666_declined",
        &["/acquirer_response_code", "/fort_id"],
    ),
    (Charge, "15777_uncertain", &[]),
    (Charge, "00007_duplicate", &[]),
    (Charge, "13784_still_processing", &[]),
    (Charge, "00027_extra_parameters", &[]),
    (Charge, "00010_access_code", &[]),
    (Charge, "12000_query_answer", &[]),
    (Authorize, "02000_held", &["/amount", "/fort_id"]),
    (Capture, "04000_captured", &["/amount"]),
    (Capture, "00042_over_authorized", &["/fort_id"]),
    (Refund, "06000_refunded", &["/amount"]),
    (Refund, "07666_declined", &["/fort_id"]),
    (Void, "08000_voided", &["/amount"]),
    (Void, "08000_no_amount", &[]),
];

fn fixtures(deep: bool) -> Vec<Fixture> {
    let key = key();
    let calls = KINDS.map(|kind| call(kind, &key));
    let all = recorded().word("PAGE", PAGE).fixtures(&calls, VERDICTS);
    let told = |fixture: Fixture| {
        let (kind, name) = (fixture.kind(), fixture.name().to_owned());
        let named = |(of, named, _): &&(OperationKind, &str, &[&str])| {
            (*of, *named) == (kind, name.as_str())
        };
        let fixture = match DECIDED.iter().find(named) {
            Some((.., fields)) if deep => fixture.decided_by(fields),
            // Under the signature of the gateway nothing can be changed.
            Some(_) => fixture.decided_by(&[]),
            None => fixture,
        };
        match (kind, name.as_str()) {
            (Void, "08000_no_amount") => fixture.shows(Shown::Nothing),
            _ => fixture,
        }
    };
    // A wrong signature is right there.
    let kept = |one: &Fixture| !deep || !one.name().contains("sign");
    all.unwrap().into_iter().filter(kept).map(told).collect()
}

/// The order under our key, or the change of one without.
fn sought(kind: OperationKind, shows: &Shows, finds: Finds, fields: &[&str]) -> Sought {
    let name = format!("{kind} {}", shows.code);
    Sought::new(name, &call(kind, &key()), [of_order(kind, shows)], finds).decided_by(fields)
}

fn all_sought(deep: bool) -> Vec<Sought> {
    let paid = Finds::One(Means::Succeeded);
    let declined = Finds::One(Means::Declined);
    let fields = |fields: &'static [&'static str]| if deep { fields } else { &[] };
    let nothing = |kind| {
        let gone = crate::look_up::nothing(kind);
        Sought::new("nothing", &call(kind, &key()), [gone], Finds::Absent)
    };
    let compared = |kind, before: &Shows, after: &Shows| {
        sought(kind, after, Finds::Nothing, &[]).before(of_order(kind, before))
    };
    let held = Shows::of("02000", "48000", "0", "0");
    vec![
        sought(
            Charge,
            &Shows::of("14000", "48000", "48000", "0"),
            paid,
            fields(&["/captured_amount", "/fort_id"]),
        ),
        sought(
            Charge,
            &Shows::of("13666", "0", "0", "0"),
            declined,
            fields(&["/fort_id", "/acquirer_response_code"]),
        ),
        sought(
            Charge,
            &Shows::of("20064", "0", "0", "0"),
            Finds::One(Means::Pending),
            fields(&["/fort_id"]),
        ),
        sought(
            Charge,
            &Shows::of("15777", "48000", "48000", "0"),
            Finds::Nothing,
            &[],
        ),
        nothing(Charge),
        sought(
            Authorize,
            &held,
            paid,
            fields(&["/authorized_amount", "/fort_id"]),
        ),
        sought(
            Authorize,
            &Shows::of("08000", "48000", "0", "0"),
            Finds::One(Means::Canceled),
            fields(&["/fort_id"]),
        ),
        sought(
            Refund,
            &Shows::of("06000", "48000", "48000", "12000"),
            paid,
            fields(&["/refunded_amount"]),
        ),
        nothing(Refund),
        compared(Capture, &held, &Shows::of("04000", "48000", "30000", "0")),
        compared(Void, &held, &Shows::of("08000", "48000", "0", "0")),
    ]
}

fn kit(adapter: impl Provider, twin: impl Provider, deep: bool) -> Kit {
    Kit::new(adapter, ACCESS_CODE)
        .secret(REQUEST_PHRASE)
        .secret(RESPONSE_PHRASE)
        .twin(twin)
        .source(Source::token("Op9Vmp"))
        .source(Source::token("Op9Vmp_2"))
        .return_url("https://shop.example/back")
        .customer(customer())
        .parent(PARENT)
        .parent("149295435400084010")
        .odd_id(PAYMENT)
        .odd_id("0")
        .reads_by_post("/FortAPI/paymentApi")
        // The gateway shows neither a reference of these nor when they were made.
        .never_found(Capture)
        .never_found(Void)
        .fixtures(fixtures(deep))
        .all_sought(all_sought(deep))
}

fn adapter(access_code: &str, request_phrase: &str) -> Aps {
    Aps::test(
        MERCHANT,
        Keys::new(access_code, request_phrase, RESPONSE_PHRASE),
    )
}

/// With every field changed, one by one: a new value, a null or a missing field settles nothing by
/// itself. The signature stops them all.
#[test]
fn c39_the_adapter_keeps_the_promises_of_the_kit() {
    let (own, twin) = (
        adapter(ACCESS_CODE, REQUEST_PHRASE),
        adapter("another", "another"),
    );
    kit(own, twin, false).check().assert_ok();
}

/// The same where the gateway itself signs what is changed, so that the fields must be read with
/// care.
#[test]
fn c39_it_keeps_them_where_the_signature_is_right() {
    let (own, twin) = (
        adapter(ACCESS_CODE, REQUEST_PHRASE),
        adapter("another", "another"),
    );
    // Noise was tried above.
    let kit = kit(Signed(own), Signed(twin), true).rounds(1);
    kit.check().assert_ok();
}
