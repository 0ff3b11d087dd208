use super::*;
use crate::ledger::UnsentReason;
use crate::ledger::testing::{NOW, after, lease, lease_of, moment, row};
use crate::money::{Currency, Money};
use crate::operation::OperationKind;
use crate::outcome::Doubt;
use crate::provider::{Effect, NextAction, Refusal};

fn claimed(state: State) -> Record {
    Record {
        lease: Some(lease(NOW, after(90))),
        ..row(1, state)
    }
}

fn success() -> Conclusion {
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    Conclusion::Succeeded {
        effect: Effect::new("pi_1", money, "succeeded"),
        duplicates: vec![],
    }
}

fn hold() -> Conclusion {
    Conclusion::Hold {
        doubt: Doubt::NoReply {
            problem: "reset".into(),
        },
        provider_id: None,
    }
}

fn unsent() -> Conclusion {
    Conclusion::Unsent(UnsentReason::Unauthorized)
}

fn settle(record: &Record, conclusion: Conclusion, maybe_sent: u32) -> Settle {
    let learned = Learned {
        maybe_sent,
        ..Learned::default()
    };
    Settle::new(record, conclusion, learned)
}

fn done(record: Record, conclusion: Conclusion, maybe_sent: u32) -> Change {
    let settle = settle(&record, conclusion, maybe_sent);
    apply(record, &settle, after(20)).unwrap()
}

#[test]
fn the_owner_settles_and_its_claim_ends() {
    let change = done(claimed(State::Sending), success(), 1);
    assert_eq!(change.record.state, State::Succeeded);
    assert_eq!(change.record.lease, None);
    assert_eq!(change.record.standing.provider_id.as_deref(), Some("pi_1"));
    assert!(!change.fenced && !change.freeze && change.alarms.is_empty());
}

#[test]
fn sends_in_doubt_stay_counted_from_their_claim() {
    let change = done(claimed(State::Sending), hold(), 2);
    assert_eq!(change.record.state, State::Unknown);
    assert_eq!(
        (change.record.maybe_sent, change.record.window_from),
        (2, Some(moment(NOW)))
    );
}

#[test]
fn what_may_have_had_an_effect_is_never_written_as_unsent() {
    let change = done(claimed(State::Sending), unsent(), 0);
    assert_eq!(change.record.state, State::Unsent);
    let change = done(claimed(State::Sending), unsent(), 1);
    assert_eq!(change.record.state, State::Unknown);
    let earlier = Record {
        maybe_sent: 1,
        ..claimed(State::Sending)
    };
    assert_eq!(done(earlier, unsent(), 0).record.state, State::Unknown);
}

/// Every call but one that is provably without effect counts: an unknown that counted for nothing
/// would be sent again as if it were the first.
#[test]
fn what_is_unknown_counts_as_a_send() {
    let change = done(claimed(State::Sending), hold(), 0);
    assert_eq!(change.record.state, State::Unknown);
    assert_eq!(change.record.maybe_sent, 1);
    assert_eq!(change.record.window_from, Some(moment(NOW)));
    let again = Record {
        lease: Some(lease(NOW, after(90))),
        ..change.record
    };
    assert_eq!(done(again, hold(), 0).record.maybe_sent, 1);
}

/// A COMMIT whose answer was lost is given again. It counts once.
#[test]
fn a_settlement_that_is_given_twice_is_written_once() {
    for conclusion in [hold(), unsent()] {
        let record = claimed(State::Sending);
        let settle = settle(&record, conclusion, 1);
        let once = apply(record, &settle, after(20)).unwrap().record;
        assert!(apply(once, &settle, after(21)).is_none());
    }
    let record = claimed(State::Sending);
    let settle = settle(&record, success(), 1);
    let once = apply(record, &settle, after(20)).unwrap().record;
    let twice = apply(once.clone(), &settle, after(20)).unwrap();
    assert_eq!(twice.record, once);
    assert!(twice.alarms.is_empty() && !twice.freeze && !twice.fenced);
}

/// A second payment of one operation is never lost, and a person hears of it once.
#[test]
fn another_effect_of_a_settled_operation_raises_an_alarm_once() {
    let record = claimed(State::Sending);
    let mut late = settle(&record, success(), 1);
    let paid = done(record, success(), 1).record;
    let Conclusion::Succeeded { effect, .. } = &mut late.conclusion else {
        panic!("it is a success");
    };
    effect.provider_id = "pi_2".into();
    let change = apply(paid, &late, after(120)).unwrap();
    assert_eq!(change.alarms, [AlarmKind::DuplicateAtGateway]);
    assert_eq!(change.record.standing.duplicates, ["pi_2"]);
    assert_eq!(change.record.standing.provider_id.as_deref(), Some("pi_1"));
    let again = apply(change.record, &late, after(121)).unwrap();
    assert!(again.alarms.is_empty());
}

