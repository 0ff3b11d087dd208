//! What happens while a client waits before its next send: the ledger is read again before every
//! send, and what it then says counts.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use payonce::{BoxFuture, Client, Clock, Doubt, Error, Outcome, SystemClock, Timestamp};
use payonce_simulator::stripe::Stripe;
use payonce_simulator::{Fault, RateLimit, When};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::world::{FastClock, FullPause, World, assert_word, charge};

/// A clock that stands still, and whose pauses last until the test ends them: so nothing but the
/// ledger can keep the next send back.
#[derive(Debug, Clone)]
struct StandStill {
    clock: FastClock,
    paused: Arc<Semaphore>,
    go: Arc<Semaphore>,
}

impl Clock for StandStill {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn uptime(&self) -> Duration {
        self.clock.uptime()
    }

    fn boot(&self) -> Option<String> {
        self.clock.boot()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // No pause but a limit.
            if duration > Duration::from_secs(20) {
                SystemClock::new().sleep(duration).await;
                return;
            }
            self.paused.add_permits(1);
            self.go.acquire().await.unwrap().forget();
        })
    }
}

/// A call in the pause between its first send and the next.
struct Pausing {
    call: JoinHandle<Result<Outcome, Error>>,
    go: Arc<Semaphore>,
}

impl Pausing {
    /// Starts a charge of `r1` whose first send meets the fault, and waits for its pause.
    async fn after(world: &World, fault: Fault) -> Self {
        let (paused, go) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
        let clock = StandStill {
            clock: world.clock.clone(),
            paused: Arc::clone(&paused),
            go: Arc::clone(&go),
        };
        world.fault(fault);
        let client = Client::builder(world.ledger())
            .clock(clock)
            .jitter(FullPause)
            .provider(world.stripe())
            .build()
            .unwrap();
        let call = tokio::spawn(async move { client.charge(charge("r1")).await });
        paused.acquire().await.unwrap().forget();
        assert_eq!(world.sent().len(), 1);
        Self { call, go }
    }

    /// Ends this pause and all that come, and waits for the answer.
    async fn goes_on(self) -> Result<Outcome, Error> {
        self.go.add_permits(1000);
        self.call.await.unwrap()
    }
}

/// One first send that had no effect, and one of which that is not known.
fn first_sends() -> [Fault; 2] {
    let limited = Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: None,
    };
    [limited, Fault::server_error(503, When::Before)]
}

/// Every owner is taken for dead, though it lives: its lock is gone, as on a file system that
/// loses locks. Its leases are over for who opens the ledger next.
fn lose_the_locks(world: &World) {
    let mut folder = world.ledger_path().into_os_string();
    folder.push("-owners");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        fs::remove_file(&path).unwrap();
        fs::File::create(&path).unwrap();
    }
}

/// During a client's backoff another process takes the operation over and settles it. Whoever then
/// sends the next repeat all the same charges again as soon as the gateway has forgotten the key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_pause_nothing_is_sent_of_what_another_owner_settled_meanwhile() {
    for first_send in first_sends() {
        for settled in ["succeeded", "declined"] {
            let world = World::new();
            let pausing = Pausing::after(&world, first_send.clone()).await;
            lose_the_locks(&world);
            if settled == "declined" {
                world.fault(Fault::decline("insufficient_funds"));
            }
            assert_word(&world.client().charge(charge("r1")).await, settled);
            world.gateway.stripe(Stripe::forget_keys).unwrap();
            // The outcome of the other owner is the answer.
            assert_word(&pausing.goes_on().await, settled);
            let moved = usize::from(settled == "succeeded");
            assert_eq!((world.sent().len(), world.effects("r1")), (2, moved));
            assert_eq!(world.state("r1"), settled);
        }
    }
}

/// The same while the other owner's send is under way: the first client says that it is in flight,
/// and does not repeat what another one is doing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_pause_nothing_is_sent_of_what_another_owner_is_driving() {
    for first_send in first_sends() {
        let world = World::new();
        let pausing = Pausing::after(&world, first_send).await;
        lose_the_locks(&world);
        world.fault(Fault::HoldForEver { execute: true });
        let second = world.client();
        let other = tokio::spawn(async move { second.charge(charge("r1")).await });
        while world.sent().len() < 2 {
            tokio::task::yield_now().await;
        }
        assert_word(&pausing.goes_on().await, "pending");
        assert_eq!(world.sent().len(), 2);
        assert_eq!(world.gateway.release(), 1);
        assert_word(&other.await.unwrap(), "succeeded");
        assert_eq!((world.sent().len(), world.effects("r1")), (2, 1));
    }
}

/// The lease of a client ends during its pause, by every clock, and another takes over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_pause_that_outlived_the_lease_nothing_is_sent() {
    for first_send in first_sends() {
        let world = World::new();
        let pausing = Pausing::after(&world, first_send).await;
        world.clock.advance(Duration::from_secs(91));
        assert_word(&world.client().charge(charge("r1")).await, "succeeded");
        world.gateway.stripe(Stripe::forget_keys).unwrap();
        assert_word(&pausing.goes_on().await, "succeeded");
        assert_eq!((world.sent().len(), world.effects("r1")), (2, 1));
    }
}

/// Evidence contradicts itself under a reference, and it is frozen during a client's pause. A send
/// after that may be the second charge that a person was to prevent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_pause_nothing_is_sent_of_what_was_frozen_meanwhile() {
    for first_send in first_sends() {
        let world = World::new();
        let pausing = Pausing::after(&world, first_send).await;
        world.freeze();
        let result = pausing.goes_on().await;
        let Ok(Outcome::Unknown(unknown)) = &result else {
            panic!("{result:?}")
        };
        assert_eq!(unknown.doubt, Doubt::Frozen);
        assert_eq!((world.sent().len(), world.effects("r1")), (1, 0));
    }
}

/// A pause that nobody used is followed by the send.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_pause_in_which_nothing_happened_the_call_goes_on() {
    for first_send in first_sends() {
        let world = World::new();
        let pausing = Pausing::after(&world, first_send).await;
        assert_word(&pausing.goes_on().await, "succeeded");
        assert_eq!((world.sent().len(), world.keys().len()), (2, 1));
        assert_eq!(world.effects("r1"), 1);
    }
}
