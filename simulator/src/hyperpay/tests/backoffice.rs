use super::{Bench, PAID, registrations};
use crate::EffectKind::{Authorize, Capture, Charge, Refund, Void};

#[test]
fn captures_take_parts_up_to_what_was_authorized() {
    let mut bench = Bench::new();
    let id = bench.authorized();
    let first = bench.manage(&id, "CP", "50.00");
    assert_eq!(first.result(), (200, PAID));
    assert_eq!(first.json["referencedId"], id.as_str());
    assert_eq!(first.json["amount"], "50.00");
    assert_eq!(first.json["merchantTransactionId"], "manage-CP");
    let over = bench.manage(&id, "CP", "42.01");
    assert_eq!(over.result(), (400, "700.400.100"));
    assert_eq!(bench.manage(&id, "CP", "42.00").code(), PAID);
    assert_eq!(bench.manage(&id, "CP", "0.01").code(), "700.400.100");
    let expected = [(Authorize, 9200), (Capture, 5000), (Capture, 4200)];
    assert_eq!(bench.moved(), expected);
    let capture = &bench.world.effects()[1];
    assert_eq!(capture.payment_id.as_deref(), Some(id.as_str()));
    assert_eq!(capture.provider_id, first.id());
    assert_eq!(capture.key.as_deref(), Some("manage-CP"));
}

#[test]
fn refunds_give_parts_back_up_to_what_was_taken() {
    let mut bench = Bench::new();
    let id = bench.charged();
    for _ in 0..2 {
        // The same reference twice is two refunds.
        assert_eq!(bench.manage(&id, "RF", "40.00").result(), (200, PAID));
    }
    let over = bench.manage(&id, "RF", "12.01");
    assert_eq!(over.result(), (400, "700.400.200"));
    assert_eq!(bench.manage(&id, "RF", "12.00").code(), PAID);
    assert_eq!(bench.moved().len(), 4);
    assert_eq!(bench.moved()[1], (Refund, 4000));
    // The rejected one is listed with the others.
    let listed = bench.query("manage-RF");
    let codes: Vec<&str> = listed.listed().iter().map(|(_, code)| *code).collect();
    assert_eq!(codes, [PAID, PAID, "700.400.200", PAID]);
    assert_eq!(listed.json["payments"][0]["referencedId"], id.as_str());
}

#[test]
fn a_capture_is_refunded_and_its_effect_belongs_to_the_authorization() {
    let mut bench = Bench::new();
    let id = bench.authorized();
    let capture = bench.manage(&id, "CP", "50.00").id();
    assert_eq!(bench.manage(&id, "RF", "1.00").code(), "700.400.520");
    assert_eq!(bench.manage(&capture, "RF", "50.01").code(), "700.400.200");
    assert_eq!(bench.manage(&capture, "RF", "50.00").code(), PAID);
    let refund = bench.world.effects().last().unwrap();
    assert_eq!((refund.kind, refund.amount), (Refund, 5000));
    assert_eq!(refund.payment_id.as_deref(), Some(id.as_str()));
}

#[test]
fn a_reversal_takes_back_the_whole_payment_once() {
    for (id, taken) in [
        (Bench::authorized as fn(&mut Bench) -> String, Authorize),
        (Bench::charged, Charge),
    ] {
        let mut bench = Bench::new();
        let id = id(&mut bench);
        assert_eq!(bench.manage(&id, "RV", "91.00").code(), "700.400.300");
        let reversed = bench.manage(&id, "RV", "");
        assert_eq!(reversed.result(), (200, PAID));
        assert_eq!(reversed.json["amount"], "92.00");
        assert_eq!(bench.manage(&id, "RV", "").result(), (400, "700.400.300"));
        let after = if taken == Charge {
            (bench.manage(&id, "RF", "1.00"), "700.400.200")
        } else {
            (bench.manage(&id, "CP", "1.00"), "700.400.100")
        };
        assert_eq!(after.0.code(), after.1);
        assert_eq!(bench.moved(), [(taken, 9200), (Void, 9200)]);
    }
}

#[test]
fn what_was_captured_refunded_or_settled_is_not_reversed() {
    let mut bench = Bench::new();
    let authorization = bench.authorized();
    let capture = bench.manage(&authorization, "CP", "1.00").id();
    let refunded = bench.charged();
    bench.manage(&refunded, "RF", "1.00");
    let settled = bench.charged();
    let open = bench.authorized();
    bench.wait(24 * 3600);
    for (id, code) in [
        (authorization, "700.400.300"),
        (capture, "700.400.530"),
        (refunded, "700.400.300"),
        (settled.clone(), "700.300.700"),
    ] {
        assert_eq!(bench.manage(&id, "RV", "").result(), (400, code));
    }
    // Then it is refunded; an authorization does not settle.
    assert_eq!(bench.manage(&settled, "RF", "92.00").code(), PAID);
    assert_eq!(bench.manage(&open, "RV", "").code(), PAID);
}

#[test]
fn what_is_not_there_or_another_entitys_is_not_touched_and_both_look_the_same() {
    let mut bench = Bench::new();
    let own = bench.authorized();
    bench.entity = "another".to_owned();
    for id in [own.as_str(), "unknown", "8ac7a4a0000000000000000000000099"] {
        for (kind, code) in [
            ("CP", "700.400.510"),
            ("RF", "700.400.520"),
            ("RV", "700.400.530"),
        ] {
            let answer = bench.manage(id, kind, "1.00");
            assert_eq!(answer.result(), (400, code), "{id}");
            assert!(answer.json.get("id").is_none());
        }
    }
    assert_eq!(bench.moved(), [(Authorize, 9200)]);
}

#[test]
fn another_kind_state_or_currency_of_payment_is_refused() {
    let mut bench = Bench::new();
    let charge = bench.charged();
    let declined = bench.charge(registrations::DECLINED, "order-0002").id();
    let pending = bench.charge(registrations::PENDING, "order-0003").id();
    assert_eq!(bench.manage(&charge, "CP", "1.00").code(), "700.400.510");
    assert_eq!(bench.manage(&declined, "RF", "1.00").code(), "700.400.520");
    assert_eq!(bench.manage(&declined, "RV", "").code(), "700.400.530");
    for kind in ["RF", "RV"] {
        assert_eq!(bench.manage(&pending, kind, "92.00").code(), "700.400.570");
    }
    let form = "paymentType=RF&amount=1.00&currency=USD";
    let answer = bench.post(&format!("/v1/payments/{charge}"), form);
    assert_eq!(answer.result(), (400, "700.100.500"));
    assert_eq!(bench.moved(), [(Charge, 9200)]);
}

#[test]
fn a_charge_to_review_has_moved_and_is_refunded() {
    let mut bench = Bench::new();
    let id = bench.charge(registrations::REVIEW, "order-0001").id();
    assert_eq!(bench.manage(&id, "RF", "92.00").code(), PAID);
    assert_eq!(bench.moved(), [(Charge, 9200), (Refund, 9200)]);
}

#[test]
fn a_refund_that_is_pending_keeps_its_amount_until_it_fails() {
    let mut bench = Bench::new();
    let id = bench.charged();
    bench.world.push_fault(crate::Fault::Processing);
    let refund = bench.manage(&id, "RF", "92.00").id();
    assert_eq!(bench.manage(&id, "RF", "1.00").code(), "700.400.200");
    bench
        .hyperpay(|hyperpay| hyperpay.settle(&refund, "800.100.152"))
        .unwrap();
    assert_eq!(bench.moved(), [(Charge, 9200)]);
    assert_eq!(bench.manage(&id, "RF", "92.00").code(), PAID);
}
