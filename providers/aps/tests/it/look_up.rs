//! Look-ups: what is asked, and what each answer finds.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::lines;
use payonce::provider::{IdempotencyKey, LookUpStep, Provider, Query, Response};
use payonce::{Currency, Doubt, Timestamp};
use serde_json::{Value, json};

use crate::kit::{KEY, MERCHANT, PARENT, PAYMENT, aps, call, key, money, reply};
use crate::signed::signed;

const SENT: Timestamp = Timestamp::from_millis(1_796_036_000_000);

/// What an order shows: its last operation and its totals.
#[derive(Debug)]
pub(crate) struct Shows {
    pub(crate) code: &'static str,
    authorized: &'static str,
    captured: &'static str,
    refunded: &'static str,
}

impl Shows {
    pub(crate) const fn of(
        code: &'static str,
        authorized: &'static str,
        captured: &'static str,
        refunded: &'static str,
    ) -> Self {
        Self {
            code,
            authorized,
            captured,
            refunded,
        }
    }
}

fn asked_by(kind: OperationKind) -> (&'static str, &'static str) {
    match kind {
        Charge | Authorize => ("merchant_reference", KEY),
        Refund => ("maintenance_reference", KEY),
        Capture | Void | _ => ("fort_id", PARENT),
    }
}

fn order(kind: OperationKind, shows: &Shows) -> Value {
    let (name, value) = asked_by(kind);
    let id = if matches!(kind, Charge | Authorize) {
        PAYMENT
    } else {
        PARENT
    };
    let mut order = json!({
        "query_command": "CHECK_STATUS", "access_code": "zx0IPmPy5jp1vAz8Kpg7",
        "merchant_identifier": MERCHANT, "language": "en", "fort_id": id,
        "response_code": "12000", "status": "12", "response_message": "Success",
        "transaction_status": state(shows.code), "transaction_code": shows.code,
        "transaction_message": "-", "authorized_amount": shows.authorized,
        "captured_amount": shows.captured, "refunded_amount": shows.refunded,
        "acquirer_response_code": "05",
    });
    order[name] = value.into();
    order
}

/// The status in a code.
fn state(code: &str) -> &str {
    code.get(..2).unwrap()
}

fn said(body: &Value) -> Response {
    signed(&reply(200, body.to_string()))
}

/// The reply to the query of an operation.
pub(crate) fn of_order(kind: OperationKind, shows: &Shows) -> Response {
    said(&order(kind, shows))
}

/// The reply that there is no such order.
pub(crate) fn nothing(kind: OperationKind) -> Response {
    let (name, value) = asked_by(kind);
    let mut body = json!({
        "query_command": "CHECK_STATUS", "response_code": "12036", "status": "12",
        "response_message": "Order not found",
    });
    body[name] = value.into();
    said(&body)
}

