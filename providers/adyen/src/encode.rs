//! Requests, rendered without secrets: one function per shape.

use http::Method;
use http::header::{HeaderName, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, IdempotencyKey, Request};
use payonce::{OperationKind, Problem};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::amount::AMOUNT;
use crate::rule::{self, KEY_HEADER, REFERENCE_NAME};
use crate::{source, wire};

/// The version stands in the path, so a stored request keeps it.
const VERSION: &str = "/v72";

/// <https://docs.adyen.com/api-explorer/Checkout/latest/post/payments>
const METADATA_FIELDS: usize = 20;
const METADATA_NAME: usize = 20;
const METADATA_VALUE: usize = 80;
const RETURN_URL: usize = 1024;
/// How the names of our own fields start, and how many there are at most.
const OWN_PREFIX: &str = "payonce_";
const OWN_FIELDS: usize = 2;
const DESCRIPTION_NAME: &str = "payonce_description";

/// Whether the operation makes a payment, and is no change of one.
pub(crate) const fn pays(kind: OperationKind) -> bool {
    matches!(kind, OperationKind::Charge | OperationKind::Authorize)
}

/// The request of an operation.
pub(crate) fn encode(
    merchant_account: &str,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    if merchant_account.is_empty() {
        return Err(EncodeError::field("merchant_account", Problem::Empty));
    }
    let (path, body) = match call.kind {
        OperationKind::Charge | OperationKind::Authorize => {
            let body = payment(merchant_account, call, details)?;
            ("/payments".to_owned(), body)
        }
        OperationKind::Capture => change(merchant_account, call, details, "captures")?,
        OperationKind::Refund => change(merchant_account, call, details, "refunds")?,
        OperationKind::Void => change(merchant_account, call, details, "cancels")?,
        kind => {
            return Err(EncodeError::unsupported(format!(
                "the Adyen adapter cannot {kind}"
            )));
        }
    };
    post(&path, call.key, &body)
}

/// A request of JSON under a key. The fields of a `Value` are sorted, so the bytes are always the same.
pub(crate) fn post(
    path: &str,
    key: &IdempotencyKey,
    body: &impl Serialize,
) -> Result<Request, EncodeError> {
    let refused = |problem| EncodeError::field("key", problem);
    let format = rule::step().key_format.value;
    format.check(key).map_err(refused)?;
    let header = HeaderValue::from_str(key.as_str())
        .map_err(|_| refused(Problem::other("cannot stand in a header")))?;
    let body = serde_json::to_vec(body)
        .map_err(|_| EncodeError::unsupported("the request cannot be written as JSON"))?;
    Ok(Request::new(Method::POST, format!("{VERSION}{path}"))
        .with_header(HeaderName::from_static(KEY_HEADER), header)
        .with_body("application/json", body))
}

fn amount(call: &Call<'_>) -> Result<Value, EncodeError> {
    let units = AMOUNT.units(call.money)?;
    if units < 1 {
        // Zero would be a check of the card, and no payment.
        let problem = Problem::other("is zero: give an amount above zero");
        return Err(EncodeError::field("amount", problem));
    }
    Ok(json!({ "currency": call.money.currency().code(), "value": units }))
}

