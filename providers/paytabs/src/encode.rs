//! Requests, rendered without secrets: one shape for all kinds.

use http::Method;
use http::header::{AUTHORIZATION, HeaderValue};
use payonce::provider::{Call, Details, EncodeError, Request};
use payonce::{Customer, OperationKind, Problem, SourceKind};
use secrecy::{ExposeSecret, SecretString};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::PayTabs;
use crate::amount::AMOUNT;
use crate::rule::KEY_FORMAT;
use crate::wire;

/// The limits of <https://docs.paytabs.com>, request parameters.
const DESCRIPTION: usize = 128;
const URL: usize = 255;
/// Fields of the merchant's own: nine there are, and the first holds the reference.
const OWN_FIELDS: usize = 8;
/// How long one may be is not documented; this much every text field takes.
const OWN_FIELD: usize = 255;

/// How PayTabs calls a kind: <https://github.com/paytabscom/php-sdk>.
pub(crate) const fn tran_type(kind: OperationKind) -> Option<&'static str> {
    match kind {
        OperationKind::Charge => Some("sale"),
        OperationKind::Authorize => Some("auth"),
        OperationKind::Capture => Some("capture"),
        OperationKind::Refund => Some("refund"),
        OperationKind::Void => Some("void"),
        _ => None,
    }
}

/// The body of `POST /payment/request`. The order of the fields never changes.
#[derive(Serialize)]
struct Body<'a> {
    profile_id: u64,
    tran_type: &'a str,
    tran_class: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tran_ref: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    cart_id: &'a str,
    cart_description: &'a str,
    cart_currency: &'a str,
    cart_amount: &'a RawValue,
    user_defined: Fields,
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_details: Option<Person<'a>>,
    #[serde(rename = "return", skip_serializing_if = "Option::is_none")]
    return_url: Option<&'a str>,
}

/// Our field first, then the merchant's in the order given: `udf1`, `udf2`, ...
struct Fields(Vec<String>);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = (1..).zip(&self.0);
        serializer
            .collect_map(named.map(|(number, text): (usize, _)| (format!("udf{number}"), text)))
    }
}

struct Person<'a>(&'a Customer);

/// PayTabs' name of a field, and ours.
const PERSON: [(&str, &str); 8] = [
    ("name", "name"),
    ("email", "email"),
    ("phone", "phone"),
    ("street1", "street"),
    ("city", "city"),
    ("country", "country"),
    ("zip", "postcode"),
    ("ip", "ip"),
];

impl Serialize for Person<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let given = PERSON.iter();
        serializer.collect_map(given.filter_map(|(name, ours)| Some((name, self.0.get(ours)?))))
    }
}

/// The request of an operation.
pub(crate) fn encode(
    paytabs: &PayTabs,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    let Some(tran_type) = tran_type(call.kind) else {
        return Err(EncodeError::unsupported(format!(
            "the PayTabs adapter cannot {}",
            call.kind
        )));
    };
    let cannot = |_| EncodeError::unsupported("the request cannot be written as JSON");
    let amount = RawValue::from_string(amount(call)?).map_err(cannot)?;
    let pays = matches!(call.kind, OperationKind::Charge | OperationKind::Authorize);
    let (tran_class, tran_ref, token) = if pays {
        pay_with(details)?
    } else {
        ("ecom", Some(parent(call)?), None)
    };
    KEY_FORMAT
        .check(call.key)
        .map_err(|problem| EncodeError::field("key", problem))?;
    let return_url = details.return_url.filter(|_| pays);
    limited("return_url", return_url.unwrap_or_default(), URL)?;
    let body = Body {
        profile_id: paytabs.profile_id,
        tran_type,
        tran_class,
        tran_ref,
        token,
        cart_id: call.key.as_str(),
        cart_description: description(call, details, tran_type)?,
        cart_currency: call.money.currency().code(),
        cart_amount: &amount,
        user_defined: own_fields(call, details.metadata)?,
        customer_details: details.customer.filter(|_| pays).map(Person),
        return_url,
    };
    let body = serde_json::to_string(&body).map_err(cannot)?;
    Ok(post("/payment/request", body))
}

/// A request to PayTabs: every one is a POST, those that only read too.
pub(crate) fn post(path: &str, body: String) -> Request {
    Request::new(Method::POST, path).with_body("application/json", body)
}

/// The amount, never zero: the least that is taken is 0.01.
fn amount(call: &Call<'_>) -> Result<String, EncodeError> {
    if call.money.is_zero() {
        let problem = Problem::other("is zero: give an amount above zero");
        return Err(EncodeError::field("amount", problem));
    }
    Ok(AMOUNT.render(call.money)?)
}

