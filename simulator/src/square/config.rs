//! Settings of the simulated gateway.

use std::collections::BTreeMap;
use std::time::Duration;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The access tokens that are accepted. Empty: everything without `invalid` in it.
    pub tokens: Vec<String>,
    /// The seller of each token. One that is not here has a seller of its own.
    pub accounts: BTreeMap<String, String>,
    /// The currency of every location. A payment in another is refused (OAS).
    pub currency: String,
    /// The seller's main location: what a list shows that names none (OAS).
    pub main_location: String,
    /// How long a key is remembered. Square publishes no life; after it the same key is a new
    /// request here, which is the worst case.
    pub key_life: Duration,
    /// How long the lists lag behind. A read by id does not: the pages say so of lists only (OAS).
    pub list_lag: Duration,
    /// How many objects a page has at most (OAS).
    pub page_size: usize,
    /// How long an authorization can be completed before it is canceled (CAP).
    pub authorization_life: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            tokens: Vec::new(),
            accounts: BTreeMap::new(),
            currency: "USD".to_owned(),
            main_location: "LMAIN".to_owned(),
            key_life: Duration::from_secs(24 * 3600),
            list_lag: Duration::ZERO,
            page_size: 100,
            authorization_life: Duration::from_secs(7 * 24 * 3600),
        }
    }
}

impl Config {
    /// Accepts this access token, and from then on only those that were named.
    #[must_use]
    pub fn token(mut self, token: &str) -> Self {
        self.tokens.push(token.to_owned());
        self
    }

    /// Says which seller a token belongs to; two tokens may share one.
    #[must_use]
    pub fn account(mut self, token: &str, account: &str) -> Self {
        self.accounts.insert(token.to_owned(), account.to_owned());
        self
    }

    /// Sets how long the lists lag behind.
    #[must_use]
    pub fn list_lag(mut self, lag: Duration) -> Self {
        self.list_lag = lag;
        self
    }

    /// Sets how many objects a page has.
    #[must_use]
    pub fn page_size(mut self, size: usize) -> Self {
        self.page_size = size;
        self
    }
}
