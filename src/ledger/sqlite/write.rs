//! Claim, record, settle: each within the writer's transaction.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use super::owner::Owner;
use super::{payments, rows, time};
use crate::clock::{Clock, Timestamp, millis};
use crate::error::LedgerError;
use crate::ledger::{
    Admission, Asked, Change, Claim, Claimed, Exchange, Guarded, Learned, Moment, NextStep, Owned,
    Record, Refused, Rendered, Settle, Settled, StepRequest, admit, apply, guard,
};
use crate::machine::AlarmKind;
use crate::operation::{Identity, OperationId, State};
use crate::provider::Request;

pub(super) fn claim(
    tx: &Connection,
    claim: &Claim,
    owner: &Owner,
    clock: &dyn Clock,
) -> Result<Claimed, Fault> {
    let now = time::now(tx, clock)?;
    let stored = rows::under_reference(tx, &claim.identity)?;
    let alive = |other: &_| owner.may_be_alive(other);
    match admit(claim, stored, owner.id(), &now, &alive) {
        Admission::Answer(claimed) => Ok(claimed),
        Admission::Take { record, found } => {
            if let Some(refused) = guarded_again(tx, &record)? {
                return Ok(Claimed::Refused(Refused::Guarded(refused)));
            }
            rows::update(tx, &record)?;
            let (rid, record) = stored_now(tx, record.id)?;
            let request = rows::request(tx, rid, &record)?;
            owned(tx, record, found, request, now)
        }
        Admission::Insert { supersede } => match &claim.rendered {
            None => Ok(Claimed::Absent),
            Some(rendered) => insert(tx, claim, rendered, &supersede, owner, now),
        },
    }
}

/// Of what was never sent its payment is asked again: it may not be what it was.
fn guarded_again(tx: &Connection, record: &Record) -> Result<Option<Guarded>, Fault> {
    if record.parent.is_none() || record.maybe_sent > 0 {
        return Ok(None);
    }
    let root = payments::root_of(tx, record.id)?;
    let stored = root.map(|rid| payments::under_root(tx, rid)).transpose()?;
    Ok(guard(&Asked::by_record(record), stored).err())
}

fn insert(
    tx: &Connection,
    claim: &Claim,
    rendered: &Rendered,
    supersede: &[OperationId],
    owner: &Owner,
    now: Moment,
) -> Result<Claimed, Fault> {
    if key_is_taken(tx, rendered)? {
        return Ok(Claimed::Refused(Refused::KeyInUse));
    }
    let mut root = None;
    if let Some(payment) = &claim.parent {
        root = payments::root_rid(tx, payment)?;
        let stored = root.map(|rid| payments::under_root(tx, rid)).transpose()?;
        let asked = Asked::by_claim(claim, rendered.rule, supersede);
        if let Err(refused) = guard(&asked, stored) {
            return Ok(Claimed::Refused(Refused::Guarded(refused)));
        }
    }
    for id in supersede {
        let (_, mut record) = stored_now(tx, *id)?;
        record.supersede(now.at);
        rows::update(tx, &record)?;
    }
    let record = Record::first(claim, rendered, owner.id(), &now);
    let reference = reference_rid(tx, &claim.identity)?;
    let Some(rid) = rows::insert(tx, reference, root, &record)? else {
        let detail = "the key was taken meanwhile".to_owned();
        return Err(LedgerError::Failed { detail }.into());
    };
    rows::insert_step(tx, rid, &record, &rendered.request)?;
    owned(tx, record, State::Sending, rendered.request.clone(), now)
}

fn key_is_taken(tx: &Connection, rendered: &Rendered) -> Result<bool, Fault> {
    let sql = "
        SELECT 1 FROM operation WHERE account = ?1 AND idem_key = ?2
        UNION ALL SELECT 1 FROM step WHERE account = ?1 AND idem_key = ?2 AND n > 1";
    let (account, key) = (rendered.account.as_str(), rendered.key.as_str());
    Ok(tx.prepare_cached(sql)?.exists(params![account, key])?)
}

fn owned(
    tx: &Connection,
    record: Record,
    found: State,
    request: Request,
    now: Moment,
) -> Result<Claimed, Fault> {
    let owned = owns(tx, record, found, request, now)?;
    Ok(Claimed::Ours(Box::new(owned)))
}

