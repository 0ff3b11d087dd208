//! The start of a drive: what is known right after the claim.

use std::time::Duration;

use super::{Asked, Drive, Hear};
use crate::engine::Engine;
use crate::engine::backoff::Intervals;
use crate::engine::gate::{Stored, Times};
use crate::error::Error;
use crate::ledger::{Learned, Owned, Record};
use crate::machine::{CLASS_B_PAUSE, Facts, Shut};
use crate::provider::{OnRepeat, Provider, RuleSnapshot};

/// What is true now of the further step that an operation is at.
fn step_rule(
    provider: &dyn Provider,
    record: &Record,
    operation: Option<RuleSnapshot>,
) -> Option<RuleSnapshot> {
    let adapter = provider.proceed(record.kind)?;
    Some(adapter.proceed_rule().snapshot(operation?))
}

impl<'e> Drive<'e> {
    /// Takes an operation whose claim was `asked` for. `end_up`: the uptime at which its last
    /// exchange must have ended.
    pub(super) fn new(
        engine: &'e Engine,
        hear: Hear<'e>,
        owned: Owned,
        asked: Asked,
        end_up: Duration,
        ask_only: bool,
    ) -> Result<Self, Error> {
        let stored = Stored::claimed(&owned, asked.up);
        let Owned {
            record,
            found,
            request,
            now,
            ..
        } = owned;
        let gone = || super::gone().about(&record);
        let provider = engine.provider(&record.account).ok_or_else(gone)?;
        // What holds is the narrower of what was stored and what is true now. A kind that the
        // adapter no longer does is treated as one without any protection.
        let now_true = provider.rule(record.kind).map(|rule| rule.snapshot());
        let (stored_rule, now_true) = match &record.further {
            None => (record.rule, now_true),
            Some(further) => (
                further.rule,
                step_rule(provider.as_ref(), &record, now_true),
            ),
        };
        let rule = match now_true {
            Some(rule) => stored_rule.narrower(rule),
            None => RuleSnapshot {
                on_repeat: OnRepeat::RunsAgain,
                ..stored_rule
            },
        };
        let clock = engine.clock.as_ref();
        // An earlier send counts as ended when its claim was.
        let ended_ago = record
            .last_sent
            .map(|ended| now.at.since(ended).unwrap_or_default());
        let times = Times::new(&record, now, rule.window, asked.up, end_up).asking_only(ask_only);
        let facts = Facts {
            money: record.money,
            found,
            class: rule.on_repeat,
            gate: times.gate(&stored, record.maybe_sent > 0, clock),
            maybe_sent: record.maybe_sent,
            stored_error: record.stored_error,
            stop: false,
            page_given: record.standing.action.is_some(),
            further: record.further.is_some(),
            can_look_up: provider.look_up().is_some(),
            look_up_reliable: rule.look_up_reliable,
            looked_up: false,
            settled: false,
            sends_left: engine.policy.sends,
            time_left: true,
            doubt: record.standing.doubt.clone(),
            retry_after: None,
            problem: Shut::TimeOver.unsent(),
        };
        // After another attempt was final, what is stored counts, and not the claim's answer.
        // The same where a payment is read first, which takes its time.
        let fresh = (record.identity.attempt == 1 && !rule.baseline).then_some(asked);
        Ok(Self {
            engine,
            hear,
            provider,
            request,
            facts,
            times,
            stored,
            learned: Learned::default(),
            intervals: Intervals::new(engine.policy.backoff_first, engine.policy.backoff_longest),
            fresh,
            rest: rule.settling.max(CLASS_B_PAUSE),
            last_end: ended_ago.and_then(|ago| clock.uptime().checked_sub(ago)),
            exchanges: 0,
            last_reply: None,
            rule,
            record,
        })
    }
}
