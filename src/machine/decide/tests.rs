#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test names only what it looks for"
)]

mod look_ups;
mod table;

use self::table::cases;
use super::*;
use crate::machine::{Shut, may_have_had_an_effect};
use crate::money::Currency;
use crate::provider::{Effect, Finding, Match, NextAction, PendingAt};

fn money(amount: &str) -> Money {
    Money::parse(amount, Currency::SAR).unwrap()
}

fn facts(class: OnRepeat, maybe_sent: u32) -> Facts {
    Facts {
        money: money("480.00"),
        found: State::Sending,
        class,
        gate: Gate::Open,
        maybe_sent,
        stored_error: false,
        stop: false,
        page_given: false,
        further: false,
        can_look_up: true,
        look_up_reliable: true,
        looked_up: false,
        settled: false,
        sends_left: 5,
        time_left: true,
        doubt: None,
        retry_after: None,
        problem: Shut::TimeOver.unsent(),
    }
}

fn verdict(ruling: Ruling) -> Verdict {
    Verdict::new(ruling).with_echo(Echo::Ours)
}

fn succeeded(amount: &str) -> Ruling {
    Ruling::Succeeded(Effect::new("pi_1", money(amount), "succeeded"))
}

fn declined() -> Ruling {
    Ruling::Declined(Refusal::new("card_declined"))
}

fn other_amount() -> Doubt {
    let (sent, got) = (money("480.00"), Some(money("4.80")));
    Doubt::Mismatch {
        sent,
        got,
        provider_id: "pi_1".to_owned(),
    }
}

fn server_error() -> Ruling {
    Ruling::Unknown(Doubt::ServerError { status: 500 })
}

fn found(rulings: impl IntoIterator<Item = Ruling>) -> Finding {
    let matches = rulings
        .into_iter()
        .enumerate()
        .map(|(n, ruling)| Match::new(format!("pi_{n}"), verdict(ruling)));
    Finding::Found(matches.collect())
}

/// What was seen, owned, so that a table can list it.
enum Case {
    Claimed,
    NotSent(bool),
    PaymentMismatch,
    Lost,
    Reply(Verdict),
    SameReply(Verdict),
    LookedUp(Finding),
    Barred(Shut),
    Exhausted,
}

/// Decides one case and says in short what is next.
fn next(mut facts: Facts, case: &Case) -> String {
    let lost = Doubt::NoReply {
        problem: "reset".into(),
    };
    let reply = |verdict, same| {
        Seen::Replied(Reply {
            verdict,
            status: 500,
            same,
            retry_after: None,
        })
    };
    let seen = match case {
        Case::Claimed => Seen::Claimed,
        Case::NotSent(retry) => Seen::NotSent {
            why: "refused",
            retry: *retry,
        },
        Case::PaymentMismatch => Seen::PaymentMismatch {
            got: None,
            provider_id: "pi_2",
        },
        Case::Lost => Seen::Lost(&lost),
        Case::Reply(verdict) => reply(verdict, false),
        Case::SameReply(verdict) => reply(verdict, true),
        Case::LookedUp(finding) => {
            facts.doubt.get_or_insert(lost);
            Seen::LookedUp(finding)
        }
        Case::Barred(shut) => {
            facts.gate = Gate::Shut(*shut);
            Seen::Barred
        }
        Case::Exhausted => Seen::Exhausted,
    };
    short(&decide(&mut facts, &seen))
}

fn short(step: &Step) -> String {
    let word = match step {
        Step::Send(Pause::None) => "send",
        Step::Send(Pause::Backoff { .. }) => "again",
        Step::LookUp(Wait::None) => "look",
        Step::LookUp(Wait::Settled) => "settle",
        Step::Finish(Conclusion::Hold { .. }) => "hold",
        Step::Finish(Conclusion::Unsent(_)) => "unsent",
        Step::Finish(Conclusion::Succeeded { .. }) => "SUCC",
        Step::Finish(Conclusion::Declined(_)) => "DECL",
        Step::Finish(Conclusion::Rejected(_)) => "REJ",
        Step::Finish(Conclusion::Canceled(_)) => "CANC",
        Step::Finish(Conclusion::ActionRequired { .. }) => "ACT",
        Step::Finish(Conclusion::Pending { .. }) => "PEND",
        // Only a close ends so, and none is decided here.
        Step::Finish(Conclusion::CloseRefused(_)) => "no close",
    };
    match step {
        Step::Finish(conclusion) if !conclusion.alarms().is_empty() => format!("{word}!"),
        _ => word.to_owned(),
    }
}

