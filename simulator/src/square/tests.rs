//! The simulated Square, request by request.

use std::time::{Duration, SystemTime};

use http::Method;
use serde_json::{Value, json};

use super::{Config, Square, Status};
use crate::testing::{Answer, later};
use crate::{EffectKind, Fault, Request, When, World};

const PAYMENTS: &str = "/v2/payments";
const KEY: &str = "9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b";
const OTHER_KEY: &str = "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9";

/// A world with a Square, and a time that the test moves.
#[derive(Debug)]
struct Bench {
    world: World,
    now: SystemTime,
    token: &'static str,
}

impl Bench {
    fn new() -> Self {
        Self::with(Config::default())
    }

    fn with(config: Config) -> Self {
        let mut world = World::new();
        world.mount(Box::new(Square::new(config)));
        Self {
            world,
            now: later(SystemTime::UNIX_EPOCH, 1_800_000_000),
            token: "shop",
        }
    }

    fn send(&mut self, request: Request) -> Answer {
        let request = request.with_header("authorization", &format!("Bearer {}", self.token));
        Answer::of(self.world.handle("square", request, self.now))
    }

    fn get(&mut self, target: &str) -> Answer {
        self.send(Request::new(Method::GET, target))
    }

    fn post(&mut self, path: &str, body: &Value) -> Answer {
        let request = Request::new(Method::POST, path);
        let request = request.with_header("content-type", "application/json");
        self.send(request.with_body(body.to_string()))
    }

    fn pay(&mut self, change: impl Into<Value>) -> Answer {
        self.post(PAYMENTS, &changed(payment(), &change.into()))
    }

    /// A payment that only holds, by its id.
    fn held(&mut self) -> String {
        id(&self.pay(json!({ "autocomplete": false })))
    }

    fn moved(&self) -> Vec<(EffectKind, i64)> {
        let effects = self.world.effects().iter();
        effects.map(|effect| (effect.kind, effect.amount)).collect()
    }

    fn square<R>(&mut self, look: impl FnOnce(&mut Square) -> R) -> R {
        let found = self.world.with_gateway("square", self.now, look);
        found.expect("there is a Square")
    }

    fn wait(&mut self, seconds: u64) {
        self.now = later(self.now, seconds);
    }
}

fn payment() -> Value {
    json!({
        "idempotency_key": KEY, "source_id": "cnon:card-nonce-ok",
        "amount_money": { "amount": 48_000, "currency": "USD" },
        "location_id": "L1", "reference_id": KEY, "note": "order-1",
    })
}

fn refund(payment: &str, key: &str, amount: i64) -> Value {
    json!({
        "idempotency_key": key, "payment_id": payment, "reason": key,
        "amount_money": { "amount": amount, "currency": "USD" },
    })
}

fn changed(mut body: Value, change: &Value) -> Value {
    for (name, value) in change.as_object().expect("an object") {
        body[name] = value.clone();
    }
    body
}

fn id(answer: &Answer) -> String {
    let payment = answer.json["payment"]["id"].as_str();
    let id = payment.or_else(|| answer.json["refund"]["id"].as_str());
    id.unwrap_or_else(|| panic!("no id in {answer:?}"))
        .to_owned()
}

fn refused(answer: &Answer) -> (u16, &str) {
    let code = answer.json["errors"][0]["code"].as_str();
    (answer.status, code.unwrap_or_default())
}

#[test]
fn the_same_request_moves_money_once_and_gets_the_first_answer() {
    let mut bench = Bench::new();
    let first = bench.pay(json!({}));
    let again = bench.pay(json!({}));
    assert_eq!((first.status, &first.text), (200, &again.text));
    assert_eq!(first.json["payment"]["status"], "COMPLETED");
    assert_eq!(bench.moved(), [(EffectKind::Charge, 48_000)]);
    assert!(bench.world.effects()[0].has_reference("order-1"));
}

#[test]
fn another_body_under_the_key_is_refused_after_a_decline_too() {
    let mut bench = Bench::new();
    let declined = bench.pay(json!({ "source_id": "cnon:card-nonce-declined" }));
    assert_eq!(refused(&declined), (400, "GENERIC_DECLINE"));
    assert_eq!(declined.json["payment"]["status"], "FAILED");
    let other = bench.pay(json!({}));
    assert_eq!(refused(&other), (400, "IDEMPOTENCY_KEY_REUSED"));
    assert_eq!(bench.moved(), []);
}

