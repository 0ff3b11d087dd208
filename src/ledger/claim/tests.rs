#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test names only what it looks for"
)]

use super::*;
use crate::ledger::testing::{NOW, after, claim, fingerprint, lease, lease_of, moment, owner, row};
use crate::provider::Account;
use crate::provider::{Mode, ProviderName};

const DEAD: fn(&OwnerId) -> bool = |_| false;
const ALIVE: fn(&OwnerId) -> bool = |_| true;

fn decide(claim: &Claim, attempts: Vec<Record>) -> Admission {
    admit(
        claim,
        UnderReference::new(attempts, false),
        &owner(),
        &moment(after(10)),
        &ALIVE,
    )
}

fn leased(state: State, by: &str, until: Timestamp) -> Record {
    Record {
        lease: Some(lease_of(by, NOW, until)),
        ..row(1, state)
    }
}

/// In short what an admission is.
fn short(admission: &Admission) -> &'static str {
    match admission {
        Admission::Insert { supersede } if supersede.is_empty() => "insert",
        Admission::Insert { .. } => "supersede",
        Admission::Take { .. } => "take",
        Admission::Answer(Claimed::Final(_)) => "final",
        Admission::Answer(Claimed::Busy(_)) => "busy",
        Admission::Answer(Claimed::Absent) => "absent",
        Admission::Answer(Claimed::Ours(_)) => "ours",
        Admission::Answer(Claimed::Refused(refused)) => match refused {
            Refused::Mismatch(..) => "mismatch",
            Refused::PriorOpen(_) => "prior open",
            Refused::PriorSucceeded(_) => "prior succeeded",
            Refused::PriorMissing(_) => "prior missing",
            Refused::Later(_) => "later",
            Refused::KeyInUse => "key in use",
            Refused::Frozen(_) => "frozen",
            Refused::NoAccount(_) => "no account",
            Refused::Guarded(_) => "guarded",
        },
    }
}

#[test]
fn a_first_claim_inserts_and_a_settled_row_answers() {
    assert_eq!(short(&decide(&claim(1), Vec::new())), "insert");
    let bare = Claim {
        rendered: None,
        ..claim(1)
    };
    assert_eq!(short(&decide(&bare, Vec::new())), "absent");
    for state in State::all().iter().copied() {
        let expected = if state.is_open() { "take" } else { "final" };
        assert_eq!(
            short(&decide(&claim(1), vec![row(1, state)])),
            expected,
            "{state}"
        );
    }
}

#[test]
fn a_second_attempt_needs_a_definite_no() {
    for state in State::all().iter().copied() {
        let expected = match state {
            State::Declined | State::Rejected | State::Canceled | State::NotExecuted => "insert",
            State::Queued | State::Unsent => "supersede",
            State::Succeeded => "prior succeeded",
            _ => "prior open",
        };
        assert_eq!(
            short(&decide(&claim(2), vec![row(1, state)])),
            expected,
            "{state}"
        );
    }
}

#[test]
fn every_lower_attempt_counts_not_only_the_last() {
    let unknown_below = vec![row(1, State::Unknown), row(2, State::Declined)];
    assert_eq!(short(&decide(&claim(3), unknown_below)), "prior open");
    assert_eq!(
        short(&decide(&claim(3), vec![row(1, State::Declined)])),
        "prior missing"
    );
    assert_eq!(short(&decide(&claim(2), Vec::new())), "prior missing");
}

#[test]
fn an_earlier_attempt_is_never_answered_with_its_own_outcome() {
    let rows = || vec![row(1, State::Declined), row(2, State::Succeeded)];
    assert_eq!(short(&decide(&claim(1), rows())), "later");
    assert_eq!(short(&decide(&claim(2), rows())), "final");
}

#[test]
fn a_live_lease_keeps_others_out_until_it_lapses_or_its_owner_dies() {
    let other = || vec![leased(State::Sending, "other", after(90))];
    assert_eq!(short(&decide(&claim(1), other())), "busy");
    let admission = admit(
        &claim(1),
        UnderReference::new(other(), false),
        &owner(),
        &moment(after(10)),
        &DEAD,
    );
    assert_eq!(short(&admission), "take");
    let lapsed = vec![leased(State::Sending, "other", after(10))];
    assert_eq!(short(&decide(&claim(1), lapsed)), "take");
    let own = vec![leased(State::Sending, "me", after(90))];
    assert_eq!(short(&decide(&claim(1), own)), "take");
}

