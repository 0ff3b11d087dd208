//! What pays.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// What pays: a token, a saved card, or a page of the gateway where the customer chooses.
///
/// Card numbers and security codes have no place here: the gateway's own front-end code turns
/// them into a token. `Debug` shows no token.
#[derive(Clone)]
#[non_exhaustive]
pub enum Source {
    /// A single-use token or payment method from the gateway's front-end code.
    Token(SecretString),
    /// A card that the gateway keeps for a customer, charged while the customer is away.
    Saved {
        /// The gateway's id of the saved payment method.
        token: SecretString,
        /// The gateway's id of the customer, where it needs one.
        customer: Option<String>,
    },
    /// A page of the gateway.
    Hosted,
}

impl Source {
    /// A single-use token or payment method from the gateway's front-end code.
    pub fn token(token: impl Into<String>) -> Self {
        Self::Token(SecretString::from(token.into()))
    }

    /// A card that the gateway keeps, charged while the customer is away.
    pub fn saved(token: impl Into<String>, customer: Option<&str>) -> Self {
        Self::Saved {
            token: SecretString::from(token.into()),
            customer: customer.map(str::to_owned),
        }
    }

    /// A page of the gateway, where the customer chooses how to pay.
    pub const fn hosted() -> Self {
        Self::Hosted
    }

    /// The token, for the adapter that writes it into the request.
    pub fn expose_token(&self) -> Option<&str> {
        match self {
            Self::Token(token) | Self::Saved { token, .. } => Some(token.expose_secret()),
            Self::Hosted => None,
        }
    }

    /// The word for this kind of source, as the fingerprint has it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Token(_) => "token",
            Self::Saved { .. } => "saved",
            Self::Hosted => "hosted",
        }
    }

    /// The customer of a saved card.
    pub fn customer(&self) -> Option<&str> {
        match self {
            Self::Saved { customer, .. } => customer.as_deref(),
            Self::Token(_) | Self::Hosted => None,
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({})", self.kind())
    }
}
