//! Where a flight posts how far it is, and its callers read it: in the order in which they came.
//!
//! A `watch` channel wakes those who wait in an order of its own, drawn at random. Then which of
//! two callers goes on first differs from run to run, and a failing run could not be repeated.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The end that posts. When it is dropped nothing more is posted.
pub(super) struct Post<T>(Board<T>);

/// The end that reads.
pub(super) struct Board<T>(Arc<Shared<T>>);

struct Shared<T> {
    posted: Mutex<Posted<T>>,
    changed: Notify,
}

struct Posted<T> {
    value: T,
    gone: bool,
}

/// Whether what was waited for is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// It is.
    Yes,
    /// It is not, and nothing more is posted.
    Gone,
}

impl<T> Post<T> {
    pub(super) fn new(value: T) -> Self {
        let posted = Mutex::new(Posted { value, gone: false });
        let changed = Notify::new();
        Self(Board(Arc::new(Shared { posted, changed })))
    }

    pub(super) fn board(&self) -> Board<T> {
        self.0.clone()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.0.posted().value);
        self.0.shared().changed.notify_waiters();
    }
}

impl<T> Drop for Post<T> {
    fn drop(&mut self) {
        self.0.posted().gone = true;
        self.0.shared().changed.notify_waiters();
    }
}

impl<T> Board<T> {
    fn shared(&self) -> &Shared<T> {
        &self.0
    }

    fn posted(&self) -> MutexGuard<'_, Posted<T>> {
        self.0.posted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn read<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.posted().value)
    }

    /// Waits until it is so far, or nothing more is posted.
    pub(super) async fn wait_for(&self, so_far: impl Fn(&T) -> bool) -> Reached {
        loop {
            // Asked for before the look, so that nothing is missed between the two.
            let changed = self.0.changed.notified();
            if let Some(reached) = self.look(&so_far) {
                return reached;
            }
            changed.await;
        }
    }

    fn look(&self, so_far: impl Fn(&T) -> bool) -> Option<Reached> {
        let posted = self.posted();
        if so_far(&posted.value) {
            return Some(Reached::Yes);
        }
        posted.gone.then_some(Reached::Gone)
    }
}

impl<T> Clone for Board<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Post<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Post(..)")
    }
}

impl<T> fmt::Debug for Board<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Board(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever came first goes on first, however often the run is repeated.
    #[tokio::test]
    async fn those_who_wait_go_on_in_the_order_in_which_they_came() {
        for _ in 0..20 {
            let post = Post::new(0);
            let woken = Arc::new(Mutex::new(Vec::new()));
            let waiting = (0..6).map(|name| {
                let (board, woken) = (post.board(), Arc::clone(&woken));
                tokio::spawn(async move {
                    assert_eq!(board.wait_for(|value| *value == 1).await, Reached::Yes);
                    woken.lock().unwrap().push(name);
                })
            });
            let waiting: Vec<_> = waiting.collect();
            tokio::task::yield_now().await;
            post.change(|value| *value = 1);
            for task in waiting {
                task.await.unwrap();
            }
            assert_eq!(*woken.lock().unwrap(), [0, 1, 2, 3, 4, 5]);
        }
    }

    #[tokio::test]
    async fn who_waits_hears_that_nothing_more_comes() {
        let post = Post::new(0);
        let board = post.board();
        let waiting = tokio::spawn(async move { board.wait_for(|value| *value == 1).await });
        tokio::task::yield_now().await;
        drop(post);
        assert_eq!(waiting.await.unwrap(), Reached::Gone);
    }
}
