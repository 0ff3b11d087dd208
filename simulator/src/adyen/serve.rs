//! The layers that a request goes through: API key, idempotency, validation, execution.

use http::{Method, StatusCode};
use serde_json::{Map, Value};

use super::change::ChangeKind;
use super::error::{ApiError, server_error};
use super::{Adyen, Cause, keys};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

type Fields = Map<String, Value>;

impl Adyen {
    pub(super) fn serve(&mut self, request: &Request, steer: Option<&Steer>) -> Reply {
        let api_key = request.header("x-api-key").unwrap_or_default();
        if !self.config.accepts(&api_key) {
            return ApiError::unauthorized().reply();
        }
        if request.method != Method::POST {
            return ApiError::no_such_path(&request.path).reply();
        }
        let key = keys::key_of(request).filter(|_| self.config.protects);
        let Some(key) = key else {
            return self.execute(request, Cause { key: None, steer }).0;
        };
        if !keys::fits(&key) {
            return ApiError::invalid("702", "The idempotency key is too long").reply();
        }
        if let Some(kept) = self.keys.find(&key, self.now, self.config.key_life) {
            return kept;
        }
        let cause = Cause {
            key: Some(&key),
            steer,
        };
        let (reply, done) = self.execute(request, cause);
        if done {
            self.keys.keep(&key, &reply, self.now);
        }
        reply
    }

    /// The answer, and whether it is kept: what was executed is. Whether a wrong request is, no page
    /// says; it would be wrong again.
    fn execute(&mut self, request: &Request, cause: Cause<'_>) -> (Reply, bool) {
        let named = |reply| keys::echo(reply, cause.key);
        if let Some(Steer::StoredError { when, error }) = cause.steer {
            if *when == When::After {
                // What it did stays done; what it answered is lost behind the error.
                drop(self.run(request, cause));
            }
            return (named(server_error(error)), true);
        }
        match self.run(request, cause) {
            Ok((status, body)) => (named(Reply::json(status, &body)), true),
            Err(error) if error.names_key() => (named(error.reply()), false),
            Err(error) => (error.reply(), false),
        }
    }

    fn run(
        &mut self,
        request: &Request,
        cause: Cause<'_>,
    ) -> Result<(StatusCode, Value), ApiError> {
        let path = request.path.trim_start_matches('/');
        let (version, path) = path.split_once('/').unwrap_or_default();
        let missing = || ApiError::no_such_path(&request.path);
        if !matches!(version, "v71" | "v72") {
            return Err(missing());
        }
        let segments: Vec<&str> = path.split('/').collect();
        let fields = fields(&request.body)?;
        match segments.as_slice() {
            ["payments"] => Ok((StatusCode::OK, self.create(&fields, cause)?)),
            ["payments", "details"] => Ok((StatusCode::OK, self.finish(&fields, cause)?)),
            ["payments", id, what] => {
                let kind = ChangeKind::parse(what).ok_or_else(missing)?;
                Ok((StatusCode::CREATED, self.change(id, kind, &fields, cause)?))
            }
            _ => Err(missing()),
        }
    }

    /// The merchant account that a request names. Another one than the company's is refused.
    pub(super) fn account(&self, fields: &Fields) -> Result<String, ApiError> {
        let account = text(fields, "merchantAccount", 100)?;
        let account = account.ok_or_else(ApiError::no_account)?;
        if self.config.has(&account) {
            Ok(account)
        } else {
            Err(ApiError::no_account())
        }
    }
}

fn fields(body: &[u8]) -> Result<Fields, ApiError> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|problem| ApiError::unreadable(format!("Unexpected input: {problem}")))?;
    match value {
        Value::Object(fields) => Ok(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(ApiError::unreadable("Unexpected input: expected an object"))
        }
    }
}

/// One more member of an object that is shown.
pub(super) fn add(shown: &mut Value, name: &str, value: Value) {
    if let Some(members) = shown.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

/// The description is closed: a field that it does not name is refused (OAS).
pub(super) fn only(fields: &Fields, known: &[&str]) -> Result<(), ApiError> {
    match fields.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(ApiError::unreadable(format!(
            "Structure of the request contains the following unknown fields: [{name}]"
        ))),
        None => Ok(()),
    }
}

/// A text of at most so many characters.
pub(super) fn text(fields: &Fields, name: &str, most: usize) -> Result<Option<String>, ApiError> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::String(text)) if text.chars().count() <= most => Ok(Some(text.clone())),
        Some(Value::String(_)) => {
            let message = format!("{name} has more than {most} characters");
            Err(ApiError::invalid("702", message))
        }
        Some(_) => Err(ApiError::unreadable(format!("{name} must be a text"))),
    }
}

/// An amount in Adyen's minor units (CUR), and its currency in capital letters.
pub(super) fn amount(fields: &Fields) -> Result<(i64, String), ApiError> {
    let amount = fields.get("amount").and_then(Value::as_object);
    let amount = amount.ok_or_else(|| ApiError::invalid("137", "Invalid amount specified"))?;
    only(amount, &["currency", "value"])?;
    let currency = text(amount, "currency", 3)?.unwrap_or_default();
    let capitals = currency.len() == 3 && currency.bytes().all(|b| b.is_ascii_uppercase());
    match amount.get("value").and_then(Value::as_i64) {
        Some(value) if value > 0 && capitals => Ok((value, currency)),
        _ => Err(ApiError::invalid("137", "Invalid amount specified")),
    }
}
