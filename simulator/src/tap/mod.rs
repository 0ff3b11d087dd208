//! Tap Payments v2: charges, authorizations and refunds, in JSON.
//!
//! Sources, cited by tag in this folder: pages of `developers.tap.company`.
//!
//! | tag | page |
//! |---|---|
//! | IDEM | docs/idempotency |
//! | CHG | reference/charges, reference/list-all-charges |
//! | AUT | reference/authorize, docs/authorize-and-capture, reference/void-an-authorize |
//! | REF | docs/refunds, docs/create-a-refund |
//! | CODE | reference/charge-response-codes |
//!
//! Where they are silent the stricter reading was taken; the comment at the place says so.
//!
//! The key is `reference.idempotent`, for 24 hours. Charging twice is possible here exactly where it
//! is possible at Tap: with another key, without one, with one beside `reference`, or a day later.

mod amount;
mod auth;
mod body;
mod config;
mod control;
mod create;
mod error;
mod keys;
mod list;
mod outcome;
mod page;
mod record;
mod refund;
mod serve;
mod state;
mod table;
#[cfg(test)]
mod tests;

use std::time::SystemTime;

use http::Method;
use serde_json::Value;

use crate::effect::{Effect, EffectKind};
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};
use crate::gateway::{ControlCall, ControlReply, Gateway, Step};

pub use config::Config;
pub use record::{Kind, Record};

/// A simulated Tap.
#[derive(Debug)]
pub struct Tap {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    records: table::Table,
    keys: keys::KeyStore,
    effects: Vec<Effect>,
}

impl Tap {
    /// An empty Tap.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            records: table::Table::default(),
            keys: keys::KeyStore::default(),
            effects: Vec::new(),
        }
    }

    /// Records that money moved. A void has no object of its own, so the authorization stands for it.
    fn moved(&mut self, kind: EffectKind, record: &Record) {
        self.effects.push(Effect {
            gateway: self.name().to_owned(),
            account: record.account.clone(),
            kind,
            provider_id: record.id.clone(),
            payment_id: Some(record.parent.as_ref().unwrap_or(&record.id).clone()),
            amount: record.amount,
            currency: record.currency.clone(),
            key: record.key.clone().filter(|_| kind != EffectKind::Void),
            fields: record.metadata.clone(),
            request: None,
            at: self.now,
        });
    }
}

/// The `reference.idempotent` of what makes an object (IDEM).
fn key_of(request: &Request) -> Option<String> {
    let path = serve::segments(&request.path);
    let makes = matches!(path.as_slice(), ["v2", "charges" | "authorize" | "refunds"]);
    if request.method != Method::POST || !makes {
        return None;
    }
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    let key = body.pointer("/reference/idempotent")?.as_str()?;
    Some(key.to_owned()).filter(|key| !key.is_empty())
}

impl Gateway for Tap {
    fn name(&self) -> &'static str {
        "tap"
    }

    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step {
        self.tick(now);
        let reply = self.serve(request, steer);
        self.records.write_down(now);
        Step {
            reply,
            effects: std::mem::take(&mut self.effects),
        }
    }

    fn refuse(&mut self, request: &Request, refusal: &Refusal, now: SystemTime) -> Reply {
        self.tick(now);
        error::refusal(request, refusal)
    }

    fn key_of(&self, request: &Request) -> Option<String> {
        key_of(request)
    }

    /// A list is asked for by POST (CHG).
    fn reads(&self, request: &Request) -> bool {
        request.method == Method::GET || serve::segments(&request.path).last() == Some(&"list")
    }

    fn lane(&self, request: &Request) -> Option<String> {
        let key = key_of(request)?;
        let scope = auth::Scope::of(&self.config, request).ok()?;
        Some(format!("{} {} {key}", scope.account, scope.live))
    }

    /// Nothing happens by itself: an authorization that ran out still shows AUTHORIZED.
    fn tick(&mut self, now: SystemTime) {
        self.now = now;
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.records.write_down(self.now);
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
