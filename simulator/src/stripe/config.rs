//! Settings of the simulated gateway.

use std::collections::BTreeMap;
use std::time::Duration;

const HOUR: u64 = 60 * 60;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The secrets that are accepted. Empty: everything that begins with `sk_test_`, `rk_test_`,
    /// `sk_live_` or `rk_live_`, except `..._invalid...`.
    pub secrets: Vec<String>,
    /// The account of each secret. One that is not here has an account of its own, named after
    /// what follows the prefix: `sk_test_a` and `rk_test_a` are both `acct_a`.
    pub accounts: BTreeMap<String, String>,
    /// How long a key is remembered, from its first use. Stripe: at least 24 hours, then it is
    /// as good as new (IDEM).
    pub key_life: Duration,
    /// How long a new or changed object stays invisible to the search (SRCH).
    pub search_lag: Duration,
    /// How long an authorization lasts before the payment becomes `canceled` by itself (HOLD).
    pub authorization_life: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            secrets: Vec::new(),
            accounts: BTreeMap::new(),
            key_life: Duration::from_secs(24 * HOUR),
            search_lag: Duration::ZERO,
            authorization_life: Duration::from_secs(7 * 24 * HOUR),
        }
    }
}

impl Config {
    /// Accepts this secret, and from then on only those that were named.
    #[must_use]
    pub fn secret(mut self, secret: &str) -> Self {
        self.secrets.push(secret.to_owned());
        self
    }

    /// Says which account a secret belongs to; two secrets may share one.
    #[must_use]
    pub fn account(mut self, secret: &str, account: &str) -> Self {
        self.accounts.insert(secret.to_owned(), account.to_owned());
        self
    }

    /// Sets how long a key is remembered.
    #[must_use]
    pub fn key_life(mut self, life: Duration) -> Self {
        self.key_life = life;
        self
    }

    /// Sets how long the search lags behind.
    #[must_use]
    pub fn search_lag(mut self, lag: Duration) -> Self {
        self.search_lag = lag;
        self
    }
}
