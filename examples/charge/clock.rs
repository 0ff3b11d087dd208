//! A clock that a scene can set a day ahead.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use payonce::{BoxFuture, Clock, SystemClock, Timestamp};

/// The system's clock, so much ahead. Clones are the same clock.
#[derive(Debug, Clone, Default)]
pub(crate) struct AheadClock {
    ahead_ms: Arc<AtomicU64>,
}

impl AheadClock {
    pub(crate) fn advance(&self, by: Duration) {
        let ms = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.ahead_ms.fetch_add(ms, Ordering::SeqCst);
    }

    fn ahead(&self) -> Duration {
        Duration::from_millis(self.ahead_ms.load(Ordering::SeqCst))
    }
}

impl Clock for AheadClock {
    fn now(&self) -> Timestamp {
        SystemClock::new().now().plus(self.ahead())
    }

    fn uptime(&self) -> Duration {
        SystemClock::new().uptime().saturating_add(self.ahead())
    }

    fn boot(&self) -> Option<String> {
        SystemClock::new().boot()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move { SystemClock::new().sleep(duration).await })
    }
}
