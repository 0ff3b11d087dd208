//! What each group of result codes says of a charge: in the reply to a send, and in a look-up.

use payonce::Timestamp;
use payonce::provider::{LookUpStep, Provider, Query};
use payonce_hyperpay::HyperPay;

use crate::kit::{ENTITY, charge, finding, fixture, hyperpay, key, line, reply};

/// Code, verdict on a reply, and the same in a look-up where it differs.
const CODES: &[(&str, &str, Option<&str>)] = &[
    // 0a to 0f: single codes.
    ("800.120.100", "unknown", None),
    ("900.100.300", "unknown", None),
    ("900.100.301", "unknown", Some("declined")),
    ("000.400.030", "unknown", None),
    ("800.110.100", "repeated", None),
    ("000.100.105", "unknown", None),
    ("000.100.106", "unknown", None),
    ("000.300.100", "unknown", None),
    ("000.300.103", "unknown", None),
    ("000.310.100", "unknown", None),
    ("000.400.110", "unknown", None),
    ("000.400.120", "unknown", None),
    ("000.000.100", "unknown", None),
    // 1: success.
    ("000.000.000", "succeeded", None),
    ("000.100.110", "succeeded", None),
    ("000.300.000", "succeeded", None),
    ("000.600.000", "succeeded", None),
    // 2 to 4: review and pending.
    ("000.400.000", "pending", None),
    ("000.400.100", "pending", None),
    ("000.200.000", "pending", None),
    ("000.200.101", "pending", None),
    ("800.400.500", "pending", None),
    ("100.400.500", "pending", None),
    // 5, 6: risk, bank.
    ("000.400.101", "declined", None),
    ("000.400.200", "declined", None),
    ("800.100.151", "declined", None),
    ("800.700.100", "declined", None),
    ("800.800.102", "declined", None),
    // 7, 8: communication, system.
    ("900.100.400", "unknown", None),
    ("900.400.100", "unknown", None),
    ("800.500.100", "unknown", None),
    ("999.999.999", "unknown", None),
    ("600.100.100", "unknown", None),
    ("800.800.400", "unknown", None),
    // 9: the customer left.
    ("100.396.101", "unknown", Some("declined")),
    ("100.397.101", "unknown", Some("declined")),
    ("100.395.501", "unknown", Some("declined")),
    ("100.396.104", "unknown", None),
    // 10 to 15: declines.
    ("300.100.100", "declined", None),
    ("100.400.000", "declined", None),
    ("100.380.401", "declined", None),
    ("800.400.100", "declined", None),
    ("800.400.200", "declined", None),
    ("100.390.112", "declined", None),
    ("800.300.101", "declined", None),
    ("800.120.200", "declined", None),
    // 16 to 24: the request.
    ("600.200.500", "rejected", None),
    ("500.100.201", "rejected", None),
    ("800.121.100", "rejected", None),
    ("100.150.100", "rejected", None),
    ("100.250.100", "rejected", None),
    ("700.400.200", "rejected", None),
    ("700.400.570", "rejected", None),
    ("700.400.580", "rejected", None),
    ("200.300.404", "rejected", None),
    ("100.300.101", "rejected", None),
    ("800.900.100", "rejected", None),
    ("800.900.300", "unauthorized", None),
    ("100.800.100", "rejected", None),
    ("100.700.100", "rejected", None),
    ("100.900.100", "rejected", None),
    ("100.100.303", "declined", None),
    ("100.210.101", "declined", None),
    ("100.550.310", "rejected", None),
    // 25, 26, and no group.
    ("100.380.101", "declined", None),
    ("100.380.201", "declined", None),
    ("000.100.200", "unknown", None),
    ("000.500.000", "unknown", None),
    ("800.170.100", "unknown", None),
    ("000.000.00", "unknown", None),
    ("", "unknown", None),
];

/// The charge of the fixtures with another code.
fn payment(code: &str) -> serde_json::Value {
    let mut payment = fixture("charge/200_succeeded").json().unwrap();
    payment["result"]["code"] = code.into();
    payment
}

fn word(text: &str) -> &str {
    text.split([' ', ';', ':']).next().unwrap()
}

fn replied(hyperpay: &HyperPay, code: &str) -> String {
    let reply = reply(200, payment(code).to_string());
    line(&hyperpay.classify(&charge(&key()), &reply))
}

fn looked_up(hyperpay: &HyperPay, code: &str) -> String {
    let list = serde_json::json!({
        "result": { "code": "000.000.100" }, "payments": [payment(code)],
    });
    let sent = Timestamp::from_millis(1_796_036_000_000);
    let query = Query::new(None, sent, sent);
    let replies = [reply(200, list.to_string())];
    match hyperpay
        .look_up()
        .unwrap()
        .next(&charge(&key()), &query, &replies)
    {
        LookUpStep::Done(found) => finding(&found),
        LookUpStep::Ask(request) => panic!("asks for {}", request.path),
    }
}

#[test]
fn every_group_has_its_verdict() {
    let hyperpay = hyperpay();
    for (code, reply, found) in CODES {
        assert_eq!(word(&replied(&hyperpay, code)), *reply, "{code}");
        let found = found.unwrap_or(reply);
        let looked_up = looked_up(&hyperpay, code);
        let (_, in_list) = looked_up.split_once(": ").unwrap();
        assert_eq!(word(in_list), found, "{code} {looked_up}");
    }
}

/// Goods must not leave for a payment that only a test mode took.
#[test]
fn a_live_account_takes_no_test_mode_for_a_success() {
    let (live, test) = (HyperPay::live(ENTITY, "token"), hyperpay());
    for code in ["000.100.110", "000.100.111", "000.100.112"] {
        assert!(replied(&test, code).starts_with("succeeded"), "{code}");
        assert!(replied(&live, code).starts_with("unknown"), "{code}");
        assert!(looked_up(&live, code).contains(": unknown"), "{code}");
    }
    assert!(replied(&live, "000.000.000").starts_with("succeeded"));
}
