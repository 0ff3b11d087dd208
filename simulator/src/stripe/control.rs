//! `/control/stripe/...`: looking at the state and planting things in it over HTTP.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::Stripe;
use super::objects::{PaymentIntent, PaymentIntentStatus, Refund, RefundStatus};
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET payment_intents, PATCH payment_intents/ID, \
                      POST payment_intents/ID/copy, \
                      POST payment_intents/ID/complete_action {\"passed\": true}, \
                      POST payment_intents/ID/settle {\"succeeded\": true}, \
                      GET refunds, PATCH refunds/ID {\"status\": \"failed\"}, \
                      POST settings {\"key_life_seconds\": 60, \"search_lag_seconds\": 30}, \
                      POST forget_keys";

impl Stripe {
    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["payment_intents"]) => {
                let payments = self.payments.iter();
                Ok(payments
                    .map(|payment| with_account(payment, self))
                    .collect())
            }
            (&Method::GET, ["refunds"]) => Ok(self.refunds.iter().map(Refund::to_json).collect()),
            (&Method::PATCH, ["payment_intents", id]) => {
                let patched = self.patch_payment(id, &call.body);
                patched.and_then(|()| self.shown(id))
            }
            (&Method::POST, ["payment_intents", id, "copy"]) => {
                let copy = self.copy_payment_intent(id);
                copy.ok_or_else(|| no_payment(id))
                    .and_then(|copy| self.shown(&copy))
            }
            (&Method::POST, ["payment_intents", id, "complete_action"]) => {
                flag(&call.body, "passed")
                    .and_then(|passed| self.complete_action(id, passed))
                    .and_then(|()| self.shown(id))
            }
            (&Method::POST, ["payment_intents", id, "settle"]) => flag(&call.body, "succeeded")
                .and_then(|succeeded| self.settle(id, succeeded))
                .and_then(|()| self.shown(id)),
            (&Method::PATCH, ["refunds", id]) => self.patch_refund(id, &call.body),
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            (&Method::POST, ["forget_keys"]) => {
                self.forget_keys();
                Ok(json!({ "remembered_keys": 0 }))
            }
            _ => {
                let text = format!("there is no such call; under /control/stripe: {ROUTES}");
                return ControlReply::error(StatusCode::NOT_FOUND, &text);
            }
        };
        match done {
            Ok(body) => ControlReply::ok(body),
            Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
        }
    }

    fn shown(&self, id: &str) -> Result<Value, String> {
        let payment = self.payments.get(id).ok_or_else(|| no_payment(id))?;
        Ok(with_account(payment, self))
    }

    /// All or nothing: a wrong field changes nothing.
    fn patch_payment(&mut self, id: &str, body: &Value) -> Result<(), String> {
        let mut patched = self.payments.get(id).ok_or_else(|| no_payment(id))?.clone();
        for (name, value) in members(body)? {
            let wrong = || format!("{name}: {value} is not possible here");
            match name.as_str() {
                "amount" => patched.amount = value.as_i64().ok_or_else(wrong)?,
                "amount_capturable" => {
                    patched.amount_capturable = value.as_i64().ok_or_else(wrong)?;
                }
                "amount_received" => patched.amount_received = value.as_i64().ok_or_else(wrong)?,
                "currency" => value
                    .as_str()
                    .ok_or_else(wrong)?
                    .clone_into(&mut patched.currency),
                "status" => {
                    let status = value.as_str().and_then(PaymentIntentStatus::parse);
                    patched.status = status.ok_or_else(wrong)?;
                }
                "metadata" => {
                    patched.metadata =
                        serde_json::from_value(value.clone()).map_err(|_| wrong())?;
                }
                _ => {
                    return Err(format!(
                        "{name} cannot be changed; these can: amount, amount_capturable, \
                         amount_received, currency, status, metadata"
                    ));
                }
            }
        }
        self.change(id, |payment| *payment = patched);
        Ok(())
    }

    fn patch_refund(&mut self, id: &str, body: &Value) -> Result<Value, String> {
        let word = body
            .get("status")
            .and_then(Value::as_str)
            .and_then(RefundStatus::parse);
        let status = word.ok_or(
            "the body must be {\"status\": ..} with pending, requires_action, succeeded, failed \
             or canceled",
        )?;
        self.settle_refund(id, status)?;
        Ok(self
            .refunds
            .get(id)
            .map(Refund::to_json)
            .unwrap_or_default())
    }

    fn change_settings(&mut self, body: &Value) -> Result<Value, String> {
        let mut config = self.config.clone();
        for (name, value) in members(body)? {
            let seconds = value.as_u64().map(Duration::from_secs);
            let seconds = seconds.ok_or_else(|| format!("{name} must be whole seconds"))?;
            match name.as_str() {
                "key_life_seconds" => config.key_life = seconds,
                "search_lag_seconds" => config.search_lag = seconds,
                "authorization_life_seconds" => config.authorization_life = seconds,
                _ => {
                    return Err(format!(
                        "no setting {name}; there are: key_life_seconds, search_lag_seconds, \
                         authorization_life_seconds"
                    ));
                }
            }
        }
        self.config = config;
        Ok(json!({
            "key_life_seconds": self.config.key_life.as_secs(),
            "search_lag_seconds": self.config.search_lag.as_secs(),
            "authorization_life_seconds": self.config.authorization_life.as_secs(),
        }))
    }
}

/// The payment as the API shows it, and whose it is.
fn with_account(payment: &PaymentIntent, stripe: &Stripe) -> Value {
    let mut shown = stripe.render(payment, &[]);
    if let Value::Object(members) = &mut shown {
        members.insert("account".to_owned(), json!(payment.account));
    }
    shown
}

fn no_payment(id: &str) -> String {
    format!("no payment intent \"{id}\"; GET /control/stripe/payment_intents lists them")
}

fn members(body: &Value) -> Result<&Map<String, Value>, String> {
    body.as_object()
        .ok_or_else(|| "the body must be a JSON object".to_owned())
}

fn flag(body: &Value, name: &str) -> Result<bool, String> {
    let flag = body.get(name).and_then(Value::as_bool);
    flag.ok_or_else(|| format!("the body must be {{\"{name}\": true}} or false"))
}
