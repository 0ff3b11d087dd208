//! The ledger with what happens to real ones: commits that fail before or after they are durable,
//! a full disk, and processes that die at any of these points.

mod desk;
mod planted;
mod store;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use payonce::ledger::{
    Checked, Claim, Claimed, Desk, Learned, Ledger, NextStep, Owned, Record, Settle, Settled,
    StepRequest,
};
use payonce::{BoxFuture, Identity, LedgerError, OperationId};

pub(crate) use self::store::{Store, at_once};
use crate::coverage::Event;
use crate::faults::Kind;
use crate::plants::Plant;
use crate::world::{Process, World};

/// The ledger of a process, watched.
pub(crate) struct Watched {
    world: Arc<World>,
    process: Arc<Process>,
    salt: [u8; 32],
    /// What was claimed by this process, with its epoch: for what is planted only.
    claimed: Mutex<BTreeMap<OperationId, Record>>,
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watched")
    }
}

fn closed() -> LedgerError {
    LedgerError::Closed
}

impl Watched {
    pub(crate) fn new(world: Arc<World>, process: Arc<Process>) -> Self {
        let ledger = process.ledger();
        let salt = ledger.map_or([0; 32], |ledger| ledger.fingerprint_salt());
        Self {
            world,
            process,
            salt,
            claimed: Mutex::default(),
        }
    }

    fn inner(&self) -> Result<Arc<dyn Ledger>, LedgerError> {
        self.process.ledger().ok_or_else(closed)
    }

    /// A little time passes, and the machine may fall asleep meanwhile.
    async fn takes_time(&self, label: &str) {
        let label = format!("ledger/{label}");
        let ms = match self.world.draw(Kind::SlowLedger, &label) {
            Some(mut dice) => dice.between(200, 20_000),
            None => self.world.dice(&label).between(0, 3),
        };
        tokio::time::sleep(Duration::from_millis(ms)).await;
        self.process.may_sleep(&self.world, &label);
        self.process.pass(&self.world).await;
    }

    async fn reads<T>(
        &self,
        label: &str,
        read: impl FnOnce(&dyn Ledger) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        self.process.pass(&self.world).await;
        self.takes_time(label).await;
        if self.world.draw(Kind::ReadFails, label).is_some() {
            return Err(LedgerError::Busy);
        }
        read(self.inner()?.as_ref())
    }

    /// A write. It may fail with or without having been durable, and the process may die on both
    /// sides of that.
    async fn writes<T>(
        &self,
        label: &str,
        write: impl FnOnce(&dyn Ledger) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let (world, process) = (&self.world, &self.process);
        process.pass(world).await;
        self.takes_time(label).await;
        world.may_crash(process, Kind::CrashBeforeWrite, label);
        process.pass(world).await;
        match world.draw_one(&[Kind::CommitLost, Kind::DiskFull], label) {
            Some((Kind::DiskFull, _)) => return Err(LedgerError::Full),
            Some(_) => return Err(failed("the commit failed")),
            None => {}
        }
        let written = write(self.inner()?.as_ref());
        world.rows_changed(label);
        world.may_crash(process, Kind::CrashAfterWrite, label);
        process.pass(world).await;
        if world.draw(Kind::CommitUnanswered, label).is_some() {
            return Err(failed("the commit was not answered"));
        }
        self.takes_time(label).await;
        written
    }

    fn remember(&self, record: &Record) {
        let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        claimed.insert(record.id, record.clone());
    }

    /// The record as this process last claimed it.
    fn remembered(&self, id: OperationId) -> Option<Record> {
        let claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        claimed.get(&id).cloned()
    }

    fn name(&self, id: OperationId) -> String {
        self.world.checks().name(id)
    }
}

fn failed(detail: &str) -> LedgerError {
    LedgerError::Failed {
        detail: detail.to_owned(),
    }
}

