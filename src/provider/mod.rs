//! The seam between the engine and a gateway: what an adapter is and what it promises.
//!
//! An adapter is a set of pure functions: no I/O, no clock, no randomness, no memory. What it
//! needs comes as arguments; what it knows about its gateway is data with a source
//! ([`Rule`]). The adapter *classifies*, the engine *decides*.
//!
//! This module imports nothing from the engine, the ledger or the transport.

mod account;
mod amount;
mod call;
mod close;
mod key;
mod look_up;
mod message;
mod proceed;
mod rule;
#[cfg(feature = "client")]
#[cfg(test)]
pub(crate) mod testing;
mod verdict;

use std::fmt;
use std::time::SystemTime;

pub use self::account::{Account, AccountId, Mode, ProviderName};
pub use self::amount::{AmountError, AmountForm, AmountRule};
pub use self::call::{Call, Details, EncodeError};
pub use self::close::{Close, CloseReply, Closing};
pub use self::key::{Alphabet, IdempotencyKey, KeyFormat};
pub use self::look_up::{Baseline, Finding, LookUp, LookUpStep, Match, Query};
pub use self::message::{Request, Response, by_status, excerpt};
pub use self::proceed::{Proceed, ProceedInput, Proceeding, StepRule};
pub use self::rule::{Fact, OnRepeat, Placement, Retention, Rule, RuleSnapshot};
pub use self::verdict::{Advice, Echo, Effect, NextAction, PendingAt, Refusal, Ruling, Verdict};

use crate::operation::OperationKind;

/// A payment gateway, as seen by the engine.
///
/// Every function is pure and total: the same arguments give the same answer, and nothing panics
/// whatever bytes the gateway sends.
pub trait Provider: fmt::Debug + Send + Sync + 'static {
    /// The gateway's name. It is stored with every operation and never changes.
    fn name(&self) -> ProviderName;

    /// The account at the gateway. Holds public ids only, never a secret.
    fn account(&self) -> Account;

    /// What this gateway does with operations of a kind. `None`: it cannot do them.
    fn rule(&self, kind: OperationKind) -> Option<Rule>;

    /// Renders the request: once, without secrets, and the same bytes for the same arguments.
    ///
    /// # Errors
    ///
    /// What the gateway could not carry: the field, and what to do about it. Nothing is stored
    /// and nothing is sent then.
    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError>;

    /// Adds authentication to a request, before every send. What it adds is never stored.
    ///
    /// # Errors
    ///
    /// The secret cannot be used (it is empty, or no header can hold it). Nothing is sent then.
    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError>;

    /// What the gateway's reply says about the one send that it answers.
    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict;

    /// Whether the gateway reads this header (in small letters), so that a merchant's own one of the
    /// name could change what a request does. By default every name that begins with the gateway's.
    fn reads_header(&self, name: &str) -> bool {
        name.strip_prefix(self.name().as_str())
            .is_some_and(|rest| rest.starts_with('-'))
    }

    /// How to ask the gateway what became of an operation, if it can be asked.
    fn look_up(&self) -> Option<&dyn LookUp> {
        None
    }

    /// How to read a payment before an operation whose rule asks for a
    /// [`baseline`](Rule::baseline).
    fn baseline(&self) -> Option<&dyn Baseline> {
        None
    }

    /// How to go on with an operation of this kind after the customer acted, where that takes another
    /// request.
    fn proceed(&self, kind: OperationKind) -> Option<&dyn Proceed> {
        let _ = kind;
        None
    }

    /// How to end what a customer left open of an operation of this kind, if that can be ended. It
    /// needs a [look-up](Self::look_up), which shows what the operation came to.
    fn close(&self, kind: OperationKind) -> Option<&dyn Close> {
        let _ = kind;
        None
    }
}
