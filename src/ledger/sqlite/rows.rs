//! Rows to records, and back.

use std::str::FromStr;

use http::header::{HeaderMap, HeaderName, HeaderValue};
use rusqlite::{Connection, OptionalExtension, Params, Row, Statement, ToSql, params};

use super::fault::Fault;
use crate::clock::Timestamp;
use crate::error::LedgerError;
use crate::ledger::{Fingerprint, Lease, Moment, OwnerId, Record, StepRequest, UnderReference};
use crate::money::{Currency, Money};
use crate::operation::{Family, Identity, OperationId, OperationKind, State};
use crate::provider::{AccountId, IdempotencyKey, Request};

const SELECT: &str = "
    SELECT o.rid, o.id, r.tenant, r.family, r.reference, o.attempt, o.kind, o.account,
        o.idem_key, o.minor, o.currency, o.parent, o.baseline, o.further, o.fingerprint, o.fingerprint_sha256, o.state, o.closing,
        o.epoch, o.ended_epoch, o.owner, o.claimed, o.lease_until, o.maybe_sent,
        o.maybe_sent_open, o.window_from, o.first_sent, o.last_sent, o.send_until, o.rule, o.look_up_only,
        o.stored_error, r.frozen, o.standing, o.sends, o.created_at, o.updated_at
    FROM operation o JOIN reference r ON r.rid = o.reference_rid";

/// A row's number and the record in it.
pub(super) type Stored = (i64, Record);

pub(super) fn by_id(connection: &Connection, id: OperationId) -> Result<Option<Stored>, Fault> {
    let mut query = connection.prepare_cached(&format!("{SELECT} WHERE o.id = ?1"))?;
    one(&mut query, &[&id.to_string()])
}

/// Every attempt under the reference of an identity, in rising order.
pub(super) fn under_reference(
    connection: &Connection,
    identity: &Identity,
) -> Result<UnderReference, Fault> {
    let condition = "WHERE r.tenant = ?1 AND r.family = ?2 AND r.reference = ?3 ORDER BY o.attempt";
    let family = identity.family.as_str();
    let values = params![identity.tenant, family, identity.reference];
    let attempts = all(connection, condition, values)?;
    let frozen = attempts.iter().any(|record| record.frozen);
    Ok(UnderReference::new(attempts, frozen))
}

/// Every operation that a condition takes.
pub(super) fn all(
    connection: &Connection,
    condition: &str,
    values: impl Params,
) -> Result<Vec<Record>, Fault> {
    let mut query = connection.prepare_cached(&format!("{SELECT} {condition}"))?;
    let mut rows = query.query(values)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(read(row)?.1);
    }
    Ok(records)
}

/// The operation in a row.
pub(super) fn by_rid(connection: &Connection, rid: i64) -> Result<Option<Record>, Fault> {
    let mut query = connection.prepare_cached(&format!("{SELECT} WHERE o.rid = ?1"))?;
    Ok(one(&mut query, &[&rid])?.map(|(_, record)| record))
}

fn one(query: &mut Statement<'_>, values: &[&dyn ToSql]) -> Result<Option<Stored>, Fault> {
    let mut rows = query.query(values)?;
    rows.next()?.map(read).transpose()
}

fn read(row: &Row<'_>) -> Result<Stored, Fault> {
    let text = |name: &str| row.get::<_, String>(name);
    let time = |name: &str| row.get(name).map(Timestamp::from_millis);
    let maybe_time = |name: &str| -> Result<Option<Timestamp>, rusqlite::Error> {
        Ok(row.get::<_, Option<i64>>(name)?.map(Timestamp::from_millis))
    };
    let moment = |name: &str| -> Result<Option<Moment>, Fault> {
        let stored: Option<String> = row.get(name)?;
        stored.map(|text| json(name, &text)).transpose()
    };
    let owner: Option<String> = row.get("owner")?;
    let lease = match (owner, moment("claimed")?, maybe_time("lease_until")?) {
        (Some(owner), Some(claimed), Some(until)) => {
            Some(Lease::new(OwnerId::new(owner), claimed, until))
        }
        _ => None,
    };
    let further: Option<String> = row.get("further")?;
    let currency: Currency = parse("currency", &text("currency")?)?;
    let identity = Identity::new(
        text("tenant")?,
        named("family", &text("family")?, Family::from_name)?,
        text("reference")?,
        count(row, "attempt")?,
    );
    let money = Money::from_minor(row.get("minor")?, currency)
        .map_err(|error| unreadable("minor", &error.to_string()))?;
    let record = Record {
        id: parse("id", &text("id")?)?,
        identity,
        kind: named("kind", &text("kind")?, OperationKind::from_name)?,
        account: AccountId::new(text("account")?),
        key: IdempotencyKey::new(text("idem_key")?),
        money,
        parent: row.get("parent")?,
        baseline: row.get("baseline")?,
        further: further.map(|text| json("further", &text)).transpose()?,
        fingerprint: Fingerprint::new(text("fingerprint")?, row.get("fingerprint_sha256")?),
        state: named("state", &text("state")?, State::from_name)?,
        closing: row.get("closing")?,
        epoch: row.get("epoch")?,
        lease,
        maybe_sent: count(row, "maybe_sent")?,
        maybe_sent_open: count(row, "maybe_sent_open")?,
        ended_epoch: row.get("ended_epoch")?,
        window_from: moment("window_from")?,
        first_sent: maybe_time("first_sent")?,
        last_sent: maybe_time("last_sent")?,
        send_until: time("send_until")?,
        rule: json("rule", &text("rule")?)?,
        look_up_only: row.get("look_up_only")?,
        stored_error: row.get("stored_error")?,
        frozen: row.get("frozen")?,
        standing: json("standing", &text("standing")?)?,
        sends: count(row, "sends")?,
        created_at: time("created_at")?,
        updated_at: time("updated_at")?,
    };
    Ok((row.get("rid")?, record))
}

