//! Settings of the simulated gateway.

use std::time::Duration;

const DAY: u64 = 24 * 60 * 60;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The API keys that are accepted. Empty: everything that does not begin with `invalid`.
    pub api_keys: Vec<String>,
    /// The merchant accounts of the company. Empty: everything that does not begin with `invalid`.
    pub merchant_accounts: Vec<String>,
    /// How long a key is remembered, from its first use. Adyen: at least 7 days (IDEM).
    pub key_life: Duration,
    /// Whether requests are handled under their keys. If not, no reply names one (IDEM).
    pub protects: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            api_keys: Vec::new(),
            merchant_accounts: Vec::new(),
            key_life: Duration::from_secs(7 * DAY),
            protects: true,
        }
    }
}

impl Config {
    /// Accepts this API key, and from then on only those that were named.
    #[must_use]
    pub fn api_key(mut self, key: &str) -> Self {
        self.api_keys.push(key.to_owned());
        self
    }

    /// Has this merchant account, and from then on only those that were named.
    #[must_use]
    pub fn merchant_account(mut self, account: &str) -> Self {
        self.merchant_accounts.push(account.to_owned());
        self
    }

    /// Sets how long a key is remembered.
    #[must_use]
    pub fn key_life(mut self, life: Duration) -> Self {
        self.key_life = life;
        self
    }

    /// Sets whether requests are handled under their keys.
    #[must_use]
    pub fn protects(mut self, protects: bool) -> Self {
        self.protects = protects;
        self
    }

    pub(super) fn accepts(&self, api_key: &str) -> bool {
        named_or_any(&self.api_keys, api_key)
    }

    pub(super) fn has(&self, account: &str) -> bool {
        named_or_any(&self.merchant_accounts, account)
    }
}

fn named_or_any(named: &[String], text: &str) -> bool {
    if named.is_empty() {
        !text.is_empty() && !text.starts_with("invalid")
    } else {
        named.iter().any(|name| name == text)
    }
}
