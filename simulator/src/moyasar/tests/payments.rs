use serde_json::json;

use super::*;
use crate::EffectKind::{Authorize, Charge};
use crate::moyasar::PaymentStatus;
use crate::{ActionKind, Fault, When};

#[test]
fn a_charge_shows_what_was_paid_and_is_one_effect() {
    let mut bench = Bench::new();
    let answer = bench.charged(ID);
    let payment = &answer.json;
    assert_eq!(answer.status, 201);
    assert_eq!(payment["id"], ID);
    assert_eq!(payment["status"], "paid");
    assert_eq!(payment["amount"], 10_000);
    assert_eq!(payment["amount_format"], "100.00 SAR");
    assert_eq!(payment["currency"], "SAR");
    assert_eq!(payment["refunded"], 0);
    assert_eq!(payment["captured"], 0);
    assert_eq!(payment["created_at"], "2027-01-15T08:00:00.000Z");
    for time in ["captured_at", "refunded_at", "voided_at"] {
        assert_eq!(payment[time], Value::Null, "{time}");
    }
    assert_eq!(payment["metadata"], json!({ "order": "order-1" }));
    assert_eq!(payment["source"]["token"], "token_visa");
    assert_eq!(payment["source"]["transaction_url"], Value::Null);
    assert_eq!(answer.header("date"), Some("Fri, 15 Jan 2027 08:00:00 GMT"));

    let effects = bench.world.effects_for("order-1");
    assert_eq!(effects.len(), 1);
    let effect = &effects[0];
    assert_eq!(
        (effect.kind, effect.amount, effect.currency.as_str()),
        (Charge, 10_000, "SAR")
    );
    assert_eq!(
        (effect.gateway.as_str(), effect.account.as_str()),
        ("moyasar", "merchant_shop")
    );
    assert_eq!(effect.provider_id, ID);
    assert_eq!(effect.key.as_deref(), Some(ID));
    assert_eq!((effect.request, effect.at), (Some(1), bench.now));
    assert_eq!(bench.world.requests()[0].key.as_deref(), Some(ID));
    assert_eq!(bench.read(ID), answer.json);
}

#[test]
fn an_authorization_reserves_and_takes_nothing() {
    let mut bench = Bench::new();
    let answer = bench.authorized(ID);
    assert_eq!(
        (answer.status, &answer.json["status"]),
        (201, &json!("authorized"))
    );
    assert_eq!(answer.json["captured"], 0);
    assert_eq!(bench.moved(), [(Authorize, 10_000)]);
}

#[test]
fn a_decline_is_201_and_moves_nothing() {
    let mut bench = Bench::new();
    let answer = bench.create(&with_token(ID, "token_insufficient_funds"));
    assert_eq!(
        (answer.status, &answer.json["status"]),
        (201, &json!("failed"))
    );
    assert_eq!(
        answer.json["source"]["message"],
        "DECLINED: insufficient_funds"
    );
    assert_eq!(answer.json["source"]["response_code"], "51");
    assert!(bench.moved().is_empty());
    assert_eq!(bench.read(ID)["status"], "failed");
    assert_eq!(refused(&bench.charged(ID)), INVALID, "the id is spent");
    assert_eq!(bench.charged(OTHER_ID).json["status"], "paid");
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}

#[test]
fn every_token_does_what_its_name_says() {
    let mut bench = Bench::new();
    let tokens = [
        ("token_visa", "paid"),
        ("token_visa_7", "paid"),
        ("token_mada", "paid"),
        ("token_mastercard", "paid"),
        ("token_declined", "failed"),
        ("token_declined_2", "failed"),
        ("token_insufficient_funds", "failed"),
        ("token_expired_card", "failed"),
        ("token_lost_card", "failed"),
        ("token_stolen_card", "failed"),
        ("token_do_not_honor", "failed"),
        ("token_3ds", "initiated"),
    ];
    for (number, (token, status)) in tokens.into_iter().enumerate() {
        let id = format!("00000000-0000-4000-9000-{number:012x}");
        let answer = bench.create(&with_token(&id, token));
        assert_eq!(answer.json["status"], status, "{token}");
    }
    assert_eq!(bench.moved(), [(Charge, 10_000); 4]);
}

