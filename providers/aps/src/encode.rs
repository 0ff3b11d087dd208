//! Requests, rendered without keys and signature: JSON objects for the one address.
//!
//! The gateway refuses parameters that it does not know, so nothing is sent on the chance that it
//! might be taken. <https://docs.payfort.com/docs/api/build/index.html>

use http::Method;
use payonce::provider::{Call, Details, EncodeError, KeyFormat, Request};
use payonce::{OperationKind, Problem, SourceKind};
use serde_json::{Map, Value};

use crate::Aps;
use crate::amount::AMOUNT;
use crate::codes::{names, pays};
use crate::rule::{KEY_FORMAT, ORDER_KEY, REFERENCE_FIELD, REFUND_KEY};
use crate::wire;

/// Every request goes here; a field of the body says what it is.
const PATH: &str = "/FortAPI/paymentApi";
const JSON: &str = "application/json";

/// A text that the gateway takes: letters, digits and these, so many at most.
struct Text {
    field: &'static str,
    limit: usize,
    others: &'static str,
}

const DESCRIPTION: Text = Text {
    field: "description",
    limit: 150,
    others: "'/._-#:$ ",
};
const EMAIL: Text = Text {
    field: "customer email",
    limit: 254,
    others: "_-.@+",
};
const REFERENCE: Text = Text {
    field: "reference",
    limit: 999,
    others: ".;/_-,'@",
};
const EXTRA: Text = Text {
    field: "metadata",
    limit: 250,
    others: ".;/_-,'@",
};
const EXTRA_FIELDS: [&str; 5] = [
    "merchant_extra1",
    "merchant_extra2",
    "merchant_extra3",
    "merchant_extra4",
    "merchant_extra5",
];
const RETURN_URL: Text = Text {
    field: "return_url",
    limit: 400,
    others: "$!=?#&-_/:.",
};
const TOKEN: Text = Text {
    field: "source",
    limit: 100,
    others: ".@-_",
};
/// No page shows its form, so it is that of the other names.
const AGREEMENT: Text = Text {
    field: "customer",
    limit: 100,
    others: ".@-_",
};

impl Text {
    /// Which letters of other scripts pass is not documented, so none do.
    fn check<'t>(&self, text: &'t str) -> Result<&'t str, EncodeError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || self.others.contains(c);
        let problem = if text.is_empty() {
            Problem::Empty
        } else if text.chars().nth(self.limit).is_some() {
            Problem::TooLong { limit: self.limit }
        } else if text.chars().all(fits) {
            return Ok(text);
        } else {
            let others = self.others.replace(' ', "");
            let space = if self.others.contains(' ') {
                ", spaces"
            } else {
                ""
            };
            Problem::other(format!(
                "may hold ASCII letters, digits{space} and {others} only, as this gateway takes it"
            ))
        };
        Err(EncodeError::field(self.field, problem))
    }
}

/// The body of a request. The order of its fields never changes.
struct Body(Map<String, Value>);

impl Body {
    fn new(aps: &Aps, named: (&str, &str)) -> Result<Self, EncodeError> {
        // 20 at most.
        let own = KeyFormat::new(20, KEY_FORMAT.alphabet);
        let merchant = aps.merchant_identifier.as_str();
        own.check(&payonce::IdempotencyKey::new(merchant))
            .map_err(|problem| EncodeError::field("merchant_identifier", problem))?;
        let mut body = Self(Map::new());
        body.put(named.0, named.1);
        body.put("merchant_identifier", merchant);
        body.put("language", "en");
        Ok(body)
    }

