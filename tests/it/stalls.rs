//! A machine that is paused at the worst moment: what another process did meanwhile counts.

use std::sync::Arc;
use std::time::Duration;

use payonce::provider::{Request, Response};
use payonce::transport::{ReqwestTransport, Transport, TransportError};
use payonce::{BoxFuture, Client};
use payonce_simulator::Fault;
use payonce_simulator::stripe::Stripe;
use tokio::sync::Semaphore;

use crate::ledgers::stalling;
use crate::world::{World, assert_word, charge};

/// A process stalls between its claim's commit and its send. Another takes over and settles; a day
/// later the gateway has forgotten the key, and the first process wakes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_send_that_was_stalled_is_not_sent_after_another_owner_settled() {
    // Which clocks see the pause: those of the machine, or the wall clock only (a restored
    // virtual machine).
    for only_wall in [false, true] {
        for (declined, hours) in [(false, 0), (false, 25), (true, 25)] {
            let world = World::new();
            let clock = world.clock.another();
            let pass = |time: Duration| {
                if only_wall {
                    let ahead = i64::try_from(time.as_secs()).unwrap();
                    clock.set_wrong(ahead);
                } else {
                    world.clock.advance(time);
                }
            };
            let open = || {
                Client::builder(world.ledger_with(&clock))
                    .clock(clock.clone())
                    .provider(world.stripe())
                    .build()
                    .unwrap()
            };
            let (ledger, stall) = stalling(world.ledger_with(&clock));
            let first = Client::builder(ledger)
                .clock(clock.clone())
                .provider(world.stripe())
                .build()
                .unwrap();
            let call = tokio::spawn({
                let first = first.clone();
                async move { first.charge(charge("r1")).await }
            });
            stall.stored().await;
            pass(Duration::from_secs(100));
            let settled = if declined { "declined" } else { "succeeded" };
            if declined {
                world.fault(Fault::decline("insufficient_funds"));
            }
            assert_word(&open().charge(charge("r1")).await, settled);
            world.gateway.faults().clear();
            pass(Duration::from_secs(100 + hours * 3600));
            world.gateway.stripe(Stripe::forget_keys).unwrap();
            stall.go(1);
            assert_word(&call.await.unwrap(), settled);
            assert_word(&open().charge(charge("r1")).await, settled);
            let moved = usize::from(!declined);
            assert_eq!((world.sent().len(), world.effects("r1")), (1, moved));
        }
    }
}

/// A reference that was frozen while a first send was stalled is not sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_frozen_during_a_stall_is_not_sent() {
    let world = World::new();
    let (ledger, stall) = stalling(world.ledger());
    let client = world
        .builder(ledger)
        .provider(world.stripe())
        .build()
        .unwrap();
    let call = tokio::spawn({
        let client = client.clone();
        async move { client.charge(charge("r1")).await }
    });
    stall.stored().await;
    world.clock.advance(Duration::from_secs(2));
    world.freeze();
    stall.go(1);
    assert_word(&call.await.unwrap(), "unknown");
    assert_eq!((world.sent().len(), world.effects("r1")), (0, 0));
}

/// A transport that keeps the first reply back until it may go on.
#[derive(Debug)]
struct SlowReply {
    inner: ReqwestTransport,
    arrived: Arc<Semaphore>,
    go: Arc<Semaphore>,
}

impl Transport for SlowReply {
    fn send(
        &self,
        base_url: &str,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Response, TransportError>> {
        let reply = self.inner.send(base_url, request, timeout);
        Box::pin(async move {
            let reply = reply.await;
            self.arrived.add_permits(1);
            self.go.acquire().await.unwrap().forget();
            reply
        })
    }
}

/// A reply that comes after another owner settled. Money that moved is never lost: a person hears
/// of it, and what contradicts itself is not believed any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_success_that_comes_late_against_a_final_raises_an_alarm() {
    for declined in [false, true] {
        let world = World::new();
        let clock = world.clock.another();
        let builder = || {
            Client::builder(world.ledger_with(&clock))
                .clock(clock.clone())
                .provider(world.stripe())
        };
        let (arrived, go) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
        let slow = SlowReply {
            inner: ReqwestTransport::new().unwrap(),
            arrived: Arc::clone(&arrived),
            go: Arc::clone(&go),
        };
        let first = builder().transport(slow).build().unwrap();
        let call = tokio::spawn({
            let first = first.clone();
            async move { first.charge(charge("r1")).await }
        });
        arrived.acquire().await.unwrap().forget();
        clock.set_wrong(120);
        world.gateway.stripe(Stripe::forget_keys).unwrap();
        if declined {
            world.fault(Fault::decline("insufficient_funds"));
        }
        let second = builder().build().unwrap().charge(charge("r1")).await;
        assert_word(&second, if declined { "declined" } else { "succeeded" });
        go.add_permits(1);
        let late = call.await.unwrap();
        let again = builder().build().unwrap().charge(charge("r1")).await;
        let alarms: i64 = world.sql("SELECT count(*) FROM alarm");
        let expected = if declined { "unknown" } else { "succeeded" };
        assert_word(&late, expected);
        assert_word(&again, expected);
        assert_eq!(
            (world.effects("r1"), alarms),
            (if declined { 1 } else { 2 }, 1)
        );
    }
}