/// No page says what it gets: the worst case is that it runs again.
#[test]
fn the_same_request_after_a_decline_runs_again() {
    let mut bench = Bench::new();
    let declined = json!({ "source_id": "cnon:card-nonce-declined" });
    let first = id(&bench.pay(declined.clone()));
    let second = id(&bench.pay(declined));
    assert_ne!(first, second);
}

#[test]
fn a_key_that_is_forgotten_is_a_new_request() {
    let mut bench = Bench::new();
    bench.pay(json!({}));
    bench.wait(24 * 3600);
    bench.pay(json!({}));
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn a_token_that_is_not_accepted_is_refused_and_another_seller_sees_nothing() {
    let mut bench = Bench::with(Config::default().token("shop").token("other"));
    let mine = id(&bench.pay(json!({})));
    bench.token = "wrong";
    assert_eq!(refused(&bench.pay(json!({}))), (401, "UNAUTHORIZED"));
    assert_eq!(refused(&bench.get(PAYMENTS)), (401, "UNAUTHORIZED"));
    bench.token = "other";
    let read = bench.get(&format!("{PAYMENTS}/{mine}"));
    assert_eq!(refused(&read), (404, "NOT_FOUND"));
    let refund = bench.post("/v2/refunds", &refund(&mine, OTHER_KEY, 1));
    assert_eq!(refused(&refund), (404, "NOT_FOUND"));
    assert_eq!(bench.moved().len(), 1);
}

#[test]
fn what_square_does_not_take_is_refused() {
    let long = "x".repeat(46);
    for (change, code) in [
        (
            json!({ "idempotency_key": null }),
            "MISSING_REQUIRED_PARAMETER",
        ),
        (json!({ "idempotency_key": long }), "VALUE_TOO_LONG"),
        (json!({ "reference_id": "x".repeat(41) }), "VALUE_TOO_LONG"),
        (json!({ "note": "x".repeat(501) }), "VALUE_TOO_LONG"),
        (json!({ "source_id": "CASH" }), "INVALID_VALUE"),
        (
            json!({ "source_id": "ccof:customer-card-id-ok" }),
            "MISSING_REQUIRED_PARAMETER",
        ),
        (
            json!({ "amount_money": { "amount": 0, "currency": "USD" } }),
            "VALUE_TOO_LOW",
        ),
        (
            json!({ "amount_money": { "amount": 1.5, "currency": "USD" } }),
            "EXPECTED_INTEGER",
        ),
        (
            json!({ "amount_money": { "amount": 5, "currency": "EUR" } }),
            "INVALID_VALUE",
        ),
        (json!({ "metadata": {} }), "UNKNOWN_BODY_PARAMETER"),
        (
            json!({ "source_id": "cnon:card-nonce-already-used" }),
            "CARD_TOKEN_USED",
        ),
    ] {
        let mut bench = Bench::new();
        let answer = bench.pay(change.clone());
        assert_eq!(refused(&answer), (400, code), "{change}");
        assert_eq!(bench.moved(), []);
    }
}

#[test]
fn an_authorization_ends_once() {
    let mut bench = Bench::new();
    let held = bench.held();
    let complete = format!("{PAYMENTS}/{held}/complete");
    let done = bench.post(&complete, &json!({}));
    assert_eq!(done.json["payment"]["status"], "COMPLETED");
    let again = bench.post(&complete, &json!({}));
    assert_eq!(refused(&again), (400, "DELAYED_TRANSACTION_CAPTURED"));
    let cancel = bench.send(Request::new(
        Method::POST,
        &format!("{PAYMENTS}/{held}/cancel"),
    ));
    assert_eq!(refused(&cancel), (400, "BAD_REQUEST"));
    let moved = [
        (EffectKind::Authorize, 48_000),
        (EffectKind::Capture, 48_000),
    ];
    assert_eq!(bench.moved(), moved);
}

#[test]
fn a_cancel_releases_what_is_held_once() {
    let mut bench = Bench::new();
    let held = bench.held();
    let cancel = || Request::new(Method::POST, &format!("{PAYMENTS}/{held}/cancel"));
    assert_eq!(bench.send(cancel()).json["payment"]["status"], "CANCELED");
    let again = bench.send(cancel());
    assert_eq!(refused(&again), (400, "DELAYED_TRANSACTION_CANCELED"));
    assert_eq!(bench.moved().last(), Some(&(EffectKind::Void, 48_000)));
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn what_nobody_completes_is_released_after_a_week() {
    let mut bench = Bench::new();
    let held = bench.held();
    bench.wait(7 * 24 * 3600);
    let read = bench.get(&format!("{PAYMENTS}/{held}"));
    assert_eq!(read.json["payment"]["status"], "CANCELED");
}

#[test]
fn never_more_is_refunded_than_was_taken() {
    let mut bench = Bench::new();
    let paid = id(&bench.pay(json!({})));
    let refunds = "/v2/refunds";
    let first = bench.post(refunds, &refund(&paid, KEY, 30_000));
    assert_eq!(first.json["refund"]["status"], "COMPLETED");
    assert_eq!(first.json["refund"]["reason"], KEY);
    // The same key again is the same refund, another one is a second.
    assert_eq!(
        bench.post(refunds, &refund(&paid, KEY, 30_000)).text,
        first.text
    );
    let second = bench.post(refunds, &refund(&paid, OTHER_KEY, 30_000));
    assert_eq!(refused(&second), (400, "REFUND_AMOUNT_INVALID"));
    assert_eq!(bench.moved()[1..], [(EffectKind::Refund, 30_000)]);
    bench.world.reset();
    let held = bench.held();
    let early = bench.post(refunds, &refund(&held, KEY, 1));
    assert_eq!(
        refused(&early),
        (400, "REFUND_ERROR_PAYMENT_NEEDS_COMPLETION")
    );
}

#[test]
fn a_list_shows_one_location_in_pages_and_late() {
    let mut bench = Bench::with(Config::default().page_size(1));
    for (key, location) in [(KEY, "L1"), (OTHER_KEY, "L1"), ("third", "L2")] {
        bench.pay(json!({ "idempotency_key": key, "location_id": location }));
        bench.wait(1);
    }
    let shown = |answer: &Answer| answer.json["payments"].as_array().map(Vec::len);
    // Without a location it is the main one, and there is nothing.
    assert_eq!(shown(&bench.get(PAYMENTS)), Some(0));
    let target = format!("{PAYMENTS}?location_id=L1&sort_order=ASC");
    let first = bench.get(&target);
    assert_eq!(first.json["payments"][0]["id"], "PAY000001");
    let cursor = first.json["cursor"].as_str().expect("a cursor").to_owned();
    let last = bench.get(&format!("{target}&cursor={cursor}"));
    assert_eq!(last.json["payments"][0]["id"], "PAY000002");
    assert!(last.json["cursor"].is_null());
    let since = format!("{target}&begin_time=2027-01-15T08:00:01Z");
    assert_eq!(bench.get(&since).json["payments"][0]["id"], "PAY000002");
    assert_eq!(refused(&bench.get(&format!("{target}&x=1"))).0, 400);
    bench.square(|square| square.config.list_lag = Duration::from_secs(60));
    assert_eq!(shown(&bench.get(&target)), Some(0));
    // A read by id is true all the same.
    assert_eq!(bench.get(&format!("{PAYMENTS}/PAY000001")).status, 200);
}

#[test]
fn a_fault_changes_the_end_of_one_request() {
    let mut bench = Bench::new();
    let plant = |bench: &mut Bench, fault: Fault| bench.world.push_fault(fault);
    plant(&mut bench, Fault::Processing);
    let pending = bench.pay(json!({ "idempotency_key": "a" }));
    assert_eq!(pending.json["payment"]["status"], "PENDING");
    plant(&mut bench, Fault::decline("insufficient_funds"));
    let declined = bench.pay(json!({ "idempotency_key": "b" }));
    assert_eq!(refused(&declined), (400, "INSUFFICIENT_FUNDS"));
    plant(&mut bench, Fault::KeyInUse);
    assert_eq!(refused(&bench.pay(json!({}))), (409, "CONFLICT"));
    plant(&mut bench, Fault::KeyReused);
    assert_eq!(
        refused(&bench.pay(json!({}))),
        (400, "IDEMPOTENCY_KEY_REUSED")
    );
    plant(&mut bench, Fault::server_error(503, When::After));
    assert_eq!(refused(&bench.pay(json!({}))), (503, "SERVICE_UNAVAILABLE"));
    // It was carried out behind the error, and a repeat gets its answer.
    assert_eq!(bench.pay(json!({})).status, 200);
    assert_eq!(bench.moved(), [(EffectKind::Charge, 48_000)]);
}

#[test]
fn what_is_planted_makes_no_effect() {
    let mut bench = Bench::new();
    let paid = id(&bench.pay(json!({})));
    bench.square(|square| {
        let copy = square.copy_payment(&paid).expect("a payment");
        let copied = square.payment_mut(&copy).expect("a copy");
        copied.status = Status::Failed;
        assert_eq!(square.payments().count(), 2);
    });
    assert_eq!(bench.moved().len(), 1);
}
