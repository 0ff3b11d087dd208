//! The ledger: what is written before anything is sent, and what is known since.
//!
//! `SqliteLedger` is the embedded one, and [`MemoryLedger`] one for tests. Their rules are pure functions here ([`admit`], [`apply`]),
//! so that every ledger decides alike; a ledger reads rows, asks, and writes, in one transaction.
//!
//! This module imports nothing from the engine or the transport.

mod claim;
#[cfg(feature = "conformance")]
pub mod conformance;
mod decision;
mod guard;
mod memory;
mod record;
mod seen_right;
mod settle;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(test)]
pub(crate) mod testing;
mod view;

use std::fmt;

pub use self::claim::{
    Admission, Claim, Claimed, NextStep, Owned, Refused, STEP_BACK, UnderReference, admit,
};
pub use self::decision::{Decided, Decision, Resolution, resolve, withdraw};
pub use self::guard::{Asked, Guarded, Totals, UnderPayment, guard};
pub use self::memory::{MemoryLedger, MemoryStore};
pub use self::record::{
    DateSeen, Exchange, Fingerprint, Further, Lease, Moment, OwnerId, Purpose, Record, Rendered,
    Standing, StepRequest,
};
pub use self::seen_right::SeenRight;
pub use self::settle::{Change, Learned, Settle, Settled, apply};
#[cfg(feature = "sqlite")]
pub use self::sqlite::{SqliteLedger, SqliteOptions};
pub use self::view::{Alarm, Filter};
pub use crate::machine::{AlarmKind, Conclusion};
pub use crate::outcome::UnsentReason;

use crate::clock::{BoxFuture, Timestamp};
use crate::error::LedgerError;
use crate::operation::{Identity, OperationId, State};
use crate::payment::{Adopted, Payment};

/// Where operations are stored. Every answer is given only when what it says is durable.
///
/// The trait is open so that tests can wrap a ledger. It is not covered by semantic versioning
/// before 1.0.
pub trait Ledger: fmt::Debug + Send + Sync + 'static {
    /// 32 random bytes that were made with the ledger. Sources are hashed with them.
    fn fingerprint_salt(&self) -> [u8; 32];

    /// Claims an operation: decides by [`admit`], and stores the row and its rendered request
    /// before it answers.
    ///
    /// An error means that the claim may or may not be stored: read it back.
    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>>;

    /// What a send must know about its operation right before it leaves.
    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>>;

    /// Writes what was learned under a claim that goes on. Written twice it counts once.
    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>>;

    /// Ends a claim: decides by [`apply`], fenced by the epoch.
    ///
    /// An error means that the settlement may or may not be stored; it can be given again.
    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>>;

    /// Stores what the gateway said of a payment before the first send of an operation that has no
    /// key there: fenced by the epoch, and only once. `false`: it was not stored, so nothing may be
    /// sent.
    fn baseline(
        &self,
        id: OperationId,
        epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>>;

    /// Goes on to a further step, stored before it is sent: fenced by the epoch, and only from an
    /// action that the customer has. `None`: nothing was stored, so nothing may be sent.
    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>>;

    /// Stores a step that ends what a customer left open, before it is sent: fenced by the epoch. If
    /// one is stored that may still take effect, that one is the answer. `None`: nothing was stored,
    /// so nothing may be sent.
    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>>;

    /// Reads one operation.
    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>>;

    /// Reads the operation with this identity.
    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>>;

    /// What people ask of it.
    fn desk(&self) -> &dyn Desk;
}

/// What people ask of a ledger, beside the drives: lists, decisions, payments.
pub trait Desk: fmt::Debug + Send + Sync {
    /// Reads a payment, by its own id or that of a capture, refund or void of it.
    fn payment(&self, payment: Payment)
    -> BoxFuture<'_, Result<Option<UnderPayment>, LedgerError>>;

    /// Reads every attempt under the reference of this identity, in rising order.
    fn attempts(&self, identity: Identity) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>>;

    /// Lists a tenant's operations, in the order of their making.
    fn list(
        &self,
        tenant: String,
        filter: Filter,
    ) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>>;

    /// The tenants that have operations in one of these states, each once, in the order of their
    /// names. Operations without a tenant have the empty one.
    fn tenants(&self, states: Vec<State>) -> BoxFuture<'_, Result<Vec<String>, LedgerError>>;

    /// Ends an operation by hand: decides by [`withdraw`].
    fn withdraw(
        &self,
        id: OperationId,
        tenant: String,
    ) -> BoxFuture<'_, Result<Decided, LedgerError>>;

    /// Settles an operation by a person's evidence: decides by [`resolve`], and ends the freeze of
    /// its reference.
    fn resolve(&self, resolution: Resolution) -> BoxFuture<'_, Result<Decided, LedgerError>>;

    /// Stores a payment that was made without payonce, for a tenant. Of one that is known, by its
    /// own id or another's, it changes nothing: what is stored is the answer.
    fn adopt(
        &self,
        adopted: Adopted,
        tenant: String,
    ) -> BoxFuture<'_, Result<UnderPayment, LedgerError>>;

    /// The alarms of a tenant's operations that nobody acknowledged.
    fn alarms(&self, tenant: String) -> BoxFuture<'_, Result<Vec<Alarm>, LedgerError>>;

    /// Notes who saw an alarm. `false`: there is no such open alarm.
    fn acknowledge(
        &self,
        number: i64,
        tenant: String,
        who: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>>;
}

/// What a send must know about its operation right before it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The epoch that is stored now.
    pub epoch: i64,
    /// The reference is frozen.
    pub frozen: bool,
    /// Until when it may be sent.
    pub send_until: Timestamp,
    /// It may only be looked up.
    pub look_up_only: bool,
    /// The clock cannot be trusted for the age of this operation's key.
    pub clock_doubtful: bool,
    /// The ledger's time.
    pub now: Moment,
}

impl Checked {
    /// What a send must know, from its parts.
    pub const fn new(record: &Record, clock_doubtful: bool, now: Moment) -> Self {
        Self {
            epoch: record.epoch,
            frozen: record.frozen,
            send_until: record.send_until,
            look_up_only: record.look_up_only,
            clock_doubtful,
            now,
        }
    }
}
