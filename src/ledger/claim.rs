//! The claim: who may drive an operation. The pure part, the same for every ledger.
//!
//! A ledger reads the rows under the reference's lock, asks [`admit`], and writes what it says in
//! the same transaction. No check is made outside the lock.

mod row;

use std::time::Duration;

use super::guard::Guarded;
use super::record::{Fingerprint, Lease, Moment, OwnerId, Record, Rendered, StepRequest};
use crate::clock::Timestamp;
use crate::machine::{Event, Move, transition};
use crate::money::Money;
use crate::operation::{Identity, OperationId, OperationKind, State};
use crate::payment::Payment;
use crate::provider::{AccountId, IdempotencyKey, Request, RuleSnapshot};

/// How far the clock may step back before it is doubted.
pub const STEP_BACK: Duration = Duration::from_secs(2);

/// A wish to drive an operation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Claim {
    /// Which operation.
    pub identity: Identity,
    /// Its kind.
    pub kind: OperationKind,
    /// Its amount.
    pub money: Money,
    /// The payment that is captured, refunded or voided.
    pub parent: Option<Payment>,
    /// What would change its financial effect.
    pub fingerprint: Fingerprint,
    /// The account that the caller named.
    pub via: Option<AccountId>,
    /// The key that the caller brought.
    pub key: Option<IdempotencyKey>,
    /// The accounts that can be driven.
    pub accounts: Vec<AccountId>,
    /// What to store if there is no row yet. Without it only an existing row can be claimed.
    pub rendered: Option<Rendered>,
    /// For how long.
    pub lease: Duration,
    /// Until when it may be sent.
    pub send_until: Timestamp,
    /// Whether somebody wants the money to move: it renews that time of an existing row, and may
    /// claim one of which nothing was ever sent.
    pub renew: bool,
}

/// The answer to a claim.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum Claimed {
    /// It is ours to drive, and that is durable.
    Ours(Box<Owned>),
    /// It is settled, or left as it is.
    Final(Box<Record>),
    /// Somebody else drives it.
    Busy(Box<Record>),
    /// It may not be driven.
    Refused(Refused),
    /// There is no row, and nothing was given to make one.
    Absent,
}

/// An operation that is ours to drive.
#[derive(Debug)]
#[non_exhaustive]
pub struct Owned {
    /// The row, as the claim stored it.
    pub record: Record,
    /// The state in which the claim found it; `sending` for a new one.
    pub found: State,
    /// The stored request: these bytes are sent, whatever was rendered now.
    pub request: Request,
    /// The ledger's time of the claim.
    pub now: Moment,
    /// The clock cannot be trusted for the age of this operation's key.
    pub clock_doubtful: bool,
}

impl Owned {
    /// An owned operation, from its parts.
    pub const fn new(
        record: Record,
        found: State,
        request: Request,
        now: Moment,
        clock_doubtful: bool,
    ) -> Self {
        Self {
            record,
            found,
            request,
            now,
            clock_doubtful,
        }
    }
}

/// A further step that an operation shall go on to.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NextStep {
    /// Its request and key.
    pub step: StepRequest,
    /// What its rule says.
    pub rule: RuleSnapshot,
    /// Until when it may be sent.
    pub send_until: Timestamp,
}

impl NextStep {
    /// A further step, from its parts.
    pub const fn new(step: StepRequest, rule: RuleSnapshot, send_until: Timestamp) -> Self {
        Self {
            step,
            rule,
            send_until,
        }
    }
}

/// Why an operation may not be driven. Nothing was stored.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// The intent differs from the stored one in these fields.
    Mismatch(Vec<String>, Box<Record>),
    /// An earlier attempt may still have an effect.
    PriorOpen(Box<Record>),
    /// An earlier attempt moved the money.
    PriorSucceeded(Box<Record>),
    /// An earlier attempt does not exist.
    PriorMissing(u32),
    /// A later attempt exists.
    Later(Box<Record>),
    /// The key belongs to another operation.
    KeyInUse,
    /// The reference is frozen.
    Frozen(Box<Record>),
    /// It belongs to an account that cannot be driven here.
    NoAccount(Box<Record>),
    /// Its payment does not allow it.
    Guarded(Guarded),
}

