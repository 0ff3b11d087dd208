//! What stands where in a request.

use http::header::CONTENT_TYPE;

use super::json;
use crate::provider::Request;

/// A part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Path,
    Query,
    Header,
    Body,
}

/// One named text in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) part: Part,
    /// Its name, with dots between the levels: `metadata.key`, also where the wire has
    /// `metadata[key]`.
    pub(super) name: String,
    pub(super) value: String,
}

impl Field {
    /// Where it stands, in words.
    pub(super) fn place(&self) -> String {
        match self.part {
            Part::Path => "the path".to_owned(),
            Part::Query => format!("the query field {}", self.name),
            Part::Header => format!("the header {}", self.name),
            Part::Body if self.name.is_empty() => "the body".to_owned(),
            Part::Body => format!("the body field {}", self.name),
        }
    }
}

/// Everything that a request says.
pub(super) fn of(request: &Request) -> Vec<Field> {
    let (path, query) = request
        .path
        .split_once('?')
        .map_or((request.path.as_str(), ""), |(path, query)| (path, query));
    let mut fields = vec![Field {
        part: Part::Path,
        name: String::new(),
        value: decoded(path, false),
    }];
    fields.extend(pairs(Part::Query, query));
    fields.extend(request.headers.iter().map(|(name, value)| Field {
        part: Part::Header,
        name: name.as_str().to_owned(),
        value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
    }));
    fields.extend(body(request));
    fields
}

/// A name as fields have it.
pub(super) fn normal(name: &str) -> String {
    name.replace("][", ".").replace('[', ".").replace(']', "")
}

/// All bytes of a request in one row: the path, each header, the body.
pub(super) fn raw(request: &Request) -> Vec<u8> {
    let mut bytes = request.path.clone().into_bytes();
    for (name, value) in &request.headers {
        bytes.push(b'\n');
        bytes.extend(name.as_str().bytes());
        bytes.push(b':');
        bytes.extend(value.as_bytes());
    }
    bytes.push(b'\n');
    bytes.extend(&request.body);
    bytes
}

/// Whether `text` stands in `bytes`.
pub(super) fn holds(bytes: &[u8], text: &str) -> bool {
    !text.is_empty() && String::from_utf8_lossy(bytes).contains(text)
}

fn body(request: &Request) -> Vec<Field> {
    if request.body.is_empty() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&request.body);
    let kind = request.headers.get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/x-www-form-urlencoded") {
        return pairs(Part::Body, &text);
    }
    let leaves = json::leaves(&text).unwrap_or_else(|| vec![(String::new(), text.into_owned())]);
    let field = |(name, value): (String, String)| Field {
        part: Part::Body,
        name: normal(&name),
        value,
    };
    leaves.into_iter().map(field).collect()
}

fn pairs(part: Part, text: &str) -> Vec<Field> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let field = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Field {
            part,
            name: normal(&decoded(name, true)),
            value: decoded(value, true),
        }
    };
    pairs.map(field).collect()
}

/// A text without percent signs. `form`: a plus is a space.
fn decoded(text: &str, form: bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let pair = (byte == b'%')
            .then(|| Some((digit(ahead.next()?)?, digit(ahead.next()?)?)))
            .flatten();
        match pair {
            Some((high, low)) => {
                bytes.push(high.wrapping_shl(4) | low);
                rest = ahead;
            }
            None if form && byte == b'+' => bytes.push(b' '),
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;

    #[test]
    fn a_request_is_read_as_a_gateway_reads_it() {
        let request = Request::new(Method::POST, "/a%2Fb?q=1%2B1").with_body(
            "application/x-www-form-urlencoded",
            "m%5Bk%5D=x+%26%20y&p=%zz",
        );
        let found: Vec<(String, String)> = of(&request)
            .into_iter()
            .filter(|field| field.part != Part::Header)
            .map(|field| (field.place(), field.value))
            .collect();
        let expected = [
            ("the path", "/a/b"),
            ("the query field q", "1+1"),
            ("the body field m.k", "x & y"),
            ("the body field p", "%zz"),
        ];
        let expected = expected.map(|(place, value)| (place.to_owned(), value.to_owned()));
        assert_eq!(found, expected);
        assert_eq!(normal("a[b][c].d"), "a.b.c.d");
    }
}
