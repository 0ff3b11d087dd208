//! Refusals without execution, in Stripe's words (ERR, RATE, LOW).

use http::StatusCode;

use super::auth;
use super::error::ApiError;
use super::idempotency;
use crate::exchange::{Reply, Request};
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// The reply to a request that is not executed.
pub(super) fn reply(request: &Request, refusal: &Refusal) -> Reply {
    let key = idempotency::key_of(request).unwrap_or_default();
    match refusal {
        Refusal::KeyInUse => idempotency::echo(key_in_use(&key).reply(), &key),
        Refusal::KeyReused => {
            let because = "with the same parameters they were first used with";
            idempotency::echo(idempotency::reused(&key, because).reply(), &key)
        }
        Refusal::RateLimited { kind, retry_after } => {
            let reply = rate_limited(*kind);
            match retry_after {
                Some(text) => reply.with_header("retry-after", text),
                None => reply,
            }
        }
        Refusal::Unauthorized => {
            let secret = auth::secret(request).unwrap_or_default();
            unauthorized(&auth::refused(&secret))
        }
        Refusal::ServerError(error) => server_error(error),
    }
}

/// 401, which is never kept under a key.
pub(super) fn unauthorized(error: &ApiError) -> Reply {
    error
        .reply()
        .with_header("www-authenticate", "Bearer realm=\"Stripe\"")
}

/// A server error.
pub(super) fn server_error(error: &ServerError) -> Reply {
    let message = "An unknown error occurred. Look for this request in the dashboard.";
    let mut reply = ApiError::new(status_of(error.status), "api_error", message).reply();
    if let Some(advice) = error.should_retry {
        reply = reply.with_header("stripe-should-retry", if advice { "true" } else { "false" });
    }
    match &error.retry_after {
        Some(text) => reply.with_header("retry-after", text),
        None => reply,
    }
}

fn key_in_use(key: &str) -> ApiError {
    let message = format!(
        "There is currently another in-progress request using this Idempotent Key (that probably \
         means you submitted twice, and the other request is still going through): {key}. Please \
         try again later."
    );
    ApiError::new(StatusCode::CONFLICT, "invalid_request_error", message)
        .code("idempotency_key_in_use")
}

/// The rate limiter names its reason; the object lock does not (RATE).
fn rate_limited(kind: RateLimit) -> Reply {
    let status = StatusCode::TOO_MANY_REQUESTS;
    match kind {
        RateLimit::RateLimit => {
            let message = "Request rate limit exceeded.";
            let error = ApiError::new(status, "invalid_request_error", message).code("rate_limit");
            error
                .reply()
                .with_header("stripe-rate-limited-reason", "endpoint-rate")
        }
        RateLimit::LockTimeout => {
            let message = "This object cannot be accessed right now because another API request \
                           or Stripe process is currently accessing it.";
            ApiError::new(status, "invalid_request_error", message)
                .code("lock_timeout")
                .reply()
        }
        RateLimit::Html => Reply::html(
            status,
            "<html><body><h1>429 Too Many Requests</h1></body></html>",
        ),
    }
}