/// `POST /payments`. Whether the money is taken at once is always said: without that the account's
/// setting would decide. <https://docs.adyen.com/online-payments/capture>
fn payment(
    merchant_account: &str,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Value, EncodeError> {
    let paying = source::of(details)?;
    let mut body = json!({
        "amount": amount(call)?,
        "merchantAccount": merchant_account,
        "reference": call.key.as_str(),
        "paymentMethod": paying.method,
        "returnUrl": return_url(details.return_url)?,
        "shopperInteraction": paying.interaction,
        "metadata": metadata(call, details)?,
    });
    let mut set = |name: &str, value: Value| {
        if let (Some(body), false) = (body.as_object_mut(), value.is_null()) {
            body.insert(name.to_owned(), value);
        }
    };
    set("recurringProcessingModel", paying.model.into());
    set("shopperReference", paying.shopper.into());
    if call.kind == OperationKind::Authorize {
        set("additionalData", json!({ "manualCapture": "true" }));
    } else {
        set("captureDelayHours", 0.into());
    }
    for (name, field, limit) in [
        ("shopperEmail", "email", 256),
        ("telephoneNumber", "phone", 64),
        ("shopperIP", "ip", 50),
        ("countryCode", "country", 2),
    ] {
        let value = details.customer.and_then(|customer| customer.get(field));
        if let Some(value) = value {
            limited(&format!("customer {field}"), value, limit)?;
        }
        set(name, value.into());
    }
    Ok(body)
}

fn return_url(url: Option<&str>) -> Result<&str, EncodeError> {
    let Some(url) = url else {
        let problem = "is missing: Adyen asks for one with every payment, also with a saved card";
        return Err(EncodeError::field("return_url", Problem::other(problem)));
    };
    limited("return_url", url, RETURN_URL)?;
    Ok(url)
}

/// Our fields, and the merchant's. Adyen gives them back in its notifications.
fn metadata(call: &Call<'_>, details: &Details<'_>) -> Result<Value, EncodeError> {
    let most = METADATA_FIELDS.saturating_sub(OWN_FIELDS);
    if details.metadata.len() > most {
        let problem = Problem::other(format!(
            "has {} fields: Adyen takes {METADATA_FIELDS}, and payonce needs {OWN_FIELDS} of them, so \
             give at most {most}",
            details.metadata.len()
        ));
        return Err(EncodeError::field("metadata", problem));
    }
    let mut fields = Map::new();
    limited("reference", call.reference, METADATA_VALUE)?;
    fields.insert(REFERENCE_NAME.to_owned(), call.reference.into());
    if let Some(text) = details.description {
        limited("description", text, METADATA_VALUE)?;
        fields.insert(DESCRIPTION_NAME.to_owned(), text.into());
    }
    for (name, value) in details.metadata {
        limited("metadata name", name, METADATA_NAME)?;
        if name.starts_with(OWN_PREFIX) {
            let problem = Problem::other("starts with payonce_, which is for payonce: rename it");
            return Err(EncodeError::field("metadata name", problem));
        }
        limited(&format!("metadata {name}"), value, METADATA_VALUE)?;
        fields.insert(name.clone(), value.as_str().into());
    }
    Ok(Value::Object(fields))
}

/// `POST /payments/{id}/captures`, `refunds` or `cancels`, with the amount where there is one. A cancel
/// is of a payment that was not captured; one that was, it leaves as it is. Which one it was is told by
/// a notification. <https://docs.adyen.com/online-payments/cancel>
fn change(
    merchant_account: &str,
    call: &Call<'_>,
    details: &Details<'_>,
    what: &str,
) -> Result<(String, Value), EncodeError> {
    let refused = |problem| Err(EncodeError::field("parent", problem));
    if details.description.is_some() || !details.metadata.is_empty() {
        return Err(EncodeError::unsupported(format!(
            "Adyen takes no description and no metadata with a {}: leave them out",
            call.kind
        )));
    }
    let id = match call.parent {
        None | Some("") => return refused(Problem::Empty),
        Some(id) if wire::is_id(id) => id,
        // It stands in the path, so it may not hold anything that ends or leaves it.
        Some(_) => {
            let problem = "is no pspReference of Adyen: give letters and digits";
            return refused(Problem::other(problem));
        }
    };
    // Checked for a void too: what it is about must be an amount that Adyen can have.
    let amount = amount(call)?;
    let mut body = json!({ "merchantAccount": merchant_account, "reference": call.key.as_str() });
    if let (Some(body), true) = (body.as_object_mut(), call.kind != OperationKind::Void) {
        body.insert("amount".to_owned(), amount);
    }
    Ok((format!("/payments/{id}/{what}"), body))
}

fn limited(field: &str, value: &str, limit: usize) -> Result<(), EncodeError> {
    if value.chars().nth(limit).is_some() {
        return Err(EncodeError::field(field, Problem::TooLong { limit }));
    }
    Ok(())
}

/// Adds the API key: <https://docs.adyen.com/development-resources/api-credentials>.
pub(crate) fn authorize(api_key: &SecretString, request: &mut Request) -> Result<(), EncodeError> {
    let refused = |problem| Err(EncodeError::field("api_key", problem));
    let key = api_key.expose_secret();
    if key.is_empty() {
        return refused(Problem::Empty);
    }
    // A line end from a file, or a space from a form, would only bring a refusal later.
    let plain = key.bytes().all(|b| b.is_ascii_graphic());
    match HeaderValue::from_str(key) {
        Ok(mut value) if plain => {
            value.set_sensitive(true);
            request.headers.insert("x-api-key", value);
            Ok(())
        }
        Ok(_) | Err(_) => refused(Problem::other(
            "holds a space, a line end or another character that no API key has: give it as the \
             Customer Area shows it",
        )),
    }
}
