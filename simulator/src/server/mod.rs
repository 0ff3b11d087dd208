//! The world over real HTTP on loopback.

mod connection;
mod control;
mod drive;
mod handle;
mod tap;
mod usage;
mod wire;

use std::future::{Ready, ready};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::Deref;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use crate::adyen::{self, Adyen};
use crate::aps::{self, Aps};
use crate::clock::SimClock;
use crate::hyperpay::{self, HyperPay};
use crate::moyasar::{self, Moyasar};
use crate::paytabs::{self, PayTabs};
use crate::square::{self, Square};
use crate::stripe::{self, Stripe};
use crate::tap::{self as tap_payments, Tap};
use crate::world::World;
use handle::Shared;

pub use handle::{Faults, Handle};

/// How a simulator starts.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The port on 127.0.0.1; zero takes a free one.
    pub port: u16,
    /// The simulator's clock.
    pub clock: SimClock,
    /// The settings of the simulated Stripe.
    pub stripe: stripe::Config,
    /// The settings of the simulated Square.
    pub square: square::Config,
    /// The settings of the simulated Moyasar.
    pub moyasar: moyasar::Config,
    /// The settings of the simulated `HyperPay`.
    pub hyperpay: hyperpay::Config,
    /// The settings of the simulated Tap.
    pub tap: tap_payments::Config,
    /// The settings of the simulated Amazon Payment Services.
    pub aps: aps::Config,
    /// The settings of the simulated `PayTabs`.
    pub paytabs: paytabs::Config,
    /// The settings of the simulated Adyen.
    pub adyen: adyen::Config,
}

impl Options {
    /// Sets the port on 127.0.0.1; zero takes a free one.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: SimClock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the settings of the simulated Stripe.
    #[must_use]
    pub fn stripe(mut self, config: stripe::Config) -> Self {
        self.stripe = config;
        self
    }

    /// Sets the settings of the simulated Moyasar.
    #[must_use]
    pub fn moyasar(mut self, config: moyasar::Config) -> Self {
        self.moyasar = config;
        self
    }

    /// Sets the settings of the simulated Amazon Payment Services.
    #[must_use]
    pub fn aps(mut self, config: aps::Config) -> Self {
        self.aps = config;
        self
    }

    /// Sets the settings of the simulated Square.
    #[must_use]
    pub fn square(mut self, config: square::Config) -> Self {
        self.square = config;
        self
    }

    /// Sets the settings of the simulated `HyperPay`.
    #[must_use]
    pub fn hyperpay(mut self, config: hyperpay::Config) -> Self {
        self.hyperpay = config;
        self
    }

    /// Sets the settings of the simulated Tap.
    #[must_use]
    pub fn tap(mut self, config: tap_payments::Config) -> Self {
        self.tap = config;
        self
    }

    /// Sets the settings of the simulated `PayTabs`.
    #[must_use]
    pub fn paytabs(mut self, config: paytabs::Config) -> Self {
        self.paytabs = config;
        self
    }

    /// Sets the settings of the simulated Adyen.
    #[must_use]
    pub fn adyen(mut self, config: adyen::Config) -> Self {
        self.adyen = config;
        self
    }
}

/// Starts servers.
#[derive(Debug)]
#[non_exhaustive]
pub struct Simulator;

impl Simulator {
    /// Starts a server. The same as [`Simulator::start_blocking`], for asynchronous callers: the
    /// server has its own thread and runtime in both cases, so that a caller's paused or busy
    /// runtime does not stop it.
    pub fn start(options: Options) -> Ready<io::Result<Running>> {
        ready(Self::start_blocking(options))
    }

    /// Starts a server on its own thread. It accepts connections when this returns.
    ///
    /// # Errors
    ///
    /// The port is taken, or the system gives no thread.
    pub fn start_blocking(options: Options) -> io::Result<Running> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port)))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let mut world = World::new();
        world.mount(Box::new(Stripe::new(options.stripe)));
        world.mount(Box::new(Moyasar::new(options.moyasar)));
        world.mount(Box::new(HyperPay::new(options.hyperpay)));
        world.mount(Box::new(Tap::new(options.tap)));
        world.mount(Box::new(Aps::new(options.aps)));
        world.mount(Box::new(PayTabs::new(options.paytabs)));
        world.mount(Box::new(Square::new(options.square)));
        world.mount(Box::new(Adyen::new(options.adyen)));
        let shared = Arc::new(Shared::new(world, options.clock, address));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stopped) = oneshot::channel();
        let serving = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("simulator".to_owned())
            .spawn(move || {
                runtime.block_on(connection::accept(listener, serving, stopped));
                // Requests under way must not keep the thread.
                runtime.shutdown_background();
            })?;
        Ok(Running {
            handle: Handle::new(shared),
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

/// A server that runs. Dropping it stops the server and frees the port; the records can still be
/// read through a clone of its [`Handle`].
#[derive(Debug)]
pub struct Running {
    handle: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// A handle that can be cloned and sent to other threads.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }
}

impl Deref for Running {
    type Target = Handle;

    fn deref(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        let Some(thread) = self.thread.take() else {
            return;
        };
        // On its own thread, for example inside a clock of the caller, it cannot wait for itself.
        if thread.thread().id() != std::thread::current().id() {
            drop(thread.join());
        }
    }
}
