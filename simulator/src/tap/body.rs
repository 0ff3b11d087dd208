//! JSON bodies, read strictly: a field that nobody took is refused. What Tap does with fields that it
//! does not know is not documented; here a client hears of them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::amount;
use super::error::ApiError;
use crate::exchange::Request;

/// The limits of CODE are for what must be shorter than they are.
const REFERENCE: usize = 100;
const METADATA_NAME: usize = 250;
const METADATA_VALUE: usize = 1000;
const DESCRIPTION: usize = 1000;

/// The fields of one object, taken out one by one.
#[derive(Debug)]
pub(super) struct Body {
    /// What stands before the names in errors: empty, or for example `source.`.
    prefix: String,
    fields: Map<String, Value>,
}

pub(super) type Read<T> = Result<T, ApiError>;

impl Body {
    /// Reads a body. No body is an empty object.
    pub(super) fn parse(request: &Request) -> Read<Self> {
        let fields = if request.body.is_empty() {
            Map::new()
        } else {
            let kind = request.header("content-type").unwrap_or_default();
            let is_json = kind.to_ascii_lowercase().starts_with("application/json");
            let fields = serde_json::from_slice(&request.body).ok();
            fields
                .filter(|_| is_json)
                .ok_or_else(|| ApiError::bad("2100", "Invalid JSON request"))?
        };
        let prefix = String::new();
        Ok(Self { prefix, fields })
    }

    /// Takes a field; null is none.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    /// Takes a text that is not empty.
    pub(super) fn text(&mut self, name: &str) -> Read<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
            Some(_) => Err(self.wrong(name)),
        }
    }

    /// Takes a text that must be there; `missing` is the error if it is not.
    pub(super) fn required(&mut self, name: &str, missing: (&'static str, &str)) -> Read<String> {
        let (code, text) = missing;
        self.text(name)?.ok_or_else(|| ApiError::bad(code, text))
    }

    /// Takes `true` or `false`.
    pub(super) fn flag(&mut self, name: &str) -> Read<Option<bool>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(self.wrong(name)),
        }
    }

    /// Takes a whole number.
    pub(super) fn whole(&mut self, name: &str) -> Read<Option<i64>> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => value.as_i64().map(Some).ok_or_else(|| self.wrong(name)),
        }
    }

    /// Takes an object. [`Body::finish`] it too.
    pub(super) fn object(&mut self, name: &str) -> Read<Option<Self>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Self {
                prefix: format!("{}{name}.", self.prefix),
                fields,
            })),
            Some(_) => Err(self.wrong(name)),
        }
    }

    /// Takes an amount and its currency.
    pub(super) fn money(&mut self) -> Read<(i64, String)> {
        let code = self.required("currency", ("1118", "Currency code is invalid"))?;
        if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Err(ApiError::bad("1118", "Currency code is invalid"));
        }
        let amount = self.take("amount").unwrap_or_default();
        let amount = amount::read(&amount, &code);
        let amount = amount.ok_or_else(|| ApiError::bad("1117", "Amount is invalid"))?;
        Ok((amount, code))
    }

    /// Takes `metadata`: texts within the documented limits.
    pub(super) fn metadata(&mut self) -> Read<BTreeMap<String, String>> {
        let Some(inner) = self.object("metadata")? else {
            return Ok(BTreeMap::new());
        };
        let mut metadata = BTreeMap::new();
        for (name, value) in inner.fields {
            if name.chars().count() >= METADATA_NAME {
                let text = "The metadata key length should be less than 250 characters";
                return Err(ApiError::bad("1127", text));
            }
            let Value::String(value) = value else {
                return Err(ApiError::bad(
                    "1103",
                    format!("metadata.{name} must be a text"),
                ));
            };
            if value.chars().count() >= METADATA_VALUE {
                let text = "Metadata value length should be less than 1000 characters";
                return Err(ApiError::bad("1128", text));
            }
            metadata.insert(name, value);
        }
        Ok(metadata)
    }

    /// Takes `description`.
    pub(super) fn description(&mut self) -> Read<Option<String>> {
        let text = self.text("description")?;
        if text
            .as_ref()
            .is_some_and(|text| text.chars().count() >= DESCRIPTION)
        {
            let text = "The 'description' should be less than 1000 characters";
            return Err(ApiError::bad("1121", text));
        }
        Ok(text)
    }

    /// Takes `reference`: the key, and the texts that are given back. These are `names`.
    pub(super) fn reference(
        &mut self,
        names: &[(&str, &'static str)],
    ) -> Read<(Option<String>, BTreeMap<String, String>)> {
        let Some(mut inner) = self.object("reference")? else {
            return Ok((None, BTreeMap::new()));
        };
        let key = inner.text("idempotent")?;
        let mut given = BTreeMap::new();
        for (name, code) in names {
            let Some(text) = inner.text(name)? else {
                continue;
            };
            if text.chars().count() >= REFERENCE {
                let why = format!("{name} reference length should be less than 100 characters");
                return Err(ApiError::bad(code, why));
            }
            given.insert((*name).to_owned(), text);
        }
        inner.finish()?;
        Ok((key, given))
    }

    /// Takes fields that change nothing here.
    pub(super) fn ignore(&mut self, names: &[&str]) {
        for name in names {
            self.fields.remove(*name);
        }
    }

    /// Everything must have been taken by now.
    pub(super) fn finish(self) -> Read<()> {
        match self.fields.keys().next() {
            None => Ok(()),
            Some(name) => Err(self.wrong(name)),
        }
    }

    fn wrong(&self, name: &str) -> ApiError {
        let why = format!("Required inputs are invalid: {}{name}", self.prefix);
        ApiError::bad("1103", why)
    }
}
