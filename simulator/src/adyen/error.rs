//! Errors, and refusals without execution, in Adyen's words (OAS, IDEM).

use http::StatusCode;
use serde_json::json;

use super::keys;
use crate::exchange::Reply;
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// An error as Adyen words it.
#[derive(Debug, Clone)]
pub(super) struct ApiError {
    status: StatusCode,
    code: &'static str,
    kind: &'static str,
    message: String,
}

impl ApiError {
    fn new(
        status: StatusCode,
        code: &'static str,
        kind: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            status,
            code,
            kind,
            message: message.into(),
        }
    }

    /// 400: the body is not what the description says. Unknown fields are among that (OAS).
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "702", "validation", message)
    }

    /// 422: a field is wrong.
    pub(super) fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            code,
            "validation",
            message,
        )
    }

    /// 422: there is no such payment in this merchant account.
    pub(super) fn no_payment() -> Self {
        Self::invalid("167", "Original pspReference required for this operation")
    }

    pub(super) fn unauthorized() -> Self {
        let message = "HTTP Status Response - Unauthorized";
        Self::new(StatusCode::UNAUTHORIZED, "000", "security", message)
    }

    pub(super) fn no_account() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "901",
            "security",
            "Invalid Merchant Account",
        )
    }

    pub(super) fn no_such_path(path: &str) -> Self {
        let message = format!(
            "there is no {path}; the simulator plays POST /v71 or /v72 with /payments, \
             /payments/details, and /payments/ID with /captures, /refunds and /cancels"
        );
        Self::new(StatusCode::NOT_FOUND, "000", "validation", message)
    }

    /// Whether the description names the key's header with this status (OAS).
    pub(super) fn names_key(&self) -> bool {
        self.status == StatusCode::UNPROCESSABLE_ENTITY
    }

    pub(super) fn reply(&self) -> Reply {
        Reply::json(
            self.status,
            &json!({
                "status": self.status.as_u16(),
                "errorCode": self.code,
                "message": self.message,
                "errorType": self.kind,
            }),
        )
    }
}

/// The reply to a request that is not executed.
pub(super) fn refusal(key: Option<&str>, refusal: &Refusal) -> Reply {
    let in_progress = || {
        let message = "request already processed or in progress";
        keys::echo(ApiError::invalid("704", message).reply(), key)
    };
    match refusal {
        Refusal::KeyInUse => in_progress().with_header("transient-error", "true"),
        // What a changed body gets is not documented. This is what a key that is used up gets.
        Refusal::KeyReused => in_progress().with_header("transient-error", "false"),
        Refusal::RateLimited { kind, retry_after } => {
            let reply = rate_limited(*kind);
            match retry_after {
                Some(text) => reply.with_header("retry-after", text),
                None => reply,
            }
        }
        Refusal::Unauthorized => ApiError::unauthorized().reply(),
        Refusal::ServerError(error) => server_error(error),
    }
}

/// A server error. The advice is the header that says whether it passes (IDEM).
pub(super) fn server_error(error: &ServerError) -> Reply {
    let message = "An internal error occurred";
    let mut reply = ApiError::new(status_of(error.status), "900", "internal", message).reply();
    if let Some(passes) = error.should_retry {
        reply = reply.with_header("transient-error", if passes { "true" } else { "false" });
    }
    match &error.retry_after {
        Some(text) => reply.with_header("retry-after", text),
        None => reply,
    }
}

/// No page has the form of a rate limit. Public notes show a 500 beside a 429; neither says that it
/// passes.
fn rate_limited(kind: RateLimit) -> Reply {
    let message = "too many requests";
    match kind {
        RateLimit::RateLimit => {
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "429", "validation", message).reply()
        }
        RateLimit::LockTimeout => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            ApiError::new(status, "00_500", "internal", message).reply()
        }
        RateLimit::Html => Reply::html(
            StatusCode::TOO_MANY_REQUESTS,
            "<html><body><h1>429 Too Many Requests</h1></body></html>",
        ),
    }
}
