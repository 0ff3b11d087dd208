//! Settling: what evidence makes of a row. The pure part, the same for every ledger.

use std::time::Duration;

use super::record::{Exchange, Record, Standing};
use crate::clock::Timestamp;
use crate::machine::{AlarmKind, Conclusion, Event, Move, transition};
use crate::operation::{OperationId, OperationKind, State};
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

/// What was learned under a claim.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Learned {
    /// The exchanges that are not known to be written.
    pub exchanges: Vec<Exchange>,
    /// How many sends of this claim, in all, may have had an effect.
    pub maybe_sent: u32,
    /// When the first of them began.
    pub first_sent: Option<Timestamp>,
    /// The gateway stored an error under the key.
    pub stored_error: bool,
    /// The gateway's id of the payment, if a reply that names our key named one.
    pub provider_id: Option<String>,
    /// When the gateway asked to be tried again.
    pub retry_after: Option<Duration>,
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

/// Decides what a settlement makes of the row that is stored now. `None`: it is written already,
/// by a transaction whose answer was lost.
pub fn apply(current: Record, settle: &Settle, now: Timestamp) -> Option<Change> {
    let succeeded = matches!(settle.conclusion, Conclusion::Succeeded { .. });
    let ended = current.lease.is_none() && current.ended_epoch == settle.epoch;
    if ended && !succeeded {
        return None;
    }
    let mut record = current;
    record.updated_at = now;
    if record.epoch != settle.epoch || ended {
        return Some(late(record, settle));
    }
    let event = settle.conclusion.event();
    if let Some(lease) = record.lease.take() {
        let mut sends = settle.learned.maybe_sent;
        // What is unknown may have been sent: no later call may take it for unsent.
        let shown = settle.conclusion.shown().event();
        if matches!(shown, Event::Hold | Event::Distrust) && record.maybe_sent == 0 {
            sends = sends.max(1);
        }
        record.count_as_sent(sends, &lease, now);
    }
    record.maybe_sent_open = 0;
    record.ended_epoch = settle.epoch;
    record.learn(&settle.learned);
    record.look_up_only |= settle.conclusion.look_up_only();
    let event = if event != Event::Unsent {
        event
    } else if record.maybe_sent > 0 {
        // The ledger holds this rule, not the caller: what may have had an effect is never unsent.
        Event::Hold
    } else if record.further.is_some() {
        // The customer's action is still there: he may come back once more.
        Event::ActionRequired
    } else {
        event
    };
    Some(conclude(record, event, &settle.conclusion, false))
}

impl Record {
    /// Keeps what was learned under a claim that goes on. `sends`: how many are stored now. After
    /// another owner took over, only the exchanges themselves still count: they happened.
    pub fn keep(&mut self, epoch: i64, learned: &Learned, sends: u32, now: Timestamp) {
        self.sends = sends;
        if self.epoch == epoch && self.lease.is_some() {
            self.maybe_sent_open = learned.maybe_sent;
            self.learn(learned);
        }
        self.updated_at = now;
    }

    /// Keeps what a claim taught, whatever it ends with.
    fn learn(&mut self, learned: &Learned) {
        self.stored_error |= learned.stored_error;
        self.first_sent = self.first_sent.or(learned.first_sent);
        self.standing.retry_after = learned.retry_after;
        name(&mut self.standing, learned.provider_id.as_ref());
    }
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
        | Conclusion::Unsent(_)
        | Conclusion::CloseRefused(_) => Change {
            record,
            alarms: settle.conclusion.alarms(),
            freeze: false,
            fenced: true,
        },
    }
}

/// The close can take effect no more: what was kept while it could, or was seen since, counts now.
fn after_close(mut record: Record, shown: &Conclusion, fenced: bool) -> Change {
    let kept = record.standing.effect.is_some();
    let event = if kept {
        Event::CloseRefusedAfterSuccess
    } else {
        Event::CloseRefused
    };
    let next = transition(Some(record.state), record.closing, event);
    record.closing = false;
    if let Move::To(state) = next {
        record.state = state;
        record.standing.action = None;
    }
    conclude(record, shown.event(), shown, fenced)
}

