//! A ledger that breaks one promise.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::super::*;
use crate::error::LedgerError;
use crate::ledger::{
    Asked, Checked, Claim, Claimed, Conclusion, DateSeen, Guarded, Learned, Ledger, MemoryLedger,
    MemoryStore, Moment, NextStep, Owned, OwnerId, Record, Refused, Settle, Settled, StepRequest,
    guard,
};
use crate::operation::{Identity, OperationId, State};
use crate::outcome::NoEffectReason;
use crate::payment::Adopted;
use crate::provider::Refusal;

/// What a liar does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lie {
    None,
    SharesClaims,
    AsksOutsideTheLock,
    AnswersBeforeItStores,
    WaitsForTheDead,
    CountsNoSends,
    SendsWhatIsRenderedNow,
    LosesAHeader,
    ReplacesAUsedKey,
    TakesAnyIntent,
    NamesNoField,
    TakesAnyAccount,
    AlwaysRenews,
    NeverRenews,
    HasASaltOfItsOwn,
    EndsWhatIsOpen,
    LosesTheSuperseding,
    LeavesTheEpoch,
    ForgetsTheFreeze,
    FindsTheLatest,
    FencesNobody,
    DropsLateNews,
    CountsExchangesAgain,
    SettlesAgain,
    BelievesUnsent,
    TakesGhosts,
    LosesAField,
    GuardsOnlyWhatIsDone,
    KeepsWhatItRefused,
    KnowsOneName,
    TakesAnyPayment,
    AdoptsAnew,
    TakesAnyBaseline,
    ForgetsBaselines,
    CountsEveryClaim,
    TrustsItsClock,
    ForgetsDates,
    DatesWhatIsWritten,
    IsAlwaysSure,
    ServesAnyTenant,
    DecidesOverAnybody,
    ListsBackwards,
    ForgetsFurtherSteps,
    KeepsTheCounts,
    ClosesAgain,
    ClosesForAnybody,
    ForgetsCloses,
    BelievesWhileClosing,
    NamesEveryTenant,
    HidesWhoHasNoTenant,
}

/// A store whose handles lie.
pub(super) struct Lying {
    lie: Lie,
    store: MemoryStore,
    opened: AtomicU32,
}

impl Lying {
    pub(super) fn new(lie: Lie) -> Self {
        Self {
            lie,
            store: MemoryStore::new(),
            opened: AtomicU32::new(0),
        }
    }
}

impl Store for Lying {
    fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>> {
        let liar = Liar {
            lie: self.lie,
            inner: self.store.open(clock),
            number: self.opened.fetch_add(1, Ordering::SeqCst),
            exchanges: AtomicU32::new(100),
            refused: Mutex::default(),
        };
        Box::pin(async move { Arc::new(liar) as Arc<dyn Ledger> })
    }

    fn tells_dead_owners(&self) -> bool {
        true
    }
}

#[derive(Debug)]
pub(super) struct Liar {
    pub(super) lie: Lie,
    pub(super) inner: MemoryLedger,
    pub(super) number: u32,
    exchanges: AtomicU32,
    refused: Mutex<Vec<Identity>>,
}

impl Liar {
    /// The row that is shown for a row.
    pub(super) fn shown(&self, mut record: Record) -> Record {
        match self.lie {
            Lie::LosesTheSuperseding
                if record.standing.no_effect == Some(NoEffectReason::Superseded) =>
            {
                record.state = State::Unsent;
            }
            Lie::ForgetsTheFreeze => record.frozen = false,
            Lie::LosesAField => record.standing.retry_after = None,
            _ => {}
        }
        record
    }

    /// The claim that is taken for a claim.
    fn taken(&self, mut claim: Claim) -> Claim {
        match self.lie {
            Lie::AlwaysRenews => claim.renew = true,
            Lie::NeverRenews => claim.renew = false,
            _ => {}
        }
        claim
    }

    pub(super) async fn claimed(&self, claim: Claim) -> Result<Claimed, LedgerError> {
        let claim = self.taken(claim);
        let stored = self.inner.find(claim.identity.clone()).await?;
        if self.lie == Lie::AnswersBeforeItStores && stored.is_none() {
            return Ok(ours_without_asking(&claim));
        }
        let refused_before = self.refused.lock().unwrap().contains(&claim.identity);
        if refused_before {
            return Ok(Claimed::Refused(Refused::KeyInUse));
        }
        let allowed = self.lie == Lie::AsksOutsideTheLock && self.asks_alone(&claim).await?;
        match self.inner.claim(claim.clone()).await? {
            Claimed::Ours(owned) => Ok(self.told(claim, *owned)),
            Claimed::Busy(record) if allowed || self.lie == Lie::SharesClaims => {
                let request = claim.rendered.unwrap().request;
                let now = record.lease.as_ref().unwrap().claimed.clone();
                let owned = Owned::new(*record, State::Sending, request, now, false);
                Ok(Claimed::Ours(Box::new(owned)))
            }
            Claimed::Refused(refused) => self.refuse(claim, refused, allowed).await,
            other => Ok(other),
        }
    }

