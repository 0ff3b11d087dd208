#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what the platform
//! documents about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_hyperpay::HyperPay;
//!
//! let hyperpay = HyperPay::test("8ac7a4c98694e687018696fd2f2c0b71", "OGFjN2E0Yzk4Njk0fHRlc3Q=");
//! assert_eq!(hyperpay.account().mode(), Mode::Test);
//! assert_eq!(hyperpay.account().label(), "8ac7a4c98694e687018696fd2f2c0b71");
//! ```

mod account;
mod amount;
mod classify;
mod codes;
mod encode;
mod look_up;
mod rule;
mod wire;

use std::time::SystemTime;

use payonce::OperationKind;
use payonce::provider::{
    Account, Call, Details, EncodeError, LookUp, Mode, Provider, ProviderName, Request, Response,
    Rule, Verdict,
};
use secrecy::SecretString;

/// An entity (a channel) at HyperPay.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct HyperPay {
    entity_id: String,
    token: SecretString,
    mode: Mode,
    base_url: String,
}

impl HyperPay {
    /// An entity of the test platform, at `https://eu-test.oppwa.com`. `entity_id` names the
    /// account in your ledger; `token` is the access token.
    pub fn test(entity_id: impl Into<String>, token: impl Into<SecretString>) -> Self {
        Self::new(
            entity_id.into(),
            token.into(),
            Mode::Test,
            "https://eu-test.oppwa.com",
        )
    }

    /// An entity that moves real money, at `https://eu-prod.oppwa.com`.
    pub fn live(entity_id: impl Into<String>, token: impl Into<SecretString>) -> Self {
        Self::new(
            entity_id.into(),
            token.into(),
            Mode::Live,
            "https://eu-prod.oppwa.com",
        )
    }

    /// An access token has no prefix that would tell test from live, so the constructors do.
    fn new(entity_id: String, token: SecretString, mode: Mode, base_url: &str) -> Self {
        Self {
            entity_id,
            token,
            mode,
            base_url: base_url.to_owned(),
        }
    }

    /// Another address of the platform than the one of the constructor (`https://oppwa.com`,
    /// `https://test.oppwa.com`, one for tests). It belongs to the account, so never change it for
    /// an account in use.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }
}

impl Provider for HyperPay {
    fn name(&self) -> ProviderName {
        ProviderName::new("hyperpay")
    }

    fn account(&self) -> Account {
        account::of(self)
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        rule::of(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        encode::encode(self, call, details)
    }

    fn authorize(&self, request: &mut Request, _now: SystemTime) -> Result<(), EncodeError> {
        encode::authorize(&self.token, request)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        classify::classify(self.mode, call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }
}
