use serde_json::json;

use super::*;
use crate::EffectKind::Charge;
use crate::moyasar::Repeat;
use crate::{Close, Fault, Next, When};

#[test]
fn a_second_creation_is_already_created_and_moves_nothing() {
    let mut bench = Bench::new();
    bench.charged(ID);
    bench.wait(10 * 365 * 24 * 3600);
    let again = bench.charged(ID);
    assert_eq!(refused(&again), INVALID);
    assert_eq!(again.json["message"], "Payment is already created");
    assert_eq!(bench.moved(), [(Charge, 10_000)], "an id never lives out");
}

#[test]
fn a_second_creation_can_get_the_payment_instead() {
    for (repeat, status) in [(Repeat::Stored, 200), (Repeat::StoredAsCreated, 201)] {
        let mut bench = Bench::with(Config::default().repeat(repeat));
        bench.charged(ID);
        bench.change(ID, "refund", &json!({ "amount": 100 }));
        let again = bench.charged(ID);
        assert_eq!((again.status, &again.json["id"]), (status, &json!(ID)));
        assert_eq!(
            again.json["refunded"], 100,
            "it is the payment as it is now"
        );
        assert_eq!(bench.moved().len(), 2);
    }
}

#[test]
fn another_payment_under_the_same_id_is_refused_whatever_the_setting() {
    for repeat in Repeat::ALL {
        let mut bench = Bench::with(Config::default().repeat(repeat));
        bench.charged(ID);
        for other in [with_token(ID, "token_mada"), authorize(ID), {
            let mut body = charge(ID);
            body["amount"] = json!(10_001);
            body
        }] {
            assert_eq!(refused(&bench.create(&other)), INVALID, "{repeat:?}");
        }
        assert_eq!(bench.moved(), [(Charge, 10_000)]);
        assert_eq!(bench.read(ID)["amount"], 10_000);
    }
}

#[test]
fn what_was_refused_does_not_spend_the_id() {
    let mut bench = Bench::new();
    let mut body = charge(ID);
    body["amount"] = json!(99);
    assert_eq!(bench.create(&body).status, 400);
    assert_eq!(bench.charged(ID).status, 201);
}

#[test]
fn an_id_belongs_to_an_account_in_one_mode() {
    let mut bench = Bench::new();
    for key in [SHOP, SHOP_LIVE, OTHER] {
        bench.key = key;
        assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, 404);
        assert_eq!(bench.charged(ID).status, 201);
        assert_eq!(bench.charged(ID).status, 400);
    }
    bench.key = SHOP_PUBLISHABLE;
    assert_eq!(bench.charged(ID).status, 400, "the same account");
    assert_eq!(bench.moved(), [(Charge, 10_000); 3]);
}

#[test]
fn an_idempotency_header_does_nothing() {
    let mut bench = Bench::new();
    for id in [ID, OTHER_ID] {
        let request = bench.post_request(PAYMENTS, &charge(id));
        let answer = bench.send(request.with_header("idempotency-key", "one"));
        assert_eq!(answer.status, 201);
    }
    assert_eq!(bench.moved(), [(Charge, 10_000); 2]);
}

#[test]
fn a_lost_reply_leaves_the_payment_under_its_id() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::ReplyLost {
        when: When::After,
        how: Close::Rst,
    });
    let request = bench.post_request(PAYMENTS, &charge(ID));
    bench.world.handle("moyasar", request, bench.now);
    assert_eq!(bench.read(ID)["status"], "paid");
    assert_eq!(bench.charged(ID).status, 400);
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}

#[test]
fn while_the_first_is_in_progress_the_id_is_taken_and_cannot_be_read() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::HoldForEver { execute: true });
    let request = bench.post_request(PAYMENTS, &charge(ID));
    let Next::Held { ticket } = bench.world.arrive("moyasar", request, bench.now) else {
        panic!("not held");
    };
    assert_eq!(refused(&bench.charged(ID)), INVALID);
    assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, 404);
    assert_eq!(bench.charged(OTHER_ID).status, 201, "another id is free");
    assert_eq!(bench.moved().len(), 1);
    bench.world.release(ticket);
    bench.world.advance(ticket, bench.now);
    assert_eq!(bench.read(ID)["status"], "paid");
    assert_eq!(bench.moved().len(), 2);
}
