//! How a payment ends: by its source, or as a fault wants it.
//!
//! The tokens are the simulator's own: Tap's test cards are numbers, and a number of a card has no
//! place in a backend. Everything may follow a name after an underscore: `tok_visa_7` is another token
//! of a card that works.

use crate::fault::Steer;

/// What becomes of a payment that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trial {
    Approved,
    /// With this code.
    Declined(&'static str),
    /// The customer has to open a page.
    Page,
    /// No result yet, and no page.
    Waits,
}

/// The reasons of declines and their codes (CODE). What has none is 501.
const REASONS: [(&str, &str); 6] = [
    ("declined", "501"),
    ("insufficient_funds", "505"),
    ("issuer", "507"),
    ("risk", "514"),
    ("authentication", "516"),
    ("3d_secure", "503"),
];

/// What this source does. None: there is no such source.
fn by_source(source: &str) -> Option<Trial> {
    // Payment methods always lead to a page (CHG).
    if source
        .strip_prefix("src_")
        .is_some_and(|rest| !rest.is_empty())
    {
        return Some(Trial::Page);
    }
    let token = source.strip_prefix("tok_")?;
    let named = |name: &str| {
        let rest = token.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    if ["visa", "mada", "mastercard"].into_iter().any(named) {
        return Some(Trial::Approved);
    }
    if named("3ds") {
        return Some(Trial::Page);
    }
    let reason = REASONS.iter().find(|(reason, _)| named(reason));
    reason.map(|(_, code)| Trial::Declined(code))
}

/// The code of a decline for a reason.
pub(super) fn code_of(reason: &str) -> &'static str {
    let known = REASONS.iter().find(|(name, _)| *name == reason);
    known.map_or("501", |(_, code)| code)
}

/// What a fault wants of it.
pub(super) fn steered(steer: Option<&Steer>) -> Option<Trial> {
    match steer? {
        Steer::Decline { code, decline_code } => {
            let reason = decline_code.as_deref().unwrap_or(code);
            Some(Trial::Declined(code_of(reason)))
        }
        Steer::RequireAction(_) => Some(Trial::Page),
        Steer::Processing => Some(Trial::Waits),
        Steer::StoredError { .. } => None,
    }
}

/// How a payment of this source ends.
pub(super) fn of(source: &str, steer: Option<&Steer>) -> Option<Trial> {
    let own = by_source(source)?;
    Some(steered(steer).unwrap_or(own))
}
