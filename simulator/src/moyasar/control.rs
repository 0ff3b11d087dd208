//! `/control/moyasar/...`: looking at the state and planting things in it over HTTP.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::Moyasar;
use super::config::Repeat;
use super::payment::{Payment, PaymentStatus};
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET payments, PATCH payments/ID, POST payments/ID/copy, \
                      POST payments/ID/complete_action {\"passed\": true}, \
                      POST payments/ID/settle {\"succeeded\": true}, \
                      POST settings {\"repeat\": \"stored\", \"read_lag_seconds\": 30}";

const SETTINGS: &str = "repeat (already_created, stored, stored_as_created), page_size, \
                        read_lag_seconds, settlement_seconds, authorization_life_seconds";

impl Moyasar {
    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["payments"]) => Ok(self.payments().map(with_account).collect()),
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
            (&Method::POST, ["payments", id, "settle"]) => flag(&call.body, "succeeded")
                .and_then(|succeeded| self.settle(id, succeeded))
                .and_then(|()| self.shown(id)),
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            _ => {
                let text = format!("there is no such call; under /control/moyasar: {ROUTES}");
                return ControlReply::error(StatusCode::NOT_FOUND, &text);
            }
        };
        match done {
            Ok(body) => ControlReply::ok(body),
            Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
        }
    }

    fn shown(&self, id: &str) -> Result<Value, String> {
        let payment = self.payment(id).ok_or_else(|| no_payment(id))?;
        Ok(with_account(payment))
    }

    /// All or nothing: a wrong field changes nothing. A change of the money takes the time with
    /// it, as if somebody had made it in the dashboard.
    fn patch_payment(&mut self, id: &str, body: &Value) -> Result<(), String> {
        let now = self.now;
        let number = self.payments.find_anywhere(id);
        let number = number.ok_or_else(|| no_payment(id))?;
        let mut patched = self.payment(id).ok_or_else(|| no_payment(id))?.clone();
        for (name, value) in members(body)? {
            let wrong = || format!("{name}: {value} is not possible here");
            let amount = || value.as_i64().ok_or_else(wrong);
            match name.as_str() {
                "amount" => patched.amount = amount()?,
                "captured" => {
                    patched.captured = amount()?;
                    patched.captured_at = Some(now);
                }
                "refunded" => {
                    patched.refunded = amount()?;
                    patched.refunded_at = Some(now);
                }
                "currency" => value
                    .as_str()
                    .ok_or_else(wrong)?
                    .clone_into(&mut patched.currency),
                "status" => {
                    let status = value.as_str().and_then(PaymentStatus::parse);
                    patched.status = status.ok_or_else(wrong)?;
                    if patched.status == PaymentStatus::Voided {
                        patched.voided_at = Some(now);
                    }
                }
                "metadata" => {
                    patched.metadata =
                        serde_json::from_value(value.clone()).map_err(|_| wrong())?;
                }
                _ => {
                    return Err(format!(
                        "{name} cannot be changed; these can: amount, captured, refunded, \
                         currency, status, metadata"
                    ));
                }
            }
        }
        self.change(number, |payment| *payment = patched);
        Ok(())
    }

    fn change_settings(&mut self, body: &Value) -> Result<Value, String> {
        let mut config = self.config.clone();
        for (name, value) in members(body)? {
            let wrong = || format!("{name}: {value} is not possible here; there are: {SETTINGS}");
            let number = || value.as_u64().ok_or_else(wrong);
            match name.as_str() {
                "repeat" => {
                    let word = value.as_str().and_then(Repeat::parse);
                    config.repeat = word.ok_or_else(wrong)?;
                }
                "page_size" => {
                    let size = usize::try_from(number()?).ok().filter(|size| *size > 0);
                    config.page_size = size.ok_or_else(wrong)?;
                }
                "read_lag_seconds" => config.read_lag = Duration::from_secs(number()?),
                "settlement_seconds" => config.settlement = Duration::from_secs(number()?),
                "authorization_life_seconds" => {
                    config.authorization_life = Duration::from_secs(number()?);
                }
                _ => return Err(format!("no setting {name}; there are: {SETTINGS}")),
            }
        }
        self.config = config;
        Ok(json!({
            "repeat": self.config.repeat.as_str(),
            "page_size": self.config.page_size,
            "read_lag_seconds": self.config.read_lag.as_secs(),
            "settlement_seconds": self.config.settlement.as_secs(),
            "authorization_life_seconds": self.config.authorization_life.as_secs(),
        }))
    }
}

/// The payment as the API shows it, and whose it is.
fn with_account(payment: &Payment) -> Value {
    let mut shown = payment.to_json();
    if let Value::Object(members) = &mut shown {
        members.insert("account".to_owned(), json!(payment.account));
        members.insert("live".to_owned(), json!(payment.live));
    }
    shown
}

fn no_payment(id: &str) -> String {
    format!("no payment \"{id}\"; GET /control/moyasar/payments lists them")
}

fn members(body: &Value) -> Result<&Map<String, Value>, String> {
    body.as_object()
        .ok_or_else(|| "the body must be a JSON object".to_owned())
}

fn flag(body: &Value, name: &str) -> Result<bool, String> {
    let flag = body.get(name).and_then(Value::as_bool);
    flag.ok_or_else(|| format!("the body must be {{\"{name}\": true}} or false"))
}
