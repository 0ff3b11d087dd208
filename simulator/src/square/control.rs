//! `/control/square/...`, and looking at the state and planting things in it from a test.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::Square;
use super::object::{Payment, Refund, Status};
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET payments, GET refunds, POST payments/ID/copy, \
                      PATCH payments/ID {\"status\": \"CANCELED\", \"amount\": 100}, \
                      POST settings {\"list_lag_seconds\": 30}";

impl Square {
    /// All payments, oldest first.
    pub fn payments(&self) -> impl Iterator<Item = &Payment> {
        self.payments.iter()
    }

    /// All refunds, oldest first.
    pub fn refunds(&self) -> impl Iterator<Item = &Refund> {
        self.refunds.iter()
    }

    /// A payment to change. Changing one is planting: it makes no effect.
    pub fn payment_mut(&mut self, id: &str) -> Option<&mut Payment> {
        self.payments.iter_mut().find(|payment| payment.id == id)
    }

    /// A refund to change. Changing one is planting: it makes no effect.
    pub fn refund_mut(&mut self, id: &str) -> Option<&mut Refund> {
        self.refunds.iter_mut().find(|refund| refund.id == id)
    }

    /// Plants a second payment that is equal but for its id and time, as if the request had been
    /// executed twice. It makes no effect. None if there is no such payment.
    pub fn copy_payment(&mut self, id: &str) -> Option<String> {
        let original = self.payments.iter().find(|payment| payment.id == id)?;
        let original = original.clone();
        let copy = self.fresh_id("PAY");
        self.payments.add(Payment {
            id: copy.clone(),
            created_at: self.now,
            updated_at: self.now,
            ..original
        });
        Some(copy)
    }

    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["payments"]) => Ok(self.payments().map(Payment::to_json).collect()),
            (&Method::GET, ["refunds"]) => Ok(self.refunds().map(Refund::to_json).collect()),
            (&Method::POST, ["payments", id, "copy"]) => {
                let copy = self.copy_payment(id);
                copy.map(|copy| json!({ "id": copy }))
                    .ok_or_else(|| no_payment(id))
            }
            (&Method::PATCH, ["payments", id]) => self.patch(id, &call.body),
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            _ => {
                let text = format!("there is no such call; under /control/square: {ROUTES}");
                return ControlReply::error(StatusCode::NOT_FOUND, &text);
            }
        };
        match done {
            Ok(body) => ControlReply::ok(body),
            Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
        }
    }

    /// All or nothing: a wrong field changes nothing.
    fn patch(&mut self, id: &str, body: &Value) -> Result<Value, String> {
        let now = self.now;
        let payment = self.payment_mut(id).ok_or_else(|| no_payment(id))?;
        let mut patched = payment.clone();
        for (name, value) in members(body)? {
            let wrong =
                || format!("{name}: {value} is not possible here; there are status, amount");
            match name.as_str() {
                "status" => {
                    let status = value.as_str().and_then(Status::parse);
                    patched.status = status.ok_or_else(wrong)?;
                }
                "amount" => patched.amount = value.as_i64().ok_or_else(wrong)?,
                _ => return Err(wrong()),
            }
        }
        patched.updated_at = now;
        *payment = patched;
        Ok(payment.to_json())
    }

    fn change_settings(&mut self, body: &Value) -> Result<Value, String> {
        let mut config = self.config.clone();
        for (name, value) in members(body)? {
            let wrong = || {
                format!(
                    "{name}: {value} is not possible here; there are list_lag_seconds, \
                     key_life_seconds, page_size"
                )
            };
            let number = value.as_u64().ok_or_else(wrong)?;
            match name.as_str() {
                "list_lag_seconds" => config.list_lag = Duration::from_secs(number),
                "key_life_seconds" => config.key_life = Duration::from_secs(number),
                "page_size" => {
                    let size = usize::try_from(number).ok().filter(|size| *size > 0);
                    config.page_size = size.ok_or_else(wrong)?;
                }
                _ => return Err(wrong()),
            }
        }
        self.config = config;
        Ok(json!({
            "list_lag_seconds": self.config.list_lag.as_secs(),
            "key_life_seconds": self.config.key_life.as_secs(),
            "page_size": self.config.page_size,
        }))
    }
}

fn members(body: &Value) -> Result<&serde_json::Map<String, Value>, String> {
    body.as_object()
        .ok_or_else(|| "the body must be a JSON object".to_owned())
}

fn no_payment(id: &str) -> String {
    format!("no payment \"{id}\"; GET /control/square/payments lists them")
}
