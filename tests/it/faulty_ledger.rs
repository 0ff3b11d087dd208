//! A ledger that fails: what is not durable is never taken for done, and never for not done.

use std::sync::atomic::Ordering;
use std::time::Duration;

use payonce::{Doubt, Error, Family, LedgerError, Outcome, PendingReason};
use payonce_simulator::{ActionKind, Close, Fault, Tamper, When};

use crate::ledgers::{faulty, set};
use crate::world::{World, assert_word, charge};

/// A full disk before the row is stored: an error, nothing sent, and later the same intent works.
#[tokio::test]
async fn without_a_row_nothing_is_sent() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    set(&fails.claim_before, true);
    let result = client.charge(charge("r1")).await;
    assert!(
        matches!(
            result,
            Err(Error::Ledger {
                error: LedgerError::Full,
                ..
            })
        ),
        "{result:?}"
    );
    assert_eq!(world.sent().len(), 0);
    assert_eq!(world.sql::<i64>("SELECT count(*) FROM operation"), 0);
    set(&fails.claim_before, false);
    assert_word(&client.charge(charge("r1")).await, "succeeded");
}

/// A claim whose commit failed may be stored all the same. It is read back, and ended as unsent
/// before an error is returned.
#[tokio::test]
async fn a_claim_that_is_stored_though_it_failed_is_ended_before_the_error() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    set(&fails.claim_after, true);
    let result = client.charge(charge("r1")).await;
    assert!(
        matches!(
            result,
            Err(Error::Ledger {
                error: LedgerError::Full,
                ..
            })
        ),
        "{result:?}"
    );
    assert_eq!(
        (world.sent().len(), world.state("r1")),
        (0, "unsent".to_owned())
    );

    // If it cannot be ended, or not even be read, nobody may say that nothing happened.
    for (settle, read) in [(true, false), (false, true), (true, true)] {
        set(&fails.settle, settle);
        set(&fails.read, read);
        let reference = format!("r {settle} {read}");
        let result = client.charge(charge(&reference)).await;
        let Ok(Outcome::Unknown(unknown)) = result else {
            panic!("{result:?}")
        };
        assert!(matches!(unknown.doubt, Doubt::Unrecorded { .. }) && !unknown.recorded);
        assert_eq!(world.effects(&reference), 0);
    }
    assert_eq!(world.sent().len(), 0);
}

/// The gateway answered and the ledger cannot take it: the caller hears the truth, marked, and the
/// next call finds the row open and settles it under the same key.
#[tokio::test]
async fn an_answer_that_cannot_be_recorded_is_given_as_such() {
    for (fault, word) in [
        (None, "succeeded"),
        (Some(Fault::decline("insufficient_funds")), "declined"),
        (
            Some(Fault::ReplyLost {
                when: When::After,
                how: Close::Fin,
            }),
            "succeeded",
        ),
    ] {
        let world = World::new();
        let (client, fails) = faulty(&world);
        if let Some(fault) = fault {
            world.fault(fault);
        }
        set(&fails.settle, true);
        let result = client.charge(charge("r1")).await;
        assert_word(&result, word);
        assert!(!result.unwrap().is_recorded());
        assert_eq!(world.state("r1"), "sending");

        set(&fails.settle, false);
        let result = client.charge(charge("r1")).await;
        assert_word(&result, word);
        assert!(result.unwrap().is_recorded());
        assert_eq!(world.effects("r1"), usize::from(word == "succeeded"));
        assert_eq!(world.keys().len(), 1);
    }
}

/// A page that is not stored is withheld: a customer could pay on it, and nobody would know.
#[tokio::test]
async fn an_action_that_cannot_be_recorded_is_withheld() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    world.fault(Fault::RequireAction {
        kind: ActionKind::RedirectToUrl,
    });
    set(&fails.settle, true);
    let intent = || charge("r1").return_url("https://shop.example/back");
    let result = client.charge(intent()).await;
    let Ok(Outcome::Unknown(unknown)) = result else {
        panic!("{result:?}")
    };
    assert!(matches!(unknown.doubt, Doubt::Unrecorded { .. }) && !unknown.recorded);

    set(&fails.settle, false);
    assert_word(&client.charge(intent()).await, "action_required");
    assert_eq!(world.keys().len(), 1);
}

/// That nothing was sent is an error only if the ledger says so.
#[tokio::test]
async fn unsent_is_an_error_only_when_it_is_recorded() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    world.fault(Fault::Unauthorized);
    set(&fails.settle, true);
    let result = client.charge(charge("r1")).await;
    let Ok(Outcome::Unknown(unknown)) = result else {
        panic!("{result:?}")
    };
    assert!(matches!(unknown.doubt, Doubt::Unrecorded { .. }) && !unknown.recorded);
    assert_eq!(world.effects("r1"), 0);
}

/// Before a repeat the ledger is read. If it cannot be, nothing is repeated.
#[tokio::test]
async fn without_a_read_of_the_ledger_nothing_is_repeated() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    world.no_look_ups();
    world.fault(Fault::ReplyLost {
        when: When::Before,
        how: Close::Fin,
    });
    set(&fails.check, true);
    assert_word(&client.charge(charge("r1")).await, "unknown");
    assert_eq!(world.sent().len(), 1);
}

/// What an exchange taught stays to be written until it is.
#[tokio::test]
async fn exchanges_that_could_not_be_recorded_are_recorded_with_the_settlement() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    for _ in 0..2 {
        world.fault(Fault::server_error(503, When::Before));
    }
    set(&fails.record, true);
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!(world.sql::<i64>("SELECT count(*) FROM send"), 3);
    assert_eq!(world.sql::<i64>("SELECT sends FROM operation"), 3);
}

