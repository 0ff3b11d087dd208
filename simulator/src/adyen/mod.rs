//! Adyen's Checkout API: payments, their details after the customer acted, captures, refunds and
//! cancels, JSON in and out.
//!
//! Sources, cited by tag in this folder:
//!
//! | tag | source |
//! |---|---|
//! | OAS | Adyen's own description of the API, `CheckoutService-v72` |
//! | IDEM | `docs.adyen.com/development-resources/api-idempotency` |
//! | CUR | `docs.adyen.com/development-resources/currency-codes` |
//! | CAP | `docs.adyen.com/online-payments/capture`, and the pages of refunds and cancels |
//! | TST | `docs.adyen.com/development-resources/testing/result-codes` |
//!
//! Where they are silent the stricter reading was taken; the comment at the place says so.
//!
//! The first answer under a key is kept for the whole company and given again to whatever comes under
//! it (IDEM; what a changed body gets is not documented). Without a key, or while
//! [`Config::protects`] is off, **every accepted `POST` is one more**.

mod change;
mod config;
mod control;
mod create;
mod details;
mod error;
mod keys;
mod payment;
mod serve;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::SystemTime;

use http::Method;

use crate::effect::Effect;
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};
use crate::gateway::{ControlCall, ControlReply, Gateway, Step};
use keys::KeyStore;

pub use change::{Change, ChangeKind};
pub use config::Config;
pub use payment::{Payment, PaymentState};

/// A simulated Adyen, of one company.
#[derive(Debug)]
pub struct Adyen {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    last_id: u64,
    payments: BTreeMap<String, Payment>,
    changes: Vec<Change>,
    keys: KeyStore,
    effects: Vec<Effect>,
}

/// What is behind an execution.
#[derive(Debug, Clone, Copy)]
struct Cause<'a> {
    key: Option<&'a str>,
    steer: Option<&'a Steer>,
}

impl Adyen {
    /// An Adyen without payments.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            last_id: 0,
            payments: BTreeMap::new(),
            changes: Vec::new(),
            keys: KeyStore::default(),
            effects: Vec::new(),
        }
    }

    /// A `pspReference` that was never given before: 16 letters and digits (OAS).
    fn new_id(&mut self) -> String {
        self.last_id = self.last_id.saturating_add(1);
        format!("SIM{:013}", self.last_id)
    }
}

impl Gateway for Adyen {
    fn name(&self) -> &'static str {
        "adyen"
    }

    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step {
        self.tick(now);
        let reply = self.serve(request, steer);
        Step {
            reply,
            effects: std::mem::take(&mut self.effects),
        }
    }

    fn refuse(&mut self, request: &Request, refusal: &Refusal, now: SystemTime) -> Reply {
        self.tick(now);
        error::refusal(keys::key_of(request).as_deref(), refusal)
    }

    fn key_of(&self, request: &Request) -> Option<String> {
        keys::key_of(request)
    }

    /// The key is in progress for the whole company (IDEM).
    fn lane(&self, request: &Request) -> Option<String> {
        keys::key_of(request).filter(|_| self.config.protects && request.method == Method::POST)
    }

    fn tick(&mut self, now: SystemTime) {
        self.now = now;
    }

    fn take_effects(&mut self) -> Vec<Effect> {
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
