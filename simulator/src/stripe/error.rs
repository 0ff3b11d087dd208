//! Stripe's error envelope (ERR).

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::exchange::Reply;

/// An error as Stripe words it.
#[derive(Debug, Clone)]
pub(super) struct ApiError {
    status: StatusCode,
    kind: &'static str,
    code: Option<String>,
    message: String,
    param: Option<String>,
    extra: Map<String, Value>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            status,
            kind,
            code: None,
            message,
            param: None,
            extra: Map::new(),
        }
    }

    /// 400 `invalid_request_error`.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
    }

    /// 402 `card_error`.
    pub(super) fn card(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYMENT_REQUIRED, "card_error", message)
    }

    /// 404 `resource_missing`.
    pub(super) fn missing(object: &str, id: &str) -> Self {
        let message = format!("No such {object}: '{id}'");
        Self::new(StatusCode::NOT_FOUND, "invalid_request_error", message)
            .code("resource_missing")
            .param(if object == "payment_intent" {
                "intent"
            } else {
                "id"
            })
    }

    pub(super) fn code(mut self, code: &str) -> Self {
        self.code = Some(code.to_owned());
        self
    }

    pub(super) fn param(mut self, param: &str) -> Self {
        self.param = Some(param.to_owned());
        self
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(name.to_owned(), value.into());
        self
    }

    /// The fields inside the envelope.
    pub(super) fn to_json(&self) -> Value {
        let mut error = Map::new();
        error.insert("type".to_owned(), json!(self.kind));
        error.insert("message".to_owned(), json!(self.message));
        if let Some(code) = &self.code {
            error.insert("code".to_owned(), json!(code));
            let page = code.replace('_', "-");
            let url = format!("https://stripe.com/docs/error-codes/{page}");
            error.insert("doc_url".to_owned(), json!(url));
        }
        if let Some(param) = &self.param {
            error.insert("param".to_owned(), json!(param));
        }
        error.extend(self.extra.clone());
        Value::Object(error)
    }

    pub(super) fn reply(&self) -> Reply {
        Reply::json(self.status, &json!({ "error": self.to_json() }))
    }
}
