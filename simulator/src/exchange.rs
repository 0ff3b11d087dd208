//! What goes in and out of a gateway: plain data, without any connection behind it.

use std::time::SystemTime;

use bytes::Bytes;
use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, Method, StatusCode};
use serde::{Deserialize, Serialize};

/// A request as a gateway sees it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path behind the gateway's mount point, for example `/v1/payment_intents`.
    pub path: String,
    /// What follows the question mark, still encoded.
    pub query: Option<String>,
    /// The headers; a header that was sent twice is there twice.
    pub headers: HeaderMap,
    /// The header lines in the order and spelling of the wire. Empty if the carrier did not see
    /// them: the request log then takes them from `headers`.
    pub lines: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: Bytes,
    /// Whether the gateway only reads for it, whatever its method. It is not known before the body is
    /// there.
    pub reads: bool,
}

impl Request {
    /// A request without headers or body. A query may follow the path.
    pub fn new(method: Method, target: &str) -> Self {
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query.to_owned())),
            None => (target, None),
        };
        Self {
            reads: method == Method::GET,
            method,
            path: path.to_owned(),
            query,
            headers: HeaderMap::new(),
            lines: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// Adds a header; one that HTTP cannot carry is left out.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        append(&mut self.headers, name, value);
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// The header's text. Lines of the same name are joined by a comma, as HTTP reads them.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let mut values = self.headers.get_all(name).iter().map(text);
        let first = values.next()?;
        Some(values.fold(first, |joined, value| joined + ", " + &value))
    }
}

/// A whole reply.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The status code.
    pub status: StatusCode,
    /// The headers. Length and transfer coding are the carrier's business.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Reply {
    /// A reply without headers or body.
    pub fn new(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    /// A reply with a JSON body.
    pub fn json(status: StatusCode, body: &serde_json::Value) -> Self {
        Self::new(status)
            .with_header("content-type", "application/json")
            .with_body(body.to_string())
    }

    /// A reply with a page of HTML.
    pub fn html(status: StatusCode, body: impl Into<Bytes>) -> Self {
        Self::new(status)
            .with_header("content-type", "text/html; charset=utf-8")
            .with_body(body)
    }

    /// Sets a header; one that HTTP cannot carry is left out.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if let (Ok(name), Ok(value)) = (
            HeaderName::try_from(name.to_ascii_lowercase()),
            HeaderValue::try_from(value),
        ) {
            self.headers.insert(name, value);
        }
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Sets the `Date` header, unless the reply brought its own.
    pub(crate) fn dated(self, now: SystemTime) -> Self {
        if self.headers.contains_key("date") {
            return self;
        }
        self.with_header("date", &http_date(now))
    }
}

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Close {
    /// In order: the peer reads an end of file.
    #[default]
    Fin,
    /// At once: the peer gets "connection reset".
    Rst,
}

/// What the client gets to see in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delivery {
    /// The whole reply.
    Reply(Reply),
    /// No answer at all; the connection ends.
    Close(Close),
    /// The headers and the first `keep` bytes of the body; the connection ends.
    Cut {
        /// The reply as it was meant.
        reply: Reply,
        /// The number of bytes of the body that are sent.
        keep: usize,
        /// What the cut looks like on the wire.
        how: CutBody,
    },
}

/// What a body that was cut looks like on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CutBody {
    /// `Content-Length` promises the whole body, the connection ends before.
    #[default]
    ShortOfLength,
    /// Chunked, and the last chunk never comes.
    NoLastChunk,
    /// Chunked and properly ended: only the text shows that something is missing.
    CleanEnd,
}

/// Appends a header to a map; one that HTTP cannot carry is left out.
pub(crate) fn append(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (
        HeaderName::try_from(name.to_ascii_lowercase()),
        HeaderValue::try_from(value),
    ) {
        headers.append(name, value);
    }
}

/// A header value as text; bytes that are not UTF-8 become replacement characters.
pub(crate) fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// The time in the form of the `Date` header. What that form cannot say is moved to its nearest
/// end: `httpdate` panics on it.
pub(crate) fn http_date(at: SystemTime) -> String {
    const LAST: u64 = 253_402_300_799; // 9999-12-31T23:59:59Z
    let seconds = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let shown = std::time::Duration::from_secs(seconds.min(LAST));
    SystemTime::UNIX_EPOCH
        .checked_add(shown)
        .map_or_else(String::new, httpdate::fmt_http_date)
}
