//! Many callers of one intent, and callers that go away.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use payonce::{Client, Doubt, Error, Outcome, PendingReason, Policy};
use payonce_simulator::stripe::Stripe;
use payonce_simulator::{ActionKind, Close, Fault, When};

use crate::world::{World, assert_word, charge};

/// A double click, a hundred times: one send, one movement of money, one answer for all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_callers_of_one_intent_charge_once() {
    let world = World::new();
    world.fault(Fault::Delay {
        when: When::Before,
        ms: 50,
    });
    let client = world.client();
    let barrier = Arc::new(tokio::sync::Barrier::new(100));
    let callers: Vec<_> = (0..100)
        .map(|_| {
            let (client, barrier) = (client.clone(), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                client.charge(charge("r1")).await
            })
        })
        .collect();
    for caller in callers {
        assert_word(&caller.await.unwrap(), "succeeded");
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
    assert_eq!(
        world.sql::<i64>("SELECT epoch FROM operation"),
        1,
        "they joined one claim"
    );
}

/// The same with a client each on one ledger file, as several processes have.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_with_a_client_each_charge_once() {
    let world = World::new();
    world.fault(Fault::Delay {
        when: When::Before,
        ms: 50,
    });
    // Real time: the others wait for the owner.
    let clients: Vec<Client> = (0..8)
        .map(|_| {
            Client::builder(payonce::SqliteLedger::open(world.ledger_path()).unwrap())
                .provider(world.stripe())
                .policy(Policy::new().deadline(Duration::from_secs(10)))
                .build()
                .unwrap()
        })
        .collect();
    let callers: Vec<_> = clients
        .into_iter()
        .map(|client| tokio::spawn(async move { client.charge(charge("r1")).await }))
        .collect();
    for caller in callers {
        assert_word(&caller.await.unwrap(), "succeeded");
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
}

/// Another client on the same ledger, in the same process or in another, has little time while the
/// first one's send is under way. It must hear "pending": an error would invite the merchant to
/// charge by another way, and a send of its own would be a second request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_slower_of_two_clients_hears_that_it_is_in_flight() {
    let world = World::new();
    world.fault(Fault::HoldForEver { execute: true });
    let first = tokio::spawn({
        let client = world.client();
        async move { client.charge(charge("r1")).await }
    });
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    let second = world.client();
    for seconds in [25, 40] {
        let intent = charge("r1").deadline(Duration::from_secs(seconds));
        let result = second.charge(intent).await;
        let Ok(Outcome::Pending(pending)) = &result else {
            panic!("{result:?}")
        };
        assert_eq!(pending.why, PendingReason::InFlight);
        assert!(pending.recorded);
    }
    // Nor is another card, or another account, a way around it.
    let card = payonce::Source::token("pm_card_mastercard");
    let other = second.charge(charge("r1").source(card).attempt(2)).await;
    let open = matches!(other, Err(Error::PriorAttemptOpen { .. }));
    assert!(open, "{other:?}");
    assert_eq!(world.sent().len(), 1);
    assert_eq!(world.gateway.release(), 1);
    assert_word(&first.await.unwrap(), "succeeded");
    assert_word(&second.charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
}

/// A caller that joins with another amount is refused, though nothing is settled yet.
#[tokio::test]
async fn a_caller_that_joins_with_another_intent_is_refused() {
    let world = World::new();
    world.fault(Fault::Delay {
        when: When::Before,
        ms: 100,
    });
    let client = world.client();
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.charge(charge("r1")).await }
    });
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    let other = charge("r1").source(payonce::Source::token("pm_card_mastercard"));
    assert_word(&client.charge(other).await, "mismatch");
    assert_word(&first.await.unwrap(), "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
}

/// Each caller keeps its own deadline; the operation goes on.
#[tokio::test]
async fn a_caller_whose_time_is_over_hears_that_it_is_in_flight() {
    let world = World::new();
    world.fault(Fault::HoldForEver { execute: true });
    let client = Client::builder(payonce::SqliteLedger::open(world.ledger_path()).unwrap())
        .provider(world.stripe())
        .build()
        .unwrap();
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.charge(charge("r1")).await }
    });
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    let hasty = client
        .charge(charge("r1").deadline(Duration::from_millis(100)))
        .await;
    assert_word(&hasty, "pending");
    assert_eq!(world.gateway.release(), 1);
    assert_word(&first.await.unwrap(), "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
}

