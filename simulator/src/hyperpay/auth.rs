//! Who asks: the access token of the merchant, and the entity (a channel of his). Payments
//! belong to the entity: another one, even of the same merchant, does not see them (H5).

use http::{Method, StatusCode};

use super::codes;
use super::config::Config;
use super::error::ApiError;
use crate::exchange::Request;

/// The `entityId`: a field of the body on `POST`, a parameter of the address otherwise (H1).
pub(super) fn named_entity(request: &Request) -> Option<String> {
    let fields = if request.method == Method::POST {
        &request.body
    } else {
        request.query.as_deref().unwrap_or_default().as_bytes()
    };
    let mut fields = form_urlencoded::parse(fields);
    let entity = fields.find(|(name, _)| name == "entityId")?.1.into_owned();
    Some(entity).filter(|entity| !entity.is_empty())
}

/// Whether the token is accepted, for this entity too if one is named. 401 is for a header that
/// is none, 403 for a token that is not accepted (ST).
pub(super) fn check(
    config: &Config,
    request: &Request,
    entity: Option<&str>,
) -> Result<(), ApiError> {
    let refused = |status| Err(ApiError::new(status, codes::UNAUTHORIZED));
    let Some(token) = token(request) else {
        return refused(StatusCode::UNAUTHORIZED);
    };
    let accepted = if config.tokens.is_empty() {
        !token.starts_with("invalid")
    } else {
        config.tokens.contains(&token)
    };
    let owner = entity.and_then(|entity| config.entities.get(entity));
    if accepted && owner.is_none_or(|owner| *owner == token) {
        return Ok(());
    }
    refused(StatusCode::FORBIDDEN)
}

/// The token of `Authorization: Bearer`, as it stands there (H1).
fn token(request: &Request) -> Option<String> {
    let header = request.header("authorization")?;
    let (scheme, token) = header.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| token.to_owned())
}
