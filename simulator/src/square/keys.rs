//! The idempotency layer (IDEM): the first success under a key, and what a second use gets.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use super::error::ApiError;
use crate::exchange::{Reply, Request};

/// What was asked first under each key, per seller and path.
#[derive(Debug, Default)]
pub(super) struct KeyStore {
    stored: BTreeMap<(String, String, String), Stored>,
}

#[derive(Debug)]
struct Stored {
    at: SystemTime,
    body: Bytes,
    /// The reply to the first success. A refusal binds the key to its body and is not kept.
    reply: Option<Reply>,
}

/// The key was used with another body.
pub(super) fn reused() -> ApiError {
    ApiError::field(
        "idempotency_key",
        "IDEMPOTENCY_KEY_REUSED",
        "Different request parameters used for the same idempotency_key.",
    )
}

impl KeyStore {
    /// What is kept under a key. `None`: the request is to be carried out. Bodies are compared byte
    /// for byte: whether another order of the fields would pass is not documented.
    pub(super) fn find(
        &mut self,
        account: &str,
        key: &str,
        request: &Request,
        (now, life): (SystemTime, Duration),
    ) -> Result<Option<Reply>, ApiError> {
        let id = place(account, key, request);
        let Some(stored) = self.stored.get(&id) else {
            return Ok(None);
        };
        if now.duration_since(stored.at).is_ok_and(|age| age >= life) {
            self.stored.remove(&id);
            return Ok(None);
        }
        if stored.body == request.body {
            Ok(stored.reply.clone())
        } else {
            Err(reused())
        }
    }

    /// Binds a key to its body, and keeps the reply to a success.
    pub(super) fn keep(
        &mut self,
        account: &str,
        key: &str,
        request: &Request,
        reply: Option<&Reply>,
        now: SystemTime,
    ) {
        let stored = self
            .stored
            .entry(place(account, key, request))
            .or_insert_with(|| Stored {
                at: now,
                body: request.body.clone(),
                reply: None,
            });
        if stored.reply.is_none() {
            stored.reply = reply.cloned();
        }
    }
}

fn place(account: &str, key: &str, request: &Request) -> (String, String, String) {
    (account.to_owned(), request.path.clone(), key.to_owned())
}
