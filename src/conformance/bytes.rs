//! Replies that say nothing, and damaged copies of those that do.

use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use http::{StatusCode, header};
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use crate::provider::Response;

/// Statuses that gateways and the machines before them answer with.
pub(super) const COMMON: [u16; 24] = [
    100, 200, 201, 202, 203, 204, 206, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 409, 410,
    422, 429, 500, 502, 504,
];

/// Bodies from which nobody can know anything.
const NOTHING: [&str; 27] = [
    "",
    " \r\n",
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "123456789012345678901234567890123456789012345678901234567890",
    "\"\"",
    "\"succeeded\"",
    "[]",
    "[[]]",
    "[null]",
    "{}",
    "{\"\":{}}",
    "{\"id\":",
    "}{",
    "OK",
    "SUCCESS",
    "declined",
    "status=succeeded&id=1",
    "{\"status\":\"succeeded\"}",
    "{\"status\":\"paid\",\"success\":true}",
    "{\"id\":null,\"status\":null,\"amount\":null,\"currency\":null,\"error\":null,\"result\":null}",
    "{\"id\":7,\"status\":7,\"amount\":\"x\",\"currency\":9,\"error\":[],\"result\":{\"code\":9}}",
    "{\"id\":{},\"status\":[],\"amount\":1e400,\"currency\":{},\"error\":{\"code\":{}},\"data\":7}",
    "{\"error\":{\"code\":\"payonce_unheard_of\",\"type\":\"payonce_unheard_of\"},\"status\":\"-\"}",
];

/// Those of them that are tried with every status.
const FEW: [&str; 3] = ["", "{}", "{\"status\":\"succeeded\"}"];

/// Pages of what stands before a gateway.
const PAGES: [&str; 4] = [
    "<!DOCTYPE html><html><body><h1>Payment succeeded</h1></body></html>",
    "<html><head><title>429 Too Many Requests</title></head><body>rate limit</body></html>",
    "<html><body>Your request was declined. This payment already exists.</body></html>",
    "<HTML><BODY>Attention Required! Access denied. invalid_request_error</BODY></HTML>",
];

/// Numbers that are the same on every run (xorshift).
pub(super) struct Noise(u64);

impl Noise {
    pub(super) const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0.wrapping_shl(13);
        self.0 ^= self.0.wrapping_shr(7);
        self.0 ^= self.0.wrapping_shl(17);
        self.0
    }

    fn byte(&mut self) -> u8 {
        let [byte, ..] = self.next().to_le_bytes();
        byte
    }

    /// A number below a limit, or 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        let number = usize::try_from(self.next()).unwrap_or_default();
        number.checked_rem(limit).unwrap_or_default()
    }

    pub(super) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.byte()).collect()
    }

    /// One of them, if there is any.
    pub(super) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// Headers of these names, each up to twice, with values that may stand in a header.
    pub(super) fn headers(&mut self, names: &[HeaderName]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for name in names {
            for _ in 0..self.below(3) {
                let length = self.below(24);
                let mut value = self.bytes(length);
                value.retain(|byte| *byte >= 32 && *byte != 127);
                if let Ok(value) = HeaderValue::from_bytes(&value) {
                    headers.append(name, value);
                }
            }
        }
        headers
    }

    /// A reply with some bytes changed, perhaps cut, perhaps under other headers.
    pub(super) fn spoiled(&mut self, reply: &Response, names: &[HeaderName]) -> Response {
        let mut body = reply.body.clone();
        for _ in 0..self.below(4) {
            let (place, byte) = (self.below(body.len()), self.byte());
            if let Some(changed) = body.get_mut(place) {
                *changed = byte;
            }
        }
        if self.below(3) == 0 {
            let end = self.below(body.len());
            body.truncate(end);
        }
        let headers = match self.below(2) {
            0 => self.headers(names),
            _ => reply.headers.clone(),
        };
        Response::new(reply.status, headers, body)
    }

    /// A body with some bytes changed.
    fn damaged(&mut self, body: &[u8]) -> Vec<u8> {
        let mut body = body.to_vec();
        for _ in 0..4 {
            let (place, byte) = (self.below(body.len()), self.byte());
            if let Some(changed) = body.get_mut(place) {
                *changed = byte;
            }
        }
        body
    }
}

/// A reply without headers.
pub(super) fn reply(status: u16, body: impl Into<Vec<u8>>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Response::new(status, HeaderMap::new(), body.into())
}

/// The same body under another status.
pub(super) fn under(reply: &Response, status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(reply.status);
    let mut headers = reply.headers.clone();
    if status.is_redirection() {
        let elsewhere = HeaderValue::from_static("https://elsewhere.example/");
        headers.insert(LOCATION, elsewhere);
    }
    Response::new(status, headers, reply.body.clone())
}

