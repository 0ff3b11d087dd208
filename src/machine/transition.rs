//! The states' edges.

use crate::operation::State;

/// What can happen to an operation.
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "queueing and notices have no caller in the client yet"
    )
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Stored to be sent later.
    Enqueue,
    /// Claimed by an owner, for the first time or again.
    Claim,
    /// The owner is done: every send provably had no effect.
    Unsent,
    /// The owner is done and nobody knows.
    Hold,
    /// The gateway shows something else than we sent.
    Distrust,
    /// The gateway works on it.
    Pending,
    /// The customer must act.
    ActionRequired,
    /// Evidence that the money moved.
    Succeeded,
    /// Evidence of a refusal by the payer's side.
    Declined,
    /// Evidence of a refusal of the request.
    Rejected,
    /// Evidence that the gateway's object was ended.
    Canceled,
    /// A later attempt takes its place.
    Supersede,
    /// Taken back by hand before any possible effect.
    Withdraw,
    /// Queued, and its time to be sent is over.
    Expire,
    /// The customer acted, and a further step is stored.
    Proceed,
    /// A close step is stored and may take effect.
    CloseBegun,
    /// The close step took effect.
    CloseTookEffect,
    /// The close step was refused, and no success is kept.
    CloseRefused,
    /// The close step was refused, and a success is kept.
    CloseRefusedAfterSuccess,
    /// A documented late failure.
    LateFailure,
    /// A documented recapture after a late failure.
    Recapture,
    /// A person decided that the money moved.
    ResolveSucceeded,
    /// A person decided that nothing happened.
    ResolveNotExecuted,
}

/// Where an event leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    /// To this state.
    To(State),
    /// Nowhere: it says nothing new.
    Stay,
    /// Nowhere yet: it is kept, and counts when what it is about arrives.
    Keep,
    /// It contradicts what is settled: an alarm, and the reference freezes.
    Contradiction,
    /// It may not be done in this state.
    Refuse,
}

/// Where `event` leads from `state` (`None`: there is no row yet). `closing` says that a close
/// step is stored and may still take effect.
pub(crate) const fn transition(state: Option<State>, closing: bool, event: Event) -> Move {
    let Some(state) = state else {
        return if matches!(event, Event::Enqueue) {
            Move::To(State::Queued)
        } else if matches!(event, Event::Claim) {
            Move::To(State::Sending)
        } else {
            Move::Refuse
        };
    };
    match event {
        Event::Enqueue => Move::Refuse,
        Event::Claim => claim(state),
        // Of the action that the customer has nothing is under way but what he does there.
        Event::Proceed => to_if(
            matches!(state, State::ActionRequired) && !closing,
            State::Sending,
        ),
        Event::Supersede | Event::Withdraw => to_if(state.is_replaceable(), State::NotExecuted),
        Event::Expire => to_if(matches!(state, State::Queued), State::NotExecuted),
        Event::CloseBegun
        | Event::CloseTookEffect
        | Event::CloseRefused
        | Event::CloseRefusedAfterSuccess => close(state, closing, event),
        Event::LateFailure | Event::Recapture => late(state, event),
        Event::ResolveSucceeded => to_unless_there(state, State::Succeeded),
        Event::ResolveNotExecuted => to_unless_there(state, State::NotExecuted),
        Event::Succeeded if closing && state.is_open() => Move::Keep,
        Event::Unsent
        | Event::Hold
        | Event::Distrust
        | Event::Pending
        | Event::ActionRequired
        | Event::Succeeded
        | Event::Declined
        | Event::Rejected
        | Event::Canceled => match state {
            State::Sending | State::Unknown | State::Pending | State::ActionRequired => {
                of_one_that_may_have_worked(state, event)
            }
            State::Queued | State::Unsent => of_one_never_sent(event),
            State::Succeeded | State::Reversed => of_a_success(state, event),
            State::Declined | State::Rejected | State::Canceled | State::NotExecuted => {
                of_a_definite_no(event)
            }
        },
    }
}

const fn to_if(allowed: bool, state: State) -> Move {
    if allowed {
        Move::To(state)
    } else {
        Move::Refuse
    }
}

/// A claim keeps `pending` and `action_required` as they are: such an operation is only looked up.
const fn claim(state: State) -> Move {
    match state {
        State::Queued | State::Unsent | State::Unknown => Move::To(State::Sending),
        State::Sending | State::Pending | State::ActionRequired => Move::Stay,
        State::Succeeded
        | State::Declined
        | State::Rejected
        | State::Canceled
        | State::NotExecuted
        | State::Reversed => Move::Refuse,
    }
}

