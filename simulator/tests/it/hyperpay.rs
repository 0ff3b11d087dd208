//! `HyperPay` over real sockets.

use payonce_simulator::hyperpay::{PlannedResult, registrations};
use payonce_simulator::{Close, EffectKind, Fault, Matcher, Running, When};
use serde_json::json;

use crate::client::{Answer, call, exchange, send, start};

const FORM: &str = "entityId=8ac7a4c9&amount=92.00&currency=SAR&paymentType=DB\
    &merchantTransactionId=order-0001";

fn post(path: &str, form: &str) -> Vec<u8> {
    let length = form.len();
    format!(
        "POST /hyperpay{path} HTTP/1.1\r\nHost: simulator\r\nAuthorization: Bearer token\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}"
    )
    .into_bytes()
}

fn charge() -> Vec<u8> {
    let card = registrations::APPROVED;
    post(&format!("/v1/registrations/{card}/payments"), FORM)
}

fn query(simulator: &Running, entity: &str) -> Answer {
    let request = format!(
        "GET /hyperpay/v1/query?entityId={entity}&merchantTransactionId=order-0001 HTTP/1.1\r\n\
         Host: simulator\r\nAuthorization: Bearer token\r\n\r\n"
    );
    exchange(simulator, request.as_bytes())
}

#[test]
fn a_charge_whose_reply_is_lost_is_found_by_the_query_and_refunded() {
    let simulator = start();
    let lost = Fault::ReplyLost {
        when: When::After,
        how: Close::Rst,
    };
    simulator
        .faults()
        .push(lost.on(Matcher::post().gateway("hyperpay")));
    assert!(send(&simulator, &charge()).read_to_end().is_err());
    assert_eq!(query(&simulator, "another").status, 404);
    let found = query(&simulator, "8ac7a4c9");
    assert_eq!(found.status, 200);
    assert_eq!(found.header("content-type"), Some("application/json"));
    let payments = found.json()["payments"].clone();
    assert_eq!(payments.as_array().map(Vec::len), Some(1));
    let id = payments[0]["id"].as_str().unwrap().to_owned();

    let form = "entityId=8ac7a4c9&amount=12.00&currency=SAR&paymentType=RF";
    let refund = exchange(&simulator, &post(&format!("/v1/payments/{id}"), form));
    assert_eq!(refund.json()["referencedId"], json!(id));
    let kinds: Vec<(EffectKind, i64)> = simulator
        .effects()
        .iter()
        .map(|effect| (effect.kind, effect.amount))
        .collect();
    assert_eq!(
        kinds,
        [(EffectKind::Charge, 9200), (EffectKind::Refund, 1200)]
    );
    assert_eq!(simulator.effects_for("order-0001").len(), 1);
}

#[test]
fn a_retry_charges_twice_and_every_gateway_keeps_its_own_state() {
    let simulator = start();
    for _ in 0..2 {
        assert_eq!(exchange(&simulator, &charge()).status, 200);
    }
    exchange(&simulator, &crate::client::charge("k"));
    assert_eq!(simulator.effects_for("order-0001").len(), 2);
    assert_eq!(simulator.effects().len(), 3);
    assert_eq!(
        simulator.hyperpay(|hyperpay| hyperpay.payments().count()),
        Some(2)
    );
    assert_eq!(
        simulator.requests()[0].key.as_deref(),
        Some("order-0001"),
        "the log shows what stands for a key"
    );
}

#[test]
fn its_own_control_calls_are_reached_and_its_state_is_planted_in_process() {
    let simulator = start();
    let settings = r#"{"duplicate_window_seconds":60}"#;
    let path = "/control/hyperpay/settings";
    assert_eq!(call(&simulator, "POST", path, settings).status, 200);
    simulator.hyperpay(|hyperpay| {
        hyperpay.plan_result(PlannedResult::new("900.100.300", When::After));
    });
    let timeout = exchange(&simulator, &charge());
    assert_eq!(timeout.json()["result"]["code"], "900.100.300");
    let again = exchange(&simulator, &charge());
    assert_eq!(again.status, 400);
    assert_eq!(again.json()["result"]["code"], "800.110.100");
    assert_eq!(simulator.effects_for("order-0001").len(), 1);
}
