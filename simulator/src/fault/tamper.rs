//! Changes to a reply on its way.

use std::collections::BTreeMap;

use http::HeaderName;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::exchange::Reply;

/// Changes to a reply on its way. A body that is not JSON stays as it is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Tamper {
    /// JSON pointer to the value that is put there. A last member that is not there is added.
    pub set: BTreeMap<String, Value>,
    /// JSON pointers of members and elements that are taken out.
    pub remove: Vec<String>,
    /// Headers to set, or with none to take out.
    pub headers: BTreeMap<String, Option<String>>,
    /// Whether somebody on the way changes it. Otherwise the gateway says so itself, and signs it if
    /// it signs its replies.
    pub forges: bool,
}

impl Tamper {
    /// Puts a value at a JSON pointer.
    pub fn set(pointer: &str, value: impl Into<Value>) -> Self {
        Self::default().and_set(pointer, value)
    }

    /// Takes out what a JSON pointer points at.
    pub fn remove(pointer: &str) -> Self {
        Self::default().and_remove(pointer)
    }

    /// Sets a header, or takes it out.
    pub fn header(name: &str, value: Option<&str>) -> Self {
        Self::default().and_header(name, value)
    }

    /// The same by somebody on the way: it is not signed again.
    #[must_use]
    pub fn forged(mut self) -> Self {
        self.forges = true;
        self
    }

    /// Puts one more value.
    #[must_use]
    pub fn and_set(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        self.set.insert(pointer.to_owned(), value.into());
        self
    }

    /// Takes one more out.
    #[must_use]
    pub fn and_remove(mut self, pointer: &str) -> Self {
        self.remove.push(pointer.to_owned());
        self
    }

    /// Sets or takes out one more header.
    #[must_use]
    pub fn and_header(mut self, name: &str, value: Option<&str>) -> Self {
        self.headers
            .insert(name.to_owned(), value.map(str::to_owned));
        self
    }

    /// The reply after the changes.
    pub(crate) fn apply(&self, mut reply: Reply) -> Reply {
        if let Ok(mut body) = serde_json::from_slice::<Value>(&reply.body) {
            for (pointer, value) in &self.set {
                put(&mut body, pointer, value.clone());
            }
            for pointer in &self.remove {
                take_out(&mut body, pointer);
            }
            reply.body = body.to_string().into();
        }
        for (name, value) in &self.headers {
            match value {
                Some(value) => reply = reply.with_header(name, value),
                None => {
                    if let Ok(name) = HeaderName::try_from(name.to_ascii_lowercase()) {
                        reply.headers.remove(name);
                    }
                }
            }
        }
        reply
    }
}

/// The parent's pointer and the last token, unescaped.
fn split(pointer: &str) -> Option<(&str, String)> {
    let (parent, last) = pointer.rsplit_once('/')?;
    Some((parent, last.replace("~1", "/").replace("~0", "~")))
}

fn put(body: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = body.pointer_mut(pointer) {
        *place = value;
    } else if let Some((parent, last)) = split(pointer)
        && let Some(Value::Object(members)) = body.pointer_mut(parent)
    {
        members.insert(last, value);
    }
}

fn take_out(body: &mut Value, pointer: &str) {
    let Some((parent, last)) = split(pointer) else {
        return;
    };
    match body.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.remove(&last);
        }
        Some(Value::Array(elements)) => {
            if let Ok(at) = last.parse::<usize>()
                && at < elements.len()
            {
                elements.remove(at);
            }
        }
        _ => {}
    }
}