pub(super) fn with_body(reply: &Response, body: impl Into<Vec<u8>>) -> Response {
    let mut headers = reply.headers.clone();
    headers.remove(header::CONTENT_LENGTH);
    Response::new(reply.status, headers, body.into())
}

/// Bodies that say nothing, for one status: all of them where gateways answer so, else a few.
pub(super) fn nothing(noise: &mut Noise, status: u16) -> Vec<Vec<u8>> {
    if !COMMON.contains(&status) {
        let few = NOTHING.iter().filter(|body| FEW.contains(body));
        let few = few.map(|body| body.as_bytes().to_vec());
        return few.chain([noise.bytes(40)]).collect();
    }
    let mut bodies: Vec<Vec<u8>> = NOTHING
        .iter()
        .map(|body| body.as_bytes().to_vec())
        .collect();
    bodies.push(noise.bytes(40));
    bodies.push(b"\xef\xbb\xbf{\"a\":\"\xff\xfe\0\"}".to_vec());
    // The long and deep ones.
    let deep = |open: &str, close: &str, depth: usize| {
        format!("{}{}", open.repeat(depth), close.repeat(depth)).into_bytes()
    };
    bodies.push(deep("[", "]", 100));
    bodies.push(deep("[", "]", 20_000));
    bodies.push(deep("{\"error\":", "}", 2_000));
    bodies.push("9".repeat(4_000).into_bytes());
    bodies.push(vec![0; 4_000]);
    bodies.push(noise.bytes(4_000));
    bodies
}

/// Pages of HTML under a status.
pub(super) fn pages(status: u16) -> Vec<Response> {
    let some = if COMMON.contains(&status) {
        PAGES.len()
    } else {
        1
    };
    let page = |text: &&str| {
        let mut reply = reply(status, *text);
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        reply.headers.insert(CONTENT_TYPE, html);
        reply
    };
    PAGES.iter().take(some).map(page).collect()
}

/// The starts of a JSON reply that are no JSON any more.
pub(super) fn cut(reply: &Response) -> Vec<Response> {
    let is_json = |bytes: &[u8]| serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
    if !is_json(&reply.body) {
        return Vec::new();
    }
    let step = reply.body.len().checked_div(50).unwrap_or(1).max(1);
    let ends = (1..reply.body.len()).step_by(step);
    let starts = ends.filter_map(|end| reply.body.get(..end));
    let cut = starts.filter(|start| !is_json(start));
    cut.map(|start| with_body(reply, start)).collect()
}

/// Copies of a reply with bytes or fields changed: no copy may make anything panic.
pub(super) fn damaged(reply: &Response, noise: &mut Noise) -> Vec<Response> {
    let mut all: Vec<Response> = (0..40)
        .map(|_| with_body(reply, noise.damaged(&reply.body)))
        .collect();
    let Some(value) = reply.json() else {
        return all;
    };
    let mut places = Vec::new();
    paths(&value, "", &mut places);
    for place in places.iter().take(200) {
        // Not each at each place: over several fixtures each comes everywhere.
        let turn = noise.below(3);
        for other in strange_values().into_iter().skip(turn).step_by(3) {
            let mut copy = value.clone();
            if let Some(field) = copy.pointer_mut(place) {
                *field = other;
                all.push(with_body(reply, copy.to_string()));
            }
        }
        all.extend(without(&value, place).map(|copy| with_body(reply, copy.to_string())));
    }
    all
}

fn strange_values() -> [Value; 11] {
    [
        Value::Null,
        json!(true),
        json!(-1),
        json!(u64::MAX),
        json!("x"),
        json!(""),
        json!("../\u{0}\r\n"),
        json!([]),
        json!([[]]),
        json!({}),
        json!({ "a": 1 }),
    ]
}

fn without(value: &Value, place: &str) -> Option<Value> {
    let (parent, name) = place.rsplit_once('/')?;
    let mut copy = value.clone();
    copy.pointer_mut(parent)?.as_object_mut()?.remove(name)?;
    Some(copy)
}

/// The JSON pointer of every value in a value, its own first.
pub(super) fn paths(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.to_owned());
    let empty = Map::new();
    for (name, value) in value.as_object().unwrap_or(&empty) {
        let name = name.replace('~', "~0").replace('/', "~1");
        paths(value, &format!("{here}/{name}"), all);
    }
    for (number, value) in value.as_array().into_iter().flatten().enumerate() {
        paths(value, &format!("{here}/{number}"), all);
    }
}