#[test]
fn a_payment_without_given_id_has_an_id_of_its_own_and_no_key() {
    let mut bench = Bench::new();
    let mut body = charge(ID);
    body.as_object_mut().unwrap().remove("given_id");
    let (one, two) = (bench.create(&body), bench.create(&body));
    assert_ne!(one.id(), two.id());
    assert_eq!(
        bench.moved(),
        [(Charge, 10_000); 2],
        "a double click without a key is two charges"
    );
    assert_eq!(bench.world.effects()[0].key, None);
    // A given id that the counter would come to is passed over.
    let next = "00000000-0000-4000-8000-000000000003";
    assert_eq!(bench.charged(next).id(), next);
    assert_ne!(bench.create(&body).id(), next);
}

#[test]
fn the_currency_is_riyal_unless_it_is_said() {
    let mut bench = Bench::new();
    let mut body = charge(ID);
    body.as_object_mut().unwrap().remove("currency");
    assert_eq!(bench.create(&body).json["currency"], "SAR");
    for (currency, shown) in [
        ("KWD", "10.000 KWD"),
        ("JPY", "10000 JPY"),
        ("USD", "100.00 USD"),
    ] {
        body["currency"] = json!(currency);
        body["given_id"] = Value::Null;
        assert_eq!(bench.create(&body).json["amount_format"], shown);
    }
}

#[test]
fn faults_steer_a_payment_that_would_work() {
    let mut bench = Bench::new();
    bench.world.push_fault(Fault::decline("insufficient_funds"));
    let answer = bench.charged(ID);
    assert_eq!(
        (answer.status, &answer.json["status"]),
        (201, &json!("failed"))
    );
    assert_eq!(answer.json["source"]["response_code"], "51");

    bench.world.push_fault(Fault::RequireAction {
        kind: ActionKind::UseStripeSdk,
    });
    let answer = bench.charged(OTHER_ID);
    assert_eq!(answer.json["status"], "initiated");
    assert!(answer.json["source"]["transaction_url"].is_string());
    assert!(bench.moved().is_empty());
}

#[test]
fn a_payment_without_a_result_gets_it_later() {
    for (succeeded, status, effects) in [(true, "paid", 1), (false, "failed", 0)] {
        let mut bench = Bench::new();
        bench.world.push_fault(Fault::Processing);
        let answer = bench.charged(ID);
        assert_eq!(answer.json["status"], "initiated");
        assert_eq!(answer.json["source"]["transaction_url"], Value::Null);
        assert!(bench.moved().is_empty());
        let no_page = bench.moyasar(|moyasar| moyasar.complete_action(ID, true));
        assert!(no_page.unwrap_err().contains("settle"));
        bench
            .moyasar(|moyasar| moyasar.settle(ID, succeeded))
            .unwrap();
        assert_eq!(bench.read(ID)["status"], status);
        assert_eq!(bench.moved().len(), effects);
        assert!(bench.moyasar(|moyasar| moyasar.settle(ID, true)).is_err());
    }
}

#[test]
fn a_server_error_is_said_once_and_the_payment_tells_the_truth() {
    for (when, status, effects) in [(When::Before, 404, 0), (When::After, 200, 1)] {
        for fault in [Fault::stored_error(when), Fault::server_error(500, when)] {
            let mut bench = Bench::new();
            bench.world.push_fault(fault);
            assert_eq!(refused(&bench.charged(ID)), (500, "api_error"));
            assert_eq!(bench.moved().len(), effects);
            assert_eq!(bench.get(&format!("{PAYMENTS}/{ID}")).status, status);
            let again = bench.charged(ID);
            assert_eq!(again.status, if effects == 1 { 400 } else { 201 });
            assert_eq!(bench.moved(), [(Charge, 10_000)]);
        }
    }
}

#[test]
fn planted_changes_show_and_move_nothing() {
    let mut bench = Bench::new();
    bench.charged(ID);
    bench.moyasar(|moyasar| {
        let payment = moyasar.payment_mut(ID).unwrap();
        payment.amount = 1;
        payment.currency = "USD".to_owned();
        payment.status = PaymentStatus::Abandoned;
    });
    let shown = bench.read(ID);
    assert_eq!(
        (&shown["amount"], &shown["currency"]),
        (&json!(1), &json!("USD"))
    );
    assert_eq!(shown["status"], "abandoned");

    let copy = bench.moyasar(|moyasar| moyasar.copy_payment(ID)).unwrap();
    assert_eq!(bench.read(&copy)["metadata"]["order"], "order-1");
    let planted = bench.moyasar(|moyasar| {
        let planted = moyasar.plant_payment("merchant_shop", 700, "SAR");
        planted
            .metadata
            .insert("order".to_owned(), "order-2".to_owned());
        planted.id.clone()
    });
    assert_eq!(bench.read(&planted)["metadata"]["order"], "order-2");
    assert_eq!(bench.moved(), [(Charge, 10_000)]);
}
