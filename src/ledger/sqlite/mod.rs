//! The embedded ledger: one SQLite file.
//!
//! | file | what it does |
//! |---|---|
//! | `open.rs` | which files are taken, how, and which are refused |
//! | `schema.sql` | the tables |
//! | `writer.rs`, `reader.rs` | one thread that writes, in batches, and one that reads |
//! | `thread.rs` | a thread with a queue, that ends before the ledger does |
//! | `write.rs` | claim, record, settle, within the writer's transaction |
//! | `time.rs` | what the ledger knows about its clock |
//! | `rows.rs` | rows to records and back |
//! | `people.rs` | what people do: withdraw, resolve, adopt, acknowledge, list |
//! | `payments.rs` | payments at the gateways, with all their names |
//! | `owner.rs` | the lock that tells a dead owner from a slow one |
//! | `turn.rs` | turns between the processes that write |
//! | `backup.rs` | a copy of the file while it is in use |
//! | `fault.rs` | what SQLite's errors mean |

mod backup;
mod fault;
mod open;
mod owner;
mod payments;
mod people;
mod reader;
mod rows;
mod thread;
mod time;
mod turn;
mod write;
mod writer;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::open::SqliteOptions;
use self::owner::Owner;
use self::reader::Reader;
use self::writer::Writer;
use super::{
    Alarm, Checked, Claim, Claimed, Decided, Desk, Filter, Learned, Ledger, NextStep, Owned,
    Record, Resolution, Settle, Settled, StepRequest, UnderPayment,
};
use crate::clock::{BoxFuture, Clock};
use crate::error::LedgerError;
use crate::operation::{Identity, OperationId, State};
use crate::payment::{Adopted, Payment};

/// A ledger in one SQLite file on a local disk, made for one host.
///
/// Several processes may open the same file. Every write is durable (`synchronous=FULL`) before
/// it is answered. The file has mode 0600.
///
/// ```no_run
/// use payonce::SqliteLedger;
///
/// let ledger = SqliteLedger::open("payments.db")?;
/// # Ok::<(), payonce::LedgerError>(())
/// ```
///
/// `Debug` shows the path only.
pub struct SqliteLedger {
    path: PathBuf,
    // The writer ends first: it can close the reader's connection.
    writer: Writer,
    reader: Reader,
    owner: Arc<Owner>,
    salt: [u8; 32],
    clock: Arc<dyn Clock>,
}

impl SqliteLedger {
    /// Opens a ledger. A missing file is created; its folder must exist.
    ///
    /// # Errors
    ///
    /// The file is not a ledger of ours, cannot be written, is damaged, or is of a newer schema.
    /// Nothing is repaired, recreated or sent then.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LedgerError> {
        SqliteOptions::new(path).open()
    }

    /// Opens a ledger that must exist already.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], and [`LedgerError::NotFound`] if there is no such file.
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self, LedgerError> {
        SqliteOptions::new(path).create(false).open()
    }
}

impl fmt::Debug for SqliteLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteLedger")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Ledger for SqliteLedger {
    fn fingerprint_salt(&self) -> [u8; 32] {
        self.salt
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        let (owner, clock) = (Arc::clone(&self.owner), Arc::clone(&self.clock));
        self.writer
            .write(move |tx| write::claim(tx, &claim, &owner, clock.as_ref()))
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.reader.read(move |connection| {
            let now = time::now(connection, clock.as_ref())?;
            let Some((_, record)) = rows::by_id(connection, id)? else {
                return Ok(None);
            };
            let doubtful = time::is_doubtful(connection, &record.account, now.at)?;
            Ok(Some(Checked::new(&record, doubtful, now)))
        })
    }

    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| write::record(tx, id, epoch, &learned, clock.as_ref()))
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| write::settle(tx, &settle, clock.as_ref()))
    }

    fn baseline(
        &self,
        id: OperationId,
        epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| write::baseline(tx, id, epoch, baseline, clock.as_ref()))
    }

    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| write::go_on(tx, id, epoch, &next, clock.as_ref()))
    }

    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| write::begin_close(tx, id, epoch, step, clock.as_ref()))
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.reader
            .read(move |connection| Ok(rows::by_id(connection, id)?.map(|(_, record)| record)))
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.reader.read(move |connection| {
            let attempts = rows::under_reference(connection, &identity)?.attempts;
            let of_attempt = |record: &Record| record.identity.attempt == identity.attempt;
            Ok(attempts.into_iter().find(of_attempt))
        })
    }

    fn desk(&self) -> &dyn Desk {
        self
    }
}

impl Desk for SqliteLedger {
    fn payment(
        &self,
        payment: Payment,
    ) -> BoxFuture<'_, Result<Option<UnderPayment>, LedgerError>> {
        self.reader.read(move |connection| {
            let root = payments::root_rid(connection, &payment)?;
            root.map(|rid| payments::under_root(connection, rid))
                .transpose()
        })
    }

    fn attempts(&self, identity: Identity) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        self.reader
            .read(move |connection| Ok(rows::under_reference(connection, &identity)?.attempts))
    }

    fn list(
        &self,
        tenant: String,
        filter: Filter,
    ) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        self.reader
            .read(move |connection| people::list(connection, &tenant, &filter))
    }

    fn tenants(&self, states: Vec<State>) -> BoxFuture<'_, Result<Vec<String>, LedgerError>> {
        self.reader
            .read(move |connection| people::tenants(connection, &states))
    }

    fn withdraw(
        &self,
        id: OperationId,
        tenant: String,
    ) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| people::withdrawn(tx, id, &tenant, clock.as_ref()))
    }

    fn resolve(&self, resolution: Resolution) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        let (owner, clock) = (Arc::clone(&self.owner), Arc::clone(&self.clock));
        self.writer
            .write(move |tx| people::resolved(tx, &resolution, &owner, clock.as_ref()))
    }

    fn adopt(
        &self,
        adopted: Adopted,
        tenant: String,
    ) -> BoxFuture<'_, Result<UnderPayment, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| people::adopt(tx, &adopted, &tenant, clock.as_ref()))
    }

    fn alarms(&self, tenant: String) -> BoxFuture<'_, Result<Vec<Alarm>, LedgerError>> {
        self.reader
            .read(move |connection| people::alarms(connection, &tenant))
    }

    fn acknowledge(
        &self,
        number: i64,
        tenant: String,
        who: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .write(move |tx| people::acknowledge(tx, number, &tenant, &who, clock.as_ref()))
    }
}

#[cfg(test)]
mod tests;
