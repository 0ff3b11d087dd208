//! Ledgers that have a mistake. Each changes what one promise of the ledger says, and nothing
//! else: the engine then does what it would do if it had the mistake itself.

use std::sync::Arc;
use std::time::Duration;

use payonce::ledger::{
    Asked, Checked, Claim, Claimed, Guarded, Ledger, Record, Refused, Settle, guard,
};
use payonce::{Adopted, OperationId, OperationKind, Payment, State};

use super::{Watched, at_once};
use crate::faults::Kind;
use crate::plants::Plant;

impl Watched {
    /// What is claimed, with the planted mistake.
    pub(super) async fn planted_claim(&self, mut claim: Claim) -> Claim {
        let world = &self.world;
        let attempt = claim.identity.attempt;
        if attempt > 1 && claim.rendered.is_some() {
            let mut before = claim.identity.clone();
            before.attempt = attempt.saturating_sub(1);
            let state = world.checks().row_of(&before).map(|row| row.state);
            let apart = match state {
                Some(State::Unsent) => world.has(Plant::UnsentStays),
                Some(State::ActionRequired | State::Pending) => world.has(Plant::PagePayable),
                _ => false,
            };
            if apart {
                // The second attempt does not see the first one.
                claim.identity.reference.push_str(" apart");
                claim.identity.attempt = 1;
            }
        }
        if world.has(Plant::LockedByParent)
            && let Some(parent) = &claim.parent
        {
            claim.identity.reference.push('@');
            claim.identity.reference.push_str(&parent.provider_id);
            claim.identity.attempt = 1;
        }
        if world.has(Plant::GuardOutside)
            && let Some(parent) = claim.parent.clone()
            && let Some(rendered) = &claim.rendered
            && let Ok(ledger) = self.inner()
        {
            let rule = rendered.rule;
            let stored = at_once(ledger.desk().payment(parent.clone()));
            if let Ok(Some(stored)) = stored {
                let money = stored.money;
                let asked = Asked::by_claim(&claim, rule, &[]);
                if guard(&asked, Some(stored)).is_ok() {
                    // It was asked before the transaction. In it, it is asked of a payment of which
                    // nothing was taken.
                    let number = world.dice("plant/guard").draw();
                    let apart = Payment::new(parent.account, format!("apart-{number:016x}"));
                    let adopted = if claim.kind == OperationKind::Refund {
                        Adopted::charge(apart.clone(), money)
                    } else {
                        Adopted::authorization(apart.clone(), money)
                    };
                    drop(at_once(ledger.desk().adopt(adopted, String::new())));
                    claim.parent = Some(apart);
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        claim
    }

    /// What the engine is told of a claim, with the planted mistake. `before`: the row that was
    /// there.
    pub(super) fn planted_claimed(&self, claimed: Claimed, before: Option<&Record>) -> Claimed {
        let Claimed::Ours(mut owned) = claimed else {
            return claimed;
        };
        let lapsed = before.and_then(|row| row.lease.as_ref()).is_some();
        let was_alive = before
            .and_then(|row| row.lease.as_ref())
            .is_some_and(|lease| self.world.checks().owner_lives(lease.owner.as_str()));
        let forgets = (self.world.has(Plant::LapsedIsUnsent) && was_alive)
            || (self.world.has(Plant::CrashedIsUnsent) && !was_alive);
        if lapsed && forgets {
            // As if the claim before had sent nothing.
            owned.record.maybe_sent = before.map_or(0, |row| row.maybe_sent);
            owned.record.window_from = None;
        }
        if self.world.has(Plant::ClockTrusted) {
            owned.clock_doubtful = false;
        }
        Claimed::Ours(owned)
    }

    /// What the engine is told right before a send, with the planted mistake.
    pub(super) fn planted_checked(
        &self,
        id: OperationId,
        checked: Option<Checked>,
    ) -> Option<Checked> {
        let mut checked = checked?;
        if self.world.has(Plant::NoFencing)
            && let Some(ours) = self.remembered(id)
        {
            checked.epoch = ours.epoch;
        }
        if self.world.has(Plant::FrozenSends)
            && let Some(ours) = self.remembered(id)
            && checked.frozen
        {
            checked.frozen = false;
            checked.epoch = ours.epoch;
        }
        if self.world.has(Plant::ClockTrusted) {
            checked.clock_doubtful = false;
        }
        Some(checked)
    }

    /// What is settled, with the planted mistake.
    pub(super) fn planted_settle(&self, mut settle: Settle) -> Settle {
        if self.world.has(Plant::NoFencing)
            && let Some(row) = self.world.checks().row(settle.id)
        {
            settle.epoch = row.epoch;
        }
        settle
    }

    /// A claim that is acknowledged though its transaction was rolled back.
    pub(super) async fn rolled_back(&self, claim: &Claim, label: &str) -> Option<Claimed> {
        self.world.draw_one(
            &[Kind::CommitLost, Kind::DiskFull],
            &format!("batch/{label}"),
        )?;
        self.on_a_copy(claim).await
    }

    /// A claim that is acknowledged at once, and stored some time later.
    pub(super) async fn stored_later(&self, claim: &Claim) -> Option<Claimed> {
        let known = self.world.checks().row_of(&claim.identity);
        if known.is_some() || claim.rendered.is_none() {
            return None;
        }
        let claimed = self.on_a_copy(claim).await?;
        let (world, process, claim) = (
            Arc::clone(&self.world),
            Arc::clone(&self.process),
            claim.clone(),
        );
        drop(tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            process.pass(&world).await;
            if let Some(ledger) = process.ledger() {
                drop(at_once(ledger.claim(claim)));
                world.rows_changed("claim, later");
            }
        }));
        Some(claimed)
    }

    /// What a claim would be answered, without storing it.
    async fn on_a_copy(&self, claim: &Claim) -> Option<Claimed> {
        let copy = self.world.store.copy()?;
        self.process.pass(&self.world).await;
        let ledger = copy.open(self.process.clock(&self.world));
        match at_once(ledger.claim(claim.clone())) {
            Ok(Claimed::Ours(owned)) => {
                self.remember(&owned.record);
                Some(Claimed::Ours(owned))
            }
            Ok(
                Claimed::Final(_)
                | Claimed::Busy(_)
                | Claimed::Refused(Refused::Guarded(Guarded::NoPayment) | _)
                | Claimed::Absent,
            )
            | Err(_) => None,
        }
    }
}
