//! Form-encoded parameters with brackets, read strictly: what nobody took is unknown.

use std::collections::{BTreeMap, BTreeSet};

use super::error::ApiError;

const MAX_METADATA: usize = 50;
const MAX_METADATA_KEY: usize = 40;
const MAX_METADATA_VALUE: usize = 500;

/// The parameters of one request, taken out one by one.
#[derive(Debug)]
pub(super) struct Form {
    fields: Vec<(String, String)>,
}

impl Form {
    /// Reads a body or a query. A parameter that comes twice is refused: which one would count is
    /// not documented.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ApiError> {
        let fields: Vec<(String, String)> = form_urlencoded::parse(bytes).into_owned().collect();
        let mut seen = BTreeSet::new();
        let again = fields
            .iter()
            .find(|(name, _)| !name.ends_with("[]") && !seen.insert(name.as_str()));
        if let Some((name, _)) = again {
            let message = format!("Parameter {name} was sent more than once.");
            return Err(ApiError::invalid(message).param(name));
        }
        Ok(Self { fields })
    }

    /// Takes a text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        let Some(at) = self.fields.iter().position(|(field, _)| field == name) else {
            return Ok(None);
        };
        let (_, value) = self.fields.remove(at);
        if value.is_empty() {
            let message = format!(
                "You passed an empty string for '{name}'. We assume empty values are an attempt \
                 to unset a field; however '{name}' cannot be unset."
            );
            return Err(ApiError::invalid(message)
                .code("parameter_invalid_empty")
                .param(name));
        }
        Ok(Some(value))
    }

    /// Takes a whole number of at least `least`.
    pub(super) fn integer(&mut self, name: &str, least: i64) -> Result<Option<i64>, ApiError> {
        let Some(value) = self.text(name)? else {
            return Ok(None);
        };
        let digits = value.strip_prefix('-').unwrap_or(&value);
        let number = Some(digits)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
            .and_then(|_| value.parse::<i64>().ok());
        let invalid = |message: String| {
            ApiError::invalid(message)
                .code("parameter_invalid_integer")
                .param(name)
        };
        let number = number.ok_or_else(|| invalid(format!("Invalid integer: {value}")))?;
        if number < least {
            return Err(invalid(format!(
                "This value must be greater than or equal to {least}."
            )));
        }
        Ok(Some(number))
    }

    /// Takes `true` or `false`.
    pub(super) fn boolean(&mut self, name: &str) -> Result<Option<bool>, ApiError> {
        match self.text(name)?.as_deref() {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(ApiError::invalid(format!("Invalid boolean: {other}")).param(name)),
        }
    }

    /// Takes one of these words.
    pub(super) fn word(&mut self, name: &str, words: &[&str]) -> Result<Option<String>, ApiError> {
        let Some(value) = self.text(name)? else {
            return Ok(None);
        };
        if words.contains(&value.as_str()) {
            return Ok(Some(value));
        }
        let allowed = words.join(", ");
        let message = format!("Invalid {name}: must be one of {allowed}");
        Err(ApiError::invalid(message).param(name))
    }

    /// Takes `name[]=..` or `name[0]=..`.
    pub(super) fn list(&mut self, name: &str) -> Vec<String> {
        let is_element = |field: &str| {
            let index = inside(field, name);
            index.is_some_and(|index| index.bytes().all(|digit| digit.is_ascii_digit()))
        };
        let taken = self.fields.extract_if(.., |(field, _)| is_element(field));
        taken.map(|(_, value)| value).collect()
    }

    /// Takes `metadata[..]`; an empty value unsets a field (PI).
    pub(super) fn metadata(&mut self) -> Result<BTreeMap<String, String>, ApiError> {
        self.fields
            .retain(|(field, value)| field != "metadata" || !value.is_empty());
        let taken = self.fields.extract_if(.., |(field, _)| {
            inside(field, "metadata").is_some_and(|key| !key.contains(['[', ']']))
        });
        let metadata: BTreeMap<String, String> = taken
            .map(|(field, value)| {
                (
                    inside(&field, "metadata").unwrap_or_default().to_owned(),
                    value,
                )
            })
            .collect();
        check_metadata(&metadata)?;
        Ok(metadata)
    }

    /// Takes parameters that change nothing here, with everything below them.
    pub(super) fn ignore(&mut self, names: &[&str]) {
        self.fields.retain(|(field, _)| {
            let base = field.split('[').next().unwrap_or_default();
            !names.contains(&base)
        });
    }

    /// Everything must have been taken by now.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        let Some((name, _)) = self.fields.into_iter().next() else {
            return Ok(());
        };
        let message = format!("Received unknown parameter: {name}");
        Err(ApiError::invalid(message)
            .code("parameter_unknown")
            .param(&name))
    }
}

/// A required parameter that is not there.
pub(super) fn missing(name: &str) -> ApiError {
    let message = format!("Missing required param: {name}.");
    ApiError::invalid(message)
        .code("parameter_missing")
        .param(name)
}

/// The text in the brackets of `base[..]`.
fn inside<'a>(field: &'a str, base: &str) -> Option<&'a str> {
    field
        .strip_prefix(base)?
        .strip_prefix('[')?
        .strip_suffix(']')
}

/// The limits of metadata (PI).
fn check_metadata(metadata: &BTreeMap<String, String>) -> Result<(), ApiError> {
    if metadata.len() > MAX_METADATA {
        let message = format!("You can only have {MAX_METADATA} metadata keys.");
        return Err(ApiError::invalid(message).param("metadata"));
    }
    for (key, value) in metadata {
        let (key_length, length) = (key.chars().count(), value.chars().count());
        if key_length == 0 || key_length > MAX_METADATA_KEY {
            let message = format!(
                "Metadata keys must have 1 to {MAX_METADATA_KEY} characters; '{key}' has \
                 {key_length}."
            );
            return Err(ApiError::invalid(message).param("metadata"));
        }
        if length > MAX_METADATA_VALUE {
            let message = format!(
                "Metadata values can have up to {MAX_METADATA_VALUE} characters, but you passed \
                 in a value of length {length} for '{key}'."
            );
            return Err(ApiError::invalid(message).param(&format!("metadata[{key}]")));
        }
    }
    Ok(())
}
