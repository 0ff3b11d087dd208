//! The registration: a stored card.

/// A stored card.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Registration {
    /// The id, 32 characters.
    pub id: String,
    /// The entity that may use it; none: every one. Whether the platform shares them among the
    /// entities of a merchant is not documented.
    pub entity: Option<String>,
    /// What becomes of a payment with it.
    pub result: RegistrationResult,
}

/// What becomes of a payment with a stored card.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegistrationResult {
    /// It works.
    Approved,
    /// The customer has to pass 3-D Secure.
    Redirect,
    /// This result code. The money moves if it is a success, one to review included.
    Code(String),
}

impl Registration {
    pub(in crate::hyperpay) fn new(id: &str, result: RegistrationResult) -> Self {
        Self {
            id: id.to_owned(),
            entity: None,
            result,
        }
    }
}

impl RegistrationResult {
    /// Reads `approved`, `redirect` or a result code.
    pub(in crate::hyperpay) fn parse(word: &str) -> Option<Self> {
        match word {
            "approved" => Some(Self::Approved),
            "redirect" => Some(Self::Redirect),
            code => crate::hyperpay::codes::is_code(code).then(|| Self::Code(code.to_owned())),
        }
    }

    /// The same word.
    pub(in crate::hyperpay) fn as_str(&self) -> &str {
        match self {
            Self::Approved => "approved",
            Self::Redirect => "redirect",
            Self::Code(code) => code,
        }
    }
}