fn found(kind: OperationKind, baseline: Option<&str>, reply: Response) -> String {
    let (aps, key) = (aps(), key());
    let query = Query::new(None, SENT, SENT).with_baseline(baseline);
    match aps
        .look_up()
        .unwrap()
        .next(&call(kind, &key), &query, &[reply])
    {
        LookUpStep::Done(found) => lines::finding(&found)
            .replace(PAYMENT, "PAYMENT")
            .replace(PARENT, "PARENT"),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

fn shown(kind: OperationKind, code: &'static str, totals: [&'static str; 3]) -> String {
    let [authorized, captured, refunded] = totals;
    let shows = Shows::of(code, authorized, captured, refunded);
    found(kind, None, of_order(kind, &shows))
}

#[test]
fn each_is_asked_for_by_its_own_reference_or_by_its_order() {
    let (aps, key) = (aps(), key());
    for (kind, own) in [
        (Charge, format!("\"merchant_reference\":\"{KEY}\"")),
        (Authorize, format!("\"merchant_reference\":\"{KEY}\"")),
        (Refund, format!("\"maintenance_reference\":\"{KEY}\"")),
        (Capture, format!("\"fort_id\":\"{PARENT}\"")),
        (Void, format!("\"fort_id\":\"{PARENT}\"")),
    ] {
        for id in [None, Some(PAYMENT), Some("../x")] {
            let query = Query::new(id, SENT, SENT);
            let step = aps.look_up().unwrap().next(&call(kind, &key), &query, &[]);
            let LookUpStep::Ask(request) = step else {
                panic!("{step:?}")
            };
            assert_eq!(request.path, "/FortAPI/paymentApi");
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            let own: Value = serde_json::from_str(&format!("{{{own}}}")).unwrap();
            let mut expected = json!({
                "query_command": "CHECK_STATUS", "merchant_identifier": MERCHANT, "language": "en",
            });
            for (name, value) in own.as_object().unwrap() {
                expected[name] = value.clone();
            }
            assert_eq!(body, expected);
        }
    }
}

#[test]
fn a_charge_is_what_was_captured_whatever_came_after_it() {
    for code in ["14000", "06000", "07666", "07006"] {
        assert_eq!(
            shown(Charge, code, ["48000", "48000", "0"]),
            format!("[PAYMENT: succeeded {code} PAYMENT 480.00 SAR; ours]")
        );
    }
    for code in [
        "02000", "04000", "15777", "13006", "00007", "13784", "08000",
    ] {
        assert_eq!(
            shown(Charge, code, ["48000", "48000", "0"]),
            format!("[PAYMENT: unknown: undocumented 200 {code}; -]")
        );
    }
    // Nothing was taken, so it is none.
    for captured in ["0", "", "x", "480.00", "-48000"] {
        assert_eq!(
            shown(Charge, "14000", ["48000", captured, "0"]),
            "[PAYMENT: unknown: undocumented 200 14000; -]"
        );
    }
}

#[test]
fn an_authorization_is_what_was_held() {
    for code in ["02000", "04000", "05666", "06000", "07006", "09666"] {
        assert_eq!(
            shown(Authorize, code, ["48000", "30000", "0"]),
            format!("[PAYMENT: succeeded {code} PAYMENT 480.00 SAR; ours]")
        );
    }
    assert_eq!(
        shown(Authorize, "08000", ["48000", "0", "0"]),
        "[PAYMENT: canceled 08000 - PAYMENT; ours]"
    );
    // Released and taken at once: that cannot be.
    assert_eq!(
        shown(Authorize, "08000", ["48000", "30000", "0"]),
        "[PAYMENT: unknown: undocumented 200 08000; -]"
    );
    assert_eq!(
        shown(Authorize, "14000", ["48000", "48000", "0"]),
        "[PAYMENT: unknown: undocumented 200 14000; -]"
    );
}

#[test]
fn c43_another_amount_is_shown_as_it_is() {
    assert_eq!(
        shown(Charge, "14000", ["4800000", "4800000", "0"]),
        "[PAYMENT: succeeded 14000 PAYMENT 48000.00 SAR; ours]"
    );
    let mut other = order(Charge, &Shows::of("14000", "48000", "48000", "0"));
    other["currency"] = "USD".into();
    assert_eq!(
        found(Charge, None, said(&other)),
        "[PAYMENT: succeeded 14000 PAYMENT 480.00 USD; ours]"
    );
}

/// The total of the order holds ours: a smaller one does not.
#[test]
fn a_refund_is_found_by_its_own_reference() {
    for (refunded, expected) in [
        ("12000", "120.00"),
        ("20000", "120.00"),
        ("11999", "119.99"),
    ] {
        assert_eq!(
            shown(Refund, "06000", ["48000", "48000", refunded]),
            format!("[PARENT: succeeded 06000 PARENT {expected} SAR; ours]")
        );
    }
    assert_eq!(
        shown(Refund, "07666", ["48000", "48000", "0"]),
        "[PARENT: declined 07666 05 PARENT; ours]"
    );
    // That of the order is not that of the refund.
    for code in ["14000", "04000", "07006"] {
        assert_eq!(
            shown(Refund, code, ["48000", "48000", "12000"]),
            format!("[PARENT: unknown: undocumented 200 {code}; -]")
        );
    }
    let mut other = order(Refund, &Shows::of("06000", "48000", "48000", "12000"));
    other["fort_id"] = PAYMENT.into();
    assert_eq!(
        found(Refund, None, said(&other)),
        "unclear: a reply was about another payment"
    );
}

/// `12036` comes with the status of success (`12`). It proves nothing: unfinished payments may not
/// appear at all.
#[test]
fn nothing_is_found_only_by_the_word_for_it() {
    for kind in [Charge, Authorize, Refund] {
        assert_eq!(found(kind, None, nothing(kind)), "absent");
    }
    for code in ["11036", "00036", "12006", "12001", "00008"] {
        let mut body: Value = nothing(Charge).json().unwrap();
        body["response_code"] = code.into();
        body["status"] = state(code).into();
        assert_eq!(
            found(Charge, None, said(&body)),
            format!("unclear: the gateway answered {code}")
        );
    }
    let mut body: Value = nothing(Charge).json().unwrap();
    body["merchant_reference"] = "order-7".into();
    assert_eq!(
        found(Charge, None, said(&body)),
        "unclear: a reply was about another payment"
    );
}

#[test]
fn what_is_not_the_gateways_word_is_unclear() {
    let unreadable = "unclear: a reply could not be read, or is not signed by the gateway";
    let order = order(Charge, &Shows::of("14000", "48000", "48000", "0"));
    for body in [
        order.to_string(),
        String::new(),
        "<html>".into(),
        "[]".into(),
    ] {
        assert_eq!(found(Charge, None, reply(200, body)), unreadable);
    }
    for status in [201, 404, 429, 500] {
        let reply = signed(&reply(status, order.to_string()));
        assert_eq!(
            found(Charge, None, reply),
            format!("unclear: the gateway answered {status}")
        );
    }
}

#[test]
fn what_has_no_reference_is_not_asked_for() {
    let (aps, query) = (aps(), Query::new(None, SENT, SENT));
    let long = "a".repeat(41);
    for bad in ["", "a b", "a/b", long.as_str()] {
        let key = IdempotencyKey::new(bad);
        let step = aps
            .look_up()
            .unwrap()
            .next(&call(Charge, &key), &query, &[]);
        assert!(matches!(step, LookUpStep::Done(_)), "{bad}");
        let own = crate::kit::key();
        let mut capture = call(Capture, &own);
        capture.parent = Some(bad);
        let step = aps.look_up().unwrap().next(&capture, &query, &[]);
        assert!(matches!(step, LookUpStep::Done(_)), "{bad}");
    }
}

fn before(kind: OperationKind, reply: &Response) -> Result<String, Doubt> {
    let (aps, key) = (aps(), key());
    aps.baseline().unwrap().read(&call(kind, &key), reply)
}

/// The gateway does not say when a change was made, so it may be somebody else's from before our
/// send: never a success of ours.
#[test]
fn a_capture_or_void_that_may_have_worked_is_left_to_a_person() {
    let held = Shows::of("02000", "48000", "0", "0");
    let gone = |kind, shows: &Shows| {
        let before = before(kind, &of_order(kind, &held)).unwrap();
        found(kind, Some(&before), of_order(kind, shows))
    };
    for kind in [Capture, Void] {
        assert_eq!(gone(kind, &held), "unclear: the payment shows no change");
        for shows in [
            Shows::of("04000", "48000", "30000", "0"),
            Shows::of("08000", "48000", "0", "0"),
        ] {
            assert_eq!(
                gone(kind, &shows),
                format!(
                    "unclear: the payment changed after it was read, maybe by this {kind}: the \
                     gateway does not show when"
                )
            );
        }
        assert_eq!(
            found(kind, None, of_order(kind, &held)),
            "unclear: it is not known what the payment showed before"
        );
        assert_eq!(
            found(kind, Some("{}"), nothing(kind)),
            "unclear: the gateway does not show the payment"
        );
    }
}

/// Nothing is sent for a payment that was not read.
#[test]
fn a_payment_that_does_not_show_its_state_is_no_baseline() {
    let held = order(Void, &Shows::of("02000", "48000", "0", "0"));
    before(Void, &said(&held)).unwrap();
    before(Void, &reply(200, held.to_string())).unwrap_err();
    before(Void, &nothing(Void)).unwrap_err();
    for (field, wrong) in [
        ("fort_id", json!(PAYMENT)),
        ("authorized_amount", Value::Null),
        ("authorized_amount", json!("x")),
        ("captured_amount", json!("x")),
        ("transaction_status", json!("04")),
        ("transaction_code", Value::Null),
    ] {
        let mut other = held.clone();
        other[field] = wrong;
        before(Void, &said(&other)).unwrap_err();
    }
}

/// The gateway refuses a void of another amount than was authorized, so nothing is sent.
#[test]
fn a_void_of_another_amount_is_told_before_it_is_sent() {
    let other = of_order(Void, &Shows::of("02000", "30000", "0", "0"));
    let sar = |text| money(text, Currency::SAR);
    assert_eq!(
        before(Void, &other),
        Err(Doubt::Mismatch {
            sent: sar("480.00"),
            got: Some(sar("300.00")),
            provider_id: PARENT.to_owned(),
        })
    );
    before(Capture, &other).unwrap();
}
