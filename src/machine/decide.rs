//! What to do next with what was just seen: the engine's table.

use std::time::Duration;

use super::Conclusion;
use super::facts::{Facts, Gate, Reply, Seen, Shut};
use super::finding::looked_up;
use crate::money::Money;
use crate::operation::State;
use crate::outcome::Doubt;
use crate::provider::{Advice, Echo, OnRepeat, Refusal, Ruling, Verdict};

/// How long after the end of the last send a gateway of class B may be sent the same key again, at
/// the earliest.
pub(crate) const CLASS_B_PAUSE: Duration = Duration::from_secs(30);

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Send the same bytes, after the pause.
    Send(Pause),
    /// Look up: at once, or when the last send is so long ago that a look-up shows what it did.
    LookUp(Wait),
    /// The drive is over.
    Finish(Conclusion),
}

/// How long to wait before a send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Not at all.
    None,
    /// The next backoff, and at least what the gateway asked for.
    Backoff { at_least: Option<Duration> },
}

/// How long to wait before a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Not at all.
    None,
    /// Until the last send has settled at the gateway.
    Settled,
}

/// Learns from what was seen, and decides the next step.
pub(crate) fn decide(facts: &mut Facts, seen: &Seen<'_>) -> Step {
    // A verdict speaks only for its own send: whether others came before it changes what it means.
    let earlier = facts.maybe_sent > 0;
    facts.learn(seen);
    match *seen {
        Seen::Claimed => claimed(facts),
        Seen::NotSent { retry: true, .. } => no_effect(facts),
        Seen::NotSent { retry: false, .. } | Seen::PaymentMismatch { .. } => stop(facts),
        Seen::Lost(_) => in_doubt(facts),
        Seen::Replied(reply) => replied(facts, reply, earlier),
        Seen::LookedUp(finding) => looked_up(facts, finding),
        Seen::Barred => barred(facts),
        Seen::Exhausted => exhausted(facts),
    }
}

fn claimed(facts: &mut Facts) -> Step {
    // What differs from what was sent is ended by a person, and by nothing that is seen later.
    if let Some(doubt @ Doubt::Mismatch { .. }) = &facts.doubt {
        return hold(doubt.clone(), None);
    }
    match (facts.found, facts.class) {
        // Where nobody can ask, what waits goes on waiting: that no news came is no doubt.
        (State::Pending, _) if !facts.can_look_up => Step::Finish(Conclusion::Pending {
            at: None,
            last_decline: None,
        }),
        (State::ActionRequired, _) if !facts.can_look_up => {
            Step::Finish(Conclusion::ActionRequired {
                action: None,
                last_decline: None,
            })
        }
        (State::Pending | State::ActionRequired, _) => look_up_or_hold(facts),
        _ if facts.maybe_sent == 0 => send(facts, Pause::None),
        (_, OnRepeat::Replays) if !facts.stored_error => send(facts, Pause::None),
        _ => look_up_or_hold(facts),
    }
}

/// The send provably had no effect.
fn no_effect(facts: &mut Facts) -> Step {
    if facts.class == OnRepeat::RunsAgain && facts.maybe_sent > 0 {
        return look_up_or_hold(facts);
    }
    again(facts)
}

/// The send may have had an effect; why is in the facts.
fn in_doubt(facts: &mut Facts) -> Step {
    match facts.class {
        OnRepeat::Replays => again(facts),
        OnRepeat::ReplaysSuccess | OnRepeat::RunsAgain | OnRepeat::NoFurtherEffect => {
            look_up_or_hold(facts)
        }
    }
}

fn replied(facts: &mut Facts, reply: Reply<'_>, earlier: bool) -> Step {
    let verdict = reply.verdict;
    let id = verdict.provider_id();
    if verdict.echo == Echo::Foreign {
        return foreign(facts, id);
    }
    if verdict.replayed && !earlier && verdict.echo != Echo::Ours {
        return hold(Doubt::KeyUsedElsewhere, None);
    }
    if verdict.echo == Echo::Missing {
        facts.doubt = Some(Doubt::EchoMissing);
        return look_up_or_hold(facts);
    }
    match &verdict.ruling {
        Ruling::Succeeded(effect) if effect.money != facts.money => {
            hold(mismatch(facts, Some(effect.money), &effect.provider_id), id)
        }
        Ruling::Succeeded(effect) => Step::Finish(Conclusion::Succeeded {
            effect: effect.clone(),
            duplicates: Vec::new(),
        }),
        Ruling::Declined(refusal) | Ruling::Rejected(refusal) | Ruling::Canceled(refusal) => {
            // After a doubtful send a refusal may be due to what that one did, unless it is
            // documented to be the first one's own answer.
            if !earlier || (facts.class == OnRepeat::Replays && verdict.kept) {
                return Step::Finish(refused(facts, &verdict.ruling, refusal));
            }
            facts.doubt = Some(Doubt::RefusedAfterDoubt {
                code: refusal.code.clone(),
            });
            look_up_or_hold(facts)
        }
        Ruling::ActionRequired(action) => Step::Finish(Conclusion::ActionRequired {
            action: Some(action.clone()),
            last_decline: None,
        }),
        Ruling::Pending(at) => Step::Finish(Conclusion::Pending {
            at: Some(at.clone()),
            last_decline: None,
        }),
        Ruling::InProgress => match facts.class {
            OnRepeat::Replays | OnRepeat::ReplaysSuccess => again(facts),
            OnRepeat::RunsAgain | OnRepeat::NoFurtherEffect => look_up_or_hold(facts),
        },
        Ruling::NoEffect => no_effect(facts),
        Ruling::Unauthorized => stop(facts),
        Ruling::Repeated => {
            let doubt = if earlier {
                Doubt::Repeated
            } else {
                Doubt::KeyUsedElsewhere
            };
            facts.doubt = Some(doubt);
            look_up_or_hold(facts)
        }
        Ruling::KeyMismatch => hold(Doubt::KeyMismatch, None),
        Ruling::Unknown(doubt @ Doubt::Mismatch { .. }) => hold(doubt.clone(), id),
        Ruling::Unknown(doubt) => unknown(facts, verdict, doubt, reply.same),
    }
}

