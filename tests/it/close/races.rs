//! A close that meets something else.

use std::time::Duration;

use payonce::Family;
use payonce_simulator::{ActionKind, Fault, Matcher, RateLimit};

use super::{Page, is_canceled};
use crate::world::{World, assert_word, charge};

/// Who wants an end does not get the answer of a charge that he met.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_close_that_meets_a_charge_ends_its_page() {
    let world = World::new();
    let client = world.client();
    let faults = vec![
        Fault::HoldForEver { execute: true },
        Fault::RequireAction {
            kind: ActionKind::RedirectToUrl,
        },
    ];
    world.fault(Fault::Together { faults });
    let paying = tokio::spawn({
        let client = client.clone();
        async move {
            let page = charge("r1").return_url("https://shop.example/back");
            client.charge(page).await
        }
    });
    while world.gateway.in_flight() == 0 {
        tokio::task::yield_now().await;
    }
    let found = client.find(Family::Payment, "r1").await.unwrap().unwrap();
    let closing = tokio::spawn({
        let client = client.clone();
        async move { client.close(found.summary.id).await }
    });
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    world.gateway.release();
    assert_word(&paying.await.unwrap(), "action_required");
    is_canceled(&closing.await.unwrap());
    world.clock.advance(Duration::from_secs(1));
    assert_word(&client.charge(charge("r1").attempt(2)).await, "succeeded");
    assert_eq!(world.effects("r1"), 1);
}

/// A contradiction is found between the look and the close, or between a close and its repeat: from
/// then on nothing is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_freeze_stops_a_close_that_is_under_way() {
    for closes in [0, 1] {
        let page = Page::open().await;
        let hold = Fault::HoldForEver {
            execute: closes == 0,
        };
        if closes == 0 {
            page.world.gateway.faults().push(hold.on(Matcher::get()));
        } else {
            page.fault(hold, 1);
        }
        let closing = tokio::spawn({
            let (client, id) = (page.client.clone(), page.id);
            async move { client.close(id).await }
        });
        while page.world.gateway.in_flight() == 0 {
            tokio::task::yield_now().await;
        }
        page.world.freeze();
        page.world.gateway.release();
        assert_word(&closing.await.unwrap(), "unknown");
        assert_eq!(page.closes().len(), closes);
    }
}

/// The gateway says that it did nothing, and meanwhile a contradiction was found: the answer is what
/// the ledger holds then, and no error that says that nothing may have happened.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_close_that_was_not_carried_out_tells_what_became_of_it_meanwhile() {
    let page = Page::open().await;
    let once = |builder: payonce::ClientBuilder| builder.policy(payonce::Policy::new().sends(1));
    let client = page.world.client_with(once);
    let (kind, retry_after) = (RateLimit::RateLimit, None);
    let faults = vec![
        Fault::HoldForEver { execute: true },
        Fault::RateLimited { kind, retry_after },
    ];
    page.fault(Fault::Together { faults }, 1);
    let id = page.id;
    let closing = tokio::spawn(async move { client.close(id).await });
    while page.world.gateway.in_flight() == 0 {
        tokio::task::yield_now().await;
    }
    page.world.freeze();
    page.world.gateway.release();
    assert_word(&closing.await.unwrap(), "unknown");
    assert_eq!(page.closes().len(), 1);
}
