//! Refusals without execution, in Square's words (ERR).

use http::StatusCode;

use super::error::ApiError;
use crate::exchange::Reply;
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// The reply to a request that is not executed.
pub(super) fn reply(refusal: &Refusal) -> Reply {
    match refusal {
        // What a second request gets beside a running one is not documented; there is this code.
        Refusal::KeyInUse => ApiError::new(
            StatusCode::CONFLICT,
            "API_ERROR",
            "CONFLICT",
            "The request conflicts with another one.",
        )
        .reply(),
        Refusal::KeyReused => super::keys::reused().reply(),
        Refusal::RateLimited { kind, retry_after } => {
            hint(rate_limited(*kind), retry_after.as_ref())
        }
        Refusal::Unauthorized => ApiError::unauthorized().reply(),
        Refusal::ServerError(error) => server_error(error),
    }
}

/// A server error. There is no header for advice here, so `should_retry` says nothing.
pub(super) fn server_error(error: &ServerError) -> Reply {
    let status = status_of(error.status);
    let code = match status {
        StatusCode::BAD_GATEWAY => "BAD_GATEWAY",
        StatusCode::SERVICE_UNAVAILABLE => "SERVICE_UNAVAILABLE",
        StatusCode::GATEWAY_TIMEOUT => "GATEWAY_TIMEOUT",
        _ => "INTERNAL_SERVER_ERROR",
    };
    let reply = ApiError::new(status, "API_ERROR", code, "An error occurred.").reply();
    hint(reply, error.retry_after.as_ref())
}

/// Square has one form; a lock is not known to have another.
fn rate_limited(kind: RateLimit) -> Reply {
    let status = StatusCode::TOO_MANY_REQUESTS;
    match kind {
        RateLimit::RateLimit | RateLimit::LockTimeout => ApiError::new(
            status,
            "RATE_LIMIT_ERROR",
            "RATE_LIMITED",
            "Too many requests.",
        )
        .reply(),
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
