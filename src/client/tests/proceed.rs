//! Going on after the customer came back: a further step is as safe as the first one.

use std::time::Duration;

use super::{charge, client};
use crate::client::Client;
use crate::engine::Policy;
use crate::engine::testing::{GoOn, World};
use crate::error::Error;
use crate::operation::{Family, OperationId};
use crate::outcome::{Doubt, Outcome};
use crate::provider::testing::Fake;
use crate::provider::{OnRepeat, ProceedInput};

pub(super) fn code(code: &str) -> ProceedInput {
    ProceedInput::new().field("code", code)
}

/// A charge whose customer is at the page.
pub(super) async fn at_page(world: &World, fake: Fake) -> (Client, OperationId) {
    world.sends([Some((200, "page"))]);
    let client = client(world.engine(vec![fake], Policy::new()));
    let Ok(Outcome::ActionRequired(action)) = client.charge(charge("r1")).await else {
        panic!("no page")
    };
    world.done();
    (client, action.operation.id)
}

#[tokio::test]
async fn a_customer_who_comes_back_has_paid() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.sends([Some((200, "went on"))]);
    let result = client.proceed(id, code("1234")).await;
    assert!(matches!(result, Ok(Outcome::Succeeded(_))), "{result:?}");
    assert_eq!(world.count("send /go/p_1 1234"), 1);
    // He comes back once more: it is over, and nothing is sent.
    let again = client.proceed(id, code("1234")).await;
    assert!(matches!(again, Ok(Outcome::Succeeded(_))), "{again:?}");
    assert_eq!(
        world
            .done()
            .iter()
            .filter(|d| d.starts_with("send"))
            .count(),
        0
    );
}

/// The first reply is lost: the same bytes under the same key, and never the customer's new input.
#[tokio::test]
async fn a_lost_reply_repeats_the_stored_step() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.sends([None; 5]);
    let lost = client.proceed(id, code("1234")).await;
    assert!(matches!(lost, Ok(Outcome::Unknown(_))), "{lost:?}");
    world.done();
    world.sends([Some((200, "went on"))]);
    let again = client.proceed(id, code("9999")).await;
    assert!(matches!(again, Ok(Outcome::Succeeded(_))), "{again:?}");
    let sent = world.done();
    assert!(sent.contains(&"send /go/p_1 1234".to_owned()), "{sent:?}");
    assert!(!sent.iter().any(|done| done.contains("9999")), "{sent:?}");
}

/// Where a repeat runs again there is none: neither by the customer, nor by a retry of the charge.
#[tokio::test]
async fn without_a_replay_nothing_is_sent_twice() {
    let world = World::new();
    let mut fake = Fake::new();
    // The charge itself would be replayed.
    fake.step_class = Some(OnRepeat::RunsAgain);
    let (client, id) = at_page(&world, fake).await;
    world.sends([None]);
    let lost = client.proceed(id, code("1234")).await;
    assert!(matches!(lost, Ok(Outcome::Unknown(_))), "{lost:?}");
    assert_eq!(world.count("send /go/p_1 1234"), 1);
    let results = [
        client.proceed(id, code("1234")).await,
        client.charge(charge("r1")).await,
        client.resume(Family::Payment, "r1").await,
        client.look_up(id).await,
    ];
    for result in results {
        assert!(matches!(result, Ok(Outcome::Unknown(_))), "{result:?}");
    }
    let sent = world.done();
    assert!(
        !sent.iter().any(|done| done.starts_with("send")),
        "{sent:?}"
    );
    world.look_ups([Some((200, "found"))]);
    let found = client.look_up(id).await;
    assert!(matches!(found, Ok(Outcome::Succeeded(_))), "{found:?}");
}

/// The process dies after the step is stored. The next one does not know whether it was sent.
#[tokio::test]
async fn a_dead_owner_may_have_sent_the_step() {
    for (class, sends) in [(OnRepeat::Replays, 1), (OnRepeat::RunsAgain, 0)] {
        let world = World::new();
        let fake = Fake::new().with(|rule| rule.on_repeat.value = class);
        let (client, id) = at_page(&world, fake.clone()).await;
        let dies = super::client(world.engine(vec![fake], Policy::new()));
        world.fault(|faults| faults.go_on = GoOn::Hangs);
        drop(tokio::spawn(
            async move { dies.proceed(id, code("1234")).await },
        ));
        while !world.done().contains(&"go on".to_owned()) {
            tokio::task::yield_now().await;
        }
        let lapsed = Duration::from_secs(120);
        world.advance(lapsed, lapsed);
        world.done();
        world.sends([Some((200, "went on"))]);
        let resumed = client.resume(Family::Payment, "r1").await;
        assert_eq!(
            matches!(resumed, Ok(Outcome::Succeeded(_))),
            sends == 1,
            "{resumed:?}"
        );
        assert_eq!(world.count("send /go/p_1 1234"), sends);
    }
}

