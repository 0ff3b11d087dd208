//! What people do: withdraw, resolve, adopt, acknowledge, list.

use std::collections::BTreeSet;

use super::payments::Paid;
use super::rows::{Driver, Raised, Rows, is_under};
use crate::clock::Timestamp;
use crate::error::LedgerError;
use crate::ledger::{
    Alarm, AlarmKind, Decided, Filter, Record, Resolution, Totals, UnderPayment, resolve, withdraw,
};
use crate::operation::{Identity, OperationId, State};
use crate::payment::{Adopted, Payment};

impl Rows {
    fn of_tenant(&self, id: OperationId, tenant: &str) -> Option<Record> {
        let record = self.by_id(id)?;
        (record.identity.tenant == tenant).then(|| record.clone())
    }

    pub(super) fn withdrawn(
        &mut self,
        id: OperationId,
        tenant: &str,
        driver: &Driver<'_>,
    ) -> Result<Decided, LedgerError> {
        let Some(record) = self.of_tenant(id, tenant) else {
            return Ok(Decided::Absent);
        };
        match withdraw(record, driver.now.at) {
            Ok(record) => {
                self.row(id)?.record = record.clone();
                Ok(Decided::Done(Box::new(record)))
            }
            Err(record) => Ok(Decided::Refused(record)),
        }
    }

    pub(super) fn resolved(
        &mut self,
        resolution: Resolution,
        driver: &Driver<'_>,
    ) -> Result<Decided, LedgerError> {
        let (id, now) = (resolution.id, driver.now.at);
        let Some(record) = self.of_tenant(id, &resolution.tenant) else {
            return Ok(Decided::Absent);
        };
        let busy = record.is_driven(driver.owner, now, driver.alive);
        let record = match resolve(record, &resolution.decision, busy, now) {
            Ok(record) => record,
            Err(record) => return Ok(Decided::Refused(record)),
        };
        if !self.keep(&record)? {
            return Ok(Decided::Taken);
        }
        let identity = record.identity.clone();
        let row = self.row(id)?;
        (row.record, row.contradicted) = (record, false);
        self.resolutions.push(resolution);
        self.thaw(&identity);
        self.paid_twice(id, now)?;
        let record = self.row(id)?.record.clone();
        Ok(Decided::Done(Box::new(record)))
    }

    /// Ends the freeze of a reference when nothing under it is contradicted any more.
    fn thaw(&mut self, identity: &Identity) {
        let mut under = self.operations.iter();
        let frozen = under.any(|row| row.contradicted && is_under(&row.record, identity));
        for attempt in self.attempts(identity) {
            attempt.frozen = frozen;
        }
    }

    /// Two attempts under one reference that both moved the money are a double payment.
    fn paid_twice(&mut self, id: OperationId, now: Timestamp) -> Result<(), LedgerError> {
        let record = self.row(id)?.record.clone();
        let attempts = self.under_reference(&record.identity).attempts;
        let paid = attempts.iter().filter(|o| o.state == State::Succeeded);
        if record.state == State::Succeeded && paid.count() > 1 {
            let detail = "two attempts under the reference moved the money".to_owned();
            self.raise(id, AlarmKind::DuplicateAtGateway, detail, now)?;
        }
        Ok(())
    }

    pub(super) fn payment(&self, payment: &Payment) -> Option<UnderPayment> {
        self.under_root(self.root(payment)?)
    }

    pub(super) fn adopt(
        &mut self,
        adopted: &Adopted,
        tenant: String,
    ) -> Result<UnderPayment, LedgerError> {
        if let Some(known) = self.payment(&adopted.payment) {
            return Ok(known);
        }
        if adopted.money.minor() <= 0 {
            let detail = "amounts are counted from one".to_owned();
            return Err(LedgerError::Failed { detail });
        }
        let before = Totals::new(adopted.captured, adopted.refunded);
        self.payments.push(Paid {
            tenant: tenant.clone(),
            payment: adopted.payment.clone(),
            root: None,
            made_by: None,
            kind: adopted.kind,
            money: adopted.money,
            before,
        });
        let none = Vec::new();
        Ok(UnderPayment::new(
            tenant,
            adopted.kind,
            adopted.money,
            None,
            before,
            none,
        ))
    }

    pub(super) fn list(&self, tenant: &str, filter: &Filter) -> Vec<Record> {
        let records = || self.operations.iter().map(|row| &row.record);
        let start = match filter.after {
            None => 0,
            Some(after) => match records().position(|record| record.id == after) {
                Some(place) => place.saturating_add(1),
                None => return Vec::new(),
            },
        };
        let of_family = |r: &Record| filter.family.is_none_or(|f| r.identity.family == f);
        let shown = records().skip(start).filter(|record| {
            record.identity.tenant == tenant
                && (filter.states.is_empty() || filter.states.contains(&record.state))
                && of_family(record)
        });
        let page = usize::try_from(filter.page()).unwrap_or(usize::MAX);
        shown.take(page).cloned().collect()
    }

    pub(super) fn tenants(&self, states: &[State]) -> Vec<String> {
        let records = self.operations.iter().map(|row| &row.record);
        let of_state = records.filter(|record| states.contains(&record.state));
        let names: BTreeSet<_> = of_state.map(|record| &record.identity.tenant).collect();
        names.into_iter().cloned().collect()
    }

    fn is_of(&self, raised: &Raised, tenant: &str) -> bool {
        let row = self.operations.get(raised.operation);
        row.is_some_and(|row| row.record.identity.tenant == tenant)
    }

    pub(super) fn alarms(&self, tenant: &str) -> Vec<Alarm> {
        let open = self.alarms.iter().filter(|raised| raised.seen.is_none());
        let of_tenant = open.filter(|raised| self.is_of(raised, tenant));
        of_tenant.map(|raised| raised.alarm.clone()).collect()
    }

    pub(super) fn acknowledge(
        &mut self,
        number: i64,
        tenant: &str,
        who: String,
        driver: &Driver<'_>,
    ) -> bool {
        let open = |raised: &Raised| raised.alarm.number == number && raised.seen.is_none();
        let place = self
            .alarms
            .iter()
            .position(|raised| open(raised) && self.is_of(raised, tenant));
        let Some(raised) = place.and_then(|place| self.alarms.get_mut(place)) else {
            return false;
        };
        raised.seen = Some((who, driver.now.at));
        true
    }
}
