//! The liar's answers.

use super::super::*;
use super::liar::{Liar, Lie};
use crate::error::LedgerError;
use crate::ledger::{
    Alarm, Checked, Claim, Claimed, Decided, Desk, Filter, Learned, Ledger, NextStep, Owned,
    Record, Resolution, Settle, Settled, StepRequest, Totals, UnderPayment,
};
use crate::operation::{Identity, OperationId, State};
use crate::payment::{Adopted, Payment};

impl Liar {
    /// The tenant of an operation, whoever asks.
    async fn any_tenant(&self, id: OperationId, asked: String) -> Result<String, LedgerError> {
        if self.lie != Lie::ServesAnyTenant {
            return Ok(asked);
        }
        let record = self.inner.read(id).await?;
        Ok(record.map_or(asked, |record| record.identity.tenant))
    }
}

impl Ledger for Liar {
    fn fingerprint_salt(&self) -> [u8; 32] {
        let mut salt = self.inner.fingerprint_salt();
        if self.lie == Lie::HasASaltOfItsOwn {
            salt[0] = salt[0].wrapping_add(u8::try_from(self.number).unwrap());
        }
        salt
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        Box::pin(self.claimed(claim))
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        Box::pin(async move {
            let checked = self.inner.check(id).await?;
            Ok(checked.map(|checked| self.checked(checked)))
        })
    }

    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>> {
        Box::pin(async move {
            let Some(stored) = self.inner.read(id).await? else {
                if self.lie == Lie::TakesGhosts {
                    return Ok(());
                }
                return self.inner.record(id, epoch, learned).await;
            };
            let any = self.lie == Lie::FencesNobody;
            let epoch = if any { stored.epoch } else { epoch };
            self.inner.record(id, epoch, self.learned(learned)).await
        })
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        Box::pin(self.settled(settle))
    }

    fn baseline(
        &self,
        id: OperationId,
        mut epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        Box::pin(async move {
            if self.lie == Lie::ForgetsBaselines {
                return Ok(true);
            }
            if self.lie == Lie::FencesNobody
                && let Some(stored) = self.inner.read(id).await?
            {
                epoch = stored.epoch;
            }
            let stored = self.inner.baseline(id, epoch, baseline).await?;
            Ok(stored || self.lie == Lie::TakesAnyBaseline)
        })
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        Box::pin(async move {
            let record = self.inner.read(id).await?;
            Ok(record.map(|record| self.shown(record)))
        })
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        Box::pin(async move {
            if self.lie == Lie::FindsTheLatest {
                return Ok(self.inner.desk().attempts(identity).await?.pop());
            }
            let record = self.inner.find(identity).await?;
            Ok(record.map(|record| self.shown(record)))
        })
    }

    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>> {
        Box::pin(self.going_on(id, epoch, next))
    }

    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>> {
        Box::pin(self.closing(id, epoch, step))
    }

    fn desk(&self) -> &dyn Desk {
        self
    }
}

impl Desk for Liar {
    fn payment(
        &self,
        payment: Payment,
    ) -> BoxFuture<'_, Result<Option<UnderPayment>, LedgerError>> {
        if self.lie == Lie::KnowsOneName && !payment.provider_id.starts_with("pi_") {
            return Box::pin(std::future::ready(Ok(None)));
        }
        self.inner.desk().payment(payment)
    }

    fn attempts(&self, identity: Identity) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        self.inner.desk().attempts(identity)
    }

    fn list(
        &self,
        tenant: String,
        filter: Filter,
    ) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        Box::pin(async move {
            let mut records = self.inner.desk().list(tenant, filter).await?;
            if self.lie == Lie::ListsBackwards {
                records.reverse();
            }
            Ok(records)
        })
    }

    fn tenants(&self, states: Vec<State>) -> BoxFuture<'_, Result<Vec<String>, LedgerError>> {
        Box::pin(async move {
            let all = self.lie == Lie::NamesEveryTenant;
            let states = if all { State::all().to_vec() } else { states };
            let mut names = self.inner.desk().tenants(states).await?;
            if self.lie == Lie::HidesWhoHasNoTenant {
                names.retain(|name| !name.is_empty());
            }
            Ok(names)
        })
    }

    fn withdraw(
        &self,
        id: OperationId,
        tenant: String,
    ) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        Box::pin(async move {
            let tenant = self.any_tenant(id, tenant).await?;
            self.inner.desk().withdraw(id, tenant).await
        })
    }

    fn resolve(&self, mut resolution: Resolution) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        Box::pin(async move {
            resolution.tenant = self.any_tenant(resolution.id, resolution.tenant).await?;
            match self.inner.desk().resolve(resolution).await? {
                Decided::Refused(record) if self.lie == Lie::DecidesOverAnybody => {
                    Ok(Decided::Done(record))
                }
                decided => Ok(decided),
            }
        })
    }

    fn adopt(
        &self,
        adopted: Adopted,
        tenant: String,
    ) -> BoxFuture<'_, Result<UnderPayment, LedgerError>> {
        let facts = adopted.clone();
        Box::pin(async move {
            let stored = self.inner.desk().adopt(adopted, tenant.clone()).await?;
            if self.lie != Lie::AdoptsAnew {
                return Ok(stored);
            }
            let before = Totals::new(facts.captured, facts.refunded);
            Ok(UnderPayment::new(
                tenant,
                facts.kind,
                facts.money,
                None,
                before,
                Vec::new(),
            ))
        })
    }

    fn alarms(&self, tenant: String) -> BoxFuture<'_, Result<Vec<Alarm>, LedgerError>> {
        self.inner.desk().alarms(tenant)
    }

    fn acknowledge(
        &self,
        number: i64,
        tenant: String,
        who: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        Box::pin(async move {
            let done = self.inner.desk().acknowledge(number, tenant, who).await?;
            Ok(done || self.lie == Lie::ServesAnyTenant)
        })
    }
}
