//! Who asks: the access token, and the seller that it stands for (ERR).

use super::config::Config;
use super::error::ApiError;
use crate::exchange::Request;

/// The seller of a request, or 401.
pub(super) fn account_of(config: &Config, request: &Request) -> Result<String, ApiError> {
    let token = token(request).ok_or_else(ApiError::unauthorized)?;
    let accepted = if config.tokens.is_empty() {
        !token.contains("invalid")
    } else {
        config.tokens.contains(&token)
    };
    if !accepted {
        return Err(ApiError::unauthorized());
    }
    Ok(match config.accounts.get(&token) {
        Some(account) => account.clone(),
        None => format!("seller_{token}"),
    })
}

fn token(request: &Request) -> Option<String> {
    let header = request.header("authorization")?;
    let (scheme, token) = header.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| token.to_owned())
}
