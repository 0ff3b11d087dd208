//! Captures, refunds and voids after a lost reply: what the payment showed before and shows now.

use payonce::OperationKind::{self, Capture, Refund, Void};
use payonce::conformance::lines;
use payonce::provider::{LookUpStep, Provider, Query};
use payonce::{Currency, Doubt, Timestamp};
use serde_json::{Value, json};

use crate::kit::{PARENT, call, key, money, moyasar, reply};

/// 2025-11-30T10:53:20.000Z.
const FIRST_SENT: Timestamp = Timestamp::from_millis(1_764_500_000_000);
const BEFORE: &str = "2025-11-30T10:53:19.999Z";
const AFTER: &str = "2025-11-30T10:53:20.001Z";
const EARLIER: &str = "2025-11-29T08:00:00.000Z";
const UNCHANGED: &str = "unclear: the payment shows no change";
const OTHER: &str = "unclear: the payment shows another change than ours";
const OTHER_TIME: &str = "unclear: the payment was changed at another time than ours";

/// A payment of 480.00 SAR with some fields as given.
fn payment(fields: &Value) -> Value {
    let mut payment = json!({
        "id": PARENT, "status": "paid", "amount": 48_000, "currency": "SAR", "fee": 0,
        "captured": 0, "captured_at": null, "refunded": 0, "refunded_at": null, "voided_at": null,
        "metadata": { "payonce_key": PARENT }, "source": { "type": "creditcard" },
    });
    for (name, value) in fields.as_object().unwrap() {
        payment[name] = value.clone();
    }
    payment
}

fn held() -> Value {
    payment(&json!({ "status": "authorized" }))
}

fn paid() -> Value {
    payment(&json!({}))
}

/// The payment with fields changed.
fn with(base: &Value, fields: &Value) -> Value {
    let mut changed = base.clone();
    for (name, value) in fields.as_object().unwrap() {
        changed[name] = value.clone();
    }
    changed
}

fn captured(at: &str) -> Value {
    let fields = json!({ "status": "captured", "captured": 30_000, "captured_at": at });
    with(&held(), &fields)
}

fn refunded(at: &str) -> Value {
    with(&paid(), &json!({ "refunded": 12_000, "refunded_at": at }))
}

fn voided(base: &Value, at: &str) -> Value {
    with(base, &json!({ "status": "voided", "voided_at": at }))
}

fn baseline(kind: OperationKind, payment: &Value) -> Result<String, Doubt> {
    let (moyasar, key) = (moyasar(), key());
    let reply = reply(200, payment.to_string());
    moyasar.baseline().unwrap().read(&call(kind, &key), &reply)
}

