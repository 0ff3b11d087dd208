//! Who asks: the secret key, and the account and mode that it stands for.

use super::config::Config;
use super::error::ApiError;
use crate::exchange::Request;

/// An account in one mode. Objects and keys belong to it: the scope of a key is not documented, and
/// this one mixes no two accounts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scope {
    pub(super) account: String,
    pub(super) live: bool,
}

impl Scope {
    /// Who sent a request, or 401 (CODE).
    pub(super) fn of(config: &Config, request: &Request) -> Result<Self, ApiError> {
        let header = request.header("authorization");
        let header =
            header.ok_or_else(|| ApiError::unauthorized("2107", "Authorization Required"))?;
        let secret = header.trim().split_once(' ').and_then(|(scheme, rest)| {
            let bearer = scheme.eq_ignore_ascii_case("bearer");
            bearer.then(|| rest.trim().to_owned())
        });
        let secret = secret.unwrap_or_default();
        if secret.starts_with("pk_") {
            let text = "Please use the secret key, the public key given";
            return Err(ApiError::unauthorized("2106", text));
        }
        let known = [("sk_test_", false), ("sk_live_", true)]
            .into_iter()
            .find_map(|(prefix, live)| Some((secret.strip_prefix(prefix)?, live)));
        let accepted = |rest: &str| {
            if config.secrets.is_empty() {
                !rest.is_empty() && !rest.starts_with("invalid")
            } else {
                config.secrets.contains(&secret)
            }
        };
        let (rest, live) = known
            .filter(|(rest, _)| accepted(rest))
            .ok_or_else(|| ApiError::unauthorized("2104", "Invalid API Key"))?;
        let own = config.accounts.get(&secret).cloned();
        let account = own.unwrap_or_else(|| format!("merchant_{rest}"));
        Ok(Self { account, live })
    }
}
