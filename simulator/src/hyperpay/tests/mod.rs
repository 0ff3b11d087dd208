//! The simulated `HyperPay`, request by request.

mod auth;
mod backoffice;
mod codes;
mod control;
mod faults;
mod parameters;
mod payments;
mod query;
mod results;

use std::time::SystemTime;

use http::Method;
use serde_json::Value;

use super::{Config, HyperPay, registrations};
use crate::testing::later;
use crate::{ControlCall, Delivery, EffectKind, Request, World};

const ENTITY: &str = "8ac7a4c9000000000000000000000001";
const PAID: &str = "000.100.110";

/// A world with a `HyperPay`, and a time that the test moves.
struct Bench {
    world: World,
    now: SystemTime,
    token: String,
    entity: String,
}

/// A whole reply.
#[derive(Debug)]
struct Answer {
    status: u16,
    retry_after: Option<String>,
    text: String,
    json: Value,
}

impl Bench {
    fn new() -> Self {
        Self::with(Config::default())
    }

    fn with(config: Config) -> Self {
        let mut world = World::new();
        world.mount(Box::new(HyperPay::new(config)));
        Self {
            world,
            now: later(SystemTime::UNIX_EPOCH, 1_800_000_000),
            token: "token".to_owned(),
            entity: ENTITY.to_owned(),
        }
    }

    fn request(&self, method: Method, target: &str, body: &str) -> Request {
        Request::new(method, target)
            .with_header("authorization", &format!("Bearer {}", self.token))
            .with_body(body.to_owned())
    }

    fn post_request(&self, path: &str, form: &str) -> Request {
        let body = format!("entityId={}&{form}", self.entity);
        self.request(Method::POST, path, &body)
    }

    fn post(&mut self, path: &str, form: &str) -> Answer {
        self.send(self.post_request(path, form))
    }

    fn get(&mut self, target: &str) -> Answer {
        let mark = if target.contains('?') { '&' } else { '?' };
        let target = format!("{target}{mark}entityId={}", self.entity);
        self.send(self.request(Method::GET, &target, ""))
    }

    fn deliver(&mut self, request: Request) -> Delivery {
        self.world.handle("hyperpay", request, self.now)
    }

    /// Sends a request of which a whole reply is expected.
    fn send(&mut self, request: Request) -> Answer {
        let delivery = self.deliver(request);
        let Delivery::Reply(reply) = delivery else {
            panic!("no reply but {delivery:?}")
        };
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        let retry_after = reply.headers.get("retry-after");
        Answer {
            status: reply.status.as_u16(),
            retry_after: retry_after.map(|value| value.to_str().unwrap().to_owned()),
            json: serde_json::from_str(&text).unwrap_or_default(),
            text,
        }
    }

    /// A charge of 92.00 SAR under this reference, with this card.
    fn charge(&mut self, registration: &str, reference: &str) -> Answer {
        self.post(&payments_of(registration), &charge(reference))
    }

    /// An authorization of 92.00 SAR; its id.
    fn authorized(&mut self) -> String {
        let form = charge("authorization-1").replace("=DB", "=PA");
        self.post(&payments_of(registrations::APPROVED), &form).id()
    }

    /// A paid charge of 92.00 SAR; its id.
    fn charged(&mut self) -> String {
        self.charge(registrations::APPROVED, "order-0001").id()
    }

    /// Captures, refunds or reverses.
    fn manage(&mut self, id: &str, kind: &str, amount: &str) -> Answer {
        let amount = match amount {
            "" => String::new(),
            amount => format!("&amount={amount}&currency=SAR"),
        };
        let form = format!("paymentType={kind}&merchantTransactionId=manage-{kind}{amount}");
        self.post(&format!("/v1/payments/{id}"), &form)
    }

    fn query(&mut self, reference: &str) -> Answer {
        self.get(&format!("/v1/query?merchantTransactionId={reference}"))
    }

    fn wait(&mut self, seconds: u64) {
        self.now = later(self.now, seconds);
    }

    /// The kinds and amounts of all effects.
    fn moved(&self) -> Vec<(EffectKind, i64)> {
        let effects = self.world.effects().iter();
        effects.map(|effect| (effect.kind, effect.amount)).collect()
    }

    fn hyperpay<R>(&mut self, look: impl FnOnce(&mut HyperPay) -> R) -> R {
        self.world
            .with_gateway("hyperpay", self.now, look)
            .expect("there is a HyperPay")
    }

    fn call(&mut self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let mut call = ControlCall::new(method, path);
        call.body = body;
        let reply = self.world.control("hyperpay", &call, self.now);
        (reply.status.as_u16(), reply.body)
    }
}

impl Answer {
    fn id(&self) -> String {
        let id = self.json["id"].as_str();
        id.unwrap_or_else(|| panic!("no id in {self:?}")).to_owned()
    }

    fn code(&self) -> &str {
        self.json["result"]["code"].as_str().unwrap_or_default()
    }

    /// The status and the result code.
    fn result(&self) -> (u16, &str) {
        (self.status, self.code())
    }

    /// The names of the parameters that are wrong.
    fn wrong(&self) -> Vec<&str> {
        let errors = self.json["result"]["parameterErrors"].as_array();
        let errors = errors.map(Vec::as_slice).unwrap_or_default();
        errors
            .iter()
            .map(|error| error["name"].as_str().unwrap())
            .collect()
    }

    /// The types and codes of the payments of a list.
    fn listed(&self) -> Vec<(&str, &str)> {
        let payments = self.json["payments"].as_array();
        let payments = payments.map(Vec::as_slice).unwrap_or_default();
        payments
            .iter()
            .map(|payment| {
                let code = payment["result"]["code"].as_str().unwrap();
                (payment["paymentType"].as_str().unwrap(), code)
            })
            .collect()
    }
}

fn payments_of(registration: &str) -> String {
    format!("/v1/registrations/{registration}/payments")
}

fn charge(reference: &str) -> String {
    format!("amount=92.00&currency=SAR&paymentType=DB&merchantTransactionId={reference}")
}
