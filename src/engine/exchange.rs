//! What is kept of a reply: the fields that tell what it said, and nothing that could be secret.

use std::time::Duration;

use serde_json::{Map, Value};

use super::policy::date_differs;
use crate::clock::Timestamp;
use crate::intent::holds_card_number;
use crate::ledger::DateSeen;
use crate::provider::Response;

/// The fields that are kept: those by which gateways say what became of a payment. A name that is
/// not here is not kept, so a new field of a gateway cannot bring a secret into the ledger.
const FIELDS: [&str; 20] = [
    "amount",
    "amount_capturable",
    "amount_received",
    "captured",
    "code",
    "created",
    "currency",
    "decline_code",
    "id",
    "livemode",
    "object",
    "param",
    "paymentType",
    "pspReference",
    "reason",
    "refunded",
    "resultCode",
    "status",
    "timestamp",
    "type",
];
/// The objects and lists that are looked into.
const WITHIN: [&str; 6] = [
    "data",
    "error",
    "payment_intent",
    "payments",
    "result",
    "last_payment_error",
];
/// The longest text that is kept, in characters.
const TEXT: usize = 100;
/// The most entries of a list that are kept.
const ENTRIES: usize = 10;

/// What the ledger keeps of a reply's body: some fields of JSON, of anything else its length.
pub(super) fn kept(reply: &Response) -> Option<Vec<u8>> {
    if reply.body.is_empty() {
        return None;
    }
    let kept = match reply.json() {
        Some(body) => within(&body),
        None => Value::from(format!("not JSON, {} bytes", reply.body.len())),
    };
    Some(kept.to_string().into_bytes())
}

fn within(value: &Value) -> Value {
    match value {
        Value::Array(entries) => entries.iter().take(ENTRIES).map(within).collect(),
        Value::Object(fields) => {
            let kept = fields.iter().filter_map(|(name, value)| {
                let kept = if WITHIN.contains(&name.as_str()) {
                    within(value)
                } else if FIELDS.contains(&name.as_str()) {
                    plain(value)?
                } else {
                    return None;
                };
                Some((name.clone(), kept))
            });
            Value::Object(kept.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            plain(value).unwrap_or_default()
        }
    }
}

/// A plain value: a number, a word, an id. Anything else is not kept.
fn plain(value: &Value) -> Option<Value> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '+');
    let fits = match value {
        Value::String(text) => {
            text.len() <= TEXT && text.chars().all(is_word) && !holds_card_number(text)
        }
        Value::Number(number) => !holds_card_number(&number.to_string()),
        Value::Null | Value::Bool(_) => true,
        Value::Array(_) | Value::Object(_) => false,
    };
    fits.then(|| value.clone())
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

#[cfg(test)]
mod tests {
    use http::{HeaderMap, StatusCode};

    use super::*;

    fn kept_of(body: &str) -> String {
        let reply = Response::new(StatusCode::OK, HeaderMap::new(), body.into());
        String::from_utf8(kept(&reply).unwrap()).unwrap()
    }

    #[test]
    fn what_a_reply_said_is_kept() {
        let body = r#"{"id":"pi_1","status":"succeeded","amount":48000,"metadata":{"note":"x"},
            "error":{"type":"card_error","code":"card_declined","message":"Your card ..."}}"#;
        let expected = r#"{"amount":48000,"error":{"code":"card_declined","type":"card_error"},"id":"pi_1","status":"succeeded"}"#;
        assert_eq!(kept_of(body), expected);
        assert_eq!(kept_of("<p>502</p>"), r#""not JSON, 10 bytes""#);
    }

    /// Whatever a gateway or something before it sends back, no secret of ours or of a customer's
    /// gets into the ledger by it.
    #[test]
    fn nothing_secret_is_kept() {
        for body in [
            r#"{"client_secret":"SENTINEL","payment_method":"SENTINEL","token":"SENTINEL"}"#,
            r#"{"next_action":{"redirect_to_url":{"url":"https://x.example/?s=SENTINEL"}}}"#,
            r#"{"payment_method":{"id":"SENTINEL"},"source":{"id":"SENTINEL"}}"#,
            r#"{"error":{"message":"Bearer SENTINEL","code":"Bearer SENTINEL"}}"#,
            r#"{"id":"4111111111111111","amount":4111111111111111}"#,
            r#"{"client_secret":"SENTINEL","stat"#,
            "<p>Authorization: Bearer SENTINEL</p>",
        ] {
            let kept = kept_of(body);
            assert!(
                !kept.contains("SENTINEL") && !kept.contains("4111"),
                "{kept}"
            );
        }
    }

    #[test]
    fn a_long_list_is_cut() {
        let entry = r#"{"id":"pi_1"}"#;
        let list = format!(r#"{{"data":[{}]}}"#, vec![entry; 500].join(","));
        assert_eq!(kept_of(&list).matches("pi_1").count(), ENTRIES);
    }
}
