//! JSON bodies, read strictly: a member that nobody took is refused (OAS: `UNKNOWN_BODY_PARAMETER`).

use serde_json::{Map, Value};

use super::error::ApiError;
use crate::exchange::Request;

/// The members of a body, taken out one by one.
#[derive(Debug)]
pub(super) struct Body(Map<String, Value>);

impl Body {
    pub(super) fn parse(request: &Request) -> Result<Self, ApiError> {
        let kind = request.header("content-type").unwrap_or_default();
        let members = serde_json::from_slice(&request.body);
        match members {
            Ok(members) if kind.to_ascii_lowercase().starts_with("application/json") => {
                Ok(Self(members))
            }
            _ => Err(ApiError::invalid(
                "EXPECTED_JSON_BODY",
                "The request body is not a JSON object.",
            )),
        }
    }

    /// Takes a text of at most so many characters. One that is not there is empty.
    pub(super) fn text(&mut self, name: &'static str, limit: usize) -> Result<String, ApiError> {
        let Some(value) = self.take(name) else {
            return Ok(String::new());
        };
        let Value::String(text) = value else {
            return Err(ApiError::field(
                name,
                "EXPECTED_STRING",
                "Expected a string.",
            ));
        };
        if text.is_empty() {
            return Err(ApiError::field(name, "VALUE_EMPTY", "Must not be empty."));
        }
        if text.chars().count() > limit {
            let detail = format!("Must not be greater than {limit} length.");
            return Err(ApiError::field(name, "VALUE_TOO_LONG", detail));
        }
        Ok(text)
    }

    /// Takes a text that must be there.
    pub(super) fn required(
        &mut self,
        name: &'static str,
        limit: usize,
    ) -> Result<String, ApiError> {
        let text = self.text(name, limit)?;
        if text.is_empty() {
            return Err(missing(name));
        }
        Ok(text)
    }

    /// Takes an amount in this currency, above zero.
    pub(super) fn money(&mut self, currency: &str) -> Result<i64, ApiError> {
        let name = "amount_money";
        let money = self.take(name).ok_or_else(|| missing(name))?;
        let amount = money.get("amount").and_then(Value::as_i64);
        let Some(amount) = amount else {
            return Err(ApiError::field(
                name,
                "EXPECTED_INTEGER",
                "Expected an integer.",
            ));
        };
        if amount < 1 {
            return Err(ApiError::field(
                name,
                "VALUE_TOO_LOW",
                "Must be greater than 0.",
            ));
        }
        if money.get("currency").and_then(Value::as_str) != Some(currency) {
            let detail = format!("The currency must be {currency}.");
            return Err(ApiError::field(name, "INVALID_VALUE", detail));
        }
        Ok(amount)
    }

    /// Takes `true` or `false`.
    pub(super) fn flag(&mut self, name: &'static str, default: bool) -> Result<bool, ApiError> {
        let Some(value) = self.take(name) else {
            return Ok(default);
        };
        let wrong = || ApiError::field(name, "EXPECTED_BOOLEAN", "Expected a boolean.");
        value.as_bool().ok_or_else(wrong)
    }

    /// Everything must have been taken by now.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                let detail = format!("{name} is not a recognized parameter.");
                Err(ApiError::invalid("UNKNOWN_BODY_PARAMETER", detail))
            }
        }
    }

    /// Takes a member; null is none.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }
}

fn missing(name: &'static str) -> ApiError {
    ApiError::field(name, "MISSING_REQUIRED_PARAMETER", "Field must be set.")
}