    fn put(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn request(&self) -> Result<Request, EncodeError> {
        let body = serde_json::to_vec(&self.0)
            .map_err(|_| EncodeError::unsupported("the request cannot be written as JSON"))?;
        Ok(Request::new(Method::POST, PATH).with_body(JSON, body))
    }
}

/// The request of an operation.
pub(crate) fn encode(
    aps: &Aps,
    call: &Call<'_>,
    details: &Details<'_>,
) -> Result<Request, EncodeError> {
    let Some((command, ..)) = names(call.kind) else {
        return Err(EncodeError::unsupported(format!(
            "the APS adapter cannot {}: it can charge, authorize, capture, refund and void",
            call.kind
        )));
    };
    let mut body = Body::new(aps, ("command", command))?;
    let amount = AMOUNT.render(call.money)?;
    if call.money.is_zero() {
        // No page says what it would mean.
        let problem = Problem::other("is zero: give an amount above zero");
        return Err(EncodeError::field("amount", problem));
    }
    // A void is asked for with the amount that was authorized, and refused with any other:
    // <https://paymentservices.amazon.com/docs/managing-payments/voiding-payment>.
    body.put("amount", &amount);
    body.put("currency", call.money.currency().code());
    if pays(call.kind) {
        payment(&mut body, call, details)?;
    } else {
        follow_up(&mut body, call)?;
    }
    if let Some(text) = details.description {
        body.put("order_description", DESCRIPTION.check(text)?);
    }
    metadata(&mut body, call.kind, details.metadata)?;
    body.request()
}

fn key(call: &Call<'_>) -> Result<String, EncodeError> {
    let checked = KEY_FORMAT.check(call.key);
    checked.map_err(|problem| EncodeError::field("key", problem))?;
    Ok(call.key.as_str().to_owned())
}

fn payment(body: &mut Body, call: &Call<'_>, details: &Details<'_>) -> Result<(), EncodeError> {
    body.put(ORDER_KEY, &key(call)?);
    body.put(REFERENCE_FIELD, REFERENCE.check(call.reference)?);
    paying(body, call.kind, details)?;
    let customer = |field| details.customer.and_then(|customer| customer.get(field));
    let Some(email) = customer("email") else {
        let problem = Problem::other("is missing: this gateway asks for it with every payment");
        return Err(EncodeError::field(EMAIL.field, problem));
    };
    body.put("customer_email", EMAIL.check(email)?);
    if let Some(ip) = customer("ip") {
        body.put("customer_ip", ip);
    }
    if let Some(url) = details.return_url {
        body.put("return_url", RETURN_URL.check(url)?);
    }
    Ok(())
}

/// The merchant's own fields, each as `name;value` in one of the gateway's five. What is done to an
/// order takes none.
fn metadata(
    body: &mut Body,
    kind: OperationKind,
    fields: &[(String, String)],
) -> Result<(), EncodeError> {
    if !fields.is_empty() && !pays(kind) {
        let problem = Problem::other(format!("is not taken by a {kind} here: leave it out"));
        return Err(EncodeError::field(EXTRA.field, problem));
    }
    if fields.len() > EXTRA_FIELDS.len() {
        let (given, most) = (fields.len(), EXTRA_FIELDS.len());
        let problem = Problem::other(format!("has {given} fields: this gateway takes {most}"));
        return Err(EncodeError::field(EXTRA.field, problem));
    }
    for (field, (name, value)) in EXTRA_FIELDS.iter().zip(fields) {
        if name.contains(';') {
            let problem = Problem::other("holds a semicolon, which ends it here: rename it");
            return Err(EncodeError::field("metadata name", problem));
        }
        body.put(field, EXTRA.check(&format!("{name};{value}"))?);
    }
    Ok(())
}

/// The token that the gateway keeps for a card. `eci` says whether the customer is there, and so may
/// be sent to the bank's page.
fn paying(body: &mut Body, kind: OperationKind, details: &Details<'_>) -> Result<(), EncodeError> {
    let Some(source) = details.source else {
        let problem = Problem::other("is missing: give a token_name of this gateway");
        return Err(EncodeError::field(TOKEN.field, problem));
    };
    match source.kind() {
        SourceKind::Token => body.put("eci", "ECOMMERCE"),
        // Documented for purchases only.
        SourceKind::Saved if kind != OperationKind::Charge => {
            return Err(EncodeError::unsupported(
                "this gateway cannot authorize a saved card while the customer is away: charge it, \
                 or authorize a token with the customer there",
            ));
        }
        SourceKind::Saved => body.put("eci", "RECURRING"),
        // The hosted page is a form that the browser posts, with a signature in it: there is no
        // address that could be handed out.
        SourceKind::Hosted | _ => {
            return Err(EncodeError::unsupported(
                "the APS adapter has no hosted pages: give a token_name",
            ));
        }
    }
    // What the customer agreed to: newer accounts ask for its id with a saved card.
    if let Some(agreement) = source.customer() {
        body.put("agreement_id", AGREEMENT.check(agreement)?);
    }
    let token = source.expose_token().unwrap_or_default();
    body.put("token_name", TOKEN.check(token)?);
    Ok(())
}

/// What is done to an order, which its `fort_id` names by itself. A refund has a reference of its
/// own.
fn follow_up(body: &mut Body, call: &Call<'_>) -> Result<(), EncodeError> {
    let Some(order) = call.parent.filter(|id| wire::is_id(id)) else {
        let problem = Problem::other("is no payment of this gateway: give its fort_id");
        return Err(EncodeError::field("payment", problem));
    };
    body.put("fort_id", order);
    if call.kind == OperationKind::Refund {
        body.put(REFUND_KEY, &key(call)?);
    }
    Ok(())
}

/// The query of what has one reference, which only reads:
/// <https://paymentservices.amazon.com/docs/api/managing-payments/check-status>.
pub(crate) fn check_status(aps: &Aps, name: &str, value: &str) -> Option<Request> {
    let mut body = Body::new(aps, ("query_command", "CHECK_STATUS")).ok()?;
    body.put(name, value);
    body.request().ok()
}
