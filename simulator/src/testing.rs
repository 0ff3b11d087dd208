//! What the tests in this crate share: a world with a Stripe in it and a merchant's requests.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, Method};
use serde_json::Value;

use crate::stripe::{Config, Stripe};
use crate::{Delivery, EffectKind, Request, World};

/// A charge of 10.99 USD that works.
pub(crate) const CHARGE: &str = "amount=1099&currency=usd&payment_method=pm_card_visa\
    &payment_method_types[]=card&confirm=true&metadata[order]=order-1";

/// The same, but only authorized.
pub(crate) const AUTHORIZE: &str = "amount=1099&currency=usd&payment_method=pm_card_visa\
    &payment_method_types[]=card&confirm=true&metadata[order]=order-1&capture_method=manual";

pub(crate) const PAYMENTS: &str = "/v1/payment_intents";
pub(crate) const REFUNDS: &str = "/v1/refunds";

/// A world with a Stripe, and a time that the test moves.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) world: World,
    pub(crate) now: SystemTime,
    pub(crate) secret: String,
}

/// A whole reply.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(Config::default())
    }

    pub(crate) fn with(config: Config) -> Self {
        let mut world = World::new();
        world.mount(Box::new(Stripe::new(config)));
        let now = later(SystemTime::UNIX_EPOCH, 1_800_000_000);
        Self {
            world,
            now,
            secret: "sk_test_shop".to_owned(),
        }
    }

    pub(crate) fn request(&self, method: Method, target: &str, body: &str) -> Request {
        Request::new(method, target)
            .with_header("authorization", &format!("Bearer {}", self.secret))
            .with_body(body.to_owned())
    }

    pub(crate) fn post_request(&self, path: &str, key: &str, body: &str) -> Request {
        self.request(Method::POST, path, body)
            .with_header("idempotency-key", key)
    }

    pub(crate) fn post(&mut self, path: &str, key: &str, body: &str) -> Answer {
        self.send(self.post_request(path, key, body))
    }

    pub(crate) fn get(&mut self, target: &str) -> Answer {
        self.send(self.request(Method::GET, target, ""))
    }

    /// Sends a request of which a whole reply is expected.
    pub(crate) fn send(&mut self, request: Request) -> Answer {
        Answer::of(self.world.handle("stripe", request, self.now))
    }

    pub(crate) fn wait(&mut self, seconds: u64) {
        self.now = later(self.now, seconds);
    }

    /// The kinds and amounts of all effects.
    pub(crate) fn moved(&self) -> Vec<(EffectKind, i64)> {
        self.world
            .effects()
            .iter()
            .map(|effect| (effect.kind, effect.amount))
            .collect()
    }

    pub(crate) fn stripe<R>(&mut self, look: impl FnOnce(&mut Stripe) -> R) -> R {
        self.world
            .with_gateway("stripe", self.now, look)
            .expect("there is a Stripe")
    }

    /// Makes a charge and gives its payment intent's id.
    pub(crate) fn charged(&mut self, key: &str) -> String {
        self.post(PAYMENTS, key, CHARGE).id()
    }
}

/// So many seconds later.
pub(crate) fn later(at: SystemTime, seconds: u64) -> SystemTime {
    at.checked_add(Duration::from_secs(seconds))
        .expect("a time")
}

impl Answer {
    /// The whole reply that was expected.
    pub(crate) fn of(delivery: Delivery) -> Self {
        let Delivery::Reply(reply) = delivery else {
            panic!("no reply but {delivery:?}")
        };
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        Self {
            status: reply.status.as_u16(),
            headers: reply.headers,
            json: serde_json::from_str(&text).unwrap_or_default(),
            text,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub(crate) fn id(&self) -> String {
        self.json["id"]
            .as_str()
            .unwrap_or_else(|| panic!("no id in {self:?}"))
            .to_owned()
    }

    /// The code of the error, or its type if it has none.
    pub(crate) fn error(&self) -> &str {
        let error = &self.json["error"];
        error["code"]
            .as_str()
            .or_else(|| error["type"].as_str())
            .unwrap_or_default()
    }

    pub(crate) fn refused(&self) -> (u16, &str) {
        (self.status, self.error())
    }
}
