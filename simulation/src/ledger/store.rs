//! Where the rows are: in memory, by the rules that every ledger has, or in a real file.

use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use payonce::ledger::{Filter, Ledger, MemoryStore, Record};
use payonce::{BoxFuture, SystemClock};

/// Where the rows are.
pub(crate) enum Store {
    Memory(MemoryStore),
    #[cfg(feature = "sqlite")]
    Sqlite {
        folder: tempfile::TempDir,
        reader: Arc<payonce::SqliteLedger>,
    },
}

impl Store {
    pub(crate) fn memory(seed: u64) -> Self {
        let mut dice = crate::dice::Dice::of(seed, "salt");
        let mut salt = [0; 32];
        for byte in &mut salt {
            *byte = u8::try_from(dice.below(256)).unwrap_or(0);
        }
        Self::Memory(MemoryStore::with_salt(salt))
    }

    /// A real file in a folder of its own.
    #[cfg(feature = "sqlite")]
    pub(crate) fn sqlite() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("payments.db");
        let opened = payonce::SqliteOptions::new(path).open();
        let reader = Arc::new(opened.map_err(|error| error.to_string())?);
        Ok(Self::Sqlite { folder, reader })
    }

    /// Opens it as a new owner.
    pub(crate) fn open(&self, clock: impl payonce::Clock) -> Arc<dyn Ledger> {
        match self {
            Self::Memory(store) => Arc::new(store.open(clock)),
            #[cfg(feature = "sqlite")]
            Self::Sqlite { folder, reader } => {
                let path = folder.path().join("payments.db");
                match payonce::SqliteOptions::new(path).clock(clock).open() {
                    Ok(ledger) => Arc::new(ledger),
                    // It stays as a client that sees everything and whose clock is another: the
                    // checks then find it.
                    Err(_) => Arc::clone(reader) as Arc<dyn Ledger>,
                }
            }
        }
    }

    /// A copy that can be written without changing this, where there can be one.
    pub(crate) fn copy(&self) -> Option<MemoryStore> {
        match self {
            Self::Memory(store) => Some(store.copy()),
            #[cfg(feature = "sqlite")]
            Self::Sqlite { .. } => None,
        }
    }

    /// Every row as it is now. It is read beside all processes.
    pub(crate) fn rows(&self) -> Vec<Record> {
        let listed = match self {
            Self::Memory(store) => {
                let ledger = store.open(SystemClock::new());
                at_once(ledger.desk().list(String::new(), Filter::default()))
            }
            #[cfg(feature = "sqlite")]
            Self::Sqlite { reader, .. } => {
                at_once(reader.desk().list(String::new(), Filter::default()))
            }
        };
        listed.unwrap_or_default()
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a ledger without letting the virtual time go on: what a real file takes is no time
/// of the history.
pub(crate) fn at_once<T>(future: BoxFuture<'_, T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    // A ledger's channels must not answer that it is another task's turn.
    let mut future = Box::pin(tokio::task::unconstrained(future));
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        thread::park();
    }
}
