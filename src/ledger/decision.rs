//! What a person decides: to withdraw, to resolve. The pure part, the same for every ledger.

use serde::{Deserialize, Serialize};

use super::record::Record;
use crate::clock::Timestamp;
use crate::machine::{Event, Move, transition};
use crate::money::Money;
use crate::operation::{OperationId, State};
use crate::outcome::NoEffectReason;
use crate::provider::Effect;

/// What became of an operation, as a person found out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decision {
    /// The money moved.
    Succeeded {
        /// The gateway's id of the payment, capture, refund or void.
        provider_id: String,
        /// How much moved.
        money: Money,
    },
    /// Nothing moved, and nothing can move any more.
    NotExecuted,
}

impl Decision {
    /// The money moved: the gateway's id, and how much.
    pub fn succeeded(provider_id: impl Into<String>, money: Money) -> Self {
        Self::Succeeded {
            provider_id: provider_id.into(),
            money,
        }
    }
}

/// A decision with who made it, and why.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Resolution {
    /// Which operation.
    pub id: OperationId,
    /// Whose operation it must be.
    pub tenant: String,
    /// What became of it.
    pub decision: Decision,
    /// Who found out.
    pub who: String,
    /// How.
    pub why: String,
}

/// What became of a person's wish.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "the client answers every one")]
pub enum Decided {
    /// It is stored. The row as it is now.
    Done(Box<Record>),
    /// The row's state does not allow it.
    Refused(Box<Record>),
    /// Another operation has the gateway's id already.
    Taken,
    /// There is no such operation.
    Absent,
}

/// Ends an operation of which nothing was ever sent with a possible effect.
///
/// # Errors
///
/// The row, if it may have been sent.
pub fn withdraw(record: Record, now: Timestamp) -> Result<Record, Box<Record>> {
    if record.frozen || record.lease.is_some() {
        return Err(Box::new(record));
    }
    match transition(Some(record.state), record.closing, Event::Withdraw) {
        Move::To(state) => {
            let mut record = Record { state, ..record };
            record.standing.no_effect = Some(NoEffectReason::Withdrawn);
            Ok(ended(record, now))
        }
        Move::Stay | Move::Keep | Move::Contradiction | Move::Refuse => Err(Box::new(record)),
    }
}

/// Settles an operation by a person's evidence. `driven`: an owner that lives has its lease.
///
/// # Errors
///
/// The row, if it is being driven, or was never in doubt.
pub fn resolve(
    record: Record,
    decision: &Decision,
    driven: bool,
    now: Timestamp,
) -> Result<Record, Box<Record>> {
    if driven || rewrites(&record, decision) {
        return Err(Box::new(record));
    }
    let event = match decision {
        Decision::Succeeded { .. } => Event::ResolveSucceeded,
        Decision::NotExecuted => Event::ResolveNotExecuted,
    };
    let mut record = match transition(Some(record.state), record.closing, event) {
        Move::To(state) => Record { state, ..record },
        Move::Stay => record,
        Move::Keep | Move::Contradiction | Move::Refuse => return Err(Box::new(record)),
    };
    match decision {
        Decision::Succeeded { provider_id, money } => {
            let effect = Effect::new(provider_id, *money, RESOLVED);
            record.standing.provider_id = Some(effect.provider_id.clone());
            record.standing.effect = Some(effect);
        }
        Decision::NotExecuted => {
            record.standing.effect = None;
            record.standing.no_effect = Some(NoEffectReason::Resolved);
        }
    }
    record.closing = false;
    Ok(ended(record, now))
}

/// The word for the state of an effect that a person decided.
const RESOLVED: &str = "resolved";

/// Whether it would put another payment in place of one that the gateway confirmed, or none: what
/// the person saw may be older than the confirmation, and the next attempt would charge again.
fn rewrites(record: &Record, decision: &Decision) -> bool {
    let settled = record.state == State::Succeeded && !record.frozen;
    let effect = record.standing.effect.as_ref();
    let differs = match decision {
        Decision::Succeeded { provider_id, money } => {
            effect.is_none_or(|e| e.provider_id != *provider_id || e.money != *money)
        }
        // What a person said before, a person may take back.
        Decision::NotExecuted => effect.is_none_or(|e| e.status != RESOLVED),
    };
    settled && differs
}

/// Nobody drives it any more, and what its last owner brings later comes too late.
fn ended(mut record: Record, now: Timestamp) -> Record {
    record.lease = None;
    record.epoch = record.epoch.saturating_add(1);
    record.standing.action = None;
    record.updated_at = now;
    record
}

#[cfg(test)]
mod tests;
