//! A ledger in memory: for tests, and as the reference of what a ledger answers.
//!
//! It has the rules of every ledger and nothing else, so what it does is what [`admit`],
//! [`guard`], [`apply`], [`resolve`] and [`withdraw`] say. `memory/` has its rows.
//!
//! [`admit`]: super::admit
//! [`guard`]: super::guard
//! [`apply`]: super::apply
//! [`resolve`]: super::resolve
//! [`withdraw`]: super::withdraw

mod payments;
mod people;
mod rows;
mod steps;
mod time;

use std::collections::HashSet;
use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use self::rows::{Driver, Rows};
use super::{
    Alarm, Checked, Claim, Claimed, Decided, Desk, Filter, Learned, Ledger, NextStep, Owned,
    OwnerId, Record, Resolution, Settle, Settled, StepRequest, UnderPayment,
};
use crate::clock::{BoxFuture, Clock, SystemClock};
use crate::error::LedgerError;
use crate::operation::{Identity, OperationId, State};
use crate::payment::{Adopted, Payment};

/// A ledger in memory, for tests. **It forgets everything when it is dropped, so it protects
/// nothing in production**: after a restart every payment could be made again.
///
/// It answers as every ledger does, and so shows what a ledger has to answer. Each is an owner of
/// its own, as each process is: dropping it is the death of that process. Several on one store
/// come from [`MemoryStore::open`].
///
/// ```
/// use payonce::ledger::{Ledger, MemoryLedger};
///
/// let ledger = MemoryLedger::new();
/// assert_eq!(ledger.fingerprint_salt(), ledger.beside().fingerprint_salt());
/// ```
///
/// `Debug` shows no row.
pub struct MemoryLedger {
    store: MemoryStore,
    owner: OwnerId,
    clock: Arc<dyn Clock>,
}

impl MemoryLedger {
    /// An empty ledger of its own, with the system's clock.
    pub fn new() -> Self {
        Self::with_clock(SystemClock::new())
    }

    /// An empty ledger of its own, with a clock of yours.
    pub fn with_clock(clock: impl Clock) -> Self {
        MemoryStore::new().open(clock)
    }

    /// Another owner on the same store, with the same clock.
    #[must_use]
    pub fn beside(&self) -> Self {
        self.store.open_shared(Arc::clone(&self.clock))
    }

    /// The store, to open it again when this is dropped.
    pub fn store(&self) -> MemoryStore {
        self.store.clone()
    }

    /// Works on the rows at once, as one transaction. There is nothing to wait for.
    fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Rows, &Driver<'_>) -> Result<T, LedgerError>,
    ) -> BoxFuture<'static, Result<T, LedgerError>> {
        let mut shared = self.store.lock();
        let Shared { rows, owners, .. } = &mut *shared;
        let driver = Driver {
            owner: &self.owner,
            now: rows.now(self.clock.as_ref()),
            alive: &|other| owners.contains(other),
        };
        Box::pin(ready(work(rows, &driver)))
    }
}

impl Default for MemoryLedger {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for MemoryLedger {
    fn drop(&mut self) {
        self.store.lock().owners.remove(&self.owner);
    }
}

impl fmt::Debug for MemoryLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryLedger")
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}

/// The rows that several [`MemoryLedger`]s share. Clones are the same store.
///
/// ```
/// use payonce::SystemClock;
/// use payonce::ledger::MemoryStore;
///
/// let store = MemoryStore::new();
/// let (one_process, another) = (store.open(SystemClock::new()), store.open(SystemClock::new()));
/// drop(one_process); // it crashed; what it claimed is free for the other
/// # drop(another);
/// ```
///
/// `Debug` shows no row.
#[derive(Clone)]
pub struct MemoryStore {
    salt: [u8; 32],
    shared: Arc<Mutex<Shared>>,
}

