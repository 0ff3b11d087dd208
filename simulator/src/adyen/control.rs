//! `/control/adyen/...`: looking at the state and planting things in it over HTTP.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::serve::add;
use super::state::no_payment;
use super::{Adyen, Change, Payment};
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET payments, GET changes, POST payments/ID/complete_action {\"passed\": true}, \
                      POST payments/ID/settle {\"succeeded\": true}, \
                      POST settings {\"key_life_seconds\": 604800, \"protects\": true}";

impl Adyen {
    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["payments"]) => Ok(self.payments().map(payment).collect()),
            (&Method::GET, ["changes"]) => Ok(self.changes().iter().map(change).collect()),
            (&Method::POST, ["payments", id, "complete_action"]) => flag(&call.body, "passed")
                .and_then(|passed| self.complete_action(id, passed))
                .map(|result| json!({ "redirectResult": result })),
            (&Method::POST, ["payments", id, "settle"]) => flag(&call.body, "succeeded")
                .and_then(|succeeded| self.settle(id, succeeded))
                .and_then(|()| self.payment(id).map(payment).ok_or_else(|| no_payment(id))),
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            _ => {
                let text = format!("there is no such call; under /control/adyen: {ROUTES}");
                return ControlReply::error(StatusCode::NOT_FOUND, &text);
            }
        };
        match done {
            Ok(body) => ControlReply::ok(body),
            Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
        }
    }

    /// All or nothing: a wrong field changes nothing.
    fn change_settings(&mut self, body: &Value) -> Result<Value, String> {
        let mut config = self.config.clone();
        let members = body.as_object();
        for (name, value) in members.ok_or("the body must be a JSON object")? {
            let wrong = || format!("{name}: {value} is not possible here");
            match name.as_str() {
                "key_life_seconds" => {
                    config.key_life = Duration::from_secs(value.as_u64().ok_or_else(wrong)?);
                }
                "protects" => config.protects = value.as_bool().ok_or_else(wrong)?,
                _ => {
                    return Err(format!(
                        "no setting {name}; there are: key_life_seconds, protects"
                    ));
                }
            }
        }
        self.config = config;
        Ok(json!({
            "key_life_seconds": self.config.key_life.as_secs(),
            "protects": self.config.protects,
        }))
    }
}

/// The payment as the API shows it, and what stands behind it.
fn payment(payment: &Payment) -> Value {
    let mut shown = payment.to_json();
    add(
        &mut shown,
        "merchantAccount",
        json!(payment.merchant_account),
    );
    add(&mut shown, "captured", json!(payment.captured));
    add(&mut shown, "refunded", json!(payment.refunded));
    add(&mut shown, "released", json!(payment.released));
    shown
}

fn change(change: &Change) -> Value {
    json!({
        "pspReference": change.id,
        "paymentPspReference": change.payment,
        "reference": change.reference,
        "amount": change.amount,
        "done": change.done,
    })
}

fn flag(body: &Value, name: &str) -> Result<bool, String> {
    let flag = body.get(name).and_then(Value::as_bool);
    flag.ok_or_else(|| format!("the body must be {{\"{name}\": true}} or false"))
}
