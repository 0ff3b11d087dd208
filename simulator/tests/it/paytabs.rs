//! `PayTabs` over real sockets.

use std::time::Duration;

use payonce_simulator::paytabs::tokens;
use payonce_simulator::{Close, Fault, Matcher, Running, When};
use serde_json::json;

use crate::client::{Answer, call, exchange, send, start};

fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST /paytabs{path} HTTP/1.1\r\nHost: simulator\r\nAuthorization: server-key\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn charge() -> Vec<u8> {
    let body = json!({
        "profile_id": 1, "tran_type": "sale", "tran_class": "recurring",
        "token": tokens::APPROVED, "cart_id": "order1", "cart_description": "coffee",
        "cart_currency": "SAR", "cart_amount": 92,
    });
    post("/payment/request", &body.to_string())
}

fn query(simulator: &Running, profile: u64) -> Answer {
    let body = json!({ "profile_id": profile, "cart_id": "order1" }).to_string();
    exchange(simulator, &post("/payment/query", &body))
}

#[test]
fn a_charge_whose_reply_is_lost_is_found_by_the_query() {
    let simulator = start();
    let lost = Fault::ReplyLost {
        when: When::After,
        how: Close::Rst,
    };
    simulator
        .faults()
        .push(lost.on(Matcher::post().gateway("paytabs")));
    assert!(send(&simulator, &charge()).read_to_end().is_err());
    assert_eq!(query(&simulator, 2).status, 404);
    let found = query(&simulator, 1);
    assert_eq!(found.status, 200);
    assert_eq!(found.json()[0]["payment_result"]["response_status"], "A");
    assert_eq!(simulator.effects_for("order1").len(), 1);
}

#[test]
fn a_retry_is_refused_and_two_minutes_later_charges_twice() {
    let simulator = start();
    assert_eq!(exchange(&simulator, &charge()).status, 200);
    assert_eq!(exchange(&simulator, &charge()).status, 409);
    simulator.clock().advance(Duration::from_secs(120));
    assert_eq!(exchange(&simulator, &charge()).status, 200);
    assert_eq!(simulator.effects_for("order1").len(), 2);
    let page = call(&simulator, "GET", "/control/paytabs/transactions", "");
    assert_eq!(page.json().as_array().map(Vec::len), Some(2));
    let count = simulator.paytabs(|paytabs| paytabs.transactions().count());
    assert_eq!(count, Some(2));
}
