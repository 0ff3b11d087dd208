//! Look-ups: by the key, which several transactions may share, then by the transaction's reference.

use payonce::OperationKind;
use serde_json::{Value, json};

use crate::kit::reply;
use crate::script::{LIST, list, missing, one, play, play_for, shown, transaction};

const UNREADABLE: &str = "unclear: a reply could not be read";
const NOTHING: &str = "unclear: the gateway shows no such payment, which proves nothing there";

#[test]
fn a_transaction_with_our_key_is_found() {
    let found = play(None, &[(LIST, list(&[transaction("TST1", "Sale", "A")]))]);
    assert_eq!(found, "[TST1: succeeded A TST1 480.00 SAR; ours]");
}

/// Two charges under one key must both be seen: one of them is to be given back.
#[test]
fn every_transaction_with_our_key_is_found() {
    let all = [
        transaction("TST1", "Sale", "D"),
        transaction("TST2", "Sale", "A"),
        transaction("TST3", "Sale", "A"),
        transaction("TST4", "Sale", "P"),
    ];
    let expected = "[TST1: declined 316 D TST1; ours]\
                    [TST2: succeeded A TST2 480.00 SAR; ours]\
                    [TST3: succeeded A TST3 480.00 SAR; ours]\
                    [TST4: unknown: the gateway waits, perhaps for the customer on its page; -]";
    assert_eq!(play(None, &[(LIST, list(&all))]), expected);
    assert_eq!(play(Some("TST2"), &[(LIST, list(&all))]), expected);
}

