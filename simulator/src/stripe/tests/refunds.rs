use crate::EffectKind::{Charge, Refund};
use crate::Fault;
use crate::stripe::RefundStatus;
use crate::testing::{AUTHORIZE, Bench, PAYMENTS, REFUNDS};

#[test]
fn a_refund_without_an_amount_takes_all_that_is_left() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let form = format!("payment_intent={id}&amount=99&metadata[refund]=r-1&reason=duplicate");
    let part = bench.post(REFUNDS, "b", &form);
    assert_eq!(part.json["object"], "refund");
    assert_eq!(part.json["status"], "succeeded");
    assert_eq!(part.json["amount"], 99);
    assert_eq!(part.json["payment_intent"], id);
    assert_eq!(part.json["charge"], "ch_sim_000001");
    let rest = bench.post(REFUNDS, "c", &format!("payment_intent={id}"));
    assert_eq!(rest.json["amount"], 1000);
    assert_eq!(
        bench.moved(),
        [(Charge, 1099), (Refund, 99), (Refund, 1000)]
    );

    let effects = bench.world.effects_for("r-1");
    assert_eq!(effects.len(), 1);
    assert_eq!(effects[0].provider_id, part.id());
    assert_eq!(effects[0].payment_id.as_deref(), Some(id.as_str()));
}

#[test]
fn refunds_never_give_back_more_than_was_taken() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let refund = |amount: i64| format!("payment_intent={id}&amount={amount}");
    assert_eq!(bench.post(REFUNDS, "b", &refund(1100)).status, 400);
    assert_eq!(bench.post(REFUNDS, "c", &refund(600)).status, 200);
    assert_eq!(bench.post(REFUNDS, "d", &refund(500)).status, 400);
    assert_eq!(bench.post(REFUNDS, "e", &refund(499)).status, 200);
    let over = bench.post(REFUNDS, "f", &refund(1));
    assert_eq!(over.refused(), (400, "charge_already_refunded"));
    assert_eq!(
        bench.moved(),
        [(Charge, 1099), (Refund, 600), (Refund, 499)]
    );
}

#[test]
fn a_partly_captured_payment_is_refunded_up_to_what_was_captured() {
    let mut bench = Bench::new();
    let id = bench.post(PAYMENTS, "a", AUTHORIZE).id();
    let form = format!("payment_intent={id}");
    let early = bench.post(REFUNDS, "b", &form);
    assert_eq!(early.refused(), (400, "payment_intent_unexpected_state"));
    bench.post(
        &format!("{PAYMENTS}/{id}/capture"),
        "c",
        "amount_to_capture=700",
    );
    assert_eq!(
        bench
            .post(REFUNDS, "d", &format!("{form}&amount=701"))
            .status,
        400
    );
    assert_eq!(bench.post(REFUNDS, "e", &form).json["amount"], 700);
}

#[test]
fn a_refund_names_a_payment_or_a_charge_but_not_both() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let charge = "ch_sim_000001";
    assert_eq!(bench.post(REFUNDS, "b", "amount=1").status, 400);
    let both = format!("payment_intent={id}&charge={charge}&amount=1");
    assert_eq!(bench.post(REFUNDS, "c", &both).status, 400);
    assert_eq!(
        bench
            .post(REFUNDS, "d", &format!("charge={charge}&amount=1"))
            .status,
        200
    );
    assert_eq!(bench.post(REFUNDS, "e", "charge=ch_sim_000009").status, 404);
    assert_eq!(
        bench
            .post(REFUNDS, "f", "payment_intent=pi_sim_000009")
            .status,
        404
    );
    bench.secret = "sk_test_other".to_owned();
    assert_eq!(
        bench
            .post(REFUNDS, "g", &format!("charge={charge}&amount=1"))
            .status,
        404
    );
}

#[test]
fn a_refund_with_a_lost_reply_is_made_once_under_its_key() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    let form = format!("payment_intent={id}&amount=500");
    bench.world.push_fault(Fault::ReplyLost {
        when: crate::When::After,
        how: crate::Close::Fin,
    });
    let request = bench.post_request(REFUNDS, "b", &form);
    let lost = bench.world.handle("stripe", request, bench.now);
    assert_eq!(lost, crate::Delivery::Close(crate::Close::Fin));
    let again = bench.post(REFUNDS, "b", &form);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(bench.moved(), [(Charge, 1099), (Refund, 500)]);
}

#[test]
fn a_pending_refund_moves_money_when_it_succeeds_and_may_fail_later() {
    let mut bench = Bench::new();
    let id = bench.charged("a");
    bench.world.push_fault(Fault::Processing);
    let refund = bench.post(REFUNDS, "b", &format!("payment_intent={id}"));
    assert_eq!(refund.json["status"], "pending");
    assert_eq!(bench.moved(), [(Charge, 1099)]);
    let over = bench.post(REFUNDS, "c", &format!("payment_intent={id}&amount=1"));
    assert_eq!(
        over.error(),
        "charge_already_refunded",
        "a pending refund counts"
    );

    let settle = |bench: &mut Bench, status| {
        bench
            .stripe(|stripe| stripe.settle_refund(&refund.id(), status))
            .unwrap();
    };
    settle(&mut bench, RefundStatus::Succeeded);
    settle(&mut bench, RefundStatus::Succeeded);
    assert_eq!(bench.moved(), [(Charge, 1099), (Refund, 1099)]);
    settle(&mut bench, RefundStatus::Failed);
    let shown = bench.get(&format!("{REFUNDS}/{}", refund.id()));
    assert_eq!(shown.json["status"], "failed");
    assert_eq!(shown.json["failure_reason"], "unknown");
    let again = bench.post(REFUNDS, "d", &format!("payment_intent={id}"));
    assert_eq!(
        again.json["amount"], 1099,
        "a failed refund gives its amount back"
    );
}

#[test]
fn a_planted_payment_can_be_refunded() {
    let mut bench = Bench::new();
    let id = bench.stripe(|stripe| {
        let payment = stripe.plant_payment_intent("acct_shop", 5000, "eur");
        payment
            .metadata
            .insert("order".to_owned(), "orphan-1".to_owned());
        payment.id.clone()
    });
    assert!(bench.moved().is_empty());
    let refund = bench.post(REFUNDS, "a", &format!("payment_intent={id}"));
    assert_eq!((refund.status, &refund.json["amount"]), (200, &5000.into()));
}
