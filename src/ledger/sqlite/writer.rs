//! The one thread that writes.
//!
//! SQLite has one writer at a time. Jobs that wait together are written together: one
//! transaction, one sync, and only then are their callers answered. There is no timer; an idle
//! ledger commits at once.
//!
//! **One bad row must not lie for its batch.** Each job runs within a savepoint, so its own
//! failure takes back its own writes only. Some failures (a full disk) end the whole transaction,
//! and what ran after them would be written outside of it: then the batch stops, and nobody in it
//! is told that anything is durable. A COMMIT that fails leaves open whether it is: nobody is told
//! so either, and every connection is closed and made anew, so that what is read back is what a
//! new process would find.

use std::sync::mpsc::Receiver;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use super::fault::Fault;
use super::thread::Thread;
use super::turn::Turn;
use crate::clock::BoxFuture;
use crate::error::LedgerError;

/// The most jobs of one transaction. Beyond some 64 the pages are the limit, and not the sync.
const BATCH: usize = 256;

/// How a connection is made.
pub(super) type Connect = Box<dyn Fn() -> Result<Connection, LedgerError> + Send>;

/// The thread that writes.
pub(super) struct Writer(Thread<Box<dyn Job>>);

impl Writer {
    /// Starts the thread on a connection. `close_others` closes every other connection of ours;
    /// `turn` is where the processes of this file queue.
    pub(super) fn start(
        connection: Connection,
        connect: Connect,
        close_others: Box<dyn Fn() + Send>,
        turn: Turn,
    ) -> Result<Self, LedgerError> {
        let mut batches = Batches {
            connection: Ok(connection),
            connect,
            close_others,
        };
        let thread = Thread::start("payonce-writer", move |queue| batches.run(&queue, &turn))?;
        Ok(Self(thread))
    }

    /// Runs `work` in a transaction, and answers only when it is committed.
    pub(super) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, LedgerError>> {
        let (answer, answered) = oneshot::channel();
        let queued = self.0.send(Box::new(Typed {
            work: Some(work),
            done: None,
            answer: Some(answer),
        }));
        Box::pin(async move {
            queued?;
            answered.await.map_err(|_| LedgerError::Closed)?
        })
    }
}

/// One write, with its caller.
pub(super) trait Job: Send {
    /// Does it, within the batch's transaction. After an error none of its writes may stay.
    fn work(&mut self, connection: &Connection) -> Result<(), LedgerError>;

    /// Tells the caller: what the work said if the batch is durable, else why it is not.
    fn answer(&mut self, durable: Result<(), LedgerError>);
}

struct Typed<T, F> {
    work: Option<F>,
    done: Option<Result<T, LedgerError>>,
    answer: Option<oneshot::Sender<Result<T, LedgerError>>>,
}

impl<T, F> Job for Typed<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, Fault> + Send,
{
    fn work(&mut self, connection: &Connection) -> Result<(), LedgerError> {
        let Some(work) = self.work.take() else {
            return Ok(());
        };
        match self
            .done
            .insert(work(connection).map_err(LedgerError::from))
        {
            Ok(_) => Ok(()),
            Err(error) => Err(error.clone()),
        }
    }

    fn answer(&mut self, durable: Result<(), LedgerError>) {
        let told = match (durable, self.done.take()) {
            // A failure of its own is nobody else's: nothing of it was written.
            (_, Some(Err(own))) => Err(own),
            (Ok(()), Some(done)) => done,
            (Ok(()), None) => Err(LedgerError::Closed),
            (Err(error), _) => Err(error),
        };
        if let Some(answer) = self.answer.take() {
            // A caller that no longer waits has dropped its end; the row is there all the same.
            drop(answer.send(told));
        }
    }
}

/// What the thread does.
struct Batches {
    /// The connection, or why there is none.
    connection: Result<Connection, LedgerError>,
    connect: Connect,
    close_others: Box<dyn Fn() + Send>,
}

impl Batches {
    fn run(&mut self, queue: &Receiver<Box<dyn Job>>, turn: &Turn) {
        while let Ok(first) = queue.recv() {
            // What arrives while another process has its turn goes into the same batch.
            let turn = turn.take();
            let mut batch = vec![first];
            while batch.len() < BATCH
                && let Ok(next) = queue.try_recv()
            {
                batch.push(next);
            }
            let durable = self.write(&mut batch);
            drop(turn);
            for job in &mut batch {
                job.answer(durable.clone());
            }
        }
    }

    /// Writes a batch. An error means that none of it may be taken for durable.
    fn write(&mut self, batch: &mut [Box<dyn Job>]) -> Result<(), LedgerError> {
        if self.connection.is_err() {
            self.connection = (self.connect)();
        }
        let connection = self.connection.as_mut().map_err(|error| error.clone())?;
        match commit(connection, batch) {
            Ok(()) => Ok(()),
            Err(Failure::TakenBack(error)) => {
                if !connection.is_autocommit() {
                    // It could not be taken back on this connection; closing it does.
                    self.connection = Err(error.clone());
                }
                Err(error)
            }
            Err(Failure::InDoubt(error)) => {
                // Whether it is durable is not known. Only when nobody has the file open does
                // SQLite read its log anew, so the reader must let go as well.
                self.connection = Err(error.clone());
                (self.close_others)();
                self.connection = (self.connect)();
                Err(error)
            }
        }
    }
}

/// Why a batch is not written.
enum Failure {
    /// Nothing of it is.
    TakenBack(LedgerError),
    /// It may be.
    InDoubt(LedgerError),
}

fn commit(connection: &mut Connection, batch: &mut [Box<dyn Job>]) -> Result<(), Failure> {
    let taken_back = |error: rusqlite::Error| Failure::TakenBack(Fault::from(error).into());
    let mut tx = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(taken_back)?;
    for job in batch {
        let mut savepoint = tx.savepoint().map_err(taken_back)?;
        match job.work(&savepoint) {
            Ok(()) => savepoint.commit().map_err(taken_back)?,
            // The transaction is gone, with everything before it.
            Err(error) if savepoint.is_autocommit() => return Err(Failure::TakenBack(error)),
            Err(_) => {
                savepoint.rollback().map_err(taken_back)?;
                savepoint.commit().map_err(taken_back)?;
            }
        }
    }
    tx.commit()
        .map_err(|error| Failure::InDoubt(Fault::from(error).into()))
}
