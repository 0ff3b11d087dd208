//! Requests, rendered without secrets: one function per operation.

use form_urlencoded::Serializer;
use http::Method;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, Request};
use payonce::{OperationKind, Problem, Source, SourceKind};
use secrecy::{ExposeSecret, SecretString};

use crate::Stripe;
use crate::amount::AMOUNT;
use crate::rule::{KEY_FORMAT, KEY_NAME, REFERENCE_NAME};
use crate::wire;

/// Without this header the account's default version would decide what a reply means:
/// <https://docs.stripe.com/api/versioning>.
const VERSION: &str = "2026-07-29.dahlia";

const FORM: &str = "application/x-www-form-urlencoded";

/// <https://docs.stripe.com/metadata>: so many fields, names and values of so many characters,
/// and no square brackets in names.
const METADATA_FIELDS: usize = 50;
const METADATA_NAME: usize = 40;
const METADATA_VALUE: usize = 500;
/// How many of the fields are ours.
const OWN_FIELDS: usize = 2;
/// How the names of our own fields start.
const OWN_PREFIX: &str = "payonce_";

/// The request of an operation.
pub(crate) fn encode(
    stripe: &Stripe,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    match call.kind {
        OperationKind::Charge => charge(stripe, call, details),
        kind @ (OperationKind::Authorize
        | OperationKind::Capture
        | OperationKind::Refund
        | OperationKind::Void
        | _) => Err(EncodeError::unsupported(format!(
            "the Stripe adapter cannot {kind} yet: it can charge"
        ))),
    }
}

/// `POST /v1/payment_intents`, created and confirmed in one request:
/// <https://docs.stripe.com/api/payment_intents/create>. The order of the fields never changes.
fn charge(stripe: &Stripe, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    let amount = AMOUNT.render(call.money)?;
    let mut form = Serializer::new(String::new());
    form.append_pair("amount", &amount);
    form.append_pair(
        "currency",
        &call.money.currency().code().to_ascii_lowercase(),
    );
    pay_with(&mut form, details.source)?;
    form.append_pair("confirm", "true");
    form.append_pair("capture_method", "automatic");
    form.append_pair("automatic_payment_methods[enabled]", "true");
    // Stripe refuses a confirmation that may redirect but has nowhere to come back to.
    match details.return_url {
        Some(url) => form.append_pair("return_url", url),
        None => form.append_pair("automatic_payment_methods[allow_redirects]", "never"),
    };
    if let Some(text) = details.description {
        form.append_pair("description", text);
    }
    metadata(&mut form, call, details.metadata)?;
    post(stripe, call, "/v1/payment_intents", &form.finish())
}

fn pay_with(form: &mut Serializer<'_, String>, source: Option<&Source>) -> Result<(), EncodeError> {
    let Some(source) = source else {
        let problem = Problem::other("is missing: give a payment method of Stripe (pm_...)");
        return Err(EncodeError::field("source", problem));
    };
    let saved = match source.kind() {
        SourceKind::Token => false,
        SourceKind::Saved => true,
        SourceKind::Hosted | _ => {
            return Err(EncodeError::unsupported(
                "the Stripe adapter has no hosted pages: give a payment method (pm_...)",
            ));
        }
    };
    // An empty field would not be sent as empty: Stripe takes it as not given.
    let empty = |field| EncodeError::field(field, Problem::Empty);
    let token = source.expose_token().filter(|token| !token.is_empty());
    form.append_pair("payment_method", token.ok_or_else(|| empty("source"))?);
    if let Some(customer) = source.customer() {
        if customer.is_empty() {
            return Err(empty("customer"));
        }
        form.append_pair("customer", customer);
    }
    if saved {
        form.append_pair("off_session", "true");
    }
    Ok(())
}

