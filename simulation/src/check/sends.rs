//! What may leave: only what is stored, owned, in its time, and the same bytes each time.

use std::time::Duration;

use payonce::ledger::Record;
use payonce::provider::OnRepeat;
use payonce::{Family, OperationId, Timestamp};

use super::{Checks, Known};

/// A send that is about to leave.
pub(crate) struct Leaving {
    pub(crate) id: OperationId,
    pub(crate) process: String,
    pub(crate) at: Duration,
    pub(crate) bytes: Vec<u8>,
}

/// A send that left.
pub(super) struct Send {
    pub(super) id: OperationId,
    pub(super) process: String,
    pub(super) at: Duration,
    /// It is known to have had no effect: as its reply says, or because it never left.
    pub(super) cleared: bool,
    /// It may still reach the gateway.
    pub(super) under_way: bool,
    /// Money moved by it.
    pub(super) worked: bool,
}

/// How long a claim speaks for its first send, and a little more for the way.
const FRESH: Duration = Duration::from_millis(1_100);
/// How far a clock may stand behind what the ledger saw.
const STEP_BACK: Duration = Duration::from_secs(2);
/// How long Stripe's simulated gateway remembers a key.
const KEY_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

impl Checks {
    /// Compares a send with what may leave, and notes it.
    pub(crate) fn leaves(&mut self, leaving: Leaving) -> usize {
        self.tick(leaving.at);
        for (what, detail) in self.wrong_with(&leaving) {
            let name = self.name(leaving.id);
            self.fail(what, format!("{name}: {detail}"));
        }
        let place = self.sends.len();
        self.sends.push(Send {
            id: leaving.id,
            process: leaving.process,
            at: leaving.at,
            cleared: false,
            under_way: true,
            worked: false,
        });
        if let Some(known) = self.known.get_mut(&leaving.id) {
            known.bytes.get_or_insert(leaving.bytes);
            known.sends.push(place);
        }
        place
    }

    fn wrong_with(&self, leaving: &Leaving) -> Vec<(&'static str, String)> {
        let Some(known) = self.known.get(&leaving.id) else {
            return vec![("send without a row", "nobody made it".to_owned())];
        };
        let Some(row) = self.rows.get(&leaving.id) else {
            return vec![("send without a row", "the ledger holds none".to_owned())];
        };
        let mut wrong = Vec::new();
        if row.frozen {
            wrong.push(("send of a frozen reference", String::new()));
        }
        if known
            .bytes
            .as_ref()
            .is_some_and(|first| *first != leaving.bytes)
        {
            let detail = "other bytes or another key than the first time";
            wrong.push(("key and bytes", detail.to_owned()));
        }
        if row.lacks_baseline() {
            wrong.push(("baseline", "it leaves without one".to_owned()));
        }
        wrong.extend(self.wrong_time(known, row, leaving));
        wrong.extend(self.wrong_repeat(known, row, leaving));
        wrong
    }

    /// Lease and time.
    fn wrong_time(
        &self,
        known: &Known,
        row: &Record,
        leaving: &Leaving,
    ) -> Option<(&'static str, String)> {
        let Some(allowed) = known.allowed else {
            return Some(("send without a claim", String::new()));
        };
        // By the ledger's clock, as it was when the send was allowed, and the time since.
        let wall = allowed.wall.plus(leaving.at.saturating_sub(allowed.at));
        let fresh = leaving.at.saturating_sub(known.claimed_at) <= FRESH;
        let lease = row.lease.as_ref();
        let ours = lease.is_some_and(|lease| {
            self.owner_is(lease.owner.as_str(), &leaving.process) && wall < lease.until
        });
        if !ours && !fresh {
            let text = format!("at {wall:?} the lease is {lease:?}");
            return Some(("send outside the lease", text));
        }
        if allowed.send_until <= allowed.wall {
            let text = format!("{:?} is past at {:?}", allowed.send_until, allowed.wall);
            return Some(("send after send_until", text));
        }
        None
    }

    /// A repeat, where an earlier send may have worked.
    fn wrong_repeat(
        &self,
        known: &Known,
        row: &Record,
        leaving: &Leaving,
    ) -> Option<(&'static str, String)> {
        let open = |place: &&usize| self.sends.get(**place).is_some_and(|send| !send.cleared);
        let first = known.sends.iter().find(open)?;
        let first = self.sends.get(*first)?;
        let age = leaving.at.saturating_sub(first.at);
        // What is true of the gateway, whatever the adapter's rule says.
        let runs_again = match known.made.gateway {
            "hyperpay" => true,
            "moyasar" => known.made.kind.family() != Family::Payment,
            _ => false,
        };
        if runs_again || row.rule.on_repeat == OnRepeat::RunsAgain {
            let text = format!("{} s after one that may have worked", age.as_secs());
            return Some(("repeat where it runs again", text));
        }
        if known.made.gateway == "stripe" && age >= KEY_LIFE {
            let text = format!("{} s after the first", age.as_secs());
            return Some(("repeat after the key's life", text));
        }
        // Under a fresh claim only this process's own sends are known to it.
        let fresh = leaving.at.saturating_sub(known.claimed_at) <= FRESH;
        let own = first.process == leaving.process;
        let behind = known.allowed.filter(|_| own || !fresh).and_then(|allowed| {
            let mark = allowed.mark?;
            (mark > allowed.wall.plus(STEP_BACK)).then_some((allowed.wall, mark))
        });
        behind.map(|(wall, mark): (Timestamp, Timestamp)| {
            let text = format!("at {wall:?}, and the ledger saw {mark:?}");
            ("repeat by a clock that went back", text)
        })
    }

    pub(crate) fn was_sent(&self, id: OperationId) -> bool {
        self.known
            .get(&id)
            .is_some_and(|known| !known.sends.is_empty())
    }

    /// A request reaches the gateways' log under this number. `None`: it is no send of payonce's.
    pub(crate) fn arrives(&mut self, number: usize, send: Option<usize>) {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        self.requests.insert(number, send);
    }

    /// It can do nothing more.
    pub(crate) fn arrived(&mut self, send: usize) {
        if let Some(send) = self.sends.get_mut(send) {
            send.under_way = false;
        }
    }
}
