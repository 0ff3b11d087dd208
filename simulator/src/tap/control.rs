//! `/control/tap/...`: looking at the state and planting things in it over HTTP.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::Tap;
use super::record::Record;
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET objects, POST objects/ID/copy, \
                      POST objects/ID/complete_action {\"passed\": true}, \
                      POST objects/ID/settle {\"succeeded\": true}, POST keys/forget, \
                      POST settings {\"read_lag_seconds\": 30, \"key_life_seconds\": 60}";

impl Tap {
    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["objects"]) => Ok(self
                .records()
                .map(|record| self.with_account(record))
                .collect()),
            (&Method::POST, ["objects", id, "copy"]) => {
                let copy = self.copy_record(id);
                copy.ok_or_else(|| format!("no object \"{id}\""))
                    .and_then(|copy| self.shown(&copy))
            }
            (&Method::POST, ["objects", id, "complete_action"]) => flag(&call.body, "passed")
                .and_then(|passed| self.complete_action(id, passed))
                .and_then(|()| self.shown(id)),
            (&Method::POST, ["objects", id, "settle"]) => flag(&call.body, "succeeded")
                .and_then(|succeeded| self.settle(id, succeeded))
                .and_then(|()| self.shown(id)),
            (&Method::POST, ["keys", "forget"]) => {
                self.forget_keys();
                Ok(json!({}))
            }
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            _ => {
                let text = format!("there is no such call; under /control/tap: {ROUTES}");
                return ControlReply::error(StatusCode::NOT_FOUND, &text);
            }
        };
        match done {
            Ok(body) => ControlReply::ok(body),
            Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
        }
    }

    fn shown(&self, id: &str) -> Result<Value, String> {
        let record = self
            .record(id)
            .ok_or_else(|| format!("no object \"{id}\""))?;
        Ok(self.with_account(record))
    }

    fn with_account(&self, record: &Record) -> Value {
        let mut shown = record.to_json(self.config.authorizations_list_activities);
        if let Some(fields) = shown.as_object_mut() {
            fields.insert("account".to_owned(), json!(record.account));
        }
        shown
    }

    /// All or nothing: a wrong field changes nothing.
    fn change_settings(&mut self, body: &Value) -> Result<Value, String> {
        let mut config = self.config.clone();
        let fields = body.as_object();
        let fields = fields.ok_or_else(|| format!("settings are an object: {ROUTES}"))?;
        for (name, value) in fields {
            let seconds = value.as_u64().map(Duration::from_secs);
            let seconds = seconds.ok_or_else(|| format!("{name}: {value} is not possible here"))?;
            match name.as_str() {
                "read_lag_seconds" => config.read_lag = seconds,
                "key_life_seconds" => config.key_life = seconds,
                "authorization_life_seconds" => config.authorization_life = seconds,
                _ => return Err(format!("no setting {name}: {ROUTES}")),
            }
        }
        self.config = config;
        Ok(json!({
            "read_lag_seconds": self.config.read_lag.as_secs(),
            "key_life_seconds": self.config.key_life.as_secs(),
            "authorization_life_seconds": self.config.authorization_life.as_secs(),
        }))
    }
}

fn flag(body: &Value, name: &str) -> Result<bool, String> {
    let flag = body.get(name).and_then(Value::as_bool);
    flag.ok_or_else(|| format!("give {{\"{name}\": true}} or false"))
}
