//! What the ledger knows about its clock.

use std::collections::HashSet;

use crate::clock::{Clock, Timestamp};
use crate::ledger::{DateSeen, Exchange, Moment, STEP_BACK, SeenRight};
use crate::provider::AccountId;

/// The highest time seen, whether the clock was seen to be right, and which accounts' gateways
/// disagree with it.
#[derive(Clone, Default)]
pub(super) struct Times {
    mark: Option<Timestamp>,
    seen_right: Option<SeenRight>,
    doubted: HashSet<AccountId>,
}

impl Times {
    pub(super) fn now(&self, clock: &dyn Clock) -> Moment {
        Moment::now(clock, self.seen_right.as_ref())
    }

    /// Keeps the highest time seen.
    pub(super) fn mark(&mut self, now: Timestamp) {
        self.mark = self.mark.max(Some(now));
    }

    /// A gateway's `Date` that differs from our clock makes the age of its keys doubtful, until
    /// one agrees again. One that agrees shows that the wall clock is right.
    /// It says so of the clock as it was then, which may have been set before this is written.
    pub(super) fn date_seen(&mut self, account: &AccountId, exchange: &Exchange, now: &Moment) {
        match exchange.date {
            DateSeen::None => {}
            DateSeen::Agrees => {
                let then = exchange.compared_at(now);
                if now.is_of_the_same_clock(&then) {
                    self.doubted.remove(account);
                }
                if !now.sure
                    && let Some(right) = SeenRight::at(&then)
                {
                    self.seen_right = Some(right);
                }
            }
            DateSeen::Differs => {
                self.doubted.insert(account.clone());
            }
        }
    }

    /// Whether the age of the account's keys cannot be trusted now.
    pub(super) fn is_doubtful(&self, account: &AccountId, now: Timestamp) -> bool {
        let stepped_back = self.mark.is_some_and(|mark| mark > now.plus(STEP_BACK));
        stepped_back || self.doubted.contains(account)
    }
}
