//! Settings of the simulated gateway.

use std::collections::BTreeMap;
use std::time::Duration;

const HOUR: u64 = 60 * 60;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The secret keys that are accepted. Empty: everything that begins with `sk_test_` or
    /// `sk_live_`, except `..._invalid...`.
    pub secrets: Vec<String>,
    /// The account of each key. One that is not here has an account of its own, named after what
    /// follows the prefix: `sk_test_a` is `merchant_a`.
    pub accounts: BTreeMap<String, String>,
    /// How long a key is remembered (IDEM).
    pub key_life: Duration,
    /// How long a new object stays invisible to reads and lists, and a changed one shows what it was
    /// before. Whether a read at Tap may be late is not documented.
    pub read_lag: Duration,
    /// How long an authorization can be captured: the shortest time of any card (AUT).
    pub authorization_life: Duration,
    /// Whether authorizations list their activities. It is documented for charges only.
    pub authorizations_list_activities: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            secrets: Vec::new(),
            accounts: BTreeMap::new(),
            key_life: Duration::from_secs(24 * HOUR),
            read_lag: Duration::ZERO,
            authorization_life: Duration::from_secs(7 * 24 * HOUR),
            authorizations_list_activities: true,
        }
    }
}

impl Config {
    /// Accepts this key, and from then on only those that were named.
    #[must_use]
    pub fn secret(mut self, secret: &str) -> Self {
        self.secrets.push(secret.to_owned());
        self
    }

    /// Says which account a key belongs to; two keys may share one.
    #[must_use]
    pub fn account(mut self, secret: &str, account: &str) -> Self {
        self.accounts.insert(secret.to_owned(), account.to_owned());
        self
    }

    /// Sets how long reads lag behind.
    #[must_use]
    pub fn read_lag(mut self, lag: Duration) -> Self {
        self.read_lag = lag;
        self
    }
}