fn conclude(mut record: Record, event: Event, conclusion: &Conclusion, fenced: bool) -> Change {
    if let Conclusion::CloseRefused(shown) = conclusion {
        return after_close(record, shown, fenced);
    }
    let mut alarms = conclusion.alarms();
    if known_already(&record.standing, conclusion) {
        alarms.clear();
    }
    let mut freeze = false;
    let next = if undoes_what_is_kept(&record, event) {
        Move::Contradiction
    } else {
        transition(Some(record.state), record.closing, event)
    };
    match next {
        Move::To(state) => {
            record.state = state;
            write(&mut record.standing, conclusion);
            if !state.is_open() {
                // Nobody needs the page any more, and its secret need not lie in the file.
                record.standing.action = None;
                if record.closing && state.is_no_effect_final() {
                    // What was reserved meanwhile, the close released.
                    record.standing.effect = None;
                }
                record.closing = false;
            }
        }
        Move::Keep if is_another_effect(&record.standing, conclusion) => {
            alarms.extend(other_effect(&mut record.standing, conclusion));
        }
        // The same open state, with what is new about it.
        Move::Stay | Move::Keep if record.state.is_open() => {
            write(&mut record.standing, conclusion);
        }
        Move::Contradiction => {
            alarms.push(AlarmKind::Contradiction);
            freeze = true;
        }
        Move::Stay | Move::Keep | Move::Refuse => {
            alarms.extend(other_effect(&mut record.standing, conclusion));
        }
    }
    let fenced = fenced && !matches!(record.state, State::Succeeded);
    Change {
        record,
        alarms,
        freeze,
        fenced,
    }
}

/// Whether it contradicts the success that is kept while a close may take effect. A close releases
/// what was only reserved. It gives nothing back of what was paid, and refuses nothing afterwards.
fn undoes_what_is_kept(record: &Record, event: Event) -> bool {
    let refused = matches!(event, Event::Declined | Event::Rejected);
    let ended = matches!(event, Event::Canceled) && record.kind != OperationKind::Authorize;
    record.closing && record.standing.effect.is_some() && (refused || ended)
}

/// Whether it is about another effect than the one that is known.
fn is_another_effect(standing: &Standing, conclusion: &Conclusion) -> bool {
    let Conclusion::Succeeded { effect, .. } = conclusion else {
        return false;
    };
    let known = standing.effect.as_ref();
    known.is_some_and(|known| known.provider_id != effect.provider_id)
}

/// Whether the row already says so, and a person was told.
fn known_already(standing: &Standing, conclusion: &Conclusion) -> bool {
    match conclusion {
        Conclusion::Hold { doubt, .. } => standing.doubt.as_ref() == Some(doubt),
        Conclusion::Succeeded { duplicates, .. } => duplicates
            .iter()
            .all(|duplicate| standing.duplicates.contains(duplicate)),
        Conclusion::Declined(_)
        | Conclusion::Rejected(_)
        | Conclusion::Canceled(_)
        | Conclusion::ActionRequired { .. }
        | Conclusion::Pending { .. }
        | Conclusion::Unsent(_)
        | Conclusion::CloseRefused(_) => false,
    }
}

/// A success of an operation that has succeeded already: the same one, or one more.
fn other_effect(standing: &mut Standing, conclusion: &Conclusion) -> Option<AlarmKind> {
    let Conclusion::Succeeded { effect, .. } = conclusion else {
        return None;
    };
    let known = standing.effect.as_ref()?;
    if known.provider_id == effect.provider_id {
        return (known.money != effect.money).then_some(AlarmKind::Mismatch);
    }
    if standing.duplicates.contains(&effect.provider_id) {
        return None;
    }
    standing.duplicates.push(effect.provider_id.clone());
    Some(AlarmKind::DuplicateAtGateway)
}

/// Writes what a conclusion says into a row's standing.
fn write(standing: &mut Standing, conclusion: &Conclusion) {
    standing.doubt = None;
    standing.unsent = None;
    match conclusion {
        Conclusion::Succeeded { effect, duplicates } => {
            standing.provider_id = Some(effect.provider_id.clone());
            standing.effect = Some(effect.clone());
            let known = &mut standing.duplicates;
            known.extend(
                duplicates
                    .iter()
                    .filter(|d| !known.contains(d))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
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
        Conclusion::CloseRefused(shown) => write(standing, shown),
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
