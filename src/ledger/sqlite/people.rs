//! What people do: withdraw, resolve, adopt, acknowledge, list.

use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::fault::Fault;
use super::owner::Owner;
use super::{payments, rows, time, write};
use crate::clock::{Clock, Timestamp};
use crate::ledger::{
    Alarm, AlarmKind, Decided, Decision, Filter, Record, Resolution, UnderPayment, resolve,
    withdraw,
};
use crate::operation::{OperationId, State};
use crate::payment::Adopted;

pub(super) fn withdrawn(
    tx: &Connection,
    id: OperationId,
    tenant: &str,
    clock: &dyn Clock,
) -> Result<Decided, Fault> {
    let now = time::now(tx, clock)?;
    let Some((_, record)) = of_tenant(tx, id, tenant)? else {
        return Ok(Decided::Absent);
    };
    match withdraw(record, now.at) {
        Ok(record) => {
            rows::update(tx, &record)?;
            Ok(Decided::Done(Box::new(record)))
        }
        Err(record) => Ok(Decided::Refused(record)),
    }
}

pub(super) fn resolved(
    tx: &Connection,
    resolution: &Resolution,
    owner: &Owner,
    clock: &dyn Clock,
) -> Result<Decided, Fault> {
    let now = time::now(tx, clock)?.at;
    let Some((rid, record)) = of_tenant(tx, resolution.id, &resolution.tenant)? else {
        return Ok(Decided::Absent);
    };
    let alive = |other: &_| owner.may_be_alive(other);
    let driven = record.is_driven(owner.id(), now, &alive);
    let record = match resolve(record, &resolution.decision, driven, now) {
        Ok(record) => record,
        Err(record) => return Ok(Decided::Refused(record)),
    };
    if !payments::keep(tx, rid, &record, now)? {
        return Ok(Decided::Taken);
    }
    rows::update(tx, &record)?;
    note(tx, rid, resolution, now)?;
    thaw(tx, rid)?;
    paid_twice(tx, rid, &record, now)?;
    let record = rows::by_rid(tx, rid)?.unwrap_or(record);
    Ok(Decided::Done(Box::new(record)))
}

/// Ends the freeze of a reference when nothing under it is contradicted any more.
fn thaw(tx: &Connection, rid: i64) -> Result<(), Fault> {
    tx.execute(
        "UPDATE operation SET contradicted = 0 WHERE rid = ?1",
        [rid],
    )?;
    let sql = "
        UPDATE reference SET frozen = EXISTS (
            SELECT 1 FROM operation o WHERE o.reference_rid = reference.rid AND o.contradicted = 1)
        WHERE rid = (SELECT reference_rid FROM operation WHERE rid = ?1)";
    tx.prepare_cached(sql)?.execute([rid])?;
    Ok(())
}

/// Two attempts under one reference that both moved the money are a double payment.
fn paid_twice(tx: &Connection, rid: i64, record: &Record, now: Timestamp) -> Result<(), Fault> {
    let attempts = rows::under_reference(tx, &record.identity)?.attempts;
    let paid = attempts.iter().filter(|o| o.state == State::Succeeded);
    if record.state == State::Succeeded && paid.count() > 1 {
        let detail = "two attempts under the reference moved the money";
        write::alarm(tx, rid, AlarmKind::DuplicateAtGateway, detail, now)?;
    }
    Ok(())
}

fn note(tx: &Connection, rid: i64, resolution: &Resolution, now: Timestamp) -> Result<(), Fault> {
    let Resolution {
        decision, who, why, ..
    } = resolution;
    let sql = "
        INSERT INTO resolution (operation_rid, decision, who, why, decided_at)
        VALUES (?1, ?2, ?3, ?4, ?5)";
    let decision: &Decision = decision;
    let decision = rows::text_of("decision", decision)?;
    tx.prepare_cached(sql)?
        .execute(params![rid, decision, who, why, now.as_millis()])?;
    Ok(())
}

fn of_tenant(
    connection: &Connection,
    id: OperationId,
    tenant: &str,
) -> Result<Option<rows::Stored>, Fault> {
    let stored = rows::by_id(connection, id)?;
    Ok(stored.filter(|(_, record)| record.identity.tenant == tenant))
}

