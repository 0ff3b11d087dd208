//! Errors and refusals, in Tap's words (CODE).

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::exchange::{Reply, Request};
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// An error of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiError {
    status: StatusCode,
    code: &'static str,
    text: String,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { status, code, text }
    }

    /// 400.
    pub(super) fn bad(code: &'static str, text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, text)
    }

    pub(super) fn unauthorized(code: &'static str, text: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, text)
    }

    pub(super) fn missing(code: &'static str, text: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, text)
    }

    pub(super) fn reply(&self) -> Reply {
        let error = json!({ "code": self.code, "description": self.text });
        Reply::json(self.status, &json!({ "errors": [error] }))
    }
}

/// The reply to a request that is not executed.
pub(super) fn refusal(request: &Request, refusal: &Refusal) -> Reply {
    let has_key = super::key_of(request).is_some();
    match refusal {
        // That a request conflicts with another one is documented, not that it is so here.
        Refusal::KeyInUse if has_key => {
            let text = "The request conflicts with another request";
            ApiError::new(StatusCode::CONFLICT, "1103", text).reply()
        }
        Refusal::KeyReused if has_key => duplicate(request),
        // A void has no key that could be in use.
        Refusal::KeyInUse | Refusal::KeyReused => {
            ApiError::bad("1114", "Please check the Authorize status").reply()
        }
        Refusal::RateLimited { kind, retry_after } => {
            hint(rate_limited(*kind), retry_after.as_ref())
        }
        Refusal::Unauthorized => ApiError::unauthorized("2104", "Invalid API Key").reply(),
        Refusal::ServerError(error) => server_error(error),
    }
}

/// An object that failed as a duplicate: of what, it does not say. It is shown and not kept.
fn duplicate(request: &Request) -> Reply {
    let asked: Map<String, Value> = serde_json::from_slice(&request.body).unwrap_or_default();
    let (object, id) = if request.path.starts_with("/v2/refunds") {
        ("refund", "re_TS0Duplicate")
    } else if request.path.starts_with("/v2/authorize") {
        ("authorize", "auth_TS0Duplicate")
    } else {
        ("charge", "chg_TS0Duplicate")
    };
    let mut shown: Map<String, Value> = asked
        .into_iter()
        .filter(|(name, _)| {
            ["amount", "currency", "reference", "charge_id"].contains(&name.as_str())
        })
        .collect();
    if let Some(Value::Object(reference)) = shown.get_mut("reference") {
        reference.remove("idempotent");
    }
    for (name, value) in [
        ("id", json!(id)),
        ("object", json!(object)),
        ("api_version", json!("V2")),
        ("status", json!("FAILED")),
        (
            "response",
            json!({ "code": "403", "message": "Failed, Duplicate" }),
        ),
    ] {
        shown.insert(name.to_owned(), value);
    }
    Reply::json(StatusCode::OK, &Value::Object(shown))
}

/// A server error. There is no header for advice here, so `should_retry` says nothing.
pub(super) fn server_error(error: &ServerError) -> Reply {
    let status = status_of(error.status);
    let (code, text) = if status == StatusCode::SERVICE_UNAVAILABLE {
        (
            "2101",
            "The server is currently unavailable (overloaded or down)",
        )
    } else {
        ("9999", "Internal server error")
    };
    let reply = ApiError::new(status, code, text).reply();
    hint(reply, error.retry_after.as_ref())
}

/// There is one form; its code is not documented.
fn rate_limited(kind: RateLimit) -> Reply {
    let status = StatusCode::TOO_MANY_REQUESTS;
    match kind {
        RateLimit::RateLimit | RateLimit::LockTimeout => {
            ApiError::new(status, "2101", "Too many requests").reply()
        }
        RateLimit::Html => Reply::html(
            status,
            "<html><body><h1>429 Too Many Requests</h1></body></html>",
        ),
    }
}

fn hint(reply: Reply, retry_after: Option<&String>) -> Reply {
    match retry_after {
        Some(text) => reply.with_header("retry-after", text),
        None => reply,
    }
}
