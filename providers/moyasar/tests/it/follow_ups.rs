//! Whole requests of captures, refunds and voids, byte for byte.

use payonce::OperationKind::{Capture, Refund, Void};
use payonce::provider::{Call, Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, OperationKind};

use crate::kit::{PARENT, REFERENCE, call, key, money, moyasar};

const FOLLOW_UPS: [OperationKind; 3] = [Capture, Refund, Void];

fn nothing() -> Details<'static> {
    Details::new(None, None, None, &[])
}

fn encode(call: &Call<'_>) -> Result<Request, EncodeError> {
    moyasar().encode(call, &nothing())
}

fn path(verb: &str) -> String {
    format!("/v1/payments/{PARENT}/{verb}")
}

/// Without an amount Moyasar would capture or refund everything.
#[test]
fn a_capture_and_a_refund_always_name_their_amount() {
    let key = key();
    for (kind, verb, body) in [
        (Capture, "capture", r#"{"amount":30000}"#),
        (Refund, "refund", r#"{"amount":12000}"#),
    ] {
        let request = encode(&call(kind, &key)).unwrap();
        assert_eq!(
            (request.method.as_str(), request.path),
            ("POST", path(verb))
        );
        assert_eq!(request.headers["content-type"], "application/json");
        assert_eq!(String::from_utf8(request.body).unwrap(), body);
    }
}

#[test]
fn an_amount_of_nothing_is_refused_and_a_small_part_is_not() {
    let key = key();
    for kind in [Capture, Refund] {
        let mut call = call(kind, &key);
        call.money = money("0.00", Currency::SAR);
        let error = encode(&call).unwrap_err().to_string();
        assert!(error.starts_with("amount"), "{kind}: {error}");
        call.money = money("0.50", Currency::SAR);
        assert_eq!(encode(&call).unwrap().body, br#"{"amount":50}"#);
    }
}

#[test]
fn a_void_is_of_the_whole_payment() {
    let key = key();
    let request = encode(&call(Void, &key)).unwrap();
    assert_eq!(
        (request.method.as_str(), request.path),
        ("POST", path("void"))
    );
    assert!(request.body.is_empty() && request.headers.is_empty());
}

/// The path decides whose money moves.
#[test]
fn a_parent_that_is_no_id_of_moyasar_is_refused() {
    let key = key();
    for kind in FOLLOW_UPS {
        let whole = call(kind, &key);
        let orphan = Call::new(kind, whole.operation, REFERENCE, &key, whole.money);
        assert!(
            encode(&orphan)
                .unwrap_err()
                .to_string()
                .starts_with("payment")
        );
        for bad in [
            "",
            "..",
            "a/b",
            "a?b",
            "a#b",
            "a%2Fb",
            "a b",
            "دفع",
            &"a".repeat(65),
        ] {
            let error = encode(&orphan.clone().with_parent(bad)).unwrap_err();
            assert!(error.to_string().starts_with("payment"), "{bad}: {error}");
        }
    }
}

/// They would be lost without a word.
#[test]
fn what_moyasar_does_not_take_here_is_refused() {
    let key = key();
    let metadata = [("basket".to_owned(), "7".to_owned())];
    for kind in FOLLOW_UPS {
        for (field, details) in [
            ("metadata", Details::new(None, None, None, &metadata)),
            ("description", Details::new(None, None, Some("late"), &[])),
        ] {
            let error = moyasar().encode(&call(kind, &key), &details).unwrap_err();
            assert!(error.to_string().starts_with(field), "{kind}: {error}");
        }
    }
}

/// The key is the ledger's alone, so any may be used, and none leaves.
#[test]
fn the_key_of_a_follow_up_is_not_sent() {
    let key = IdempotencyKey::new("ref-7f21-SENTINEL");
    for kind in FOLLOW_UPS {
        let rule = moyasar().rule(kind).unwrap();
        rule.key_format.value.check(&key).unwrap();
        let request = encode(&call(kind, &key)).unwrap();
        let sent = format!(
            "{} {:?} {}",
            request.path,
            request.headers,
            String::from_utf8(request.body).unwrap()
        );
        assert!(!sent.contains("SENTINEL"), "{sent}");
    }
}
