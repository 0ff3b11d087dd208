//! A thread with a queue of its own.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use crate::error::LedgerError;

/// A thread that works off a queue. Dropping it waits until the thread has done what is queued and
/// closed its connection: only then is the file whole, and free.
pub(super) struct Thread<M> {
    queue: Option<Sender<M>>,
    handle: Option<JoinHandle<()>>,
}

impl<M: Send + 'static> Thread<M> {
    pub(super) fn start(
        name: &str,
        work: impl FnOnce(Receiver<M>) + Send + 'static,
    ) -> Result<Self, LedgerError> {
        let (sender, queue) = channel();
        let started = Builder::new()
            .name(name.to_owned())
            .spawn(move || work(queue));
        let handle = started.map_err(|error| LedgerError::Failed {
            detail: error.to_string(),
        })?;
        Ok(Self {
            queue: Some(sender),
            handle: Some(handle),
        })
    }

    pub(super) fn send(&self, message: M) -> Result<(), LedgerError> {
        let queue = self.queue.as_ref().ok_or(LedgerError::Closed)?;
        queue.send(message).map_err(|_| LedgerError::Closed)
    }

    /// Another end of the queue. The thread goes on until it is dropped as well.
    pub(super) fn sender(&self) -> Option<Sender<M>> {
        self.queue.clone()
    }
}

impl<M> Drop for Thread<M> {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(handle) = self.handle.take() {
            // A thread that panicked has ended as well.
            drop(handle.join());
        }
    }
}