/// Our fields first, then the merchant's in the order given.
fn metadata(
    form: &mut Serializer<'_, String>,
    call: &Call<'_>,
    fields: &[(String, String)],
) -> Result<(), EncodeError> {
    let most = METADATA_FIELDS.saturating_sub(OWN_FIELDS);
    if fields.len() > most {
        let problem = Problem::other(format!(
            "has {} fields: Stripe takes {METADATA_FIELDS}, and payonce needs {OWN_FIELDS} of \
             them, so give at most {most}",
            fields.len()
        ));
        return Err(EncodeError::field("metadata", problem));
    }
    form.append_pair(&metadata_field(KEY_NAME), call.key.as_str());
    form.append_pair(&metadata_field(REFERENCE_NAME), call.reference);
    for (name, value) in fields {
        name_problem(name).map_or(Ok(()), |problem| {
            Err(EncodeError::field("metadata name", problem))
        })?;
        if longer_than(value, METADATA_VALUE) {
            let problem = Problem::TooLong {
                limit: METADATA_VALUE,
            };
            return Err(EncodeError::field(format!("metadata {name}"), problem));
        }
        form.append_pair(&metadata_field(name), value);
    }
    Ok(())
}

fn metadata_field(name: &str) -> String {
    format!("metadata[{name}]")
}

fn name_problem(name: &str) -> Option<Problem> {
    if name.is_empty() {
        return Some(Problem::Empty);
    }
    if longer_than(name, METADATA_NAME) {
        return Some(Problem::TooLong {
            limit: METADATA_NAME,
        });
    }
    if name.contains(['[', ']']) {
        return Some(Problem::other(
            "holds a square bracket: Stripe takes none in names",
        ));
    }
    name.starts_with(OWN_PREFIX).then(|| {
        Problem::other(format!(
            "starts with {OWN_PREFIX}, which is for payonce: rename it"
        ))
    })
}

fn longer_than(text: &str, limit: usize) -> bool {
    text.chars().nth(limit).is_some()
}

/// A request that moves money: the key goes with it, once.
fn post(stripe: &Stripe, call: &Call<'_>, path: &str, form: &str) -> Result<Request, EncodeError> {
    let key = |problem| EncodeError::field("key", problem);
    KEY_FORMAT.check(call.key).map_err(key)?;
    let value = HeaderValue::from_str(call.key.as_str()).map_err(|_| {
        key(Problem::other(
            "cannot stand in a header: give visible ASCII",
        ))
    })?;
    let request = Request::new(Method::POST, path)
        .with_body(FORM, form)
        .with_header(HeaderName::from_static("idempotency-key"), value);
    with_account(stripe, request).ok_or_else(|| {
        let problem = Problem::other("is no account id of Stripe: give it as acct_...");
        EncodeError::field("connected_account", problem)
    })
}

/// A request that only reads. `None`: the connected account cannot be named.
pub(crate) fn get(stripe: &Stripe, path: &str) -> Option<Request> {
    with_account(stripe, Request::new(Method::GET, path))
}

/// The same request with what is the same for all: the version, and whose account it is about.
fn with_account(stripe: &Stripe, request: Request) -> Option<Request> {
    let version = HeaderValue::from_static(VERSION);
    let request = request.with_header(HeaderName::from_static("stripe-version"), version);
    let Some(account) = &stripe.connected_account else {
        return Some(request);
    };
    let account = Some(account).filter(|id| wire::is_id(id))?;
    let account = HeaderValue::from_str(account).ok()?;
    Some(request.with_header(HeaderName::from_static("stripe-account"), account))
}

/// Adds the secret: <https://docs.stripe.com/api/authentication>.
pub(crate) fn authorize(secret: &SecretString, request: &mut Request) -> Result<(), EncodeError> {
    let problem = |problem| Err(EncodeError::field("secret", problem));
    let secret = secret.expose_secret();
    if secret.is_empty() {
        return problem(Problem::Empty);
    }
    // A publishable key, or half of one, would only bring refusals, under an account that is none.
    if !(secret.starts_with("sk_") || secret.starts_with("rk_")) {
        return problem(Problem::other(
            "is no secret key of Stripe: give one that starts with sk_ or rk_",
        ));
    }
    // A line end from a file, or a space from a form, would only bring a refusal later.
    let plain = secret.bytes().all(|b| b.is_ascii_graphic());
    match HeaderValue::from_str(&format!("Bearer {secret}")) {
        Ok(mut value) if plain => {
            value.set_sensitive(true);
            request.headers.insert(AUTHORIZATION, value);
            Ok(())
        }
        Ok(_) | Err(_) => problem(Problem::other(
            "holds a space, a line end or another character that no key of Stripe has: give it \
             as the dashboard shows it",
        )),
    }
}