/// A settlement that is stored and answered with an error is given again, and counts once.
#[tokio::test]
async fn a_settlement_that_is_stored_though_it_failed_counts_once() {
    let other_amount = Fault::Tamper(Tamper::set("/amount", 10_000));
    for (fault, expected, in_doubt, alarms) in [
        (None, "succeeded", 1, 0),
        (Some(Fault::decline("insufficient_funds")), "declined", 0, 0),
        (Some(other_amount), "unknown", 1, 1),
    ] {
        let world = World::new();
        let (client, fails) = faulty(&world);
        if let Some(fault) = fault {
            world.fault(fault);
        }
        set(&fails.settle_after, true);
        assert_word(&client.charge(charge("r1")).await, expected);
        assert_eq!(world.sql::<i64>("SELECT count(*) FROM send"), 1);
        assert_eq!(world.sql::<i64>("SELECT sends FROM operation"), 1);
        assert_eq!(
            world.sql::<i64>("SELECT maybe_sent FROM operation"),
            in_doubt
        );
        assert_eq!(world.sql::<i64>("SELECT count(*) FROM alarm"), alarms);
        assert_eq!(world.sql::<i64>("SELECT epoch FROM operation"), 1);
    }
}

/// An error of the ledger about an operation that exists names it, so that it can be asked for.
#[tokio::test]
async fn an_error_of_the_ledger_names_the_operation_that_it_shows() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    world.fault(Fault::Unauthorized);
    let first = client.charge(charge("r1")).await.unwrap_err();
    set(&fails.claim_before, true);
    let second = client.charge(charge("r1")).await.unwrap_err();
    assert!(matches!(second, Error::Ledger { .. }), "{second:?}");
    assert!(first.operation().is_some());
    assert_eq!(second.operation(), first.operation());
}

/// A client whose ledger is too busy to claim, while another one's send is under way. It must hear
/// "pending" of that one: by an error the merchant would think that nothing is being charged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_that_fails_beside_another_owners_is_answered_with_that_one() {
    let world = World::new();
    world.fault(Fault::HoldForEver { execute: true });
    let first = tokio::spawn({
        let client = world.client();
        async move { client.charge(charge("r1")).await }
    });
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    let (client, fails) = faulty(&world);
    set(&fails.claim_before, true);
    let result = client.charge(charge("r1")).await;
    let Ok(Outcome::Pending(pending)) = &result else {
        panic!("{result:?}")
    };
    assert_eq!(pending.why, PendingReason::InFlight);
    assert_eq!(world.gateway.release(), 1);
    assert_word(&first.await.unwrap(), "succeeded");
    // Settled, it is answered all the same.
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
}

/// What could not be written is written as soon as it can be, without another call.
#[tokio::test]
async fn an_answer_that_could_not_be_recorded_is_recorded_later() {
    for fault in [None, Some(Fault::decline("insufficient_funds"))] {
        let world = World::new();
        let (client, fails) = faulty(&world);
        let expected = if fault.is_some() {
            "declined"
        } else {
            "succeeded"
        };
        if let Some(fault) = fault {
            world.fault(fault);
        }
        // Its own tries fail, and the first later one.
        fails.settles_that_fail.store(5, Ordering::SeqCst);
        let result = client.charge(charge("r1")).await;
        assert_word(&result, expected);
        assert!(!result.unwrap().is_recorded());
        let recorded = async {
            while world.state("r1") != expected {
                tokio::task::yield_now().await;
            }
        };
        let limit = Duration::from_secs(10);
        tokio::time::timeout(limit, recorded)
            .await
            .expect("it is never recorded");
        assert_eq!(world.sent().len(), 1);
    }
}

/// Whoever handles an error looks the operation up by its id. Without one a person must search the
/// ledger, and may take another one for it.
#[tokio::test]
async fn an_error_of_the_ledger_names_the_operation_that_the_call_knew() {
    let world = World::new();
    let (client, fails) = faulty(&world);
    world.no_look_ups();
    world.fault(Fault::server_error(503, When::Before));
    let policy = crate::world::hasty().sends(1);
    let first = world.client_with(|builder| builder.policy(policy));
    let Ok(Outcome::Unknown(unknown)) = first.charge(charge("r1")).await else {
        panic!("not in doubt")
    };
    let (id, state) = (unknown.operation.id, unknown.operation.state);
    let failed = async || match client.resume(Family::Payment, "r1").await {
        Err(error @ Error::Ledger { .. }) => error,
        other => panic!("{other:?}"),
    };
    // It can be neither claimed nor read back.
    set(&fails.claim_before, true);
    set(&fails.read, true);
    assert_eq!(failed().await.operation(), Some((id, state)));
    // The row is gone, which no ledger of ours ever shows.
    set(&fails.claim_before, false);
    set(&fails.read, false);
    set(&fails.claims_nothing, true);
    assert_eq!(failed().await.operation(), Some((id, state)));
}

/// A caller that waited for another's operation knows it. If the ledger fails then, the answer is
/// about that one, and not about a row that never was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_waited_is_answered_about_the_row_that_it_saw() {
    let world = World::new();
    let hold = Fault::HoldForEver { execute: true };
    world.fault(hold);
    let other = world.client();
    let driven = tokio::spawn(async move { other.charge(charge("r1")).await });
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    let (client, fails) = faulty(&world);
    set(&fails.after_busy, true);
    let Ok(Outcome::Unknown(unknown)) = client.charge(charge("r1")).await else {
        panic!("the ledger failed, and it may have worked")
    };
    let stored = world.sql::<String>("SELECT id FROM operation");
    assert_eq!(unknown.operation.id.to_string(), stored);
    world.gateway.release();
    drop(driven.await);
}
