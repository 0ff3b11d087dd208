//! What pays.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

use crate::operation::stored_as_text;

/// What pays: a token, a saved card, or a page of the gateway where the customer chooses.
///
/// Card numbers and security codes have no place here: the gateway's own front-end code turns
/// them into a token. `Debug` shows no token.
#[derive(Clone)]
pub struct Source {
    kind: SourceKind,
    token: Option<SecretString>,
    customer: Option<String>,
}

/// The kinds of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceKind {
    /// A single-use token or payment method from the gateway's front-end code.
    Token,
    /// A card that the gateway keeps for a customer, charged while the customer is away.
    Saved,
    /// A page of the gateway.
    Hosted,
}

stored_as_text!(SourceKind {
    Token = "token",
    Saved = "saved",
    Hosted = "hosted",
});

impl Source {
    /// A single-use token or payment method from the gateway's front-end code.
    pub fn token(token: impl Into<String>) -> Self {
        Self {
            kind: SourceKind::Token,
            token: Some(SecretString::from(token.into())),
            customer: None,
        }
    }

    /// A card that the gateway keeps, charged while the customer is away. `customer`: the
    /// gateway's id of the customer, where it needs one.
    pub fn saved(token: impl Into<String>, customer: Option<&str>) -> Self {
        Self {
            kind: SourceKind::Saved,
            token: Some(SecretString::from(token.into())),
            customer: customer.map(str::to_owned),
        }
    }

    /// A page of the gateway, where the customer chooses how to pay.
    pub const fn hosted() -> Self {
        Self {
            kind: SourceKind::Hosted,
            token: None,
            customer: None,
        }
    }

    /// What kind of source it is.
    pub const fn kind(&self) -> SourceKind {
        self.kind
    }

    /// The token, for the adapter that writes it into the request.
    pub fn expose_token(&self) -> Option<&str> {
        self.token.as_ref().map(SecretString::expose_secret)
    }

    /// The customer of a saved card.
    pub fn customer(&self) -> Option<&str> {
        self.customer.as_deref()
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({})", self.kind)
    }
}
