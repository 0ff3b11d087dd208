//! The idempotency layer (IDEM): what is kept under a key.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use http::Method;

use crate::exchange::{Reply, Request};

const HEADER: &str = "idempotency-key";
const MAX_LENGTH: usize = 64;

/// First answers by key. There is one company, and keys are its own, not a merchant account's.
#[derive(Debug, Default)]
pub(super) struct KeyStore {
    stored: BTreeMap<String, (SystemTime, Reply)>,
}

/// The key of a request. Only `POST` has one (IDEM).
pub(super) fn key_of(request: &Request) -> Option<String> {
    let key = request.header(HEADER)?;
    (request.method == Method::POST && !key.is_empty()).then_some(key)
}

/// Whether this can be a key at all.
pub(super) fn fits(key: &str) -> bool {
    key.len() <= MAX_LENGTH
}

/// The key comes back with every reply of a request that was handled under it.
pub(super) fn echo(reply: Reply, key: Option<&str>) -> Reply {
    match key {
        Some(key) => reply.with_header(HEADER, key),
        None => reply,
    }
}

impl KeyStore {
    /// What is kept under a key. One that has lived out is forgotten, and the request is as good as
    /// new.
    pub(super) fn find(&mut self, key: &str, now: SystemTime, life: Duration) -> Option<Reply> {
        let (first_used, _) = self.stored.get(key)?;
        // A clock that went back makes nothing old.
        let age = now.duration_since(*first_used).unwrap_or_default();
        if age >= life {
            self.stored.remove(key);
        }
        self.stored.get(key).map(|(_, reply)| reply.clone())
    }

    pub(super) fn keep(&mut self, key: &str, reply: &Reply, now: SystemTime) {
        self.stored.insert(key.to_owned(), (now, reply.clone()));
    }

    /// Forgets all keys.
    pub(super) fn clear(&mut self) {
        self.stored.clear();
    }
}
