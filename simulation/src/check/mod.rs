//! What must hold at every step, compared with the gateways' own books and with the rows of the
//! ledger. The engine is never asked.

mod books;
mod calls;
mod end;
mod rows;
mod sends;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use payonce::ledger::{Checked, Owned, Record};
use payonce::provider::{Response, Ruling, Verdict};
use payonce::{Family, Identity, Money, OperationId, OperationKind, State, Timestamp};
use payonce_simulator::Effect;

pub(crate) use self::calls::Called;
pub(crate) use self::end::Standing;
pub(crate) use self::sends::Leaving;
use self::sends::Send;
use crate::world::Process;

/// A promise that did not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Which promise.
    pub what: String,
    /// What was seen.
    pub detail: String,
}

impl Failure {
    pub(crate) fn new(what: &str, detail: &str) -> Self {
        Self {
            what: what.to_owned(),
            detail: detail.to_owned(),
        }
    }
}

/// The most failures that are kept of one history.
const MOST: usize = 8;

/// A request that an adapter rendered, and so perhaps an operation.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    pub(crate) id: OperationId,
    pub(crate) kind: OperationKind,
    /// As the merchant names it, whatever the ledger was told.
    pub(crate) reference: String,
    pub(crate) key: String,
    pub(crate) money: Money,
    pub(crate) parent: Option<String>,
    pub(crate) gateway: &'static str,
}

/// What is known of an operation, beside its row.
struct Known {
    made: Made,
    /// What its first send was, byte for byte.
    bytes: Option<Vec<u8>>,
    sends: Vec<usize>,
    effects: Vec<Effect>,
    /// When its row was there first, and when it was claimed last, by the true time.
    first_row: Duration,
    claimed_at: Duration,
    /// What the ledger's clock showed when a send was last allowed, and when that was.
    allowed: Option<Allowed>,
    baseline_read: Option<Duration>,
    /// Every state that its row had.
    states: Vec<State>,
}

#[derive(Debug, Clone, Copy)]
struct Allowed {
    wall: Timestamp,
    at: Duration,
    /// The highest time that the ledger had seen by then.
    mark: Option<Timestamp>,
    /// Until when it might be sent, as the ledger said then.
    send_until: Timestamp,
}

/// Everything that is compared.
#[derive(Default)]
pub(crate) struct Checks {
    failures: Vec<Failure>,
    known: BTreeMap<OperationId, Known>,
    rows: BTreeMap<OperationId, Record>,
    sends: Vec<Send>,
    /// Whose request has which number in the gateways' log. `None`: it is not payonce's.
    requests: BTreeMap<u64, Option<usize>>,
    effects: usize,
    /// What moved under each family and reference.
    moved: BTreeMap<(&'static str, String), Vec<OperationId>>,
    /// What moved behind payonce's back.
    aside: Vec<Effect>,
    /// What a person settled.
    resolved: BTreeSet<OperationId>,
    /// References of which a person said too early that nothing happened.
    erred: BTreeSet<String>,
    owners: BTreeMap<String, Arc<Process>>,
    mark: Option<Timestamp>,
    reads: BTreeMap<String, Response>,
    calls: Vec<Called>,
    recoveries: Vec<(String, Duration, Duration)>,
    doubles: u64,
    false_finals: u64,
    now: Duration,
    /// When the faults ended.
    calm_at: Duration,
    /// What the last look-up of each found.
    findings: BTreeMap<OperationId, &'static str>,
    /// The gateway stored an error under their keys.
    stored_errors: BTreeSet<OperationId>,
    /// A clock was wrong, or not known to be right.
    clock_was_wrong: bool,
}

impl Checks {
    pub(crate) fn fail(&mut self, what: &str, detail: String) {
        match what {
            "double effect" => self.doubles = self.doubles.saturating_add(1),
            "false final" => self.false_finals = self.false_finals.saturating_add(1),
            _ => {}
        }
        if self.failures.len() < MOST {
            let what = what.to_owned();
            self.failures.push(Failure { what, detail });
        }
    }

