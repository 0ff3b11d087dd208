//! What people and timetables ask for: to find, go on, ask, withdraw, resolve, recover, shut down.

use std::time::Duration;

use payonce::{
    Adopted, Currency, Decision, Doubt, Error, Family, Filter, Intent, NoEffectReason, Outcome,
    Payment, State,
};
use payonce_simulator::{Fault, Matcher};

use crate::world::{World, assert_word, charge, hasty, lost_after, money};

fn sar(amount: &str) -> payonce::Money {
    money(amount, Currency::SAR)
}

/// An unknown charge whose money moved, and which nothing shows yet.
async fn held(world: &World) {
    world.fault(lost_after());
    assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
    assert_eq!(world.effects("r1"), 1);
}

#[tokio::test]
async fn find_and_history_need_no_source() {
    let world = World::new();
    let client = world.client();
    assert!(client.find(Family::Payment, "r1").await.unwrap().is_none());
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    let found = client.find(Family::Payment, "r1").await.unwrap().unwrap();
    assert_word(&found.answer, "succeeded");
    assert_eq!((found.summary.attempt, found.summary.sends), (1, 1));
    let by_id = client.operation(found.summary.id).await.unwrap().unwrap();
    assert_eq!(by_id.summary, found.summary);
    assert_eq!(
        client.history(Family::Payment, "r1").await.unwrap().len(),
        1
    );
    assert!(client.find(Family::Refund, "r1").await.unwrap().is_none());
    assert_eq!(client.list(Filter::open()).await.unwrap().len(), 0);
    assert_eq!(world.sent().len(), 1);
}

/// After a restart the token is gone; the stored bytes are not.
#[tokio::test]
async fn resume_goes_on_with_the_same_key_and_bytes() {
    let world = World::new();
    held(&world).await;
    let resumed = world.client().resume(Family::Payment, "r1").await;
    assert_word(&resumed, "succeeded");
    let sent = world.sent();
    assert_eq!((sent.len(), world.keys().len()), (2, 1));
    assert_eq!(sent[0].body, sent[1].body);
    assert_eq!(world.effects("r1"), 1);
    let missing = world.client().resume(Family::Payment, "r2").await;
    assert!(matches!(missing, Err(Error::NotFound { .. })));
}

/// A look-up asks, and never sends what moves money, however safe a repeat would be.
#[tokio::test]
async fn a_look_up_never_sends() {
    let world = World::new();
    held(&world).await;
    let client = world.client();
    let id = client
        .find(Family::Payment, "r1")
        .await
        .unwrap()
        .unwrap()
        .summary
        .id;
    assert_word(&client.look_up(id).await, "unknown");
    world.gateway.faults().clear();
    assert_word(&client.look_up(id).await, "succeeded");
    assert_eq!(world.sent().len(), 1);
    assert_eq!(world.effects("r1"), 1);
    // Of what was never sent there is nothing to ask.
    world.fault(Fault::Unauthorized);
    assert_word(&client.charge(charge("r2")).await, "unauthorized");
    let unsent = client.find(Family::Payment, "r2").await.unwrap().unwrap();
    let asked = world.gateway.requests().len();
    assert_word(&client.look_up(unsent.summary.id).await, "unauthorized");
    assert_eq!(world.gateway.requests().len(), asked);
    assert_eq!(world.state("r2"), "unsent");
}

/// A look-up or a recovery does not renew the time in which money may move: only who wants it
/// to move does.
#[tokio::test]
async fn only_the_intent_and_resume_renew_the_time_to_send() {
    let world = World::new();
    held(&world).await;
    let until = || world.sql::<i64>("SELECT send_until FROM operation");
    let first = until();
    world.clock.advance(Duration::from_secs(3600));
    let client = world.client();
    let id = client
        .find(Family::Payment, "r1")
        .await
        .unwrap()
        .unwrap()
        .summary
        .id;
    assert_word(&client.look_up(id).await, "unknown");
    let recovered = client.recover().await.unwrap();
    assert_word(&recovered[0].answer, "unknown");
    assert_eq!((until(), world.sent().len()), (first, 1));
    assert_word(&client.resume(Family::Payment, "r1").await, "succeeded");
    assert!(until() > first);
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 1));
}

