#![cfg_attr(
    all(feature = "sqlite", feature = "reqwest"),
    doc = include_str!("../README.md")
)]
//!
//! # Where to look
//!
//! - `Client` carries out an [`Intent`]; [`Outcome`] and [`Error`] are its answers.
//! - `SqliteLedger` is where operations are stored, `ledger` what a ledger is.
//! - [`provider`] is what an adapter implements.
//! - `transport` carries the bytes.
//! - `conformance` checks adapters.
//!
//! Spans and metrics have stable names: the span of an operation is `payonce.operation`, with
//! `operation`, `kind`, `attempt` and `account`; the counters are `payonce_sends_total`,
//! `payonce_look_ups_total`, `payonce_closes_total`, `payonce_outcomes_total`, `payonce_alarms_total`,
//! `payonce_unrecorded_total` and `payonce_busy_total`. None holds a secret, a token, a URL query
//! or a body.

// The modules stand in the order of the data path.

#[cfg(feature = "client")]
mod client;

mod intent;
mod money;
mod operation;
mod payment;

#[cfg(feature = "client")]
mod engine;

#[cfg(feature = "client")]
mod machine;

pub mod provider;

#[cfg(feature = "client")]
pub mod ledger;

#[cfg(feature = "client")]
pub mod transport;

#[cfg(feature = "conformance")]
pub mod conformance;

mod outcome;

mod clock;
mod error;

#[cfg(feature = "client")]
pub use client::{Client, ClientBuilder, Operation};
#[cfg(feature = "client")]
pub use clock::SystemClock;
pub use clock::{BoxFuture, Clock, Timestamp};
#[cfg(feature = "client")]
#[doc(hidden)]
pub use engine::Fresh;
#[cfg(feature = "client")]
pub use engine::{Jitter, KeySource, Namespace, Policy};
pub use error::{Error, LedgerError};
pub use intent::{
    Authorize, Capture, Charge, Customer, Intent, Kind, Pays, Problem, Refund, Source, SourceKind,
    Void,
};
#[cfg(feature = "client")]
pub use ledger::{Alarm, AlarmKind, Decision, Filter};
#[cfg(feature = "sqlite")]
pub use ledger::{SqliteLedger, SqliteOptions};
pub use money::{Currency, Money, MoneyError};
pub use operation::{Family, Identity, InvalidOperationId, OperationId, OperationKind, State};
pub use outcome::{
    Action, Decline, Doubt, NoEffect, NoEffectReason, OperationSummary, Outcome, Pending,
    PendingReason, Receipt, Rejection, Reversal, Unknown, UnsentReason,
};
pub use payment::{Adopted, Payment};
pub use provider::{AccountId, IdempotencyKey, ProceedInput, Provider};
#[cfg(feature = "reqwest")]
pub use transport::{ReqwestTransport, ReqwestTransportBuilder};
