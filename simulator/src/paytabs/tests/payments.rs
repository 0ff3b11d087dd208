//! Charges and authorizations, the guard, and the page.

use http::Method;
use serde_json::json;

use super::{Bench, Config, charge, page, tokens};
use crate::EffectKind::{Authorize, Charge};

#[test]
fn every_token_has_its_result() {
    for (token, letter, code, moved) in [
        (tokens::APPROVED, "A", "G00001", true),
        (tokens::APPROVED_TOO, "A", "G00001", true),
        (tokens::DECLINED, "D", "300", false),
        (tokens::INSUFFICIENT_FUNDS, "D", "316", false),
        (tokens::PENDING, "P", "600", false),
        (tokens::HELD, "H", "G00002", false),
        (tokens::SYSTEM_ERROR, "E", "400", false),
    ] {
        let mut bench = Bench::new();
        let answer = bench.charge(token, "order1");
        assert_eq!(answer.result(), (200, letter, code));
        assert_eq!(answer.json["cart_id"], "order1");
        assert_eq!(answer.json["tran_total"], "92.00");
        assert_eq!(answer.json["tran_type"], "Sale");
        assert!(answer.id().starts_with("TST"));
        assert_eq!(bench.moved() == [(Charge, 9200)], moved, "{token}");
        assert_eq!(bench.moved().len(), usize::from(moved), "{token}");
    }
}

#[test]
fn an_equal_request_is_refused_for_two_minutes_and_then_charges_again() {
    let mut bench = Bench::new();
    let first = bench.charge(tokens::APPROVED, "order1").id();
    bench.wait(119);
    let duplicate = bench.charge(tokens::APPROVED, "order1");
    assert_eq!(duplicate.error(), (409, 4));
    assert!(!duplicate.text.contains(&first), "it shows the first one");
    assert_eq!(bench.moved(), [(Charge, 9200)]);
    // A refused repetition does not begin the time anew.
    bench.wait(1);
    let second = bench.charge(tokens::APPROVED, "order1");
    assert_eq!(second.result().1, "A");
    assert_eq!(bench.moved(), [(Charge, 9200), (Charge, 9200)]);
    let list = bench.query("order1");
    assert_eq!(list.listed(), [("Sale", "A"), ("Sale", "A")]);
}

#[test]
fn another_amount_currency_or_cart_id_is_another_payment_at_once() {
    let mut bench = Bench::new();
    let first = charge(tokens::APPROVED, "order1");
    for body in [
        first.clone(),
        first.replace("92.00", "92.01"),
        first.replace("SAR", "AED"),
        first.replace("order1", "order2"),
        first.replace("987654", "987655"),
    ] {
        assert_eq!(bench.post(body.clone()).result().1, "A", "{body}");
        assert_eq!(bench.post(body.clone()).error(), (409, 4), "{body}");
    }
    assert_eq!(bench.moved().len(), 5);
}

#[test]
fn a_page_is_paid_once_and_never_after_its_end() {
    let mut bench = Bench::new();
    let answer = bench.post(page("order1"));
    let id = answer.id();
    assert!(answer.json["redirect_url"].is_string());
    assert!(answer.json.get("payment_result").is_none());
    assert!(bench.moved().is_empty());
    assert_eq!(bench.read(&id).result(), (200, "P", "600"));
    let path = format!("transactions/{id}/complete_action");
    let paid = bench.call(Method::POST, &path, json!({ "passed": true }));
    assert_eq!(paid.0, 200);
    assert_eq!(bench.moved(), [(Charge, 9200)]);
    assert_eq!(bench.query("order1").listed(), [("Sale", "A")]);
    assert!(
        bench
            .paytabs(|paytabs| paytabs.complete_action(&id, true))
            .is_err()
    );

    let late = bench.post(page("order2")).id();
    bench.wait(30 * 60);
    assert_eq!(bench.read(&late).result(), (200, "X", ""));
    assert!(
        bench
            .paytabs(|paytabs| paytabs.complete_action(&late, true))
            .is_err()
    );
    let refused = bench.post(page("order3")).id();
    bench
        .paytabs(|paytabs| paytabs.complete_action(&refused, false))
        .unwrap();
    assert_eq!(bench.read(&refused).result(), (200, "D", "310"));
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn a_card_may_want_its_customer() {
    let mut bench = Bench::new();
    let answer = bench.charge(tokens::REDIRECT, "order1");
    assert!(answer.json["redirect_url"].is_string());
    assert!(bench.moved().is_empty());
}

#[test]
fn a_reservation_is_a_movement_of_its_own() {
    let mut bench = Bench::new();
    bench.authorized();
    assert_eq!(bench.moved(), [(Authorize, 9200)]);
    let effect = &bench.world.effects()[0];
    assert_eq!(effect.key.as_deref(), Some("authorization"));
    assert!(effect.has_reference("order-1042"));
    assert_eq!(effect.account, "987654");
}

#[test]
fn live_profiles_have_other_references() {
    let mut bench = Bench::with(Config::default().live());
    assert!(
        !bench
            .charge(tokens::APPROVED, "order1")
            .id()
            .starts_with("TST")
    );
}
