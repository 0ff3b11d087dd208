//! What is kept under a key, and what a second use gets (IDEM).

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use super::auth::Scope;
use super::error::ApiError;
use crate::exchange::{Reply, Request};

/// First answers by key, per account and mode.
#[derive(Debug, Default)]
pub(super) struct KeyStore {
    stored: BTreeMap<(Scope, String), Stored>,
}

#[derive(Debug)]
struct Stored {
    first_used: SystemTime,
    path: String,
    body: Bytes,
    reply: Reply,
}

impl KeyStore {
    /// The original answer. One that has lived out is forgotten, and the request is as good as new.
    pub(super) fn find(
        &mut self,
        scope: &Scope,
        key: &str,
        request: &Request,
        (now, life): (SystemTime, Duration),
    ) -> Option<Reply> {
        let id = (scope.clone(), key.to_owned());
        // A clock that went back makes nothing old.
        let age = now
            .duration_since(self.stored.get(&id)?.first_used)
            .unwrap_or_default();
        if age >= life {
            self.stored.remove(&id);
        }
        let stored = self.stored.get(&id)?;
        // What another request with the key gets is not documented: here it hears of its mistake.
        if stored.path != request.path || stored.body != request.body {
            let text = "reference.idempotent was used with another request";
            return Some(ApiError::bad("1103", text).reply());
        }
        Some(stored.reply.clone())
    }

    /// Keeps the first answer. Which ones Tap keeps is documented for those that made an object.
    pub(super) fn keep(
        &mut self,
        scope: &Scope,
        key: &str,
        request: &Request,
        reply: &Reply,
        now: SystemTime,
    ) {
        let stored = Stored {
            first_used: now,
            path: request.path.clone(),
            body: request.body.clone(),
            reply: reply.clone(),
        };
        self.stored.insert((scope.clone(), key.to_owned()), stored);
    }

    /// Forgets all keys.
    pub(super) fn clear(&mut self) {
        self.stored.clear();
    }
}
