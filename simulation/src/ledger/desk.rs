//! What people ask of a watched ledger.

use payonce::ledger::{Alarm, Decided, Desk, Filter, Record, Resolution, UnderPayment};
use payonce::{Adopted, BoxFuture, Identity, LedgerError, OperationId, Payment, State};

use super::{Watched, at_once};
use crate::coverage::Event;

impl Desk for Watched {
    fn payment(
        &self,
        payment: Payment,
    ) -> BoxFuture<'_, Result<Option<UnderPayment>, LedgerError>> {
        Box::pin(async move {
            self.reads("payment", |ledger| at_once(ledger.desk().payment(payment)))
                .await
        })
    }

    fn attempts(&self, identity: Identity) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        Box::pin(async move {
            self.reads("attempts", |ledger| {
                at_once(ledger.desk().attempts(identity))
            })
            .await
        })
    }

    fn list(
        &self,
        tenant: String,
        filter: Filter,
    ) -> BoxFuture<'_, Result<Vec<Record>, LedgerError>> {
        Box::pin(async move {
            self.reads("list", |ledger| at_once(ledger.desk().list(tenant, filter)))
                .await
        })
    }

    fn tenants(&self, states: Vec<State>) -> BoxFuture<'_, Result<Vec<String>, LedgerError>> {
        Box::pin(async move {
            self.reads("tenants", |ledger| at_once(ledger.desk().tenants(states)))
                .await
        })
    }

    fn withdraw(
        &self,
        id: OperationId,
        tenant: String,
    ) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        Box::pin(async move {
            let before = self.world.checks().row(id);
            let decided = self
                .writes("withdraw", |ledger| {
                    at_once(ledger.desk().withdraw(id, tenant))
                })
                .await?;
            if matches!(decided, Decided::Done(_)) {
                let from = before.map(|row| row.state);
                self.world.coverage().edge(from, Event::Withdraw);
            }
            Ok(decided)
        })
    }

    fn resolve(&self, resolution: Resolution) -> BoxFuture<'_, Result<Decided, LedgerError>> {
        Box::pin(async move {
            let before = self.world.checks().row(resolution.id);
            let decided = self
                .writes("resolve", |ledger| {
                    at_once(ledger.desk().resolve(resolution))
                })
                .await?;
            if let Decided::Done(record) = &decided {
                let event = if record.state == State::Succeeded {
                    Event::ResolveSucceeded
                } else {
                    Event::ResolveNotExecuted
                };
                self.world
                    .coverage()
                    .edge(before.map(|row| row.state), event);
            }
            Ok(decided)
        })
    }

    fn adopt(
        &self,
        adopted: Adopted,
        tenant: String,
    ) -> BoxFuture<'_, Result<UnderPayment, LedgerError>> {
        Box::pin(async move {
            self.writes("adopt", |ledger| {
                at_once(ledger.desk().adopt(adopted, tenant))
            })
            .await
        })
    }

    fn alarms(&self, tenant: String) -> BoxFuture<'_, Result<Vec<Alarm>, LedgerError>> {
        Box::pin(async move {
            self.reads("alarms", |ledger| at_once(ledger.desk().alarms(tenant)))
                .await
        })
    }

    fn acknowledge(
        &self,
        number: i64,
        tenant: String,
        who: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        Box::pin(async move {
            self.writes("acknowledge", |ledger| {
                at_once(ledger.desk().acknowledge(number, tenant, who))
            })
            .await
        })
    }
}
