//! Settings of the simulated gateway.

use std::collections::BTreeMap;
use std::time::Duration;

const DAY: u64 = 24 * 60 * 60;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The access tokens that are accepted. Empty: every one that does not begin with `invalid`.
    pub tokens: Vec<String>,
    /// The token that each entity belongs to. An entity that is not here goes with every token.
    pub entities: BTreeMap<String, String>,
    /// Whether it plays the live platform: successes are `000.000.000`, and what is only for
    /// tests is refused.
    pub live: bool,
    /// How long a second request under the same `merchantTransactionId` is refused with
    /// `800.110.100`. None: it is another payment, as the platform itself does it; only some
    /// acquirers and risk rules refuse it. A public plugin asks its shoppers to wait a minute.
    pub duplicate_window: Option<Duration>,
    /// How long a new payment stays invisible to the query. How long it is really is not
    /// documented.
    pub query_lag: Duration,
    /// How long after a charge it can still be reversed. That there is an end is known (H5), its
    /// time is not.
    pub settled_after: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            tokens: Vec::new(),
            entities: BTreeMap::new(),
            live: false,
            duplicate_window: None,
            query_lag: Duration::ZERO,
            settled_after: Duration::from_secs(DAY),
        }
    }
}

impl Config {
    /// Accepts this token, and from then on only those that were named.
    #[must_use]
    pub fn token(mut self, token: &str) -> Self {
        self.tokens.push(token.to_owned());
        self
    }

    /// Says which token an entity belongs to; one token may have several.
    #[must_use]
    pub fn entity(mut self, entity: &str, token: &str) -> Self {
        self.entities.insert(entity.to_owned(), token.to_owned());
        self
    }

    /// Plays the live platform.
    #[must_use]
    pub fn live(mut self) -> Self {
        self.live = true;
        self
    }

    /// Refuses a second request under the same reference for so long.
    #[must_use]
    pub fn duplicate_window(mut self, window: Duration) -> Self {
        self.duplicate_window = Some(window);
        self
    }

    /// Sets how long the query lags behind.
    #[must_use]
    pub fn query_lag(mut self, lag: Duration) -> Self {
        self.query_lag = lag;
        self
    }

    /// The code of a success.
    pub(super) fn success(&self) -> &'static str {
        if self.live {
            "000.000.000"
        } else {
            "000.100.110"
        }
    }
}
