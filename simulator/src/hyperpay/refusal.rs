//! Refusals without execution, in `HyperPay`'s words.

use http::StatusCode;

use super::codes;
use super::error::{ApiError, Envelope};
use crate::exchange::Reply;
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// The reply to a request that is not executed.
pub(super) fn reply(refusal: &Refusal, envelope: &Envelope) -> Reply {
    match refusal {
        // There are no keys. The nearest thing is the rule against repetitions.
        Refusal::KeyInUse | Refusal::KeyReused => ApiError::bad(codes::DUPLICATE).reply(envelope),
        Refusal::RateLimited { kind, retry_after } => {
            let reply = throttled(*kind, envelope);
            match retry_after {
                Some(text) => reply.with_header("retry-after", text),
                None => reply,
            }
        }
        Refusal::Unauthorized => {
            ApiError::new(StatusCode::UNAUTHORIZED, codes::UNAUTHORIZED).reply(envelope)
        }
        Refusal::ServerError(error) => server_error(error, envelope),
    }
}

/// A server error. The platform has no header with advice.
pub(super) fn server_error(error: &ServerError, envelope: &Envelope) -> Reply {
    let reply = ApiError::new(status_of(error.status), codes::SYSTEM).reply(envelope);
    match &error.retry_after {
        Some(text) => reply.with_header("retry-after", text),
        None => reply,
    }
}

/// Too many requests: by the status and the code, or by the code alone.
fn throttled(kind: RateLimit, envelope: &Envelope) -> Reply {
    let status = StatusCode::TOO_MANY_REQUESTS;
    match kind {
        RateLimit::RateLimit => ApiError::new(status, codes::THROTTLED).reply(envelope),
        RateLimit::LockTimeout => ApiError::bad(codes::THROTTLED).reply(envelope),
        RateLimit::Html => Reply::html(
            status,
            "<html><body><h1>429 Too Many Requests</h1></body></html>",
        ),
    }
}