pub(super) fn adopt(
    tx: &Connection,
    adopted: &Adopted,
    tenant: &str,
    clock: &dyn Clock,
) -> Result<UnderPayment, Fault> {
    let now = time::now(tx, clock)?.at;
    let payment = &adopted.payment;
    if let Some(known) = payments::root_rid(tx, payment)? {
        return payments::under_root(tx, known);
    }
    let sql = "
        INSERT INTO payment (account, provider_id, kind, minor, currency, captured_before,
            refunded_before, created_at, tenant)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING rid";
    let root = tx.prepare_cached(sql)?.query_row(
        params![
            payment.account.as_str(),
            payment.provider_id,
            adopted.kind.as_str(),
            adopted.money.minor(),
            adopted.money.currency().code(),
            adopted.captured,
            adopted.refunded,
            now.as_millis(),
            tenant,
        ],
        |row| row.get(0),
    )?;
    payments::under_root(tx, root)
}

pub(super) fn tenants(connection: &Connection, states: &[State]) -> Result<Vec<String>, Fault> {
    let marks = vec!["?"; states.len()].join(", ");
    let sql = format!(
        "SELECT DISTINCT r.tenant FROM operation o JOIN reference r ON r.rid = o.reference_rid
         WHERE o.state IN ({marks}) ORDER BY r.tenant"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let names = states.iter().map(|state| state.as_str());
    let tenants = select.query_map(params_from_iter(names), |row| row.get(0))?;
    Ok(tenants.collect::<Result<_, _>>()?)
}

pub(super) fn list(
    connection: &Connection,
    tenant: &str,
    filter: &Filter,
) -> Result<Vec<Record>, Fault> {
    let mut sql = String::from(" WHERE r.tenant = ?");
    let mut values = vec![Value::from(tenant.to_owned())];
    if !filter.states.is_empty() {
        let marks = vec!["?"; filter.states.len()].join(", ");
        sql.push_str(" AND o.state IN (");
        sql.push_str(&marks);
        sql.push(')');
        values.extend(
            filter
                .states
                .iter()
                .map(|s| Value::from(s.as_str().to_owned())),
        );
    }
    if let Some(family) = filter.family {
        sql.push_str(" AND r.family = ?");
        values.push(Value::from(family.as_str().to_owned()));
    }
    if let Some(after) = filter.after {
        sql.push_str(" AND o.rid > (SELECT rid FROM operation WHERE id = ?)");
        values.push(Value::from(after.to_string()));
    }
    sql.push_str(" ORDER BY o.rid LIMIT ?");
    values.push(Value::from(i64::from(filter.page())));
    rows::all(connection, &sql, params_from_iter(values))
}

pub(super) fn alarms(connection: &Connection, tenant: &str) -> Result<Vec<Alarm>, Fault> {
    let sql = "
        SELECT a.rid, a.kind, o.id, a.detail, a.raised_at
        FROM alarm a JOIN operation o ON o.rid = a.operation_rid
            JOIN reference r ON r.rid = o.reference_rid
        WHERE a.acknowledged_at IS NULL AND r.tenant = ?1 ORDER BY a.rid";
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([tenant])?;
    let mut alarms = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(1)?;
        let operation: String = row.get(2)?;
        alarms.push(Alarm::new(
            row.get(0)?,
            rows::named("kind", &kind, AlarmKind::from_name)?,
            rows::parse("id", &operation)?,
            row.get(3)?,
            Timestamp::from_millis(row.get(4)?),
        ));
    }
    Ok(alarms)
}

pub(super) fn acknowledge(
    tx: &Connection,
    number: i64,
    tenant: &str,
    who: &str,
    clock: &dyn Clock,
) -> Result<bool, Fault> {
    let now = time::now(tx, clock)?.at;
    let sql = "
        UPDATE alarm SET acknowledged_by = ?2, acknowledged_at = ?3
        WHERE rid = ?1 AND acknowledged_at IS NULL AND operation_rid IN (
            SELECT o.rid FROM operation o JOIN reference r ON r.rid = o.reference_rid
            WHERE r.tenant = ?4)";
    let changed = tx
        .prepare_cached(sql)?
        .execute(params![number, who, now.as_millis(), tenant])?;
    Ok(changed == 1)
}
