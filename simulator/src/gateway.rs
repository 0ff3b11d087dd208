//! The seam: what a simulated gateway has to offer. Everything else is gateway-neutral.

use std::any::Any;
use std::fmt;
use std::time::SystemTime;

use http::{Method, StatusCode};
use serde_json::Value;

use crate::effect::Effect;
use crate::exchange::{Reply, Request};
use crate::fault::{Refusal, Steer};

/// What one request did.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Step {
    /// What the gateway answers.
    pub reply: Reply,
    /// The money that moved.
    pub effects: Vec<Effect>,
}

/// A simulated gateway: a state and a pure step. It does no I/O, reads no clock and draws no
/// random numbers, so that the same requests at the same times give the same answers.
pub trait Gateway: Any + fmt::Debug + Send {
    /// The name, which is also the first segment of its paths.
    fn name(&self) -> &'static str;

    /// Executes a request that arrived whole, idempotency layer included. `steer` makes this one
    /// execution end as a fault wants it; a gateway ignores what it cannot do.
    fn step(&mut self, request: &Request, steer: Option<&Steer>, now: SystemTime) -> Step;

    /// Renders a refusal in the gateway's own words. Nothing is executed.
    fn refuse(&mut self, request: &Request, refusal: &Refusal, now: SystemTime) -> Reply;

    /// The idempotency key that the request carries, wherever this gateway reads it.
    fn key_of(&self, request: &Request) -> Option<String>;

    /// Whether a request only reads, and so is no attempt to move money.
    fn reads(&self, request: &Request) -> bool {
        request.method == Method::GET
    }

    /// Signs a reply again that a fault changed, where this gateway signs: what it says is then another
    /// thing, and it is still the one who says it. Without this a changed reply is one that somebody
    /// on the way changed.
    fn sign(&self, reply: Reply) -> Reply {
        reply
    }

    /// What may be in progress only once at a time, if this request is about such a thing. While
    /// one is in progress, another one with the same answer is refused with
    /// [`Refusal::KeyInUse`].
    fn lane(&self, request: &Request) -> Option<String>;

    /// Brings everything that happens by itself up to this time.
    fn tick(&mut self, now: SystemTime);

    /// Hands over effects that were made outside [`Gateway::step`], by control calls.
    fn take_effects(&mut self) -> Vec<Effect>;

    /// Answers `/control/<name>/...`.
    fn control(&mut self, call: &ControlCall) -> ControlReply;

    /// Forgets everything but its settings.
    fn reset(&mut self);
}

/// A call to a gateway's own part of the control API.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ControlCall {
    /// The method.
    pub method: Method,
    /// The segments of the path behind `/control/<name>`.
    pub path: Vec<String>,
    /// The JSON body; null if there was none.
    pub body: Value,
}

impl ControlCall {
    /// A call without a body. The path is what follows `/control/<name>`.
    pub fn new(method: Method, path: &str) -> Self {
        let path = path.split('/').filter(|segment| !segment.is_empty());
        Self {
            method,
            path: path.map(str::to_owned).collect(),
            body: Value::Null,
        }
    }
}

/// What a control call is answered.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ControlReply {
    /// The status code.
    pub status: StatusCode,
    /// The JSON body.
    pub body: Value,
}

impl ControlReply {
    /// Success.
    pub fn ok(body: Value) -> Self {
        Self {
            status: StatusCode::OK,
            body,
        }
    }

    /// A refusal whose text says what to do.
    pub fn error(status: StatusCode, text: &str) -> Self {
        Self {
            status,
            body: serde_json::json!({ "error": text }),
        }
    }
}
