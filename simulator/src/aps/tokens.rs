//! The tokens that the simulated gateway knows. They are the simulator's own: numbers of cards have no
//! place in a backend. A name may go on after a dash: `visa-7` is another token of a card that works.

/// What happens when a token is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trial {
    Approved,
    /// The message of the decline.
    Declined(&'static str),
    /// The customer has to open a page.
    ThreeDSecure,
    /// No result yet. No token does this.
    Pending,
}

const TRIALS: [(&str, Trial); 6] = [
    ("visa", Trial::Approved),
    ("mada", Trial::Approved),
    ("declined", Trial::Declined("666")),
    ("insufficient_funds", Trial::Declined("029")),
    ("expired_card", Trial::Declined("012")),
    ("3ds", Trial::ThreeDSecure),
];

/// What this token does; unknown ones do not exist.
pub(super) fn trial_of(token: &str) -> Option<Trial> {
    let named = |name: &str| {
        let rest = token.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let (_, trial) = TRIALS.iter().find(|(name, _)| named(name))?;
    Some(*trial)
}

/// The message for a reason of the issuer's.
pub(super) fn message_of(reason: &str) -> &'static str {
    match reason {
        "insufficient_funds" => "029",
        "expired_card" => "012",
        "authentication_required" => "030",
        _ => "666",
    }
}
