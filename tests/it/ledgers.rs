//! A ledger whose calls fail or hang when a test says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use payonce::ledger::{
    Checked, Claim, Claimed, Desk, Learned, Ledger, NextStep, Owned, Record, Settle, Settled,
    StepRequest,
};
use payonce::{BoxFuture, Client, Identity, LedgerError, OperationId, SqliteLedger};
use tokio::sync::Semaphore;

use crate::world::World;

/// Which calls fail. A claim and a settlement can fail before or after they are stored.
#[derive(Debug, Default)]
pub(crate) struct Switches {
    pub(crate) claim_before: AtomicBool,
    pub(crate) claim_after: AtomicBool,
    /// A claim that was answered as busy is the last call that works.
    pub(crate) after_busy: AtomicBool,
    /// Claims are answered as if the row was gone.
    pub(crate) claims_nothing: AtomicBool,
    pub(crate) check: AtomicBool,
    pub(crate) record: AtomicBool,
    pub(crate) settle: AtomicBool,
    /// So many settlements fail, and the next is written.
    pub(crate) settles_that_fail: AtomicU32,
    pub(crate) settle_after: AtomicBool,
    pub(crate) read: AtomicBool,
    pub(crate) baseline: AtomicBool,
    pub(crate) close_before: AtomicBool,
    pub(crate) close_after: AtomicBool,
}

/// A stall between a claim's commit and its answer, as a machine has that is paused there.
#[derive(Debug)]
pub(crate) struct Stall {
    stored: Semaphore,
    go: Semaphore,
}

impl Stall {
    /// Waits until a claim is stored, and held.
    pub(crate) async fn stored(&self) {
        self.stored.acquire().await.unwrap().forget();
    }

    /// Lets the claims that are held, or will be, go on.
    pub(crate) fn go(&self, claims: usize) {
        self.go.add_permits(claims);
    }
}

#[derive(Debug)]
pub(crate) struct Faulty {
    inner: SqliteLedger,
    fails: Arc<Switches>,
    stall: Option<Arc<Stall>>,
}

impl Faulty {
    fn on(&self, switch: impl Fn(&Switches) -> &AtomicBool) -> Result<(), LedgerError> {
        if switch(&self.fails).load(Ordering::SeqCst) {
            return Err(LedgerError::Full);
        }
        Ok(())
    }
}

impl Ledger for Faulty {
    fn fingerprint_salt(&self) -> [u8; 32] {
        self.inner.fingerprint_salt()
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.claim_before)?;
            if self.fails.claims_nothing.load(Ordering::SeqCst) {
                return Ok(Claimed::Absent);
            }
            let claimed = self.inner.claim(claim).await?;
            let last = self.fails.after_busy.load(Ordering::SeqCst);
            if last && matches!(claimed, Claimed::Busy(_)) {
                set(&self.fails.claim_before, true);
                set(&self.fails.read, true);
            }
            if let Some(stall) = &self.stall {
                stall.stored.add_permits(1);
                stall.go.acquire().await.unwrap().forget();
            }
            self.on(|fails| &fails.claim_after)?;
            Ok(claimed)
        })
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.check)?;
            self.inner.check(id).await
        })
    }

    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.record)?;
            self.inner.record(id, epoch, learned).await
        })
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.settle)?;
            let left = &self.fails.settles_that_fail;
            let fewer = |left: u32| left.checked_sub(1);
            if left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer)
                .is_ok()
            {
                return Err(LedgerError::Full);
            }
            let settled = self.inner.settle(settle).await?;
            self.on(|fails| &fails.settle_after)?;
            Ok(settled)
        })
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.read)?;
            self.inner.read(id).await
        })
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.read)?;
            self.inner.find(identity).await
        })
    }

    fn baseline(
        &self,
        id: OperationId,
        epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.baseline)?;
            self.inner.baseline(id, epoch, baseline).await
        })
    }

    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>> {
        self.inner.go_on(id, epoch, next)
    }

    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>> {
        Box::pin(async move {
            self.on(|fails| &fails.close_before)?;
            let stored = self.inner.begin_close(id, epoch, step).await?;
            self.on(|fails| &fails.close_after)?;
            Ok(stored)
        })
    }

    fn desk(&self) -> &dyn Desk {
        self.inner.desk()
    }
}

/// A ledger that holds every claim until it may go on.
pub(crate) fn stalling(inner: SqliteLedger) -> (Faulty, Arc<Stall>) {
    let (stored, go) = (Semaphore::new(0), Semaphore::new(0));
    let stall = Arc::new(Stall { stored, go });
    let ledger = Faulty {
        inner,
        fails: Arc::default(),
        stall: Some(Arc::clone(&stall)),
    };
    (ledger, stall)
}

/// A client whose ledger fails when a test says so.
pub(crate) fn faulty(world: &World) -> (Client, Arc<Switches>) {
    let fails = Arc::new(Switches::default());
    let ledger = Faulty {
        inner: world.ledger(),
        fails: Arc::clone(&fails),
        stall: None,
    };
    (
        world
            .builder(ledger)
            .provider(world.stripe())
            .build()
            .unwrap(),
        fails,
    )
}

pub(crate) fn set(switch: &AtomicBool, on: bool) {
    switch.store(on, Ordering::SeqCst);
}
