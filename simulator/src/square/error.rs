//! Square's errors (ERR).

use http::StatusCode;
use serde_json::{Value, json};

use crate::exchange::Reply;

/// An error as Square words it, maybe beside the payment that failed.
#[derive(Debug, Clone)]
pub(super) struct ApiError {
    status: StatusCode,
    category: &'static str,
    code: String,
    detail: String,
    field: Option<&'static str>,
    beside: Option<Box<(&'static str, Value)>>,
}

impl ApiError {
    pub(super) fn new(
        status: StatusCode,
        category: &'static str,
        code: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            status,
            category,
            code: code.into(),
            detail: detail.into(),
            field: None,
            beside: None,
        }
    }

    /// 400 about the request.
    pub(super) fn invalid(code: &str, detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "INVALID_REQUEST_ERROR",
            code,
            detail,
        )
    }

    /// 400 about one field.
    pub(super) fn field(name: &'static str, code: &str, detail: impl Into<String>) -> Self {
        Self {
            field: Some(name),
            ..Self::invalid(code, detail)
        }
    }

    /// 400 from the bank. Which status a decline has is not documented; 400 was seen.
    pub(super) fn declined(code: &str) -> Self {
        let detail = format!("Authorization error: '{code}'");
        Self::new(
            StatusCode::BAD_REQUEST,
            "PAYMENT_METHOD_ERROR",
            code,
            detail,
        )
    }

    /// 400 about a refund.
    pub(super) fn refund(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "REFUND_ERROR", code, detail)
    }

    /// 401.
    pub(super) fn unauthorized() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "AUTHENTICATION_ERROR",
            "UNAUTHORIZED",
            "This request could not be authorized.",
        )
    }

    /// 404.
    pub(super) fn missing(what: &str) -> Self {
        let detail = format!("Could not find {what}.");
        Self::new(
            StatusCode::NOT_FOUND,
            "INVALID_REQUEST_ERROR",
            "NOT_FOUND",
            detail,
        )
    }

    /// The same error beside an object that failed (OAS).
    pub(super) fn beside(mut self, name: &'static str, object: Value) -> Self {
        self.beside = Some(Box::new((name, object)));
        self
    }

    pub(super) fn reply(&self) -> Reply {
        let mut error = json!({
            "category": self.category,
            "code": self.code,
            "detail": self.detail,
        });
        if let Some(field) = self.field {
            put(&mut error, "field", json!(field));
        }
        let mut body = json!({ "errors": [error] });
        if let Some((name, object)) = self.beside.as_deref() {
            put(&mut body, name, object.clone());
        }
        Reply::json(self.status, &body)
    }
}

/// Sets a member of an object.
pub(super) fn put(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value);
    }
}
