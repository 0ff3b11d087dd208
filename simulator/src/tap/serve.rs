//! The layers that a request goes through: secret, key, execution.

use http::{Method, StatusCode};

use super::auth::Scope;
use super::body::Read;
use super::error::{ApiError, server_error};
use super::record::Kind;
use super::{Tap, key_of};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

impl Tap {
    pub(super) fn serve(&mut self, request: &Request, steer: Option<&Steer>) -> Reply {
        if let (&Method::GET, ["pages", id]) = (&request.method, segments(&request.path).as_slice())
        {
            return self.page(id, request);
        }
        let scope = match Scope::of(&self.config, request) {
            Ok(scope) => scope,
            Err(error) => return error.reply(),
        };
        let Some(Steer::StoredError { when, error }) = steer else {
            return self.under_key(&scope, request, steer);
        };
        // Whether an error is kept under the key is not documented: here it is said once, and the key
        // keeps what the execution answered.
        if *when == When::After {
            drop(self.under_key(&scope, request, None));
        }
        server_error(error)
    }

    /// The original answer, or the first one (IDEM).
    fn under_key(&mut self, scope: &Scope, request: &Request, steer: Option<&Steer>) -> Reply {
        let (now, life) = (self.now, self.config.key_life);
        let key = key_of(request);
        if let Some(key) = &key
            && let Some(reply) = self.keys.find(scope, key, request, (now, life))
        {
            return reply;
        }
        match self.execute(scope, request, steer) {
            Ok(reply) => {
                if let Some(key) = &key {
                    self.keys.keep(scope, key, request, &reply, now);
                }
                reply
            }
            Err(error) => error.reply(),
        }
    }

    fn execute(&mut self, scope: &Scope, request: &Request, steer: Option<&Steer>) -> Read<Reply> {
        let path = segments(&request.path);
        match (&request.method, path.as_slice()) {
            (&Method::POST, ["v2", "charges"]) => self.create(Kind::Charge, scope, request, steer),
            (&Method::POST, ["v2", "authorize"]) => {
                self.create(Kind::Authorize, scope, request, steer)
            }
            (&Method::POST, ["v2", "authorize", id, "void"]) => self.void(scope, id, request),
            (&Method::POST, ["v2", "refunds"]) => self.refund(scope, request, steer),
            (&Method::POST, ["v2", folder, "list"]) => {
                self.list(kind_of(folder, request)?, scope, request)
            }
            (&Method::GET, ["v2", folder, id]) => {
                self.retrieve(kind_of(folder, request)?, scope, id)
            }
            _ => Err(unknown_url(request)),
        }
    }
}

fn kind_of(folder: &str, request: &Request) -> Read<Kind> {
    let mut kinds = Kind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.names().1 == folder);
    kind.ok_or_else(|| unknown_url(request))
}

/// The segments of a path. A slash at the end is no segment: the pages write both.
pub(super) fn segments(path: &str) -> Vec<&str> {
    path.trim_matches('/').split('/').collect()
}

/// 404 for what is not there, or not simulated.
fn unknown_url(request: &Request) -> ApiError {
    let text = format!(
        "There is no {} {}. The simulator plays /v2/charges, /v2/authorize and /v2/refunds, each with \
         ID and list, and /v2/authorize/ID/void.",
        request.method, request.path
    );
    ApiError::new(StatusCode::NOT_FOUND, "2102", text)
}
