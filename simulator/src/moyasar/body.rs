//! JSON bodies, read strictly: what nobody took is unknown. What Moyasar does with unknown or
//! half-wrong members is not documented; here a client hears of them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::error::{ApiError, Errors};
use crate::exchange::Request;

const MAX_METADATA: usize = 30;
const MAX_METADATA_KEY: usize = 40;
const MAX_METADATA_VALUE: usize = 500;

/// The members of one object, taken out one by one. What is wrong is collected.
#[derive(Debug)]
pub(super) struct Body {
    /// What stands before the names in errors: empty, or for example `source.`.
    prefix: String,
    members: Map<String, Value>,
    errors: Errors,
}

impl Body {
    /// Reads a body. No body is an empty object: the calls that take none need none.
    pub(super) fn parse(request: &Request) -> Result<Self, ApiError> {
        let members = if request.body.is_empty() {
            Map::new()
        } else {
            let kind = request.header("content-type").unwrap_or_default();
            if !kind.to_ascii_lowercase().starts_with("application/json") {
                let message = "The simulator reads JSON: send Content-Type: application/json.";
                return Err(ApiError::invalid(message));
            }
            let parsed: Result<Map<String, Value>, _> = serde_json::from_slice(&request.body);
            parsed.map_err(|_| ApiError::invalid("The body is not a JSON object."))?
        };
        Ok(Self::of(String::new(), members))
    }

    fn of(prefix: String, members: Map<String, Value>) -> Self {
        Self {
            prefix,
            members,
            errors: Errors::new(),
        }
    }

    /// Notes that something is wrong with a member.
    pub(super) fn wrong(&mut self, name: &str, why: impl Into<String>) {
        let name = format!("{}{name}", self.prefix);
        self.errors.entry(name).or_default().push(why.into());
    }

    /// Takes a text that is not empty.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let value = self.take(name)?;
        let text = value.as_str().filter(|text| !text.is_empty());
        if text.is_none() {
            self.wrong(name, "must be a text that is not empty");
        }
        text.map(str::to_owned)
    }

    /// Takes a text that must be there.
    pub(super) fn required(&mut self, name: &str) -> Option<String> {
        if self.is_missing(name) {
            self.wrong(name, "can't be blank");
        }
        self.text(name)
    }

    /// Takes a whole number of at least `least`: `1.0` and `"1"` are none.
    pub(super) fn integer(&mut self, name: &str, least: i64) -> Option<i64> {
        let value = self.take(name)?;
        let Some(number) = value.as_i64() else {
            self.wrong(name, "must be a whole number");
            return None;
        };
        if number < least {
            self.wrong(name, format!("must be greater than or equal to {least}"));
            return None;
        }
        Some(number)
    }

    /// Takes `true` or `false`.
    pub(super) fn boolean(&mut self, name: &str) -> Option<bool> {
        let value = self.take(name)?;
        if value.as_bool().is_none() {
            self.wrong(name, "must be true or false");
        }
        value.as_bool()
    }

    /// Takes an object; [`Body::absorb`] gives its errors back.
    pub(super) fn object(&mut self, name: &str) -> Option<Self> {
        let Value::Object(members) = self.take(name)? else {
            self.wrong(name, "must be an object");
            return None;
        };
        Some(Self::of(format!("{}{name}.", self.prefix), members))
    }

    /// Takes over what is wrong with an object inside, unknown members included.
    pub(super) fn absorb(&mut self, mut inner: Self) {
        inner.refuse_unknown();
        self.errors.append(&mut inner.errors);
    }

    /// Takes `metadata`: texts, within the documented limits.
    pub(super) fn metadata(&mut self) -> BTreeMap<String, String> {
        let Some(inner) = self.object("metadata") else {
            return BTreeMap::new();
        };
        if inner.members.len() > MAX_METADATA {
            self.wrong("metadata", format!("has more than {MAX_METADATA} keys"));
        }
        let mut metadata = BTreeMap::new();
        for (key, value) in inner.members {
            let name = format!("metadata.{key}");
            if key.chars().count() > MAX_METADATA_KEY {
                self.wrong(
                    &name,
                    format!("is a key of more than {MAX_METADATA_KEY} characters"),
                );
            }
            let text = value.as_str();
            if let Some(text) = text.filter(|text| text.chars().count() <= MAX_METADATA_VALUE) {
                metadata.insert(key, text.to_owned());
            } else {
                let why = format!("must be a text of at most {MAX_METADATA_VALUE} characters");
                self.wrong(&name, why);
            }
        }
        metadata
    }

    /// Takes members that change nothing here.
    pub(super) fn ignore(&mut self, names: &[&str]) {
        for name in names {
            self.members.remove(*name);
        }
    }

    /// Everything must have been taken by now, and nothing may be wrong.
    pub(super) fn finish(mut self) -> Result<(), ApiError> {
        self.refuse_unknown();
        if self.errors.is_empty() {
            Ok(())
        } else {
            Err(ApiError::validation(self.errors))
        }
    }

    fn refuse_unknown(&mut self) {
        for (name, _) in std::mem::take(&mut self.members) {
            self.wrong(&name, "is not a known parameter");
        }
    }

    pub(super) fn is_missing(&self, name: &str) -> bool {
        self.members.get(name).is_none_or(Value::is_null)
    }

    /// Takes a member; null is none.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.members.remove(name).filter(|value| !value.is_null())
    }
}