#[test]
fn a_late_success_is_evidence_and_fences_the_new_owner() {
    let record = claimed(State::Sending);
    let settle = settle(&record, success(), 1);
    let other = lease_of("other", after(100), after(190));
    let taken = Record {
        epoch: 2,
        lease: Some(other),
        ..record
    };
    let change = apply(taken, &settle, after(120)).unwrap();
    assert_eq!(change.record.state, State::Succeeded);
    assert_eq!((change.record.epoch, change.record.lease), (3, None));
    assert!(!change.fenced);
}

/// The page of a payment and its secret are for the time in which the customer can use it.
#[test]
fn the_action_is_forgotten_when_it_is_over() {
    let action = NextAction::new("pi_1", "redirect_to_url").with_url(Some("https://x.example"));
    let asked = Conclusion::ActionRequired {
        action: Some(action),
        last_decline: None,
    };
    let open = done(claimed(State::Sending), asked, 1).record;
    assert!(open.standing.action.is_some());
    let again = |conclusion| {
        let record = Record {
            lease: Some(lease(NOW, after(90))),
            ..open.clone()
        };
        done(record, conclusion, 0).record
    };
    assert!(again(hold()).standing.action.is_some());
    for over in [success(), Conclusion::Canceled(Refusal::new("expired"))] {
        assert_eq!(again(over).standing.action, None);
    }
}

#[test]
fn anything_else_that_is_late_settles_nothing() {
    let action = NextAction::new("pi_1", "redirect_to_url").with_url(Some("https://x.example"));
    for conclusion in [
        Conclusion::Declined(Refusal::new("card_declined")),
        Conclusion::Rejected(Refusal::new("parameter_missing")),
        Conclusion::ActionRequired {
            action: Some(action),
            last_decline: None,
        },
        hold(),
        unsent(),
    ] {
        let record = claimed(State::Sending);
        let settle = settle(&record, conclusion.clone(), 0);
        let other = lease_of("other", after(100), after(190));
        let taken = Record {
            epoch: 2,
            lease: Some(other),
            ..record
        };
        let change = apply(taken.clone(), &settle, after(120)).unwrap();
        assert!(change.fenced, "{conclusion:?}");
        assert_eq!(
            (change.record.state, change.record.epoch),
            (State::Sending, 2)
        );
        assert_eq!(
            change.record.standing, taken.standing,
            "a fenced-out page is discarded"
        );
    }
}

#[test]
fn a_success_against_a_definite_no_freezes_the_reference() {
    let record = claimed(State::Sending);
    let settle = settle(&record, success(), 1);
    let declined = Record {
        epoch: 2,
        lease: None,
        state: State::Declined,
        ..record
    };
    let change = apply(declined, &settle, after(120)).unwrap();
    assert!(change.freeze);
    assert_eq!(change.alarms, [AlarmKind::Contradiction]);
    assert_eq!(change.record.state, State::Declined);
}

#[test]
fn while_closing_a_success_is_kept_and_settles_nothing() {
    let closing = Record {
        closing: true,
        ..claimed(State::ActionRequired)
    };
    let change = done(closing, success(), 0);
    assert_eq!(change.record.state, State::ActionRequired);
    assert!(change.record.standing.effect.is_some());
}

#[test]
fn a_failed_look_up_does_not_forget_what_the_gateway_has() {
    let change = done(claimed(State::Pending), hold(), 0);
    assert_eq!(change.record.state, State::Pending);
}

#[test]
fn duplicates_and_mismatches_raise_alarms() {
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    let effect = Effect::new("pi_1", money, "succeeded");
    let twice = Conclusion::Succeeded {
        effect,
        duplicates: vec!["pi_2".into()],
    };
    let change = done(claimed(State::Sending), twice, 1);
    assert_eq!(change.alarms, [AlarmKind::DuplicateAtGateway]);
    assert_eq!(change.record.state, State::Succeeded);

    let doubt = Doubt::Mismatch {
        sent: money,
        got: None,
        provider_id: "pi_1".into(),
    };
    let other = Conclusion::Hold {
        doubt,
        provider_id: Some("pi_1".into()),
    };
    let change = done(claimed(State::Pending), other, 0);
    assert_eq!(change.alarms, [AlarmKind::Mismatch]);
    assert_eq!(change.record.state, State::Unknown);
}