/// Who calls after an answer gets what is true then, not the answer again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_right_after_an_answer_never_gets_that_answer_again() {
    let world = World::new();
    let client = world.client();
    for order in 0..40 {
        let intent = || charge(&format!("order-{order}")).return_url("https://shop.example/back");
        world.fault(Fault::RequireAction {
            kind: ActionKind::RedirectToUrl,
        });
        let Ok(Outcome::ActionRequired(action)) = client.charge(intent()).await else {
            panic!()
        };
        let passed = |stripe: &mut Stripe| stripe.complete_action(&action.provider_id, true);
        world.gateway.stripe(passed).unwrap().unwrap();
        assert_word(&client.charge(intent()).await, "succeeded");
    }
}

/// A waker that only counts.
struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

/// A closed connection drops the caller's future anywhere. The charge goes on, and the next call
/// finds it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_caller_abandons_nothing_wherever_it_is_dropped() {
    let world = World::new();
    let client = world.client();
    let mut polls = 0;
    loop {
        let reference = format!("order-{polls}");
        world.fault(Fault::ReplyLost {
            when: When::After,
            how: Close::Fin,
        });
        let completed = drop_after(client.charge(charge(&reference)), polls).await;
        if completed {
            break;
        }
        let result = client.charge(charge(&reference)).await;
        assert_word(&result, "succeeded");
        assert_eq!(world.effects(&reference), 1, "dropped after {polls} polls");
        world.gateway.faults().clear();
        polls += 1;
    }
    println!("dropped after each of {polls} polls");
    assert!(polls >= 2, "a charge takes more than one poll");
}

/// Polls a future so many times, whenever it may have something new, and drops it. Whether it
/// completed.
async fn drop_after(future: impl Future<Output = Result<Outcome, Error>>, polls: u32) -> bool {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Nobody));
    for _ in 0..polls {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            assert_word(&result, "succeeded");
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}

/// A runtime that goes away takes its tasks with it. The claim stays, and the next call goes on
/// with the same key.
#[test]
fn a_runtime_that_ends_leaves_a_claim_that_the_next_call_takes_over() {
    let world = World::new();
    world.fault(Fault::HoldForEver { execute: true });
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
    };
    let first = runtime();
    first.block_on(async {
        let client = world.client();
        let call = client.charge(charge("r1"));
        let sent = async {
            while world.sent().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            result = call => panic!("{result:?}"),
            () = sent => {}
        }
    });
    drop(first);
    assert_eq!(world.state("r1"), "sending");
    let result = runtime().block_on(async { world.client().charge(charge("r1")).await });
    assert_word(&result, "succeeded");
    assert_eq!((world.keys().len(), world.effects("r1")), (1, 1));
}

/// The last handle of a client is dropped while a charge is under way, and its caller with it. The
/// charge goes on and is written down, and the next client answers it without a send.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_is_dropped_under_way_leaves_its_charge_to_end() {
    let world = World::new();
    world.fault(Fault::HoldForEver { execute: true });
    let call = tokio::spawn({
        let client = world.client();
        async move { client.charge(charge("r1")).await }
    });
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert_eq!(world.gateway.release(), 1);
    let ends = async {
        while world.state("r1") == "sending" {
            tokio::task::yield_now().await;
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(20), ends).await;
    assert!(ended.is_ok(), "nobody drives it any more");
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 1));
}

/// A runtime ends with a charge under way, while a caller on another runtime waits for it. That
/// caller must hear that money may have moved, and the next client goes on with the same key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_whose_charge_was_lost_with_its_runtime_hears_that_it_is_unknown() {
    let world = World::new();
    world.fault(Fault::HoldForEver { execute: true });
    let client = world.client();
    let other = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    drop(other.spawn({
        let client = client.clone();
        async move { client.charge(charge("r1")).await }
    }));
    while world.sent().is_empty() {
        tokio::task::yield_now().await;
    }
    let mut waiting = Box::pin(client.charge(charge("r1")));
    let waker = Waker::from(Arc::new(Nobody));
    let polled = waiting.as_mut().poll(&mut Context::from_waker(&waker));
    assert!(polled.is_pending(), "it joined");
    tokio::task::spawn_blocking(move || drop(other))
        .await
        .unwrap();
    let result = waiting.await;
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    assert_eq!(unknown.doubt, Doubt::TaskLost);
    assert!(unknown.recorded);
    assert_eq!(world.state("r1"), "sending");
    drop(client);
    assert_word(&world.client().charge(charge("r1")).await, "succeeded");
    assert_eq!((world.keys().len(), world.effects("r1")), (1, 1));
}
