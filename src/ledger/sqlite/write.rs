//! Claim, record, settle: one transaction each.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::owner::Owner;
use super::rows;
use crate::clock::{Timestamp, millis};
use crate::error::LedgerError;
use crate::ledger::{
    Admission, Change, Claim, Claimed, DateSeen, Exchange, Learned, Owned, Record, Refused,
    Rendered, Settle, Settled, admit, apply,
};
use crate::machine::AlarmKind;
use crate::operation::{Identity, OperationId, State};
use crate::outcome::NoEffectReason;
use crate::provider::AccountId;

/// How far the clock may step back before it is doubted.
const STEP_BACK: Duration = Duration::from_secs(2);

pub(super) fn claim(
    tx: &Transaction<'_>,
    claim: &Claim,
    owner: &Owner,
    now: Timestamp,
) -> Result<Claimed, LedgerError> {
    let stored = rows::under_reference(tx, &claim.identity)?;
    match admit(claim, stored, owner.id(), now, &|other| {
        owner.may_be_alive(other)
    }) {
        Admission::Answer(claimed) => Ok(claimed),
        Admission::Take { record, found } => {
            rows::update(tx, &record)?;
            let (rid, record) = stored_now(tx, record.id)?;
            let request = rows::request(tx, rid)?;
            owned(tx, record, found, request, now)
        }
        Admission::Insert { supersede } => match &claim.rendered {
            None => Ok(Claimed::Absent),
            Some(rendered) => insert(tx, claim, rendered, &supersede, owner, now),
        },
    }
}

fn insert(
    tx: &Transaction<'_>,
    claim: &Claim,
    rendered: &Rendered,
    supersede: &[OperationId],
    owner: &Owner,
    now: Timestamp,
) -> Result<Claimed, LedgerError> {
    if key_is_taken(tx, rendered)? {
        return Ok(Claimed::Refused(Refused::KeyInUse));
    }
    for id in supersede {
        let (_, mut record) = stored_now(tx, *id)?;
        record.state = State::NotExecuted;
        record.standing.no_effect = Some(NoEffectReason::Superseded);
        record.epoch = record.epoch.saturating_add(1);
        record.lease = None;
        record.updated_at = now;
        rows::update(tx, &record)?;
    }
    let record = Record::first(claim, rendered, owner.id(), now);
    let reference = reference_rid(tx, &claim.identity)?;
    let Some(rid) = rows::insert(tx, reference, &record)? else {
        return Err(LedgerError::Failed {
            detail: "the key was taken meanwhile".to_owned(),
        });
    };
    rows::insert_step(tx, rid, &record, &rendered.request)?;
    owned(tx, record, State::Sending, rendered.request.clone(), now)
}

fn key_is_taken(tx: &Transaction<'_>, rendered: &Rendered) -> Result<bool, LedgerError> {
    let sql = "
        SELECT 1 FROM operation WHERE account = ?1 AND idem_key = ?2
        UNION ALL SELECT 1 FROM step WHERE account = ?1 AND idem_key = ?2 AND n > 1";
    let (account, key) = (rendered.account.as_str(), rendered.key.as_str());
    Ok(tx.prepare_cached(sql)?.exists(params![account, key])?)
}

fn owned(
    tx: &Transaction<'_>,
    record: Record,
    found: State,
    request: crate::provider::Request,
    now: Timestamp,
) -> Result<Claimed, LedgerError> {
    let doubtful = clock_doubtful(tx, &record.account, now)?;
    mark(tx, now)?;
    Ok(Claimed::Ours(Box::new(Owned::new(
        record, found, request, now, doubtful,
    ))))
}

/// Writes what was learned under a claim that goes on. After another owner took over, only the
/// exchanges themselves still count: they happened.
pub(super) fn record(
    tx: &Transaction<'_>,
    id: OperationId,
    epoch: i64,
    learned: &Learned,
    now: Timestamp,
) -> Result<(), LedgerError> {
    let (rid, mut record) = stored_now(tx, id)?;
    exchanges(tx, rid, epoch, &record.account, &learned.exchanges, now)?;
    record.sends = record.sends.saturating_add(learned.sends());
    if record.epoch == epoch {
        record.stored_error |= learned.stored_error;
        if learned.provider_id.is_some() {
            record.standing.provider_id.clone_from(&learned.provider_id);
        }
    }
    record.updated_at = now;
    rows::update(tx, &record)?;
    mark(tx, now)
}

