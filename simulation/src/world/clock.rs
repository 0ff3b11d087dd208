//! The clock of a process, and what it gets instead of random numbers.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use payonce::{BoxFuture, Clock, Fresh, Jitter, Timestamp};
use ulid::Ulid;
use uuid::{Builder, Uuid, Variant, Version};

use super::{Process, World, lock};
use crate::dice::Dice;

/// The clock of a process.
#[derive(Clone)]
pub(crate) struct HostClock {
    pub(super) world: Arc<World>,
    pub(super) process: Arc<Process>,
}

impl fmt::Debug for HostClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HostClock")
    }
}

impl Clock for HostClock {
    fn now(&self) -> Timestamp {
        self.process.host.wall(&self.world)
    }

    fn uptime(&self) -> Duration {
        self.process.host.uptime(&self.world)
    }

    fn boot(&self) -> Option<String> {
        Some(self.process.host.machine.boot())
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // A limit on a whole call is no pause of the engine's.
            if duration < Duration::from_secs(15) {
                self.process.may_sleep(&self.world, "pause");
            }
            tokio::time::sleep(duration).await;
            self.process.pass(&self.world).await;
        })
    }
}

/// New ids, keys and jitter, from the seed.
pub(crate) struct Seeded {
    dice: Mutex<Dice>,
    /// Ids rise, as those of a clock do.
    made: AtomicU64,
}

impl Seeded {
    pub(crate) fn new(world: &World, label: &str) -> Self {
        Self {
            dice: Mutex::new(world.dice(label)),
            made: AtomicU64::new(0),
        }
    }

    fn bits(&self) -> u128 {
        self.made.fetch_add(1, Ordering::SeqCst);
        let mut dice = lock(&self.dice);
        (u128::from(dice.draw()) << 64) | u128::from(dice.draw())
    }

    fn uuid(&self, version: Version) -> Uuid {
        Builder::from_u128(self.bits())
            .with_variant(Variant::RFC4122)
            .with_version(version)
            .into_uuid()
    }
}

impl fmt::Debug for Seeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seeded")
    }
}

impl Fresh for Seeded {
    fn ulid(&self) -> Ulid {
        Ulid::from(self.bits())
    }

    fn uuid_v4(&self) -> Uuid {
        self.uuid(Version::Random)
    }

    fn uuid_v7(&self) -> Uuid {
        self.uuid(Version::SortRand)
    }
}

impl Jitter for Seeded {
    fn draw(&self, limit: u64) -> u64 {
        let mut dice = lock(&self.dice);
        dice.between(0, limit.min(u64::MAX.saturating_sub(1)))
    }
}
