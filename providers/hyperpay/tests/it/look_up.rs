//! Look-ups: by the key, which several payments may share, then by the payment's id.

use payonce::provider::{LookUpStep, Provider, Query, Response};
use payonce::{OperationKind, Timestamp};
use payonce_hyperpay::HyperPay;
use serde_json::{Value, json};

use crate::kit::{charge, finding, key, reply};
use crate::script::{LIST, list, missing, one, path, payment, play, play_for};

const UNREADABLE: &str = "unclear: a reply could not be read";
const DONE: &str = "000.000.000";
const DECLINED: &str = "800.100.155";
const PENDING: &str = "000.200.000";

#[test]
fn a_payment_with_our_key_is_found() {
    let found = play(None, &[(LIST, list(&[payment("8a1", "DB", DONE)]))]);
    assert_eq!(found, "[8a1: succeeded 000.000.000 8a1 480.00 SAR; ours]");
}

/// Two charges under one key must both be seen: one of them is to be given back.
#[test]
fn every_payment_with_our_key_is_found() {
    let all = [
        payment("8a1", "DB", DECLINED),
        payment("8a2", "DB", DONE),
        payment("8a3", "DB", DONE),
    ];
    let expected = "[8a1: declined 800.100.155 - 8a1; ours]\
                    [8a2: succeeded 000.000.000 8a2 480.00 SAR; ours]\
                    [8a3: succeeded 000.000.000 8a3 480.00 SAR; ours]";
    assert_eq!(play(None, &[(LIST, list(&all))]), expected);
    assert_eq!(play(Some("8a2"), &[(LIST, list(&all))]), expected);
}

#[test]
fn nothing_with_our_key_is_absent_only_by_the_documented_answer() {
    assert_eq!(play(None, &[(LIST, missing())]), "absent");
    for (no_answer, expected) in [
        (list(&[]), UNREADABLE),
        (reply(200, "{}"), UNREADABLE),
        (reply(200, "[]"), UNREADABLE),
        (reply(200, "<html>"), UNREADABLE),
        (reply(200, ""), UNREADABLE),
        (reply(404, "<html>"), "unclear: the gateway answered 404"),
        (reply(404, "{}"), "unclear: the gateway answered 404"),
        (reply(401, "{}"), "unclear: the gateway answered 401"),
        (reply(429, "{}"), "unclear: the gateway answered 429"),
        (reply(500, "{}"), "unclear: the gateway answered 500"),
    ] {
        assert_eq!(play(None, &[(LIST, no_answer)]), expected);
    }
}

/// A page's session that is over says nothing of payments, and a throttled query nothing at all.
#[test]
fn a_query_that_was_not_carried_out_finds_nothing_and_rules_nothing_out() {
    for (status, code) in [
        (404, "200.300.404"),
        (404, "000.000.100"),
        (400, "700.400.580"),
        (200, "700.400.580"),
        (429, "800.120.100"),
    ] {
        let body = json!({ "result": { "code": code } }).to_string();
        let found = play(None, &[(LIST, reply(status, body))]);
        assert!(found.starts_with("unclear"), "{status} {code}: {found}");
    }
    for code in ["800.120.100", "000.000.000", ""] {
        let body = json!({ "result": { "code": code }, "payments": [payment("8a1", "DB", DONE)] });
        let found = play(None, &[(LIST, one(&body))]);
        assert_eq!(found, UNREADABLE, "{code}");
    }
}

#[test]
fn a_payment_that_a_reply_named_is_read_where_the_list_does_not_show_it() {
    let named = one(&payment("8a1", "DB", PENDING));
    let found = play(
        Some("8a1"),
        &[(LIST, missing()), (&path("8a1"), named.clone())],
    );
    assert_eq!(found, "[8a1: pending 8a1 000.200.000; ours]");
    let others = list(&[payment("8a2", "DB", DECLINED)]);
    let found = play(Some("8a1"), &[(LIST, others), (&path("8a1"), named)]);
    let expected = "[8a2: declined 800.100.155 - 8a2; ours][8a1: pending 8a1 000.200.000; ours]";
    assert_eq!(found, expected);
}

/// A decline must not be the last word while another payment is known to be somewhere.
#[test]
fn a_decline_is_not_all_while_a_named_payment_is_not_shown() {
    let declined = || list(&[payment("8a2", "DB", DECLINED)]);
    let gone = "unclear: the gateway does not show the payment that it named";
    let found = play(
        Some("8a1"),
        &[(LIST, declined()), (&path("8a1"), missing())],
    );
    assert_eq!(found, gone);
    let found = play(
        Some("8a1"),
        &[(LIST, declined()), (&path("8a1"), reply(500, ""))],
    );
    assert_eq!(found, "unclear: the gateway answered 500");
    let paid = list(&[payment("8a2", "DB", DONE)]);
    let found = play(Some("8a1"), &[(LIST, paid), (&path("8a1"), missing())]);
    assert_eq!(found, "[8a2: succeeded 000.000.000 8a2 480.00 SAR; ours]");
    let found = play(Some("8a1"), &[(LIST, missing()), (&path("8a1"), missing())]);
    assert_eq!(found, "absent");
}

#[test]
fn what_is_read_by_id_must_be_that_payment_and_ours() {
    let read = |payment: &Value| {
        play(
            Some("8a1"),
            &[(LIST, missing()), (&path("8a1"), one(payment))],
        )
    };
    assert_eq!(read(&payment("8a2", "DB", DONE)), UNREADABLE);
    let mut other = payment("8a1", "DB", DONE);
    other["merchantTransactionId"] = "ffffffffffffffffffffffffffffffff".into();
    assert_eq!(read(&other), "absent");
    other["merchantTransactionId"] = Value::Null;
    assert_eq!(read(&other), UNREADABLE);
}

