//! Moyasar's error envelope (ERR).

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::json;

use crate::exchange::Reply;

/// What is wrong with each field.
pub(super) type Errors = BTreeMap<String, Vec<String>>;

/// An error as Moyasar words it.
#[derive(Debug, Clone)]
pub(super) struct ApiError {
    status: StatusCode,
    kind: &'static str,
    message: String,
    errors: Option<Errors>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            message: message.into(),
            errors: None,
        }
    }

    /// 400 `invalid_request_error`, about the request as a whole.
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request_error", message)
    }

    /// 400 with what is wrong with each field.
    pub(super) fn validation(errors: Errors) -> Self {
        Self {
            errors: Some(errors),
            ..Self::invalid("Validation Failed")
        }
    }

    /// 400 about one field.
    pub(super) fn field(name: &str, why: impl Into<String>) -> Self {
        Self::validation(Errors::from([(name.to_owned(), vec![why.into()])]))
    }

    /// 400: the id is taken. The message is known from public code; the type is presumed.
    pub(super) fn already_created() -> Self {
        Self::invalid("Payment is already created")
    }

    /// 401. The words are the same whether the key is wrong or missing.
    pub(super) fn unauthorized() -> Self {
        let message = "Invalid authorization credentials";
        Self::new(StatusCode::UNAUTHORIZED, "authentication_error", message)
    }

    /// 404. Which of the documented types it has is not known.
    pub(super) fn missing(what: &str) -> Self {
        let message = format!("{what} not found");
        Self::new(StatusCode::NOT_FOUND, "invalid_request_error", message)
    }

    pub(super) fn reply(&self) -> Reply {
        let body = json!({
            "type": self.kind,
            "message": self.message,
            "errors": self.errors,
        });
        Reply::json(self.status, &body)
    }
}
