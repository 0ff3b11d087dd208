//! The layers that a request goes through: token, key, execution.

use std::time::SystemTime;

use http::{Method, StatusCode};

use super::error::ApiError;
use super::object::Payment;
use super::{Square, auth, key_of, refusal};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

impl Square {
    pub(super) fn serve(&mut self, request: &Request, steer: Option<&Steer>) -> Reply {
        let account = match auth::account_of(&self.config, request) {
            Ok(account) => account,
            Err(error) => return error.reply(),
        };
        let Some(Steer::StoredError { when, error }) = steer else {
            return self.answer(&account, request, steer);
        };
        if request.method == Method::GET {
            return self.answer(&account, request, None);
        }
        // Square keeps successes, not errors: the error is said once.
        if *when == When::After {
            drop(self.answer(&account, request, None));
        }
        refusal::server_error(error)
    }

    fn answer(&mut self, account: &str, request: &Request, steer: Option<&Steer>) -> Reply {
        let Some(key) = key_of(request) else {
            let done = self.execute(account, request, steer);
            return done.unwrap_or_else(|error| error.reply());
        };
        let age = (self.now, self.config.key_life);
        match self.keys.find(account, &key, request, age) {
            Ok(Some(reply)) => return reply,
            Ok(None) => {}
            Err(error) => return error.reply(),
        }
        let done = self.execute(account, request, steer);
        let kept = done.as_ref().ok();
        self.keys.keep(account, &key, request, kept, self.now);
        done.unwrap_or_else(|error| error.reply())
    }

    fn execute(
        &mut self,
        account: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        let path: Vec<&str> = request.path.split('/').skip(1).collect();
        match (&request.method, path.as_slice()) {
            (&Method::POST, ["v2", "payments"]) => self.create(account, request, steer),
            (&Method::GET, ["v2", "payments"]) => self.list_payments(account, request),
            (&Method::GET, ["v2", "payments", id]) => self.retrieve_payment(account, id),
            (&Method::POST, ["v2", "payments", id, "complete"]) => {
                self.complete(account, id, request, steer)
            }
            (&Method::POST, ["v2", "payments", id, "cancel"]) => {
                self.cancel(account, id, request, steer)
            }
            (&Method::POST, ["v2", "refunds"]) => self.refund(account, request, steer),
            (&Method::GET, ["v2", "refunds"]) => self.list_refunds(account, request),
            (&Method::GET, ["v2", "refunds", id]) => self.retrieve_refund(account, id),
            _ => {
                let detail = format!(
                    "There is no {} {}. The simulator plays /v2/payments with complete and cancel, \
                     and /v2/refunds.",
                    request.method, request.path
                );
                Err(ApiError::new(
                    StatusCode::NOT_FOUND,
                    "INVALID_REQUEST_ERROR",
                    "NOT_FOUND",
                    detail,
                ))
            }
        }
    }

    /// A payment as its seller sees it.
    pub(super) fn payment_of(&mut self, account: &str, id: &str) -> Option<&mut Payment> {
        let mut all = self.payments.iter_mut();
        all.find(|payment| payment.account == account && payment.id == id)
    }

    /// An id that nothing has yet.
    pub(super) fn fresh_id(&mut self, prefix: &str) -> String {
        self.last_id = self.last_id.saturating_add(1);
        format!("{prefix}{:06}", self.last_id)
    }

    /// The moment that the lists show.
    pub(super) fn seen_at(&self) -> SystemTime {
        let at = self.now.checked_sub(self.config.list_lag);
        at.unwrap_or(SystemTime::UNIX_EPOCH)
    }

    pub(super) fn write_down(&mut self) {
        self.payments.write_down(self.now);
        self.refunds.write_down(self.now);
    }
}
