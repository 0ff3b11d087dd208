//! What each outcome and error means for the customer, over HTTP.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::RETRY_AFTER;
use payonce::{Error, Outcome};
use serde_json::{Value, json};

/// When to ask again, where the gateway does not say it.
const SOON: Duration = Duration::from_secs(5);

/// The answer to a call. `ask`: how to ask what became of it.
pub(crate) fn of(answer: &Result<Outcome, Error>, ask: &str) -> Response {
    match answer {
        Ok(outcome) => outcome_of(outcome, ask),
        Err(error) => error_of(error),
    }
}

fn outcome_of(outcome: &Outcome, ask: &str) -> Response {
    let next_attempt = outcome.operation().attempt.saturating_add(1);
    let (body, retry_after) = match outcome {
        // Ship the goods.
        Outcome::Succeeded(receipt) => {
            let amount = receipt.money.to_string();
            let body = json!({ "outcome": "succeeded", "amount": amount,
                "payment": receipt.provider_id });
            (body, None)
        }
        // Ask for another card, and send it as the next attempt.
        Outcome::Declined(decline) => {
            let refusal = &decline.refusal;
            let body = json!({ "outcome": "declined", "code": refusal.code,
                "reason": refusal.reason, "next_attempt": next_attempt });
            (body, None)
        }
        // The customer can do nothing about it: the request is wrong, so the shop must be changed.
        Outcome::Rejected(rejection) => {
            tell_the_shop(outcome, &rejection.refusal.code);
            let body = json!({ "outcome": "rejected", "next_attempt": next_attempt });
            (body, None)
        }
        // Send the customer to the page, or give the secret to the gateway's front-end code.
        Outcome::ActionRequired(action) => {
            let body = json!({ "outcome": "action_required", "url": action.url,
                "client_secret": action.client_secret, "ask": ask });
            (body, Some(SOON))
        }
        // Money may have moved. Show that it is being worked on, and let the page ask again.
        Outcome::Pending(pending) => {
            let body = json!({ "outcome": "pending", "why": pending.why, "ask": ask });
            (body, Some(SOON))
        }
        // Nothing happened and nothing will: the customer may begin again.
        Outcome::NoEffect(no_effect) => {
            let body = json!({ "outcome": "no_effect", "why": no_effect.why,
                "next_attempt": next_attempt });
            (body, None)
        }
        // It was paid, and then taken back. Somebody has to call the customer.
        Outcome::Reversed(reversal) => {
            tell_the_shop(outcome, &reversal.code);
            (json!({ "outcome": "reversed" }), None)
        }
        // Money may have moved. Hold the order: do not ship, do not cancel, do not charge again.
        Outcome::Unknown(unknown) => {
            tell_the_shop(outcome, &unknown.doubt.to_string());
            let wait = unknown.retry_after.unwrap_or(SOON);
            (json!({ "outcome": "unknown", "ask": ask }), Some(wait))
        }
    };
    if !outcome.is_recorded() {
        tell_the_shop(
            outcome,
            "the gateway answered, and the ledger could not be written",
        );
    }
    respond(outcome.http_status(), body, retry_after)
}

fn error_of(error: &Error) -> Response {
    let status = error.http_status();
    // What a server error says is for the shop and not for its customers.
    let text = if status == 500 {
        tell(&error.to_string());
        "the shop cannot take payments now".to_owned()
    } else {
        error.to_string()
    };
    let mut body = json!({ "outcome": "error", "error": text });
    let mut wait = (status == 503).then_some(SOON);
    if let Error::Unavailable { retry_after, .. } = error {
        wait = retry_after.or(wait);
    }
    // Another window of the browser is ahead.
    if let Error::LaterAttempt { attempt, .. } = error {
        insert(&mut body, "attempt", json!(attempt));
    }
    if let Error::ExceedsParent { left } = error {
        insert(&mut body, "left", json!(left.to_string()));
    }
    respond(status, body, wait)
}

/// The body is not what the route takes.
pub(crate) fn no_json(problem: &JsonRejection) -> Response {
    plain(problem.status(), &problem.body_text())
}

pub(crate) fn plain(status: StatusCode, text: &str) -> Response {
    let body = json!({ "outcome": "error", "error": text });
    respond(status.as_u16(), body, None)
}

fn respond(status: u16, body: Value, retry_after: Option<Duration>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(body)).into_response();
    if let Some(wait) = retry_after {
        response
            .headers_mut()
            .insert(RETRY_AFTER, wait.as_secs().into());
    }
    response
}

fn insert(body: &mut Value, name: &str, value: Value) {
    if let Value::Object(fields) = body {
        fields.insert(name.to_owned(), value);
    }
}

fn tell_the_shop(outcome: &Outcome, what: &str) {
    let operation = outcome.operation();
    tell(&format!(
        "{} {} (operation {}): {what}",
        operation.kind, operation.reference, operation.id
    ));
}

#[expect(clippy::print_stderr, reason = "in a shop of yours this is the log")]
fn tell(text: &str) {
    eprintln!("{text}");
}