/// Inserts a new row. `None`: its key belongs to another operation of the account.
pub(super) fn insert(
    connection: &Connection,
    reference_rid: i64,
    root_rid: Option<i64>,
    record: &Record,
) -> Result<Option<i64>, Fault> {
    let sql = "
        INSERT INTO operation (id, reference_rid, attempt, kind, account, idem_key, minor,
            currency, fingerprint, fingerprint_sha256, state, epoch, owner, claimed,
            lease_until, send_until, rule, created_at, updated_at, parent, root_rid)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
            ?19, ?20, ?21)
        ON CONFLICT (account, idem_key) DO NOTHING RETURNING rid";
    let lease = record.lease.as_ref();
    let rid = connection
        .prepare_cached(sql)?
        .query_row(
            params![
                record.id.to_string(),
                reference_rid,
                i64::from(record.identity.attempt),
                record.kind.as_str(),
                record.account.as_str(),
                record.key.as_str(),
                record.money.minor(),
                record.money.currency().code(),
                record.fingerprint.canonical,
                record.fingerprint.sha256,
                record.state.as_str(),
                record.epoch,
                lease.map(|lease| lease.owner.as_str()),
                moment(lease.map(|lease| &lease.claimed))?,
                lease.map(|lease| lease.until.as_millis()),
                record.send_until.as_millis(),
                text_of("rule", &record.rule)?,
                record.created_at.as_millis(),
                record.updated_at.as_millis(),
                record.parent,
                root_rid,
            ],
            |row| row.get(0),
        )
        .optional()?;
    Ok(rid)
}

/// Writes everything of a row that may change.
pub(super) fn update(connection: &Connection, record: &Record) -> Result<(), Fault> {
    let sql = "
        UPDATE operation SET state = ?2, closing = ?3, epoch = ?4, ended_epoch = ?5, owner = ?6,
            claimed = ?7, lease_until = ?8, maybe_sent = ?9, maybe_sent_open = ?10,
            window_from = ?11, last_sent = ?12, send_until = ?13, look_up_only = ?14,
            stored_error = ?15, standing = ?16, sends = ?17, updated_at = ?18, baseline = ?19,
            first_sent = ?20, further = ?21
        WHERE id = ?1";
    let lease = record.lease.as_ref();
    let changed = connection.prepare_cached(sql)?.execute(params![
        record.id.to_string(),
        record.state.as_str(),
        record.closing,
        record.epoch,
        record.ended_epoch,
        lease.map(|lease| lease.owner.as_str()),
        moment(lease.map(|lease| &lease.claimed))?,
        lease.map(|lease| lease.until.as_millis()),
        i64::from(record.maybe_sent),
        i64::from(record.maybe_sent_open),
        moment(record.window_from.as_ref())?,
        record.last_sent.map(Timestamp::as_millis),
        record.send_until.as_millis(),
        record.look_up_only,
        record.stored_error,
        text_of("standing", &record.standing)?,
        i64::from(record.sends),
        record.updated_at.as_millis(),
        record.baseline,
        record.first_sent.map(Timestamp::as_millis),
        record
            .further
            .as_ref()
            .map(|further| text_of("further", further))
            .transpose()?,
    ])?;
    if changed == 1 {
        Ok(())
    } else {
        Err(unreadable("id", "the row is gone"))
    }
}

