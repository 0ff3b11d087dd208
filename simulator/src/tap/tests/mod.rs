//! The simulated Tap, request by request.

mod follow_ups;
mod keys;
mod lists;
mod payments;
mod refusals;

use std::time::SystemTime;

use http::Method;
use serde_json::{Value, json};

use super::{Config, Tap};
use crate::testing::{Answer, later};
use crate::{EffectKind, Request, World};

/// A world with a Tap, and a time that the test moves.
#[derive(Debug)]
struct Bench {
    world: World,
    now: SystemTime,
    secret: &'static str,
}

impl Bench {
    fn new() -> Self {
        Self::with(Config::default())
    }

    fn with(config: Config) -> Self {
        let mut world = World::new();
        world.mount(Box::new(Tap::new(config)));
        Self {
            world,
            now: later(SystemTime::UNIX_EPOCH, 1_800_000_000),
            secret: "sk_test_shop",
        }
    }

    fn request(&self, method: Method, path: &str) -> Request {
        let bearer = format!("Bearer {}", self.secret);
        Request::new(method, path).with_header("authorization", &bearer)
    }

    fn post_request(&self, path: &str, body: &Value) -> Request {
        self.request(Method::POST, path)
            .with_header("content-type", "application/json")
            .with_body(body.to_string())
    }

    fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.send(self.post_request(path, body))
    }

    fn get(&mut self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path))
    }

    fn send(&mut self, request: Request) -> Answer {
        Answer::of(self.world.handle("tap", request, self.now))
    }

    fn wait(&mut self, seconds: u64) {
        self.now = later(self.now, seconds);
    }

    /// The kinds and amounts of all effects.
    fn moved(&self) -> Vec<(EffectKind, i64)> {
        let effects = self.world.effects().iter();
        effects.map(|effect| (effect.kind, effect.amount)).collect()
    }

    fn tap<R>(&mut self, look: impl FnOnce(&mut Tap) -> R) -> R {
        let look = self.world.with_gateway("tap", self.now, look);
        look.expect("there is a Tap")
    }

    /// Makes a charge and gives its id.
    fn charged(&mut self, key: &str) -> String {
        self.post("/v2/charges/", &payment("tok_visa", key)).id()
    }

    /// Makes an authorization and gives its id.
    fn held(&mut self, key: &str) -> String {
        self.post("/v2/authorize/", &payment("tok_visa", key)).id()
    }
}

/// 100.00 SAR from a source.
fn payment(source: &str, key: &str) -> Value {
    json!({
        "amount": 100.0, "currency": "SAR", "customer_initiated": true, "threeDSecure": true,
        "metadata": { "order": "order-1" },
        "reference": { "transaction": key, "idempotent": key },
        "customer": { "first_name": "Layla Example", "email": "layla@shop.example" },
        "source": { "id": source }, "redirect": { "url": "https://shop.example/back" },
    })
}

/// A part of a charge back.
fn refund(charge: &str, amount: i64, key: &str) -> Value {
    json!({
        "charge_id": charge, "amount": amount, "currency": "SAR", "reason": "requested_by_customer",
        "metadata": { "order": "order-1/refund" },
        "reference": { "merchant": key, "idempotent": key },
    })
}

/// A part of an authorization.
fn capture(authorization: &str, amount: i64, key: &str) -> Value {
    let mut body = payment(authorization, key);
    body["amount"] = json!(amount);
    let fields = body.as_object_mut().expect("an object");
    fields.remove("customer_initiated");
    fields.remove("threeDSecure");
    body
}

/// The code of an error.
fn code(answer: &Answer) -> (u16, &str) {
    let code = answer.json.pointer("/errors/0/code");
    (
        answer.status,
        code.and_then(Value::as_str).unwrap_or_default(),
    )
}
