//! Stripe v1: payment intents and refunds, form-encoded, with its idempotency layer.
//!
//! Sources, cited by tag in this folder, all under `docs.stripe.com`:
//!
//! | tag | page |
//! |---|---|
//! | IDEM | `/api/idempotent_requests` |
//! | LOW | `/error-low-level` |
//! | ERR | `/error-codes`, `/api/errors` |
//! | PI | `/api/payment_intents` |
//! | REF | `/api/refunds` |
//! | CUR | `/currencies` |
//! | RATE | `/rate-limits` |
//! | SRCH | `/search` |
//! | HOLD | `/payments/place-a-hold-on-a-payment-method` |
//! | DECL | `/declines` |
//! | TEST | `/testing` |
//!
//! Where they are silent the stricter reading was taken; the comment at the place says so.
//!
//! Charging twice is possible here exactly where it is possible at Stripe: without a key, with
//! another key, or with a key that is older than [`Config::key_life`].

mod action;
mod amount;
mod auth;
mod cancel;
mod capture;
mod cards;
mod config;
mod confirm;
mod control;
mod create;
mod error;
mod form;
mod idempotency;
mod objects;
mod page;
mod query;
mod read;
mod refund;
mod refusal;
mod serve;
mod state;
mod table;
#[cfg(test)]
mod tests;

use std::time::SystemTime;

use crate::effect::{Effect, EffectKind};
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};
use crate::gateway::{ControlCall, ControlReply, Gateway, Step};
use auth::Scope;
use idempotency::KeyStore;
use objects::Charge;
use table::Table;

pub use config::Config;
pub use objects::{NextAction, PaymentIntent, PaymentIntentStatus, Refund, RefundStatus};

/// The version of the API that is played if a request does not name one.
const API_VERSION: &str = "2026-07-29.dahlia";

/// A simulated Stripe.
#[derive(Debug)]
pub struct Stripe {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    last_request: u64,
    keys: KeyStore,
    payments: Table<PaymentIntent>,
    charges: Table<Charge>,
    refunds: Table<Refund>,
    /// Payments that a test looked at with the right to change them.
    touched: Vec<String>,
    effects: Vec<Effect>,
}

/// Who and what is behind an execution.
#[derive(Debug, Clone, Copy)]
struct Cause<'a> {
    scope: &'a Scope,
    key: Option<&'a str>,
    steer: Option<&'a Steer>,
}

impl Stripe {
    /// An empty Stripe.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            last_request: 0,
            keys: KeyStore::default(),
            payments: Table::new("pi"),
            charges: Table::new("ch"),
            refunds: Table::new("re"),
            touched: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// Records that money moved.
    fn moved(&mut self, kind: EffectKind, payment: &PaymentIntent, amount: i64) {
        self.effects.push(Effect {
            gateway: self.name().to_owned(),
            account: payment.account.clone(),
            kind,
            provider_id: payment.id.clone(),
            payment_id: Some(payment.id.clone()),
            amount,
            currency: payment.currency.clone(),
            key: payment.key.clone(),
            fields: payment.metadata.clone(),
            request: None,
            at: self.now,
        });
    }

    /// Every request has an id of its own; a replay has a new one.
    fn next_request_id(&mut self) -> String {
        self.last_request = self.last_request.saturating_add(1);
        format!("req_sim_{:06}", self.last_request)
    }

    /// The headers that every reply of the API carries.
    fn signed_off(reply: Reply, request: &Request, request_id: &str) -> Reply {
        let version = request.header("stripe-version");
        reply
            .with_header("request-id", request_id)
            .with_header("stripe-version", version.as_deref().unwrap_or(API_VERSION))
    }
}

impl Gateway for Stripe {
    fn name(&self) -> &'static str {
        "stripe"
    }

    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step {
        self.tick(now);
        let request_id = self.next_request_id();
        let reply = self.serve(request, steer, &request_id);
        let reply = Self::signed_off(reply, request, &request_id);
        Step {
            reply,
            effects: std::mem::take(&mut self.effects),
        }
    }

    fn refuse(&mut self, request: &Request, refusal: &Refusal, now: SystemTime) -> Reply {
        self.tick(now);
        let request_id = self.next_request_id();
        Self::signed_off(refusal::reply(request, refusal), request, &request_id)
    }

    fn key_of(&self, request: &Request) -> Option<String> {
        idempotency::key_of(request)
    }

    fn lane(&self, request: &Request) -> Option<String> {
        let key = idempotency::key_of(request)?;
        let scope = Scope::of(&self.config, request).ok()?;
        Some(format!("{} {} {key}", scope.account, scope.livemode))
    }

    fn tick(&mut self, now: SystemTime) {
        self.now = now;
        self.expire_authorizations();
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.reindex_touched();
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
