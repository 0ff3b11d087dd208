//! What is kept of a reply: a limited part of its body, without secrets and card numbers.

use std::time::Duration;

use serde_json::Value;

use super::policy::date_differs;
use crate::clock::Timestamp;
use crate::intent::holds_card_number;
use crate::ledger::DateSeen;
use crate::provider::{Response, excerpt};

/// The most characters of a JSON body that are kept.
const KEPT: usize = 16 * 1024;
/// The most characters of a body that is not JSON.
const KEPT_TEXT: usize = 2_000;
const HIDDEN: &str = "(hidden)";

/// What the ledger keeps of a reply's body.
pub(super) fn kept(reply: &Response) -> Option<Vec<u8>> {
    if reply.body.is_empty() {
        return None;
    }
    let Some(mut body) = reply.json() else {
        let text = String::from_utf8_lossy(&reply.body);
        return Some(excerpt(&text, KEPT_TEXT).into_bytes());
    };
    hide(&mut body);
    Some(
        body.to_string()
            .chars()
            .take(KEPT)
            .collect::<String>()
            .into_bytes(),
    )
}

/// What a reply's `Date` says about our clock. Where keys live for ever it says nothing.
pub(super) fn date(reply: &Response, now: Timestamp, margin: Option<Duration>) -> DateSeen {
    let differs = margin.zip(reply.header("date"));
    match differs.and_then(|(margin, date)| date_differs(date, now, margin)) {
        None => DateSeen::None,
        Some(true) => DateSeen::Differs,
        Some(false) => DateSeen::Agrees,
    }
}

/// Hides what is secret by its name, and what looks like a card number.
fn hide(value: &mut Value) {
    match value {
        Value::String(text) if holds_card_number(text) => *value = Value::from(HIDDEN),
        Value::Number(number) if holds_card_number(&number.to_string()) => {
            *value = Value::from(HIDDEN);
        }
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::Object(fields) => {
            for (name, field) in fields {
                if is_secret(name) && !field.is_null() {
                    *field = Value::from(HIDDEN);
                } else {
                    hide(field);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["secret", "token", "cvc", "cvv", "password"]
        .iter()
        .any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, StatusCode};

    use super::*;

    fn kept_of(body: &str) -> String {
        let reply = Response::new(StatusCode::OK, HeaderMap::new(), body.into());
        String::from_utf8(kept(&reply).unwrap()).unwrap()
    }

    #[test]
    fn secrets_and_card_numbers_are_not_kept() {
        let kept = kept_of(
            r#"{"id":"pi_1","client_secret":"SENTINEL","card":{"number":"4111111111111111"},
                "list":[{"Token":"SENTINEL"},4111111111111111]}"#,
        );
        assert!(kept.contains("pi_1"));
        assert!(
            !kept.contains("SENTINEL") && !kept.contains("4111"),
            "{kept}"
        );
        assert!(!kept_of("<p>card 4111 1111 1111 1111</p>").contains("4111"));
    }

    #[test]
    fn a_long_body_is_cut_between_characters() {
        let long = format!(r#"{{"text":"{}"}}"#, "قهوة".repeat(10_000));
        assert_eq!(kept_of(&long).chars().count(), KEPT);
        assert!(kept_of(&"طلب".repeat(10_000)).chars().count() <= KEPT_TEXT);
    }
}
