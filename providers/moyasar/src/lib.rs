#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what Moyasar
//! documents about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_moyasar::Moyasar;
//!
//! // The label is yours: it names the account in your ledger, so never change it.
//! let moyasar = Moyasar::new("main", "sk_test_Example");
//! assert_eq!(moyasar.account().mode(), Mode::Test);
//! assert_eq!(moyasar.account().id().as_str(), "moyasar:test:main@https://api.moyasar.com");
//! ```

mod account;
mod amount;
mod baseline;
mod classify;
mod encode;
mod look_up;
mod rule;
mod time;
mod wire;

use std::time::SystemTime;

use payonce::OperationKind;
use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, LookUp, Provider, ProviderName, Request,
    Response, Rule, Verdict,
};
use secrecy::SecretString;

/// A Moyasar account.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct Moyasar {
    label: String,
    secret: SecretString,
    base_url: String,
}

impl Moyasar {
    /// An account. `label` is your own stable name for it; `secret` is a secret key (`sk_...`).
    pub fn new(label: impl Into<String>, secret: impl Into<SecretString>) -> Self {
        Self {
            label: label.into(),
            secret: secret.into(),
            base_url: "https://api.moyasar.com".to_owned(),
        }
    }

    /// Another address than `https://api.moyasar.com`, for tests.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }
}

impl Provider for Moyasar {
    fn name(&self) -> ProviderName {
        ProviderName::new("moyasar")
    }

    fn account(&self) -> Account {
        account::of(self)
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        rule::of(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        encode::encode(call, details)
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
