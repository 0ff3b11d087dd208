//! Who asks: the key, and the account and mode that it stands for (AUTH).

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use http::StatusCode;

use super::config::Config;
use super::error::ApiError;
use crate::exchange::Request;

/// An account in one mode. Payments and their ids belong to it: that a test key does not see a
/// live payment is documented, that two accounts may use the same id is inferred.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scope {
    pub(super) account: String,
    pub(super) live: bool,
}

/// A key that was accepted.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) scope: Scope,
    /// Whether the key may sit in a browser: it may only create.
    publishable: bool,
}

/// The prefix of a key, whether it is live, and whether it is publishable.
const PREFIXES: [(&str, bool, bool); 4] = [
    ("sk_test_", false, false),
    ("pk_test_", false, true),
    ("sk_live_", true, false),
    ("pk_live_", true, true),
];

impl Caller {
    /// Who sent a request, or 401.
    pub(super) fn of(config: &Config, request: &Request) -> Result<Self, ApiError> {
        let secret = secret(request).ok_or_else(ApiError::unauthorized)?;
        let known = PREFIXES.iter().find_map(|(prefix, live, publishable)| {
            let rest = secret.strip_prefix(prefix)?;
            Some((rest, *live, *publishable))
        });
        let (rest, live, publishable) = known.ok_or_else(ApiError::unauthorized)?;
        let accepted = if config.secrets.is_empty() {
            !rest.is_empty() && !rest.starts_with("invalid")
        } else {
            config.secrets.contains(&secret)
        };
        if !accepted {
            return Err(ApiError::unauthorized());
        }
        let own = config.accounts.get(&secret).cloned();
        let account = own.unwrap_or_else(|| format!("merchant_{rest}"));
        Ok(Self {
            scope: Scope { account, live },
            publishable,
        })
    }

    /// 403 for a publishable key. That it may only create is documented, the status is not.
    pub(super) fn must_be_secret(&self) -> Result<(), ApiError> {
        if !self.publishable {
            return Ok(());
        }
        let message = "A publishable key may only create payments.";
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "authentication_error",
            message,
        ))
    }
}

/// The user name of Basic authentication. The password is documented as empty; what another one
/// does is not, so it is refused.
fn secret(request: &Request) -> Option<String> {
    let header = request.header("authorization")?;
    let (scheme, rest) = header.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = String::from_utf8(BASE64.decode(rest.trim()).ok()?).ok()?;
    pair.strip_suffix(':').map(str::to_owned)
}
