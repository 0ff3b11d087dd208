//! The rows, and what claims and settlements do with them.
//!
//! Whatever can fail is asked before anything is written: there is no transaction to take back.

use super::payments::Paid;
use super::time::Times;
use crate::clock::{Clock, Timestamp};
use crate::error::LedgerError;
use crate::ledger::{
    Admission, Alarm, AlarmKind, Asked, Change, Checked, Claim, Claimed, Exchange, Guarded,
    Learned, Moment, Owned, OwnerId, Purpose, Record, Refused, Rendered, Resolution, Settle,
    Settled, StepRequest, UnderReference, admit, apply, guard,
};
use crate::operation::{Family, Identity, OperationId, State};
use crate::provider::{IdempotencyKey, Request};

/// Everything that is stored. Nothing is ever removed, so a place in a list names a row.
#[derive(Clone, Default)]
pub(super) struct Rows {
    pub(super) operations: Vec<Row>,
    pub(super) payments: Vec<Paid>,
    pub(super) alarms: Vec<Raised>,
    /// What people decided. Nobody reads it yet; a file keeps it as well.
    pub(super) resolutions: Vec<Resolution>,
    pub(super) times: Times,
}

/// One operation.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) record: Record,
    pub(super) request: Request,
    /// How many steps were stored.
    pub(super) steps: u32,
    /// Their keys, but the first one's.
    pub(super) keys: Vec<IdempotencyKey>,
    /// The last close step.
    pub(super) close: Option<StepRequest>,
    /// The payment that it is about.
    pub(super) root: Option<usize>,
    /// Evidence contradicts it: a person must say what became of it.
    pub(super) contradicted: bool,
    exchanges: Vec<(i64, Exchange)>,
}

impl Row {
    /// Whether one of its steps has this key.
    fn has_key(&self, rendered: &Rendered) -> bool {
        let own = self.record.key == rendered.key || self.keys.contains(&rendered.key);
        self.record.account == rendered.account && own
    }
}

/// An alarm, and who saw it.
#[derive(Clone)]
pub(super) struct Raised {
    pub(super) alarm: Alarm,
    pub(super) operation: usize,
    pub(super) seen: Option<(String, Timestamp)>,
}

/// Who works on the rows, and when.
pub(super) struct Driver<'a> {
    pub(super) owner: &'a OwnerId,
    pub(super) now: Moment,
    pub(super) alive: &'a dyn Fn(&OwnerId) -> bool,
}

impl Rows {
    pub(super) fn now(&self, clock: &dyn Clock) -> Moment {
        self.times.now(clock)
    }

    pub(super) fn claim(
        &mut self,
        claim: &Claim,
        driver: &Driver<'_>,
    ) -> Result<Claimed, LedgerError> {
        let stored = self.under_reference(&claim.identity);
        match admit(claim, stored, driver.owner, &driver.now, driver.alive) {
            Admission::Answer(claimed) => Ok(claimed),
            Admission::Take { record, found } => {
                if let Some(refused) = self.guarded_again(&record) {
                    return Ok(Claimed::Refused(Refused::Guarded(refused)));
                }
                let row = self.row(record.id)?;
                row.record = *record;
                let (record, request) = (row.record.clone(), row.request.clone());
                Ok(self.owned(record, found, request, driver))
            }
            Admission::Insert { supersede } => match &claim.rendered {
                None => Ok(Claimed::Absent),
                Some(rendered) => self.insert(claim, rendered, &supersede, driver),
            },
        }
    }

    /// Of what was never sent its payment is asked again: it may not be what it was.
    fn guarded_again(&self, record: &Record) -> Option<Guarded> {
        if record.parent.is_none() || record.maybe_sent > 0 {
            return None;
        }
        let mut rows = self.operations.iter();
        let root = rows.find(|row| row.record.id == record.id)?.root;
        let stored = root.and_then(|place| self.under_root(place));
        guard(&Asked::by_record(record), stored).err()
    }

