//! The row that a claim makes, and how its sends are counted.

use std::time::Duration;

use super::Claim;
use crate::clock::Timestamp;
use crate::ledger::{Further, Lease, Moment, NextStep, OwnerId, Record, Rendered, Standing};
use crate::machine::{Event, Move, transition};
use crate::operation::State;
use crate::outcome::NoEffectReason;

impl Record {
    /// The row of a first claim.
    pub fn first(claim: &Claim, rendered: &Rendered, owner: &OwnerId, now: &Moment) -> Self {
        Self {
            id: rendered.id,
            identity: claim.identity.clone(),
            kind: claim.kind,
            account: rendered.account.clone(),
            key: rendered.key.clone(),
            money: claim.money,
            parent: claim
                .parent
                .as_ref()
                .map(|payment| payment.provider_id.clone()),
            baseline: None,
            further: None,
            fingerprint: claim.fingerprint.clone(),
            state: State::Sending,
            closing: false,
            epoch: 1,
            lease: Some(claim.lease_for(owner, now)),
            maybe_sent: 0,
            maybe_sent_open: 0,
            ended_epoch: 0,
            window_from: None,
            first_sent: None,
            last_sent: None,
            send_until: claim.send_until,
            rule: rendered.rule,
            look_up_only: false,
            stored_error: false,
            frozen: false,
            standing: Standing::default(),
            sends: 0,
            created_at: now.at,
            updated_at: now.at,
        }
    }

    /// The row that a claim would make, for an answer when the ledger cannot be read.
    pub(crate) fn claimed(claim: &Claim, rendered: &Rendered, now: Timestamp) -> Self {
        let now = Moment::new(now, Duration::ZERO, None, false);
        Self::first(claim, rendered, &OwnerId::new("unknown"), &now)
    }

    /// Whether nothing was ever sent, because what had to be read before it is not stored.
    pub const fn lacks_baseline(&self) -> bool {
        self.rule.baseline && self.baseline.is_none()
    }

    /// Ends it, since a later attempt takes its place. Its old owner is fenced out.
    pub fn supersede(&mut self, now: Timestamp) {
        self.state = State::NotExecuted;
        self.standing.no_effect = Some(NoEffectReason::Superseded);
        self.epoch = self.epoch.saturating_add(1);
        self.lease = None;
        self.updated_at = now;
    }

    /// Takes what has to be read before the first send: once, and from its owner only. `false`: it
    /// is not taken, and nothing may be stored.
    pub fn take_baseline(&mut self, epoch: i64, baseline: String, now: Timestamp) -> bool {
        let ours = self.epoch == epoch && self.lease.is_some();
        if !ours || self.frozen || !self.lacks_baseline() {
            return false;
        }
        self.baseline = Some(baseline);
        self.updated_at = now;
        true
    }

    /// Goes on to a further step, number `n`: by its owner only, and only from an action that the
    /// customer has. What was sent before is answered by that action, so the counts begin anew.
    /// `false`: it does not, and nothing may be stored.
    pub fn go_on(&mut self, epoch: i64, next: &NextStep, n: u32, now: Timestamp) -> bool {
        let ours = self.epoch == epoch && self.lease.is_some();
        let state = transition(Some(self.state), self.closing, Event::Proceed);
        let Move::To(state) = state else {
            return false;
        };
        if !ours || self.frozen || self.look_up_only {
            return false;
        }
        self.state = state;
        self.further = Some(Further::new(n, next.step.key.clone(), next.rule));
        (self.maybe_sent, self.maybe_sent_open) = (0, 0);
        self.window_from = None;
        self.stored_error = false;
        self.send_until = next.send_until;
        self.updated_at = now;
        true
    }

    /// Notes that a close step is stored: by its owner only, and of what is not settled. `false`: it
    /// is not noted, and nothing may be stored.
    pub fn begin_close(&mut self, epoch: i64, now: Timestamp) -> bool {
        let ours = self.epoch == epoch && self.lease.is_some();
        let next = transition(Some(self.state), self.closing, Event::CloseBegun);
        if !ours || self.frozen || next != Move::Stay {
            return false;
        }
        self.closing = true;
        self.updated_at = now;
        true
    }

    /// Whether an owner may be sending it now. Our own lease counts too: a task of ours may be
    /// sending under it.
    pub fn is_driven(
        &self,
        owner: &OwnerId,
        now: Timestamp,
        alive: &dyn Fn(&OwnerId) -> bool,
    ) -> bool {
        self.lease.as_ref().is_some_and(|lease| {
            now < lease.until && (lease.owner == *owner || alive(&lease.owner))
        })
    }

    /// Counts sends of an ended claim that may have had an effect. The key's age runs from the
    /// first such claim, whatever the wall clock has done since.
    pub(in crate::ledger) fn count_as_sent(&mut self, sends: u32, claim: &Lease, now: Timestamp) {
        if sends == 0 {
            return;
        }
        self.maybe_sent = self.maybe_sent.saturating_add(sends);
        self.window_from
            .get_or_insert_with(|| claim.claimed.clone());
        // Nothing is sent when the lease is over.
        self.last_sent = self.last_sent.max(Some(now.min(claim.until)));
    }
}
