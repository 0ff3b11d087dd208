//! The kit for ledgers, run on the ledgers of this repository as the author of another would.
#![cfg(test)]

use std::path::PathBuf;
use std::sync::Arc;

use payonce::ledger::conformance::{self, KitClock, Store};
use payonce::ledger::{Ledger, MemoryStore};
use payonce::{BoxFuture, SqliteOptions};
use tempfile::TempDir;

/// A file, and its folder until the test is over.
struct InFile {
    path: PathBuf,
    _folder: TempDir,
}

impl InFile {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            path: folder.path().join("payments.db"),
            _folder: folder,
        }
    }
}

impl Store for InFile {
    fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>> {
        let ledger = SqliteOptions::new(&self.path).clock(clock).open().unwrap();
        Box::pin(async move { Arc::new(ledger) as Arc<dyn Ledger> })
    }

    fn tells_dead_owners(&self) -> bool {
        true
    }
}

struct InMemory(MemoryStore);

impl InMemory {
    fn new() -> Self {
        Self(MemoryStore::new())
    }
}

impl Store for InMemory {
    fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>> {
        let ledger = self.0.open(clock);
        Box::pin(async move { Arc::new(ledger) as Arc<dyn Ledger> })
    }

    fn tells_dead_owners(&self) -> bool {
        true
    }
}

/// The same store for an author who cannot tell a dead owner: the kit lets its leases lapse.
struct ByTimeOnly(InMemory);

impl Store for ByTimeOnly {
    fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>> {
        self.0.open(clock)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_sqlite_ledger_keeps_every_promise() {
    conformance::run(InFile::new).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_memory_ledger_keeps_every_promise() {
    conformance::run(InMemory::new).await;
}

#[tokio::test]
async fn a_ledger_that_knows_the_dead_by_time_only_can_be_checked() {
    conformance::run(|| ByTimeOnly(InMemory::new())).await;
}
