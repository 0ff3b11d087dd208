#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what Stripe
//! documents about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_stripe::Stripe;
//!
//! // The label is yours: it names the account in your ledger, so never change it.
//! let stripe = Stripe::new("main", "sk_test_51Example");
//! assert_eq!(stripe.account().mode(), Mode::Test);
//! assert_eq!(stripe.account().id().as_str(), "stripe:test:main@https://api.stripe.com");
//! ```

mod account;
mod amount;
mod classify;
mod close;
mod encode;
mod look_up;
mod rule;
mod wire;

use std::time::{Duration, SystemTime};

use payonce::OperationKind;
use payonce::provider::{
    Account, Call, Close, Details, EncodeError, LookUp, Provider, ProviderName, Request, Response,
    Rule, Verdict,
};
use secrecy::SecretString;

/// A Stripe account.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct Stripe {
    label: String,
    secret: SecretString,
    base_url: String,
    key_life: Option<Duration>,
    connected_account: Option<String>,
}

impl Stripe {
    /// An account. `label` is your own stable name for it; `secret` is a secret or restricted key
    /// (`sk_...`, `rk_...`).
    pub fn new(label: impl Into<String>, secret: impl Into<SecretString>) -> Self {
        Self {
            label: label.into(),
            secret: secret.into(),
            base_url: "https://api.stripe.com".to_owned(),
            key_life: None,
            connected_account: None,
        }
    }

    /// Another address than `https://api.stripe.com`, for tests.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// How long after the first send a repeat with the same key is allowed. It can only shorten
    /// the 23 hours of the [rule](Provider::rule).
    #[must_use]
    pub const fn key_life(mut self, life: Duration) -> Self {
        self.key_life = Some(life);
        self
    }

    /// Acts as a connected account (`acct_...`), by the header `Stripe-Account`:
    /// <https://docs.stripe.com/connect/authentication>.
    ///
    /// It becomes part of the account's label, since keys are then in its scope.
    #[must_use]
    pub fn connected_account(mut self, id: impl Into<String>) -> Self {
        self.connected_account = Some(id.into());
        self
    }
}

impl Provider for Stripe {
    fn name(&self) -> ProviderName {
        ProviderName::new("stripe")
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

    fn close(&self, kind: OperationKind) -> Option<&dyn Close> {
        match kind {
            OperationKind::Charge | OperationKind::Authorize => Some(self),
            OperationKind::Capture | OperationKind::Refund | OperationKind::Void | _ => None,
        }
    }
}
