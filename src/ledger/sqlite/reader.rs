//! The thread that reads, beside the one that writes.

use std::sync::mpsc::{Sender, channel};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::fault::Fault;
use super::thread::Thread;
use super::writer::Connect;
use crate::clock::BoxFuture;
use crate::error::LedgerError;

type Job = Box<dyn FnOnce(Result<&Connection, LedgerError>) + Send>;

enum Message {
    Read(Job),
    /// Close the connection, say so, and open it again for the next read.
    Close(Sender<()>),
}

/// The thread that reads.
pub(super) struct Reader(Thread<Message>);

impl Reader {
    /// Starts the thread. It opens its connection itself, when it first needs it.
    pub(super) fn start(connect: Connect) -> Result<Self, LedgerError> {
        let thread = Thread::start("payonce-reader", move |queue| {
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
        })?;
        Ok(Self(thread))
    }

    /// Runs `work` on the connection.
    pub(super) fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, LedgerError>> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let done = connection.and_then(|open| Ok(work(open)?));
            drop(answer.send(done));
        });
        let queued = self.0.send(Message::Read(job));
        Box::pin(async move {
            queued?;
            answered.await.map_err(|_| LedgerError::Closed)?
        })
    }

    /// What closes the connection, and returns when it is closed. The next read opens it anew.
    pub(super) fn close_later(&self) -> Box<dyn Fn() + Send> {
        let messages = self.0.sender();
        Box::new(move || {
            let (closed, wait) = channel();
            let sent = messages
                .as_ref()
                .is_some_and(|m| m.send(Message::Close(closed)).is_ok());
            if sent {
                // If the thread is gone, so is its connection.
                wait.recv().ok();
            }
        })
    }
}
