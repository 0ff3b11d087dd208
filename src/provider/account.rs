//! Which account at which gateway.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::operation::stored_as_text;

/// The stable name of a gateway, in small letters: `stripe`, `adyen`, ...
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProviderName(&'static str);

impl ProviderName {
    /// A name: small ASCII letters, digits and dashes.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name as text.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Whether real money moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Real money.
    Live,
    /// The gateway's test mode or sandbox.
    Test,
}

stored_as_text!(Mode { Live = "live", Test = "test" });

/// An account at a gateway: what the first claim of an operation pins for its whole life.
///
/// It is made of public ids only. Two accounts are the same if their [`AccountId`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    provider: ProviderName,
    label: String,
    mode: Mode,
    base_url: String,
}

impl Account {
    /// An account. `label` is the gateway's own public id of it, or, where there is none that is
    /// known without a request, a name that the merchant gives and keeps.
    pub fn new(
        provider: ProviderName,
        label: impl Into<String>,
        mode: Mode,
        base_url: impl Into<String>,
    ) -> Self {
        let mut base_url = base_url.into();
        base_url.truncate(base_url.trim_end_matches('/').len());
        Self {
            provider,
            label: label.into(),
            mode,
            base_url,
        }
    }

    /// The gateway.
    pub const fn provider(&self) -> ProviderName {
        self.provider
    }

    /// The gateway's public id of the account, or the merchant's label.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Live or test.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Where its requests go, without a slash at the end.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The account as one text, as the ledger stores it.
    pub fn id(&self) -> AccountId {
        let Self {
            provider,
            label,
            mode,
            base_url,
        } = self;
        AccountId(format!("{provider}:{mode}:{label}@{base_url}"))
    }
}

/// An account as one text: `stripe:test:main@https://api.stripe.com`.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AccountId(String);

impl AccountId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An account from its text, as [`Account::id`] wrote it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether real money moves there. `None`: the text is none that [`Account::id`] wrote.
    pub fn mode(&self) -> Option<Mode> {
        self.0.split(':').nth(1).and_then(Mode::from_name)
    }
}

impl fmt::Debug for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