    pub(crate) fn failures(&self) -> &[Failure] {
        &self.failures
    }

    pub(crate) const fn doubles(&self) -> u64 {
        self.doubles
    }

    pub(crate) const fn false_finals(&self) -> u64 {
        self.false_finals
    }

    /// A look-up of an operation ended.
    pub(crate) fn found(&mut self, id: OperationId, what: &'static str) {
        self.findings.insert(id, what);
    }

    /// The gateway stores an error under the operation's key, whatever its class.
    pub(crate) fn stored_error(&mut self, id: OperationId) {
        self.stored_errors.insert(id);
    }

    /// From now on the age of a key may not be known.
    pub(crate) const fn clock_is_wrong(&mut self) {
        self.clock_was_wrong = true;
    }

    /// The true time of what comes next.
    pub(crate) fn tick(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    pub(crate) fn made(&mut self, made: Made) {
        self.known.entry(made.id).or_insert_with(|| Known {
            made,
            bytes: None,
            sends: Vec::new(),
            effects: Vec::new(),
            first_row: Duration::ZERO,
            claimed_at: Duration::ZERO,
            allowed: None,
            baseline_read: None,
            states: Vec::new(),
        });
    }

    /// What an operation is called in the trace.
    pub(crate) fn name(&self, id: OperationId) -> String {
        let attempt = self
            .rows
            .get(&id)
            .map_or_else(|| "?".to_owned(), |row| row.identity.attempt.to_string());
        match self.known.get(&id) {
            Some(known) => format!("{} {}/{attempt}", known.made.kind, known.made.reference),
            None => id.to_string(),
        }
    }

    pub(crate) fn makes_payment(&self, id: OperationId) -> bool {
        let kind = self.known.get(&id).map(|known| known.made.kind);
        kind.is_some_and(|kind| kind.family() == Family::Payment)
    }

    pub(crate) fn row(&self, id: OperationId) -> Option<Record> {
        self.rows.get(&id).cloned()
    }

    /// The row with this identity.
    pub(crate) fn row_of(&self, identity: &Identity) -> Option<Record> {
        let mut rows = self.rows.values();
        rows.find(|row| row.identity == *identity).cloned()
    }

    /// The rows under a reference of the merchant's, whatever the ledger was told.
    pub(crate) fn rows_under(&self, family: Family, reference: &str) -> Vec<Record> {
        let under = |row: &&Record| {
            let made = self.known.get(&row.id).map(|known| &known.made);
            row.kind.family() == family && made.is_some_and(|made| made.reference == reference)
        };
        self.rows.values().filter(under).cloned().collect()
    }

    pub(crate) fn all_rows(&self) -> Vec<Record> {
        self.rows.values().cloned().collect()
    }

    /// A claim is stored, and its owner was told.
    pub(crate) fn claimed(&mut self, owned: &Owned, process: &Arc<Process>, now: Duration) {
        self.tick(now);
        if let Some(lease) = &owned.record.lease {
            let name = lease.owner.as_str().to_owned();
            self.owners.insert(name, Arc::clone(process));
        }
        let wall = owned.now.at;
        let allowed = Allowed {
            wall,
            at: self.now,
            mark: self.mark,
            send_until: owned.record.send_until,
        };
        if let Some(known) = self.known.get_mut(&owned.record.id) {
            known.claimed_at = allowed.at;
            known.allowed = Some(allowed);
        }
        self.mark = self.mark.max(Some(wall));
    }

    /// A send was allowed by a read of the ledger.
    pub(crate) fn checked(&mut self, id: OperationId, checked: &Checked, now: Duration) {
        self.tick(now);
        let allowed = Allowed {
            wall: checked.now.at,
            at: self.now,
            mark: self.mark,
            send_until: checked.send_until,
        };
        if let Some(known) = self.known.get_mut(&id) {
            known.allowed = Some(allowed);
        }
    }

    /// Whether the process of an owner lives.
    pub(crate) fn owner_lives(&self, owner: &str) -> bool {
        self.owners
            .get(owner)
            .is_some_and(|process| process.is_alive())
    }

    fn owner_is(&self, owner: &str, process: &str) -> bool {
        let found = self.owners.get(owner);
        found.is_some_and(|found| found.name() == process)
    }

    pub(crate) fn read_earlier(&self, path: &str) -> Option<Response> {
        self.reads.get(path).cloned()
    }

    pub(crate) fn read_now(&mut self, path: String, reply: Response) {
        self.reads.insert(path, reply);
    }

    /// A payment was read before an operation's first send.
    pub(crate) fn baseline_read(&mut self, id: OperationId, now: Duration) {
        self.tick(now);
        if let Some(known) = self.known.get_mut(&id) {
            known.baseline_read = Some(now);
        }
    }

    /// What was read is stored: it must have been read after the claim, or somebody else's
    /// operation can lie in between.
    pub(crate) fn baseline_stored(&mut self, id: OperationId) {
        let Some(known) = self.known.get(&id) else {
            return;
        };
        if known.baseline_read.is_none_or(|at| at < known.claimed_at) {
            let name = self.name(id);
            self.fail("baseline", format!("{name} was read before its claim"));
        }
    }

    /// What the adapter said of the last send: some replies say that it had no effect.
    pub(crate) fn classified(&mut self, id: OperationId, verdict: &Verdict) {
        use payonce::provider::Echo;
        let others = match verdict.echo {
            Echo::Ours => false,
            Echo::Foreign | Echo::Missing => true,
            Echo::NotExpected => verdict.replayed,
        };
        let no_effect = match verdict.ruling {
            Ruling::NoEffect
            | Ruling::Unauthorized
            | Ruling::Declined(_)
            | Ruling::Rejected(_)
            | Ruling::Canceled(_) => !others,
            Ruling::Succeeded(_)
            | Ruling::ActionRequired(_)
            | Ruling::Pending(_)
            | Ruling::InProgress
            | Ruling::Repeated
            | Ruling::KeyMismatch
            | Ruling::Unknown(_) => false,
        };
        let last = self.known.get(&id).and_then(|known| known.sends.last());
        if let Some(send) = last.copied().and_then(|place| self.sends.get_mut(place)) {
            send.cleared = no_effect;
        }
    }

    /// Whether an earlier send of the operation may have worked.
    pub(crate) fn may_have_worked(&self, id: OperationId) -> bool {
        let Some(known) = self.known.get(&id) else {
            return false;
        };
        let mut sends = known.sends.iter().rev().skip(1);
        sends.any(|place| self.sends.get(*place).is_some_and(|send| !send.cleared))
    }

    /// A person settled it.
    pub(crate) fn resolved(&mut self, id: OperationId, too_early: bool) {
        self.resolved.insert(id);
        if too_early && let Some(known) = self.known.get(&id) {
            self.erred.insert(known.made.reference.clone());
        }
    }

    /// The person's decision was not taken.
    pub(crate) fn not_resolved(&mut self, id: OperationId) {
        self.resolved.remove(&id);
    }

    /// Whether a request of the operation may still reach its gateway.
    pub(crate) fn is_under_way(&self, id: OperationId) -> bool {
        let sends = self.known.get(&id).map(|known| known.sends.as_slice());
        let mut sends = sends.unwrap_or_default().iter();
        sends.any(|place| self.sends.get(*place).is_some_and(|send| send.under_way))
    }

    /// How often an operation was sent.
    pub(crate) fn sends_of(&self, id: OperationId) -> usize {
        self.known.get(&id).map_or(0, |known| known.sends.len())
    }

    /// What an operation moved, by the books.
    pub(crate) fn effects_of(&self, id: OperationId) -> Vec<Effect> {
        let known = self.known.get(&id);
        known.map_or_else(Vec::new, |known| known.effects.clone())
    }
}
