//! Payments at the gateways: a root, and every id that a capture, void or refund of it returned.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use super::rows;
use crate::clock::Timestamp;
use crate::ledger::{Record, Totals, UnderPayment};
use crate::money::{Currency, Money};
use crate::operation::{Family, OperationId, OperationKind, State};
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
        SELECT kind, minor, currency, operation_rid, captured_before, refunded_before, tenant
        FROM payment WHERE rid = ?1";
    let mut query = connection.prepare_cached(sql)?;
    let (kind, minor, currency, made_by, captured, refunded, tenant): (
        String,
        i64,
        String,
        Option<i64>,
        i64,
        i64,
        String,
    ) = query.query_row([root_rid], |row| {
        Ok((
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get(3)?,
            row.get(4)?,
            row.get(5)?,
            row.get(6)?,
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
        tenant,
        rows::named("kind", &kind, OperationKind::from_name)?,
        money,
        made_by,
        Totals::new(captured, refunded),
        rows::all(connection, "WHERE o.root_rid = ?1", [root_rid])?,
    ))
}

/// The root's row of an operation's payment.
pub(super) fn root_of(connection: &Connection, id: OperationId) -> Result<Option<i64>, Fault> {
    let sql = "SELECT root_rid FROM operation WHERE id = ?1";
    Ok(connection
        .prepare_cached(sql)?
        .query_row([id.to_string()], |row| row.get(0))
        .optional()?
        .flatten())
}

/// Keeps the ids that a success returned: of a payment as a root, of anything else as another name
/// of its payment. `false`: another operation has the id already.
pub(super) fn keep(
    tx: &Connection,
    operation_rid: i64,
    record: &Record,
    now: Timestamp,
) -> Result<bool, Fault> {
    let (State::Succeeded, Some(effect)) = (record.state, &record.standing.effect) else {
        return Ok(true);
    };
    let is_root = record.kind.family() == Family::Payment;
    // A payment that has a name already gets another one.
    let own: Option<i64> = if is_root {
        let sql = "SELECT rid FROM payment WHERE operation_rid = ?1 AND root_rid IS NULL";
        tx.prepare_cached(sql)?
            .query_row([operation_rid], |row| row.get(0))
            .optional()?
    } else {
        root_of(tx, record.id)?
    };
    if let Some(known) = known(tx, record, &effect.provider_id)? {
        return known.take_for(tx, operation_rid, record, own);
    }
    let sql = "
        INSERT INTO payment (tenant, account, provider_id, root_rid, operation_rid, kind, minor,
            currency, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    tx.prepare_cached(sql)?.execute(params![
        record.identity.tenant,
        record.account.as_str(),
        effect.provider_id,
        own,
        operation_rid,
        record.kind.as_str(),
        effect.money.minor(),
        effect.money.currency().code(),
        now.as_millis(),
    ])?;
    Ok(true)
}

/// An id that is known already.
struct Known {
    rid: i64,
    root: i64,
    operation: Option<i64>,
    same_tenant: bool,
}

fn known(tx: &Connection, record: &Record, provider_id: &str) -> Result<Option<Known>, Fault> {
    let sql = "
        SELECT rid, coalesce(root_rid, rid), operation_rid, tenant = ?3 FROM payment
        WHERE account = ?1 AND provider_id = ?2";
    let values = params![record.account.as_str(), provider_id, record.identity.tenant];
    Ok(tx
        .prepare_cached(sql)?
        .query_row(values, |row| {
            Ok(Known {
                rid: row.get(0)?,
                root: row.get(1)?,
                operation: row.get(2)?,
                same_tenant: row.get(3)?,
            })
        })
        .optional()?)
}

impl Known {
    /// Whether it may be this operation's: it is already, it is one of its payment's names, or it
    /// was adopted before this operation turned out to have made it.
    fn take_for(
        &self,
        tx: &Connection,
        operation_rid: i64,
        record: &Record,
        own: Option<i64>,
    ) -> Result<bool, Fault> {
        let is_root = record.kind.family() == Family::Payment;
        if self.operation == Some(operation_rid) || (!is_root && own == Some(self.root)) {
            return Ok(true);
        }
        let adopted = self.operation.is_none() && self.root == self.rid;
        if !(is_root && adopted && own.is_none() && self.same_tenant) {
            return Ok(false);
        }
        // What the gateway confirmed counts from now on, and not what was said of it.
        let money = record.standing.effect.as_ref();
        let money = money.map_or(record.money, |effect| effect.money);
        let sql = "
            UPDATE payment SET operation_rid = ?2, kind = ?3, minor = ?4, currency = ?5
            WHERE rid = ?1";
        tx.prepare_cached(sql)?.execute(params![
            self.rid,
            operation_rid,
            record.kind.as_str(),
            money.minor(),
            money.currency().code(),
        ])?;
        Ok(true)
    }
}
