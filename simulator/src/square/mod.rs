//! Square's Payments and Refunds APIs, in JSON.
//!
//! Sources, cited by tag in this folder: pages of `developer.squareup.com`, and the `OpenAPI` file of
//! `square/connect-api-specification`.
//!
//! | tag | page |
//! |---|---|
//! | OAS | the `OpenAPI` file: payments, refunds, error codes |
//! | IDEM | working with APIs, idempotency |
//! | ERR | build basics, handling errors |
//! | CAP | card payments, delayed capture |
//! | TST | sandbox payments |
//!
//! Where they are silent the stricter reading was taken; the comment at the place says so.
//!
//! The key is `idempotency_key` in the body, of payments and of refunds apart. Charging twice is
//! possible here exactly where it is possible at Square: with another key. A complete and a cancel
//! have no key and need none: their states are terminal.

mod auth;
mod body;
mod config;
mod control;
mod create;
mod error;
mod keys;
mod lists;
mod object;
mod refund;
mod refusal;
mod serve;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::SystemTime;

use http::Method;
use serde_json::Value;

use crate::effect::{Effect, EffectKind};
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};
use crate::gateway::{ControlCall, ControlReply, Gateway, Step};
use keys::KeyStore;
use state::Table;

pub use config::Config;
pub use object::{Payment, Refund, Status};

/// A simulated Square.
#[derive(Debug)]
pub struct Square {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    last_id: u64,
    payments: Table<Payment>,
    refunds: Table<Refund>,
    keys: KeyStore,
    effects: Vec<Effect>,
}

impl Square {
    /// An empty Square.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            last_id: 0,
            payments: Table::default(),
            refunds: Table::default(),
            keys: KeyStore::default(),
            effects: Vec::new(),
        }
    }

    /// Records that money moved.
    fn moved(&mut self, kind: EffectKind, payment: &Payment, refund: Option<&Refund>) {
        let mut fields = BTreeMap::new();
        let (id, amount, key) = if let Some(refund) = refund {
            fields.insert("reason".to_owned(), refund.reason.clone());
            (&refund.id, refund.amount, Some(&refund.key))
        } else {
            fields.insert("reference_id".to_owned(), payment.reference_id.clone());
            let makes = matches!(kind, EffectKind::Charge | EffectKind::Authorize);
            (
                &payment.id,
                payment.amount,
                Some(&payment.key).filter(|_| makes),
            )
        };
        // A merchant's one free text may hold several of his own, a line each.
        for (number, line) in payment.note.lines().enumerate() {
            fields.insert(format!("note line {number}"), line.to_owned());
        }
        self.effects.push(Effect {
            gateway: self.name().to_owned(),
            account: payment.account.clone(),
            kind,
            provider_id: id.clone(),
            payment_id: Some(payment.id.clone()),
            amount,
            currency: payment.currency.clone(),
            key: key.cloned(),
            fields,
            request: None,
            at: self.now,
        });
    }
}

/// The key in the body of what makes a payment or a refund.
fn key_of(request: &Request) -> Option<String> {
    let makes = ["/v2/payments", "/v2/refunds"].contains(&request.path.as_str());
    if request.method != Method::POST || !makes {
        return None;
    }
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    body.get("idempotency_key")?.as_str().map(str::to_owned)
}

impl Gateway for Square {
    fn name(&self) -> &'static str {
        "square"
    }

    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step {
        self.tick(now);
        let reply = self.serve(request, steer);
        self.write_down();
        Step {
            reply,
            effects: std::mem::take(&mut self.effects),
        }
    }

    fn refuse(&mut self, _request: &Request, refusal: &Refusal, now: SystemTime) -> Reply {
        self.tick(now);
        refusal::reply(refusal)
    }

    fn key_of(&self, request: &Request) -> Option<String> {
        key_of(request)
    }

    fn lane(&self, request: &Request) -> Option<String> {
        let key = key_of(request)?;
        let account = auth::account_of(&self.config, request).ok()?;
        Some(format!("{account} {} {key}", request.path))
    }

    /// An authorization that nobody completed in time is canceled (CAP).
    fn tick(&mut self, now: SystemTime) {
        self.now = now;
        self.cancel_the_old();
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.write_down();
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