impl Ledger for Watched {
    fn fingerprint_salt(&self) -> [u8; 32] {
        self.salt
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        Box::pin(async move {
            let identity = &claim.identity;
            let label = format!(
                "claim/{}/{}/{}",
                identity.family, identity.reference, identity.attempt
            );
            let claim = self.planted_claim(claim).await;
            if self.world.has(Plant::RolledBack)
                && let Some(claimed) = self.rolled_back(&claim, &label).await
            {
                return Ok(claimed);
            }
            if self.world.has(Plant::SendBeforeClaim)
                && let Some(claimed) = self.stored_later(&claim).await
            {
                return Ok(claimed);
            }
            let before = self.world.checks().row_of(&claim.identity);
            let claimed = self
                .writes(&label, |ledger| at_once(ledger.claim(claim)))
                .await?;
            let claimed = self.planted_claimed(claimed, before.as_ref());
            if let Claimed::Ours(owned) = &claimed {
                self.remember(&owned.record);
                self.world.note(|| {
                    format!(
                        "{} claims {} (epoch {}, found {}, maybe sent {})",
                        self.process.name(),
                        self.world.checks().name(owned.record.id),
                        owned.record.epoch,
                        owned.found,
                        owned.record.maybe_sent
                    )
                });
                let now = self.world.elapsed();
                self.world.checks().claimed(owned, &self.process, now);
                let from = before.as_ref().map(|row| row.state);
                self.world.coverage().edge(from, Event::Claim);
            }
            Ok(claimed)
        })
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        Box::pin(async move {
            let label = format!("check/{}", self.name(id));
            let checked = self
                .reads(&label, |ledger| at_once(ledger.check(id)))
                .await?;
            let checked = self.planted_checked(id, checked);
            if let Some(checked) = &checked {
                let now = self.world.elapsed();
                self.world.checks().checked(id, checked, now);
            }
            Ok(checked)
        })
    }

    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>> {
        Box::pin(async move {
            let label = format!("record/{}", self.name(id));
            let write = |ledger: &dyn Ledger| at_once(ledger.record(id, epoch, learned));
            self.writes(&label, write).await
        })
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        Box::pin(async move {
            let label = format!("settle/{}", self.name(settle.id));
            let settle = self.planted_settle(settle);
            let before = self.world.checks().row(settle.id);
            let event = Event::of(&settle.conclusion);
            let settled = self
                .writes(&label, |ledger| at_once(ledger.settle(settle)))
                .await?;
            if let Settled::Applied(record) = &settled {
                let from = before.as_ref().map(|row| row.state);
                self.world.coverage().edge(from, event);
                self.world.note(|| {
                    let name = self.world.checks().name(record.id);
                    format!("{} settles {name}: {}", self.process.name(), record.state)
                });
            }
            Ok(settled)
        })
    }

    fn baseline(
        &self,
        id: OperationId,
        epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        Box::pin(async move {
            let label = format!("baseline/{}", self.name(id));
            let write = |ledger: &dyn Ledger| at_once(ledger.baseline(id, epoch, baseline));
            let taken = self.writes(&label, write).await?;
            if taken {
                self.world.checks().baseline_stored(id);
            }
            Ok(taken)
        })
    }

    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>> {
        Box::pin(async move {
            let label = format!("go on/{}", self.name(id));
            let write = |ledger: &dyn Ledger| at_once(ledger.go_on(id, epoch, next));
            self.writes(&label, write).await
        })
    }

    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>> {
        Box::pin(async move {
            let label = format!("close/{}", self.name(id));
            let before = self.world.checks().row(id);
            let write = |ledger: &dyn Ledger| at_once(ledger.begin_close(id, epoch, step));
            let begun = self.writes(&label, write).await?;
            if begun.is_some() {
                let from = before.map(|row| row.state);
                self.world.coverage().edge(from, Event::CloseBegun);
            }
            Ok(begun)
        })
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        Box::pin(async move {
            let label = format!("read/{}", self.name(id));
            self.reads(&label, |ledger| at_once(ledger.read(id))).await
        })
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        Box::pin(async move {
            let label = format!("find/{}", identity.reference);
            self.reads(&label, |ledger| at_once(ledger.find(identity)))
                .await
        })
    }

    fn desk(&self) -> &dyn Desk {
        self
    }
}
