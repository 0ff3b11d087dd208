//! Replies: every parameter of the request comes back, with a code, signed (A1). The status is 200.

use http::StatusCode;
use serde_json::{Map, Value};

use super::body::Wish;
use super::{Aps, sign};
use crate::exchange::{Reply, Request};
use crate::fault::{RateLimit, Refusal, ServerError, status_of};

/// The texts of the messages (A1).
const TEXTS: [(&str, &str); 22] = [
    ("000", "Success"),
    ("001", "Missing parameter"),
    ("002", "Invalid parameter format"),
    ("004", "Invalid command"),
    ("005", "Invalid amount"),
    ("007", "Duplicate order number"),
    ("008", "Signature mismatch"),
    ("010", "Invalid access code"),
    ("012", "Card expired"),
    ("013", "Invalid currency"),
    ("027", "Invalid extra parameters"),
    ("029", "Insufficient funds"),
    ("032", "Invalid parameter length"),
    ("034", "Operation not allowed"),
    ("036", "Order not found"),
    ("042", "Operation amount exceeds the authorized amount"),
    ("044", "Token name does not exist"),
    ("047", "Order already processed"),
    ("048", "Operation amount exceeds captured amount"),
    ("066", "Merchant reference already exists"),
    ("666", "Transaction declined"),
    (
        "784",
        "Transaction still processing you can't make another transaction",
    ),
];

/// The text of a code.
pub(super) fn text_of(code: &str) -> &'static str {
    let message = code.get(2..).unwrap_or_default();
    let known = TEXTS.iter().find(|(known, _)| *known == message);
    known.map_or("-", |(_, text)| text)
}

impl Aps {
    /// The fields of a request with a code, and what else there is to say.
    pub(super) fn answer(
        &self,
        mut fields: Map<String, Value>,
        code: &str,
        more: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Reply {
        fields.remove("signature");
        let own = [
            ("response_code", code.to_owned()),
            ("response_message", text_of(code).to_owned()),
            ("status", code.get(..2).unwrap_or_default().to_owned()),
        ];
        for (name, value) in own.into_iter().chain(more) {
            fields.insert(name.to_owned(), value.into());
        }
        Reply::json(
            StatusCode::OK,
            &signed(&self.config.response_phrase, fields),
        )
    }

    /// A refusal without execution, in this gateway's words.
    pub(super) fn refusal(&self, request: &Request, refusal: &Refusal) -> Reply {
        let fields: Map<String, Value> = serde_json::from_slice(&request.body).unwrap_or_default();
        let wish = Wish::of(&fields);
        match refusal {
            Refusal::KeyInUse => {
                let failed = wish.map_or("00", |wish| wish.statuses().1);
                self.answer(fields, &format!("{failed}784"), [])
            }
            Refusal::KeyReused => {
                let pays = matches!(wish, Some(Wish::Purchase | Wish::Authorization));
                let message = if pays {
                    self.config.duplicate.message()
                } else {
                    "047"
                };
                self.answer(fields, &format!("00{message}"), [])
            }
            Refusal::Unauthorized => self.answer(fields, "00008", []),
            // No page says what too many requests are answered, so it is a machine in front.
            Refusal::RateLimited { kind, retry_after } => {
                let reply = limited(*kind);
                match retry_after {
                    Some(text) => reply.with_header("retry-after", text),
                    None => reply,
                }
            }
            Refusal::ServerError(error) => server_error(error),
        }
    }
}

/// The fields with their signature.
pub(super) fn signed(phrase: &str, mut fields: Map<String, Value>) -> Value {
    let signature = sign::of(phrase, &fields);
    fields.insert("signature".to_owned(), signature.into());
    Value::Object(fields)
}

fn limited(_: RateLimit) -> Reply {
    Reply::html(
        StatusCode::TOO_MANY_REQUESTS,
        "<html><body><h1>429 Too Many Requests</h1></body></html>",
    )
}

/// A server error. No page shows one, so it is a machine's in front.
pub(super) fn server_error(error: &ServerError) -> Reply {
    let page = "<html><body><h1>The service is unavailable</h1></body></html>";
    let reply = Reply::html(status_of(error.status), page);
    match &error.retry_after {
        Some(text) => reply.with_header("retry-after", text),
        None => reply,
    }
}
