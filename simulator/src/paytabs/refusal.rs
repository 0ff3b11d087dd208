//! Refusals without execution, in `PayTabs`' words.

use http::StatusCode;

use super::error::ApiError;
use crate::exchange::Reply;
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// The reply to a request that is not executed.
pub(super) fn reply(refusal: &Refusal, trace: &str) -> Reply {
    match refusal {
        // There are no keys. The nearest thing is the guard against equal requests.
        Refusal::KeyInUse | Refusal::KeyReused => ApiError::duplicate().reply(trace),
        Refusal::RateLimited { kind, retry_after } => {
            advised(throttled(*kind, trace), retry_after.as_deref())
        }
        Refusal::Unauthorized => ApiError::unauthorized().reply(trace),
        Refusal::ServerError(error) => server_error(error, trace),
    }
}

/// A server error.
pub(super) fn server_error(error: &ServerError, trace: &str) -> Reply {
    let reply = ApiError::new(status_of(error.status), 400, "System error").reply(trace);
    advised(reply, error.retry_after.as_deref())
}

fn advised(reply: Reply, retry_after: Option<&str>) -> Reply {
    match retry_after {
        Some(text) => reply.with_header("retry-after", text),
        None => reply,
    }
}

/// Too many requests. That there is a limit is not documented, so neither is its form.
fn throttled(kind: RateLimit, trace: &str) -> Reply {
    let status = StatusCode::TOO_MANY_REQUESTS;
    match kind {
        RateLimit::RateLimit | RateLimit::LockTimeout => {
            ApiError::new(status, 400, "Too many requests").reply(trace)
        }
        RateLimit::Html => Reply::html(
            status,
            "<html><body><h1>429 Too Many Requests</h1></body></html>",
        ),
    }
}
