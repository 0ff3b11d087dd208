//! Payments at the gateways: a root, and every id that a capture, void or refund of it returned.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use super::rows;
use crate::clock::Timestamp;
use crate::ledger::{Record, Totals, UnderPayment};
use crate::money::{Currency, Money};
use crate::operation::{Family, OperationKind, State};
use crate::payment::Payment;

/// The root's row of a payment, by its own id or an alias.
pub(super) fn root_rid(connection: &Connection, payment: &Payment) -> Result<Option<i64>, Fault> {
    let sql = "
        SELECT coalesce(root_rid, rid) FROM payment WHERE account = ?1 AND provider_id = ?2";
    let values = params![payment.account.as_str(), payment.provider_id];
    Ok(connection
        .prepare_cached(sql)?
        .query_row(values, |row| row.get(0))
        .optional()?)
}

/// A payment and what was asked of it.
pub(super) fn under_root(connection: &Connection, root_rid: i64) -> Result<UnderPayment, Fault> {
    let sql = "
        SELECT kind, minor, currency, operation_rid, captured_before, refunded_before
        FROM payment WHERE rid = ?1";
    let mut query = connection.prepare_cached(sql)?;
    let (kind, minor, currency, made_by, captured, refunded): (
        String,
        i64,
        String,
        Option<i64>,
        i64,
        i64,
    ) = query.query_row([root_rid], |row| {
        Ok((
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get(3)?,
            row.get(4)?,
            row.get(5)?,
        ))
    })?;
    let currency: Currency = rows::parse("currency", &currency)?;
    let money = Money::from_minor(minor, currency)
        .map_err(|error| rows::unreadable("minor", &error.to_string()))?;
    let made_by = match made_by {
        Some(rid) => rows::by_rid(connection, rid)?.map(Box::new),
        None => None,
    };
    Ok(UnderPayment::new(
        rows::named("kind", &kind, OperationKind::from_name)?,
        money,
        made_by,
        Totals::new(captured, refunded),
        rows::all(connection, "WHERE o.root_rid = ?1", [root_rid])?,
    ))
}

/// Keeps the ids that a success returned: of a payment as a root, of anything else as another name
/// of its payment.
pub(super) fn keep(
    tx: &Connection,
    operation_rid: i64,
    record: &Record,
    now: Timestamp,
) -> Result<(), Fault> {
    let (State::Succeeded, Some(effect)) = (record.state, &record.standing.effect) else {
        return Ok(());
    };
    let is_root = record.kind.family() == Family::Payment;
    let sql = "
        INSERT INTO payment (account, provider_id, root_rid, operation_rid, kind, minor, currency,
            created_at)
        SELECT ?1, ?2, CASE WHEN ?3 THEN NULL ELSE o.root_rid END, ?4, ?5, ?6, ?7, ?8
        FROM operation o WHERE o.rid = ?4
        ON CONFLICT (account, provider_id) DO NOTHING";
    tx.prepare_cached(sql)?.execute(params![
        record.account.as_str(),
        effect.provider_id,
        is_root,
        operation_rid,
        record.kind.as_str(),
        effect.money.minor(),
        effect.money.currency().code(),
        now.as_millis(),
    ])?;
    Ok(())
}