#[tokio::test]
async fn recover_settles_what_a_crash_left_and_leaves_the_unsent_alone() {
    let world = World::new();
    for reference in ["r1", "r2"] {
        world.fault(lost_after());
        let lost = world.client_with(|builder| builder.policy(hasty().sends(1)));
        world.no_look_ups();
        assert_word(&lost.charge(charge(reference)).await, "unknown");
    }
    world.gateway.faults().clear();
    world.fault(Fault::Unauthorized);
    assert_word(&world.client().charge(charge("r3")).await, "unauthorized");
    let recovered = world.client().recover().await.unwrap();
    let words: Vec<_> = recovered.iter().map(|o| o.summary.state).collect();
    assert_eq!(words, [State::Succeeded, State::Succeeded]);
    assert_eq!((world.effects("r1"), world.effects("r2")), (1, 1));
    assert_eq!(
        (world.effects("r3"), world.state("r3").as_str()),
        (0, "unsent")
    );
    assert_eq!(world.client().recover().await.unwrap().len(), 0);
}

#[tokio::test]
async fn withdrawing_frees_the_reference_only_if_nothing_was_sent() {
    let world = World::new();
    world.fault(Fault::Unauthorized);
    let client = world.client();
    assert_word(&client.charge(charge("r1")).await, "unauthorized");
    let id = client
        .find(Family::Payment, "r1")
        .await
        .unwrap()
        .unwrap()
        .summary
        .id;
    match client.withdraw(id).await {
        Ok(Outcome::NoEffect(ended)) => assert_eq!(ended.why, NoEffectReason::Withdrawn),
        other => panic!("{other:?}"),
    }
    assert_word(&client.charge(charge("r1")).await, "no_effect");
    assert_word(&client.charge(charge("r1").attempt(2)).await, "succeeded");
    let paid = client.find(Family::Payment, "r1").await.unwrap().unwrap();
    let refused = client.withdraw(paid.summary.id).await;
    assert!(
        matches!(refused, Err(Error::WrongState { .. })),
        "{refused:?}"
    );
    let nobody = client
        .withdraw("01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap())
        .await;
    assert!(matches!(nobody, Err(Error::NotFound { .. })));
    assert_eq!(world.effects("r1"), 1);
}

/// A person's word settles what nothing else can, with a name and a reason in the file.
#[tokio::test]
async fn a_person_resolves_what_stays_unknown() {
    let world = World::new();
    held(&world).await;
    let client = world.client();
    let id = client
        .find(Family::Payment, "r1")
        .await
        .unwrap()
        .unwrap()
        .summary
        .id;
    let dollars = Decision::succeeded("pi_1", money("480.00", Currency::USD));
    for (decision, who) in [(Decision::NotExecuted, ""), (dollars, "Noor")] {
        let invalid = client.resolve(id, decision, who, "seen").await;
        assert!(matches!(invalid, Err(Error::Invalid { .. })), "{invalid:?}");
    }
    let paid = Decision::succeeded("pi_1", sar("480.00"));
    let resolved = client.resolve(id, paid, "نور", "رأيتها في القائمة").await;
    assert_word(&resolved, "succeeded");
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!(world.sql::<String>("SELECT who FROM resolution"), "نور");
    assert_eq!(world.sent().len(), 1);
}

/// A reference that contradictions froze is claimed again only after a person decided.
#[tokio::test]
async fn a_frozen_reference_waits_for_a_person() {
    let world = World::new();
    held(&world).await;
    world.freeze();
    let client = world.client();
    let again = client.charge(charge("r1")).await;
    assert!(matches!(again, Err(Error::Frozen { .. })), "{again:?}");
    let found = client.find(Family::Payment, "r1").await.unwrap().unwrap();
    match found.answer {
        Ok(Outcome::Unknown(unknown)) => assert_eq!(unknown.doubt, Doubt::Frozen),
        other => panic!("{other:?}"),
    }
    assert_eq!(client.recover().await.unwrap().len(), 0);
    let id = found.summary.id;
    let ended = client
        .resolve(id, Decision::NotExecuted, "Noor", "not there")
        .await;
    assert_word(&ended, "no_effect");
    assert_eq!(world.sent().len(), 1);
}

/// The references of two shops that share a ledger do not meet.
#[tokio::test]
async fn tenants_see_only_their_own() {
    let world = World::new();
    let client = world.client();
    let (north, south) = (
        client.tenant("north").unwrap(),
        client.tenant("south").unwrap(),
    );
    assert_word(&north.charge(charge("r1")).await, "succeeded");
    let id = north
        .find(Family::Payment, "r1")
        .await
        .unwrap()
        .unwrap()
        .summary
        .id;
    for other in [&south, &client] {
        assert!(other.find(Family::Payment, "r1").await.unwrap().is_none());
        assert!(other.operation(id).await.unwrap().is_none());
        assert!(other.list(Filter::default()).await.unwrap().is_empty());
        assert!(matches!(
            other.look_up(id).await,
            Err(Error::NotFound { .. })
        ));
        let decided = other.resolve(id, Decision::NotExecuted, "Noor", "no").await;
        assert!(matches!(decided, Err(Error::NotFound { .. })));
    }
    assert_word(&south.charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (2, 2));
    client.tenant("").unwrap_err();
}

#[tokio::test]
async fn facts_that_cannot_be_true_are_not_adopted() {
    let world = World::new();
    let client = world.client();
    let payment = |id: &str| Payment::new(client.accounts()[0].clone(), id);
    let whole = || Adopted::charge(payment("pi_1"), sar("100.00"));
    let partly = || Adopted::authorization(payment("pi_1"), sar("100.00"));
    let elsewhere = Payment::new(
        serde_json::from_str("\"stripe:test:other@https://api.stripe.com\"").unwrap(),
        "pi_1",
    );
    for wrong in [
        whole().refunded(10_001),
        whole().refunded(-1),
        partly().captured(10_001),
        partly().captured(50).refunded(51),
        Adopted::charge(payment(""), sar("100.00")),
        Adopted::charge(payment("pi_1"), sar("0.00")),
        Adopted::charge(elsewhere, sar("100.00")),
    ] {
        let refused = client.adopt(wrong.clone()).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{wrong:?}");
    }
    client.adopt(whole()).await.unwrap();
    let unknown = Intent::refund("f1", payment("pi_2"), sar("1.00"));
    let refused = client.refund(unknown).await;
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    assert!(world.gateway.requests().is_empty());
}

/// Shutting down ends nothing that is under way, and takes nothing new.
#[tokio::test]
async fn shutdown_waits_for_what_is_under_way() {
    let world = World::new();
    world
        .gateway
        .faults()
        .push(Fault::HoldForEver { execute: true }.on(Matcher::post()));
    let client = world.client();
    let under_way = tokio::spawn({
        let client = client.clone();
        async move { client.charge(charge("r1")).await }
    });
    while world.gateway.in_flight() == 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(client.shutdown(Duration::from_secs(1)).await, 1);
    let late = client.charge(charge("r2")).await;
    assert!(matches!(late, Err(Error::ShutDown)), "{late:?}");
    world.gateway.release();
    assert_eq!(client.shutdown(Duration::from_secs(60)).await, 0);
    assert_word(&under_way.await.unwrap(), "succeeded");
    assert_eq!((world.effects("r1"), world.effects("r2")), (1, 0));
}

#[tokio::test]
async fn alarms_are_shown_until_somebody_acknowledges_them() {
    let world = World::new();
    let tamper = payonce_simulator::Tamper::set("/amount", 1).and_set("/amount_received", 1);
    world.fault(Fault::Tamper(tamper));
    let client = world.client();
    assert_word(&client.charge(charge("r1")).await, "unknown");
    let alarms = client.alarms().await.unwrap();
    assert_eq!(alarms.len(), 1);
    assert!(
        client
            .tenant("other")
            .unwrap()
            .alarms()
            .await
            .unwrap()
            .is_empty()
    );
    client.acknowledge(&alarms[0], "Noor").await.unwrap();
    assert!(client.alarms().await.unwrap().is_empty());
    let again = client.acknowledge(&alarms[0], "Noor").await;
    assert!(matches!(again, Err(Error::NotFound { .. })));
}
