#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what the gateway
//! documents about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_aps::{Aps, Keys};
//!
//! let aps = Aps::test("CycHZxVj", Keys::new("access code", "request phrase", "response phrase"));
//! assert_eq!(aps.account().mode(), Mode::Test);
//! assert_eq!(aps.account().label(), "CycHZxVj");
//! ```

mod amount;
mod baseline;
mod classify;
mod codes;
mod encode;
mod look_up;
mod rule;
mod sign;
mod wire;

use std::time::SystemTime;

use payonce::OperationKind;
use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, LookUp, Mode, Provider, ProviderName, Request,
    Response, Rule, Verdict,
};

pub use self::sign::Keys;

/// A merchant account at Amazon Payment Services.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct Aps {
    merchant_identifier: String,
    keys: Keys,
    mode: Mode,
    base_url: String,
}

impl Aps {
    /// An account of the sandbox, at `https://sbpaymentservices.payfort.com`.
    /// `merchant_identifier` names the account in your ledger.
    pub fn test(merchant_identifier: impl Into<String>, keys: Keys) -> Self {
        let url = "https://sbpaymentservices.payfort.com";
        Self::new(merchant_identifier.into(), keys, Mode::Test, url)
    }

    /// An account that moves real money, at `https://paymentservices.payfort.com`.
    pub fn live(merchant_identifier: impl Into<String>, keys: Keys) -> Self {
        let url = "https://paymentservices.payfort.com";
        Self::new(merchant_identifier.into(), keys, Mode::Live, url)
    }

    /// Nothing in the keys tells the sandbox from real money, so the constructors do.
    fn new(merchant_identifier: String, keys: Keys, mode: Mode, base_url: &str) -> Self {
        Self {
            merchant_identifier,
            keys,
            mode,
            base_url: base_url.to_owned(),
        }
    }

    /// Another address than that of the constructor, for tests.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }
}

impl Provider for Aps {
    fn name(&self) -> ProviderName {
        ProviderName::new("aps")
    }

    fn account(&self) -> Account {
        let label = self.merchant_identifier.as_str();
        Account::new(self.name(), label, self.mode, self.base_url.as_str())
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        rule::of(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        encode::encode(self, call, details)
    }

    fn authorize(&self, request: &mut Request, _now: SystemTime) -> Result<(), EncodeError> {
        sign::authorize(&self.keys, request)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        classify::classify(&self.keys, call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        Some(self)
    }
}