fn owns(
    tx: &Connection,
    record: Record,
    found: State,
    request: Request,
    now: Moment,
) -> Result<Owned, Fault> {
    let doubtful = time::is_doubtful(tx, &record.account, now.at)?;
    time::mark(tx, now.at)?;
    Ok(Owned::new(record, found, request, now, doubtful))
}

/// Writes what was learned under a claim that goes on.
pub(super) fn record(
    tx: &Connection,
    id: OperationId,
    epoch: i64,
    learned: &Learned,
    clock: &dyn Clock,
) -> Result<(), Fault> {
    let now = time::now(tx, clock)?;
    let (rid, mut record) = stored_now(tx, id)?;
    let sends = exchanges(tx, rid, epoch, &record, &learned.exchanges, &now)?;
    record.keep(epoch, learned, sends, now.at);
    rows::update(tx, &record)?;
    time::mark(tx, now.at)
}

/// Stores what has to be read before the first send, once, under its owner's epoch.
pub(super) fn baseline(
    tx: &Connection,
    id: OperationId,
    epoch: i64,
    baseline: String,
    clock: &dyn Clock,
) -> Result<bool, Fault> {
    let now = time::now(tx, clock)?;
    let (_, mut record) = stored_now(tx, id)?;
    if !record.take_baseline(epoch, baseline, now.at) {
        return Ok(false);
    }
    rows::update(tx, &record)?;
    time::mark(tx, now.at)?;
    Ok(true)
}

/// Stores a further step, which the operation goes on to.
pub(super) fn go_on(
    tx: &Connection,
    id: OperationId,
    epoch: i64,
    next: &NextStep,
    clock: &dyn Clock,
) -> Result<Option<Owned>, Fault> {
    let now = time::now(tx, clock)?;
    let (rid, mut record) = stored_now(tx, id)?;
    let n = rows::steps(tx, rid)?.saturating_add(1);
    if !record.go_on(epoch, next, n, now.at) {
        return Ok(None);
    }
    rows::insert_further(tx, rid, &record, "proceed", &next.step)?;
    rows::update(tx, &record)?;
    let (_, record) = stored_now(tx, id)?;
    let request = next.step.request.clone();
    owns(tx, record, State::Sending, request, now).map(Some)
}

/// Stores a close step, or gives the one that is stored and may still take effect.
pub(super) fn begin_close(
    tx: &Connection,
    id: OperationId,
    epoch: i64,
    step: StepRequest,
    clock: &dyn Clock,
) -> Result<Option<StepRequest>, Fault> {
    let now = time::now(tx, clock)?;
    let (rid, mut record) = stored_now(tx, id)?;
    let begun = record.closing;
    if !record.begin_close(epoch, now.at) {
        return Ok(None);
    }
    let step = if begun {
        rows::close_step(tx, rid)?
    } else {
        rows::insert_further(tx, rid, &record, "close", &step)?;
        step
    };
    rows::update(tx, &record)?;
    time::mark(tx, now.at)?;
    Ok(Some(step))
}

pub(super) fn settle(
    tx: &Connection,
    settle: &Settle,
    clock: &dyn Clock,
) -> Result<Settled, Fault> {
    let now = time::now(tx, clock)?;
    let (rid, mut current) = stored_now(tx, settle.id)?;
    let exchanged = &settle.learned.exchanges;
    current.sends = exchanges(tx, rid, settle.epoch, &current, exchanged, &now)?;
    let Some(change) = apply(current, settle, now.at) else {
        let (_, record) = stored_now(tx, settle.id)?;
        return Ok(Settled::Applied(Box::new(record)));
    };
    let Change {
        record,
        alarms,
        freeze,
        fenced,
    } = change;
    rows::update(tx, &record)?;
    for kind in alarms {
        alarm(tx, rid, kind, &settle.conclusion.describe(), now.at)?;
    }
    // A payment that another operation made already is no success of this one.
    let taken = !payments::keep(tx, rid, &record, now.at)?;
    if taken {
        let detail = format!(
            "{}, which another operation has",
            settle.conclusion.describe()
        );
        alarm(tx, rid, AlarmKind::Contradiction, &detail, now.at)?;
    }
    if freeze || taken {
        freeze_reference(tx, rid)?;
    }
    time::mark(tx, now.at)?;
    let (_, record) = stored_now(tx, settle.id)?;
    let record = Box::new(record);
    Ok(if fenced {
        Settled::Fenced(record)
    } else {
        Settled::Applied(record)
    })
}

