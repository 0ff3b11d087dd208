//! What a fault asks of a gateway: a refusal in its own words, or another end of an execution.

use super::{ActionKind, RateLimit, When};

/// A refusal without execution. The gateway gives it its own form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The same key is in progress.
    KeyInUse,
    /// The key was used with other parameters.
    KeyReused,
    /// Too many requests.
    RateLimited {
        /// The form.
        kind: RateLimit,
        /// The text of `Retry-After`.
        retry_after: Option<String>,
    },
    /// The secret is not accepted.
    Unauthorized,
    /// A server error.
    ServerError(ServerError),
}

/// A server error that a gateway gives its own form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerError {
    /// The status.
    pub status: u16,
    /// The gateway's explicit advice.
    pub should_retry: Option<bool>,
    /// The text of `Retry-After`.
    pub retry_after: Option<String>,
}

/// How one execution ends instead of by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Steer {
    /// Declined.
    Decline {
        /// The code.
        code: String,
        /// The issuer's reason.
        decline_code: Option<String>,
    },
    /// The customer has to act.
    RequireAction(ActionKind),
    /// Accepted, no result yet.
    Processing,
    /// A server error that is kept under the key.
    StoredError {
        /// Whether the request is executed before.
        when: When,
        /// The error.
        error: ServerError,
    },
}
