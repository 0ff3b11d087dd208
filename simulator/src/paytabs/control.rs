//! `/control/paytabs/...`: looking at the state and planting things in it over HTTP.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::PayTabs;
use super::state::none;
use super::transaction::Transaction;
use crate::gateway::{ControlCall, ControlReply};

const ROUTES: &str = "GET transactions, POST transactions/ID/copy, \
                      POST transactions/ID/complete_action {\"passed\": true}, \
                      POST transactions/ID/settle {\"status\": \"A\", \"code\": \"G1\"}, \
                      POST settings {\"query_lag_seconds\": 60}";

impl PayTabs {
    pub(super) fn answer_control(&mut self, call: &ControlCall) -> ControlReply {
        let path: Vec<&str> = call.path.iter().map(String::as_str).collect();
        let done = match (&call.method, path.as_slice()) {
            (&Method::GET, ["transactions"]) => Ok(self.transactions().map(whole).collect()),
            (&Method::POST, ["transactions", id, "copy"]) => self
                .copy_transaction(id)
                .ok_or_else(|| none(id))
                .and_then(|copy| self.shown(&copy)),
            (&Method::POST, ["transactions", id, "complete_action"]) => {
                let passed = call.body.get("passed").and_then(Value::as_bool);
                let passed = passed.ok_or("the body must be {\"passed\": true} or false");
                passed
                    .map_err(str::to_owned)
                    .and_then(|passed| self.complete_action(id, passed))
                    .and_then(|()| self.shown(id))
            }
            (&Method::POST, ["transactions", id, "settle"]) => {
                let text = |name| call.body.get(name).and_then(Value::as_str);
                let status = text("status").ok_or("the body must be {\"status\": \"A\"}");
                let code = text("code").unwrap_or_default();
                status
                    .map_err(str::to_owned)
                    .and_then(|status| self.settle(id, status, code))
                    .and_then(|()| self.shown(id))
            }
            (&Method::POST, ["settings"]) => self.change_settings(&call.body),
            _ => {
                let text = format!("there is no such call; under /control/paytabs: {ROUTES}");
                return ControlReply::error(StatusCode::NOT_FOUND, &text);
            }
        };
        match done {
            Ok(body) => ControlReply::ok(body),
            Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
        }
    }

    fn shown(&self, id: &str) -> Result<Value, String> {
        self.transaction(id).map(whole).ok_or_else(|| none(id))
    }

    /// All or nothing: a wrong setting changes nothing.
    fn change_settings(&mut self, body: &Value) -> Result<Value, String> {
        let mut config = self.config.clone();
        let members = body.as_object().ok_or("the body must be a JSON object")?;
        for (name, value) in members {
            let wrong = || format!("{name}: {value} is not possible here");
            let seconds = || value.as_u64().map(Duration::from_secs).ok_or_else(wrong);
            let flag = || value.as_bool().ok_or_else(wrong);
            match name.as_str() {
                "duplicate_window_seconds" => config.duplicate_window = seconds()?,
                "query_lag_seconds" => config.query_lag = seconds()?,
                "page_life_seconds" => config.page_life = seconds()?,
                "guards_all" => config.guards_all = flag()?,
                "finds_pages_only" => config.finds_pages_only = flag()?,
                "live" => config.live = flag()?,
                _ => {
                    return Err(format!(
                        "no setting {name}; there are: duplicate_window_seconds, \
                         query_lag_seconds, page_life_seconds, guards_all, finds_pages_only, live"
                    ));
                }
            }
        }
        self.config = config;
        Ok(json!({
            "duplicate_window_seconds": self.config.duplicate_window.as_secs(),
            "query_lag_seconds": self.config.query_lag.as_secs(),
            "page_life_seconds": self.config.page_life.as_secs(),
            "guards_all": self.config.guards_all,
            "finds_pages_only": self.config.finds_pages_only,
            "live": self.config.live,
        }))
    }
}

/// The transaction as the API shows it, and what the API does not say.
fn whole(one: &Transaction) -> Value {
    let mut shown = one.show();
    shown.insert("moved".to_owned(), json!(one.moved));
    shown.insert("open".to_owned(), json!(one.open));
    Value::Object(shown)
}
