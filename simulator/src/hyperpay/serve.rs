//! The layers that a request goes through: token, entity, validation, execution.

use http::{Method, StatusCode};
use serde_json::{Map, Value};

use super::backoffice::Backoffice;
use super::error::{ApiError, Envelope};
use super::form::Form;
use super::objects::Payment;
use super::pay::Pay;
use super::{Cause, HyperPay, auth, codes, refusal};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

/// A request that may move money, validated before anything is executed.
#[derive(Debug)]
enum Action {
    Pay(String, Pay),
    Manage(String, Backoffice),
}

impl HyperPay {
    pub(super) fn serve(&mut self, request: &Request, steer: Option<&Steer>) -> Reply {
        let entity = auth::named_entity(request);
        let envelope = self.envelope(entity.as_deref());
        if let Err(error) = auth::check(&self.config, request, entity.as_deref()) {
            return error.reply(&envelope);
        }
        let Some(entity) = entity else {
            let mut form = Form::parse(b"");
            form.required::<()>("entityId", None);
            let missing = form.finish().err();
            let missing = missing.unwrap_or_else(|| ApiError::bad(codes::PARAMETER));
            return missing.reply(&envelope);
        };
        if request.method == Method::GET {
            // The reading worked, whatever the payment's own result is. Which status the platform
            // gives to a payment that failed is not documented.
            return match self.read(&entity, request) {
                Ok(body) => reply(StatusCode::OK, body, &envelope),
                Err(error) => error.reply(&envelope),
            };
        }
        if request.method != Method::POST {
            return unknown_url(request).reply(&envelope);
        }
        let cause = Cause {
            request,
            entity: &entity,
            steer,
        };
        self.act(cause, &envelope)
    }

    fn act(&mut self, cause: Cause<'_>, envelope: &Envelope) -> Reply {
        let action = match Action::parse(cause.request) {
            Ok(action) => action,
            Err(error) => return error.reply(envelope),
        };
        // There is no key that an answer could be stored under: the error is answered once.
        if let Some(Steer::StoredError { when, error }) = cause.steer {
            if *when == When::After {
                // What it did stays done; what it answered is lost behind the error.
                drop(self.run(action, cause));
            }
            return refusal::server_error(error, envelope);
        }
        match self.run(action, cause) {
            Ok(payment) => {
                let status = status_of(&payment.code);
                reply(status, payment.show(), envelope)
            }
            Err(error) => error.reply(envelope),
        }
    }

    fn run(&mut self, action: Action, cause: Cause<'_>) -> Result<Payment, ApiError> {
        match action {
            Action::Pay(registration, pay) => self.pay(&registration, pay, cause),
            Action::Manage(id, backoffice) => self.manage(&id, backoffice, cause),
        }
    }
}

impl Action {
    fn parse(request: &Request) -> Result<Self, ApiError> {
        let form = || Form::parse(&request.body);
        match segments(&request.path).as_slice() {
            ["v1", "registrations", id, "payments"] => {
                Ok(Self::Pay((*id).to_owned(), Pay::parse(form())?))
            }
            ["v1", "payments", id] => {
                Ok(Self::Manage((*id).to_owned(), Backoffice::parse(form())?))
            }
            _ => Err(unknown_url(request)),
        }
    }
}

/// The segments of a path.
pub(super) fn segments(path: &str) -> Vec<&str> {
    path.strip_prefix('/').unwrap_or(path).split('/').collect()
}

/// 404 for what is not there, or not simulated (ST).
pub(super) fn unknown_url(request: &Request) -> ApiError {
    let note = format!(
        "there is no {} {}; the simulator plays /v1/registrations/ID/payments, /v1/payments/ID \
         and /v1/query",
        request.method, request.path
    );
    ApiError::new(StatusCode::NOT_FOUND, codes::PARAMETER).note(&note)
}

/// 400 is not only for wrong parameters but also for payments that fail (ST).
fn status_of(code: &str) -> StatusCode {
    if codes::is_success(code) || codes::is_pending(code) {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    }
}

/// The time of the reply takes the place of that of the payment.
fn reply(status: StatusCode, body: Map<String, Value>, envelope: &Envelope) -> Reply {
    Reply::json(status, &envelope.around(body))
}
