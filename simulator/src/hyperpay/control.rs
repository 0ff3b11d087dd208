//! `/control/hyperpay/...`: looking at the state and planting things in it over HTTP.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::objects::{Payment, Registration, RegistrationResult};
use super::outcome::PlannedResult;
use super::state::no_payment;
use super::{HyperPay, amount, codes};
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET payments, PATCH payments/ID, POST payments/ID/copy, \
                      POST payments/ID/complete_action {\"passed\": true}, \
                      POST payments/ID/settle {\"code\": \"000.100.110\"}, \
                      GET registrations, \
                      POST registrations {\"result\": \"approved\" | \"redirect\" | CODE}, \
                      GET results, \
                      POST results {\"code\": \"900.100.300\", \"when\": \"after\"}, \
                      POST settings {\"duplicate_window_seconds\": 60}";

impl HyperPay {
    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["payments"]) => Ok(self.payments.iter().map(with_entity).collect()),
            (&Method::PATCH, ["payments", id]) => {
                let patched = self.patch_payment(id, &call.body);
                patched.and_then(|()| self.shown(id))
            }
            (&Method::POST, ["payments", id, "copy"]) => {
                let copy = self.copy_payment(id);
                copy.ok_or_else(|| no_payment(id))
                    .and_then(|copy| self.shown(&copy))
            }
            (&Method::POST, ["payments", id, "complete_action"]) => flag(&call.body, "passed")
                .and_then(|passed| self.complete_action(id, passed))
                .and_then(|()| self.shown(id)),
            (&Method::POST, ["payments", id, "settle"]) => self
                .settled_code(&call.body)
                .and_then(|code| self.settle(id, &code))
                .and_then(|()| self.shown(id)),
            (&Method::GET, ["registrations"]) => {
                Ok(self.registrations.values().map(registration).collect())
            }
            (&Method::POST, ["registrations"]) => self.new_registration(&call.body),
            (&Method::GET, ["results"]) => Ok(json!(self.planned)),
            (&Method::POST, ["results"]) => self.new_result(&call.body),
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            _ => {
                let text = format!("there is no such call; under /control/hyperpay: {ROUTES}");
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
        Ok(with_entity(payment))
    }

    /// All or nothing: a wrong field changes nothing.
    fn patch_payment(&mut self, id: &str, body: &Value) -> Result<(), String> {
        let payment = self.payments.get_mut(id).ok_or_else(|| no_payment(id))?;
        let mut patched = payment.clone();
        for (name, value) in members(body)? {
            let wrong = || format!("{name}: {value} is not possible here");
            let text = value.as_str().ok_or_else(wrong)?;
            match name.as_str() {
                "amount" => patched.amount = amount::parse(text).ok_or_else(wrong)?,
                "currency" => text.clone_into(&mut patched.currency),
                "code" if codes::is_code(text) => text.clone_into(&mut patched.code),
                "code" => return Err(wrong()),
                "merchantTransactionId" => {
                    patched.fields.transaction_id = Some(text.to_owned());
                }
                "entityId" => text.clone_into(&mut patched.entity),
                _ => {
                    return Err(format!(
                        "{name} cannot be changed; these can: amount, currency, code, \
                         merchantTransactionId, entityId"
                    ));
                }
            }
        }
        *payment = patched;
        Ok(())
    }

    /// A code, or in short whether it succeeded.
    fn settled_code(&self, body: &Value) -> Result<String, String> {
        if let Some(code) = body.get("code").and_then(Value::as_str) {
            return Ok(code.to_owned());
        }
        let succeeded = body.get("succeeded").and_then(Value::as_bool);
        let succeeded =
            succeeded.ok_or("the body must be {\"code\": ..} or {\"succeeded\": ..}")?;
        let code = if succeeded {
            self.config.success()
        } else {
            codes::DECLINED
        };
        Ok(code.to_owned())
    }

    fn new_registration(&mut self, body: &Value) -> Result<Value, String> {
        let (mut entity, mut result) = (None, None);
        for (name, value) in members(body)? {
            match (name.as_str(), value.as_str()) {
                ("entityId", Some(text)) => entity = Some(text.to_owned()),
                ("result", Some(text)) => result = RegistrationResult::parse(text),
                _ => return Err(format!("{name}: {value} is not possible here")),
            }
        }
        let result = result.ok_or("result must be approved, redirect or a result code")?;
        let id = self.add_registration(result);
        let added = self.registrations.get_mut(&id);
        let added = added.ok_or("the registration is not there")?;
        added.entity = entity;
        Ok(registration(added))
    }

    fn new_result(&mut self, body: &Value) -> Result<Value, String> {
        let planned: PlannedResult =
            serde_json::from_value(body.clone()).map_err(|error| error.to_string())?;
        if !codes::is_code(&planned.code) {
            return Err(format!("code: {} is no result code", planned.code));
        }
        if planned.times == 0 {
            return Err("times: 0 would never hit anything".to_owned());
        }
        self.plan_result(planned);
        Ok(json!(self.planned))
    }

    fn change_settings(&mut self, body: &Value) -> Result<Value, String> {
        let mut config = self.config.clone();
        for (name, value) in members(body)? {
            if name == "live" {
                let live = value.as_bool();
                config.live = live.ok_or_else(|| "live must be true or false".to_owned())?;
                continue;
            }
            let seconds = value.as_u64().map(Duration::from_secs);
            if name == "duplicate_window_seconds" && value.is_null() {
                config.duplicate_window = None;
                continue;
            }
            let seconds = seconds.ok_or_else(|| format!("{name} must be whole seconds"))?;
            match name.as_str() {
                "duplicate_window_seconds" => config.duplicate_window = Some(seconds),
                "query_lag_seconds" => config.query_lag = seconds,
                "settled_after_seconds" => config.settled_after = seconds,
                _ => {
                    return Err(format!(
                        "no setting {name}; there are: duplicate_window_seconds, \
                         query_lag_seconds, settled_after_seconds, live"
                    ));
                }
            }
        }
        self.config = config;
        let window = self.config.duplicate_window;
        Ok(json!({
            "duplicate_window_seconds": window.map(|window| window.as_secs()),
            "query_lag_seconds": self.config.query_lag.as_secs(),
            "settled_after_seconds": self.config.settled_after.as_secs(),
            "live": self.config.live,
        }))
    }
}

/// The payment as the API shows it, and what the API does not say.
fn with_entity(payment: &Payment) -> Value {
    let mut shown = payment.show();
    shown.insert("entityId".to_owned(), json!(payment.entity));
    shown.insert("moved".to_owned(), json!(payment.moved));
    Value::Object(shown)
}

fn registration(registration: &Registration) -> Value {
    json!({
        "id": registration.id,
        "entityId": registration.entity,
        "result": registration.result.as_str(),
    })
}

fn members(body: &Value) -> Result<&Map<String, Value>, String> {
    body.as_object()
        .ok_or_else(|| "the body must be a JSON object".to_owned())
}

fn flag(body: &Value, name: &str) -> Result<bool, String> {
    let flag = body.get(name).and_then(Value::as_bool);
    flag.ok_or_else(|| format!("the body must be {{\"{name}\": true}} or false"))
}
