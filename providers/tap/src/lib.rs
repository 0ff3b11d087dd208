#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what Tap documents
//! about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_tap::Tap;
//!
//! // The label is yours: it names the account in your ledger, so never change it.
//! let tap = Tap::new("main", "sk_test_Example").return_url("https://shop.example/back");
//! assert_eq!(tap.account().mode(), Mode::Test);
//! assert_eq!(tap.account().id().as_str(), "tap:test:main@https://api.tap.company");
//! ```

mod account;
mod amount;
mod baseline;
mod classify;
mod encode;
mod look_up;
mod rule;
mod wire;

use std::time::{Duration, SystemTime};

use payonce::OperationKind;
use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, LookUp, Provider, ProviderName, Request,
    Response, Rule, Verdict,
};
use secrecy::SecretString;

/// A Tap account.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct Tap {
    label: String,
    secret: SecretString,
    base_url: String,
    return_url: Option<String>,
    key_life: Option<Duration>,
}

impl Tap {
    /// An account. `label` is your own stable name for it; `secret` is a secret key (`sk_...`).
    pub fn new(label: impl Into<String>, secret: impl Into<SecretString>) -> Self {
        Self {
            label: label.into(),
            secret: secret.into(),
            base_url: "https://api.tap.company".to_owned(),
            return_url: None,
            key_life: None,
        }
    }

    /// Another address than `https://api.tap.company`, for tests.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// Where customers come back to if an intent says nothing else. Captures need it too: a capture is
    /// a charge at Tap, and the intent of one has no such address.
    #[must_use]
    pub fn return_url(mut self, url: impl Into<String>) -> Self {
        self.return_url = Some(url.into());
        self
    }

    /// How long after the first send a repeat with the same key is allowed. It can only shorten
    /// the 23 hours of the [rule](Provider::rule).
    #[must_use]
    pub const fn key_life(mut self, life: Duration) -> Self {
        self.key_life = Some(life);
        self
    }
}

impl Provider for Tap {
    fn name(&self) -> ProviderName {
        ProviderName::new("tap")
    }

    fn account(&self) -> Account {
        account::of(self)
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        rule::of(kind, self.key_life)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        encode::encode(self, call, details)
    }

    fn authorize(&self, request: &mut Request, _now: SystemTime) -> Result<(), EncodeError> {
        encode::authorize(&self.secret, request)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        classify::classify(call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        Some(self)
    }
}
