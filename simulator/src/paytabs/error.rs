//! Errors: a code, a message and a trace (P1).

use http::StatusCode;
use serde_json::json;

use crate::exchange::Reply;

/// A request that came to nothing: there is no transaction that shows this.
#[derive(Debug, Clone)]
pub(super) struct ApiError {
    status: StatusCode,
    code: u16,
    message: String,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
        }
    }

    /// 400 with a code.
    pub(super) fn bad(code: u16, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The key, the profile or the region is not accepted (P1).
    pub(super) fn unauthorized() -> Self {
        let text = "Authentication failed. Check authentication header.";
        Self::new(StatusCode::UNAUTHORIZED, 1, text)
    }

    /// An equal request was taken a moment ago. What became of it is not said (P4).
    pub(super) fn duplicate() -> Self {
        Self::new(StatusCode::CONFLICT, 4, "Duplicate Request")
    }

    /// Which status it comes with is not documented.
    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, 113, "Transaction not found")
    }

    pub(super) fn reply(&self, trace: &str) -> Reply {
        let body = json!({ "code": self.code, "message": self.message, "trace": trace });
        Reply::json(self.status, &body)
    }
}
