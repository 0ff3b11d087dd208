//! The tokens that the simulated gateway knows, and what declines look like.
//!
//! They are the simulator's own: Moyasar's failing test cards are numbers, and a number of a card
//! has no place in a backend. Everything may follow a name after an underscore: `token_visa_7` is
//! another token of a card that works.

/// What happens when a token is charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trial {
    Approved,
    Declined(Decline),
    /// The customer has to open a page.
    ThreeDSecure,
    /// No result yet. No token does this.
    Pending,
}

/// Why a payment failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decline {
    pub(super) message: String,
    pub(super) response_code: Option<String>,
}

const APPROVED: [&str; 3] = ["mada", "visa", "mastercard"];

/// The reason, and the issuer's response code for it. That `source.response_code` has these
/// numbers of ISO 8583 is presumed: the field is documented, its values are not.
const REASONS: [(&str, &str); 6] = [
    ("declined", "05"),
    ("expired_card", "54"),
    ("insufficient_funds", "51"),
    ("lost_card", "41"),
    ("stolen_card", "43"),
    ("do_not_honor", "05"),
];

/// What this token does; unknown ones do not exist.
pub(super) fn trial_of(token: &str) -> Option<Trial> {
    if APPROVED.iter().any(|name| is_named(token, name)) {
        return Some(Trial::Approved);
    }
    if is_named(token, "3ds") {
        return Some(Trial::ThreeDSecure);
    }
    let (reason, _) = REASONS.iter().find(|(name, _)| is_named(token, name))?;
    Some(Trial::Declined(Decline::of(reason)))
}

/// The company of the card behind a token.
pub(super) fn company_of(token: &str) -> &'static str {
    let named = APPROVED.iter().find(|name| is_named(token, name));
    named.copied().unwrap_or("visa")
}

fn is_named(token: &str, name: &str) -> bool {
    let rest = token
        .strip_prefix("token_")
        .and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

impl Decline {
    /// A decline for this reason; one that is not known has no response code.
    pub(super) fn of(reason: &str) -> Self {
        let known = REASONS.iter().find(|(name, _)| *name == reason);
        Self {
            message: format!("DECLINED: {reason}"),
            response_code: known.map(|(_, code)| (*code).to_owned()),
        }
    }
}
