//! Requests, rendered without secrets: one function per shape.

mod customer;

use http::Method;
use http::header::{AUTHORIZATION, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, Request};
use payonce::{OperationKind, Problem, Source, SourceKind};
use secrecy::{ExposeSecret, SecretString};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use self::customer::Customer;
use crate::amount::AMOUNT;
use crate::rule::{KEY_FORMAT, REFERENCE_NAME};
use crate::{Tap, wire};

const CHARGES: &str = "/v2/charges/";
const AUTHORIZATIONS: &str = "/v2/authorize/";
const REFUNDS: &str = "/v2/refunds/";

// The most characters, by codes 1121, 1127 and 1128 of
// <https://developers.tap.company/reference/charge-response-codes>: each text must be shorter than
// a limit, so these are one less.
const DESCRIPTION: usize = 999;
const METADATA_NAME: usize = 249;
const METADATA_VALUE: usize = 999;
/// How the names of our own fields start.
const OWN_PREFIX: &str = "payonce_";

/// The request of an operation. The order of the fields never changes.
pub(crate) fn encode(
    tap: &Tap,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    match call.kind {
        OperationKind::Charge | OperationKind::Authorize => {
            let source = source(call.kind, details.source)?;
            payment(tap, call, details, source)
        }
        OperationKind::Capture => {
            let problem = "is no authorization of Tap: give the id of one (auth_...)";
            payment(tap, call, details, parent(call, "auth_", problem)?)
        }
        OperationKind::Refund => refund(call, details),
        OperationKind::Void => void(call, details),
        kind => Err(EncodeError::unsupported(format!(
            "the Tap adapter cannot {kind}: it can charge, authorize, capture, refund and void"
        ))),
    }
}

/// The body of a charge, an authorization or a capture.
#[derive(Serialize)]
struct Body<'a> {
    amount: Box<RawValue>,
    currency: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_initiated: Option<bool>,
    #[serde(rename = "threeDSecure", skip_serializing_if = "Option::is_none")]
    three_d_secure: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    metadata: Metadata<'a>,
    reference: Reference<'a>,
    customer: Customer<'a>,
    source: Id<'a>,
    redirect: Url<'a>,
}

#[derive(Serialize)]
struct Refund<'a> {
    charge_id: &'a str,
    amount: Box<RawValue>,
    currency: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    reason: &'a str,
    metadata: Metadata<'a>,
    reference: Reference<'a>,
}

/// The key, and the key again: `reference.idempotent` is not given back.
#[derive(Serialize)]
struct Reference<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant: Option<&'a str>,
    idempotent: &'a str,
}

#[derive(Serialize)]
struct Id<'a> {
    id: &'a str,
}

#[derive(Serialize)]
struct Url<'a> {
    url: &'a str,
}

/// Our field first, then the merchant's in the order given.
struct Metadata<'a>(&'a str, &'a [(String, String)]);

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let theirs = self.1.iter();
        let theirs = theirs.map(|(name, value)| (name.as_str(), value.as_str()));
        serializer.collect_map([(REFERENCE_NAME, self.0)].into_iter().chain(theirs))
    }
}

/// <https://developers.tap.company/reference/charges>,
/// <https://developers.tap.company/reference/authorize> and
/// <https://developers.tap.company/docs/authorize-and-capture>.
fn payment(
    tap: &Tap,
    call: &Call<'_>,
    details: &Details<'_>,
    source: &str,
) -> Result<Request, EncodeError> {
    let key = key(call)?;
    // Nobody is there when an authorization is captured, and the page warns to say anything of it.
    let asks = (call.kind != OperationKind::Capture).then_some(true);
    let body = Body {
        amount: amount(call)?,
        currency: call.money.currency().code(),
        customer_initiated: asks,
        three_d_secure: asks,
        description: description(details)?,
        metadata: metadata(call, details)?,
        reference: Reference {
            transaction: Some(key),
            merchant: None,
            idempotent: key,
        },
        customer: customer::of(details.customer)?,
        source: Id { id: source },
        redirect: Url {
            url: return_url(tap, details)?,
        },
    };
    post(
        if call.kind == OperationKind::Authorize {
            AUTHORIZATIONS
        } else {
            CHARGES
        },
        &body,
    )
}

/// <https://developers.tap.company/docs/refunds>
fn refund(call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    let problem = "is no charge of Tap: give the id of the charge, or of the capture (chg_...)";
    let key = key(call)?;
    let body = Refund {
        charge_id: parent(call, "chg_", problem)?,
        amount: amount(call)?,
        currency: call.money.currency().code(),
        description: description(details)?,
        // A reason is required. Of the three documented words it is the one that accuses nobody.
        reason: "requested_by_customer",
        metadata: metadata(call, details)?,
        reference: Reference {
            transaction: None,
            merchant: Some(key),
            idempotent: key,
        },
    };
    post(REFUNDS, &body)
}

