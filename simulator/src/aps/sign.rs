//! Signatures (A1): the fields in the order of their names, between two phrases, SHA-256.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The signature of these fields. Its own field and what is empty are left out.
pub(super) fn of(phrase: &str, fields: &Map<String, Value>) -> String {
    let mut names: Vec<&String> = fields.keys().collect();
    names.sort();
    let mut text = phrase.to_owned();
    for name in names.into_iter().filter(|name| *name != "signature") {
        let value = match fields.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        if !value.is_empty() {
            text.extend([name.as_str(), "=", value.as_str()]);
        }
    }
    text.push_str(phrase);
    let hash = Sha256::digest(text.as_bytes());
    let digits = hash.iter().map(|byte| format!("{byte:02x}"));
    digits.collect::<Vec<_>>().concat()
}

/// Whether the fields are signed with this phrase.
pub(super) fn is_right(phrase: &str, fields: &Map<String, Value>) -> bool {
    let shown = fields.get("signature").and_then(Value::as_str);
    shown.is_some_and(|shown| shown.eq_ignore_ascii_case(&of(phrase, fields)))
}
