use super::*;
use crate::ledger::testing::{NOW, after, claim, lease, row};
use crate::operation::State;

#[test]
fn only_what_was_never_sent_is_withdrawn() {
    for state in State::all().iter().copied() {
        let decided = withdraw(row(1, state), NOW);
        assert_eq!(decided.is_ok(), state.is_replaceable(), "{state}");
    }
    let record = withdraw(row(1, State::Unsent), NOW).unwrap();
    assert_eq!(record.state, State::NotExecuted);
    assert_eq!(record.epoch, row(1, State::Unsent).epoch + 1);
    assert_eq!(record.standing.no_effect, Some(NoEffectReason::Withdrawn));
    let driven = Record {
        lease: Some(lease(NOW, after(90))),
        ..row(1, State::Unsent)
    };
    withdraw(driven, NOW).unwrap_err();
}

/// A person's word ends every doubt; what the last owner brings later comes under an old epoch.
#[test]
fn a_person_settles_every_state_but_not_while_it_is_driven() {
    let money = claim(1).money;
    for state in State::all().iter().copied() {
        for decision in [Decision::succeeded("pi_9", money), Decision::NotExecuted] {
            let held = Record {
                lease: Some(lease(NOW, after(90))),
                ..row(1, state)
            };
            resolve(held.clone(), &decision, true, NOW).unwrap_err();
            if state == State::Succeeded {
                // What the gateway confirmed is neither rewritten nor denied.
                resolve(held, &decision, false, NOW).unwrap_err();
                continue;
            }
            let record = resolve(held.clone(), &decision, false, NOW).unwrap();
            let expected = match decision {
                Decision::Succeeded { .. } => State::Succeeded,
                Decision::NotExecuted => State::NotExecuted,
            };
            assert_eq!(record.state, expected, "{state}");
            assert_eq!((record.epoch, record.lease), (held.epoch + 1, None));
            let effect = record.standing.effect.map(|effect| effect.provider_id);
            let paid = expected == State::Succeeded;
            assert_eq!(effect, paid.then(|| "pi_9".to_owned()));
        }
    }
}

/// A person saw a doubt; by the time the word arrives the gateway has confirmed the payment. If it
/// counted, the next attempt would charge again.
#[test]
fn a_word_that_comes_after_the_gateways_does_not_deny_it() {
    let money = claim(1).money;
    let paid = |status: &str| {
        let mut record = row(1, State::Succeeded);
        record.standing.effect = Some(Effect::new("pi_1", money, status));
        record
    };
    resolve(paid("succeeded"), &Decision::NotExecuted, false, NOW).unwrap_err();
    // Where evidence contradicts it a person has to say what is true.
    let frozen = Record {
        frozen: true,
        ..paid("succeeded")
    };
    let denied = resolve(frozen, &Decision::NotExecuted, false, NOW).unwrap();
    assert_eq!(denied.state, State::NotExecuted);
    // And what was a person's word only is taken back by one.
    let doubtful = row(1, State::Unknown);
    let said = resolve(doubtful, &Decision::succeeded("pi_1", money), false, NOW).unwrap();
    let taken_back = resolve(said, &Decision::NotExecuted, false, NOW).unwrap();
    assert_eq!(taken_back.state, State::NotExecuted);
}
