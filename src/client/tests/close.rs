//! Ending what was left open, where it is not known what is there.

use super::proceed::at_page;
use super::{charge, client};
use crate::engine::Policy;
use crate::engine::testing::World;
use crate::operation::{Family, State};
use crate::outcome::{Outcome, PendingReason};
use crate::provider::testing::Fake;

/// While the close may still take effect nothing of the operation is sent, though a repeat of its
/// own step would be safe: it might make what the close has just ended.
#[tokio::test]
async fn what_is_being_ended_is_not_sent_again() {
    let world = World::new();
    world.sends([Some((500, "named")); 5]);
    let client = client(world.engine(vec![Fake::new()], Policy::new()));
    let result = client.charge(charge("r1")).await;
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    let id = unknown.operation.id;
    // The look before shows a page, the one after nothing.
    world.look_ups([Some((200, "page"))]);
    world.sends([None; 5]);
    let closing = client.close(id).await;
    assert!(matches!(closing, Ok(Outcome::Unknown(_))), "{closing:?}");
    let record = client.inner.engine.ledger.read(id).await.unwrap().unwrap();
    assert_eq!((record.state, record.closing), (State::Unknown, true));
    world.done();
    for _ in 0..2 {
        drop(client.charge(charge("r1")).await);
        drop(client.resume(Family::Payment, "r1").await);
        drop(client.look_up(id).await);
    }
    assert_eq!(world.count("send"), 0);
    world.look_ups([Some((200, "page")), Some((200, "canceled"))]);
    world.sends([Some((200, "ended"))]);
    let recovered = client.recover().await.unwrap();
    let answer = &recovered[0].answer;
    assert!(matches!(answer, Ok(Outcome::NoEffect(_))), "{answer:?}");
}

/// The customer may have paid, and the close may still end it: also where nothing can be written, a
/// success is no answer yet.
#[tokio::test]
async fn a_success_that_cannot_be_kept_is_not_told() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.look_ups([Some((200, "page")), Some((200, "found"))]);
    world.sends([None; 5]);
    world.fault(|faults| faults.settle_fails = true);
    let closing = client.close(id).await;
    let Ok(Outcome::Pending(pending)) = &closing else {
        panic!("{closing:?}")
    };
    assert_eq!(
        (pending.why, pending.recorded),
        (PendingReason::Closing, false)
    );
}
