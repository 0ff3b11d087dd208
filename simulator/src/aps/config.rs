//! Settings of the simulated gateway.

use std::time::Duration;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The access codes that are accepted. Empty: every one without `invalid` in it.
    pub access_codes: Vec<String>,
    /// What merchants sign their requests with.
    pub request_phrase: String,
    /// What replies are signed with.
    pub response_phrase: String,
    /// The message of a second order under a reference. Which of the two comes when is not
    /// documented.
    pub duplicate: Duplicate,
    /// How long the query shows what was before. How long it is really is not documented.
    pub query_lag: Duration,
    /// Whether the query leaves out what was never completed, which it may (A2).
    pub hides_unfinished: bool,
}

/// What a second order under a reference is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Duplicate {
    /// `00007`, duplicate order number.
    #[default]
    OrderNumber,
    /// `00066`, the merchant reference already exists.
    Reference,
}

impl Duplicate {
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::OrderNumber => "007",
            Self::Reference => "066",
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            access_codes: Vec::new(),
            request_phrase: "request-phrase".to_owned(),
            response_phrase: "response-phrase".to_owned(),
            duplicate: Duplicate::default(),
            query_lag: Duration::ZERO,
            hides_unfinished: false,
        }
    }
}

impl Config {
    /// Accepts this access code, and from then on only those that were named.
    #[must_use]
    pub fn access_code(mut self, code: &str) -> Self {
        self.access_codes.push(code.to_owned());
        self
    }

    /// Sets the two phrases.
    #[must_use]
    pub fn phrases(mut self, request: &str, response: &str) -> Self {
        request.clone_into(&mut self.request_phrase);
        response.clone_into(&mut self.response_phrase);
        self
    }

    /// Sets what a second order under a reference is answered.
    #[must_use]
    pub fn duplicate(mut self, duplicate: Duplicate) -> Self {
        self.duplicate = duplicate;
        self
    }

    /// Sets how long the query lags behind.
    #[must_use]
    pub fn query_lag(mut self, lag: Duration) -> Self {
        self.query_lag = lag;
        self
    }

    pub(super) fn accepts(&self, code: &str) -> bool {
        if self.access_codes.is_empty() {
            !code.is_empty() && !code.contains("invalid")
        } else {
            self.access_codes.iter().any(|known| known == code)
        }
    }
}
