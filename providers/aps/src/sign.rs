//! Signatures: all fields in order, between two phrases, hashed.
//!
//! <https://docs.payfort.com/docs/api/build/index.html#signature>. Requests are signed with one
//! phrase, replies with another. Every reply comes with status 200, so the signature is what tells
//! the gateway's word from that of anything in between.

use std::fmt::Write as _;

use payonce::Problem;
use payonce::provider::{EncodeError, Request};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256, Sha512};

const ACCESS_CODE: &str = "access_code";
const SIGNATURE: &str = "signature";

/// What an account signs with, as its back office shows it under security settings. All of it may be
/// replaced at any time: nothing of it is stored.
///
/// `Debug` shows none of it.
#[derive(Debug, Clone)]
pub struct Keys {
    access_code: SecretString,
    request_phrase: SecretString,
    response_phrase: SecretString,
    hash: Hash,
}

#[derive(Debug, Clone, Copy)]
enum Hash {
    Sha256,
    Sha512,
}

impl Keys {
    /// The access code and the two phrases of an account that signs by SHA-256.
    pub fn new(
        access_code: impl Into<SecretString>,
        request_phrase: impl Into<SecretString>,
        response_phrase: impl Into<SecretString>,
    ) -> Self {
        Self {
            access_code: access_code.into(),
            request_phrase: request_phrase.into(),
            response_phrase: response_phrase.into(),
            hash: Hash::Sha256,
        }
    }

    /// The same for an account that signs by SHA-512.
    #[must_use]
    pub const fn sha512(mut self) -> Self {
        self.hash = Hash::Sha512;
        self
    }

    /// Whether the gateway signed these fields for this account.
    pub(crate) fn signed(&self, fields: &Map<String, Value>) -> bool {
        let shown = fields.get(SIGNATURE).and_then(Value::as_str);
        let own = self.signature(&self.response_phrase, fields);
        // The pages show it in small and in capital letters.
        shown
            .zip(own)
            .is_some_and(|(shown, own)| shown.eq_ignore_ascii_case(&own))
    }

    /// `None`: there is a value of which no page says how it is written.
    fn signature(&self, phrase: &SecretString, fields: &Map<String, Value>) -> Option<String> {
        let mut named: Vec<(&str, String)> = Vec::new();
        for (name, value) in fields {
            match value {
                // What is empty is left out.
                Value::Null => {}
                Value::String(text) if text.is_empty() => {}
                Value::String(text) => named.push((name, text.clone())),
                Value::Number(number) if number.is_i64() || number.is_u64() => {
                    named.push((name, number.to_string()));
                }
                Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    return None;
                }
            }
        }
        named.retain(|(name, _)| *name != SIGNATURE);
        named.sort_unstable();
        let phrase = phrase.expose_secret();
        let mut text = phrase.to_owned();
        for (name, value) in &named {
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        }
        text.push_str(phrase);
        Some(match self.hash {
            Hash::Sha256 => hex(&Sha256::digest(text.as_bytes())),
            Hash::Sha512 => hex(&Sha512::digest(text.as_bytes())),
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a text cannot fail.
        let _done: Result<(), std::fmt::Error> = write!(text, "{byte:02x}");
        text
    })
}

/// Adds the access code and the signature to the stored body.
pub(crate) fn authorize(keys: &Keys, request: &mut Request) -> Result<(), EncodeError> {
    for (field, secret) in [
        ("access_code", &keys.access_code),
        ("request_phrase", &keys.request_phrase),
        // Without it anybody could sign a reply.
        ("response_phrase", &keys.response_phrase),
    ] {
        if let Some(problem) = unusable(secret.expose_secret()) {
            return Err(EncodeError::field(field, problem));
        }
    }
    let unreadable = || EncodeError::unsupported("the stored request is none of this gateway");
    // A client tries its keys on a request without a body, which is never sent.
    let mut fields: Map<String, Value> = if request.body.is_empty() {
        Map::new()
    } else {
        serde_json::from_slice(&request.body).map_err(|_| unreadable())?
    };
    let access_code = keys.access_code.expose_secret();
    fields.insert(ACCESS_CODE.to_owned(), access_code.into());
    let signature = keys.signature(&keys.request_phrase, &fields);
    let signature = signature.ok_or_else(unreadable)?;
    fields.insert(SIGNATURE.to_owned(), signature.into());
    request.body = serde_json::to_vec(&fields).map_err(|_| unreadable())?;
    Ok(())
}

/// A line end from a file, or a space around it from a form, would only bring a refusal later. Which
/// characters a phrase may have is not documented, so others pass.
fn unusable(secret: &str) -> Option<Problem> {
    if secret.is_empty() {
        return Some(Problem::Empty);
    }
    let strange = secret.trim() != secret || secret.chars().any(char::is_control);
    strange.then(|| {
        Problem::other(
            "holds a line end, or a space at an end: give it as the back office shows it",
        )
    })
}

#[cfg(test)]
mod tests;
