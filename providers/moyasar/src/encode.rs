//! Requests, rendered without secrets: one function per operation.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::Method;
use http::header::{AUTHORIZATION, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, Request};
use payonce::{OperationKind, Problem, Source, SourceKind};
use secrecy::{ExposeSecret, SecretString};
use serde::{Serialize, Serializer};

use crate::amount::{AMOUNT, LEAST};
use crate::rule::{KEY_NAME, PAYMENT_KEY, REFERENCE_NAME};
use crate::wire;

const PAYMENTS: &str = "/v1/payments";
const JSON: &str = "application/json";

/// <https://docs.moyasar.com/metadata>: so many fields, names and values of so many
/// characters.
const METADATA_FIELDS: usize = 30;
const METADATA_NAME: usize = 40;
const METADATA_VALUE: usize = 500;
/// How many of the fields are ours.
const OWN_FIELDS: usize = 2;
/// How the names of our own fields start.
const OWN_PREFIX: &str = "payonce_";

/// The request of an operation.
pub(crate) fn encode(call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    match call.kind {
        OperationKind::Charge => payment(call, details, false),
        OperationKind::Authorize => payment(call, details, true),
        OperationKind::Capture => of_parent(call, details, "capture", Some(units(call)?)),
        OperationKind::Refund => of_parent(call, details, "refund", Some(units(call)?)),
        // A void has no amount: it is about the whole payment.
        OperationKind::Void => of_parent(call, details, "void", None),
        kind => Err(EncodeError::unsupported(format!(
            "the Moyasar adapter cannot {kind}: it can charge, authorize, capture, refund and void"
        ))),
    }
}

/// The request that reads a payment.
pub(crate) fn get(id: &str) -> Request {
    Request::new(Method::GET, format!("{PAYMENTS}/{id}"))
}

/// The body of a payment. The order of the fields never changes.
#[derive(Serialize)]
struct Body<'a> {
    given_id: &'a str,
    amount: i64,
    currency: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    callback_url: &'a str,
    source: Paying<'a>,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct Paying<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    token: &'a str,
    #[serde(rename = "3ds")]
    three_d_secure: bool,
    manual: bool,
}

#[derive(Serialize)]
struct Amount {
    amount: i64,
}

/// Our fields first, then the merchant's in the order given.
struct Metadata<'a>([(&'a str, &'a str); OWN_FIELDS], &'a [(String, String)]);

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let theirs = self.1.iter();
        let theirs = theirs.map(|(name, value)| (name.as_str(), value.as_str()));
        serializer.collect_map(self.0.iter().copied().chain(theirs))
    }
}

/// `POST /v1/payments`: <https://docs.moyasar.com/api/payments/01-create-payment>. `manual`: the
/// money is held, and a capture takes it.
fn payment(call: &Call<'_>, details: &Details<'_>, manual: bool) -> Result<Request, EncodeError> {
    let amount = units(call)?;
    if amount < LEAST {
        let least = AMOUNT.money(LEAST, call.money.currency());
        let least = least.map_or_else(|_| LEAST.to_string(), |money| money.to_string());
        return Err(EncodeError::field(
            "amount",
            Problem::other(format!(
                "is less than {least}, the least that Moyasar takes"
            )),
        ));
    }
    let body = Body {
        given_id: key(call)?,
        amount,
        // Left out it would be SAR, whatever the amount was in.
        currency: call.money.currency().code(),
        description: details.description,
        callback_url: callback_url(details.return_url)?,
        source: token(details.source, manual)?,
        metadata: metadata(call, details.metadata)?,
    };
    post(PAYMENTS.to_owned(), Some(&body))
}

/// The amount, never zero: an amount that Moyasar took as not given would be the whole payment.
fn units(call: &Call<'_>) -> Result<i64, EncodeError> {
    let units = AMOUNT.units(call.money)?;
    if units < 1 {
        let problem = Problem::other("is zero: give an amount above zero");
        return Err(EncodeError::field("amount", problem));
    }
    Ok(units)
}

fn key<'a>(call: &Call<'a>) -> Result<&'a str, EncodeError> {
    let refused = |problem| EncodeError::field("key", problem);
    PAYMENT_KEY.check(call.key).map_err(refused)?;
    let key = call.key.as_str();
    // As an id it may come back in small letters, and would then be another key than ours.
    if key.bytes().any(|b| b.is_ascii_uppercase()) {
        return Err(refused(Problem::other(
            "has capital letters: give the UUID in small ones",
        )));
    }
    Ok(key)
}

fn callback_url(url: Option<&str>) -> Result<&str, EncodeError> {
    url.ok_or_else(|| {
        let problem = Problem::other(
            "is missing: Moyasar asks for one with every token, also with a saved card",
        );
        EncodeError::field("return_url", problem)
    })
}

