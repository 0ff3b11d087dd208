//! Orders: made once, and never a second time under their reference.

use serde_json::json;

use super::super::{Config, Duplicate};
use super::{Bench, authorization, code, purchase, text};
use crate::EffectKind::{Authorize, Charge};

#[test]
fn a_purchase_takes_and_an_authorization_holds() {
    let mut bench = Bench::new();
    let paid = bench.post(&purchase("a1"));
    assert_eq!((paid.status, code(&paid)), (200, "14000".to_owned()));
    assert_eq!(text(&paid, "status"), "14");
    assert_eq!(text(&paid, "merchant_reference"), "a1");
    assert_eq!(text(&paid, "amount"), "10000");
    assert_eq!(code(&bench.post(&authorization("a2"))), "02000");
    assert_eq!(bench.moved(), [(Charge, 10_000), (Authorize, 10_000)]);
    let effects = bench.world.effects_for("order-1");
    assert_eq!(effects.len(), 2);
    assert_eq!(effects[0].key.as_deref(), Some("a1"));
    assert_eq!(effects[0].account, "CycHZxVj");
}

/// The first result is not shown again.
#[test]
fn a_second_order_under_a_reference_is_refused_for_ever() {
    for (duplicate, expected) in [
        (Duplicate::OrderNumber, "00007"),
        (Duplicate::Reference, "00066"),
    ] {
        let mut bench = Bench::with(Config::default().duplicate(duplicate));
        bench.post(&purchase("a1"));
        bench.now = crate::testing::later(bench.now, 400 * 24 * 3600);
        let mut other = authorization("a1");
        other["amount"] = json!("1");
        for body in [purchase("a1"), other] {
            let answer = bench.post(&body);
            assert_eq!(code(&answer), expected);
            assert_eq!(text(&answer, "fort_id"), "");
        }
        assert_eq!(bench.moved().len(), 1);
        // Another merchant has references of its own.
        let mut theirs = purchase("a1");
        theirs["merchant_identifier"] = json!("Other");
        assert_eq!(code(&bench.post(&theirs)), "14000");
    }
}

#[test]
fn a_declined_order_moves_nothing_and_spends_its_reference() {
    let mut bench = Bench::new();
    for (token, message) in [
        ("declined", "666"),
        ("insufficient_funds", "029"),
        ("expired_card", "012"),
    ] {
        let mut body = purchase(token.replace('_', "").as_str());
        body["token_name"] = json!(token);
        assert_eq!(code(&bench.post(&body)), format!("13{message}"));
        body["token_name"] = json!("visa");
        assert_eq!(code(&bench.post(&body)), "00007");
    }
    assert!(bench.moved().is_empty());
}

#[test]
fn money_moves_when_the_customer_passes_and_never_twice() {
    for passed in [true, false] {
        let mut bench = Bench::new();
        let mut body = purchase("a1");
        body["token_name"] = json!("3ds");
        let answer = bench.post(&body);
        assert_eq!(code(&answer), "20064");
        assert!(text(&answer, "3ds_url").starts_with("https://"));
        assert!(bench.moved().is_empty());
        let id = text(&answer, "fort_id");
        bench.aps(|aps| aps.complete_action(&id, passed)).unwrap();
        bench
            .aps(|aps| aps.complete_action(&id, passed))
            .unwrap_err();
        assert_eq!(bench.moved().len(), usize::from(passed));
        let expected = if passed { "14000" } else { "13030" };
        let shown = bench.query("merchant_reference", "a1");
        assert_eq!(text(&shown, "transaction_code"), expected);
    }
    // Nobody is there to go to a page.
    let mut bench = Bench::new();
    let mut body = purchase("a1");
    body["token_name"] = json!("3ds");
    body["eci"] = json!("RECURRING");
    assert_eq!(code(&bench.post(&body)), "13030");
}
