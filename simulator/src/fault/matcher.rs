//! Which requests a fault is for.

use serde::{Deserialize, Serialize};

use crate::exchange::{self, Request};

/// Which requests a fault is for: all that is set here has to agree. By default every `POST`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Matcher {
    /// The gateway's name.
    pub gateway: Option<String>,
    /// The method; `*` is any. A `POST` for which the gateway only reads counts as a `GET`.
    pub method: String,
    /// The whole path behind the mount point.
    pub path: Option<String>,
    /// How the path begins.
    pub path_prefix: Option<String>,
    /// A part of the path.
    pub path_contains: Option<String>,
    /// A text in the body (as sent or decoded), the query or a header: a reference or a key.
    pub contains: Option<String>,
}

impl Default for Matcher {
    fn default() -> Self {
        Self {
            gateway: None,
            method: "POST".to_owned(),
            path: None,
            path_prefix: None,
            path_contains: None,
            contains: None,
        }
    }
}

impl Matcher {
    /// Every `POST`.
    pub fn post() -> Self {
        Self::default()
    }

    /// Every `GET`.
    pub fn get() -> Self {
        Self::default().method("GET")
    }

    /// Every request.
    pub fn any() -> Self {
        Self::default().method("*")
    }

    /// Only at this gateway.
    #[must_use]
    pub fn gateway(mut self, name: &str) -> Self {
        self.gateway = Some(name.to_owned());
        self
    }

    /// Only this method; `*` is any.
    #[must_use]
    pub fn method(mut self, method: &str) -> Self {
        method.clone_into(&mut self.method);
        self
    }

    /// Only this path.
    #[must_use]
    pub fn path(mut self, path: &str) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Only paths that begin so.
    #[must_use]
    pub fn path_prefix(mut self, prefix: &str) -> Self {
        self.path_prefix = Some(prefix.to_owned());
        self
    }

    /// Only paths with this part.
    #[must_use]
    pub fn path_contains(mut self, part: &str) -> Self {
        self.path_contains = Some(part.to_owned());
        self
    }

    /// Only requests with this text in the body, the query or a header.
    #[must_use]
    pub fn contains(mut self, text: &str) -> Self {
        self.contains = Some(text.to_owned());
        self
    }

    /// Whether a request is one of them.
    pub fn matches(&self, gateway: &str, request: &Request) -> bool {
        let agrees = |wanted: &Option<String>, test: &dyn Fn(&str) -> bool| match wanted {
            Some(wanted) => test(wanted),
            None => true,
        };
        let method = if request.reads {
            "GET"
        } else {
            request.method.as_str()
        };
        agrees(&self.gateway, &|wanted| wanted == gateway)
            && (self.method == "*" || self.method.eq_ignore_ascii_case(method))
            && agrees(&self.path, &|wanted| request.path == wanted)
            && agrees(&self.path_prefix, &|wanted| {
                request.path.starts_with(wanted)
            })
            && agrees(&self.path_contains, &|wanted| request.path.contains(wanted))
            && agrees(&self.contains, &|wanted| mentions(request, wanted))
    }
}

/// Whether a text is in the body, the query or a header, as sent or form-decoded.
fn mentions(request: &Request, wanted: &str) -> bool {
    let decoded = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes).contains(wanted)
            || form_urlencoded::parse(bytes)
                .any(|(name, value)| name.contains(wanted) || value.contains(wanted))
    };
    decoded(&request.body)
        || request
            .query
            .as_ref()
            .is_some_and(|query| decoded(query.as_bytes()))
        || request
            .headers
            .values()
            .any(|value| exchange::text(value).contains(wanted))
}
