#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what Adyen documents
//! about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_adyen::Adyen;
//!
//! let adyen = Adyen::live("AcmeECOM", "1797a841fbb37ca7-Acme", "AQE_example");
//! assert_eq!(adyen.account().mode(), Mode::Live);
//! assert_eq!(adyen.account().label(), "AcmeECOM");
//! ```

mod account;
mod amount;
mod classify;
mod encode;
mod proceed;
mod rule;
mod source;
mod wire;

use std::time::SystemTime;

use payonce::OperationKind;
use payonce::provider::{
    Account, Call, Details, EncodeError, Mode, Proceed, Provider, ProviderName, Request, Response,
    Rule, Verdict,
};
use secrecy::SecretString;

/// A merchant account at Adyen, in one region.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct Adyen {
    merchant_account: String,
    api_key: SecretString,
    mode: Mode,
    base_url: String,
}

impl Adyen {
    /// A merchant account of the test platform. Its name stands in your ledger.
    pub fn test(merchant_account: impl Into<String>, api_key: impl Into<SecretString>) -> Self {
        Self {
            merchant_account: merchant_account.into(),
            api_key: api_key.into(),
            mode: Mode::Test,
            base_url: account::TEST.to_owned(),
        }
    }

    /// A merchant account that moves real money. `prefix` stands in the Customer Area under
    /// "API URLs", and belongs to one region. Keys are not compared between regions, so payonce takes
    /// another prefix for another account.
    pub fn live(
        merchant_account: impl Into<String>,
        prefix: &str,
        api_key: impl Into<SecretString>,
    ) -> Self {
        Self {
            merchant_account: merchant_account.into(),
            api_key: api_key.into(),
            mode: Mode::Live,
            base_url: account::live(prefix),
        }
    }

    /// Another address than the one of the constructor, for tests. It belongs to the account, so never
    /// change it for an account in use.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }
}

impl Provider for Adyen {
    fn name(&self) -> ProviderName {
        ProviderName::new("adyen")
    }

    fn account(&self) -> Account {
        account::of(self)
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        rule::of(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        encode::encode(&self.merchant_account, call, details)
    }

    fn authorize(&self, request: &mut Request, _now: SystemTime) -> Result<(), EncodeError> {
        encode::authorize(&self.api_key, request)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        classify::classify(call, classify::Step::First(call.key), reply)
    }

    fn proceed(&self, kind: OperationKind) -> Option<&dyn Proceed> {
        encode::pays(kind).then_some(self as &dyn Proceed)
    }
}