fn compared(kind: OperationKind, before: Option<&str>, now: &Value) -> String {
    let (moyasar, key) = (moyasar(), key());
    let query = Query::new(None, FIRST_SENT, FIRST_SENT).with_baseline(before);
    let replies = [reply(200, now.to_string())];
    let look_up = moyasar.look_up().unwrap();
    match look_up.next(&call(kind, &key), &query, &replies) {
        LookUpStep::Done(found) => lines::finding(&found).replace(PARENT, "PARENT"),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

/// What is found when the payment went from one to the other.
fn change(kind: OperationKind, before: &Value, now: &Value) -> String {
    compared(kind, Some(&baseline(kind, before).unwrap()), now)
}

#[test]
fn the_payment_is_read_before_and_after_in_the_same_way() {
    let (moyasar, key) = (moyasar(), key());
    for kind in [Capture, Refund, Void] {
        let call = call(kind, &key);
        let before = moyasar.baseline().unwrap().request(&call);
        assert_eq!(before.method, http::Method::GET);
        assert_eq!(before.path, format!("/v1/payments/{PARENT}"));
        let query = Query::new(Some("another"), FIRST_SENT, FIRST_SENT);
        let step = moyasar.look_up().unwrap().next(&call, &query, &[]);
        assert_eq!(step, LookUpStep::Ask(before));
    }
}

/// It is stored, and read again by a later version.
#[test]
fn the_stored_form_stays() {
    let stored = baseline(Refund, &refunded(EARLIER)).unwrap();
    assert_eq!(
        stored,
        r#"{"status":"paid","amount":48000,"currency":"SAR","captured":0,"refunded":12000,"#
            .to_owned()
            + r#""captured_at":null,"refunded_at":"2025-11-29T08:00:00.000Z","voided_at":null}"#
    );
}

#[test]
fn a_change_that_is_exactly_ours_is_found() {
    for (kind, before, now, expected) in [
        (
            Capture,
            held(),
            captured(AFTER),
            "captured PARENT 300.00 SAR",
        ),
        (Refund, paid(), refunded(AFTER), "paid PARENT 120.00 SAR"),
        (
            Void,
            held(),
            voided(&held(), AFTER),
            "voided PARENT 480.00 SAR",
        ),
        (
            Void,
            paid(),
            voided(&paid(), AFTER),
            "voided PARENT 480.00 SAR",
        ),
    ] {
        let expected = format!("[PARENT: succeeded {expected}; -]");
        assert_eq!(change(kind, &before, &now), expected, "{kind}");
    }
    // A refund beside an earlier one, and one that gives back the rest.
    let second = json!({ "refunded": 24_000, "refunded_at": AFTER });
    assert_eq!(
        change(Refund, &refunded(EARLIER), &with(&paid(), &second)),
        "[PARENT: succeeded paid PARENT 120.00 SAR; -]"
    );
    let all_but = json!({ "refunded": 36_000, "refunded_at": EARLIER });
    let all = json!({ "status": "refunded", "refunded": 48_000, "refunded_at": AFTER });
    assert_eq!(
        change(Refund, &with(&paid(), &all_but), &with(&paid(), &all)),
        "[PARENT: succeeded refunded PARENT 120.00 SAR; -]"
    );
    // Of a part that was captured the rest is less.
    let part = with(&captured(EARLIER), &json!({ "captured": 12_000 }));
    let back = json!({ "status": "refunded", "refunded": 12_000, "refunded_at": AFTER });
    assert_eq!(
        change(Refund, &part, &with(&part, &back)),
        "[PARENT: succeeded refunded PARENT 120.00 SAR; -]"
    );
}

/// The request may still be on its way. A second one would give the money back twice.
#[test]
fn no_change_proves_nothing() {
    for (kind, before) in [
        (Capture, held()),
        (Refund, paid()),
        (Refund, refunded(EARLIER)),
        (Void, held()),
    ] {
        assert_eq!(change(kind, &before, &before), UNCHANGED, "{kind}");
    }
}

/// A gateway next door carries it out in the millisecond in which it was sent.
#[test]
fn a_change_in_the_same_millisecond_may_be_ours() {
    let at = "2025-11-30T10:53:20.000Z";
    assert_ne!(change(Capture, &held(), &captured(at)), OTHER_TIME);
    assert_ne!(change(Refund, &paid(), &refunded(at)), OTHER_TIME);
}

/// Somebody did the same by hand before our request left.
#[test]
fn a_change_at_another_time_is_not_ours() {
    for at in [
        BEFORE,
        EARLIER,
        "2025-11-30T10:53:19.999Z",
        "2025-11-30T10:53:19Z",
        "yesterday",
        "",
    ] {
        assert_eq!(change(Capture, &held(), &captured(at)), OTHER_TIME, "{at}");
        assert_eq!(change(Refund, &paid(), &refunded(at)), OTHER_TIME, "{at}");
        let voided = voided(&held(), at);
        assert_eq!(change(Void, &held(), &voided), OTHER_TIME, "{at}");
    }
    let timeless = with(&refunded(AFTER), &json!({ "refunded_at": null }));
    assert_eq!(change(Refund, &paid(), &timeless), OTHER);
    // The total grew, but its time is that of the earlier refund.
    let stale = json!({ "refunded": 24_000 });
    let before = refunded(AFTER);
    assert_eq!(change(Refund, &before, &with(&before, &stale)), OTHER);
}

#[test]
fn another_amount_is_not_ours() {
    for (kind, before, now, field) in [
        (Capture, held(), captured(AFTER), "captured"),
        (Refund, paid(), refunded(AFTER), "refunded"),
    ] {
        for units in [1, 11_999, 12_001, 24_000, 29_999, 30_001, 48_000, -1] {
            let now = with(&now, &json!({ field: units }));
            assert_eq!(change(kind, &before, &now), OTHER, "{kind} {units}");
        }
    }
}

#[test]
fn a_change_beside_ours_is_held() {
    let beside = [
        json!({ "amount": 47_999 }),
        json!({ "currency": "USD" }),
        json!({ "status": "half_settled" }),
        json!({ "captured": 1 }),
        json!({ "refunded": 1 }),
        json!({ "captured_at": EARLIER }),
        json!({ "refunded_at": EARLIER }),
        json!({ "voided_at": EARLIER }),
    ];
    for (kind, before, now, own_time) in [
        (Capture, held(), captured(AFTER), "captured_at"),
        (Refund, paid(), refunded(AFTER), "refunded_at"),
        (Void, held(), voided(&held(), AFTER), "voided_at"),
    ] {
        for other in &beside {
            let expected = if other.get(own_time).is_some() {
                OTHER_TIME
            } else {
                OTHER
            };
            let found = change(kind, &before, &with(&now, other));
            assert_eq!(found, expected, "{kind} {other}");
        }
    }
}

/// A refund that left the status behind, or ran ahead of it, is no state that Moyasar documents.
#[test]
fn the_status_must_fit_the_total() {
    let full_too_soon = with(&refunded(AFTER), &json!({ "status": "refunded" }));
    assert_eq!(change(Refund, &paid(), &full_too_soon), OTHER);
    let before = with(
        &paid(),
        &json!({ "refunded": 36_000, "refunded_at": EARLIER }),
    );
    let not_yet = json!({ "refunded": 48_000, "refunded_at": AFTER });
    assert_eq!(change(Refund, &before, &with(&before, &not_yet)), OTHER);
}

#[test]
fn what_could_not_be_done_was_not_done_by_us() {
    let failed = payment(&json!({ "status": "failed" }));
    let back = json!({ "refunded": 12_000, "refunded_at": AFTER });
    for (kind, before, now) in [
        (Capture, paid(), captured(AFTER)),
        (Refund, held(), with(&held(), &back)),
        (Void, failed.clone(), voided(&failed, AFTER)),
    ] {
        assert_eq!(change(kind, &before, &now), OTHER, "{kind}");
    }
}

#[test]
fn another_payment_in_the_reply_is_no_answer() {
    let before = baseline(Refund, &paid()).unwrap();
    let other = with(&refunded(AFTER), &json!({ "id": crate::kit::KEY }));
    assert_eq!(
        compared(Refund, Some(&before), &other),
        "unclear: a reply was not about the payment"
    );
}

/// Without it nobody can tell what changed.
#[test]
fn a_baseline_that_is_missing_or_damaged_finds_nothing() {
    let unknown = "unclear: it is not known what the payment showed before";
    for before in [
        None,
        Some(""),
        Some("{}"),
        Some("[]"),
        Some("null"),
        Some(r#"["paid",48000,"SAR",0,0,null,null,null]"#),
    ] {
        assert_eq!(compared(Refund, before, &refunded(AFTER)), unknown);
    }
}

/// Nothing is sent then.
#[test]
fn a_payment_that_says_too_little_is_no_baseline() {
    let (moyasar, key) = (moyasar(), key());
    let read = |kind, reply| moyasar.baseline().unwrap().read(&call(kind, &key), &reply);
    for kind in [Capture, Refund, Void] {
        for status in [201, 302, 400, 401, 404, 429, 500] {
            let answer = reply(status, held().to_string());
            let problem = lines::doubt(&read(kind, answer).unwrap_err());
            assert_eq!(problem, format!("the gateway answered {status}"));
        }
        for body in ["", "<html>", "[]", "{}"] {
            assert!(read(kind, reply(200, body)).is_err(), "{body}");
        }
        for field in ["id", "status", "amount", "currency", "captured", "refunded"] {
            for bad in [json!(null), json!([]), json!("x"), json!(true)] {
                // Any text is a status.
                if (field, &bad) != ("status", &json!("x")) {
                    let payment = with(&held(), &json!({ field: bad }));
                    assert!(baseline(kind, &payment).is_err(), "{field} {bad}");
                }
            }
        }
        for field in ["captured_at", "refunded_at", "voided_at"] {
            let payment = with(&held(), &json!({ field: 7 }));
            assert!(baseline(kind, &payment).is_err(), "{field}");
        }
    }
}

/// The requests name no currency, and a void no amount: they would move other money than asked.
#[test]
fn a_payment_of_other_money_is_no_baseline() {
    for kind in [Capture, Refund, Void] {
        let dollars = with(&held(), &json!({ "currency": "USD" }));
        let Err(Doubt::Mismatch { got, .. }) = baseline(kind, &dollars) else {
            panic!("{kind} of other money")
        };
        assert_eq!(got, Some(money("480.00", Currency::USD)));
    }
    let more = with(&held(), &json!({ "amount": 50_000 }));
    assert!(matches!(baseline(Void, &more), Err(Doubt::Mismatch { .. })));
    assert!(baseline(Capture, &more).is_ok() && baseline(Refund, &more).is_ok());
}

/// A read may be late: an earlier refund of the same amount did not show before ours was sent. If
/// our clock is behind, its time looks as if it were after our send, and a customer would be told
/// of money that never came.
#[test]
fn a_clock_that_is_behind_does_not_make_an_earlier_change_ours() {
    use http::header::{DATE, HeaderValue};
    let (moyasar, key) = (moyasar(), key());
    let mut read = reply(200, paid().to_string());
    // Our clock says 10:53:20.000 when theirs is ten minutes further.
    let date = HeaderValue::from_static("Sun, 30 Nov 2025 11:03:20 GMT");
    read.headers.insert(DATE, date);
    let before = moyasar
        .baseline()
        .unwrap()
        .read(&call(Refund, &key), &read)
        .unwrap();
    for (at, found) in [
        ("2025-11-30T11:03:19.900Z", OTHER_TIME),
        ("2025-11-30T11:03:20.900Z", OTHER_TIME),
        (
            "2025-11-30T11:03:21.000Z",
            "[PARENT: succeeded paid PARENT 120.00 SAR; -]",
        ),
    ] {
        let now = compared(Refund, Some(&before), &refunded(at));
        assert_eq!(now, found, "{at}");
    }
}