/// <https://docs.moyasar.com/guides/tokenization/tokenized-cards>
///
/// `3ds` is always said, since pages differ about what holds without it. With the customer there
/// it is asked for. With a saved card the customer is away and could not answer, so it is not; an
/// account that may not leave it out gets the payment back as `initiated`, which is no success.
fn token(source: Option<&Source>, manual: bool) -> Result<Paying<'_>, EncodeError> {
    let refused = |field, problem| EncodeError::field(field, problem);
    let Some(source) = source else {
        let problem = Problem::other("is missing: give a token of Moyasar (token_...)");
        return Err(refused("source", problem));
    };
    let three_d_secure = match source.kind() {
        SourceKind::Token => true,
        SourceKind::Saved => false,
        SourceKind::Hosted | _ => {
            return Err(EncodeError::unsupported(
                "the Moyasar adapter has no hosted pages: give a token (token_...)",
            ));
        }
    };
    if source.customer().is_some() {
        let problem = Problem::other("is given, but Moyasar keeps no customers: leave it out");
        return Err(refused("customer", problem));
    }
    // Card data, a payment's id or another gateway's token would not be one.
    let token = source.expose_token().unwrap_or_default();
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let own = token.strip_prefix("token_").unwrap_or_default();
    if own.is_empty() || !own.bytes().all(is_plain) {
        let problem = Problem::other("is no token of Moyasar: give one that starts with token_");
        return Err(refused("source", problem));
    }
    Ok(Paying {
        kind: "token",
        token,
        three_d_secure,
        manual,
    })
}

fn metadata<'a>(
    call: &Call<'a>,
    fields: &'a [(String, String)],
) -> Result<Metadata<'a>, EncodeError> {
    let most = METADATA_FIELDS.saturating_sub(OWN_FIELDS);
    if fields.len() > most {
        let problem = Problem::other(format!(
            "has {} fields: Moyasar takes {METADATA_FIELDS}, and payonce needs {OWN_FIELDS} of \
             them, so give at most {most}",
            fields.len()
        ));
        return Err(EncodeError::field("metadata", problem));
    }
    bounded("reference", call.reference, METADATA_VALUE)?;
    for (name, value) in fields {
        bounded("metadata name", name, METADATA_NAME)?;
        if name.starts_with(OWN_PREFIX) {
            let problem = Problem::other(format!(
                "starts with {OWN_PREFIX}, which is for payonce: rename it"
            ));
            return Err(EncodeError::field("metadata name", problem));
        }
        bounded(&format!("metadata {name}"), value, METADATA_VALUE)?;
    }
    let ours = [
        (KEY_NAME, call.key.as_str()),
        (REFERENCE_NAME, call.reference),
    ];
    Ok(Metadata(ours, fields))
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

/// `POST /v1/payments/{id}/...`: <https://docs.moyasar.com/guides/payment-operations>. It takes an
/// amount and nothing else, so what else is given is refused: left out it would be missed later.
fn of_parent(
    call: &Call<'_>,
    details: &Details<'_>,
    verb: &str,
    amount: Option<i64>,
) -> Result<Request, EncodeError> {
    let Some(parent) = call.parent.filter(|id| wire::is_id(id)) else {
        let problem = Problem::other("is no payment of Moyasar: give the id of one");
        return Err(EncodeError::field("payment", problem));
    };
    for (field, given) in [
        ("description", details.description.is_some()),
        ("metadata", !details.metadata.is_empty()),
    ] {
        if given {
            let problem =
                Problem::other(format!("is not taken by a {verb} of Moyasar: leave it out"));
            return Err(EncodeError::field(field, problem));
        }
    }
    let amount = amount.map(|amount| Amount { amount });
    post(format!("{PAYMENTS}/{parent}/{verb}"), amount.as_ref())
}

/// A request that moves money.
fn post(path: String, body: Option<&impl Serialize>) -> Result<Request, EncodeError> {
    let request = Request::new(Method::POST, path);
    let Some(body) = body else {
        return Ok(request);
    };
    let body = serde_json::to_vec(body)
        .map_err(|_| EncodeError::unsupported("the request cannot be written as JSON"))?;
    Ok(request.with_body(JSON, body))
}

/// Adds the secret, as the user name of HTTP Basic with an empty password:
/// <https://docs.moyasar.com/api/authentication>.
pub(crate) fn authorize(secret: &SecretString, request: &mut Request) -> Result<(), EncodeError> {
    let problem = |problem| Err(EncodeError::field("secret", problem));
    let secret = secret.expose_secret();
    if secret.is_empty() {
        return problem(Problem::Empty);
    }
    // A publishable key may create payments but read none, so nothing could ever be looked up.
    if !secret.starts_with("sk_") {
        return problem(Problem::other(
            "is no secret key of Moyasar: give one that starts with sk_",
        ));
    }
    // A line end from a file would only bring a refusal later; a colon would end the user name.
    let plain = secret.bytes().all(|b| b.is_ascii_graphic() && b != b':');
    let credentials = BASE64_STANDARD.encode(format!("{secret}:").as_bytes());
    match HeaderValue::from_str(&format!("Basic {credentials}")) {
        Ok(mut value) if plain => {
            value.set_sensitive(true);
            request.headers.insert(AUTHORIZATION, value);
            Ok(())
        }
        Ok(_) | Err(_) => problem(Problem::other(
            "holds a space, a line end, a colon or another character that no key of Moyasar has: \
             give it as the dashboard shows it",
        )),
    }
}
