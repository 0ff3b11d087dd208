//! Going on after the customer came back: `POST /payments/details`.
//! <https://docs.adyen.com/api-explorer/Checkout/latest/post/payments/details>

use payonce::Problem;
use payonce::provider::{
    Call, EncodeError, Proceed, ProceedInput, Proceeding, Request, Response, StepRule, Verdict,
};
use serde_json::{Map, Value, json};

use crate::classify::{Step, classify};
use crate::{Adyen, encode, rule};

/// What the customer may bring back, and its most characters. Codes that a customer was sent, and what
/// other schemes use, are not among them.
const DETAILS: [(&str, usize); 8] = [
    ("redirectResult", 20_000),
    ("payload", 20_000),
    ("returnUrlQueryString", 20_000),
    ("threeDSResult", 50_000),
    ("threeds2.challengeResult", 50_000),
    ("threeds2.fingerprint", 100_000),
    ("MD", 20_000),
    ("PaRes", 20_000),
];

/// What stands beside them.
const PAYMENT_DATA: &str = "paymentData";
/// No page states a limit; it is not longer than what it comes with.
const PAYMENT_DATA_MOST: usize = 100_000;

impl Proceed for Adyen {
    fn proceed_rule(&self) -> StepRule {
        rule::step()
    }

    fn proceed_request(
        &self,
        _: &Call<'_>,
        proceeding: &Proceeding<'_>,
        input: &ProceedInput,
    ) -> Result<Request, EncodeError> {
        let mut details = Map::new();
        let mut payment_data = None;
        for (name, value) in input.fields() {
            let known = DETAILS.iter().find(|(known, _)| *known == name);
            let most = match known {
                Some((_, most)) => *most,
                None if name == PAYMENT_DATA => PAYMENT_DATA_MOST,
                None => {
                    let known = DETAILS.map(|(name, _)| name).join(", ");
                    return Err(EncodeError::field(
                        "input",
                        Problem::other(format!(
                            "has a field that Adyen's details do not: give {known} or paymentData"
                        )),
                    ));
                }
            };
            limited(name, value, most)?;
            if known.is_none() {
                payment_data = Some(value);
            } else {
                details.insert(name.to_owned(), value.into());
            }
        }
        if details.is_empty() {
            let problem = "is missing: give what came back with the customer (redirectResult, or \
                           what Adyen's front-end code gave)";
            return Err(EncodeError::field("input", Problem::other(problem)));
        }
        let mut body = json!({ "details": Value::Object(details) });
        if let (Some(data), Some(body)) = (payment_data, body.as_object_mut()) {
            body.insert(PAYMENT_DATA.to_owned(), data.into());
        }
        encode::post("/payments/details", proceeding.key, &body)
    }

    fn proceed_reply(
        &self,
        call: &Call<'_>,
        proceeding: &Proceeding<'_>,
        reply: &Response,
    ) -> Verdict {
        classify(call, Step::Details(proceeding.key), reply)
    }
}

fn limited(name: &str, value: &str, limit: usize) -> Result<(), EncodeError> {
    let problem = if value.is_empty() {
        Problem::Empty
    } else if value.chars().nth(limit).is_some() {
        Problem::TooLong { limit }
    } else {
        return Ok(());
    };
    Err(EncodeError::field(name, problem))
}
