//! The start of a drive: what is known right after the claim.

use std::time::Duration;

use super::Drive;
use crate::engine::Engine;
use crate::engine::backoff::Intervals;
use crate::engine::gate::{Stored, Times};
use crate::error::Error;
use crate::ledger::{Learned, Owned, UnsentReason};
use crate::machine::Facts;
use crate::provider::{OnRepeat, RuleSnapshot};

/// How long a claim speaks for the first send without another read of the ledger.
const FRESH: Duration = Duration::from_secs(1);

impl<'e> Drive<'e> {
    /// Takes an operation that was just claimed. `end`: the uptime at which its last exchange must
    /// have ended.
    pub(super) fn new(engine: &'e Engine, owned: Owned, end: Duration) -> Result<Self, Error> {
        let stored = Stored::from(&owned);
        let Owned {
            record,
            found,
            request,
            now,
            ..
        } = owned;
        let provider = engine.provider(&record.account).ok_or_else(super::gone)?;
        // What holds is the narrower of what was stored and what is true now. A kind that the
        // adapter no longer does is treated as one without any protection.
        let rule = match provider.rule(record.kind) {
            Some(rule) => record.rule.narrower(rule.snapshot()),
            None => RuleSnapshot {
                on_repeat: OnRepeat::RunsAgain,
                ..record.rule
            },
        };
        let clock = engine.clock.as_ref();
        let times = Times::new(&record, now, clock, rule.window, end);
        let facts = Facts {
            money: record.money,
            found,
            class: rule.on_repeat,
            gate: times.gate(&stored, record.maybe_sent > 0, clock),
            maybe_sent: record.maybe_sent,
            stored_error: record.stored_error,
            stop: false,
            page_given: record.standing.action.is_some(),
            can_look_up: provider.look_up().is_some(),
            look_up_reliable: rule.look_up_reliable,
            looked_up: false,
            sends_left: engine.policy.sends,
            time_left: true,
            doubt: record.standing.doubt.clone(),
            problem: UnsentReason::Unavailable {
                why: "the time of the call was over".to_owned(),
                retry_after: None,
            },
        };
        let fresh = record.identity.attempt == 1;
        Ok(Self {
            engine,
            provider,
            record,
            request,
            facts,
            rule,
            times,
            stored,
            learned: Learned::default(),
            intervals: Intervals::new(engine.policy.backoff_first, engine.policy.backoff_longest),
            fresh_until: fresh.then(|| clock.uptime().saturating_add(FRESH)),
            last_end: Duration::ZERO,
            last_reply: None,
        })
    }
}
