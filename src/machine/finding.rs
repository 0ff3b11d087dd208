//! What a look-up's finding means.

use super::Conclusion;
use super::decide::{Step, Wait, again, foreign, hold, mismatch, refused};
use super::facts::{Facts, Gate};
use crate::operation::State;
use crate::outcome::Doubt;
use crate::provider::{Echo, Finding, Match, OnRepeat, Ruling};

pub(super) fn looked_up(facts: &mut Facts, finding: &Finding) -> Step {
    match finding {
        Finding::Found(matches) => not_older_than_the_step(facts, found(facts, matches), matches),
        Finding::Absent => absent(facts),
        Finding::Unclear(doubt) => hold(facts.doubt.clone().unwrap_or_else(|| doubt.clone()), None),
    }
}

/// An action that shows, or a refusal that leaves it open, may be older than a further step that
/// was sent: it is no answer to that, and no place to begin another one from.
fn not_older_than_the_step(facts: &Facts, step: Step, matches: &[Match]) -> Step {
    let leaves_it_open = matches!(step, Step::Finish(Conclusion::ActionRequired { .. }));
    if !(leaves_it_open && facts.is_step_in_doubt()) {
        return step;
    }
    let id = matches.first().map(|found| found.provider_id.as_str());
    hold(facts.doubt(), id)
}

/// Objects that carry our key. They settle only if all of them agree with what was sent.
fn found(facts: &Facts, matches: &[Match]) -> Step {
    if let Some(disagrees) = matches.iter().find_map(|found| disagreement(facts, found)) {
        return disagrees;
    }
    let rulings = || matches.iter().map(|found| &found.verdict.ruling);
    let mut effects = rulings().filter_map(Ruling::effect);
    if let Some(first) = effects.next() {
        return Step::Finish(Conclusion::Succeeded {
            effect: first.clone(),
            duplicates: effects.map(|effect| effect.provider_id.clone()).collect(),
        });
    }
    if let Some(open) = rulings().find_map(open) {
        return Step::Finish(open);
    }
    let refusals = rulings()
        .filter(|ruling| ruling.refusal().is_some())
        .count();
    let all_refused = refusals == matches.len() && accounts_for_all(facts, refusals);
    let first = matches.first();
    match first.and_then(|found| Some((&found.verdict.ruling, found.verdict.ruling.refusal()?))) {
        Some((ruling, refusal)) if all_refused => Step::Finish(refused(facts, ruling, refusal)),
        Some(_) | None => {
            let id = first.map(|found| found.provider_id.as_str());
            hold(facts.doubt(), id)
        }
    }
}

/// An object that is not what we sent: it is held, and nothing is sent.
fn disagreement(facts: &Facts, found: &Match) -> Option<Step> {
    let id = found.provider_id.as_str();
    if found.verdict.echo == Echo::Foreign {
        return Some(foreign(facts, Some(id)));
    }
    if found.verdict.echo == Echo::Missing {
        return Some(hold(Doubt::EchoMissing, None));
    }
    if let Ruling::Unknown(doubt @ Doubt::Mismatch { .. }) = &found.verdict.ruling {
        return Some(hold(doubt.clone(), Some(id)));
    }
    let got = found.verdict.ruling.effect()?.money;
    (got != facts.money).then(|| hold(mismatch(facts, Some(got), id), Some(id)))
}

/// Something that is there and not over yet.
fn open(ruling: &Ruling) -> Option<Conclusion> {
    let last_decline = None;
    if let Ruling::Pending(at) = ruling {
        Some(Conclusion::Pending {
            at: Some(at.clone()),
            last_decline,
        })
    } else if let Ruling::ActionRequired(action) = ruling {
        Some(Conclusion::ActionRequired {
            action: Some(action.clone()),
            last_decline,
        })
    } else {
        None
    }
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
        OnRepeat::Replays | OnRepeat::NoFurtherEffect => again(facts),
        OnRepeat::ReplaysSuccess if facts.look_up_reliable && facts.settled => again(facts),
        OnRepeat::ReplaysSuccess if facts.look_up_reliable && facts.time_left => {
            Step::LookUp(Wait::Settled)
        }
        OnRepeat::ReplaysSuccess | OnRepeat::RunsAgain => hold(facts.doubt(), None),
    }
}
