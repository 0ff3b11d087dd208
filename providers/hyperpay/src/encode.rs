//! Requests, rendered without secrets: one function per shape.

use form_urlencoded::Serializer;
use http::Method;
use http::header::{AUTHORIZATION, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, Request};
use payonce::{OperationKind, Problem, SourceKind};
use secrecy::{ExposeSecret, SecretString};

use crate::HyperPay;
use crate::amount::AMOUNT;
use crate::rule::{KEY_FIELD, KEY_FORMAT, REFERENCE_FIELD};
use crate::wire;

const FORM: &str = "application/x-www-form-urlencoded";

/// Custom parameters: names of at most 64 letters, digits, dots and underlines [memory]. The platform
/// reads some of them as settings (`3DS2_enrolled`), so the merchant's own get a prefix.
const OWN_PREFIX: &str = "merchant_";
const NAME: usize = 64;
/// Values may be longer [memory]; this much is what every text field takes.
const VALUE: usize = 255;

/// How the platform calls a kind: <https://hyperpay.docs.oppwa.com/reference/parameters>.
pub(crate) const fn payment_type(kind: OperationKind) -> Option<&'static str> {
    match kind {
        OperationKind::Charge => Some("DB"),
        OperationKind::Authorize => Some("PA"),
        OperationKind::Capture => Some("CP"),
        OperationKind::Refund => Some("RF"),
        OperationKind::Void => Some("RV"),
        _ => None,
    }
}

/// The request of an operation. The order of the fields never changes.
pub(crate) fn encode(
    hyperpay: &HyperPay,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    let Some(payment_type) = payment_type(call.kind) else {
        return Err(EncodeError::unsupported(format!(
            "the HyperPay adapter cannot {}",
            call.kind
        )));
    };
    let mut form = Serializer::new(String::new());
    form.append_pair("entityId", entity(hyperpay)?);
    // Checked for a void too: a reply can only be compared with an amount that can be read.
    let amount = AMOUNT.render(call.money)?;
    if call.kind != OperationKind::Void {
        form.append_pair("amount", &amount);
        form.append_pair("currency", call.money.currency().code());
    }
    form.append_pair("paymentType", payment_type);
    KEY_FORMAT
        .check(call.key)
        .map_err(|problem| EncodeError::field("key", problem))?;
    form.append_pair(KEY_FIELD, call.key.as_str());
    let path = match call.kind {
        OperationKind::Charge | OperationKind::Authorize => pay_with(&mut form, details)?,
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void | _ => parent(call)?,
    };
    custom(&mut form, call, details)?;
    Ok(Request::new(Method::POST, path).with_body(FORM, form.finish()))
}

fn entity(hyperpay: &HyperPay) -> Result<&str, EncodeError> {
    let entity = hyperpay.entity_id.as_str();
    if wire::is_id(entity) {
        return Ok(entity);
    }
    let problem = Problem::other("is no entity id of HyperPay: give it as the console shows it");
    Err(EncodeError::field("entity_id", problem))
}

/// A payment with what the platform keeps under a registration:
/// <https://developer.peachpayments.com/docs/oppwa-integrations-copyandpay-registration-tokens> (the same
/// platform). The path of the request.
fn pay_with(
    form: &mut Serializer<'_, String>,
    details: &Details<'_>,
) -> Result<String, EncodeError> {
    let source = |problem| EncodeError::field("source", problem);
    let Some(given) = details.source else {
        let missing = "is missing: give the id of a registration of HyperPay";
        return Err(source(Problem::other(missing)));
    };
    match given.kind() {
        // Whether it is the first payment of the registration or a later one is not known here,
        // so nothing is said of it: the customer is present, as is the platform's default.
        SourceKind::Token => {}
        // The customer is away:
        // <https://wordpresshyperpay.docs.oppwa.com/tutorials/manage-payments/recurring>.
        SourceKind::Saved => {
            form.append_pair("standingInstruction.mode", "REPEATED");
            form.append_pair("standingInstruction.type", "UNSCHEDULED");
            form.append_pair("standingInstruction.source", "MIT");
        }
        SourceKind::Hosted | _ => {
            return Err(EncodeError::unsupported(
                "the HyperPay adapter has no hosted pages yet: give the id of a registration",
            ));
        }
    }
    if given.customer().is_some() {
        let problem = Problem::other("is not known to HyperPay: leave it out");
        return Err(EncodeError::field("customer", problem));
    }
    if let Some(url) = details.return_url {
        form.append_pair("shopperResultUrl", url);
    }
    match given.expose_token() {
        None | Some("") => Err(source(Problem::Empty)),
        Some(id) if wire::is_id(id) => Ok(format!("/v1/registrations/{id}/payments")),
        // It stands in the path, so it may not hold anything that ends or leaves it.
        Some(_) => Err(source(Problem::other(
            "is no registration id of HyperPay: give letters and digits only",
        ))),
    }
}