    fn insert(
        &mut self,
        claim: &Claim,
        rendered: &Rendered,
        supersede: &[OperationId],
        driver: &Driver<'_>,
    ) -> Result<Claimed, LedgerError> {
        if self.operations.iter().any(|row| row.has_key(rendered)) {
            return Ok(Claimed::Refused(Refused::KeyInUse));
        }
        let mut root = None;
        if let Some(payment) = &claim.parent {
            root = self.root(payment);
            let stored = root.and_then(|place| self.under_root(place));
            let asked = Asked::by_claim(claim, rendered.rule, supersede);
            if let Err(refused) = guard(&asked, stored) {
                return Ok(Claimed::Refused(Refused::Guarded(refused)));
            }
        }
        self.can_be_stored(claim, rendered)?;
        for row in &mut self.operations {
            if supersede.contains(&row.record.id) {
                row.record.supersede(driver.now.at);
            }
        }
        let record = Record::first(claim, rendered, driver.owner, &driver.now);
        self.operations.push(Row {
            record: record.clone(),
            request: rendered.request.clone(),
            steps: 1,
            keys: Vec::new(),
            close: None,
            root,
            contradicted: false,
            exchanges: Vec::new(),
        });
        Ok(self.owned(record, State::Sending, rendered.request.clone(), driver))
    }

    /// What a database holds by its schema.
    fn can_be_stored(&self, claim: &Claim, rendered: &Rendered) -> Result<(), LedgerError> {
        let is_root = claim.kind.family() == Family::Payment;
        let refused = if claim.parent.is_some() == is_root {
            "captures, refunds and voids name a payment, and nothing else does"
        } else if claim.money.minor() <= 0 || claim.identity.attempt == 0 {
            "amounts and attempts are counted from one"
        } else if self.by_id(rendered.id).is_some() {
            "the id belongs to another operation"
        } else {
            let mut values = rendered.request.headers.values();
            if values.all(|value| value.to_str().is_ok()) {
                return Ok(());
            }
            let detail = "headers: a value is no visible ASCII".to_owned();
            return Err(LedgerError::Unreadable { detail });
        };
        let detail = refused.to_owned();
        Err(LedgerError::Failed { detail })
    }

    fn owned(
        &mut self,
        record: Record,
        found: State,
        request: Request,
        driver: &Driver<'_>,
    ) -> Claimed {
        Claimed::Ours(Box::new(self.owns(record, found, request, driver)))
    }

    pub(super) fn owns(
        &mut self,
        record: Record,
        found: State,
        request: Request,
        driver: &Driver<'_>,
    ) -> Owned {
        let doubtful = self.times.is_doubtful(&record.account, driver.now.at);
        self.times.mark(driver.now.at);
        Owned::new(record, found, request, driver.now.clone(), doubtful)
    }

    pub(super) fn check(&self, id: OperationId, driver: &Driver<'_>) -> Option<Checked> {
        let record = self.by_id(id)?;
        let doubtful = self.times.is_doubtful(&record.account, driver.now.at);
        Some(Checked::new(record, doubtful, driver.now.clone()))
    }

    pub(super) fn record(
        &mut self,
        id: OperationId,
        epoch: i64,
        learned: &Learned,
        driver: &Driver<'_>,
    ) -> Result<(), LedgerError> {
        let sends = self.exchanged(id, epoch, &learned.exchanges, driver)?;
        let now = driver.now.at;
        self.row(id)?.record.keep(epoch, learned, sends, now);
        self.times.mark(now);
        Ok(())
    }

    pub(super) fn baseline(
        &mut self,
        id: OperationId,
        epoch: i64,
        baseline: String,
        driver: &Driver<'_>,
    ) -> Result<bool, LedgerError> {
        let now = driver.now.at;
        let taken = self.row(id)?.record.take_baseline(epoch, baseline, now);
        if taken {
            self.times.mark(now);
        }
        Ok(taken)
    }