    /// Whether a claim was allowed a moment before it was made, when others could still be made.
    async fn asks_alone(&self, claim: &Claim) -> Result<bool, LedgerError> {
        let desk = self.inner.desk();
        let allowed = match claim.parent.clone() {
            Some(parent) => {
                let rule = claim.rendered.as_ref().map(|rendered| rendered.rule);
                let asked = Asked::by_claim(claim, rule.unwrap_or_default(), &[]);
                guard(&asked, desk.payment(parent).await?).is_ok()
            }
            None => self.inner.find(claim.identity.clone()).await?.is_none(),
        };
        tokio::task::yield_now().await;
        Ok(allowed)
    }

    /// What is told of a claim that was taken.
    fn told(&self, claim: Claim, mut owned: Owned) -> Claimed {
        let taken_over = owned.record.epoch > 1 && owned.found == State::Sending;
        match self.lie {
            Lie::WaitsForTheDead if taken_over => return Claimed::Busy(Box::new(owned.record)),
            Lie::CountsNoSends => owned.record.maybe_sent = 0,
            Lie::CountsEveryClaim if taken_over => owned.record.maybe_sent = 1,
            Lie::SendsWhatIsRenderedNow => {
                if let Some(rendered) = claim.rendered {
                    owned.request = rendered.request;
                }
            }
            Lie::LosesAHeader if owned.record.epoch > 1 => {
                let last = owned.request.headers.get_all("x-twice").iter().next_back();
                let last = last.unwrap().clone();
                owned.request.headers.insert("x-twice", last);
            }
            Lie::IsAlwaysSure => owned.now.sure = true,
            Lie::TrustsItsClock => owned.clock_doubtful = false,
            _ => {}
        }
        Claimed::Ours(Box::new(owned))
    }

    /// What becomes of a claim that must be refused.
    async fn refuse(
        &self,
        mut claim: Claim,
        refused: Refused,
        allowed: bool,
    ) -> Result<Claimed, LedgerError> {
        let lie = match self.lie {
            Lie::AsksOutsideTheLock if allowed => Lie::GuardsOnlyWhatIsDone,
            lie => lie,
        };
        match (lie, refused) {
            (Lie::ReplacesAUsedKey, Refused::KeyInUse) => {
                let rendered = claim.rendered.as_mut().unwrap();
                rendered.key = crate::provider::IdempotencyKey::new(rendered.id.to_string());
            }
            (Lie::TakesAnyIntent, Refused::Mismatch(_, record)) => {
                claim.fingerprint = record.fingerprint;
                (claim.via, claim.key) = (None, None);
            }
            (Lie::NamesNoField, Refused::Mismatch(_, record)) => {
                return Ok(Claimed::Refused(Refused::Mismatch(Vec::new(), record)));
            }
            (Lie::TakesAnyAccount, Refused::NoAccount(record)) => {
                claim.accounts.push(record.account);
            }
            (Lie::EndsWhatIsOpen, Refused::PriorOpen(record)) => self.decline(&record).await?,
            (
                Lie::GuardsOnlyWhatIsDone,
                Refused::Guarded(Guarded::ExceedsParent(_) | Guarded::ParentBusy(_)),
            ) => {
                let parent = claim.parent.clone().unwrap();
                let stored = self.inner.desk().payment(parent).await?.unwrap();
                for record in stored.operations.iter().filter(|r| r.state.is_open()) {
                    self.decline(record).await?;
                }
            }
            (Lie::TakesAnyPayment, Refused::Guarded(Guarded::NoPayment)) => {
                let adopted = Adopted::charge(claim.parent.clone().unwrap(), claim.money);
                self.inner.desk().adopt(adopted, String::new()).await?;
            }
            (Lie::KeepsWhatItRefused, refused) => {
                self.refused.lock().unwrap().push(claim.identity);
                return Ok(Claimed::Refused(refused));
            }
            (_, refused) => return Ok(Claimed::Refused(refused)),
        }
        self.inner.claim(claim).await
    }

