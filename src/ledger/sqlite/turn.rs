//! Turns between the processes that write to one file.
//!
//! SQLite lets one process write at a time and the others try again, each by its own clock: of two
//! busy processes one can wait for seconds. Here they queue at a lock (`flock`) on a file beside
//! the ledger, around each batch. It is a courtesy and no protection: who waits too long goes on
//! without it, and SQLite's own lock is the one that counts.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a turn is waited for. A process that is stopped in the middle of its turn must not
/// stop the others.
const PATIENCE: Duration = Duration::from_millis(500);

/// The queue at one ledger's file.
pub(super) struct Turn(Arc<Shared>);

struct Shared {
    file: File,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nobody here wants it.
    Idle,
    /// It is wanted, and a thread of ours waits for it.
    Wanted,
    /// It is ours.
    Held,
}

impl Turn {
    /// Opens the file beside the ledger's.
    pub(super) fn new(ledger: &Path) -> io::Result<Self> {
        let mut name = ledger.as_os_str().to_owned();
        name.push("-turn");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        Ok(Self(Arc::new(Shared {
            file: options.open(name)?,
            state: Mutex::new(State::Idle),
            changed: Condvar::new(),
        })))
    }

    /// Waits for the turn. It ends when what is returned is dropped.
    pub(super) fn take(&self) -> Taken<'_> {
        let shared = &self.0;
        let mut state = shared.state();
        if shared.file.try_lock().is_ok() {
            *state = State::Held;
            return Taken(shared);
        }
        *state = State::Wanted;
        // A lock that is waited for cannot be waited for with a limit, so another thread does.
        let waits = Arc::clone(shared);
        let waiting = std::thread::Builder::new()
            .name("payonce-turn".to_owned())
            .spawn(move || waits.wait());
        if waiting.is_ok() {
            let wanted = |state: &mut State| *state == State::Wanted;
            let over = shared.changed.wait_timeout_while(state, PATIENCE, wanted);
            state = over.unwrap_or_else(PoisonError::into_inner).0;
        }
        if *state == State::Wanted {
            *state = State::Idle;
        }
        drop(state);
        Taken(shared)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the lock, for whoever wants it then.
    fn wait(&self) {
        let locked = self.file.lock().is_ok();
        let mut state = self.state();
        match *state {
            State::Wanted if locked => {
                *state = State::Held;
                self.changed.notify_all();
            }
            State::Wanted | State::Held => {}
            // Nobody waits any more.
            State::Idle => drop(self.file.unlock()),
        }
    }
}

/// A turn, or the end of the patience for it.
pub(super) struct Taken<'t>(&'t Shared);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if *state == State::Held {
            *state = State::Idle;
            drop(self.0.file.unlock());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn two() -> (tempfile::TempDir, Turn, Turn) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("payments.db");
        let (one, other) = (Turn::new(&path).unwrap(), Turn::new(&path).unwrap());
        (folder, one, other)
    }

    /// Of two processes that write all the time neither waits longer than the other's batch.
    #[test]
    fn the_other_gets_the_next_turn() {
        let (_folder, one, other) = two();
        let taken = one.take();
        let (sender, order) = channel();
        std::thread::scope(|scope| {
            let waits = sender.clone();
            scope.spawn(move || {
                let taken = other.take();
                waits.send("other").unwrap();
                drop(taken);
            });
            // Until the other one queues.
            while one.0.state.lock().is_ok() && !queued(&one) {
                std::thread::yield_now();
            }
            sender.send("one").unwrap();
            drop(taken);
            assert_eq!([order.recv(), order.recv()], [Ok("one"), Ok("other")]);
        });
    }

    /// Whether somebody waits at the lock of the file.
    fn queued(turn: &Turn) -> bool {
        use std::os::unix::fs::MetadataExt;
        let inode = turn.0.file.metadata().unwrap().ino();
        let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
        let waiting = format!(":{inode} ");
        locks
            .lines()
            .any(|line| line.contains("->") && line.contains(&waiting))
    }

    /// A process that is stopped in its turn stops nobody.
    #[test]
    fn who_waits_too_long_goes_on_without() {
        let (_folder, one, other) = two();
        let held = one.take();
        drop(other.take());
        assert!(*one.0.state() == State::Held);
        drop(held);
        drop(other.take());
    }
}
