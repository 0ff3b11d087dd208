//! The simulated `PayTabs`, request by request.

mod faults;
mod follow;
mod payments;
mod query;
mod refused;

use std::time::SystemTime;

use http::Method;
use serde_json::{Value, json};

use super::{Config, PayTabs, tokens};
use crate::testing::later;
use crate::{ControlCall, Delivery, EffectKind, Request, World};

const PROFILE: u64 = 987_654;

/// A world with a `PayTabs`, and a time that the test moves.
struct Bench {
    world: World,
    now: SystemTime,
    key: String,
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
        world.mount(Box::new(PayTabs::new(config)));
        Self {
            world,
            now: later(SystemTime::UNIX_EPOCH, 1_800_000_000),
            key: "server-key".to_owned(),
        }
    }

    fn request(&self, path: &str, body: impl Into<String>) -> Request {
        Request::new(Method::POST, path)
            .with_header("authorization", &self.key)
            .with_body(body.into())
    }

    fn post(&mut self, body: impl Into<String>) -> Answer {
        self.send(self.request("/payment/request", body))
    }

    fn deliver(&mut self, request: Request) -> Delivery {
        self.world.handle("paytabs", request, self.now)
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

    /// A charge of 92.00 SAR under this `cart_id`, with this card.
    fn charge(&mut self, token: &str, cart_id: &str) -> Answer {
        self.post(charge(token, cart_id))
    }

    /// An authorization of 92.00 SAR; its reference.
    fn authorized(&mut self) -> String {
        let body = charge(tokens::APPROVED, "authorization").replace("sale", "auth");
        self.post(body).id()
    }

    /// Captures, refunds or voids.
    fn follow(&mut self, id: &str, kind: &str, amount: &str) -> Answer {
        self.post(follow(id, kind, amount))
    }

    fn query(&mut self, cart_id: &str) -> Answer {
        let body = json!({ "profile_id": PROFILE, "cart_id": cart_id });
        self.send(self.request("/payment/query", body.to_string()))
    }

    fn read(&mut self, id: &str) -> Answer {
        let body = json!({ "profile_id": PROFILE, "tran_ref": id });
        self.send(self.request("/payment/query", body.to_string()))
    }

    fn wait(&mut self, seconds: u64) {
        self.now = later(self.now, seconds);
    }

    /// The kinds and amounts of all effects.
    fn moved(&self) -> Vec<(EffectKind, i64)> {
        let effects = self.world.effects().iter();
        effects.map(|effect| (effect.kind, effect.amount)).collect()
    }

    fn paytabs<R>(&mut self, look: impl FnOnce(&mut PayTabs) -> R) -> R {
        self.world
            .with_gateway("paytabs", self.now, look)
            .expect("there is a PayTabs")
    }

    fn call(&mut self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let mut call = ControlCall::new(method, path);
        call.body = body;
        let reply = self.world.control("paytabs", &call, self.now);
        (reply.status.as_u16(), reply.body)
    }
}

impl Answer {
    fn id(&self) -> String {
        let id = self.json["tran_ref"].as_str();
        id.unwrap_or_else(|| panic!("no id in {self:?}")).to_owned()
    }

    /// The status, and the letter and code of the transaction.
    fn result(&self) -> (u16, &str, &str) {
        let result = &self.json["payment_result"];
        let word = |name: &str| result[name].as_str().unwrap_or_default();
        (self.status, word("response_status"), word("response_code"))
    }

    /// The status and the code of an error.
    fn error(&self) -> (u16, u64) {
        (self.status, self.json["code"].as_u64().unwrap_or_default())
    }

    /// The types and letters of a list.
    fn listed(&self) -> Vec<(&str, &str)> {
        let all = self.json.as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter()
            .map(|one| {
                let letter = one["payment_result"]["response_status"].as_str();
                (one["tran_type"].as_str().unwrap(), letter.unwrap())
            })
            .collect()
    }
}

fn charge(token: &str, cart_id: &str) -> String {
    format!(
        r#"{{"profile_id":{PROFILE},"tran_type":"sale","tran_class":"recurring","token":"{token}","cart_id":"{cart_id}","cart_description":"coffee","cart_currency":"SAR","cart_amount":92.00,"user_defined":{{"udf1":"order-1042"}}}}"#
    )
}

fn page(cart_id: &str) -> String {
    format!(
        r#"{{"profile_id":{PROFILE},"tran_type":"sale","tran_class":"ecom","cart_id":"{cart_id}","cart_description":"coffee","cart_currency":"SAR","cart_amount":92.00,"return":"https://shop.example/back"}}"#
    )
}

fn follow(id: &str, kind: &str, amount: &str) -> String {
    format!(
        r#"{{"profile_id":{PROFILE},"tran_type":"{kind}","tran_class":"ecom","tran_ref":"{id}","cart_id":"{kind}{amount}","cart_description":"coffee","cart_currency":"SAR","cart_amount":{amount}}}"#
    )
}