/// The gateway says that it did nothing: the customer may come back once more, with a new key.
#[tokio::test]
async fn a_step_that_was_not_carried_out_leaves_the_page() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.sends([Some((429, "busy")); 5]);
    let busy = client.proceed(id, code("1234")).await;
    assert!(matches!(busy, Err(Error::Unavailable { .. })), "{busy:?}");
    let second = client.charge(charge("r1").attempt(2)).await;
    assert!(
        matches!(second, Err(Error::PriorAttemptOpen { .. })),
        "{second:?}"
    );
    world.sends([
        Some((200, "page")),
        Some((402, "declined")),
        Some((200, "went on")),
    ]);
    // One more page, a refusal there, and then it works.
    for _ in 0..2 {
        let page = client.proceed(id, code("1234")).await;
        let Ok(Outcome::ActionRequired(action)) = page else {
            panic!("{page:?}")
        };
        assert_eq!(action.operation.id, id);
    }
    let paid = client.proceed(id, code("5678")).await;
    assert!(matches!(paid, Ok(Outcome::Succeeded(_))), "{paid:?}");
}

/// The input cannot be used, and meanwhile somebody else froze the operation: that is the answer, and
/// not that the page is still there.
#[tokio::test]
async fn an_input_that_is_refused_tells_what_became_of_it_meanwhile() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.fault(|faults| faults.freezes_at_settle = true);
    let result = client.proceed(id, ProceedInput::new()).await;
    assert!(matches!(result, Ok(Outcome::Unknown(_))), "{result:?}");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_and_the_page_stays() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    let nothing = client.proceed(id, ProceedInput::new()).await;
    assert!(matches!(nothing, Err(Error::Invalid { .. })), "{nothing:?}");
    let card = client.proceed(id, code("4111 1111 1111 1111")).await;
    assert!(matches!(card, Err(Error::Invalid { .. })), "{card:?}");
    let cvv = client
        .proceed(id, ProceedInput::new().field("cvv", "123"))
        .await;
    assert!(matches!(cvv, Err(Error::Invalid { .. })), "{cvv:?}");
    assert!(!format!("{:?}", code("SENTINEL")).contains("SENTINEL"));
    let sent = world.done();
    assert!(
        !sent.iter().any(|done| done.starts_with("send")),
        "{sent:?}"
    );
    let still = client.look_up(id).await;
    assert!(matches!(still, Ok(Outcome::ActionRequired(_))), "{still:?}");
}

/// A ledger that cannot store the step sends nothing of it.
#[tokio::test]
async fn nothing_goes_on_that_is_not_stored() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.fault(|faults| faults.go_on = GoOn::Fails);
    let result = client.proceed(id, code("1234")).await;
    assert!(
        matches!(result, Ok(Outcome::ActionRequired(_))),
        "{result:?}"
    );
    let sent = world.done();
    assert!(
        !sent.iter().any(|done| done.starts_with("send")),
        "{sent:?}"
    );
    // Stored, and the answer lost: nobody can tell any more whether it was sent.
    world.fault(|faults| faults.go_on = GoOn::IsLost);
    let result = client.proceed(id, code("1234")).await;
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    assert!(matches!(unknown.doubt, Doubt::Unrecorded { .. }));
    let sent = world.done();
    assert!(
        !sent.iter().any(|done| done.starts_with("send")),
        "{sent:?}"
    );
}

/// After a close nothing goes on.
#[tokio::test]
async fn what_is_being_ended_does_not_go_on() {
    let world = World::new();
    let (client, id) = at_page(&world, Fake::new()).await;
    world.look_ups([Some((200, "page"))]);
    world.sends([None; 5]);
    let closing = client.close(id).await;
    assert!(matches!(closing, Ok(Outcome::Pending(_))), "{closing:?}");
    world.done();
    let result = client.proceed(id, code("1234")).await;
    assert!(
        matches!(result, Err(Error::WrongState { .. })),
        "{result:?}"
    );
    let sent = world.done();
    assert!(
        !sent.iter().any(|done| done.starts_with("send")),
        "{sent:?}"
    );
}
