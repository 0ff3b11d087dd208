//! Requests, rendered without secrets: one function per operation.

use http::Method;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, KeyFormat, Request};
use payonce::{OperationKind, Problem, Source, SourceKind};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

use crate::amount::AMOUNT;
use crate::rule::{PAYMENT_KEY, REFUND_KEY};
use crate::{Square, wire};

const PAYMENTS: &str = "/v2/payments";
const JSON: &str = "application/json";
/// Without it the application's own default would hold:
/// <https://developer.squareup.com/docs/build-basics/versioning-overview>.
const VERSION: (HeaderName, HeaderValue) = (
    HeaderName::from_static("square-version"),
    HeaderValue::from_static("2026-05-20"),
);

/// <https://developer.squareup.com/reference/square/payments-api/create-payment>: so many characters.
const NOTE: usize = 500;
const LOCATION: usize = 50;
const CUSTOMER: usize = 191;

/// The request of an operation.
pub(crate) fn encode(
    square: &Square,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    match call.kind {
        OperationKind::Charge => payment(square, call, details, true),
        OperationKind::Authorize => payment(square, call, details, false),
        // Neither has an amount: both are of the whole payment.
        OperationKind::Capture => of_parent(call, details, "complete", Some(b"{}")),
        OperationKind::Void => of_parent(call, details, "cancel", None),
        OperationKind::Refund => refund(call, details),
        kind => Err(EncodeError::unsupported(format!(
            "the Square adapter cannot {kind}: it can charge, authorize, capture, refund and void"
        ))),
    }
}

/// A request that only reads.
pub(crate) fn get(path: &str) -> Request {
    let (name, value) = VERSION;
    Request::new(Method::GET, path).with_header(name, value)
}

/// The body of a payment. The order of the fields never changes.
#[derive(Serialize)]
struct Payment<'a> {
    idempotency_key: &'a str,
    source_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_id: Option<&'a str>,
    amount_money: Money<'a>,
    autocomplete: bool,
    location_id: &'a str,
    reference_id: &'a str,
    note: String,
}

#[derive(Serialize)]
struct Refund<'a> {
    idempotency_key: &'a str,
    payment_id: &'a str,
    amount_money: Money<'a>,
    reason: &'a str,
}

#[derive(Serialize)]
struct Money<'a> {
    amount: i64,
    currency: &'a str,
}

/// `POST /v2/payments`: <https://developer.squareup.com/reference/square/payments-api/create-payment>.
/// Without `autocomplete` the money is held, and a capture takes it.
fn payment(
    square: &Square,
    call: &Call<'_>,
    details: &Details<'_>,
    autocomplete: bool,
) -> Result<Request, EncodeError> {
    bounded("location", &square.location, LOCATION)?;
    let (source_id, customer_id) = source(details.source)?;
    let key = key(call, PAYMENT_KEY)?;
    post(
        PAYMENTS.to_owned(),
        &Payment {
            idempotency_key: key,
            source_id,
            customer_id,
            amount_money: money(call)?,
            autocomplete,
            // Left out it would be the seller's main location.
            location_id: &square.location,
            // No payment shows its idempotency key, so it stands here once more.
            reference_id: key,
            note: note(call, details)?,
        },
    )
}

/// `POST /v2/refunds`: <https://developer.squareup.com/reference/square/refunds-api/refund-payment>.
/// The amount is asked for with a whole refund too.
fn refund(call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    let payment_id = parent(call, details)?;
    let key = key(call, REFUND_KEY)?;
    post(
        "/v2/refunds".to_owned(),
        &Refund {
            idempotency_key: key,
            payment_id,
            amount_money: money(call)?,
            // The only text of a refund. It is all that tells two refunds of one amount apart.
            reason: key,
        },
    )
}

/// `POST /v2/payments/{id}/complete` and `.../cancel`. The one asks for a body, the other takes none.
fn of_parent(
    call: &Call<'_>,
    details: &Details<'_>,
    verb: &str,
    body: Option<&[u8]>,
) -> Result<Request, EncodeError> {
    let parent = parent(call, details)?;
    money(call)?;
    let (name, value) = VERSION;
    let path = format!("{PAYMENTS}/{parent}/{verb}");
    let request = Request::new(Method::POST, path).with_header(name, value);
    Ok(match body {
        Some(body) => request.with_body(JSON, body),
        None => request,
    })
}

/// The payment that is meant. It takes no texts of the merchant's: left out they would be missed
/// later.
fn parent<'a>(call: &Call<'a>, details: &Details<'_>) -> Result<&'a str, EncodeError> {
    if details.description.is_some() {
        return Err(not_taken("description"));
    }
    if !details.metadata.is_empty() {
        return Err(not_taken("metadata"));
    }
    call.parent.filter(|id| wire::is_id(id)).ok_or_else(|| {
        let problem = Problem::other("is no payment of Square: give the id of one");
        EncodeError::field("payment", problem)
    })
}