/// The class of a payment, and what pays. Only the page takes `ecom` here: a token with it would
/// make a page that asks for the card's security code.
///
/// A stored card is charged as `recurring`, with the first payment's reference where the merchant
/// gives it:
/// <https://docs.paytabs.com/PT2-API-Endpoints/Token-Based-Transactions/Step-2-Using-Token/Token-Based-Transactions-Recurring>.
fn pay_with<'a>(
    details: &Details<'a>,
) -> Result<(&'static str, Option<&'a str>, Option<&'a str>), EncodeError> {
    let refused = |field, problem: &str| Err(EncodeError::field(field, Problem::other(problem)));
    let Some(source) = details.source else {
        return refused("source", "is missing: give a token of PayTabs, or its page");
    };
    match source.kind() {
        SourceKind::Hosted => return Ok(("ecom", None, None)),
        SourceKind::Token | SourceKind::Saved => {}
        _ => {
            return Err(EncodeError::unsupported(
                "the PayTabs adapter takes tokens, saved cards and the page",
            ));
        }
    }
    let first = source.customer();
    if first.is_some_and(|id| !wire::is_id(id)) {
        return refused(
            "customer",
            "is no reference of PayTabs: give the tran_ref of the card's first payment, or none",
        );
    }
    match source.expose_token() {
        None | Some("") => Err(EncodeError::field("source", Problem::Empty)),
        Some(token) if wire::is_id(token) => Ok(("recurring", first, Some(token))),
        Some(_) => refused(
            "source",
            "is no token of PayTabs: give at most 64 letters and digits",
        ),
    }
}

/// The transaction that is captured, refunded or voided.
fn parent<'a>(call: &Call<'a>) -> Result<&'a str, EncodeError> {
    match call.parent {
        None | Some("") => Err(EncodeError::field("parent", Problem::Empty)),
        Some(id) if wire::is_id(id) => Ok(id),
        Some(_) => {
            let problem = Problem::other("is no tran_ref of PayTabs: give letters and digits");
            Err(EncodeError::field("parent", problem))
        }
    }
}

/// PayTabs asks for one. Without any, the reference stands there too, or where that is too long, what
/// is done.
fn description<'a>(
    call: &Call<'a>,
    details: &Details<'a>,
    tran_type: &'a str,
) -> Result<&'a str, EncodeError> {
    if let Some(text) = details.description {
        limited("description", text, DESCRIPTION)?;
        return Ok(text);
    }
    let fits = call.reference.chars().nth(DESCRIPTION).is_none();
    Ok(if fits { call.reference } else { tran_type })
}

/// PayTabs has no names for these fields, so the name stands before the value.
fn own_fields(call: &Call<'_>, metadata: &[(String, String)]) -> Result<Fields, EncodeError> {
    if metadata.len() > OWN_FIELDS {
        let problem = Problem::other(format!(
            "has {} fields: PayTabs takes nine, and payonce needs one of them, so give at most \
             {OWN_FIELDS}",
            metadata.len()
        ));
        return Err(EncodeError::field("metadata", problem));
    }
    limited("reference", call.reference, OWN_FIELD)?;
    let mut fields = vec![call.reference.to_owned()];
    for (name, value) in metadata {
        let text = format!("{name}: {value}");
        limited(&format!("metadata {name}"), &text, OWN_FIELD)?;
        fields.push(text);
    }
    Ok(Fields(fields))
}

fn limited(field: &str, text: &str, limit: usize) -> Result<(), EncodeError> {
    if text.chars().nth(limit).is_some() {
        return Err(EncodeError::field(field, Problem::TooLong { limit }));
    }
    Ok(())
}

/// Adds the server key as it is, without any word before it:
/// <https://github.com/paytabscom/php-sdk>.
pub(crate) fn authorize(
    server_key: &SecretString,
    request: &mut Request,
) -> Result<(), EncodeError> {
    let problem = |problem| Err(EncodeError::field("server_key", problem));
    let key = server_key.expose_secret();
    if key.is_empty() {
        return problem(Problem::Empty);
    }
    // A line end from a file, or a space from a form, would only bring a refusal later.
    let plain = key.bytes().all(|b| b.is_ascii_graphic());
    match HeaderValue::from_str(key) {
        Ok(mut value) if plain => {
            value.set_sensitive(true);
            request.headers.insert(AUTHORIZATION, value);
            Ok(())
        }
        Ok(_) | Err(_) => problem(Problem::other(
            "holds a space, a line end or another character that no key has: give it as the \
             dashboard shows it",
        )),
    }
}
