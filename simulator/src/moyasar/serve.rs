//! The layers that a request goes through: key, path, execution.

use http::{Method, StatusCode};

use super::auth::Caller;
use super::error::ApiError;
use super::{Moyasar, refusal};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

impl Moyasar {
    pub(super) fn serve(&mut self, request: &Request, steer: Option<&Steer>) -> Reply {
        let path = segments(&request.path);
        if let (&Method::GET, ["transactions", number]) = (&request.method, path.as_slice()) {
            return self.page(number, request);
        }
        let caller = match Caller::of(&self.config, request) {
            Ok(caller) => caller,
            Err(error) => return refusal::unauthorized(&error),
        };
        let Some(Steer::StoredError { when, error }) = steer else {
            return self.answer(&caller, request, steer);
        };
        if request.method == Method::GET {
            return self.answer(&caller, request, None);
        }
        // Moyasar keeps payments, not answers: the error is said once. What a repeat finds is
        // whether there is a payment.
        if *when == When::After {
            drop(self.answer(&caller, request, None));
        }
        refusal::server_error(error)
    }

    fn answer(&mut self, caller: &Caller, request: &Request, steer: Option<&Steer>) -> Reply {
        match self.execute(caller, request, steer) {
            Ok(reply) => reply,
            Err(error) => error.reply(),
        }
    }

    fn execute(
        &mut self,
        caller: &Caller,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        let scope = &caller.scope;
        let path = segments(&request.path);
        if let (&Method::POST, ["v1", "payments"]) = (&request.method, path.as_slice()) {
            return self.create(scope, request, steer);
        }
        caller.must_be_secret()?;
        match (&request.method, path.as_slice()) {
            (&Method::GET, ["v1", "payments"]) => self.list(scope, request),
            (&Method::GET, ["v1", "payments", id]) => self.retrieve(scope, id, request),
            (&Method::POST, ["v1", "payments", id, "capture"]) => {
                self.capture(scope, id, request, steer)
            }
            (&Method::POST, ["v1", "payments", id, "refund"]) => {
                self.refund(scope, id, request, steer)
            }
            (&Method::POST, ["v1", "payments", id, "void"]) => self.void(scope, id, request, steer),
            _ => Err(unknown_url(request)),
        }
    }
}

/// The segments of a path.
fn segments(path: &str) -> Vec<&str> {
    path.strip_prefix('/').unwrap_or(path).split('/').collect()
}

/// 404 for what is not there, or not simulated.
fn unknown_url(request: &Request) -> ApiError {
    let message = format!(
        "There is no {} {}. The simulator plays /v1/payments with capture, refund and void.",
        request.method, request.path
    );
    ApiError::new(StatusCode::NOT_FOUND, "invalid_request_error", message)
}
