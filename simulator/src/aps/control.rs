//! `/control/aps/...`, and the same from a test: looking at the state and planting things in it.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::Aps;
use super::order::Order;
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET orders, POST orders/ID/complete_action {\"passed\": true}, \
                      POST orders/ID/settle {\"succeeded\": true}, \
                      POST settings {\"query_lag_seconds\": 60, \"hides_unfinished\": true}";

impl Aps {
    /// All orders, oldest first.
    pub fn orders(&self) -> impl Iterator<Item = &Order> {
        self.orders.iter()
    }

    /// An order of any merchant, to change. Changing one is planting: it makes no effect.
    pub fn order_mut(&mut self, fort_id: &str) -> Option<&mut Order> {
        let number = self.orders.find(|order| order.fort_id == fort_id)?;
        self.orders.get_mut(number)
    }

    /// The customer passes or fails 3-D Secure.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn complete_action(&mut self, fort_id: &str, passed: bool) -> Result<(), String> {
        self.end(fort_id, passed, "20064", "030")
    }

    /// An order that has no result yet gets one.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn settle(&mut self, fort_id: &str, succeeded: bool) -> Result<(), String> {
        self.end(fort_id, succeeded, "19065", "666")
    }

    fn end(&mut self, id: &str, well: bool, waits: &str, message: &str) -> Result<(), String> {
        let number = self.orders.find(|order| order.fort_id == id);
        let number = number.ok_or_else(|| format!("no order \"{id}\"; GET orders lists them"))?;
        let Some(order) = self.orders.get(number).filter(|order| order.code == waits) else {
            return Err(format!("{id} does not wait for that"));
        };
        let failed = if order.manual { "03" } else { "13" };
        if well {
            self.succeed(number);
        } else {
            self.note(number, format!("{failed}{message}"));
        }
        Ok(())
    }

    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["orders"]) => Ok(()),
            (&Method::POST, ["orders", id, "complete_action"]) => {
                flag(&call.body, "passed").and_then(|passed| self.complete_action(id, passed))
            }
            (&Method::POST, ["orders", id, "settle"]) => {
                flag(&call.body, "succeeded").and_then(|well| self.settle(id, well))
            }
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            _ => {
                let text = format!("there is no such call; under /control/aps: {ROUTES}");
                return ControlReply::error(StatusCode::NOT_FOUND, &text);
            }
        };
        match done {
            Ok(()) => ControlReply::ok(self.orders.iter().map(show).collect()),
            Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
        }
    }

    fn change_settings(&mut self, body: &Value) -> Result<(), String> {
        let mut config = self.config.clone();
        let members = body.as_object().ok_or("the body must be a JSON object")?;
        for (name, value) in members {
            let wrong = || format!("{name}: {value} is not possible here; there are: {ROUTES}");
            match name.as_str() {
                "query_lag_seconds" => {
                    config.query_lag = Duration::from_secs(value.as_u64().ok_or_else(wrong)?);
                }
                "hides_unfinished" => {
                    config.hides_unfinished = value.as_bool().ok_or_else(wrong)?;
                }
                _ => return Err(wrong()),
            }
        }
        self.config = config;
        Ok(())
    }
}

fn show(order: &Order) -> Value {
    json!({
        "fort_id": order.fort_id,
        "merchant_identifier": order.merchant,
        "merchant_reference": order.merchant_reference,
        "code": order.code,
        "currency": order.currency,
        "authorized": order.authorized,
        "captured": order.captured,
        "refunded": order.refunded,
        "voided": order.voided,
    })
}

fn flag(body: &Value, name: &str) -> Result<bool, String> {
    let flag = body.get(name).and_then(Value::as_bool);
    flag.ok_or_else(|| format!("the body must be {{\"{name}\": true}} or false"))
}