fn moment(moment: Option<&Moment>) -> Result<Option<String>, Fault> {
    moment.map(|moment| text_of("moment", moment)).transpose()
}

/// Stores the first step's request.
pub(super) fn insert_step(
    connection: &Connection,
    rid: i64,
    record: &Record,
    request: &Request,
) -> Result<(), Fault> {
    insert_request(connection, rid, "move", record, &record.key, request)
}

/// Stores one more step.
pub(super) fn insert_further(
    connection: &Connection,
    rid: i64,
    record: &Record,
    purpose: &str,
    step: &StepRequest,
) -> Result<(), Fault> {
    insert_request(connection, rid, purpose, record, &step.key, &step.request)
}

/// How many steps an operation has.
pub(super) fn steps(connection: &Connection, rid: i64) -> Result<u32, Fault> {
    let sql = "SELECT max(n) AS n FROM step WHERE operation_rid = ?1";
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([rid])?;
    let row = rows
        .next()?
        .ok_or_else(|| unreadable("step", "it is gone"))?;
    count(row, "n")
}

fn insert_request(
    connection: &Connection,
    rid: i64,
    purpose: &str,
    record: &Record,
    key: &IdempotencyKey,
    request: &Request,
) -> Result<(), Fault> {
    let sql = "
        INSERT INTO step (operation_rid, n, purpose, account, idem_key, method, path, headers,
            body)
        SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
        FROM step WHERE operation_rid = ?1";
    let headers: Vec<(&str, &str)> = request
        .headers
        .iter()
        .map(|(name, value)| Ok((name.as_str(), value.to_str()?)))
        .collect::<Result<_, http::header::ToStrError>>()
        .map_err(|error| unreadable("headers", &error.to_string()))?;
    connection.prepare_cached(sql)?.execute(params![
        rid,
        purpose,
        record.account.as_str(),
        key.as_str(),
        request.method.as_str(),
        request.path,
        text_of("headers", &headers)?,
        request.body,
    ])?;
    Ok(())
}

/// The request of the step that an operation is at, byte for byte.
pub(super) fn request(
    connection: &Connection,
    rid: i64,
    record: &Record,
) -> Result<Request, Fault> {
    let n = record.further.as_ref().map_or(1, |further| further.n);
    Ok(step(connection, rid, &format!("n = {n}"))?.request)
}

/// The last close step.
pub(super) fn close_step(connection: &Connection, rid: i64) -> Result<StepRequest, Fault> {
    step(connection, rid, "purpose = 'close' ORDER BY n DESC LIMIT 1")
}

fn step(connection: &Connection, rid: i64, which: &str) -> Result<StepRequest, Fault> {
    let sql = format!(
        "SELECT method, path, headers, body, idem_key FROM step
            WHERE operation_rid = ?1 AND {which}"
    );
    let mut query = connection.prepare_cached(&sql)?;
    let (method, path, headers, body, key): (String, String, String, Option<Vec<u8>>, String) =
        query.query_row([rid], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        })?;
    let mut request = Request::new(parse("method", &method)?, path);
    let headers: Vec<(String, String)> = json("headers", &headers)?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name: HeaderName = parse("headers", &name)?;
        let value: HeaderValue = parse("headers", &value)?;
        map.append(name, value);
    }
    request.headers = map;
    request.body = body.ok_or_else(|| unreadable("body", "it was erased"))?;
    Ok(StepRequest::new(IdempotencyKey::new(key), request))
}

fn count(row: &Row<'_>, name: &str) -> Result<u32, Fault> {
    let value: i64 = row.get(name)?;
    u32::try_from(value).map_err(|error| unreadable(name, &error.to_string()))
}

pub(super) fn named<T>(column: &str, text: &str, find: fn(&str) -> Option<T>) -> Result<T, Fault> {
    find(text).ok_or_else(|| unreadable(column, "it is not known"))
}

pub(super) fn parse<T: FromStr<Err: std::fmt::Display>>(
    column: &str,
    text: &str,
) -> Result<T, Fault> {
    text.parse()
        .map_err(|error: T::Err| unreadable(column, &error.to_string()))
}

fn json<T: serde::de::DeserializeOwned>(column: &str, text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| unreadable(column, &error.to_string()))
}

pub(super) fn text_of<T: serde::Serialize>(column: &str, value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| unreadable(column, &error.to_string()))
}

pub(super) fn unreadable(column: &str, why: &str) -> Fault {
    let detail = format!("{column}: {why}");
    LedgerError::Unreadable { detail }.into()
}
