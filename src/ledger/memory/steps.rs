//! Further steps: to go on, and to end.

use super::rows::{Driver, Rows};
use crate::error::LedgerError;
use crate::ledger::{NextStep, Owned, StepRequest};
use crate::operation::{OperationId, State};

impl Rows {
    pub(super) fn go_on(
        &mut self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
        driver: &Driver<'_>,
    ) -> Result<Option<Owned>, LedgerError> {
        let row = self.row(id)?;
        let n = row.steps.saturating_add(1);
        if !row.record.go_on(epoch, &next, n, driver.now.at) {
            return Ok(None);
        }
        row.keys.push(next.step.key);
        (row.steps, row.request) = (n, next.step.request);
        let (record, request) = (row.record.clone(), row.request.clone());
        Ok(Some(self.owns(record, State::Sending, request, driver)))
    }

    pub(super) fn begin_close(
        &mut self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
        driver: &Driver<'_>,
    ) -> Result<Option<StepRequest>, LedgerError> {
        let now = driver.now.at;
        let row = self.row(id)?;
        let begun = row.record.closing;
        if !row.record.begin_close(epoch, now) {
            return Ok(None);
        }
        if !begun {
            row.steps = row.steps.saturating_add(1);
            row.keys.push(step.key.clone());
        }
        let stored = row.close.take().filter(|_| begun).unwrap_or(step);
        row.close = Some(stored.clone());
        self.times.mark(now);
        Ok(Some(stored))
    }
}
