//! One thread that owns a connection and works on it.
//!
//! SQLite has one writer at a time, so one thread writes; nothing waits for it on the async
//! runtime's own threads. The same type serves the reader beside it.

use std::fmt;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use crate::clock::BoxFuture;
use crate::error::LedgerError;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// A thread that owns a connection. It ends when this value is dropped, after its last job.
pub(super) struct Worker {
    jobs: Sender<Job>,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Worker(..)")
    }
}

impl Worker {
    /// Starts the thread.
    pub(super) fn start(name: &str, mut connection: Connection) -> Result<Self, LedgerError> {
        let (jobs, queue) = channel::<Job>();
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                for job in queue {
                    job(&mut connection);
                }
            })
            .map_err(|error| LedgerError::Failed {
                detail: error.to_string(),
            })?;
        Ok(Self { jobs })
    }

    /// Runs `job` on the connection.
    pub(super) fn read<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, LedgerError> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, LedgerError>> {
        self.run(move |connection| job(connection))
    }

    /// Runs `job` in a transaction, and answers only when it is committed. The transaction takes
    /// the write lock at once: one that reads first could fail when it wants to write.
    pub(super) fn transaction<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, LedgerError> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, LedgerError>> {
        self.run(move |connection| {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let answer = job(&tx)?;
            tx.commit()?;
            Ok(answer)
        })
    }

    fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Connection) -> Result<T, LedgerError> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, LedgerError>> {
        let (answer, answered) = oneshot::channel();
        // A caller that no longer waits has dropped its end; the job is done all the same.
        let job: Job = Box::new(move |connection| drop(answer.send(job(connection))));
        let queued = self.jobs.send(job);
        Box::pin(async move {
            queued.map_err(|_| LedgerError::Closed)?;
            answered.await.map_err(|_| LedgerError::Closed)?
        })
    }
}