#[test]
fn an_unfinished_claim_counts_as_a_send_from_its_own_time_and_for_ever() {
    let Admission::Take { record, found } =
        decide(&claim(1), vec![leased(State::Sending, "other", after(5))])
    else {
        panic!("it can be taken");
    };
    assert_eq!(found, State::Sending);
    assert_eq!(
        (record.maybe_sent, record.window_from.clone()),
        (1, Some(moment(NOW)))
    );
    assert_eq!(record.epoch, 2);
    // The next owner dies as well: the window still starts at the first.
    let again = Record {
        lease: Some(lease(after(50), after(60))),
        ..*record
    };
    let Admission::Take { record, .. } = decide(&claim(1), vec![again]) else {
        panic!("it can be taken");
    };
    assert_eq!(
        (record.maybe_sent, record.window_from),
        (2, Some(moment(NOW)))
    );
}

#[test]
fn a_finished_claim_without_effect_leaves_no_mark() {
    let Admission::Take { record, .. } = decide(&claim(1), vec![row(1, State::Unsent)]) else {
        panic!("it can be taken");
    };
    assert_eq!((record.maybe_sent, record.window_from), (0, None));
    assert_eq!(record.state, State::Sending);
}

#[test]
fn a_call_with_the_intent_renews_send_until() {
    let stale = Record {
        send_until: NOW,
        ..row(1, State::Unknown)
    };
    let Admission::Take { record, .. } = decide(&claim(1), vec![stale]) else {
        panic!("it can be taken");
    };
    assert_eq!(record.send_until, after(360));
}

#[test]
fn what_differs_is_named_and_nothing_is_taken() {
    let other_account = Account::new(
        ProviderName::new("adyen"),
        "shop",
        Mode::Test,
        "https://x.example",
    )
    .id();
    for (claim, field) in [
        (
            Claim {
                fingerprint: fingerprint("481.00"),
                ..claim(1)
            },
            "amount",
        ),
        (
            Claim {
                via: Some(other_account),
                ..claim(1)
            },
            "account",
        ),
        (
            Claim {
                key: Some(IdempotencyKey::new("other")),
                ..claim(1)
            },
            "key",
        ),
    ] {
        match decide(&claim, vec![row(1, State::Unknown)]) {
            Admission::Answer(Claimed::Refused(Refused::Mismatch(fields, _))) => {
                assert_eq!(fields, [field]);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_frozen_reference_is_not_claimed_but_what_is_settled_is_answered() {
    let frozen = |state| {
        vec![Record {
            frozen: true,
            ..row(1, state)
        }]
    };
    let stored = |state| UnderReference::new(frozen(state), true);
    let decide =
        |claim: Claim, state| admit(&claim, stored(state), &owner(), &moment(after(10)), &ALIVE);
    assert_eq!(short(&decide(claim(1), State::Unknown)), "frozen");
    assert_eq!(short(&decide(claim(1), State::Succeeded)), "final");
    assert_eq!(short(&decide(claim(2), State::Declined)), "frozen");
}

/// What is settled is answered by any client of its mode. A test payment is no answer to a client
/// that moves real money: the merchant would give the goods away.
#[test]
fn an_account_that_is_not_configured_is_not_claimed() {
    let of = |mode| {
        let stripe = ProviderName::new("stripe");
        let account = Account::new(stripe, "other", mode, "https://api.stripe.com");
        Claim {
            accounts: vec![account.id()],
            ..claim(1)
        }
    };
    let word = |claim: &Claim, state| short(&decide(claim, vec![row(1, state)]));
    assert_eq!(word(&of(Mode::Test), State::Unknown), "no account");
    assert_eq!(word(&of(Mode::Test), State::Succeeded), "final");
    assert_eq!(word(&of(Mode::Live), State::Unknown), "no account");
    assert_eq!(word(&of(Mode::Live), State::Succeeded), "no account");
}

/// A page may be open for days. What was counted of the request that made it says nothing of the
/// step that begins there: neither how old its key is, nor that an error is stored under it.
#[test]
fn a_further_step_counts_anew() {
    let at_page = Record {
        maybe_sent: 2,
        window_from: Some(moment(NOW)),
        stored_error: true,
        ..leased(State::ActionRequired, "own", after(90))
    };
    let rendered = claim(1).rendered.unwrap();
    let step = StepRequest::new(IdempotencyKey::new("step"), rendered.request);
    let next = NextStep::new(step, rendered.rule, after(60));
    let mut gone = at_page.clone();
    assert!(gone.go_on(1, &next, 2, after(10)));
    assert_eq!((gone.maybe_sent, gone.window_from), (0, None));
    assert!(!gone.stored_error);
    for barred in [
        Record {
            frozen: true,
            ..at_page.clone()
        },
        Record {
            look_up_only: true,
            ..at_page.clone()
        },
        Record {
            closing: true,
            ..at_page.clone()
        },
    ] {
        let mut still = barred.clone();
        assert!(!still.go_on(1, &next, 2, after(10)));
        assert_eq!(still, barred);
    }
}