fn not_taken(field: &str) -> EncodeError {
    let problem = Problem::other("has no place in such a request of Square: leave it out");
    EncodeError::field(field, problem)
}

/// The amount, never zero.
fn money(call: &Call<'_>) -> Result<Money<'static>, EncodeError> {
    let amount = AMOUNT.units(call.money)?;
    if amount < 1 {
        let problem = Problem::other("is zero: give an amount above zero");
        return Err(EncodeError::field("amount", problem));
    }
    Ok(Money {
        amount,
        currency: call.money.currency().code(),
    })
}

fn key<'a>(call: &Call<'a>, format: KeyFormat) -> Result<&'a str, EncodeError> {
    let refused = |problem| EncodeError::field("key", problem);
    format.check(call.key).map_err(refused)?;
    Ok(call.key.as_str())
}

/// The only text of a payment that is free: the reference, and each on a line of its own after it the
/// description and the merchant's fields, for people to read.
fn note(call: &Call<'_>, details: &Details<'_>) -> Result<String, EncodeError> {
    bounded("reference", call.reference, NOTE)?;
    let mut note = call.reference.to_owned();
    let mut add = |field: &str, line: &str| {
        // Beside what stands there already there is less room for it.
        let used = note.chars().count().saturating_add(1);
        bounded(field, line, NOTE.saturating_sub(used))?;
        note.push('\n');
        note.push_str(line);
        Ok::<(), EncodeError>(())
    };
    if let Some(description) = details.description {
        add("description", description)?;
    }
    for (name, value) in details.metadata {
        add(&format!("metadata {name}"), &format!("{name}: {value}"))?;
    }
    Ok(note)
}

/// A card token, or a card on file with its customer. `CASH` and `EXTERNAL` would be taken for money
/// that the seller has already.
fn source(source: Option<&Source>) -> Result<(&str, Option<&str>), EncodeError> {
    let refused = |field, problem| Err(EncodeError::field(field, Problem::other(problem)));
    let Some(source) = source else {
        return refused("source", "is missing: give a token of Square (cnon:...)");
    };
    let token = source.expose_token().unwrap_or_default();
    let is_of = |prefix: &str| {
        let own = token.strip_prefix(prefix).unwrap_or_default();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        !own.is_empty() && own.bytes().all(plain)
    };
    let customer = source.customer();
    match source.kind() {
        SourceKind::Token if is_of("cnon:") => Ok((token, None)),
        SourceKind::Token => refused(
            "source",
            "is no card token of Square: give one that starts with cnon:",
        ),
        SourceKind::Saved if !is_of("ccof:") => refused(
            "source",
            "is no card on file of Square: give one that starts with ccof:",
        ),
        SourceKind::Saved => match customer {
            Some(id) => bounded("customer", id, CUSTOMER).map(|()| (token, customer)),
            None => refused(
                "customer",
                "is missing: Square takes a card on file with its customer only",
            ),
        },
        SourceKind::Hosted | _ => Err(EncodeError::unsupported(
            "the Square adapter has no hosted pages: give a card token (cnon:...)",
        )),
    }
}

fn bounded(field: &str, text: &str, limit: usize) -> Result<(), EncodeError> {
    let problem = if text.is_empty() {
        Problem::Empty
    } else if text.chars().nth(limit).is_some() {
        Problem::TooLong { limit }
    } else {
        return Ok(());
    };
    Err(EncodeError::field(field, problem))
}

fn post(path: String, body: &impl Serialize) -> Result<Request, EncodeError> {
    let body = serde_json::to_vec(body)
        .map_err(|_| EncodeError::unsupported("the request cannot be written as JSON"))?;
    let (name, value) = VERSION;
    let request = Request::new(Method::POST, path).with_header(name, value);
    Ok(request.with_body(JSON, body))
}

/// Adds the access token: <https://developer.squareup.com/docs/build-basics/access-tokens>.
pub(crate) fn authorize(token: &SecretString, request: &mut Request) -> Result<(), EncodeError> {
    let problem = |problem| Err(EncodeError::field("secret", problem));
    let token = token.expose_secret();
    if token.is_empty() {
        return problem(Problem::Empty);
    }
    // A line end from a file would only bring a refusal later.
    let plain = token.bytes().all(|b| b.is_ascii_graphic());
    match HeaderValue::from_str(&format!("Bearer {token}")) {
        Ok(mut value) if plain => {
            value.set_sensitive(true);
            request.headers.insert(AUTHORIZATION, value);
            Ok(())
        }
        Ok(_) | Err(_) => problem(Problem::other(
            "holds a space, a line end or another character that no access token has: give it as \
             Square shows it",
        )),
    }
}
