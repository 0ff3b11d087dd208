//! Tap over real sockets.

use payonce_simulator::{Close, Fault, Options, Running, Simulator, When, tap};
use serde_json::json;

use crate::client::{call, exchange, send, start, until};

fn post(path: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST /tap{path} HTTP/1.1\r\nHost: simulator:1\r\nAuthorization: Bearer sk_test_shop\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn charge(source: &str) -> Vec<u8> {
    let body = json!({
        "amount": 92.5, "currency": "SAR", "source": { "id": source },
        "customer": { "first_name": "Layla Example", "email": "layla@shop.example" },
        "redirect": { "url": "https://shop.example/back" },
        "reference": { "transaction": "key-1", "idempotent": "key-1" },
        "metadata": { "order": "order-1" },
    });
    post("/v2/charges/", &body.to_string())
}

fn listed(simulator: &Running) -> serde_json::Value {
    exchange(simulator, &post("/v2/charges/list", "{}")).json()["charges"].clone()
}

#[test]
fn a_charge_whose_reply_is_lost_is_listed_and_repeated_without_effect() {
    let simulator = start();
    simulator.faults().push(Fault::ReplyLost {
        when: When::After,
        how: Close::Rst,
    });
    assert!(send(&simulator, &charge("tok_visa")).read_to_end().is_err());
    let found = listed(&simulator);
    assert_eq!(found[0]["reference"]["transaction"], "key-1");
    let again = exchange(&simulator, &charge("tok_visa"));
    assert_eq!((again.status, &again.json()["id"]), (200, &found[0]["id"]));
    assert_eq!(simulator.effects_for("order-1").len(), 1);
    assert_eq!(simulator.requests()[0].key.as_deref(), Some("key-1"));
}

#[test]
fn the_page_is_served_where_the_client_found_the_simulator() {
    let simulator = start();
    let answer = exchange(&simulator, &charge("src_all"));
    let url = answer.json()["transaction"]["url"].clone();
    let path = url.as_str().unwrap().strip_prefix("http://simulator:1");
    let path = path.expect("the address in the Host header").to_owned();
    assert_eq!(call(&simulator, "GET", &path, "").status, 200);
    let back = call(&simulator, "GET", &format!("{path}?passed=true"), "");
    assert_eq!(back.status, 302);
    assert_eq!(listed(&simulator)[0]["status"], "CAPTURED");
    assert_eq!(simulator.effects().len(), 1);
}

#[test]
fn the_control_api_and_the_handle_reach_it() {
    let config = tap::Config::default().account("sk_test_shop", "main");
    let options = Options::default().tap(config);
    let simulator = Simulator::start_blocking(options).expect("starts");
    let id = exchange(&simulator, &charge("tok_3ds")).json()["id"].clone();
    let id = id.as_str().unwrap();
    let path = format!("/control/tap/objects/{id}/complete_action");
    let done = call(&simulator, "POST", &path, "{\"passed\":true}");
    assert_eq!(
        (done.status, &done.json()["account"]),
        (200, &json!("main"))
    );
    assert_eq!(simulator.effects()[0].account, "main");
    assert_eq!(simulator.tap(|tap| tap.records().count()), Some(1));
}

/// What a repeat gets meanwhile is not documented: here a conflict.
#[test]
fn a_repeat_that_comes_meanwhile_is_no_second_charge() {
    let simulator = start();
    simulator
        .faults()
        .push(Fault::HoldForEver { execute: true });
    let held = send(&simulator, &charge("tok_visa"));
    until("held", || simulator.in_flight() == 1);
    assert_eq!(exchange(&simulator, &charge("tok_visa")).status, 409);
    held.hang_up();
    until("over", || simulator.in_flight() == 0);
    assert_eq!(exchange(&simulator, &charge("tok_visa")).status, 200);
    assert_eq!(simulator.effects().len(), 1);
}
