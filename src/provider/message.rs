//! Requests and responses as adapters see them, and what every adapter reads from them.

use std::fmt;

use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use serde_json::Value;

use super::{Ruling, Verdict};
use crate::outcome::Doubt;

/// A rendered request: stored with the claim and sent byte for byte each time.
///
/// `Debug` shows neither the body nor header values.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Path and query, starting with `/`; the account's base URL goes before it.
    pub path: String,
    /// Headers. Before [`authorize`](super::Provider::authorize) there is no secret among them.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// A request without headers and body.
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
            headers: HeaderMap::new(),
            body: Vec::new(),
        }
    }

    /// The same request with one more header. A header of the same name is replaced, so that
    /// nothing is ever sent twice.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The same request with a body of a content type.
    #[must_use]
    pub fn with_body(mut self, content_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        self.headers
            .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        self.body = body.into();
        self
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field(
                "headers",
                &self
                    .headers
                    .keys()
                    .map(HeaderName::as_str)
                    .collect::<Vec<_>>(),
            )
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// A gateway's reply, with its body after decompression.
///
/// `Debug` does not show the body.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Vec<u8>,
}

impl Response {
    /// A reply from its parts.
    pub const fn new(status: StatusCode, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self {
            status,
            headers,
            body,
        }
    }

    /// A header's value, if it is there once and is visible ASCII. Names match in any case;
    /// values are trimmed.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next()?;
        if values.next().is_some_and(|other| other != value) {
            return None;
        }
        value.to_str().ok().map(str::trim)
    }

    /// The body as JSON, or nothing if it is not whole and valid.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The host that a redirect names, without path, query and credentials.
    pub fn redirect_host(&self) -> Option<String> {
        let location = self.header("location")?;
        let uri: http::Uri = location.parse().ok()?;
        uri.host().map(str::to_owned)
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status.as_u16())
            .field(
                "content_type",
                &self.header("content-type").unwrap_or_default(),
            )
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// The first guess about a reply: what its status alone allows one to say, which is never a
/// definite answer.
///
/// An adapter starts from this and lets only documented codes say more.
pub fn by_status(reply: &Response) -> Verdict {
    let status = reply.status.as_u16();
    let doubt = match status {
        300..=399 => Doubt::Redirected {
            status,
            host: reply.redirect_host(),
        },
        500..=599 => Doubt::ServerError { status },
        403 if reply.json().is_none() => Doubt::Blocked { status },
        200..=299 if reply.json().is_none() => Doubt::Unreadable {
            status: Some(status),
        },
        _ => Doubt::Undocumented { status, code: None },
    };
    Verdict::new(Ruling::Unknown(doubt))
}

/// The start of a gateway's text, for an error or a log: at most `limit` characters, cut between
/// characters, control characters shown as spaces, and without digits that form a card number.
pub fn excerpt(text: &str, limit: usize) -> String {
    let cut: String = text
        .chars()
        .take(limit)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if crate::intent::holds_card_number(&cut) {
        return "(hidden: it holds what looks like a card number)".to_owned();
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, body: &str) -> Response {
        let status = StatusCode::from_u16(status).unwrap();
        Response::new(status, HeaderMap::new(), body.into())
    }

    #[test]
    fn no_status_alone_is_a_definite_answer() {
        for status in 100..1000 {
            for body in ["", "{}", "<html>"] {
                let verdict = by_status(&reply(status, body));
                assert!(matches!(verdict.ruling, Ruling::Unknown(_)), "{status}");
            }
        }
    }

    #[test]
    fn debug_shows_no_secret_and_no_body() {
        let request = Request::new(Method::POST, "/v1/x?secret=SENTINEL")
            .with_header(
                http::header::AUTHORIZATION,
                HeaderValue::from_static("Bearer SENTINEL"),
            )
            .with_body("text/plain", "SENTINEL");
        let reply = reply(200, "SENTINEL");
        assert!(!format!("{request:?} {reply:?}").contains("SENTINEL"));
    }

    #[test]
    fn a_header_sent_twice_with_two_values_is_no_header() {
        let mut reply = reply(200, "");
        reply
            .headers
            .append("Retry-After", HeaderValue::from_static(" 7 "));
        assert_eq!(reply.header("retry-after"), Some("7"));
        reply
            .headers
            .append("Retry-After", HeaderValue::from_static("9"));
        assert_eq!(reply.header("retry-after"), None);
    }

    #[test]
    fn an_excerpt_is_cut_between_characters_and_hides_cards() {
        assert_eq!(excerpt("قهوة🙂قهوة", 5), "قهوة🙂");
        assert_eq!(excerpt("a\nb", 9), "a b");
        assert!(!excerpt("card 4111 1111 1111 1111", 99).contains("4111"));
    }

    #[test]
    fn a_redirect_names_its_host_only() {
        let mut reply = reply(307, "");
        let location = HeaderValue::from_static("http://u:p@evil.example:81/a?b=c");
        reply.headers.insert("location", location);
        assert_eq!(reply.redirect_host().as_deref(), Some("evil.example"));
    }
}