/// The query is documented for pages and forms only. A token's payment that it does not show may have
/// been made, and its absence must never be counted.
#[test]
fn nothing_is_never_an_absence() {
    for (status, expected) in [
        (404, NOTHING),
        (400, NOTHING),
        (200, NOTHING),
        (401, "unclear: the gateway answered 401"),
        (500, "unclear: the gateway answered 500"),
    ] {
        let mut none = missing();
        none.status = http::StatusCode::from_u16(status).unwrap();
        for kind in OperationKind::all().iter().copied() {
            assert_eq!(play_for(kind, None, &[(LIST, none.clone())]), expected);
        }
    }
    for (no_answer, expected) in [
        (list(&[]), UNREADABLE),
        (reply(200, "{}"), UNREADABLE),
        (reply(200, "<html>"), UNREADABLE),
        (reply(200, ""), UNREADABLE),
        (reply(200, r#"{"code":2}"#), UNREADABLE),
        (reply(404, "<html>"), "unclear: the gateway answered 404"),
        (
            reply(404, r#"{"code":2}"#),
            "unclear: the gateway answered 404",
        ),
        (reply(429, "{}"), "unclear: the gateway answered 429"),
    ] {
        assert_eq!(play(None, &[(LIST, no_answer)]), expected);
    }
}

/// The answer to the query by key is a list. A single object may be one of several.
#[test]
fn one_transaction_instead_of_a_list_is_no_answer() {
    let object = shown(&transaction("TST1", "Sale", "A"));
    assert_eq!(play(None, &[(LIST, object)]), UNREADABLE);
}

#[test]
fn a_transaction_that_a_reply_named_is_read_where_the_list_does_not_show_it() {
    let named = shown(&transaction("TST1", "Sale", "P"));
    let by_id = one("TST1");
    let found = play(Some("TST1"), &[(LIST, missing()), (&by_id, named.clone())]);
    assert_eq!(
        found,
        "[TST1: unknown: the gateway waits, perhaps for the customer on its page; -]"
    );
    let others = list(&[transaction("TST2", "Sale", "D")]);
    let found = play(Some("TST1"), &[(LIST, others), (&by_id, named)]);
    let expected = "[TST2: declined 316 D TST2; ours][TST1: unknown: the gateway waits, perhaps for the customer on its page; -]";
    assert_eq!(found, expected);
}

/// A decline must not be the last word while another transaction is known to be somewhere.
#[test]
fn a_decline_is_not_all_while_a_named_transaction_is_not_shown() {
    let declined = || list(&[transaction("TST2", "Sale", "D")]);
    let gone = "unclear: the gateway does not show the payment that it named";
    let by_id = one("TST1");
    let found = play(Some("TST1"), &[(LIST, declined()), (&by_id, missing())]);
    assert_eq!(found, gone);
    let found = play(
        Some("TST1"),
        &[(LIST, declined()), (&by_id, reply(500, ""))],
    );
    assert_eq!(found, "unclear: the gateway answered 500");
    let paid = list(&[transaction("TST2", "Sale", "A")]);
    let found = play(Some("TST1"), &[(LIST, paid), (&by_id, missing())]);
    assert_eq!(found, "[TST2: succeeded A TST2 480.00 SAR; ours]");
    let found = play(Some("TST1"), &[(LIST, missing()), (&by_id, missing())]);
    assert_eq!(found, gone);
}

/// An unpaid page shows `P` and no address. The customer must still be sent to the page that is known.
#[test]
fn what_waits_is_no_answer_for_a_payment_and_one_for_a_refund() {
    let play = |kind, word, letter| {
        play_for(
            kind,
            None,
            &[(LIST, list(&[transaction("TST1", word, letter)]))],
        )
    };
    let waits = "[TST1: unknown: the gateway waits, perhaps for the customer on its page; -]";
    assert_eq!(play(OperationKind::Charge, "Sale", "P"), waits);
    assert_eq!(play(OperationKind::Authorize, "Auth", "P"), waits);
    let pending = "[TST1: pending TST1 P; ours]";
    assert_eq!(play(OperationKind::Refund, "Refund", "P"), pending);
    let held = "[TST1: pending TST1 H; ours]";
    assert_eq!(play(OperationKind::Charge, "Sale", "H"), held);
}

#[test]
fn what_is_read_by_its_reference_must_be_that_transaction_and_ours() {
    let by_id = one("TST1");
    let read = |entry: &Value| {
        let script = [(LIST, missing()), (by_id.as_str(), shown(entry))];
        play(Some("TST1"), &script)
    };
    assert_eq!(read(&transaction("TST2", "Sale", "A")), UNREADABLE);
    let mut other = transaction("TST1", "Sale", "A");
    other["cart_id"] = "ffffffffffffffffffffffffffffffff".into();
    let gone = "unclear: the gateway does not show the payment that it named";
    assert_eq!(read(&other), gone);
    other["cart_id"] = Value::Null;
    assert_eq!(read(&other), UNREADABLE);
}

#[test]
fn an_id_that_is_none_of_paytabs_is_not_asked_for() {
    for id in ["", "TST1/../x", "TST 1", "مدفوع", &"8".repeat(65)] {
        assert_eq!(play(Some(id), &[(LIST, missing())]), NOTHING);
    }
}

#[test]
fn an_entry_that_cannot_be_told_spoils_the_list() {
    let ours = transaction("TST1", "Sale", "D");
    for field in ["tran_ref", "cart_id", "tran_type"] {
        let mut entry = transaction("TST2", "Sale", "A");
        entry[field] = json!(7);
        let found = play(None, &[(LIST, list(&[ours.clone(), entry]))]);
        assert_eq!(found, UNREADABLE, "{field}");
    }
    let found = play(None, &[(LIST, list(&[ours, json!("payment")]))]);
    assert_eq!(found, UNREADABLE);
}

#[test]
fn transactions_of_other_keys_are_not_ours() {
    let mut other = transaction("TST2", "Sale", "A");
    for key in [
        "ffffffffffffffffffffffffffffffff",
        "0190B5A01C2D7E3F8A4B5C6D7E8F9A0B",
        "",
    ] {
        other["cart_id"] = key.into();
        assert_eq!(play(None, &[(LIST, list(&[other.clone()]))]), NOTHING);
    }
}

/// A refund from the dashboard may carry the key of the charge. Goods must not leave for it then.
#[test]
fn a_payment_that_was_given_back_is_for_a_person_to_look_at() {
    let undone = "unclear: the gateway shows a refund or a void of it too";
    for kind in ["Refund", "refund", "Void", "Release"] {
        let both = [
            transaction("TST1", "Sale", "A"),
            transaction("TST2", kind, "A"),
        ];
        assert_eq!(play(None, &[(LIST, list(&both))]), undone, "{kind}");
    }
    let refund = [transaction("TST2", "Refund", "A")];
    let found = play_for(OperationKind::Refund, None, &[(LIST, list(&refund))]);
    assert_eq!(found, "[TST2: succeeded A TST2 480.00 SAR; ours]");
}

#[test]
fn another_kind_of_operation_is_no_answer_for_ours() {
    let both = [
        transaction("TST1", "Auth", "A"),
        transaction("TST2", "Capture", "A"),
    ];
    let found = play_for(OperationKind::Authorize, None, &[(LIST, list(&both))]);
    let expected = "[TST1: succeeded A TST1 480.00 SAR; ours]\
                    [TST2: unknown: undocumented 200 A; -]";
    assert_eq!(found, expected);
}

#[test]
fn captures_refunds_and_voids_are_found_by_their_own_key() {
    for (kind, word) in [
        (OperationKind::Capture, "Capture"),
        (OperationKind::Refund, "Refund"),
        (OperationKind::Void, "Void"),
    ] {
        let ours = transaction("TST5", word, "A");
        let found = play_for(kind, None, &[(LIST, list(std::slice::from_ref(&ours)))]);
        assert_eq!(found, "[TST5: succeeded A TST5 480.00 SAR; ours]");
        let mut other = ours;
        other["previous_tran_ref"] = "TST9".into();
        let found = play_for(kind, None, &[(LIST, list(&[other]))]);
        assert_eq!(found, "[TST5: unknown: undocumented 200 A; -]");
    }
}

#[test]
fn one_transaction_twice_on_the_list_is_one() {
    let paid = transaction("TST1", "Sale", "A");
    let found = play(None, &[(LIST, list(&[paid.clone(), paid.clone()]))]);
    assert_eq!(found, "[TST1: succeeded A TST1 480.00 SAR; ours]");
    let declined = transaction("TST1", "Sale", "D");
    let found = play(None, &[(LIST, list(&[declined, paid]))]);
    assert_eq!(
        found,
        "unclear: the gateway shows one payment in two states"
    );
}

#[test]
fn c43_another_amount_is_shown_as_it_is() {
    let mut other = transaction("TST1", "Sale", "A");
    other["tran_total"] = "48000.00".into();
    let found = play(None, &[(LIST, list(&[other.clone()]))]);
    assert_eq!(found, "[TST1: succeeded A TST1 48000.00 SAR; ours]");
    other["payment_result"]["response_status"] = "D".into();
    let found = play(None, &[(LIST, list(&[other]))]);
    assert_eq!(
        found,
        "[TST1: unknown: mismatch 480.00 SAR 48000.00 SAR TST1; -]"
    );
}