#[test]
fn an_id_that_cannot_stand_in_a_path_is_not_put_there() {
    for id in ["", "8a1/../x", "8a 1", "8a1?x", "مدفوع", &"8".repeat(65)] {
        assert_eq!(play(Some(id), &[(LIST, missing())]), "absent");
    }
}

#[test]
fn an_entry_that_cannot_be_told_spoils_the_list() {
    let ours = payment("8a1", "DB", DECLINED);
    for field in ["id", "merchantTransactionId", "paymentType"] {
        let mut entry = payment("8a2", "DB", DONE);
        entry[field] = json!(7);
        let found = play(None, &[(LIST, list(&[ours.clone(), entry]))]);
        assert_eq!(found, UNREADABLE, "{field}");
    }
    let found = play(None, &[(LIST, list(&[ours, json!("payment")]))]);
    assert_eq!(found, UNREADABLE);
}

#[test]
fn payments_of_other_keys_are_not_ours() {
    let mut other = payment("8a2", "DB", DONE);
    for key in [
        "ffffffffffffffffffffffffffffffff",
        "0190B5A01C2D7E3F8A4B5C6D7E8F9A0B",
        "",
    ] {
        other["merchantTransactionId"] = key.into();
        assert_eq!(play(None, &[(LIST, list(&[other.clone()]))]), "absent");
    }
}

/// A refund from the console may carry the key of the charge. Goods must not leave for it then.
#[test]
fn a_payment_that_was_given_back_is_for_a_person_to_look_at() {
    let undone = "unclear: the gateway shows a refund or a void of it too";
    for kind in ["RF", "RV"] {
        let both = [payment("8a1", "DB", DONE), payment("8a2", kind, DONE)];
        assert_eq!(play(None, &[(LIST, list(&both))]), undone, "{kind}");
    }
    let refund = [payment("8a2", "RF", DONE)];
    let found = play_for(OperationKind::Refund, None, &[(LIST, list(&refund))]);
    assert_eq!(found, "[8a2: succeeded 000.000.000 8a2 480.00 SAR; ours]");
}

#[test]
fn another_kind_of_operation_is_no_answer_for_ours() {
    let both = [payment("8a1", "PA", DONE), payment("8a2", "CP", DONE)];
    let found = play_for(OperationKind::Authorize, None, &[(LIST, list(&both))]);
    let expected = "[8a1: succeeded 000.000.000 8a1 480.00 SAR; ours]\
                    [8a2: unknown: undocumented 200 000.000.000; -]";
    assert_eq!(found, expected);
}

#[test]
fn captures_refunds_and_voids_are_found_by_their_own_key() {
    for (kind, word) in [
        (OperationKind::Capture, "CP"),
        (OperationKind::Refund, "RF"),
        (OperationKind::Void, "RV"),
    ] {
        let ours = payment("8a5", word, DONE);
        let found = play_for(kind, None, &[(LIST, list(std::slice::from_ref(&ours)))]);
        assert_eq!(found, "[8a5: succeeded 000.000.000 8a5 480.00 SAR; ours]");
        let mut other = ours;
        other["referencedId"] = "8ac7a4a18f1d2c3b018f1d9a1b2c0002".into();
        let found = play_for(kind, None, &[(LIST, list(&[other]))]);
        assert_eq!(found, "[8a5: unknown: undocumented 200 000.000.000; -]");
    }
}

#[test]
fn one_payment_twice_on_the_list_is_one() {
    let paid = payment("8a1", "DB", DONE);
    let found = play(None, &[(LIST, list(&[paid.clone(), paid.clone()]))]);
    assert_eq!(found, "[8a1: succeeded 000.000.000 8a1 480.00 SAR; ours]");
    let declined = payment("8a1", "DB", DECLINED);
    let found = play(None, &[(LIST, list(&[declined, paid]))]);
    assert_eq!(
        found,
        "unclear: the gateway shows one payment in two states"
    );
}

#[test]
fn c43_another_amount_is_shown_as_it_is() {
    let mut other = payment("8a1", "DB", DONE);
    other["amount"] = "48000.00".into();
    let found = play(None, &[(LIST, list(&[other.clone()]))]);
    assert_eq!(found, "[8a1: succeeded 000.000.000 8a1 48000.00 SAR; ours]");
    other["result"]["code"] = DECLINED.into();
    let found = play(None, &[(LIST, list(&[other]))]);
    assert_eq!(
        found,
        "[8a1: unknown: mismatch 480.00 SAR 48000.00 SAR 8a1; -]"
    );
}

/// Asking another entity shows nothing, and so would prove nothing.
#[test]
fn an_entity_that_cannot_be_named_is_not_asked() {
    let (hyperpay, key) = (HyperPay::live("8ac7 ", "token"), key());
    let sent = Timestamp::from_millis(0);
    let query = Query::new(None, sent, sent);
    let replies: [Response; 0] = [];
    let step = hyperpay
        .look_up()
        .unwrap()
        .next(&charge(&key), &query, &replies);
    let LookUpStep::Done(found) = step else {
        panic!("{step:?}");
    };
    assert_eq!(
        finding(&found),
        "unclear: the entity id is none of HyperPay"
    );
}
