//! The simulated Moyasar, request by request.

mod changes;
mod control;
mod page;
mod parameters;
mod payments;
mod reads;
mod refusals;
mod repeats;

use std::time::SystemTime;

use http::Method;
use serde_json::{Value, json};

use super::{Config, Moyasar};
use crate::testing::{Answer, later};
use crate::{EffectKind, Request, World};

const PAYMENTS: &str = "/v1/payments";
const ID: &str = "9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b";
const OTHER_ID: &str = "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9";

/// `sk_test_shop:` and others, as Basic authentication writes them.
const SHOP: &str = "c2tfdGVzdF9zaG9wOg==";
const SHOP_LIVE: &str = "c2tfbGl2ZV9zaG9wOg==";
const SHOP_PUBLISHABLE: &str = "cGtfdGVzdF9zaG9wOg==";
const OTHER: &str = "c2tfdGVzdF9vdGhlcjo=";

/// A world with a Moyasar, and a time that the test moves.
#[derive(Debug)]
struct Bench {
    world: World,
    now: SystemTime,
    /// What follows `Basic`.
    key: &'static str,
}

impl Bench {
    fn new() -> Self {
        Self::with(Config::default())
    }

    fn with(config: Config) -> Self {
        let mut world = World::new();
        world.mount(Box::new(Moyasar::new(config)));
        Self {
            world,
            now: later(SystemTime::UNIX_EPOCH, 1_800_000_000),
            key: SHOP,
        }
    }

    fn request(&self, method: Method, target: &str) -> Request {
        Request::new(method, target).with_header("authorization", &format!("Basic {}", self.key))
    }

    fn post_request(&self, path: &str, body: &Value) -> Request {
        self.request(Method::POST, path)
            .with_header("content-type", "application/json")
            .with_body(body.to_string())
    }

    fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.send(self.post_request(path, body))
    }

    fn create(&mut self, body: &Value) -> Answer {
        self.post(PAYMENTS, body)
    }

    fn get(&mut self, target: &str) -> Answer {
        self.send(self.request(Method::GET, target))
    }

    /// The payment as it is now.
    fn read(&mut self, id: &str) -> Value {
        let answer = self.get(&format!("{PAYMENTS}/{id}"));
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json
    }

    /// Captures, refunds or voids with this body.
    fn change(&mut self, id: &str, verb: &str, body: &Value) -> Answer {
        self.post(&format!("{PAYMENTS}/{id}/{verb}"), body)
    }

    /// Sends a request of which a whole reply is expected.
    fn send(&mut self, request: Request) -> Answer {
        Answer::of(self.world.handle("moyasar", request, self.now))
    }

    fn wait(&mut self, seconds: u64) {
        self.now = later(self.now, seconds);
    }

    /// The kinds and amounts of all effects.
    fn moved(&self) -> Vec<(EffectKind, i64)> {
        let effects = self.world.effects().iter();
        effects.map(|effect| (effect.kind, effect.amount)).collect()
    }

    fn moyasar<R>(&mut self, look: impl FnOnce(&mut Moyasar) -> R) -> R {
        self.world
            .with_gateway("moyasar", self.now, look)
            .expect("there is a Moyasar")
    }

    /// Makes a charge of 100.00 SAR.
    fn charged(&mut self, id: &str) -> Answer {
        self.create(&charge(id))
    }

    /// Reserves 100.00 SAR.
    fn authorized(&mut self, id: &str) -> Answer {
        self.create(&authorize(id))
    }
}

/// A charge of 100.00 SAR that works.
fn charge(id: &str) -> Value {
    json!({
        "given_id": id,
        "amount": 10_000,
        "currency": "SAR",
        "description": "two chairs",
        "callback_url": "https://shop.example/back",
        "source": { "type": "token", "token": "token_visa", "3ds": true, "manual": false },
        "metadata": { "order": "order-1" },
    })
}

/// The same, but only authorized.
fn authorize(id: &str) -> Value {
    let mut body = charge(id);
    body["source"]["manual"] = json!(true);
    body
}

/// The same with another token.
fn with_token(id: &str, token: &str) -> Value {
    let mut body = charge(id);
    body["source"]["token"] = json!(token);
    body
}

/// The status and the type of an error.
fn refused(answer: &Answer) -> (u16, &str) {
    let kind = answer.json["type"].as_str().unwrap_or_default();
    (answer.status, kind)
}

const INVALID: (u16, &str) = (400, "invalid_request_error");
