use serde_json::json;

use super::{Bench, ENTITY, PAID, charge, payments_of};
use crate::EffectKind::{Authorize, Charge};
use crate::hyperpay::{Config, registrations};

#[test]
fn a_charge_moves_money_once_and_echoes_what_was_asked() {
    let mut bench = Bench::new();
    let form = charge("order-0001")
        + "&merchantInvoiceId=invoice-7&customParameters[shop]=riyadh&shopperResultUrl=https://m.example/\
           &standingInstruction.mode=REPEATED&standingInstruction.type=UNSCHEDULED\
           &standingInstruction.source=MIT&customer.email=a@example.com&billing.country=SA";
    let answer = bench.post(&payments_of(registrations::APPROVED), &form);
    assert_eq!(answer.result(), (200, PAID));
    let shown = &answer.json;
    assert_eq!(shown["id"].as_str().map(str::len), Some(32));
    assert_eq!(shown["registrationId"], registrations::APPROVED);
    assert_eq!(shown["paymentType"], "DB");
    assert_eq!(shown["amount"], "92.00");
    assert_eq!(shown["currency"], "SAR");
    assert_eq!(shown["merchantTransactionId"], "order-0001");
    assert_eq!(shown["customParameters"], json!({ "shop": "riyadh" }));
    assert_eq!(shown["timestamp"], "2027-01-15 08:00:00+0000");
    assert!(shown["ndc"].as_str().unwrap().starts_with(ENTITY));
    assert!(shown["buildNumber"].is_string());
    assert!(shown.get("redirect").is_none() && shown.get("referencedId").is_none());

    assert_eq!(bench.moved(), [(Charge, 9200)]);
    let effect = &bench.world.effects()[0];
    assert_eq!(effect.account, ENTITY);
    assert_eq!(effect.key.as_deref(), Some("order-0001"));
    assert_eq!(effect.payment_id.as_deref(), shown["id"].as_str());
    assert_eq!((effect.currency.as_str(), effect.request), ("SAR", Some(1)));
    // Whatever field the merchant keeps its reference in, it finds its effects.
    for reference in ["order-0001", "invoice-7", "riyadh"] {
        assert_eq!(bench.world.effects_for(reference).len(), 1, "{reference}");
    }
}

#[test]
fn the_same_reference_twice_is_two_payments_and_both_are_listed() {
    let mut bench = Bench::new();
    let first = bench.charge(registrations::APPROVED, "order-0001");
    let second = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!((first.code(), second.code()), (PAID, PAID));
    assert_ne!(first.id(), second.id());
    assert_eq!(bench.moved(), [(Charge, 9200), (Charge, 9200)]);
    assert_eq!(
        bench.query("order-0001").listed(),
        [("DB", PAID), ("DB", PAID)]
    );
}

#[test]
fn an_account_that_refuses_repetitions_does_so_only_for_a_while() {
    let window = std::time::Duration::from_secs(60);
    let mut bench = Bench::with(Config::default().duplicate_window(window));
    bench.charge(registrations::APPROVED, "order-0001");
    bench.wait(59);
    let again = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(again.result(), (400, "800.110.100"));
    // Another reference, another entity and another kind of payment are no repetitions.
    bench.charge(registrations::APPROVED, "order-0002");
    bench.entity = "another".to_owned();
    bench.charge(registrations::APPROVED, "order-0001");
    bench.entity = ENTITY.to_owned();
    let authorize = charge("order-0001").replace("=DB", "=PA");
    bench.post(&payments_of(registrations::APPROVED), &authorize);
    assert_eq!(bench.moved().len(), 4);
    // The refused repetition does not begin the time anew: then money moves a second time.
    bench.wait(1);
    let late = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(late.result(), (200, PAID));
    let listed = bench.query("order-0001");
    let codes: Vec<&str> = listed.listed().iter().map(|(_, code)| *code).collect();
    assert_eq!(codes, [PAID, "800.110.100", PAID, PAID]);
}

#[test]
fn a_declined_charge_counts_as_the_first_one_for_repetitions() {
    let window = std::time::Duration::from_secs(60);
    let mut bench = Bench::with(Config::default().duplicate_window(window));
    bench.charge(registrations::DECLINED, "order-0001");
    let again = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(again.code(), "800.110.100");
    assert!(bench.moved().is_empty());
}

