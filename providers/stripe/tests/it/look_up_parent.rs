//! Look-ups of captures, refunds and voids, and of an authorization.

use payonce::OperationKind;
use payonce::provider::Response;
use serde_json::{Value, json};

use crate::kit::{KEY, PARENT, reply};
use crate::script::{missing, one, page, path, play_of};

const REFUNDS: &str = "/v1/refunds?payment_intent=pi_3FixtureA1&limit=100";
const UNREADABLE: &str = "unclear: a reply could not be read";

/// The payment as it stands, with the key of a capture of it or none.
fn parent(status: &str, received: i64, capture_key: Option<&str>) -> Value {
    let mut payment = json!({
        "id": PARENT, "object": "payment_intent", "status": status, "amount": 48_000,
        "amount_received": received, "currency": "sar", "cancellation_reason": null,
        "metadata": { "payonce_key": "the authorization's" },
    });
    if let Some(key) = capture_key {
        payment["metadata"]["payonce_capture_key"] = json!(key);
    }
    payment
}

fn captured(payment: &Value) -> String {
    play_of(
        OperationKind::Capture,
        None,
        &[(&path(PARENT), one(payment))],
    )
}

fn voided(payment: &Value) -> String {
    play_of(OperationKind::Void, None, &[(&path(PARENT), one(payment))])
}

#[test]
fn an_authorization_is_found_by_its_key() {
    let held = json!({
        "id": "pi_1", "object": "payment_intent", "status": "requires_capture", "amount": 48_000,
        "amount_capturable": 48_000, "amount_received": 0, "currency": "sar",
        "metadata": { "payonce_key": KEY },
    });
    let by_id = [(&*path("pi_1"), one(&held))];
    let found = play_of(OperationKind::Authorize, Some("pi_1"), &by_id);
    assert_eq!(
        found,
        "[pi_1: succeeded requires_capture pi_1 480.00 SAR; ours]"
    );
}

#[test]
fn a_capture_is_found_by_its_own_key() {
    let found = "[pi_3FixtureA1: succeeded succeeded pi_3FixtureA1 400.00 SAR; ours]";
    assert_eq!(captured(&parent("succeeded", 40_000, Some(KEY))), found);
    let found = "[pi_3FixtureA1: pending pi_3FixtureA1 processing; ours]";
    assert_eq!(captured(&parent("processing", 0, Some(KEY))), found);
}

#[test]
fn a_payment_that_waits_for_its_capture_shows_nothing_of_ours() {
    assert_eq!(captured(&parent("requires_capture", 0, None)), "absent");
}

/// Somebody else's capture is not ours, and says that ours cannot work any more: a person must see
/// it. Without any key it may even be ours, if the field was taken away.
#[test]
fn a_capture_of_another_is_never_ours() {
    for (status, words) in [
        ("succeeded", "succeeded succeeded pi_3FixtureA1 400.00 SAR"),
        ("processing", "pending pi_3FixtureA1 processing"),
    ] {
        let found = captured(&parent(status, 40_000, Some("another")));
        assert_eq!(found, format!("[pi_3FixtureA1: {words}; foreign]"));
        let found = captured(&parent(status, 40_000, None));
        assert_eq!(
            found,
            "unclear: the payment was captured, and no key says by whom"
        );
    }
    // Theirs did not work, nor did ours yet.
    let waits = captured(&parent("requires_capture", 0, Some("another")));
    assert_eq!(waits, "absent");
}

/// A canceled payment can never be captured, so no send of ours worked or will.
#[test]
fn a_capture_of_a_canceled_payment_never_happened() {
    for key in [None, Some(KEY), Some("another")] {
        let found = captured(&parent("canceled", 0, key));
        assert_eq!(
            found,
            "[pi_3FixtureA1: canceled canceled - pi_3FixtureA1; -]"
        );
    }
    let taken = captured(&parent("canceled", 10_000, None));
    assert!(taken.starts_with("unclear"), "{taken}");
}

#[test]
fn a_capture_that_is_there_and_not_there_is_in_doubt() {
    let found = captured(&parent("requires_capture", 0, Some(KEY)));
    assert_eq!(
        found,
        "[pi_3FixtureA1: unknown: undocumented 200 requires_capture; -]"
    );
    for status in ["requires_payment_method", "requires_action", "half_settled"] {
        let found = captured(&parent(status, 0, None));
        assert!(found.starts_with("unclear"), "{found}");
    }
    let mut odd = parent("succeeded", 40_000, None);
    odd["metadata"]["payonce_capture_key"] = json!(7);
    assert_eq!(captured(&odd), UNREADABLE);
    odd["metadata"] = Value::Null;
    assert_eq!(captured(&odd), UNREADABLE);
}

/// Whoever canceled it: nothing can be captured any more, which is what the void is for.
#[test]
fn a_canceled_payment_is_a_void() {
    let mut canceled = parent("canceled", 0, None);
    let found = "[pi_3FixtureA1: succeeded canceled pi_3FixtureA1 480.00 SAR; -]";
    assert_eq!(voided(&canceled), found);
    canceled["cancellation_reason"] = json!("automatic");
    assert_eq!(voided(&canceled), found);
    let part = voided(&parent("canceled", 10_000, None));
    assert_eq!(
        part,
        "[pi_3FixtureA1: succeeded canceled pi_3FixtureA1 380.00 SAR; -]"
    );
}

#[test]
fn a_void_of_a_captured_payment_never_happened() {
    let found = "[pi_3FixtureA1: rejected succeeded - pi_3FixtureA1; -]";
    assert_eq!(voided(&parent("succeeded", 48_000, None)), found);
}