    pub(super) fn settle(
        &mut self,
        settle: &Settle,
        driver: &Driver<'_>,
    ) -> Result<Settled, LedgerError> {
        let (id, now) = (settle.id, driver.now.at);
        let sends = self.exchanged(id, settle.epoch, &settle.learned.exchanges, driver)?;
        let stored = self.row(id)?.record.clone();
        let current = Record {
            sends,
            ..stored.clone()
        };
        let Some(change) = apply(current, settle, now) else {
            return Ok(Settled::Applied(Box::new(stored)));
        };
        let Change {
            record,
            alarms,
            freeze,
            fenced,
        } = change;
        // A payment that another operation made already is no success of this one.
        let taken = !self.keep(&record)?;
        self.row(id)?.record = record;
        let described = settle.conclusion.describe();
        for kind in alarms {
            self.raise(id, kind, described.clone(), now)?;
        }
        if taken {
            let detail = format!("{described}, which another operation has");
            self.raise(id, AlarmKind::Contradiction, detail, now)?;
        }
        if freeze || taken {
            self.freeze(&stored.identity);
            self.row(id)?.contradicted = true;
        }
        self.times.mark(now);
        let record = Box::new(self.row(id)?.record.clone());
        Ok(if fenced {
            Settled::Fenced(record)
        } else {
            Settled::Applied(record)
        })
    }

    pub(super) fn raise(
        &mut self,
        id: OperationId,
        kind: AlarmKind,
        detail: String,
        now: Timestamp,
    ) -> Result<(), LedgerError> {
        let operation = self.place(id)?;
        let number = i64::try_from(self.alarms.len()).unwrap_or(i64::MAX);
        let alarm = Alarm::new(number.saturating_add(1), kind, id, detail, now);
        self.alarms.push(Raised {
            alarm,
            operation,
            seen: None,
        });
        Ok(())
    }

    /// No claim and no send under the reference any more: every open operation is fenced.
    fn freeze(&mut self, identity: &Identity) {
        for record in self.attempts(identity) {
            record.frozen = true;
            if record.state.is_open() {
                record.epoch = record.epoch.saturating_add(1);
            }
        }
    }

    /// Keeps exchanges, each once, and counts the sends that are kept.
    fn exchanged(
        &mut self,
        id: OperationId,
        epoch: i64,
        exchanges: &[Exchange],
        driver: &Driver<'_>,
    ) -> Result<u32, LedgerError> {
        let row = self.row(id)?;
        for exchange in exchanges {
            let same =
                |(e, known): &(i64, Exchange)| *e == epoch && known.number == exchange.number;
            if !row.exchanges.iter().any(same) {
                row.exchanges.push((epoch, exchange.clone()));
            }
        }
        let kept = row.exchanges.iter();
        let sends = kept
            .filter(|(_, kept)| kept.purpose == Purpose::Send)
            .count();
        let account = row.record.account.clone();
        for exchange in exchanges {
            self.times.date_seen(&account, exchange, &driver.now);
        }
        Ok(u32::try_from(sends).unwrap_or(u32::MAX))
    }

    pub(super) fn by_id(&self, id: OperationId) -> Option<&Record> {
        let mut records = self.operations.iter().map(|row| &row.record);
        records.find(|record| record.id == id)
    }

    pub(super) fn place(&self, id: OperationId) -> Result<usize, LedgerError> {
        let place = self.operations.iter().position(|row| row.record.id == id);
        place.ok_or_else(|| gone(id))
    }

    pub(super) fn row(&mut self, id: OperationId) -> Result<&mut Row, LedgerError> {
        let mut rows = self.operations.iter_mut();
        rows.find(|row| row.record.id == id).ok_or_else(|| gone(id))
    }

    /// Every attempt under the reference of an identity.
    pub(super) fn attempts(&mut self, identity: &Identity) -> impl Iterator<Item = &mut Record> {
        let records = self.operations.iter_mut().map(|row| &mut row.record);
        records.filter(|record| is_under(record, identity))
    }

    pub(super) fn under_reference(&self, identity: &Identity) -> UnderReference {
        let records = self.operations.iter().map(|row| &row.record);
        let under = records.filter(|record| is_under(record, identity));
        // A next attempt is only made when the earlier ones are there: they are in rising order.
        let attempts: Vec<Record> = under.cloned().collect();
        let frozen = attempts.iter().any(|record| record.frozen);
        UnderReference::new(attempts, frozen)
    }
}

pub(super) fn is_under(record: &Record, identity: &Identity) -> bool {
    let stored = &record.identity;
    stored.tenant == identity.tenant
        && stored.family == identity.family
        && stored.reference == identity.reference
}

fn gone(id: OperationId) -> LedgerError {
    let detail = format!("operation {id} is gone");
    LedgerError::Unreadable { detail }
}
