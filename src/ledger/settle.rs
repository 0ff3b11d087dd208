//! Settling: what evidence makes of a row. The pure part, the same for every ledger.

use super::record::{Exchange, Purpose, Record, Standing};
use crate::clock::Timestamp;
use crate::machine::{AlarmKind, Conclusion, Event, Move, transition};
use crate::operation::{OperationId, State};
use crate::outcome::NoEffectReason;

/// What a drive learned and ends with, to be written in one transaction.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settle {
    /// Which operation.
    pub id: OperationId,
    /// The epoch of the claim that it was driven under.
    pub epoch: i64,
    /// What it ends with.
    pub conclusion: Conclusion,
    /// What was learned under this claim.
    pub learned: Learned,
}

impl Settle {
    /// The end of the claim that `record` shows.
    pub const fn new(record: &Record, conclusion: Conclusion, learned: Learned) -> Self {
        Self {
            id: record.id,
            epoch: record.epoch,
            conclusion,
            learned,
        }
    }
}

/// What was learned under a claim and is not written yet.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Learned {
    /// The exchanges that are not written yet.
    pub exchanges: Vec<Exchange>,
    /// How many sends of this claim, in all, may have had an effect.
    pub maybe_sent: u32,
    /// The gateway stored an error under the key.
    pub stored_error: bool,
    /// The gateway's id of the payment, if a reply named one.
    pub provider_id: Option<String>,
}

impl Learned {
    /// How many of the exchanges are sends.
    pub(crate) fn sends(&self) -> u32 {
        let sends = self
            .exchanges
            .iter()
            .filter(|e| e.purpose == Purpose::Send)
            .count();
        u32::try_from(sends).unwrap_or(u32::MAX)
    }
}

/// What settling did.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum Settled {
    /// The row as it is now.
    Applied(Box<Record>),
    /// The claim was no longer ours, and the evidence did not settle the row as it is now.
    Fenced(Box<Record>),
}

/// What to write for a settlement.
#[derive(Debug)]
#[non_exhaustive]
pub struct Change {
    /// The row as it shall be.
    pub record: Record,
    /// The alarms to raise.
    pub alarms: Vec<AlarmKind>,
    /// Freeze the reference: raise the epoch of every open operation under it.
    pub freeze: bool,
    /// The claim was no longer the settler's.
    pub fenced: bool,
}

/// Decides what a settlement makes of the row that is stored now.
pub fn apply(current: Record, settle: &Settle, now: Timestamp) -> Change {
    let ours = current.epoch == settle.epoch && current.lease.is_some();
    let mut record = current;
    record.sends = record.sends.saturating_add(settle.learned.sends());
    record.updated_at = now;
    if !ours {
        return late(record, settle);
    }
    if let Some(lease) = record.lease.take() {
        record.count_as_sent(settle.learned.maybe_sent, &lease, now);
    }
    record.stored_error |= settle.learned.stored_error;
    record.look_up_only |= settle.conclusion.look_up_only();
    name(&mut record.standing, settle.learned.provider_id.as_ref());
    // The database holds this rule, not the caller: what may have had an effect is never unsent.
    let mut event = settle.conclusion.event();
    if event == Event::Unsent && record.maybe_sent > 0 {
        event = Event::Hold;
    }
    conclude(record, event, &settle.conclusion, false)
}

/// A reply that came after somebody else had claimed the row. A success is still evidence; a
/// refusal speaks only for its own send, and a page that nobody stored in time is discarded.
fn late(record: Record, settle: &Settle) -> Change {
    match &settle.conclusion {
        Conclusion::Succeeded { .. } => {
            let mut change = conclude(record, Event::Succeeded, &settle.conclusion, true);
            if change.record.state == State::Succeeded && change.record.lease.take().is_some() {
                change.record.epoch = change.record.epoch.saturating_add(1);
            }
            change
        }
        Conclusion::Declined(_)
        | Conclusion::Rejected(_)
        | Conclusion::Canceled(_)
        | Conclusion::ActionRequired { .. }
        | Conclusion::Pending { .. }
        | Conclusion::Hold { .. }
        | Conclusion::Unsent(_) => Change {
            record,
            alarms: settle.conclusion.alarms(),
            freeze: false,
            fenced: true,
        },
    }
}

fn conclude(mut record: Record, event: Event, conclusion: &Conclusion, fenced: bool) -> Change {
    let mut alarms = conclusion.alarms();
    let mut freeze = false;
    match transition(Some(record.state), record.closing, event) {
        Move::To(state) => {
            record.state = state;
            write(&mut record.standing, conclusion);
        }
        // The same open state, with what is new about it.
        Move::Stay | Move::Keep if record.state.is_open() => {
            write(&mut record.standing, conclusion);
        }
        Move::Contradiction => {
            alarms.push(AlarmKind::Contradiction);
            freeze = true;
        }
        Move::Stay | Move::Keep | Move::Refuse => {}
    }
    let fenced = fenced && !matches!(record.state, State::Succeeded);
    Change {
        record,
        alarms,
        freeze,
        fenced,
    }
}

/// Writes what a conclusion says into a row's standing.
fn write(standing: &mut Standing, conclusion: &Conclusion) {
    standing.doubt = None;
    standing.unsent = None;
    match conclusion {
        Conclusion::Succeeded { effect, .. } => {
            standing.provider_id = Some(effect.provider_id.clone());
            standing.effect = Some(effect.clone());
        }
        Conclusion::Declined(refusal) | Conclusion::Rejected(refusal) => {
            name(standing, refusal.provider_id.as_ref());
            standing.refusal = Some(refusal.clone());
        }
        Conclusion::Canceled(refusal) => {
            name(standing, refusal.provider_id.as_ref());
            standing.refusal = Some(refusal.clone());
            standing.no_effect = Some(NoEffectReason::Canceled);
        }
        Conclusion::ActionRequired {
            action,
            last_decline,
        } => {
            name(standing, action.as_ref().map(|action| &action.provider_id));
            replace(&mut standing.action, action.as_ref());
            replace(&mut standing.refusal, last_decline.as_ref());
        }
        Conclusion::Pending { at, last_decline } => {
            name(standing, at.as_ref().map(|at| &at.provider_id));
            replace(&mut standing.pending, at.as_ref());
            replace(&mut standing.refusal, last_decline.as_ref());
        }
        Conclusion::Hold { doubt, provider_id } => {
            name(standing, provider_id.as_ref());
            standing.doubt = Some(doubt.clone());
        }
        Conclusion::Unsent(reason) => standing.unsent = Some(reason.clone()),
    }
}

fn name(standing: &mut Standing, provider_id: Option<&String>) {
    replace(&mut standing.provider_id, provider_id);
}

/// Puts what is new in place of what was there. Nothing new leaves it as it was.
fn replace<T: Clone>(place: &mut Option<T>, new: Option<&T>) {
    if new.is_some() {
        *place = new.cloned();
    }
}

#[cfg(test)]
mod tests;
