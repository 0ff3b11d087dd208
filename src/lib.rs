//! placeholder front page

mod intent;
mod money;
mod operation;
mod outcome;

pub mod provider;

#[cfg(feature = "client")]
mod machine;

#[cfg(feature = "client")]
pub mod ledger;

#[cfg(feature = "client")]
pub mod transport;

#[cfg(feature = "client")]
mod client;

#[cfg(feature = "client")]
mod engine;

mod clock;
mod error;

#[cfg(feature = "client")]
pub use client::{Client, ClientBuilder};
#[cfg(feature = "client")]
pub use clock::SystemClock;
pub use clock::{BoxFuture, Clock, Timestamp};
#[cfg(feature = "client")]
pub use engine::{Jitter, KeySource, Policy};
pub use error::{Error, LedgerError};
pub use intent::{Charge, Intent, Kind, Problem, Source};
#[cfg(feature = "sqlite")]
pub use ledger::{SqliteLedger, SqliteOptions};
pub use money::{Currency, Money, MoneyError};
pub use operation::{Family, Identity, InvalidOperationId, OperationId, OperationKind, State};
pub use outcome::{
    Action, Decline, Doubt, NoEffect, NoEffectReason, OperationSummary, Outcome, Pending,
    PendingReason, Receipt, Rejection, Reversal, Unknown,
};
pub use provider::{AccountId, IdempotencyKey, Provider};
#[cfg(feature = "reqwest")]
pub use transport::{ReqwestTransport, ReqwestTransportBuilder};
