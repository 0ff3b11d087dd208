//! Amazon Payment Services (PayFort FORT API): purchases and authorizations of tokens, captures,
//! refunds, voids and the status query. JSON in, JSON out, all at one address, all signed.
//!
//! Sources, cited by tag in this folder:
//!
//! | tag | source |
//! |---|---|
//! | A1 | the FORT documentation: parameters, signature, response codes |
//! | A2 | `paymentservices.amazon.com/docs`: status query, refunds, voids |
//! | A6 | a public log of real status queries |
//!
//! Where they are silent the reading that is harder for a client was taken; the comment at the place
//! says so.
//!
//! A `merchant_reference` makes one order, ever: a second one is refused, and the refusal does not show
//! the first (A1). Captures have no reference: **every accepted capture takes the money again**, as far
//! as the authorization goes. So does a refund with a `maintenance_reference` that was used before:
//! what the gateway does then is not documented.

mod body;
mod config;
mod control;
mod manage;
mod order;
mod pay;
mod read;
mod reply;
mod serve;
mod sign;
#[cfg(test)]
mod tests;
mod tokens;

use std::time::SystemTime;

use http::Method;
use serde_json::Value;

use crate::effect::{Effect, EffectKind};
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};
use crate::gateway::{ControlCall, ControlReply, Gateway, Step};
use order::Table;

pub use config::{Config, Duplicate};
pub use order::Order;

/// A simulated Amazon Payment Services.
#[derive(Debug)]
pub struct Aps {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    orders: Table,
    effects: Vec<Effect>,
}

impl Aps {
    /// An empty one.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            orders: Table::default(),
            effects: Vec::new(),
        }
    }

    /// Records that money moved. `key` is the reference of the request, if it had one of its own.
    fn moved(&mut self, kind: EffectKind, order: &Order, amount: i64, key: Option<&str>) {
        self.effects.push(Effect {
            gateway: self.name().to_owned(),
            account: order.merchant.clone(),
            kind,
            provider_id: order.fort_id.clone(),
            payment_id: Some(order.fort_id.clone()),
            amount,
            currency: order.currency.clone(),
            key: key.map(str::to_owned),
            fields: order.fields.clone(),
            request: None,
            at: self.now,
        });
    }
}

/// A field of a request that is no more than looked at.
fn field(request: &Request, name: &str) -> Option<String> {
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    body.get(name)?.as_str().map(str::to_owned)
}

impl Gateway for Aps {
    fn name(&self) -> &'static str {
        "aps"
    }

    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step {
        self.tick(now);
        let reply = self.serve(request, steer);
        self.orders.write_down(now);
        Step {
            reply,
            effects: std::mem::take(&mut self.effects),
        }
    }

    fn refuse(&mut self, request: &Request, refusal: &Refusal, now: SystemTime) -> Reply {
        self.tick(now);
        self.refusal(request, refusal)
    }

    /// The reference that only this request has: of an order, or of a refund.
    fn key_of(&self, request: &Request) -> Option<String> {
        match field(request, "command")?.as_str() {
            "PURCHASE" | "AUTHORIZATION" => field(request, "merchant_reference"),
            "REFUND" => field(request, "maintenance_reference"),
            _ => None,
        }
    }

    /// A query is a `POST` too.
    fn reads(&self, request: &Request) -> bool {
        request.method == Method::GET || field(request, "query_command").is_some()
    }

    fn sign(&self, reply: Reply) -> Reply {
        match serde_json::from_slice(&reply.body) {
            Ok(Value::Object(fields)) => {
                let body = reply::signed(&self.config.response_phrase, fields).to_string();
                reply.with_body(body)
            }
            Ok(_) | Err(_) => reply,
        }
    }

    /// While an order is being worked on, nothing else is done with it (A1, 784).
    fn lane(&self, request: &Request) -> Option<String> {
        field(request, "command")?;
        let order = field(request, "fort_id").or_else(|| field(request, "merchant_reference"))?;
        let merchant = field(request, "merchant_identifier")?;
        Some(format!("{merchant} {order}"))
    }

    fn tick(&mut self, now: SystemTime) {
        self.now = now;
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.orders.write_down(self.now);
        std::mem::take(&mut self.effects)
    }

    fn control(&mut self, call: &ControlCall) -> ControlReply {
        self.answer_control(call)
    }

    fn reset(&mut self) {
        let config = self.config.clone();
        *self = Self::new(config);
    }
}
