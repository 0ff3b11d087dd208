//! Who asks: the server key of the merchant, and the profile. Transactions belong to the profile.

use super::config::Config;
use super::error::ApiError;
use crate::exchange::Request;

/// Whether the key is accepted for this profile. It stands in the header as it is, without `Bearer`
/// or any other word (P1).
pub(super) fn check(config: &Config, request: &Request, profile: u64) -> Result<(), ApiError> {
    let key = request.header("authorization").unwrap_or_default();
    let accepted = if config.keys.is_empty() {
        !key.is_empty() && !key.starts_with("invalid") && !key.contains(' ')
    } else {
        config.keys.contains(&key)
    };
    let owner = config.profiles.get(&profile);
    if accepted && owner.is_none_or(|owner| *owner == key) {
        return Ok(());
    }
    Err(ApiError::unauthorized())
}
