//! Moyasar over real sockets.

use payonce_simulator::{Close, EffectKind, Fault, Options, Running, Simulator, When, moyasar};
use serde_json::{Value, json};

use crate::client::{Answer, call, exchange, send, start, until};

const ID: &str = "9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b";

/// A request with the key `sk_test_shop`.
fn request(method: &str, path: &str, body: &Value) -> Vec<u8> {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: simulator:1\r\n\
         Authorization: Basic c2tfdGVzdF9zaG9wOg==\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

fn charge(token: &str) -> Vec<u8> {
    let body = json!({
        "given_id": ID, "amount": 10_000, "currency": "SAR",
        "callback_url": "https://shop.example/back",
        "source": { "type": "token", "token": token },
        "metadata": { "order": "order-1" },
    });
    request("POST", "/moyasar/v1/payments", &body)
}

fn read(simulator: &Running) -> Answer {
    let path = format!("/moyasar/v1/payments/{ID}");
    exchange(simulator, &request("GET", &path, &Value::Null))
}

fn refund(amount: i64) -> Vec<u8> {
    let path = format!("/moyasar/v1/payments/{ID}/refund");
    request("POST", &path, &json!({ "amount": amount }))
}

#[test]
fn a_charge_whose_reply_was_lost_is_found_under_its_id() {
    let simulator = start();
    simulator.faults().push(Fault::ReplyLost {
        when: When::After,
        how: Close::Rst,
    });
    assert!(
        send(&simulator, &charge("token_visa"))
            .read_to_end()
            .is_err()
    );
    let again = exchange(&simulator, &charge("token_visa"));
    assert_eq!(again.status, 400);
    assert_eq!(again.json()["message"], "Payment is already created");
    let found = read(&simulator);
    assert_eq!(
        (found.status, &found.json()["status"]),
        (200, &json!("paid"))
    );
    let effects = simulator.effects_for("order-1");
    assert_eq!(effects.len(), 1);
    assert_eq!(effects[0].kind, EffectKind::Charge);
    assert_eq!(simulator.requests()[0].key.as_deref(), Some(ID));
}

#[test]
fn a_refund_that_is_sent_twice_is_two_refunds() {
    let simulator = start();
    exchange(&simulator, &charge("token_visa"));
    simulator.faults().push(Fault::ReplyLost {
        when: When::After,
        how: Close::Fin,
    });
    let lost = send(&simulator, &refund(3000)).read_to_end();
    assert!(lost.expect("an end of file").is_empty());
    assert_eq!(exchange(&simulator, &refund(3000)).json()["refunded"], 6000);
    assert_eq!(exchange(&simulator, &refund(4001)).status, 400);
    let kinds: Vec<EffectKind> = simulator
        .effects()
        .iter()
        .map(|effect| effect.kind)
        .collect();
    assert_eq!(
        kinds,
        [EffectKind::Charge, EffectKind::Refund, EffectKind::Refund]
    );
}

#[test]
fn the_page_is_served_where_the_client_found_the_simulator() {
    let simulator = start();
    let answer = exchange(&simulator, &charge("token_3ds"));
    let url = answer.json()["source"]["transaction_url"].clone();
    let path = url.as_str().unwrap().strip_prefix("http://simulator:1");
    let path = path.expect("the address in the Host header").to_owned();
    let page = call(&simulator, "GET", &path, "");
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let passed = call(&simulator, "GET", &format!("{path}?passed=true"), "");
    assert_eq!(passed.status, 302);
    let back = passed.header("location").unwrap();
    assert!(back.starts_with("https://shop.example/back?id="), "{back}");
    assert_eq!(read(&simulator).json()["status"], "paid");
    assert_eq!(simulator.effects().len(), 1);
}

#[test]
fn the_control_api_and_the_handle_reach_it() {
    let config = moyasar::Config::default().account("sk_test_shop", "main");
    let options = Options::default().moyasar(config);
    let simulator = Simulator::start_blocking(options).expect("starts");
    exchange(&simulator, &charge("token_3ds"));
    let path = format!("/control/moyasar/payments/{ID}/complete_action");
    let done = call(&simulator, "POST", &path, "{\"passed\":true}");
    assert_eq!(
        (done.status, &done.json()["account"]),
        (200, &json!("main"))
    );
    assert_eq!(simulator.effects()[0].account, "main");

    let settings = "{\"repeat\":\"stored\"}";
    call(&simulator, "POST", "/control/moyasar/settings", settings);
    assert_eq!(exchange(&simulator, &charge("token_3ds")).status, 200);
    let repeat = simulator.moyasar(|moyasar| moyasar.config.repeat);
    assert_eq!(repeat, Some(moyasar::Repeat::Stored));
    assert_eq!(simulator.effects().len(), 1);
}

#[test]
fn a_client_that_gives_up_does_not_stop_the_charge() {
    let simulator = start();
    simulator
        .faults()
        .push(Fault::HoldForEver { execute: true });
    let held = send(&simulator, &charge("token_visa"));
    until("held", || simulator.in_flight() == 1);
    assert_eq!(exchange(&simulator, &charge("token_visa")).status, 400);
    assert_eq!(read(&simulator).status, 404);
    held.hang_up();
    until("over", || simulator.in_flight() == 0);
    assert_eq!(read(&simulator).json()["status"], "paid");
    assert_eq!(simulator.effects().len(), 1);
}

#[test]
fn many_creations_at_once_are_one_effect() {
    let simulator = start();
    let threads: Vec<_> = (0..24)
        .map(|_| {
            let handle = simulator.handle();
            std::thread::spawn(move || exchange(&handle, &charge("token_visa")).status)
        })
        .collect();
    let statuses: Vec<u16> = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1);
    assert_eq!(statuses.iter().filter(|status| **status == 400).count(), 23);
    assert_eq!(simulator.effects().len(), 1);
}