#[test]
fn every_ready_made_card_does_what_it_says() {
    let all = [
        (registrations::APPROVED, 200, PAID, 1),
        (registrations::DECLINED, 400, "800.100.152", 0),
        (registrations::INSUFFICIENT_FUNDS, 400, "800.100.203", 0),
        (registrations::REDIRECT, 200, "000.200.000", 0),
        (registrations::PENDING, 200, "000.200.000", 0),
        (registrations::REVIEW, 200, "000.400.000", 1),
        (registrations::TIMEOUT, 400, "900.100.300", 0),
    ];
    for (registration, status, code, effects) in all {
        let mut bench = Bench::new();
        let answer = bench.charge(registration, "order-0001");
        assert_eq!(answer.result(), (status, code));
        assert_eq!(bench.moved().len(), effects, "{code}");
        // Declined or not: it has an id and is listed.
        assert_eq!(
            bench.query("order-0001").json["payments"][0]["id"],
            answer.id()
        );
        let asks = answer.json.get("redirect").is_some();
        assert_eq!(asks, registration == registrations::REDIRECT);
    }
}

#[test]
fn the_live_platform_has_other_codes_and_takes_nothing_that_is_for_tests() {
    let mut bench = Bench::with(Config::default().live());
    let form = charge("order-0001");
    for extra in [
        "&testMode=EXTERNAL",
        "&customParameters[forceResultCode]=000.000.000",
    ] {
        let form = form.clone() + extra;
        let answer = bench.post(&payments_of(registrations::APPROVED), &form);
        assert_eq!(answer.result(), (400, "600.200.701"));
    }
    assert!(bench.moved().is_empty());
    let answer = bench.charge(registrations::APPROVED, "order-0001");
    assert_eq!(answer.result(), (200, "000.000.000"));
}

#[test]
fn a_card_that_is_not_there_or_belongs_to_another_entity_pays_nothing() {
    let mut bench = Bench::new();
    let body = json!({ "result": "approved", "entityId": "another" });
    let (_, added) = bench.call(http::Method::POST, "registrations", body);
    let added = added["id"].as_str().unwrap().to_owned();
    for registration in ["unknown", &added] {
        let answer = bench.charge(registration, "order-0001");
        assert_eq!(answer.result(), (400, "100.150.200"));
    }
    assert!(bench.moved().is_empty());
    // Nothing was executed, so nothing is listed.
    assert_eq!(bench.query("order-0001").status, 404);
    bench.entity = "another".to_owned();
    assert_eq!(bench.charge(&added, "order-0001").code(), PAID);
}

#[test]
fn a_customer_who_passes_3d_secure_pays_then_and_one_who_fails_does_not() {
    for (kind, effect) in [("DB", Charge), ("PA", Authorize)] {
        let mut bench = Bench::new();
        let form = charge("order-0001").replace("=DB", &format!("={kind}"));
        let answer = bench.post(&payments_of(registrations::REDIRECT), &form);
        let id = answer.id();
        assert_eq!(answer.result(), (200, "000.200.000"));
        let url = answer.json["redirect"]["url"].as_str().unwrap();
        assert!(url.ends_with(&id));
        bench.wait(60);
        bench
            .hyperpay(|hyperpay| hyperpay.complete_action(&id, true))
            .unwrap();
        assert_eq!(bench.moved(), [(effect, 9200)]);
        let moved = &bench.world.effects()[0];
        assert_eq!((moved.request, moved.at), (None, bench.now));
        assert_eq!(moved.key.as_deref(), Some("order-0001"));
        let shown = bench.get(&format!("/v1/payments/{id}"));
        assert_eq!(shown.result(), (200, PAID));
        assert!(shown.json.get("redirect").is_none());
        let again = bench.hyperpay(|hyperpay| hyperpay.complete_action(&id, true));
        assert!(again.is_err());
    }
    let mut bench = Bench::new();
    let id = bench.charge(registrations::REDIRECT, "order-0001").id();
    bench
        .hyperpay(|hyperpay| hyperpay.complete_action(&id, false))
        .unwrap();
    assert_eq!(bench.query("order-0001").listed(), [("DB", "100.380.401")]);
    assert!(bench.moved().is_empty());
}

#[test]
fn a_customer_who_is_not_there_cannot_pass_3d_secure() {
    let mut bench = Bench::new();
    let form = charge("order-0001") + "&standingInstruction.source=MIT";
    let answer = bench.post(&payments_of(registrations::REDIRECT), &form);
    assert_eq!(answer.result(), (400, "300.100.100"));
    assert!(answer.json.get("redirect").is_none());
    assert!(bench.moved().is_empty());
}