pub(super) fn settle(
    tx: &Transaction<'_>,
    settle: &Settle,
    now: Timestamp,
) -> Result<Settled, LedgerError> {
    let (rid, current) = stored_now(tx, settle.id)?;
    let account = current.account.clone();
    exchanges(
        tx,
        rid,
        settle.epoch,
        &account,
        &settle.learned.exchanges,
        now,
    )?;
    let Change {
        record,
        alarms,
        freeze,
        fenced,
    } = apply(current, settle, now);
    rows::update(tx, &record)?;
    for kind in alarms {
        alarm(tx, rid, kind, &settle.conclusion.describe(), now)?;
    }
    if freeze {
        freeze_reference(tx, rid)?;
    }
    mark(tx, now)?;
    let (_, record) = stored_now(tx, settle.id)?;
    let record = Box::new(record);
    Ok(if fenced {
        Settled::Fenced(record)
    } else {
        Settled::Applied(record)
    })
}

fn stored_now(connection: &Connection, id: OperationId) -> Result<rows::Stored, LedgerError> {
    rows::by_id(connection, id)?.ok_or_else(|| LedgerError::Unreadable {
        detail: format!("operation {id} is gone"),
    })
}

fn reference_rid(tx: &Transaction<'_>, identity: &Identity) -> Result<i64, LedgerError> {
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
fn freeze_reference(tx: &Transaction<'_>, rid: i64) -> Result<(), LedgerError> {
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
    Ok(())
}

fn alarm(
    tx: &Transaction<'_>,
    rid: i64,
    kind: AlarmKind,
    detail: &str,
    now: Timestamp,
) -> Result<(), LedgerError> {
    let sql = "
        INSERT INTO alarm (kind, operation_rid, detail, raised_at) VALUES (?1, ?2, ?3, ?4)";
    tx.prepare_cached(sql)?
        .execute(params![kind.as_str(), rid, detail, now.as_millis()])?;
    Ok(())
}

fn exchanges(
    tx: &Transaction<'_>,
    rid: i64,
    epoch: i64,
    account: &AccountId,
    exchanges: &[Exchange],
    now: Timestamp,
) -> Result<(), LedgerError> {
    let sql = "
        INSERT INTO send (operation_rid, purpose, epoch, started_at, latency_ms, status, class,
            request_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    for exchange in exchanges {
        tx.prepare_cached(sql)?.execute(params![
            rid,
            exchange.purpose.as_str(),
            epoch,
            exchange.started_at.as_millis(),
            millis(exchange.latency),
            exchange.status.map(i64::from),
            exchange.class,
            exchange.request_id,
        ])?;
        if let Some(body) = &exchange.reply {
            let sql = "INSERT INTO reply (send_rid, body) VALUES (?1, ?2)";
            tx.prepare_cached(sql)?
                .execute(params![tx.last_insert_rowid(), body])?;
        }
        date_seen(tx, account, exchange.date, now)?;
    }
    Ok(())
}

/// The highest time that the ledger has seen.
const MARK: &str = "clock_mark";

/// Keeps the highest time seen.
fn mark(tx: &Transaction<'_>, now: Timestamp) -> Result<(), LedgerError> {
    let sql = "
        INSERT INTO meta (name, value) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
            WHERE excluded.value > meta.value";
    tx.prepare_cached(sql)?
        .execute(params![MARK, now.as_millis()])?;
    Ok(())
}

/// A gateway's `Date` that differs from our clock makes the age of its keys doubtful, until one
/// agrees again.
fn date_seen(
    tx: &Transaction<'_>,
    account: &AccountId,
    seen: DateSeen,
    now: Timestamp,
) -> Result<(), LedgerError> {
    let name = date_doubt(account);
    match seen {
        DateSeen::None => {}
        DateSeen::Agrees => {
            tx.prepare_cached("DELETE FROM meta WHERE name = ?1")?
                .execute([name])?;
        }
        DateSeen::Differs => {
            let sql = "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)";
            tx.prepare_cached(sql)?
                .execute(params![name, now.as_millis()])?;
        }
    }
    Ok(())
}

fn date_doubt(account: &AccountId) -> String {
    format!("date_doubt {account}")
}

/// Whether the age of the account's keys cannot be trusted now: the clock stepped back behind the
/// highest time seen, or the gateway's own clock differs.
pub(super) fn clock_doubtful(
    connection: &Connection,
    account: &AccountId,
    now: Timestamp,
) -> Result<bool, LedgerError> {
    let sql = "SELECT 1 FROM meta WHERE (name = ?1 AND value > ?2) OR name = ?3";
    let latest = now.plus(STEP_BACK).as_millis();
    Ok(connection
        .prepare_cached(sql)?
        .exists(params![MARK, latest, date_doubt(account)])?)
}
