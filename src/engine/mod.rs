//! The engine: for one reference, at most one effect.
//!
//! The guarantee rests on an order that is visible in `drive.rs`. It and `drive/` are all that awaits here:
//!
//! ```text
//! intent -> encode -> claim -> send -> classify -> settle
//! ```
//!
//! 1. The row, its key and the rendered bytes are durable before the first byte leaves.
//! 2. A repeat sends the same bytes under the same key, and only where the gateway replays it and
//!    still knows the key, by a clock that can be trusted.
//! 3. What is not known stays open. Time, a spent budget or an empty look-up never end it.
//! 4. An error says that nothing this call sent can have an effect, and the ledger says so too.
//!
//! | file | what it does |
//! |---|---|
//! | `errand.rs` | what a call asks for |
//! | `prepare.rs` | intent to claim: account, key, rendered request |
//! | `keys.rs` | where new keys come from |
//! | `fingerprint.rs` | what would change the financial effect |
//! | `drive.rs` | claim, send, look up, proceed, close, settle |
//! | `gate.rs` | whether a send may leave now |
//! | `policy.rs`, `backoff.rs` | how long, how often, how far apart |
//! | `exchange.rs` | what is kept of a reply |
//! | `answer.rs` | row to outcome or error |
//! | `telemetry.rs` | spans and metrics |
//!
//! What to do next is decided in [`crate::machine`].

mod answer;
mod backoff;
mod drive;
mod errand;
mod exchange;
mod fingerprint;
mod gate;
mod keys;
mod policy;
mod prepare;
mod telemetry;
#[cfg(feature = "sqlite")]
#[cfg(test)]
pub(crate) mod testing;

use std::collections::HashMap;
use std::sync::Arc;

use http::header::HeaderMap;

pub(crate) use self::answer::{answer, guarded, in_flight, refused, summary, unknown, unrecorded};
pub(crate) use self::drive::{Heard, Unwritten, cannot_end, cannot_go_on};
pub(crate) use self::errand::{CLOSE, Errand, PROCEED, Wanted};
pub(crate) use self::keys::SystemFresh;
pub use self::keys::{Fresh, KeySource, Namespace};
pub use self::policy::{Jitter, Policy};
pub(crate) use self::policy::{OsJitter, RetryBudget};
use crate::clock::Clock;
use crate::ledger::Ledger;
use crate::provider::{AccountId, Provider};
use crate::transport::Transport;

/// Everything that a drive needs.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) jitter: Arc<dyn Jitter>,
    pub(crate) policy: Policy,
    pub(crate) key_source: KeySource,
    pub(crate) fresh: Arc<dyn Fresh>,
    pub(crate) providers: Vec<Arc<dyn Provider>>,
    /// Headers of the merchant's own, added to every request.
    pub(crate) extra_headers: HeaderMap,
    /// How many repeats each account may still have.
    pub(crate) budgets: HashMap<AccountId, RetryBudget>,
    /// Settlements that the ledger does not hold yet.
    pub(crate) unwritten: Unwritten,
}
