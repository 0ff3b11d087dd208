#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what PayTabs
//! documents about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_paytabs::{PayTabs, Region};
//!
//! let paytabs = PayTabs::test(Region::SaudiArabia, 987_654, "SXJ9TEST00-Example-Key");
//! assert_eq!(paytabs.account().mode(), Mode::Test);
//! assert_eq!(paytabs.account().id().as_str(), "paytabs:test:987654@https://secure.paytabs.sa");
//! ```

mod amount;
mod classify;
mod codes;
mod encode;
mod look_up;
mod region;
mod rule;
mod wire;

use std::time::SystemTime;

use payonce::OperationKind;
use payonce::provider::{
    Account, Call, Details, EncodeError, LookUp, Mode, Provider, ProviderName, Request, Response,
    Rule, Verdict,
};
use secrecy::SecretString;

pub use crate::region::Region;

/// A profile at PayTabs.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct PayTabs {
    profile_id: u64,
    server_key: SecretString,
    mode: Mode,
    base_url: String,
}

impl PayTabs {
    /// A test profile. `profile_id` names the account in your ledger; `server_key` is its secret.
    pub fn test(region: Region, profile_id: u64, server_key: impl Into<SecretString>) -> Self {
        Self::new(region, profile_id, server_key.into(), Mode::Test)
    }

    /// A profile that moves real money.
    pub fn live(region: Region, profile_id: u64, server_key: impl Into<SecretString>) -> Self {
        Self::new(region, profile_id, server_key.into(), Mode::Live)
    }

    /// Test and live profiles have the same address, and no page says that a key tells which it is
    /// of. So the constructors do.
    fn new(region: Region, profile_id: u64, server_key: SecretString, mode: Mode) -> Self {
        Self {
            profile_id,
            server_key,
            mode,
            base_url: region.base_url().to_owned(),
        }
    }

    /// Another address than that of the region (`https://secure.cuzdan.az`, one for tests). It
    /// belongs to the account, so never change it for an account in use.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }
}

impl Provider for PayTabs {
    fn name(&self) -> ProviderName {
        ProviderName::new("paytabs")
    }

    fn account(&self) -> Account {
        let profile = self.profile_id.to_string();
        Account::new(self.name(), profile, self.mode, self.base_url.as_str())
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        rule::of(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        encode::encode(self, call, details)
    }

    fn authorize(&self, request: &mut Request, _now: SystemTime) -> Result<(), EncodeError> {
        encode::authorize(&self.server_key, request)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        classify::classify(self.mode, call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }
}
