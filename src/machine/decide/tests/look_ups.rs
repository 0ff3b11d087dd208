//! What a look-up settles, and after which one a send may follow.

use super::*;

#[test]
fn without_a_look_up_the_doubt_stands() {
    for (name, case) in cases() {
        let class = OnRepeat::ReplaysSuccess;
        let blind = Facts {
            can_look_up: false,
            ..facts(class, 1)
        };
        assert_ne!(next(blind, &case), "look", "{name}");
    }
}

/// A refund that is pending at a gateway that cannot be asked is pending when it is called again, and
/// not in doubt: nothing is sent, and nobody is alarmed.
#[test]
fn what_waits_where_nobody_can_ask_goes_on_waiting() {
    for class in OnRepeat::all().iter().copied() {
        for (found, word) in [(State::Pending, "PEND"), (State::ActionRequired, "ACT")] {
            let blind = Facts {
                found,
                can_look_up: false,
                ..facts(class, 1)
            };
            assert_eq!(next(blind, &Case::Claimed), word, "{class}");
        }
    }
}

#[test]
fn after_a_stored_error_an_empty_look_up_sends_nothing() {
    let stored = Facts {
        stored_error: true,
        ..facts(OnRepeat::Replays, 2)
    };
    assert_eq!(
        next(stored.clone(), &Case::LookedUp(Finding::Absent)),
        "hold"
    );
    assert_eq!(next(stored, &Case::Claimed), "look");
    let stopped = Facts {
        stop: true,
        ..facts(OnRepeat::Replays, 2)
    };
    assert_eq!(next(stopped, &Case::LookedUp(Finding::Absent)), "hold");
}

#[test]
fn class_b_is_sent_again_only_where_a_look_up_is_reliable_and_the_send_has_settled() {
    let absent = Case::LookedUp(Finding::Absent);
    let class_b = facts(OnRepeat::ReplaysSuccess, 1);
    assert_eq!(next(class_b.clone(), &absent), "settle");
    let settled = Facts {
        settled: true,
        ..class_b.clone()
    };
    assert_eq!(next(settled.clone(), &absent), "again");
    let blind = Facts {
        look_up_reliable: false,
        ..settled
    };
    assert_eq!(next(blind, &absent), "hold");
    let late = Facts {
        time_left: false,
        ..class_b
    };
    assert_eq!(next(late, &absent), "hold");
}

#[test]
fn what_the_gateway_asked_for_is_kept_over_a_look_up() {
    let mut facts = facts(OnRepeat::Replays, 0);
    let busy = verdict(Ruling::InProgress);
    let asked = Some(Duration::from_secs(40));
    let reply = Reply {
        verdict: &busy,
        status: 409,
        same: false,
        retry_after: asked,
    };
    let again = Step::Send(Pause::Backoff { at_least: asked });
    assert_eq!(decide(&mut facts, &Seen::Replied(reply)), again);
    assert_eq!(decide(&mut facts, &Seen::LookedUp(&Finding::Absent)), again);
}

#[test]
fn what_the_gateway_has_is_only_looked_up() {
    for found in [State::Pending, State::ActionRequired] {
        for class in OnRepeat::all().iter().copied() {
            let there = Facts {
                found,
                ..facts(class, 1)
            };
            assert_eq!(next(there.clone(), &Case::Claimed), "look");
            assert_eq!(next(there, &Case::LookedUp(Finding::Absent)), "hold");
        }
    }
}

#[test]
fn a_refusal_is_not_final_while_somebody_has_the_page() {
    let page = Facts {
        page_given: true,
        found: State::ActionRequired,
        ..facts(OnRepeat::Replays, 1)
    };
    assert_eq!(
        next(page.clone(), &Case::LookedUp(found([declined()]))),
        "ACT"
    );
    let pending = Facts {
        found: State::Pending,
        ..page.clone()
    };
    assert_eq!(next(pending, &Case::LookedUp(found([declined()]))), "PEND");
    let ended = found([Ruling::Canceled(Refusal::new("canceled"))]);
    assert_eq!(next(page, &Case::LookedUp(ended)), "CANC");
}

#[test]
fn refusals_must_account_for_every_send_that_may_have_worked() {
    let one = Case::LookedUp(found([declined()]));
    let two = Case::LookedUp(found([declined(), declined()]));
    assert_eq!(next(facts(OnRepeat::RunsAgain, 2), &one), "hold");
    assert_eq!(next(facts(OnRepeat::RunsAgain, 2), &two), "DECL");
    // Under one key that replays there is one object for all sends.
    assert_eq!(next(facts(OnRepeat::Replays, 2), &one), "DECL");
}

/// Who only asks must not make the merchant believe that nothing may be sent any more.
#[test]
fn a_call_that_only_asks_leaves_the_doubt_as_it_was() {
    let lost = Doubt::NoReply {
        problem: "reset".to_owned(),
    };
    let mut asked = Facts {
        doubt: Some(lost.clone()),
        gate: Gate::Shut(Shut::LookUpOnly),
        ..facts(OnRepeat::Replays, 1)
    };
    assert_eq!(decide(&mut asked, &Seen::Claimed), Step::LookUp(Wait::None));
    let step = decide(&mut asked, &Seen::LookedUp(&Finding::Absent));
    assert_eq!(step, hold(lost, None));
    // Without one there is nothing else to say.
    let mut bare = Facts {
        doubt: None,
        gate: Gate::Shut(Shut::LookUpOnly),
        ..facts(OnRepeat::Replays, 1)
    };
    decide(&mut bare, &Seen::Claimed);
    assert_eq!(bare.doubt, Some(Doubt::LookUpOnly));
}

/// A page that shows may be older than the step that began there. Once the gateway has answered the
/// step, a page that shows is news.
#[test]
fn an_action_is_no_answer_to_a_further_step_in_doubt() {
    let page = || Ruling::ActionRequired(NextAction::new("pi_0", "redirect"));
    for (state, maybe_sent, expected) in [
        (State::Sending, 1, "hold"),
        (State::Unknown, 1, "hold"),
        (State::Pending, 1, "ACT"),
        (State::ActionRequired, 1, "ACT"),
        (State::ActionRequired, 0, "ACT"),
    ] {
        let facts = || Facts {
            found: state,
            further: true,
            page_given: true,
            ..facts(OnRepeat::Replays, maybe_sent)
        };
        let step = |ruling| next(facts(), &Case::LookedUp(found([ruling])));
        assert_eq!(step(page()), expected, "{state}");
        if expected == "hold" {
            assert_eq!(step(declined()), expected, "{state}");
        }
    }
}