#[cfg_attr(feature = "conformance", derive(Clone))]
#[derive(Default)]
struct Shared {
    rows: Rows,
    /// The owners that live.
    owners: HashSet<OwnerId>,
    opened: u64,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        let mut salt = [0; 32];
        let random = [Uuid::new_v4(), Uuid::new_v4()];
        let bytes = random.iter().flat_map(Uuid::as_bytes);
        for (place, byte) in salt.iter_mut().zip(bytes) {
            *place = *byte;
        }
        Self::with_salt(salt)
    }

    /// An empty store with a known salt, so that a run can be replayed exactly.
    pub fn with_salt(salt: [u8; 32]) -> Self {
        Self {
            salt,
            shared: Arc::default(),
        }
    }

    /// The rows as they are now, in a store of their own: as a backup, or as what a failed commit
    /// would have made. Not covered by semantic versioning.
    #[cfg(feature = "conformance")]
    #[doc(hidden)]
    #[must_use]
    pub fn copy(&self) -> Self {
        let shared = self.lock().clone();
        Self {
            salt: self.salt,
            shared: Arc::new(Mutex::new(shared)),
        }
    }

    /// A new owner on this store.
    pub fn open(&self, clock: impl Clock) -> MemoryLedger {
        self.open_shared(Arc::new(clock))
    }

    fn open_shared(&self, clock: Arc<dyn Clock>) -> MemoryLedger {
        let mut shared = self.lock();
        shared.opened = shared.opened.saturating_add(1);
        let owner = OwnerId::new(format!("memory-{}", shared.opened));
        shared.owners.insert(owner.clone());
        drop(shared);
        MemoryLedger {
            store: self.clone(),
            owner,
            clock,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A panic elsewhere leaves no half of a write: nothing is written before all is checked.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

impl Ledger for MemoryLedger {
    fn fingerprint_salt(&self) -> [u8; 32] {
        self.store.salt
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        self.work(|rows, driver| rows.claim(&claim, driver))
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        self.work(|rows, driver| Ok(rows.check(id, driver)))
    }

    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>> {
        self.work(|rows, driver| rows.record(id, epoch, &learned, driver))
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        self.work(|rows, driver| rows.settle(&settle, driver))
    }

    fn baseline(
        &self,
        id: OperationId,
        epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        self.work(|rows, driver| rows.baseline(id, epoch, baseline, driver))
    }

    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>> {
        self.work(|rows, driver| rows.go_on(id, epoch, next, driver))
    }

    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>> {
        self.work(|rows, driver| rows.begin_close(id, epoch, step, driver))
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.work(|rows, _| Ok(rows.by_id(id).cloned()))
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.work(|rows, _| {
            let attempts = rows.under_reference(&identity).attempts.into_iter();
            let mut of_attempt = attempts.filter(|r| r.identity.attempt == identity.attempt);
            Ok(of_attempt.next())
        })
    }

    fn desk(&self) -> &dyn Desk {
        self
    }
}

impl Desk for MemoryLedger {
    fn payment(
        &self,
        payment: Payment,
    ) -> BoxFuture<'_, Result<Option<UnderPayment>, LedgerError>> {
        self.work(|rows, _| Ok(rows.payment(&payment)))
    }

    fn attempts(&self, identity: Identity) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        self.work(|rows, _| Ok(rows.under_reference(&identity).attempts))
    }

    fn list(
        &self,
        tenant: String,
        filter: Filter,
    ) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        self.work(|rows, _| Ok(rows.list(&tenant, &filter)))
    }

    fn tenants(&self, states: Vec<State>) -> BoxFuture<'_, Result<Vec<String>, LedgerError>> {
        self.work(move |rows, _| Ok(rows.tenants(&states)))
    }

    fn withdraw(
        &self,
        id: OperationId,
        tenant: String,
    ) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        self.work(|rows, driver| rows.withdrawn(id, &tenant, driver))
    }

    fn resolve(&self, resolution: Resolution) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        self.work(|rows, driver| rows.resolved(resolution, driver))
    }

    fn adopt(
        &self,
        adopted: Adopted,
        tenant: String,
    ) -> BoxFuture<'_, Result<UnderPayment, LedgerError>> {
        self.work(|rows, _| rows.adopt(&adopted, tenant))
    }

    fn alarms(&self, tenant: String) -> BoxFuture<'_, Result<Vec<Alarm>, LedgerError>> {
        self.work(|rows, _| Ok(rows.alarms(&tenant)))
    }

    fn acknowledge(
        &self,
        number: i64,
        tenant: String,
        who: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        self.work(|rows, driver| Ok(rows.acknowledge(number, &tenant, who, driver)))
    }
}