fn stored_now(connection: &Connection, id: OperationId) -> Result<rows::Stored, Fault> {
    rows::by_id(connection, id)?.ok_or_else(|| {
        let detail = format!("operation {id} is gone");
        LedgerError::Unreadable { detail }.into()
    })
}

fn reference_rid(tx: &Connection, identity: &Identity) -> Result<i64, Fault> {
    let values = params![
        identity.tenant,
        identity.family.as_str(),
        identity.reference
    ];
    let sql = "
        INSERT INTO reference (tenant, family, reference) VALUES (?1, ?2, ?3)
        ON CONFLICT DO NOTHING RETURNING rid";
    let new = tx
        .prepare_cached(sql)?
        .query_row(values, |row| row.get(0))
        .optional()?;
    if let Some(rid) = new {
        return Ok(rid);
    }
    let sql = "SELECT rid FROM reference WHERE tenant = ?1 AND family = ?2 AND reference = ?3";
    Ok(tx
        .prepare_cached(sql)?
        .query_row(values, |row| row.get(0))?)
}

/// No claim and no send under the reference any more: every open operation is fenced.
fn freeze_reference(tx: &Connection, rid: i64) -> Result<(), Fault> {
    let reference = "(SELECT reference_rid FROM operation WHERE rid = ?1)";
    tx.execute(
        &format!("UPDATE reference SET frozen = 1 WHERE rid = {reference}"),
        [rid],
    )?;
    let sql = format!(
        "UPDATE operation SET epoch = epoch + 1 WHERE reference_rid = {reference}
            AND state IN ('queued', 'sending', 'unsent', 'action_required', 'pending', 'unknown')"
    );
    tx.execute(&sql, [rid])?;
    tx.execute(
        "UPDATE operation SET contradicted = 1 WHERE rid = ?1",
        [rid],
    )?;
    Ok(())
}

pub(super) fn alarm(
    tx: &Connection,
    rid: i64,
    kind: AlarmKind,
    detail: &str,
    now: Timestamp,
) -> Result<(), Fault> {
    let sql = "
        INSERT INTO alarm (kind, operation_rid, detail, raised_at) VALUES (?1, ?2, ?3, ?4)";
    tx.prepare_cached(sql)?
        .execute(params![kind.as_str(), rid, detail, now.as_millis()])?;
    Ok(())
}

/// Writes exchanges, each once, and counts the sends that are written.
fn exchanges(
    tx: &Connection,
    rid: i64,
    epoch: i64,
    record: &Record,
    exchanges: &[Exchange],
    now: &Moment,
) -> Result<u32, Fault> {
    let sql = "
        INSERT INTO send (operation_rid, epoch, n, purpose, started_at, latency_ms, status, class,
            request_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (operation_rid, epoch, n) DO NOTHING";
    for exchange in exchanges {
        let new = tx.prepare_cached(sql)?.execute(params![
            rid,
            epoch,
            i64::from(exchange.number),
            exchange.purpose.as_str(),
            exchange.started_at.as_millis(),
            millis(exchange.latency),
            exchange.status.map(i64::from),
            exchange.class,
            exchange.request_id,
        ])?;
        if let (1, Some(body)) = (new, &exchange.reply) {
            let sql = "INSERT INTO reply (send_rid, body) VALUES (?1, ?2)";
            tx.prepare_cached(sql)?
                .execute(params![tx.last_insert_rowid(), body])?;
        }
        time::date_seen(tx, &record.account, exchange, now)?;
    }
    let sql = "SELECT count(*) FROM send WHERE operation_rid = ?1 AND purpose = 'send'";
    let sends: i64 = tx.prepare_cached(sql)?.query_row([rid], |row| row.get(0))?;
    Ok(u32::try_from(sends).unwrap_or(u32::MAX))
}
