//! Refusals without execution, in Moyasar's words (ERR).

use http::StatusCode;

use super::error::ApiError;
use crate::exchange::{Reply, Request};
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// The reply to a request that is not executed.
pub(super) fn reply(request: &Request, refusal: &Refusal) -> Reply {
    match refusal {
        // What a second creation gets while the first is in progress is not documented. The same
        // as after it is the worst case: the id is said to be taken and a read does not find it.
        Refusal::KeyInUse | Refusal::KeyReused if super::key_of(request).is_some() => {
            ApiError::already_created().reply()
        }
        // Nothing else has a key that could be in use.
        Refusal::KeyInUse | Refusal::KeyReused => ApiError::invalid("Invalid request").reply(),
        Refusal::RateLimited { kind, retry_after } => {
            hint(rate_limited(*kind), retry_after.as_ref())
        }
        Refusal::Unauthorized => unauthorized(&ApiError::unauthorized()),
        Refusal::ServerError(error) => server_error(error),
    }
}

/// 401.
pub(super) fn unauthorized(error: &ApiError) -> Reply {
    error
        .reply()
        .with_header("www-authenticate", "Basic realm=\"Moyasar\"")
}

/// A server error. There is no header for advice here, so `should_retry` says nothing.
pub(super) fn server_error(error: &ServerError) -> Reply {
    let status = status_of(error.status);
    let kind = match status {
        StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
            "api_connection_error"
        }
        _ => "api_error",
    };
    let reply = ApiError::new(status, kind, "The request could not be completed").reply();
    hint(reply, error.retry_after.as_ref())
}

/// Moyasar has one form; a lock is not known to have another.
fn rate_limited(kind: RateLimit) -> Reply {
    let status = StatusCode::TOO_MANY_REQUESTS;
    match kind {
        RateLimit::RateLimit | RateLimit::LockTimeout => {
            ApiError::new(status, "rate_limit_error", "Too many requests").reply()
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
