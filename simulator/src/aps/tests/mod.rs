//! The simulated gateway, request by request.

mod faults;
mod manage;
mod parameters;
mod payments;
mod query;
mod signatures;

use std::time::SystemTime;

use http::Method;
use serde_json::{Map, Value, json};

use super::{Aps, Config, sign};
use crate::testing::{Answer, later};
use crate::{EffectKind, Request, World};

const PATH: &str = "/FortAPI/paymentApi";

/// A world with one, and a time that the test moves.
#[derive(Debug)]
struct Bench {
    world: World,
    now: SystemTime,
}

impl Bench {
    fn new() -> Self {
        Self::with(Config::default())
    }

    fn with(config: Config) -> Self {
        let mut world = World::new();
        world.mount(Box::new(Aps::new(config)));
        Self {
            world,
            now: later(SystemTime::UNIX_EPOCH, 1_800_000_000),
        }
    }

    /// Signs a request and sends it.
    fn post(&mut self, body: &Value) -> Answer {
        self.send(request(body, "request-phrase"))
    }

    /// Sends a request of which a whole reply is expected.
    fn send(&mut self, request: Request) -> Answer {
        Answer::of(self.world.handle("aps", request, self.now))
    }

    fn query(&mut self, name: &str, value: &str) -> Answer {
        self.post(&query(name, value))
    }

    /// The kinds and amounts of all effects.
    fn moved(&self) -> Vec<(EffectKind, i64)> {
        let effects = self.world.effects().iter();
        effects.map(|effect| (effect.kind, effect.amount)).collect()
    }

    fn aps<R>(&mut self, look: impl FnOnce(&mut Aps) -> R) -> R {
        self.world
            .with_gateway("aps", self.now, look)
            .expect("there is one")
    }

    /// Makes an order and gives its id.
    fn made(&mut self, body: &Value) -> String {
        text(&self.post(body), "fort_id")
    }
}

/// A signed request.
fn request(body: &Value, phrase: &str) -> Request {
    let mut fields: Map<String, Value> = body.as_object().expect("an object").clone();
    fields.insert("signature".to_owned(), sign::of(phrase, &fields).into());
    Request::new(Method::POST, PATH)
        .with_header("content-type", "application/json")
        .with_body(Value::Object(fields).to_string())
}

/// What every request has, and these fields.
fn with(fields: &[(&str, &str)]) -> Value {
    let mut body = json!({
        "access_code": "zx0IPmPy5jp1vAz8Kpg7", "merchant_identifier": "CycHZxVj", "language": "en",
    });
    for (name, value) in fields {
        body[name] = json!(value);
    }
    body
}

/// A purchase of 100.00 SAR that works.
fn purchase(reference: &str) -> Value {
    with(&[
        ("command", "PURCHASE"),
        ("merchant_reference", reference),
        ("amount", "10000"),
        ("currency", "SAR"),
        ("customer_email", "laila@shop.example"),
        ("token_name", "visa"),
        ("merchant_extra", "order-1"),
    ])
}

fn authorization(reference: &str) -> Value {
    let mut body = purchase(reference);
    body["command"] = json!("AUTHORIZATION");
    body
}

/// A capture, refund or void of an order.
fn done_to(id: &str, command: &str, amount: &str) -> Value {
    with(&[
        ("command", command),
        ("fort_id", id),
        ("amount", amount),
        ("currency", "SAR"),
    ])
}

fn query(name: &str, value: &str) -> Value {
    with(&[("query_command", "CHECK_STATUS"), (name, value)])
}

fn text(answer: &Answer, name: &str) -> String {
    answer.json[name].as_str().unwrap_or_default().to_owned()
}

fn code(answer: &Answer) -> String {
    text(answer, "response_code")
}