/// The path of what is done to an earlier payment:
/// <https://aci.docs.oppwa.com/tutorials/manage-payments/backoffice>.
fn parent(call: &Call<'_>) -> Result<String, EncodeError> {
    match call.parent {
        None | Some("") => Err(EncodeError::field("parent", Problem::Empty)),
        Some(id) if wire::is_id(id) => Ok(format!("/v1/payments/{id}")),
        Some(_) => {
            let problem = Problem::other("is no payment id of HyperPay: give letters and digits");
            Err(EncodeError::field("parent", problem))
        }
    }
}

/// What the platform only stores: our fields first, then the merchant's in the order given.
fn custom(
    form: &mut Serializer<'_, String>,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<(), EncodeError> {
    limited("reference", call.reference)?;
    form.append_pair(REFERENCE_FIELD, call.reference);
    if let Some(text) = details.description {
        limited("description", text)?;
        form.append_pair("customParameters[payonce_description]", text);
    }
    for (name, value) in details.metadata {
        if let Some(problem) = name_problem(name) {
            return Err(EncodeError::field("metadata name", problem));
        }
        limited(&format!("metadata {name}"), value)?;
        form.append_pair(&format!("customParameters[{OWN_PREFIX}{name}]"), value);
    }
    Ok(())
}

fn name_problem(name: &str) -> Option<Problem> {
    let limit = NAME.saturating_sub(OWN_PREFIX.len());
    if name.is_empty() {
        return Some(Problem::Empty);
    }
    if name.chars().nth(limit).is_some() {
        return Some(Problem::TooLong { limit });
    }
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    let strange = Problem::other("may hold letters, digits, dots and underlines only: rename it");
    (!name.bytes().all(fits)).then_some(strange)
}

fn limited(field: &str, value: &str) -> Result<(), EncodeError> {
    if value.chars().nth(VALUE).is_some() {
        let problem = Problem::TooLong { limit: VALUE };
        return Err(EncodeError::field(field, problem));
    }
    Ok(())
}

/// A request that only reads. `None`: the entity cannot be named.
pub(crate) fn get(hyperpay: &HyperPay, path: &str, pairs: &[(&str, &str)]) -> Option<Request> {
    let entity = entity(hyperpay).ok()?;
    let query = Serializer::new(String::new())
        .append_pair("entityId", entity)
        .extend_pairs(pairs)
        .finish();
    Some(Request::new(Method::GET, format!("{path}?{query}")))
}

/// Adds the token as it is: <https://hyperpay.docs.oppwa.com/reference/parameters>.
pub(crate) fn authorize(token: &SecretString, request: &mut Request) -> Result<(), EncodeError> {
    let problem = |problem| Err(EncodeError::field("token", problem));
    let token = token.expose_secret();
    if token.is_empty() {
        return problem(Problem::Empty);
    }
    // A line end from a file, or a space from a form, would only bring a refusal later.
    let plain = token.bytes().all(|b| b.is_ascii_graphic());
    match HeaderValue::from_str(&format!("Bearer {token}")) {
        Ok(mut value) if plain => {
            value.set_sensitive(true);
            request.headers.insert(AUTHORIZATION, value);
            Ok(())
        }
        Ok(_) | Err(_) => problem(Problem::other(
            "holds a space, a line end or another character that no token has: give it as the \
             console shows it",
        )),
    }
}
