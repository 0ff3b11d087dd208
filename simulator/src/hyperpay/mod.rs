//! `HyperPay`, which is the OPPWA platform: payments with stored tokens, captures, refunds,
//! reversals and the query, form-encoded in, JSON out.
//!
//! Sources, cited by tag in this folder:
//!
//! | tag | source |
//! |---|---|
//! | H1 | `hyperpay.docs.oppwa.com`: endpoints, parameters, query |
//! | H2 | the platform's list of result codes, as its resellers publish it (`GET /v1/resultcodes`) |
//! | H5 | notes of a public go-live with tests on the real platform |
//! | ST | the platform's page about HTTP status codes, as integrators quote it |
//! | EX | replies that public clients of the platform keep as test examples |
//!
//! Where they are silent the stricter reading was taken; the comment at the place says so.
//!
//! There is no key and no replay (H1). **Every accepted `POST` is another payment**: the same
//! `merchantTransactionId` twice moves the money twice, and the query lists both. Only some
//! accounts refuse the second one, for a while: [`Config::duplicate_window`].

mod amount;
mod auth;
mod backoffice;
mod codes;
mod config;
mod control;
mod error;
mod fields;
mod form;
mod objects;
mod outcome;
mod pay;
mod read;
mod refusal;
mod serve;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod time;

use std::collections::BTreeMap;
use std::time::SystemTime;

use http::Method;

use crate::effect::Effect;
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};
use crate::gateway::{ControlCall, ControlReply, Gateway, Step};
use error::Envelope;
use table::Table;

pub use config::Config;
pub use fields::MerchantFields;
pub use objects::registrations;
pub use objects::{Payment, PaymentType, Registration, RegistrationResult};
pub use outcome::PlannedResult;

/// A simulated `HyperPay`.
#[derive(Debug)]
pub struct HyperPay {
    /// The settings; they may be changed at any time.
    pub config: Config,
    now: SystemTime,
    last_request: u64,
    last_registration: u64,
    payments: Table,
    registrations: BTreeMap<String, Registration>,
    planned: Vec<PlannedResult>,
    effects: Vec<Effect>,
}

/// Who and what is behind an execution.
#[derive(Debug, Clone, Copy)]
struct Cause<'a> {
    request: &'a Request,
    entity: &'a str,
    steer: Option<&'a Steer>,
}

impl HyperPay {
    /// A `HyperPay` without payments, with the ready-made [`registrations`].
    pub fn new(config: Config) -> Self {
        Self {
            config,
            now: SystemTime::UNIX_EPOCH,
            last_request: 0,
            last_registration: 0,
            payments: Table::default(),
            registrations: registrations::ready_made(),
            planned: Vec::new(),
            effects: Vec::new(),
        }
    }

    /// What surrounds the result of one request. Every request has an `ndc` of its own.
    fn envelope(&mut self, entity: Option<&str>) -> Envelope {
        self.last_request = self.last_request.saturating_add(1);
        let of = entity.unwrap_or("unknown");
        Envelope {
            ndc: format!("{of}_{:032x}", self.last_request),
            now: self.now,
        }
    }
}

impl Gateway for HyperPay {
    fn name(&self) -> &'static str {
        "hyperpay"
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
        let envelope = self.envelope(auth::named_entity(request).as_deref());
        refusal::reply(refusal, &envelope)
    }

    /// There is no key (H1). What identifies an attempt to the merchant is its reference.
    fn key_of(&self, request: &Request) -> Option<String> {
        let mut fields = form_urlencoded::parse(&request.body);
        fields
            .find(|(name, _)| request.method == Method::POST && name == "merchantTransactionId")
            .map(|(_, value)| value.into_owned())
    }

    /// Nothing is kept apart: two equal requests at the same time are both executed.
    fn lane(&self, _: &Request) -> Option<String> {
        None
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