/// <https://developers.tap.company/reference/void-an-authorize>. It takes nothing, so what is given is
/// refused: left out it would be missed later.
fn void(call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    let problem = "is no authorization of Tap: give the id of one (auth_...)";
    let id = parent(call, "auth_", problem)?;
    // A reply can only be compared with an amount that can be read.
    amount(call)?;
    for (field, given) in [
        ("description", details.description.is_some()),
        ("metadata", !details.metadata.is_empty()),
    ] {
        if given {
            let problem = Problem::other("is not taken by a void of Tap: leave it out");
            return Err(EncodeError::field(field, problem));
        }
    }
    let path = format!("{AUTHORIZATIONS}{id}/void");
    Ok(Request::new(Method::POST, path))
}

/// The amount, never zero: an amount that Tap took as not given would be the whole payment.
fn amount(call: &Call<'_>) -> Result<Box<RawValue>, EncodeError> {
    let text = AMOUNT.render(call.money)?;
    if call.money.is_zero() {
        let problem = Problem::other("is zero: give an amount above zero");
        return Err(EncodeError::field("amount", problem));
    }
    RawValue::from_string(text).map_err(|_| unwritable())
}

fn key<'a>(call: &Call<'a>) -> Result<&'a str, EncodeError> {
    KEY_FORMAT
        .check(call.key)
        .map_err(|problem| EncodeError::field("key", problem))?;
    Ok(call.key.as_str())
}

fn parent<'a>(call: &Call<'a>, prefix: &str, problem: &str) -> Result<&'a str, EncodeError> {
    let is_one = |id: &&str| wire::is_id(id) && id.starts_with(prefix);
    call.parent
        .filter(is_one)
        .ok_or_else(|| EncodeError::field("payment", Problem::other(problem)))
}

/// What pays. The words of payment methods are those of
/// <https://developers.tap.company/reference/charges>; authorizations are for cards only.
fn source(kind: OperationKind, source: Option<&Source>) -> Result<&str, EncodeError> {
    let refused = |problem| Err(EncodeError::field("source", Problem::other(problem)));
    let Some(source) = source else {
        return refused("is missing: give a token of Tap (tok_...)");
    };
    match source.kind() {
        SourceKind::Token => {}
        SourceKind::Hosted => return Ok("src_all"),
        SourceKind::Saved | _ => {
            return Err(EncodeError::unsupported(
                "the Tap adapter cannot charge a saved card while the customer is away: Tap asks for \
                 a payment agreement then. Make a token of the card (tok_...), with the customer there",
            ));
        }
    }
    let token = source.expose_token().unwrap_or_default();
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    let named = |prefix| {
        token
            .strip_prefix(prefix)
            .is_some_and(|rest| !rest.is_empty())
    };
    let method = if kind == OperationKind::Authorize {
        ["src_card", "src_all"].contains(&token)
    } else {
        named("src_")
    };
    // An authorization's id is no token: as a source it would capture what nobody asked to.
    if (named("tok_") || method) && token.bytes().all(plain) {
        return Ok(token);
    }
    refused("is no token of Tap: give one that starts with tok_, or a payment method (src_...)")
}

/// Every payment needs one, also where nobody will come back.
fn return_url<'a>(tap: &'a Tap, details: &Details<'a>) -> Result<&'a str, EncodeError> {
    let url = details.return_url.or(tap.return_url.as_deref());
    url.ok_or_else(|| {
        let problem = "is missing: Tap asks for one with every payment and capture. Give it with the \
                       intent, or for the whole account with Tap::return_url";
        EncodeError::field("return_url", Problem::other(problem))
    })
}

fn description<'a>(details: &Details<'a>) -> Result<Option<&'a str>, EncodeError> {
    if let Some(text) = details.description {
        bounded("description", text, DESCRIPTION)?;
    }
    Ok(details.description)
}

fn metadata<'a>(call: &Call<'a>, details: &Details<'a>) -> Result<Metadata<'a>, EncodeError> {
    bounded("reference", call.reference, METADATA_VALUE)?;
    for (name, value) in details.metadata {
        bounded("metadata name", name, METADATA_NAME)?;
        if name.starts_with(OWN_PREFIX) {
            let problem = format!("starts with {OWN_PREFIX}, which is for payonce: rename it");
            return Err(EncodeError::field("metadata name", Problem::other(problem)));
        }
        bounded(&format!("metadata {name}"), value, METADATA_VALUE)?;
    }
    Ok(Metadata(call.reference, details.metadata))
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

fn post(path: &str, body: &impl Serialize) -> Result<Request, EncodeError> {
    let body = serde_json::to_vec(body).map_err(|_| unwritable())?;
    Ok(Request::new(Method::POST, path).with_body("application/json", body))
}

fn unwritable() -> EncodeError {
    EncodeError::unsupported("the request cannot be written as JSON")
}

/// Adds the secret: <https://developers.tap.company/reference/testing-keys>.
pub(crate) fn authorize(secret: &SecretString, request: &mut Request) -> Result<(), EncodeError> {
    let problem = |problem| Err(EncodeError::field("secret", problem));
    let secret = secret.expose_secret();
    if secret.is_empty() {
        return problem(Problem::Empty);
    }
    // The public key of a browser is refused with code 2106.
    if !secret.starts_with("sk_") {
        return problem(Problem::other(
            "is no secret key of Tap: give one that starts with sk_",
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
            "holds a space, a line end or another character that no key of Tap has: give it as the \
             dashboard shows it",
        )),
    }
}
