//! What people do: withdraw, resolve, adopt, acknowledge, list.

use super::rows::{Driver, Paid, Raised, Rows};
use crate::error::LedgerError;
use crate::ledger::{
    Alarm, Decided, Filter, Record, Resolution, Totals, UnderPayment, resolve, withdraw,
};
use crate::operation::OperationId;
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
        let identity = record.identity.clone();
        self.row(id)?.record = record;
        self.keep(id)?;
        self.resolutions.push(resolution);
        for attempt in self.attempts(&identity) {
            attempt.frozen = false;
        }
        let record = self.row(id)?.record.clone();
        Ok(Decided::Done(Box::new(record)))
    }

    pub(super) fn payment(&self, payment: &Payment) -> Option<UnderPayment> {
        self.under_root(self.root(payment)?)
    }

    pub(super) fn adopt(&mut self, adopted: &Adopted) -> Result<UnderPayment, LedgerError> {
        if let Some(known) = self.payment(&adopted.payment) {
            return Ok(known);
        }
        if adopted.money.minor() <= 0 {
            let detail = "amounts are counted from one".to_owned();
            return Err(LedgerError::Failed { detail });
        }
        let before = Totals::new(adopted.captured, adopted.refunded);
        self.payments.push(Paid {
            payment: adopted.payment.clone(),
            root: None,
            made_by: None,
            kind: adopted.kind,
            money: adopted.money,
            before,
        });
        let none = Vec::new();
        Ok(UnderPayment::new(
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
