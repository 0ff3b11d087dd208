//! What the ledger knows about its clock: the highest time seen, whether it was seen to be right,
//! and which accounts' gateways disagree with it.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Fault;
use crate::clock::{Clock, Timestamp};
use crate::error::LedgerError;
use crate::ledger::{DateSeen, Exchange, Moment, STEP_BACK, SeenRight};
use crate::provider::AccountId;

/// The highest time that the ledger has seen.
const MARK: &str = "clock_mark";
/// When the clock was seen to be right, as [`SeenRight`].
const SEEN_RIGHT: &str = "clock_seen_right";

/// Now, by every clock.
pub(super) fn now(connection: &Connection, clock: &dyn Clock) -> Result<Moment, Fault> {
    Ok(Moment::now(clock, seen_right(connection)?.as_ref()))
}

fn seen_right(connection: &Connection) -> Result<Option<SeenRight>, Fault> {
    let sql = "SELECT value FROM meta WHERE name = ?1";
    let stored: Option<String> = connection
        .prepare_cached(sql)?
        .query_row([SEEN_RIGHT], |row| row.get(0))
        .optional()?;
    Ok(stored.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Keeps the highest time seen.
pub(super) fn mark(connection: &Connection, now: Timestamp) -> Result<(), Fault> {
    let sql = "
        INSERT INTO meta (name, value) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
            WHERE excluded.value > meta.value";
    connection
        .prepare_cached(sql)?
        .execute(params![MARK, now.as_millis()])?;
    Ok(())
}

/// A gateway's `Date` that differs from our clock makes the age of its keys doubtful, until one
/// agrees again. One that agrees shows that the wall clock is right.
///
/// It says so of the clock as it was then, which may have been set before this is written.
pub(super) fn date_seen(
    connection: &Connection,
    account: &AccountId,
    exchange: &Exchange,
    now: &Moment,
) -> Result<(), Fault> {
    let name = date_doubt(account);
    match exchange.date {
        DateSeen::None => {}
        DateSeen::Agrees => {
            let then = exchange.compared_at(now);
            if now.is_of_the_same_clock(&then) {
                let sql = "DELETE FROM meta WHERE name = ?1";
                connection.prepare_cached(sql)?.execute([name])?;
            }
            if !now.sure {
                keep_right(connection, &then)?;
            }
        }
        DateSeen::Differs => {
            let sql = "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)";
            connection
                .prepare_cached(sql)?
                .execute(params![name, now.at.as_millis()])?;
        }
    }
    Ok(())
}

fn keep_right(connection: &Connection, then: &Moment) -> Result<(), Fault> {
    let Some(right) = SeenRight::at(then) else {
        return Ok(());
    };
    let text = serde_json::to_string(&right).map_err(|error| LedgerError::Failed {
        detail: error.to_string(),
    })?;
    let sql = "INSERT OR REPLACE INTO meta (name, value) VALUES (?1, ?2)";
    connection
        .prepare_cached(sql)?
        .execute(params![SEEN_RIGHT, text])?;
    Ok(())
}

fn date_doubt(account: &AccountId) -> String {
    format!("date_doubt {account}")
}

/// Whether the age of the account's keys cannot be trusted now: the clock stepped back behind the
/// highest time seen, or the gateway's own clock differs.
pub(super) fn is_doubtful(
    connection: &Connection,
    account: &AccountId,
    now: Timestamp,
) -> Result<bool, Fault> {
    let sql = "SELECT 1 FROM meta WHERE (name = ?1 AND value > ?2) OR name = ?3";
    let latest = now.plus(STEP_BACK).as_millis();
    Ok(connection
        .prepare_cached(sql)?
        .exists(params![MARK, latest, date_doubt(account)])?)
}
