use std::fmt::Write;

use super::*;

/// Every event, in the order of the table's columns.
const EVENTS: [(&str, Event); 23] = [
    ("enq", Event::Enqueue),
    ("claim", Event::Claim),
    ("unsent", Event::Unsent),
    ("hold", Event::Hold),
    ("distr", Event::Distrust),
    ("pend", Event::Pending),
    ("act", Event::ActionRequired),
    ("succ", Event::Succeeded),
    ("decl", Event::Declined),
    ("rej", Event::Rejected),
    ("canc", Event::Canceled),
    ("super", Event::Supersede),
    ("withd", Event::Withdraw),
    ("exp", Event::Expire),
    ("proc", Event::Proceed),
    ("close", Event::CloseBegun),
    ("cl-yes", Event::CloseTookEffect),
    ("cl-no", Event::CloseRefused),
    ("cl-suc", Event::CloseRefusedAfterSuccess),
    ("late", Event::LateFailure),
    ("recap", Event::Recapture),
    ("r-suc", Event::ResolveSucceeded),
    ("r-not", Event::ResolveNotExecuted),
];

/// What the table calls a state.
fn short(state: State) -> &'static str {
    match state {
        State::Queued => "QUE",
        State::Sending => "SND",
        State::Unsent => "UNS",
        State::ActionRequired => "ACT",
        State::Pending => "PEN",
        State::Unknown => "UNK",
        State::Succeeded => "SUC",
        State::Declined => "DEC",
        State::Rejected => "REJ",
        State::Canceled => "CAN",
        State::NotExecuted => "NOT",
        State::Reversed => "REV",
    }
}

fn cell(state: Option<State>, closing: bool, event: Event) -> String {
    match transition(state, closing, event) {
        Move::To(state) => short(state).to_owned(),
        Move::Stay => "=".to_owned(),
        Move::Keep => "keep".to_owned(),
        Move::Contradiction => "ALARM".to_owned(),
        Move::Refuse => ".".to_owned(),
    }
}

fn table(closing: bool) -> String {
    let states = std::iter::once(None).chain(State::all().iter().copied().map(Some));
    let mut text = String::from("from");
    for (name, _) in EVENTS {
        write!(text, " {name:>6}").unwrap();
    }
    for state in states {
        write!(text, "\n{:<4}", state.map_or("new", short)).unwrap();
        for (_, event) in EVENTS {
            write!(text, " {:>6}", cell(state, closing, event)).unwrap();
        }
    }
    text + "\n"
}

fn compare(actual: &str, expected: &str) {
    assert!(actual == expected, "the edges are now:\n{actual}");
}

/// `=` stays, `.` is refused, `keep` counts later, `ALARM` contradicts what is settled.
#[test]
fn every_edge_of_every_state() {
    compare(&table(false), include_str!("edges.txt"));
}

/// The same while a close step may still take effect.
#[test]
fn every_edge_while_closing() {
    compare(&table(true), include_str!("edges_closing.txt"));
}

#[test]
fn a_final_state_is_left_only_by_a_late_failure_a_recapture_or_a_person() {
    for state in State::all()
        .iter()
        .copied()
        .filter(|state| !state.is_open())
    {
        for (name, event) in EVENTS {
            let by_a_person = matches!(event, Event::ResolveSucceeded | Event::ResolveNotExecuted);
            let documented = matches!(event, Event::LateFailure | Event::Recapture);
            if let Move::To(_) = transition(Some(state), false, event) {
                assert!(by_a_person || documented, "{state} left by {name}");
            }
        }
    }
}

#[test]
fn what_may_have_been_sent_is_never_superseded_or_withdrawn() {
    for state in State::all()
        .iter()
        .copied()
        .filter(|state| !state.is_replaceable())
    {
        for event in [Event::Supersede, Event::Withdraw, Event::Expire] {
            assert_eq!(
                transition(Some(state), false, event),
                Move::Refuse,
                "{state}"
            );
        }
    }
}

#[test]
fn while_a_close_may_take_effect_a_success_settles_nothing() {
    for state in [State::ActionRequired, State::Pending, State::Unknown] {
        assert_eq!(transition(Some(state), true, Event::Succeeded), Move::Keep);
        let canceled = transition(Some(state), true, Event::CloseTookEffect);
        assert_eq!(canceled, Move::To(State::Canceled));
        let succeeded = transition(Some(state), true, Event::CloseRefusedAfterSuccess);
        assert_eq!(succeeded, Move::To(State::Succeeded));
    }
}