/// Whatever is seen, a shut gate lets nothing out.
#[test]
fn nothing_is_sent_through_a_shut_gate() {
    for shut in [
        Shut::WindowOver,
        Shut::PastSendUntil,
        Shut::ClockDoubtful,
        Shut::LookUpOnly,
        Shut::TimeOver,
    ] {
        for (name, case) in cases() {
            for class in OnRepeat::all().iter().copied() {
                for maybe_sent in [0, 1, 3] {
                    let shut = Facts {
                        gate: Gate::Shut(shut),
                        ..facts(class, maybe_sent)
                    };
                    let step = next(shut, &case);
                    assert!(
                        !step.starts_with("again") && step != "send",
                        "{name}: {step}"
                    );
                }
            }
        }
    }
}

/// Nor without time, nor beyond the number of sends.
#[test]
fn nothing_is_sent_beyond_the_budget() {
    for (name, case) in cases() {
        for class in OnRepeat::all().iter().copied() {
            for maybe_sent in [0, 1] {
                let spent = Facts {
                    sends_left: 0,
                    ..facts(class, maybe_sent)
                };
                let late = Facts {
                    time_left: false,
                    ..facts(class, maybe_sent)
                };
                for facts in [spent, late] {
                    let step = next(facts, &case);
                    assert!(
                        !step.starts_with("again") && step != "send",
                        "{name}: {step}"
                    );
                }
            }
        }
    }
}

/// `unsent` frees the reference, so it needs every send to be without effect.
#[test]
fn nothing_is_unsent_after_a_send_that_may_have_had_an_effect() {
    for (name, case) in cases() {
        for class in OnRepeat::all().iter().copied() {
            assert_ne!(next(facts(class, 1), &case), "unsent", "{name}");
        }
    }
}

/// At a gateway without protection nothing is ever sent on a guess.
#[test]
fn class_c_is_never_sent_again_after_a_doubtful_send() {
    for (name, case) in cases() {
        for facts in [
            facts(OnRepeat::RunsAgain, 1),
            Facts {
                can_look_up: false,
                ..facts(OnRepeat::RunsAgain, 1)
            },
            Facts {
                looked_up: true,
                ..facts(OnRepeat::RunsAgain, 2)
            },
        ] {
            let step = next(facts, &case);
            assert!(
                !step.starts_with("again") && step != "send",
                "{name}: {step}"
            );
        }
    }
}

/// What differs from what was sent is for a person. No later answer settles it, and no send.
#[test]
fn a_mismatch_is_held_by_every_later_call() {
    for class in OnRepeat::all().iter().copied() {
        for maybe_sent in [0, 1] {
            let differs = Facts {
                doubt: Some(other_amount()),
                ..facts(class, maybe_sent)
            };
            assert_eq!(next(differs, &Case::Claimed), "hold!");
        }
    }
}

/// A gateway that asks for a pause gets it, also where a look-up comes between.
#[test]
fn a_gateway_that_knew_the_key_before_us_is_never_sent_to_again() {
    let mut facts = facts(OnRepeat::Replays, 0);
    let repeated = verdict(Ruling::Repeated);
    let reply = Reply {
        verdict: &repeated,
        status: 400,
        same: false,
        retry_after: None,
    };
    assert_eq!(
        decide(&mut facts, &Seen::Replied(reply)),
        Step::LookUp(Wait::None)
    );
    let step = decide(&mut facts, &Seen::LookedUp(&Finding::Absent));
    assert_eq!(short(&step), "hold!");
    let marked = Verdict::new(succeeded("480.00")).with_replayed(true);
    assert_eq!(
        next(self::facts(OnRepeat::Replays, 0), &Case::Reply(marked)),
        "hold!"
    );
}

#[test]
fn each_exchange_is_counted_and_only_documented_refusals_count_as_without_effect() {
    let counted = |case: &Verdict| {
        let mut facts = facts(OnRepeat::Replays, 0);
        let reply = Reply {
            verdict: case,
            status: 400,
            same: false,
            retry_after: None,
        };
        let seen = Seen::Replied(reply);
        let _step = decide(&mut facts, &seen);
        assert_eq!(facts.sends_left, 4);
        assert_eq!(u32::from(may_have_had_an_effect(&seen)), facts.maybe_sent);
        facts.maybe_sent
    };
    assert_eq!(counted(&verdict(Ruling::NoEffect)), 0);
    assert_eq!(counted(&verdict(declined())), 0);
    assert_eq!(
        counted(&Verdict::new(declined()).with_echo(Echo::Missing)),
        1
    );
    // What may be the answer to another's request refuses nothing of ours.
    for verdict in [
        Verdict::new(Ruling::NoEffect).with_echo(Echo::Foreign),
        Verdict::new(declined()).with_echo(Echo::Foreign),
        Verdict::new(Ruling::Unauthorized).with_replayed(true),
    ] {
        assert_eq!(counted(&verdict), 1, "{verdict:?}");
    }
    assert_eq!(counted(&verdict(Ruling::InProgress)), 1);
    assert_eq!(counted(&verdict(server_error())), 1);
}
