//! What pays: <https://docs.adyen.com/api-explorer/Checkout/latest/post/payments#request-paymentMethod>.

use payonce::provider::{Details, EncodeError};
use payonce::{Problem, SourceKind};
use serde_json::{Map, Value, json};

use crate::wire;

/// What Adyen's front-end code may give. A security code is not among it, encrypted or not, nor is
/// anything that may hold one.
const FIELDS: [&str; 13] = [
    "type",
    "brand",
    "holderName",
    "encryptedCardNumber",
    "encryptedExpiryMonth",
    "encryptedExpiryYear",
    "threeDS2SdkVersion",
    "applePayToken",
    "googlePayToken",
    "googlePayCardNetwork",
    "issuer",
    "checkoutAttemptId",
    "sdkData",
];

/// What pays, and what Adyen is told about the customer's part in it.
pub(crate) struct Paying<'a> {
    pub(crate) method: Value,
    pub(crate) interaction: &'static str,
    pub(crate) model: Option<&'static str>,
    pub(crate) shopper: Option<&'a str>,
}

pub(crate) fn of<'a>(details: &Details<'a>) -> Result<Paying<'a>, EncodeError> {
    let refused = |field, problem| Err(EncodeError::field(field, Problem::other(problem)));
    let Some(source) = details.source else {
        return refused("source", "is missing: give a token or a saved one");
    };
    let token = source.expose_token().unwrap_or_default();
    match source.kind() {
        SourceKind::Token if source.customer().is_some() => {
            refused("customer", "is for a saved one only: leave it out")
        }
        SourceKind::Token => Ok(Paying {
            method: from_the_front_end(token)?,
            interaction: "Ecommerce",
            model: None,
            shopper: None,
        }),
        SourceKind::Saved => {
            let shopper = source.customer().unwrap_or_default();
            // No limit below three, and none above 256.
            if !(3..=256).contains(&shopper.chars().count()) {
                return refused(
                    "customer",
                    "must be the shopperReference of the saved one, of 3 to 256 characters",
                );
            }
            if !wire::is_id(token) {
                return refused(
                    "source",
                    "is no id of a saved one: give the storedPaymentMethodId, of letters and digits",
                );
            }
            Ok(Paying {
                method: json!({ "type": "scheme", "storedPaymentMethodId": token }),
                // The customer is away, and no day was agreed on.
                interaction: "ContAuth",
                model: Some("UnscheduledCardOnFile"),
                shopper: Some(shopper),
            })
        }
        SourceKind::Hosted | _ => Err(EncodeError::unsupported(
            "the Adyen adapter has no hosted pages: give a token or a saved one",
        )),
    }
}

/// The `paymentMethod` that the front-end code gives, as JSON. Nothing of it is repeated in an error.
fn from_the_front_end(text: &str) -> Result<Value, EncodeError> {
    let refused = |problem| Err(EncodeError::field("source", Problem::other(problem)));
    let Some(method) = serde_json::from_str(text).ok().and_then(object) else {
        return refused("is no paymentMethod of Adyen's front-end code: give it as JSON");
    };
    if method.contains_key("encryptedSecurityCode") || method.contains_key("cvc") {
        return Err(EncodeError::field("source", Problem::SecurityCode));
    }
    if method.keys().any(|name| !FIELDS.contains(&name.as_str())) {
        return refused(
            "has a field that is not taken: give what the front-end code encrypted, and no card \
             data in clear",
        );
    }
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    if !method.contains_key("type") || !method.values().all(is_text) {
        return refused("has no type, or a field that is no text: give it as Adyen made it");
    }
    Ok(Value::Object(method))
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}