/// What is stored under a reference, read under its lock.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct UnderReference {
    /// The attempts, in rising order.
    pub attempts: Vec<Record>,
    /// The reference is frozen.
    pub frozen: bool,
}

impl UnderReference {
    /// What is stored, from its parts.
    pub const fn new(attempts: Vec<Record>, frozen: bool) -> Self {
        Self { attempts, frozen }
    }
}

/// What a claim leads to.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a ledger must carry out every one")]
pub enum Admission {
    /// Insert a new row, and settle these as superseded.
    Insert {
        /// Attempts that were never sent with a possible effect.
        supersede: Vec<OperationId>,
    },
    /// Take an existing row: write it as given.
    Take {
        /// The row with the new claim.
        record: Box<Record>,
        /// The state in which it was found.
        found: State,
    },
    /// Answer without writing.
    Answer(Claimed),
}

/// Decides a claim. `alive` tells whether another owner's process still runs; it is asked only
/// about leases that have not lapsed.
pub fn admit(
    claim: &Claim,
    stored: UnderReference,
    owner: &OwnerId,
    now: &Moment,
    alive: &dyn Fn(&OwnerId) -> bool,
) -> Admission {
    let attempt = claim.identity.attempt;
    let UnderReference { attempts, frozen } = stored;
    match attempts.last() {
        Some(last) if last.identity.attempt > attempt => {
            if claim.is_of_another_mode(last) {
                return refuse(Refused::NoAccount(Box::new(last.clone())));
            }
            return refuse(Refused::Later(Box::new(last.clone())));
        }
        Some(last) if frozen && last.identity.attempt < attempt => {
            return refuse(Refused::Frozen(Box::new(last.clone())));
        }
        _ => {}
    }
    let mut attempts = attempts;
    match attempts.pop_if(|last| last.identity.attempt == attempt) {
        Some(existing) => take(claim, existing, owner, now, alive),
        None => insert(claim, attempts),
    }
}

fn refuse(refused: Refused) -> Admission {
    Admission::Answer(Claimed::Refused(refused))
}

/// A new attempt needs every lower one to be there, and definitely without effect.
fn insert(claim: &Claim, lower: Vec<Record>) -> Admission {
    let mut supersede = Vec::new();
    let mut expected = 1;
    for record in lower {
        if record.identity.attempt != expected {
            break;
        }
        expected = expected.saturating_add(1);
        if record.state.is_replaceable() {
            supersede.push(record.id);
        } else if record.state == State::Succeeded && claim.is_of_another_mode(&record) {
            return refuse(Refused::NoAccount(Box::new(record)));
        } else if record.state == State::Succeeded {
            return refuse(Refused::PriorSucceeded(Box::new(record)));
        } else if !record.state.is_no_effect_final() {
            return refuse(Refused::PriorOpen(Box::new(record)));
        }
    }
    if expected < claim.identity.attempt {
        return refuse(Refused::PriorMissing(expected));
    }
    if claim.rendered.is_none() {
        return Admission::Answer(Claimed::Absent);
    }
    Admission::Insert { supersede }
}

