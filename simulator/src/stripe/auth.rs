//! Who asks: the secret, and the account and mode that it stands for.

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use http::StatusCode;

use super::config::Config;
use super::error::ApiError;
use crate::exchange::Request;

/// An account in one mode. Objects and idempotency keys belong to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scope {
    pub(super) account: String,
    pub(super) livemode: bool,
}

const PREFIXES: [(&str, bool); 4] = [
    ("sk_test_", false),
    ("rk_test_", false),
    ("sk_live_", true),
    ("rk_live_", true),
];

impl Scope {
    /// The scope of a request, or 401. `Stripe-Account` acts as the connected account.
    pub(super) fn of(config: &Config, request: &Request) -> Result<Self, ApiError> {
        let Some(secret) = secret(request) else {
            return Err(unauthorized(
                "You did not provide an API key. You need to provide your API key in the \
                 Authorization header, using Bearer auth (e.g. 'Authorization: Bearer \
                 YOUR_SECRET_KEY').",
            ));
        };
        let known = PREFIXES.iter().find_map(|(prefix, livemode)| {
            secret.strip_prefix(prefix).map(|rest| (rest, *livemode))
        });
        let named = config.secrets.contains(&secret);
        let accepted = if config.secrets.is_empty() {
            known.is_some_and(|(rest, _)| !rest.is_empty() && !rest.starts_with("invalid"))
        } else {
            named
        };
        if !accepted {
            return Err(refused(&secret));
        }
        let (rest, livemode) = known.unwrap_or((&secret, false));
        let own = config.accounts.get(&secret).cloned();
        let account = request
            .header("stripe-account")
            .or(own)
            .unwrap_or_else(|| format!("acct_{rest}"));
        Ok(Self { account, livemode })
    }
}

/// What an unknown secret is told: its shape, not its text.
pub(super) fn refused(secret: &str) -> ApiError {
    let shown: String = secret.chars().take(8).collect();
    unauthorized(&format!("Invalid API Key provided: {shown}***"))
}

fn unauthorized(message: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "invalid_request_error", message)
}

/// The secret of `Authorization: Bearer` or of Basic, where it is the user name (PI).
pub(super) fn secret(request: &Request) -> Option<String> {
    let header = request.header("authorization")?;
    let (scheme, rest) = header.trim().split_once(' ')?;
    let rest = rest.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.to_owned()).filter(|secret| !secret.is_empty());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = String::from_utf8(BASE64.decode(rest).ok()?).ok()?;
    let user = pair.split(':').next().unwrap_or_default();
    Some(user.to_owned()).filter(|secret| !secret.is_empty())
}
