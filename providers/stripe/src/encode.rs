//! Requests, rendered without secrets: one function per operation.

mod metadata;

use form_urlencoded::Serializer;
use http::Method;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, Request};
use payonce::{OperationKind, Problem, Source, SourceKind};
use secrecy::{ExposeSecret, SecretString};

use crate::Stripe;
use crate::amount::AMOUNT;
use crate::rule::KEY_FORMAT;
use crate::wire;

/// Without this header the account's default version would decide what a reply means:
/// <https://docs.stripe.com/api/versioning>.
const VERSION: &str = "2026-07-29.dahlia";

const FORM: &str = "application/x-www-form-urlencoded";

/// The request of an operation.
pub(crate) fn encode(
    stripe: &Stripe,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    match call.kind {
        OperationKind::Charge => pay(stripe, call, details, "automatic"),
        OperationKind::Authorize => pay(stripe, call, details, "manual"),
        OperationKind::Capture => capture(stripe, call, details),
        OperationKind::Refund => refund(stripe, call, details),
        OperationKind::Void => void(stripe, call, details),
        kind => Err(EncodeError::unsupported(format!(
            "the Stripe adapter cannot {kind}"
        ))),
    }
}

/// `POST /v1/payment_intents`, created and confirmed in one request:
/// <https://docs.stripe.com/api/payment_intents/create>. The order of the fields never changes.
fn pay(
    stripe: &Stripe,
    call: &Call<'_>,
    details: &Details<'_>,
    capture_method: &str,
) -> Result<Request, EncodeError> {
    let amount = AMOUNT.render(call.money)?;
    let mut form = Serializer::new(String::new());
    form.append_pair("amount", &amount);
    form.append_pair(
        "currency",
        &call.money.currency().code().to_ascii_lowercase(),
    );
    pay_with(&mut form, details.source)?;
    form.append_pair("confirm", "true");
    form.append_pair("capture_method", capture_method);
    form.append_pair("automatic_payment_methods[enabled]", "true");
    // Stripe refuses a confirmation that may redirect but has nowhere to come back to.
    match details.return_url {
        Some(url) => form.append_pair("return_url", url),
        None => form.append_pair("automatic_payment_methods[allow_redirects]", "never"),
    };
    if let Some(text) = details.description {
        form.append_pair("description", text);
    }
    metadata::append(&mut form, call, details.metadata)?;
    post(stripe, call, "/v1/payment_intents", &form.finish())
}

/// `POST /v1/payment_intents/{id}/capture`: <https://docs.stripe.com/api/payment_intents/capture>.
/// The currency is that of the payment. What is not captured is released.
fn capture(
    stripe: &Stripe,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    let path = format!("/v1/payment_intents/{}/capture", payment(call)?);
    no_description(details)?;
    let mut form = Serializer::new(String::new());
    form.append_pair("amount_to_capture", &AMOUNT.render(call.money)?);
    metadata::append(&mut form, call, details.metadata)?;
    post(stripe, call, &path, &form.finish())
}

/// `POST /v1/refunds`: <https://docs.stripe.com/api/refunds/create>. The currency is that of the
/// payment.
fn refund(stripe: &Stripe, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    let parent = parent(call)?;
    let field = if wire::is_payment(parent) {
        "payment_intent"
    } else if wire::is_charge(parent) {
        "charge"
    } else {
        let problem = "is no payment of Stripe: give its id as pi_... or ch_...";
        return Err(EncodeError::field(PARENT, Problem::other(problem)));
    };
    no_description(details)?;
    let mut form = Serializer::new(String::new());
    form.append_pair(field, parent);
    form.append_pair("amount", &AMOUNT.render(call.money)?);
    metadata::append(&mut form, call, details.metadata)?;
    post(stripe, call, "/v1/refunds", &form.finish())
}

/// `POST /v1/payment_intents/{id}/cancel`: <https://docs.stripe.com/api/payment_intents/cancel>.
/// It takes a reason only, and we know none: the body is empty.
fn void(stripe: &Stripe, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    let path = format!("/v1/payment_intents/{}/cancel", payment(call)?);
    no_description(details)?;
    if !details.metadata.is_empty() {
        return Err(EncodeError::unsupported(
            "Stripe takes no metadata with a void: leave it out",
        ));
    }
    post(stripe, call, &path, "")
}

/// What an intent calls the payment that is captured, refunded or voided.
const PARENT: &str = "payment";

fn parent<'a>(call: &Call<'a>) -> Result<&'a str, EncodeError> {
    call.parent.ok_or_else(|| {
        let problem = Problem::other("is missing: give the payment of Stripe (pi_...)");
        EncodeError::field(PARENT, problem)
    })
}

/// The parent, where it must be a `PaymentIntent`. What is none could lead elsewhere in a path.
fn payment<'a>(call: &Call<'a>) -> Result<&'a str, EncodeError> {
    let parent = parent(call)?;
    if wire::is_payment(parent) {
        return Ok(parent);
    }
    let problem = Problem::other("is no PaymentIntent of Stripe: give its id as pi_...");
    Err(EncodeError::field(PARENT, problem))
}

/// A text that Stripe has no field for is refused: left out, nobody would know.
fn no_description(details: &Details<'_>) -> Result<(), EncodeError> {
    match details.description {
        Some(_) => Err(EncodeError::unsupported(
            "Stripe takes a description with a payment only: leave it out",
        )),
        None => Ok(()),
    }
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
