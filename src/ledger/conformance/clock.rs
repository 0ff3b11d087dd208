//! A clock that stands where the kit puts it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::{BoxFuture, Clock, Timestamp, millis};

/// The clock of the kit: it stands still until the kit moves it. Clones are one clock.
#[derive(Debug, Clone)]
pub struct KitClock(Arc<Hands>);

#[derive(Debug)]
struct Hands {
    wall: AtomicI64,
    up: AtomicU64,
    boot: AtomicU64,
}

impl KitClock {
    pub(super) fn new(now: Timestamp) -> Self {
        Self(Arc::new(Hands {
            wall: AtomicI64::new(now.as_millis()),
            up: AtomicU64::new(1_000_000),
            boot: AtomicU64::new(1),
        }))
    }

    /// Time passes, on both clocks.
    pub(super) fn pass(&self, by: Duration) {
        self.set(self.now().plus(by));
        let by = u64::try_from(millis(by)).unwrap_or_default();
        self.0.up.fetch_add(by, Ordering::SeqCst);
    }

    /// Somebody sets the wall clock.
    pub(super) fn set(&self, now: Timestamp) {
        self.0.wall.store(now.as_millis(), Ordering::SeqCst);
    }

    /// The machine is started anew.
    pub(super) fn reboot(&self) {
        self.0.boot.fetch_add(1, Ordering::SeqCst);
        self.0.up.store(0, Ordering::SeqCst);
    }
}

impl Clock for KitClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.wall.load(Ordering::SeqCst))
    }

    fn uptime(&self) -> Duration {
        Duration::from_millis(self.0.up.load(Ordering::SeqCst))
    }

    fn boot(&self) -> Option<String> {
        Some(format!("boot {}", self.0.boot.load(Ordering::SeqCst)))
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}
