use super::*;
use crate::ledger::{UnsentReason, testing};
use crate::outcome::OperationSummary;
use crate::provider::{Effect, NextAction};

fn row(state: State) -> Record {
    testing::row(2, state)
}

/// While a close may still take effect nothing is said to be open or over: the customer must not
/// be sent to a page that is being taken away.
#[test]
fn while_it_is_being_closed_an_operation_is_pending() {
    for state in [State::Pending, State::ActionRequired] {
        for closing in [true, false] {
            let mut record = row(state);
            record.closing = closing;
            record.standing.action = Some(NextAction::new("p_1", "redirect"));
            let outcome = answer(&record, true).unwrap();
            let why = if let Outcome::Pending(pending) = &outcome {
                Some(pending.why)
            } else {
                None
            };
            let expected = match (closing, state) {
                (true, _) => Some(PendingReason::Closing),
                (false, State::Pending) => Some(PendingReason::AtGateway),
                (false, _) => None,
            };
            assert_eq!(why, expected, "{state} {closing}");
            assert!(closing || why.is_some() || matches!(outcome, Outcome::ActionRequired(_)));
        }
    }
}

/// Who calls for an earlier attempt hears what became of the later one, or he pays a third time.
#[test]
fn a_later_attempt_comes_with_its_outcome() {
    let mut paid = row(State::Succeeded);
    paid.standing.effect = Some(Effect::new("p_1", paid.money, "paid"));
    let expected: OperationSummary = summary(&paid);
    let Error::LaterAttempt {
        attempt,
        operation,
        state,
        outcome,
    } = refused(Refused::Later(Box::new(paid.clone())))
    else {
        panic!("it is refused for a later attempt")
    };
    assert_eq!((attempt, operation, state), (2, paid.id, State::Succeeded));
    let Some(Outcome::Succeeded(receipt)) = outcome.as_deref() else {
        panic!("{outcome:?}")
    };
    assert_eq!(receipt.operation, expected);
    assert_eq!(receipt.provider_id, "p_1");

    let doubtful = refused(Refused::Later(Box::new(row(State::Unknown))));
    assert!(matches!(
        doubtful,
        Error::LaterAttempt { outcome: Some(outcome), .. } if matches!(*outcome, Outcome::Unknown(_))
    ));
    // What was not sent has no outcome.
    let mut unsent = row(State::Unsent);
    unsent.standing.unsent = Some(UnsentReason::Unauthorized);
    let unsent = refused(Refused::Later(Box::new(unsent)));
    assert!(matches!(unsent, Error::LaterAttempt { outcome: None, .. }));
}