#[test]
fn a_payment_that_can_be_canceled_is_not() {
    for status in [
        "requires_payment_method",
        "requires_capture",
        "requires_confirmation",
        "requires_action",
        "processing",
    ] {
        assert_eq!(voided(&parent(status, 0, None)), "absent", "{status}");
    }
    let odd = voided(&parent("half_settled", 0, None));
    assert!(odd.starts_with("unclear"), "{odd}");
}

#[test]
fn a_payment_that_cannot_be_read_is_unclear() {
    for kind in [OperationKind::Capture, OperationKind::Void] {
        let play = |reply: Response| play_of(kind, None, &[(&path(PARENT), reply)]);
        assert_eq!(
            play(missing()),
            "unclear: the gateway does not have the payment"
        );
        assert_eq!(play(reply(500, "")), "unclear: the gateway answered 500");
        assert_eq!(play(reply(200, "<html>")), UNREADABLE);
        let mut other = parent("canceled", 0, None);
        other["object"] = json!("charge");
        assert_eq!(play(one(&other)), UNREADABLE);
        other["object"] = json!("payment_intent");
        other["id"] = json!("pi_2");
        assert_eq!(play(one(&other)), UNREADABLE);
    }
}

fn refund(id: &str, status: &str, key: &str) -> Value {
    json!({
        "id": id, "object": "refund", "status": status, "amount": 10_000, "currency": "sar",
        "payment_intent": PARENT, "charge": "ch_1", "metadata": { "payonce_key": key },
    })
}

fn refunded(refunds: &[Value]) -> String {
    play_of(
        OperationKind::Refund,
        Some("re_1"),
        &[(REFUNDS, page(refunds, false))],
    )
}

#[test]
fn a_refund_is_found_by_its_key_among_those_of_the_payment() {
    let mut nameless = refund("re_0", "succeeded", KEY);
    nameless["metadata"] = json!({});
    let all = [
        refund("re_2", "succeeded", "other"),
        refund("re_1", "succeeded", KEY),
        nameless,
    ];
    assert_eq!(
        refunded(&all),
        "[re_1: succeeded succeeded re_1 100.00 SAR; ours]"
    );
    assert_eq!(refunded(&[]), "absent");
    assert_eq!(refunded(&all[..1]), "absent");
}

/// A second refund under one key is what a person must see.
#[test]
fn every_refund_with_the_key_is_found() {
    let both = [
        refund("re_2", "pending", KEY),
        refund("re_1", "failed", KEY),
    ];
    let expected = "[re_2: pending re_2 pending; ours][re_1: declined failed - re_1; ours]";
    assert_eq!(refunded(&both), expected);
}

#[test]
fn a_refund_of_another_amount_or_payment_is_held() {
    let mut odd = refund("re_1", "succeeded", KEY);
    odd["amount"] = json!(48_000);
    assert_eq!(
        refunded(&[odd]),
        "[re_1: succeeded succeeded re_1 480.00 SAR; ours]"
    );
    let mut odd = refund("re_1", "succeeded", KEY);
    odd["payment_intent"] = json!("pi_2");
    assert_eq!(refunded(&[odd]), "[re_1: unknown: unreadable 200; -]");
}

#[test]
fn a_list_of_refunds_that_cannot_be_read_whole_is_unclear() {
    let mut odd = refund("re_1", "succeeded", KEY);
    odd["metadata"] = Value::Null;
    assert_eq!(
        refunded(&[refund("re_2", "succeeded", KEY), odd]),
        UNREADABLE
    );
    let broken = [(REFUNDS, reply(500, ""))];
    let found = play_of(OperationKind::Refund, None, &broken);
    assert_eq!(found, "unclear: the gateway answered 500");
}

#[test]
fn refunds_are_read_page_by_page() {
    let second = format!("{REFUNDS}&starting_after=re_9");
    let script = [
        (REFUNDS, page(&[refund("re_9", "succeeded", "other")], true)),
        (&*second, page(&[refund("re_1", "succeeded", KEY)], false)),
    ];
    let found = play_of(OperationKind::Refund, None, &script);
    assert_eq!(found, "[re_1: succeeded succeeded re_1 100.00 SAR; ours]");

    let mut script = Vec::new();
    let mut path = REFUNDS.to_owned();
    for number in 0..10 {
        let id = format!("re_other{number}");
        let next = format!("{REFUNDS}&starting_after={id}");
        script.push((path, page(&[refund(&id, "succeeded", "other")], true)));
        path = next;
    }
    let script: Vec<(&str, Response)> = script
        .iter()
        .map(|(path, reply)| (path.as_str(), reply.clone()))
        .collect();
    let found = play_of(OperationKind::Refund, None, &script);
    assert_eq!(
        found,
        "unclear: there are more refunds of the payment than are read"
    );
}

#[test]
fn a_charge_has_its_own_list() {
    let path = "/v1/refunds?charge=ch_1&limit=100";
    let mut ours = refund("re_1", "succeeded", KEY);
    let ask = |refund: &Value| {
        let script = [(path, page(std::slice::from_ref(refund), false))];
        crate::script::play_with(OperationKind::Refund, "ch_1", &script)
    };
    assert_eq!(
        ask(&ours),
        "[re_1: succeeded succeeded re_1 100.00 SAR; ours]"
    );
    ours["charge"] = json!("ch_2");
    assert_eq!(ask(&ours), "[re_1: unknown: unreadable 200; -]");
}

/// What cannot stand in a path is not asked for, and says nothing.
#[test]
fn a_parent_of_the_wrong_form_is_never_asked_for() {
    for kind in [
        OperationKind::Capture,
        OperationKind::Refund,
        OperationKind::Void,
    ] {
        for parent in ["", "pi_1/../x", "re_1", "مدفوع"] {
            let found = crate::script::play_with(kind, parent, &[]);
            assert!(found.starts_with("unclear"), "{kind} {parent}: {found}");
        }
    }
}
