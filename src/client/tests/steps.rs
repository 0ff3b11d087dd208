//! A further step that meets something else.

use super::proceed::{at_page, code};
use crate::client::Client;
use crate::engine::testing::World;
use crate::engine::{Errand, Policy};
use crate::error::Error;
use crate::ledger::Record;
use crate::operation::{Family, OperationId, State};
use crate::outcome::{Doubt, Outcome, PendingReason};
use crate::provider::OnRepeat;
use crate::provider::testing::Fake;

use super::charge;

async fn stored(client: &Client, id: OperationId) -> Record {
    let ledger = &client.inner.engine.ledger;
    ledger.read(id).await.unwrap().unwrap()
}

fn sent(world: &World) -> Vec<String> {
    let mut done = world.done();
    done.retain(|done| done.starts_with("send"));
    done
}

/// The step's reply is lost, and the gateway still shows the page, or what it refused before: the
/// step may be carried out all the same, so a second one would be a second payment.
#[tokio::test]
async fn a_page_that_still_shows_is_no_answer_to_a_step_in_doubt() {
    for class in [OnRepeat::RunsAgain, OnRepeat::Replays] {
        for shown in ["page", "declined"] {
            let world = World::new();
            let mut fake = Fake::new();
            fake.step_class = Some(class);
            let (client, id) = at_page(&world, fake).await;
            world.sends([None; 5]);
            world.look_ups([Some((200, shown)); 10]);
            let lost = client.proceed(id, code("1234")).await;
            assert!(matches!(lost, Ok(Outcome::Unknown(_))), "{lost:?}");
            let looked = client.look_up(id).await;
            assert!(matches!(looked, Ok(Outcome::Unknown(_))), "{looked:?}");
            world.done();
            world.sends([None; 5]);
            drop(client.proceed(id, code("9999")).await);
            let sent = sent(&world);
            assert!(!sent.iter().any(|done| done.contains("9999")), "{sent:?}");
            if class == OnRepeat::RunsAgain {
                assert!(sent.is_empty(), "{sent:?}");
            }
        }
    }
}

/// What the step was about can be ended, and that also ends the doubt.
#[tokio::test]
async fn a_step_in_doubt_can_be_ended() {
    let world = World::new();
    let mut fake = Fake::new();
    fake.step_class = Some(OnRepeat::RunsAgain);
    let (client, id) = at_page(&world, fake).await;
    world.sends([None]);
    let lost = client.proceed(id, code("1234")).await;
    assert!(matches!(lost, Ok(Outcome::Unknown(_))), "{lost:?}");
    // Without a look that shows what is there nothing is ended.
    let unclear = client.close(id).await;
    assert!(matches!(unclear, Ok(Outcome::Unknown(_))), "{unclear:?}");
    world.done();
    world.look_ups([Some((200, "page")), Some((200, "canceled"))]);
    world.sends([Some((200, "ended"))]);
    let ended = client.close(id).await;
    assert!(matches!(ended, Ok(Outcome::NoEffect(_))), "{ended:?}");
    assert_eq!(sent(&world), ["send /close/p_1 "]);
}

/// A step that was never sent, and then a close that the gateway refused because another amount was
/// paid: the ledger must be able to write it, or it would be looked for for ever.
#[tokio::test]
async fn a_mismatch_after_a_step_that_was_not_sent_can_be_written() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.sends([Some((429, "busy")); 5]);
    let busy = client.proceed(id, code("1234")).await;
    assert!(matches!(busy, Err(Error::Unavailable { .. })), "{busy:?}");
    world.look_ups([Some((200, "page")), Some((200, "less"))]);
    world.sends([Some((409, "refused"))]);
    let closed = client.close(id).await;
    let Ok(Outcome::Unknown(unknown)) = &closed else {
        panic!("{closed:?}")
    };
    assert!(matches!(unknown.doubt, Doubt::Mismatch { .. }));
    assert!(unknown.recorded, "it cannot be written");
    let row = stored(&client, id).await;
    assert_eq!((row.state, row.closing), (State::Unknown, false));
}

/// Our key was used for something else: a page that shows later may be of that. Nothing is begun or
/// ended there before a person has looked.
#[tokio::test]
async fn what_a_person_must_resolve_neither_goes_on_nor_ends() {
    let world = World::new();
    let client = super::client(world.engine(vec![Fake::new()], Policy::new()));
    world.sends([Some((409, "other bytes"))]);
    let Ok(Outcome::Unknown(unknown)) = client.charge(charge("r1")).await else {
        panic!("no doubt")
    };
    let id = unknown.operation.id;
    world.look_ups([Some((200, "page"))]);
    let page = client.look_up(id).await;
    assert!(matches!(page, Ok(Outcome::ActionRequired(_))), "{page:?}");
    world.done();
    for result in [
        client.proceed(id, code("1234")).await,
        client.close(id).await,
    ] {
        let Err(Error::WrongState { why, .. }) = &result else {
            panic!("{result:?}")
        };
        assert!(why.contains("a person"), "{why}");
    }
    assert!(sent(&world).is_empty());
}

/// Somebody began to end it while the customer came back: nothing goes on, and the claim is given
/// back, so that whoever ends it need not wait.
#[tokio::test]
async fn a_customer_who_meets_a_close_leaves_no_claim_behind() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.look_ups([Some((200, "page"))]);
    world.sends([None; 5]);
    drop(client.close(id).await);
    world.done();
    let record = stored(&client, id).await;
    assert!(record.closing);
    let errand = Errand::Proceed {
        input: code("1234"),
        deadline: client.inner.engine.policy.deadline,
    };
    let met = client.go_on(&record, errand).await;
    let Ok(Outcome::Pending(pending)) = &met else {
        panic!("{met:?}")
    };
    assert_eq!(pending.why, PendingReason::Closing);
    assert!(sent(&world).is_empty());
    assert_eq!(stored(&client, id).await.lease, None);
}

/// Its caller heard that nothing was sent. A customer who comes back meanwhile is no wish to send it.
#[tokio::test]
async fn a_customer_does_not_send_what_was_never_sent() {
    let world = World::new();
    let client = super::client(world.engine(vec![Fake::new()], Policy::new()));
    world.sends([Some((429, "busy")); 5]);
    let busy = client.charge(charge("r1")).await;
    assert!(matches!(busy, Err(Error::Unavailable { .. })), "{busy:?}");
    let found = client.find(Family::Payment, "r1").await.unwrap().unwrap();
    let record = stored(&client, found.summary.id).await;
    world.done();
    let errand = Errand::Proceed {
        input: code("1234"),
        deadline: client.inner.engine.policy.deadline,
    };
    let result = client.go_on(&record, errand).await;
    assert!(
        matches!(result, Err(Error::Unavailable { .. })),
        "{result:?}"
    );
    assert!(sent(&world).is_empty());
}