    async fn decline(&self, record: &Record) -> Result<(), LedgerError> {
        let no = Conclusion::Declined(Refusal::new("lie"));
        let settle = Settle::new(record, no, Learned::default());
        self.inner.settle(settle).await.map(drop)
    }

    pub(super) async fn settled(&self, mut settle: Settle) -> Result<Settled, LedgerError> {
        let Some(stored) = self.inner.read(settle.id).await? else {
            return self.inner.settle(settle).await;
        };
        let ended = stored.lease.is_none() && stored.ended_epoch == settle.epoch;
        match self.lie {
            Lie::FencesNobody => settle.epoch = stored.epoch,
            Lie::DropsLateNews if settle.epoch != stored.epoch => {
                return Ok(Settled::Fenced(Box::new(stored)));
            }
            Lie::SettlesAgain if ended => {
                let maybe_sent = stored.maybe_sent.saturating_add(settle.learned.maybe_sent);
                let twice = Record {
                    maybe_sent,
                    ..stored
                };
                return Ok(Settled::Applied(Box::new(twice)));
            }
            // As if no close could take effect any more.
            Lie::BelievesWhileClosing
                if matches!(settle.conclusion, Conclusion::Succeeded { .. }) =>
            {
                settle.conclusion = Conclusion::CloseRefused(Box::new(settle.conclusion));
            }
            Lie::BelievesUnsent if matches!(settle.conclusion, Conclusion::Unsent(_)) => {
                settle.learned.maybe_sent = 0;
            }
            _ => {}
        }
        settle.learned = self.learned(settle.learned);
        self.inner.settle(settle).await
    }

    /// A further step, stored or not.
    pub(super) async fn going_on(
        &self,
        id: OperationId,
        mut epoch: i64,
        next: NextStep,
    ) -> Result<Option<Owned>, LedgerError> {
        if self.lie == Lie::FencesNobody
            && let Some(stored) = self.inner.read(id).await?
        {
            epoch = stored.epoch;
        }
        if self.lie == Lie::ForgetsFurtherSteps {
            let Some(record) = self.inner.read(id).await? else {
                return Ok(None);
            };
            let now = Moment::new(record.updated_at, Duration::ZERO, None, false);
            let request = next.step.request;
            return Ok(Some(Owned::new(
                record,
                State::Sending,
                request,
                now,
                false,
            )));
        }
        let owned = self.inner.go_on(id, epoch, next).await?;
        Ok(owned.map(|mut owned| {
            if self.lie == Lie::KeepsTheCounts {
                owned.record.maybe_sent = 1;
            }
            owned
        }))
    }

    /// A close step, stored or not.
    pub(super) async fn closing(
        &self,
        id: OperationId,
        mut epoch: i64,
        step: StepRequest,
    ) -> Result<Option<StepRequest>, LedgerError> {
        if matches!(self.lie, Lie::ClosesForAnybody | Lie::FencesNobody)
            && let Some(stored) = self.inner.read(id).await?
        {
            epoch = stored.epoch;
        }
        let stored = self.inner.begin_close(id, epoch, step.clone()).await?;
        Ok(match self.lie {
            Lie::ClosesAgain => stored.map(|_| step),
            Lie::ForgetsCloses => Some(stored.unwrap_or(step)),
            _ => stored,
        })
    }

    pub(super) fn learned(&self, mut learned: Learned) -> Learned {
        for exchange in &mut learned.exchanges {
            match self.lie {
                Lie::CountsExchangesAgain => {
                    exchange.number = self.exchanges.fetch_add(1, Ordering::SeqCst);
                }
                Lie::ForgetsDates => exchange.date = DateSeen::None,
                Lie::DatesWhatIsWritten => exchange.compared = None,
                _ => {}
            }
        }
        learned
    }

    pub(super) fn checked(&self, mut checked: Checked) -> Checked {
        match self.lie {
            Lie::ForgetsTheFreeze => checked.frozen = false,
            Lie::LeavesTheEpoch => checked.epoch = 1,
            Lie::TrustsItsClock => checked.clock_doubtful = false,
            Lie::IsAlwaysSure => checked.now.sure = true,
            _ => {}
        }
        checked
    }
}

/// What a claim would be answered if it were stored.
fn ours_without_asking(claim: &Claim) -> Claimed {
    let rendered = claim.rendered.as_ref().unwrap();
    let now = Moment::new(claim.send_until, Duration::ZERO, None, false);
    let record = Record::first(claim, rendered, &OwnerId::new("liar"), &now);
    let request = rendered.request.clone();
    Claimed::Ours(Box::new(Owned::new(
        record,
        State::Sending,
        request,
        now,
        false,
    )))
}
