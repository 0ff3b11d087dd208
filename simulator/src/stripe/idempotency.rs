//! The idempotency layer (IDEM): what is kept under a key, and what a second use gets.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::Method;

use super::auth::Scope;
use super::error::ApiError;
use crate::exchange::{Reply, Request};

const HEADER: &str = "idempotency-key";
const MAX_LENGTH: usize = 255;

/// First answers by key, per account and mode.
#[derive(Debug, Default)]
pub(super) struct KeyStore {
    stored: BTreeMap<(Scope, String), Stored>,
}

/// The first request under a key and its answer.
#[derive(Debug)]
pub(super) struct Stored {
    first_used: SystemTime,
    path: String,
    query: Option<String>,
    body: Bytes,
    reply: Reply,
    pub(super) request_id: String,
}

/// The key of a request. Only `POST` has one (IDEM). Two header lines are read as one value with
/// a comma, as HTTP joins them: another key than either.
pub(super) fn key_of(request: &Request) -> Option<String> {
    if request.method == Method::POST {
        request.header(HEADER)
    } else {
        None
    }
}

/// Whether this can be a key at all.
pub(super) fn check(key: &str) -> Result<(), ApiError> {
    if key.is_empty() {
        return Err(ApiError::invalid("The idempotency key is an empty string."));
    }
    if key.chars().count() > MAX_LENGTH {
        let message = format!("The idempotency key is longer than {MAX_LENGTH} characters.");
        return Err(ApiError::invalid(message));
    }
    Ok(())
}

/// The key comes back on every reply of the layer.
pub(super) fn echo(reply: Reply, key: &str) -> Reply {
    reply.with_header(HEADER, key)
}

/// The key was used with something else. The first request is untouched.
pub(super) fn reused(key: &str, because: &str) -> ApiError {
    let message = format!(
        "Keys for idempotent requests can only be used {because}. Try using a key other than \
         '{key}' if you meant to execute a different request."
    );
    ApiError::new(http::StatusCode::BAD_REQUEST, "idempotency_error", message)
}

impl KeyStore {
    /// What is kept under a key. One that has lived out is forgotten, and the request is as good
    /// as new.
    pub(super) fn find(
        &mut self,
        scope: &Scope,
        key: &str,
        now: SystemTime,
        life: Duration,
    ) -> Option<&Stored> {
        let id = (scope.clone(), key.to_owned());
        // A clock that went back makes nothing old.
        let age = now
            .duration_since(self.stored.get(&id)?.first_used)
            .unwrap_or_default();
        if age >= life {
            self.stored.remove(&id);
        }
        self.stored.get(&id)
    }

    /// Keeps the first answer under a key.
    pub(super) fn keep(
        &mut self,
        scope: &Scope,
        key: &str,
        request: &Request,
        answer: (&Reply, &str),
        now: SystemTime,
    ) {
        let (reply, request_id) = answer;
        let stored = Stored {
            first_used: now,
            path: request.path.clone(),
            query: request.query.clone(),
            body: request.body.clone(),
            reply: reply.clone(),
            request_id: request_id.to_owned(),
        };
        self.stored.insert((scope.clone(), key.to_owned()), stored);
    }

    /// Forgets all keys.
    pub(super) fn clear(&mut self) {
        self.stored.clear();
    }

    /// How many keys are remembered, those included that nobody asked for after their life.
    pub(super) fn len(&self) -> usize {
        self.stored.len()
    }
}

impl Stored {
    /// The stored answer, or the error for a request that is not the same. Bodies are compared
    /// byte for byte: whether another order of the fields would pass is not documented.
    pub(super) fn replay(&self, key: &str, request: &Request) -> Result<Reply, ApiError> {
        if self.path != request.path {
            let because = format!(
                "for the same endpoint they were first used for ('{}' vs '{}')",
                request.path, self.path
            );
            return Err(reused(key, &because));
        }
        if self.query != request.query || self.body != request.body {
            return Err(reused(
                key,
                "with the same parameters they were first used with",
            ));
        }
        Ok(self
            .reply
            .clone()
            .with_header("idempotent-replayed", "true"))
    }
}