/// A close ends what a customer left open. Until its result is known a success settles nothing.
const fn close(state: State, closing: bool, event: Event) -> Move {
    // Under a claim, its owner saw that the object is open.
    let may_close = matches!(
        state,
        State::Sending | State::ActionRequired | State::Pending | State::Unknown
    );
    if matches!(event, Event::CloseBegun) {
        return if may_close { Move::Stay } else { Move::Refuse };
    }
    if closing && state.is_open() {
        return if matches!(event, Event::CloseTookEffect) {
            Move::To(State::Canceled)
        } else if matches!(event, Event::CloseRefusedAfterSuccess) {
            Move::To(State::Succeeded)
        } else {
            Move::Stay
        };
    }
    if !matches!(event, Event::CloseTookEffect) {
        Move::Refuse
    } else if matches!(state, State::Canceled) {
        Move::Stay
    } else if matches!(state, State::Succeeded) {
        Move::Contradiction
    } else {
        Move::Refuse
    }
}

/// Documented late news of a success. What comes before its success is kept.
const fn late(state: State, event: Event) -> Move {
    let reversal = matches!(event, Event::LateFailure);
    match (state, reversal) {
        (State::Succeeded, true) => Move::To(State::Reversed),
        (State::Reversed, false) => Move::To(State::Succeeded),
        (State::Reversed, true) | (State::Succeeded, false) => Move::Stay,
        _ => Move::Keep,
    }
}

/// A person's decision holds in every state.
const fn to_unless_there(state: State, decision: State) -> Move {
    let there = matches!(
        (state, decision),
        (State::Succeeded, State::Succeeded) | (State::NotExecuted, State::NotExecuted)
    );
    if there {
        Move::Stay
    } else {
        Move::To(decision)
    }
}

const fn of_one_that_may_have_worked(state: State, event: Event) -> Move {
    let at_gateway = matches!(state, State::Pending | State::ActionRequired);
    match event {
        // Only the owner of a claim says so, and only of a claim.
        Event::Unsent => to_if(matches!(state, State::Sending), State::Unsent),
        // What the gateway has is not forgotten because a look-up failed.
        Event::Hold if at_gateway => Move::Stay,
        Event::Hold | Event::Distrust => Move::To(State::Unknown),
        Event::Pending => Move::To(State::Pending),
        Event::ActionRequired => Move::To(State::ActionRequired),
        Event::Succeeded => Move::To(State::Succeeded),
        Event::Declined => Move::To(State::Declined),
        Event::Rejected => Move::To(State::Rejected),
        Event::Canceled => Move::To(State::Canceled),
        Event::Enqueue
        | Event::Claim
        | Event::Supersede
        | Event::Withdraw
        | Event::Expire
        | Event::Proceed
        | Event::CloseBegun
        | Event::CloseTookEffect
        | Event::CloseRefused
        | Event::CloseRefusedAfterSuccess
        | Event::LateFailure
        | Event::Recapture
        | Event::ResolveSucceeded
        | Event::ResolveNotExecuted => Move::Refuse,
    }
}

/// Nothing was ever sent with a possible effect, so the gateway can show nothing of it.
const fn of_one_never_sent(event: Event) -> Move {
    let shows_something = matches!(
        event,
        Event::Succeeded | Event::Pending | Event::ActionRequired | Event::Distrust
    );
    if shows_something {
        Move::Contradiction
    } else {
        Move::Stay
    }
}

/// A refusal contradicts a success; of a reversed one it is the same news. The rest is older.
const fn of_a_success(state: State, event: Event) -> Move {
    let refused = matches!(event, Event::Declined | Event::Rejected | Event::Canceled);
    let contradicts =
        matches!(event, Event::Distrust) || (refused && matches!(state, State::Succeeded));
    if contradicts {
        Move::Contradiction
    } else {
        Move::Stay
    }
}

/// A success contradicts a definite no. The rest is older news of an object that has ended since.
const fn of_a_definite_no(event: Event) -> Move {
    if matches!(event, Event::Succeeded | Event::Distrust) {
        Move::Contradiction
    } else {
        Move::Stay
    }
}

#[cfg(test)]
mod tests;
