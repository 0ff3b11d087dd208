//! `PayTabs` PT2: sales and authorizations with stored cards and on a page, captures, refunds, voids
//! and the query, JSON in and out.
//!
//! Sources, cited by tag in this folder:
//!
//! | tag | source |
//! |---|---|
//! | P1 | `paytabscom/php-sdk`: fields, types of transactions, forms of replies |
//! | P3 | `docs.paytabs.com`: limits, query, what can be done with which transaction |
//! | P4 | `support.paytabs.com` article 60000711358: statuses and codes |
//! | P7 | a public report of refunds that were tried |
//!
//! Where they are silent the stricter reading was taken; the comment at the place says so.
//!
//! There is no key and no replay. An equal request (profile, `cart_id`, currency, amount) within two
//! minutes is refused with code 4, and **after that it is another payment** (P4). No page says that
//! captures, refunds and voids are guarded at all, so here they are not.

mod amount;
mod auth;
mod config;
mod control;
mod error;
mod follow;
mod order;
mod query;
mod refusal;
mod serve;
mod state;
mod transaction;

#[cfg(test)]
mod tests;

/// Ready-made tokens, which every profile may use.
pub mod tokens;

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::effect::Effect;
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};
use crate::gateway::{ControlCall, ControlReply, Gateway, Step};

pub use config::Config;
pub use transaction::{TranType, Transaction};

/// A simulated `PayTabs`.
#[derive(Debug)]
pub struct PayTabs {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    last_request: u64,
    last: u64,
    rows: BTreeMap<u64, Transaction>,
    effects: Vec<Effect>,
}

impl PayTabs {
    /// A `PayTabs` without transactions, with the ready-made [`tokens`].
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            last_request: 0,
            last: 0,
            rows: BTreeMap::new(),
            effects: Vec::new(),
        }
    }

    /// Every reply has a trace of its own.
    fn trace(&mut self) -> String {
        self.last_request = self.last_request.saturating_add(1);
        format!("PMNT0001.{:08X}", self.last_request)
    }
}

impl Gateway for PayTabs {
    fn name(&self) -> &'static str {
        "paytabs"
    }

    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step {
        self.tick(now);
        let reply = self.serve(request, steer);
        Step {
            reply,
            effects: std::mem::take(&mut self.effects),
        }
    }

    fn refuse(&mut self, _: &Request, refusal: &Refusal, now: SystemTime) -> Reply {
        self.tick(now);
        let trace = self.trace();
        refusal::reply(refusal, &trace)
    }

    /// A query is a `POST` too.
    fn reads(&self, request: &Request) -> bool {
        !serve::moves(request)
    }

    /// There is no key. What identifies an attempt to the merchant is its `cart_id`.
    fn key_of(&self, request: &Request) -> Option<String> {
        serve::moves(request).then(|| order::text_of(request, "cart_id"))?
    }

    /// The guard looks at what arrived (P4), so an equal request in progress is refused too.
    fn lane(&self, request: &Request) -> Option<String> {
        self.guarded(request)
    }

    fn tick(&mut self, now: SystemTime) {
        self.now = now;
        self.expire_pages();
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