#[test]
fn a_key_mismatch_leaves_only_look_ups() {
    let conclusion = Conclusion::Hold {
        doubt: Doubt::KeyMismatch,
        provider_id: None,
    };
    let change = done(claimed(State::Sending), conclusion, 2);
    assert!(change.record.look_up_only);
    assert_eq!(change.alarms, [AlarmKind::KeyMismatch]);
}

/// A reply that names no key may be of a gateway that did not read it. The same key once more would
/// be another payment.
#[test]
fn a_reply_without_our_key_leaves_only_look_ups() {
    let conclusion = Conclusion::Hold {
        doubt: Doubt::EchoMissing,
        provider_id: None,
    };
    let change = done(claimed(State::Sending), conclusion, 1);
    assert!(change.record.look_up_only);
    assert!(change.alarms.is_empty());
}

/// What only may be looked up stays so, whatever is learned later: a send after a key mismatch
/// could be another payment. And the error that the gateway stored under the key stays there.
#[test]
fn what_forbids_a_send_once_forbids_it_for_ever() {
    let barred = Record {
        look_up_only: true,
        stored_error: true,
        ..claimed(State::Sending)
    };
    for conclusion in [hold(), success(), unsent()] {
        let record = done(barred.clone(), conclusion, 1).record;
        assert!(record.look_up_only && record.stored_error);
    }
    let mut learned = settle(&barred, hold(), 1);
    learned.learned.stored_error = true;
    let record = apply(claimed(State::Sending), &learned, after(20)).unwrap();
    assert!(record.record.stored_error && !record.record.look_up_only);
}

/// A later reply that names no object does not make the known one forgotten: a look-up starts
/// there.
#[test]
fn an_id_that_was_learned_stays() {
    let mut record = claimed(State::Sending);
    record.standing.provider_id = Some("pi_1".into());
    let record = done(record, hold(), 1).record;
    assert_eq!(record.standing.provider_id.as_deref(), Some("pi_1"));
}

fn kept(kind: OperationKind) -> Record {
    let open = Record {
        closing: true,
        kind,
        ..claimed(State::ActionRequired)
    };
    let kept = done(open, success(), 1).record;
    assert_eq!(kept.state, State::ActionRequired);
    Record {
        lease: Some(lease(NOW, after(90))),
        epoch: kept.epoch.saturating_add(1),
        ..kept
    }
}

/// While a close may take effect a success is kept. Only a reservation can be released again: what
/// was paid and then shown as ended or refused contradicts itself, and frees no reference.
#[test]
fn a_kept_success_is_not_undone_by_a_refusal() {
    let refusal = || Refusal::new("no");
    for (kind, conclusion, freeze) in [
        (OperationKind::Charge, Conclusion::Canceled(refusal()), true),
        (OperationKind::Charge, Conclusion::Declined(refusal()), true),
        (
            OperationKind::Authorize,
            Conclusion::Rejected(refusal()),
            true,
        ),
        (
            OperationKind::Authorize,
            Conclusion::Canceled(refusal()),
            false,
        ),
    ] {
        let change = done(kept(kind), conclusion, 0);
        assert_eq!(change.freeze, freeze, "{kind}");
        assert_eq!(change.record.state.is_no_effect_final(), !freeze);
        assert_eq!(change.record.standing.effect.is_some(), freeze);
        let alarms = usize::from(freeze);
        assert_eq!(change.alarms, vec![AlarmKind::Contradiction; alarms]);
    }
}

/// A second payment that is seen while the first one is kept is one too many.
#[test]
fn another_effect_of_what_is_being_ended_raises_an_alarm() {
    let mut other = success();
    let Conclusion::Succeeded { effect, .. } = &mut other else {
        panic!("it is a success");
    };
    effect.provider_id = "pi_2".into();
    let change = done(kept(OperationKind::Charge), other, 0);
    assert_eq!(change.alarms, [AlarmKind::DuplicateAtGateway]);
    assert_eq!(change.record.standing.duplicates, ["pi_2"]);
    let effect = change.record.standing.effect.unwrap();
    assert_eq!(effect.provider_id, "pi_1");
}

/// The customer was faster than the close: nobody needs the page any more.
#[test]
fn the_action_is_forgotten_when_a_success_that_was_kept_counts() {
    let mut kept = kept(OperationKind::Charge);
    kept.standing.action = Some(NextAction::new("pi_1", "redirect_to_url"));
    for shown in [success(), hold()] {
        let refused = Conclusion::CloseRefused(Box::new(shown));
        let record = done(kept.clone(), refused, 0).record;
        assert_eq!(record.state, State::Succeeded);
        assert_eq!((record.standing.action, record.closing), (None, false));
    }
}
