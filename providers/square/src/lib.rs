#![doc = include_str!("../README.md")]
//!
//! It is a set of pure functions: it renders requests, reads replies, and holds what Square
//! documents about repeats. It sends nothing and decides nothing; `payonce` does both.
//!
//! ```
//! use payonce::provider::{Mode, Provider};
//! use payonce_square::Square;
//!
//! let square = Square::sandbox("L88917AVBK2S5", "EAAAExample");
//! assert_eq!(square.account().mode(), Mode::Test);
//! assert_eq!(square.account().label(), "L88917AVBK2S5");
//! ```

mod account;
mod amount;
mod baseline;
mod classify;
mod codes;
mod encode;
mod look_up;
mod rule;
mod wire;

use std::time::SystemTime;

use payonce::OperationKind;
use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, LookUp, Mode, Provider, ProviderName, Request,
    Response, Rule, Verdict,
};
use secrecy::SecretString;

/// A location of a seller at Square.
///
/// `Debug` shows no secret.
#[derive(Debug, Clone)]
pub struct Square {
    location: String,
    token: SecretString,
    mode: Mode,
    base_url: String,
}

impl Square {
    /// A location of the sandbox, at `https://connect.squareupsandbox.com`. `location` is its id and
    /// names the account in your ledger; `token` is the access token.
    pub fn sandbox(location: impl Into<String>, token: impl Into<SecretString>) -> Self {
        Self {
            location: location.into(),
            token: token.into(),
            mode: Mode::Test,
            base_url: "https://connect.squareupsandbox.com".to_owned(),
        }
    }

    /// A location that moves real money, at `https://connect.squareup.com`.
    pub fn live(location: impl Into<String>, token: impl Into<SecretString>) -> Self {
        Self {
            // An access token has no documented prefix that would tell, so the constructors do.
            mode: Mode::Live,
            base_url: "https://connect.squareup.com".to_owned(),
            ..Self::sandbox(location, token)
        }
    }

    /// Another address than that of the constructor, for tests.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }
}

impl Provider for Square {
    fn name(&self) -> ProviderName {
        ProviderName::new("square")
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
        classify::classify(call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        Some(self)
    }
}
