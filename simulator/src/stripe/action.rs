//! Requests that may change something, parsed and validated before anything is executed.

use http::StatusCode;

use super::cancel::Cancel;
use super::capture::Capture;
use super::confirm::Confirm;
use super::create::Create;
use super::error::ApiError;
use super::form::Form;
use super::refund::CreateRefund;
use crate::exchange::Request;

/// A request that may change something. What fails here never reached execution, so it is not
/// kept under the key (IDEM).
#[derive(Debug)]
pub(super) enum Action {
    Create(Create),
    Confirm(String, Confirm),
    Capture(String, Capture),
    Cancel(String, Cancel),
    Refund(CreateRefund),
}

impl Action {
    pub(super) fn parse(request: &Request) -> Result<Self, ApiError> {
        let path = segments(&request.path);
        let form = || Form::parse(&request.body);
        match path.as_slice() {
            ["v1", "payment_intents"] => Ok(Self::Create(Create::parse(form()?)?)),
            ["v1", "payment_intents", id, "confirm"] => {
                Ok(Self::Confirm((*id).to_owned(), Confirm::parse(form()?)?))
            }
            ["v1", "payment_intents", id, "capture"] => {
                Ok(Self::Capture((*id).to_owned(), Capture::parse(form()?)?))
            }
            ["v1", "payment_intents", id, "cancel"] => {
                Ok(Self::Cancel((*id).to_owned(), Cancel::parse(form()?)?))
            }
            ["v1", "refunds"] => Ok(Self::Refund(CreateRefund::parse(form()?)?)),
            _ => Err(unknown_url(request)),
        }
    }
}

/// The segments of a path.
pub(super) fn segments(path: &str) -> Vec<&str> {
    path.strip_prefix('/').unwrap_or(path).split('/').collect()
}

/// 404 for what is not there, or not simulated.
pub(super) fn unknown_url(request: &Request) -> ApiError {
    let message = format!(
        "Unrecognized request URL ({}: {}). The simulator plays /v1/payment_intents and \
         /v1/refunds.",
        request.method, request.path
    );
    ApiError::new(StatusCode::NOT_FOUND, "invalid_request_error", message)
}

/// Takes `expand[]`; only these can be expanded here.
pub(super) fn expand(form: &mut Form, known: &[&str]) -> Result<Vec<String>, ApiError> {
    let wanted = form.list("expand");
    match wanted.iter().find(|path| !known.contains(&path.as_str())) {
        Some(path) => {
            let known = known.join(", ");
            let message = format!(
                "This property cannot be expanded ({path}). The simulator expands: {known}."
            );
            Err(ApiError::invalid(message).param("expand"))
        }
        None => Ok(wanted),
    }
}
