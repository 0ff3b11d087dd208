//! Tap's objects, read field by field.
//!
//! Every field may be absent, null or of another type: it is then nothing, and only where it decides
//! does anybody notice. A number stays the text that it is on the wire, so that no amount is rounded.

use std::collections::BTreeMap;

use payonce::provider::Response;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// A JSON object whose fields are read when they are asked for.
pub(crate) struct Object(BTreeMap<String, Box<RawValue>>);

impl Object {
    /// Anything but a whole JSON object is nothing.
    pub(crate) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    /// The body of a reply.
    pub(crate) fn of(reply: &Response) -> Option<Self> {
        Self::read(std::str::from_utf8(&reply.body).ok()?)
    }

    /// A field as it stands on the wire. Null is nothing.
    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        let text = self.0.get(name)?.get();
        (text != "null").then_some(text)
    }

    fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    /// A text that is not empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).filter(|text: &String| !text.is_empty())
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.get(name)
    }

    /// A whole number, also as text.
    pub(crate) fn whole(&self, name: &str) -> Option<i64> {
        self.raw(name)?.trim_matches('"').parse().ok()
    }

    /// An object in the object.
    pub(crate) fn object(&self, name: &str) -> Option<Self> {
        Self::read(self.raw(name)?)
    }

    /// The elements of an array.
    pub(crate) fn array(&self, name: &str) -> Option<Vec<Box<RawValue>>> {
        self.get(name)
    }

    /// The names of all fields that hold an array.
    pub(crate) fn arrays(&self) -> impl Iterator<Item = &str> {
        let fields = self.0.iter();
        fields.filter_map(|(name, value)| value.get().starts_with('[').then_some(name.as_str()))
    }

    /// The id, if it is one that may stand in a path.
    pub(crate) fn id(&self) -> Option<String> {
        self.text("id").filter(|id| is_id(id))
    }

    /// One of the two codes of an error: `{"errors":[{"code":"1144","description":"..."}]}`,
    /// <https://developers.tap.company/reference/charge-response-codes>. Of several it is the first.
    pub(crate) fn error(&self) -> Option<Self> {
        Self::read(self.array("errors")?.first()?.get())
    }
}

/// Whether a text may stand in a path as an id: `chg_...`, `auth_...`, `re_...`.
pub(crate) fn is_id(text: &str) -> bool {
    let fits = text.len() <= 64;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let named = ["chg_", "auth_", "re_"]
        .iter()
        .any(|prefix| text.len() > prefix.len() && text.starts_with(prefix));
    fits && named && text.bytes().all(plain)
}
