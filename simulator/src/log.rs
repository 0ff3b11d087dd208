//! The log of requests.

use std::time::SystemTime;

use bytes::Bytes;
use serde::{Serialize, Serializer};

use crate::exchange::{self, Request};

/// A request as it came in, and what became of it.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct LoggedRequest {
    /// Its number, from 1.
    pub number: u64,
    /// The gateway's name.
    pub gateway: String,
    /// The method.
    pub method: String,
    /// Whether the gateway only reads for it, whatever its method.
    #[serde(skip)]
    pub reads: bool,
    /// The path behind the gateway's mount point.
    pub path: String,
    /// What follows the question mark.
    pub query: Option<String>,
    /// The header lines in the order and spelling of the wire. One that was sent twice is there
    /// twice.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte (JSON: as text). Empty if it was not read.
    #[serde(serialize_with = "as_text")]
    pub body: Bytes,
    /// The idempotency key, from where this gateway reads it.
    pub key: Option<String>,
    /// When it arrived, by the simulator's clock.
    #[serde(rename = "at_ms", with = "crate::clock::unix_ms")]
    pub at: SystemTime,
    /// The name of the fault that hit it.
    pub fault: Option<String>,
    /// The status that was answered; none while there is no answer, and if there was none.
    pub status: Option<u16>,
}

impl LoggedRequest {
    pub(crate) fn of(
        number: u64,
        gateway: &str,
        request: &Request,
        key: Option<String>,
        at: SystemTime,
    ) -> Self {
        let headers = if request.lines.is_empty() {
            let lines = request.headers.iter();
            lines
                .map(|(name, value)| (name.to_string(), exchange::text(value)))
                .collect()
        } else {
            request.lines.clone()
        };
        Self {
            number,
            gateway: gateway.to_owned(),
            method: request.method.to_string(),
            reads: request.reads,
            path: request.path.clone(),
            query: request.query.clone(),
            headers,
            body: request.body.clone(),
            key,
            at,
            fault: None,
            status: None,
        }
    }

    /// The values of all header lines with this name, whatever its spelling.
    pub fn header_values(&self, name: &str) -> Vec<&str> {
        let lines = self
            .headers
            .iter()
            .filter(|(line, _)| line.eq_ignore_ascii_case(name));
        lines.map(|(_, value)| value.as_str()).collect()
    }

    /// The first value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.header_values(name).into_iter().next()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body's form fields, decoded, in order.
    pub fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(&self.body).into_owned().collect()
    }

    /// The value of a form field in the body.
    pub fn form_value(&self, name: &str) -> Option<String> {
        self.form()
            .into_iter()
            .find(|(field, _)| field == name)
            .map(|(_, value)| value)
    }
}

fn as_text<S: Serializer>(body: &Bytes, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&String::from_utf8_lossy(body))
}