/// A reply that does not say what happened.
fn unknown(facts: &mut Facts, verdict: &Verdict, doubt: &Doubt, same: bool) -> Step {
    if facts.class != OnRepeat::Replays {
        return in_doubt(facts);
    }
    if let Doubt::ServerError { status } = *doubt
        && verdict.kept
        && (verdict.replayed || same)
    {
        facts.stored_error = true;
        facts.doubt = Some(Doubt::StoredServerError { status });
        return look_up_or_hold(facts);
    }
    if verdict.advice == Advice::Stop {
        facts.stop = true;
        return look_up_or_hold(facts);
    }
    in_doubt(facts)
}

/// A refusal that settles. As long as somebody else has an action of this operation it can still
/// succeed, so it stays open with its last decline.
pub(super) fn refused(facts: &Facts, ruling: &Ruling, refusal: &Refusal) -> Conclusion {
    let refusal = refusal.clone();
    let last_decline = Some(refusal.clone());
    if matches!(ruling, Ruling::Canceled(_)) {
        Conclusion::Canceled(refusal)
    } else if facts.page_given && facts.found == State::Pending {
        Conclusion::Pending {
            at: None,
            last_decline,
        }
    } else if facts.page_given {
        Conclusion::ActionRequired {
            action: None,
            last_decline,
        }
    } else if matches!(ruling, Ruling::Rejected(_)) {
        Conclusion::Rejected(refusal)
    } else {
        Conclusion::Declined(refusal)
    }
}

fn barred(facts: &mut Facts) -> Step {
    let Gate::Shut(shut) = facts.gate else {
        return exhausted(facts);
    };
    if facts.maybe_sent == 0 {
        return Step::Finish(Conclusion::Unsent(shut.unsent()));
    }
    // That this call only asks is no doubt: what was doubtful before says what would settle it.
    if shut != Shut::LookUpOnly || facts.doubt.is_none() {
        facts.doubt = Some(shut.doubt());
    }
    look_up_or_hold(facts)
}

fn exhausted(facts: &mut Facts) -> Step {
    if facts.maybe_sent == 0 {
        return Step::Finish(Conclusion::Unsent(facts.problem.clone()));
    }
    look_up_or_hold(facts)
}

/// Another send, after the next backoff and not before the gateway asked for it.
pub(super) fn again(facts: &mut Facts) -> Step {
    let at_least = facts.retry_after;
    send(facts, Pause::Backoff { at_least })
}

/// A send, if one may leave and this call may still make one.
fn send(facts: &mut Facts, pause: Pause) -> Step {
    if facts.gate != Gate::Open {
        return barred(facts);
    }
    if facts.sends_left == 0 || !facts.time_left {
        return exhausted(facts);
    }
    Step::Send(pause)
}

/// A look-up, unless one was made since the last send; else the doubt stands.
fn look_up_or_hold(facts: &Facts) -> Step {
    if facts.can_look_up && !facts.looked_up && facts.time_left {
        return Step::LookUp(Wait::None);
    }
    hold(facts.doubt(), None)
}

pub(super) fn hold(doubt: Doubt, provider_id: Option<&str>) -> Step {
    Step::Finish(Conclusion::Hold {
        doubt,
        provider_id: provider_id.map(str::to_owned),
    })
}

/// Nothing more may be sent: `unsent` if nothing had an effect, else the doubt stands.
fn stop(facts: &Facts) -> Step {
    if facts.maybe_sent == 0 {
        return Step::Finish(Conclusion::Unsent(facts.problem.clone()));
    }
    hold(facts.doubt(), None)
}

/// Something that names another key than ours.
pub(super) fn foreign(facts: &Facts, provider_id: Option<&str>) -> Step {
    let id = provider_id.unwrap_or("an object that it did not name");
    hold(mismatch(facts, Some(facts.money), id), None)
}

pub(super) fn mismatch(facts: &Facts, got: Option<Money>, provider_id: &str) -> Doubt {
    Doubt::Mismatch {
        sent: facts.money,
        got,
        provider_id: provider_id.to_owned(),
    }
}

#[cfg(test)]
mod tests;
