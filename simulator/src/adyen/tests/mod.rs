//! The simulated Adyen, request by request.

mod changes;
mod keys;
mod payments;

use std::time::SystemTime;

use http::Method;
use serde_json::{Value, json};

use super::{Adyen, Config};
use crate::testing::{Answer, later};
use crate::{EffectKind, Request, World};

const PAYMENTS: &str = "/v72/payments";
const DETAILS: &str = "/v72/payments/details";

/// A world with an Adyen, and a time that the test moves.
#[derive(Debug)]
struct Bench {
    world: World,
    now: SystemTime,
    api_key: &'static str,
}

/// A charge of 10.99 EUR.
fn charge() -> Value {
    json!({
        "merchantAccount": "AcmeECOM",
        "amount": { "currency": "EUR", "value": 1099 },
        "reference": "ref-1",
        "returnUrl": "https://shop.example/back",
        "captureDelayHours": 0,
        "paymentMethod": { "type": "scheme", "encryptedCardNumber": "eyJ1" },
        "metadata": { "order": "order-1" },
    })
}

/// The same, captured by hand.
fn authorize() -> Value {
    let mut body = charge();
    body["additionalData"] = json!({ "manualCapture": "true" });
    body
}

/// The same with this holder.
fn held_by(mut body: Value, holder: &str) -> Value {
    body["paymentMethod"]["holderName"] = json!(holder);
    body
}

fn part(value: i64) -> Value {
    json!({
        "merchantAccount": "AcmeECOM",
        "amount": { "currency": "EUR", "value": value },
        "reference": "change-1",
    })
}

fn whole() -> Value {
    json!({ "merchantAccount": "AcmeECOM", "reference": "change-1" })
}

impl Bench {
    fn new() -> Self {
        Self::with(Config::default())
    }

    fn with(config: Config) -> Self {
        let mut world = World::new();
        world.mount(Box::new(Adyen::new(config)));
        Self {
            world,
            now: later(SystemTime::UNIX_EPOCH, 1_800_000_000),
            api_key: "AQE1",
        }
    }

    fn request(&self, path: &str, key: Option<&str>, body: &Value) -> Request {
        let request = Request::new(Method::POST, path)
            .with_header("x-api-key", self.api_key)
            .with_header("content-type", "application/json")
            .with_body(body.to_string());
        match key {
            Some(key) => request.with_header("Idempotency-Key", key),
            None => request,
        }
    }

    fn post(&mut self, path: &str, key: &str, body: &Value) -> Answer {
        self.send(self.request(path, Some(key), body))
    }

    /// Sends a request of which a whole reply is expected.
    fn send(&mut self, request: Request) -> Answer {
        Answer::of(self.world.handle("adyen", request, self.now))
    }

    fn wait(&mut self, seconds: u64) {
        self.now = later(self.now, seconds);
    }

    /// The kinds and amounts of all effects.
    fn moved(&self) -> Vec<(EffectKind, i64)> {
        let effects = self.world.effects().iter();
        effects.map(|effect| (effect.kind, effect.amount)).collect()
    }

    fn adyen<R>(&mut self, look: impl FnOnce(&mut Adyen) -> R) -> R {
        self.world
            .with_gateway("adyen", self.now, look)
            .expect("there is an Adyen")
    }

    /// Makes a payment and gives its id.
    fn paid(&mut self, key: &str, body: &Value) -> String {
        let answer = self.post(PAYMENTS, key, body);
        assert_eq!(answer.json["resultCode"], "Authorised", "{answer:?}");
        id(&answer)
    }

    fn change(&mut self, payment: &str, what: &str, key: &str, body: &Value) -> Answer {
        self.post(&format!("{PAYMENTS}/{payment}/{what}"), key, body)
    }
}

fn id(answer: &Answer) -> String {
    answer.json["pspReference"]
        .as_str()
        .expect("an id")
        .to_owned()
}

/// Status and code of an error.
fn refused(answer: &Answer) -> (u16, &str) {
    (
        answer.status,
        answer.json["errorCode"].as_str().unwrap_or_default(),
    )
}
