//! The embedded ledger: one SQLite file.
//!
//! | file | what it does |
//! |---|---|
//! | `open.rs` | which files are taken, how, and which are refused |
//! | `schema.sql` | the tables |
//! | `thread.rs` | one thread that writes, one that reads |
//! | `write.rs` | claim, record, settle: one transaction each |
//! | `rows.rs` | rows to records and back |
//! | `owner.rs` | the lock that tells a dead owner from a slow one |
//! | `fault.rs` | what SQLite's errors mean |

mod fault;
mod open;
mod owner;
mod rows;
mod thread;
mod write;

use std::path::Path;
use std::sync::Arc;

pub use self::open::SqliteOptions;
use self::owner::Owner;
use self::thread::Worker;
use super::{Checked, Claim, Claimed, Learned, Ledger, Record, Settle, Settled};
use crate::clock::{BoxFuture, Clock};
use crate::error::LedgerError;
use crate::operation::{Identity, OperationId};

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
#[derive(Debug)]
pub struct SqliteLedger {
    writer: Worker,
    reader: Worker,
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

impl Ledger for SqliteLedger {
    fn fingerprint_salt(&self) -> [u8; 32] {
        self.salt
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        let (owner, clock) = (Arc::clone(&self.owner), Arc::clone(&self.clock));
        self.writer
            .transaction(move |tx| write::claim(tx, &claim, &owner, clock.now()))
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.reader.read(move |connection| {
            let now = clock.now();
            let Some((_, record)) = rows::by_id(connection, id)? else {
                return Ok(None);
            };
            let doubtful = write::clock_doubtful(connection, &record.account, now)?;
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
            .transaction(move |tx| write::record(tx, id, epoch, &learned, clock.now()))
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        let clock = Arc::clone(&self.clock);
        self.writer
            .transaction(move |tx| write::settle(tx, &settle, clock.now()))
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.reader
            .read(move |connection| Ok(rows::by_id(connection, id)?.map(|(_, record)| record)))
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.reader.read(move |connection| {
            let mut stored = rows::under_reference(connection, &identity)?;
            Ok(stored
                .attempts
                .pop_if(|last| last.identity.attempt == identity.attempt))
        })
    }
}

#[cfg(test)]
mod tests;
