//! What a look-up's finding means.

use super::Conclusion;
use super::decide::{CLASS_B_PAUSE, Pause, Step, foreign, hold, mismatch, refused, send};
use super::facts::{Facts, Gate};
use crate::operation::State;
use crate::outcome::Doubt;
use crate::provider::{Echo, Effect, Finding, Match, OnRepeat, Refusal, Ruling};

pub(super) fn looked_up(facts: &mut Facts, finding: &Finding) -> Step {
    match finding {
        Finding::Found(matches) => found(facts, matches),
        Finding::Absent => absent(facts),
        Finding::Unclear(doubt) => {
            hold(facts.doubt.clone().unwrap_or_else(|| doubt.clone()), None)
        }
    }
}

/// Objects that carry our key. They settle only if all of them agree with what was sent.
fn found(facts: &Facts, matches: &[Match]) -> Step {
    for found in matches {
        let id = found.provider_id.as_str();
        match (&found.verdict.ruling, found.verdict.echo) {
            (_, Echo::Foreign) => return foreign(facts, Some(id)),
            (_, Echo::Missing) => return hold(Doubt::EchoMissing, Some(id)),
            (Ruling::Succeeded(effect), _) if effect.money != facts.money => {
                return hold(mismatch(facts, Some(effect.money), id), Some(id));
            }
            _ => {}
        }
    }
    let rulings = || matches.iter().map(|found| &found.verdict.ruling);
    let mut effects = rulings().filter_map(|ruling| match ruling {
        Ruling::Succeeded(effect) => Some(effect),
        _ => None,
    });
    if let Some(first) = effects.next() {
        return succeeded(first, effects);
    }
    for ruling in rulings() {
        match ruling {
            Ruling::Pending(at) => {
                return Step::Finish(Conclusion::Pending {
                    at: Some(at.clone()),
                    last_decline: None,
                });
            }
            Ruling::ActionRequired(action) => {
                return Step::Finish(Conclusion::ActionRequired {
                    action: Some(action.clone()),
                    last_decline: None,
                });
            }
            _ => {}
        }
    }
    let refusals: Vec<(&Ruling, &Refusal)> = rulings()
        .filter_map(|ruling| match ruling {
            Ruling::Declined(refusal) | Ruling::Rejected(refusal) | Ruling::Canceled(refusal) => {
                Some((ruling, refusal))
            }
            _ => None,
        })
        .collect();
    match refusals.first() {
        Some((ruling, refusal))
            if refusals.len() == matches.len() && accounts_for_all(facts, refusals.len()) =>
        {
            Step::Finish(refused(facts, ruling, refusal))
        }
        _ => {
            let id = matches.first().map(|found| found.provider_id.as_str());
            hold(facts.doubt(), id)
        }
    }
}

fn succeeded<'a>(first: &Effect, others: impl Iterator<Item = &'a Effect>) -> Step {
    Step::Finish(Conclusion::Succeeded {
        effect: first.clone(),
        duplicates: others.map(|effect| effect.provider_id.clone()).collect(),
    })
}

/// Whether so many refusals leave no send that may have worked. Where a repeat replays, one object
/// answers for every send under the key; elsewhere each send may have made its own.
fn accounts_for_all(facts: &Facts, refusals: usize) -> bool {
    facts.class == OnRepeat::Replays
        || usize::try_from(facts.maybe_sent).is_ok_and(|sends| refusals >= sends)
}

/// The gateway shows nothing. It proves nothing; it only leaves a repeat open where a repeat is
/// safe.
fn absent(facts: &mut Facts) -> Step {
    let seen_there = matches!(facts.found, State::Pending | State::ActionRequired);
    let elsewhere = facts.doubt == Some(Doubt::KeyUsedElsewhere);
    let over = facts.gate != Gate::Open || facts.stored_error || facts.stop;
    if seen_there || elsewhere || over || facts.maybe_sent == 0 {
        return hold(facts.doubt(), None);
    }
    match facts.class {
        OnRepeat::Replays | OnRepeat::NoFurtherEffect => {
            send(facts, Pause::Backoff { at_least: None })
        }
        OnRepeat::ReplaysSuccess if facts.look_up_reliable => {
            send(facts, Pause::AfterLastSend(CLASS_B_PAUSE))
        }
        OnRepeat::ReplaysSuccess | OnRepeat::RunsAgain => hold(facts.doubt(), None),
    }
}
