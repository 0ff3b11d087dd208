//! The layers that a request goes through: secret, idempotency, validation, execution.

use http::Method;
use serde_json::Value;

use super::action::{Action, unknown_url};
use super::auth::Scope;
use super::error::ApiError;
use super::{Cause, Stripe, idempotency, refusal};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

/// What became of a request under the idempotency layer.
struct Outcome {
    reply: Reply,
    /// Whether execution began: only then is the answer kept under the key (IDEM).
    began: bool,
}

impl Stripe {
    pub(super) fn serve(
        &mut self,
        request: &Request,
        steer: Option<&Steer>,
        request_id: &str,
    ) -> Reply {
        // 401 comes before the idempotency layer and is not kept (LOW).
        let scope = match Scope::of(&self.config, request) {
            Ok(scope) => scope,
            Err(error) => return refusal::unauthorized(&error),
        };
        if request.method == Method::GET {
            return reply_of(self.read(&scope, request));
        }
        if request.method != Method::POST {
            return unknown_url(request).reply();
        }
        let Some(key) = idempotency::key_of(request) else {
            let cause = Cause {
                scope: &scope,
                key: None,
                steer,
            };
            return self.execute(request, cause).reply;
        };
        if let Err(error) = idempotency::check(&key) {
            return error.reply();
        }
        let cause = Cause {
            scope: &scope,
            key: Some(&key),
            steer,
        };
        let reply = self.under_key(request, &key, cause, request_id);
        idempotency::echo(reply, &key)
    }

    /// The stored answer, or the first one.
    fn under_key(
        &mut self,
        request: &Request,
        key: &str,
        cause: Cause<'_>,
        request_id: &str,
    ) -> Reply {
        let (now, life) = (self.now, self.config.key_life);
        if let Some(stored) = self.keys.find(cause.scope, key, now, life) {
            return match stored.replay(key, request) {
                Ok(reply) => reply.with_header("original-request", &stored.request_id),
                Err(error) => error.reply(),
            };
        }
        let Outcome { reply, began } = self.execute(request, cause);
        if began {
            self.keys
                .keep(cause.scope, key, request, (&reply, request_id), now);
        }
        reply.with_header("original-request", request_id)
    }

    fn execute(&mut self, request: &Request, cause: Cause<'_>) -> Outcome {
        let action = match Action::parse(request) {
            Ok(action) => action,
            Err(error) => {
                return Outcome {
                    reply: error.reply(),
                    began: false,
                };
            }
        };
        let reply = match cause.steer {
            Some(Steer::StoredError {
                when: When::Before,
                error,
            }) => refusal::server_error(error),
            Some(Steer::StoredError {
                when: When::After,
                error,
            }) => {
                // What it did stays done; what it answered is lost behind the error.
                drop(self.run(action, cause));
                refusal::server_error(error)
            }
            _ => reply_of(self.run(action, cause)),
        };
        Outcome { reply, began: true }
    }

    fn run(&mut self, action: Action, cause: Cause<'_>) -> Result<Value, ApiError> {
        match action {
            Action::Create(create) => self.create(create, cause),
            Action::Confirm(id, confirm) => self.confirm(&id, confirm, cause),
            Action::Capture(id, capture) => self.capture(&id, capture, cause),
            Action::Cancel(id, cancel) => self.cancel(&id, cancel, cause),
            Action::Refund(refund) => self.create_refund(refund, cause),
        }
    }
}

fn reply_of(result: Result<Value, ApiError>) -> Reply {
    match result {
        Ok(body) => Reply::json(http::StatusCode::OK, &body),
        Err(error) => error.reply(),
    }
}
