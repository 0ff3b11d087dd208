//! Settings of the simulated gateway.

use std::collections::BTreeMap;
use std::time::Duration;

/// Settings of the simulated gateway.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// The server keys that are accepted. Empty: every one that does not begin with `invalid`.
    pub keys: Vec<String>,
    /// The server key that each profile belongs to. A profile that is not here goes with every key.
    pub profiles: BTreeMap<u64, String>,
    /// Whether its profiles are live: references do not begin with `TST` then.
    pub live: bool,
    /// How long an equal request is refused (P4). After that it is another payment.
    pub duplicate_window: Duration,
    /// Whether captures, refunds and voids are guarded as well. No page says so.
    pub guards_all: bool,
    /// Whether the query by `cart_id` finds pages only: no page says that it finds more.
    pub finds_pages_only: bool,
    /// How long a new transaction stays invisible to the query. How long it is really is not
    /// documented.
    pub query_lag: Duration,
    /// How long a page can be paid. That there is an end is known (P4), its time is not.
    pub page_life: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            profiles: BTreeMap::new(),
            live: false,
            duplicate_window: Duration::from_secs(120),
            guards_all: false,
            finds_pages_only: false,
            query_lag: Duration::ZERO,
            page_life: Duration::from_secs(30 * 60),
        }
    }
}

impl Config {
    /// Accepts this server key, and from then on only those that were named.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.keys.push(key.to_owned());
        self
    }

    /// Says which server key a profile belongs to.
    #[must_use]
    pub fn profile(mut self, profile: u64, key: &str) -> Self {
        self.profiles.insert(profile, key.to_owned());
        self
    }

    /// Plays live profiles.
    #[must_use]
    pub fn live(mut self) -> Self {
        self.live = true;
        self
    }

    /// Guards captures, refunds and voids as well.
    #[must_use]
    pub fn guard_all(mut self) -> Self {
        self.guards_all = true;
        self
    }

    /// Has the query by `cart_id` find pages only.
    #[must_use]
    pub fn find_pages_only(mut self) -> Self {
        self.finds_pages_only = true;
        self
    }

    /// Sets how long the query lags behind.
    #[must_use]
    pub fn query_lag(mut self, lag: Duration) -> Self {
        self.query_lag = lag;
        self
    }
}
