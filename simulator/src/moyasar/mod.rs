//! Moyasar v1: payments with their captures, refunds and voids, in JSON.
//!
//! Sources, cited by tag in this folder: pages of `docs.moyasar.com`.
//!
//! | tag | page |
//! |---|---|
//! | IDEM | idempotency |
//! | PAY | payments in the API reference, payment status reference, metadata, token payment |
//! | OPS | payment operations, manual payments |
//! | AUTH | authentication |
//! | ERR | errors |
//!
//! Where they are silent the stricter reading was taken; the comment at the place says so.
//!
//! The only key is `given_id`, which becomes the payment's id: for ever, and for creations only.
//! Charging twice is possible here exactly where it is possible at Moyasar: without it, or with
//! another one. A second refund request is a second refund.

mod auth;
mod body;
mod change;
mod config;
mod control;
mod create;
mod error;
mod id;
mod page;
mod payment;
mod read;
mod refusal;
mod serve;
mod state;
mod table;
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
use auth::Caller;
use table::Table;

pub use config::{Config, Repeat};
pub use payment::{Payment, PaymentStatus};

/// A simulated Moyasar.
#[derive(Debug)]
pub struct Moyasar {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    last_id: u64,
    payments: Table,
    effects: Vec<Effect>,
}

impl Moyasar {
    /// An empty Moyasar.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            last_id: 0,
            payments: Table::default(),
            effects: Vec::new(),
        }
    }

    /// Records that money moved. A refund has no id of its own, so the payment's stands for it.
    fn moved(&mut self, kind: EffectKind, payment: &Payment, amount: i64, key: Option<String>) {
        self.effects.push(Effect {
            gateway: self.name().to_owned(),
            account: payment.account.clone(),
            kind,
            provider_id: payment.id.clone(),
            payment_id: Some(payment.id.clone()),
            amount,
            currency: payment.currency.clone(),
            key,
            fields: payment.metadata.clone(),
            request: None,
            at: self.now,
        });
    }
}

/// The `given_id` of a creation; nothing else has a key. A header with one does nothing (IDEM).
fn key_of(request: &Request) -> Option<String> {
    if request.method != Method::POST || request.path != "/v1/payments" {
        return None;
    }
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    body.get("given_id")?.as_str().map(str::to_owned)
}

impl Gateway for Moyasar {
    fn name(&self) -> &'static str {
        "moyasar"
    }

    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step {
        self.tick(now);
        let reply = self.serve(request, steer);
        self.payments.write_down(now);
        Step {
            reply,
            effects: std::mem::take(&mut self.effects),
        }
    }

    fn refuse(&mut self, request: &Request, refusal: &Refusal, now: SystemTime) -> Reply {
        self.tick(now);
        refusal::reply(request, refusal)
    }

    fn key_of(&self, request: &Request) -> Option<String> {
        key_of(request)
    }

    fn lane(&self, request: &Request) -> Option<String> {
        let key = key_of(request)?;
        let scope = Caller::of(&self.config, request).ok()?.scope;
        Some(format!("{} {} {key}", scope.account, scope.live))
    }

    /// Nothing happens by itself: a hold that the issuer dropped still shows `authorized` (OPS).
    fn tick(&mut self, now: SystemTime) {
        self.now = now;
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.payments.write_down(self.now);
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
