//! The world from outside, while the server runs.

use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::adyen::Adyen;
use crate::aps::Aps;
use crate::clock::SimClock;
use crate::effect::Effect;
use crate::fault::PlannedFault;
use crate::hyperpay::HyperPay;
use crate::log::LoggedRequest;
use crate::moyasar::Moyasar;
use crate::paytabs::PayTabs;
use crate::square::Square;
use crate::stripe::Stripe;
use crate::tap::Tap;
use crate::world::World;

/// What the server and its handles share.
pub(super) struct Shared {
    world: Mutex<World>,
    pub(super) clock: SimClock,
    pub(super) address: SocketAddr,
    /// Changes whenever held requests may go on.
    pub(super) released: watch::Sender<()>,
}

impl Shared {
    pub(super) fn new(world: World, clock: SimClock, address: SocketAddr) -> Self {
        let (released, _) = watch::channel(());
        Self {
            world: Mutex::new(world),
            clock,
            address,
            released,
        }
    }

    /// A panic elsewhere, in a test's closure, leaves the records readable.
    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn release(&self) -> usize {
        let count = self.world().release_all().len();
        self.released.send_replace(());
        count
    }

    pub(super) fn reset(&self) {
        self.world().reset();
        self.released.send_replace(());
    }
}

/// A running simulator from inside the process. Clones are the same simulator.
#[derive(Clone)]
pub struct Handle {
    shared: Arc<Shared>,
}

impl Handle {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// The address of the server, `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.shared.address)
    }

    /// The base URL of a gateway: its own paths follow.
    pub fn gateway_url(&self, gateway: &str) -> String {
        format!("{}/{gateway}", self.url())
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// The faults that wait for requests.
    pub fn faults(&self) -> Faults<'_> {
        Faults {
            shared: &self.shared,
        }
    }

    /// The clock.
    pub fn clock(&self) -> &SimClock {
        &self.shared.clock
    }

    /// Every request that came in, oldest first.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.shared.world().requests().to_vec()
    }

    /// Every `POST` that came in, oldest first, without those for which a gateway only reads.
    pub fn posts(&self) -> Vec<LoggedRequest> {
        let world = self.shared.world();
        let posts = world
            .requests()
            .iter()
            .filter(|request| request.method == "POST" && !request.reads);
        posts.cloned().collect()
    }

    /// Every movement of money, oldest first.
    pub fn effects(&self) -> Vec<Effect> {
        self.shared.world().effects().to_vec()
    }

    /// The movements of money under a reference of the merchant: those with a field that holds it.
    pub fn effects_for(&self, reference: &str) -> Vec<Effect> {
        self.shared.world().effects_for(reference)
    }

    /// How many requests may still do something: on their way to the gateway, or in progress there.
    pub fn in_flight(&self) -> usize {
        self.shared.world().in_flight()
    }

    /// Lets the requests go on that are held for ever. Their number comes back.
    pub fn release(&self) -> usize {
        self.shared.release()
    }

    /// Forgets everything but settings and clock. Requests under way end without an answer.
    pub fn reset(&self) {
        self.shared.reset();
    }

    /// Looks at the simulated Stripe, or plants something in it. The simulator stands still
    /// meanwhile, so the closure must not call this handle. None only if another gateway took
    /// its place.
    pub fn stripe<R>(&self, look: impl FnOnce(&mut Stripe) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("stripe", now, look)
    }

    /// Looks at the simulated Square, as [`Handle::stripe`] does at Stripe.
    pub fn square<R>(&self, look: impl FnOnce(&mut Square) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("square", now, look)
    }

    /// Looks at the simulated Moyasar, as [`Handle::stripe`] does at Stripe.
    pub fn moyasar<R>(&self, look: impl FnOnce(&mut Moyasar) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("moyasar", now, look)
    }

    /// The same with the simulated Amazon Payment Services.
    pub fn aps<R>(&self, look: impl FnOnce(&mut Aps) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("aps", now, look)
    }

    /// The same with the simulated `HyperPay`.
    pub fn hyperpay<R>(&self, look: impl FnOnce(&mut HyperPay) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("hyperpay", now, look)
    }

    /// The same with the simulated Tap.
    pub fn tap<R>(&self, look: impl FnOnce(&mut Tap) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("tap", now, look)
    }

    /// The same with the simulated `PayTabs`.
    pub fn paytabs<R>(&self, look: impl FnOnce(&mut PayTabs) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("paytabs", now, look)
    }

    /// The same with the simulated Adyen.
    pub fn adyen<R>(&self, look: impl FnOnce(&mut Adyen) -> R) -> Option<R> {
        let now = self.shared.clock.now();
        self.shared.world().with_gateway("adyen", now, look)
    }

    /// Looks at the whole world. The simulator stands still meanwhile.
    pub fn world<R>(&self, look: impl FnOnce(&mut World) -> R) -> R {
        look(&mut self.shared.world())
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("url", &self.url())
            .finish_non_exhaustive()
    }
}

/// The faults that wait for requests.
pub struct Faults<'a> {
    shared: &'a Shared,
}

impl Faults<'_> {
    /// Plans a fault, behind those that are there. A bare [`Fault`](crate::Fault) hits the next
    /// `POST`, once. Its number in the queue comes back.
    pub fn push(&self, planned: impl Into<PlannedFault>) -> u64 {
        self.shared.world().push_fault(planned)
    }

    /// Those that are left, oldest first. One that hit as often as planned is gone.
    pub fn list(&self) -> Vec<PlannedFault> {
        self.shared.world().faults().to_vec()
    }

    /// Drops all of them. Requests under way keep theirs.
    pub fn clear(&self) {
        self.shared.world().clear_faults();
    }
}

impl fmt::Debug for Faults<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.list()).finish()
    }
}