/// An existing row is claimed again, or answered as it stands.
fn take(
    claim: &Claim,
    existing: Record,
    owner: &OwnerId,
    now: &Moment,
    alive: &dyn Fn(&OwnerId) -> bool,
) -> Admission {
    if let Some(mismatch) = claim.mismatch(&existing) {
        return refuse(mismatch);
    }
    if !existing.state.is_open() {
        if claim.is_of_another_mode(&existing) {
            return refuse(Refused::NoAccount(Box::new(existing)));
        }
        return Admission::Answer(Claimed::Final(Box::new(existing)));
    }
    if existing.frozen {
        return refuse(Refused::Frozen(Box::new(existing)));
    }
    // Its caller may have been told that nothing happened: nobody waits for it any more.
    if !claim.renew && existing.state.is_replaceable() {
        return Admission::Answer(Claimed::Final(Box::new(existing)));
    }
    if !claim.accounts.contains(&existing.account) {
        return refuse(Refused::NoAccount(Box::new(existing)));
    }
    // Our own earlier claim is over: one client drives an operation in one task at a time. A lease
    // from the future was given by a clock that has been set back since; it says nothing.
    let held = existing.lease.as_ref().is_some_and(|lease| {
        lease.owner != *owner
            && now.at < lease.until
            && lease.claimed.at <= now.at.plus(STEP_BACK)
            && alive(&lease.owner)
    });
    if held {
        return Admission::Answer(Claimed::Busy(Box::new(existing)));
    }
    let found = existing.state;
    let state = match transition(Some(found), existing.closing, Event::Claim) {
        Move::To(state) => state,
        Move::Stay | Move::Keep => found,
        Move::Contradiction | Move::Refuse => {
            return Admission::Answer(Claimed::Final(Box::new(existing)));
        }
    };
    let mut record = Record { state, ..existing };
    if let Some(unfinished) = record.lease.take() {
        // Its owner may have sent once more than it wrote down; but nothing is sent without the
        // baseline, where one is needed.
        if !record.lacks_baseline() {
            let sends = record.maybe_sent_open.max(1);
            record.count_as_sent(sends, &unfinished, now.at);
            record.first_sent.get_or_insert(unfinished.claimed.at);
        }
    }
    record.maybe_sent_open = 0;
    record.epoch = record.epoch.saturating_add(1);
    record.lease = Some(claim.lease_for(owner, now));
    if claim.renew {
        record.send_until = claim.send_until;
    }
    record.updated_at = now.at;
    Admission::Take {
        record: Box::new(record),
        found,
    }
}

impl Claim {
    fn lease_for(&self, owner: &OwnerId, now: &Moment) -> Lease {
        Lease::new(owner.clone(), now.clone(), now.at.plus(self.lease))
    }

    /// Whether no account of this client is of the row's mode. A test payment is no answer to a
    /// client that moves real money.
    fn is_of_another_mode(&self, existing: &Record) -> bool {
        let mode = existing.account.mode();
        self.accounts.iter().all(|account| account.mode() != mode)
    }

    /// Whether this call differs from what is stored.
    pub fn mismatch(&self, existing: &Record) -> Option<Refused> {
        let mut fields = self.fingerprint.differences(&existing.fingerprint);
        if self
            .via
            .as_ref()
            .is_some_and(|account| *account != existing.account)
        {
            fields.push("account".to_owned());
        }
        if self.key.as_ref().is_some_and(|key| *key != existing.key) {
            fields.push("key".to_owned());
        }
        (!fields.is_empty()).then(|| Refused::Mismatch(fields, Box::new(existing.clone())))
    }
}

impl Fingerprint {
    /// The names of the fields in which two fingerprints differ.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        if self.sha256 == other.sha256 {
            return Vec::new();
        }
        let fields = |text: &str| -> serde_json::Map<String, serde_json::Value> {
            serde_json::from_str(text).unwrap_or_default()
        };
        let (ours, theirs) = (fields(&self.canonical), fields(&other.canonical));
        let mut names: Vec<String> = ours
            .keys()
            .chain(theirs.keys().filter(|name| !ours.contains_key(*name)))
            .filter(|name| ours.get(*name) != theirs.get(*name))
            .cloned()
            .collect();
        if names.is_empty() {
            names.push("fingerprint".to_owned());
        }
        names
    }
}

#[cfg(test)]
mod tests;
