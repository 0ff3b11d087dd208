//! Settings of the simulated gateway.

use std::collections::BTreeMap;
use std::time::Duration;

const HOUR: u64 = 60 * 60;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The keys that are accepted. Empty: everything that begins with `sk_test_`, `sk_live_`,
    /// `pk_test_` or `pk_live_`, except `..._invalid...`.
    pub secrets: Vec<String>,
    /// The account of each key. One that is not here has an account of its own, named after what
    /// follows the prefix: `sk_test_a` and `pk_test_a` are both `merchant_a`.
    pub accounts: BTreeMap<String, String>,
    /// What the second request with the same `given_id` and the same body gets. The
    /// documentation promises only that it does not charge twice (IDEM).
    pub repeat: Repeat,
    /// How long a new payment stays invisible to reads, and a changed one shows what it was
    /// before. Whether a read at Moyasar may be late is not documented.
    pub read_lag: Duration,
    /// How many payments a page of the list has; the number is not documented.
    pub page_size: usize,
    /// How long a paid or captured payment can be voided: until it settles, in practice about
    /// two hours (OPS).
    pub settlement: Duration,
    /// How long an authorization can be captured. The present pages say 14 days for mada, an
    /// older one 7 (OPS): the shorter one holds here.
    pub authorization_life: Duration,
}

/// What a repeated creation gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Repeat {
    /// 400, "already created": the answer that hides the result.
    #[default]
    AlreadyCreated,
    /// 200 and the payment as it is now.
    Stored,
    /// 201 and the payment as it is now.
    StoredAsCreated,
}

impl Repeat {
    pub(super) const ALL: [Self; 3] = [Self::AlreadyCreated, Self::Stored, Self::StoredAsCreated];

    /// The word for it in the control API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AlreadyCreated => "already_created",
            Self::Stored => "stored",
            Self::StoredAsCreated => "stored_as_created",
        }
    }

    /// What a word of the control API stands for.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|repeat| repeat.as_str() == word)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            secrets: Vec::new(),
            accounts: BTreeMap::new(),
            repeat: Repeat::default(),
            read_lag: Duration::ZERO,
            page_size: 40,
            settlement: Duration::from_secs(2 * HOUR),
            authorization_life: Duration::from_secs(7 * 24 * HOUR),
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

    /// Sets what a repeated creation gets.
    #[must_use]
    pub fn repeat(mut self, repeat: Repeat) -> Self {
        self.repeat = repeat;
        self
    }

    /// Sets how long reads lag behind.
    #[must_use]
    pub fn read_lag(mut self, lag: Duration) -> Self {
        self.read_lag = lag;
        self
    }

    /// Sets how many payments a page of the list has.
    #[must_use]
    pub fn page_size(mut self, size: usize) -> Self {
        self.page_size = size;
        self
    }
}
