//! The thread that reads, beside the one that writes.

use std::fmt;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::writer::Connect;
use crate::clock::BoxFuture;
use crate::error::LedgerError;

type Job = Box<dyn FnOnce(Result<&Connection, LedgerError>) + Send>;

enum Message {
    Read(Job),
    /// Close the connection, say so, and open it again for the next read.
    Close(Sender<()>),
}

/// The thread that reads. It ends when the last of these is dropped, after its last job.
#[derive(Clone)]
pub(super) struct Reader {
    messages: Sender<Message>,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader(..)")
    }
}

impl Reader {
    /// Starts the thread. It opens its connection itself, when it first needs it.
    pub(super) fn start(connect: Connect) -> Result<Self, LedgerError> {
        let (messages, queue) = channel::<Message>();
        let read = move || {
            let mut connection: Option<Connection> = None;
            for message in queue {
                match message {
                    Message::Read(job) => {
                        if connection.is_none() {
                            match connect() {
                                Ok(opened) => connection = Some(opened),
                                Err(error) => {
                                    job(Err(error));
                                    continue;
                                }
                            }
                        }
                        job(connection.as_ref().ok_or(LedgerError::Closed));
                    }
                    Message::Close(closed) => {
                        connection = None;
                        // A writer that no longer waits is gone.
                        closed.send(()).ok();
                    }
                }
            }
        };
        thread::Builder::new()
            .name("payonce-reader".to_owned())
            .spawn(read)
            .map_err(|error| LedgerError::Failed {
                detail: error.to_string(),
            })?;
        Ok(Self { messages })
    }

    /// Runs `work` on the connection.
    pub(super) fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, LedgerError> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, LedgerError>> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| drop(answer.send(connection.and_then(work))));
        let queued = self.messages.send(Message::Read(job));
        Box::pin(async move {
            queued.map_err(|_| LedgerError::Closed)?;
            answered.await.map_err(|_| LedgerError::Closed)?
        })
    }

    /// Closes the connection, and returns when it is closed.
    pub(super) fn reopen(&self) {
        let (closed, wait) = channel();
        if self.messages.send(Message::Close(closed)).is_ok() {
            // If the thread is gone, so is its connection.
            wait.recv().ok();
        }
    }
}
