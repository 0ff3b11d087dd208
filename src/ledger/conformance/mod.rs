//! The kit that checks a ledger. Not covered by semantic versioning.
//!
//! A ledger is right if it answers as every other: it reads rows under a lock, asks the pure
//! functions of [`ledger`](crate::ledger), and writes what they say in the same transaction. The
//! kit checks what that comes to, from outside, with several handles on one store: who may drive
//! an operation, what is durable, what an old owner may still write, and that never more is given
//! back than was taken.
//!
//! Give it a [`Store`], new and empty each time:
//!
//! ```
//! use std::sync::Arc;
//!
//! use payonce::BoxFuture;
//! use payonce::ledger::conformance::{self, KitClock, Store};
//! use payonce::ledger::{Ledger, MemoryStore};
//!
//! struct InMemory(MemoryStore);
//!
//! impl Store for InMemory {
//!     fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>> {
//!         let ledger: Arc<dyn Ledger> = Arc::new(self.0.open(clock));
//!         Box::pin(async move { ledger })
//!     }
//! }
//!
//! # tokio::runtime::Runtime::new()?.block_on(
//! conformance::run(|| InMemory(MemoryStore::new()))
//! # );
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! It runs on a tokio runtime; with several threads its races are harder. What it cannot see is
//! whether a write that was answered survives a power cut: that is the store's own part.

mod attempts;
mod bench;
mod claims;
mod clock;
mod clocks;
mod closes;
mod fences;
mod pages;
mod payments;
mod people;
mod refunds;
mod settlements;
mod steps;

use std::fmt;
use std::sync::Arc;

use self::bench::{Bench, Kept};
pub use self::clock::KitClock;
use super::Ledger;
use crate::clock::BoxFuture;

/// A store of a ledger under test.
pub trait Store: Send + Sync + 'static {
    /// Opens one more handle on this store, as another process would: an owner of its own, which
    /// is dead once every clone of the handle is dropped. All times come from this clock.
    fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>>;

    /// Whether the ledger knows at once that an owner is dead, by a lock that ends with it. Where
    /// only time tells, the kit lets the lease lapse.
    fn tells_dead_owners(&self) -> bool {
        false
    }
}

/// One promise, and how it is checked.
pub struct Check {
    name: &'static str,
    promise: &'static str,
    run: fn(Bench) -> BoxFuture<'static, Kept>,
}

impl Check {
    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What every ledger promises.
    pub const fn promise(&self) -> &'static str {
        self.promise
    }

    /// Checks a new and empty store.
    ///
    /// # Errors
    ///
    /// What the ledger did instead.
    pub async fn run(&self, store: impl Store) -> Result<(), Broken> {
        let bench = Bench::new(Box::new(store));
        (self.run)(bench).await.map_err(|found| Broken {
            check: self.name,
            promise: self.promise,
            found: found.0,
        })
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Check").field(&self.name).finish()
    }
}

/// A promise that a ledger did not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Broken {
    /// The name of the check.
    pub check: &'static str,
    /// The promise.
    pub promise: &'static str,
    /// What was found instead.
    pub found: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            check,
            promise,
            found,
        } = self;
        write!(f, "{check}: the promise is that {promise}, but {found}")
    }
}

/// Runs every check, each on a store of its own.
///
/// # Panics
///
/// If the ledger breaks a promise. The text names each.
pub async fn run<S: Store>(new: impl Fn() -> S + Send + Sync) {
    let mut broken = Vec::new();
    for check in checks() {
        if let Err(found) = check.run(new()).await {
            broken.push(found.to_string());
        }
    }
    assert!(
        broken.is_empty(),
        "this ledger cannot be trusted with money:\n{}",
        broken.join("\n")
    );
}

macro_rules! checks {
    ($($module:ident::$name:ident => $promise:literal,)*) => {
        &[$(Check {
            name: stringify!($name),
            promise: $promise,
            run: |bench| Box::pin($module::$name(bench)),
        }),*]
    };
}

/// Every check.
pub const fn checks() -> &'static [Check] {
    CHECKS
}

const CHECKS: &[Check] = checks! {
        claims::a_claim_is_exclusive
            => "one owner at a time may drive an operation",
        claims::a_claim_is_durable
            => "what is answered as claimed is stored, and every other handle sees it",
        claims::a_dead_owner_is_taken_over
            => "the claim of a dead owner is free, and counts as a send",
        claims::a_lapsed_lease_is_taken_over
            => "a lease ends at its time and not before, and its claim counts as a send",
        claims::a_request_is_stored_byte_for_byte
            => "an operation has one request, one key and one rule for its whole life",
        claims::a_key_belongs_to_one_operation
            => "a key is used by one operation of an account",
        claims::another_intent_is_refused
            => "an intent that differs from the stored one is refused with the fields that differ",
        claims::only_what_is_given_is_made
            => "without a rendered request there is no new row, and without its account no old one",
        claims::the_time_to_send_is_renewed_on_request_only
            => "a claim moves the time to be sent only if it renews it",
        claims::one_salt_is_made_with_the_store
            => "a store has one random salt, which every handle knows and which stays",
        attempts::a_next_attempt_waits_for_a_definite_no
            => "an attempt starts only after every earlier one is there and definitely had no effect",
        attempts::an_unsent_attempt_is_superseded
            => "an attempt that was never sent ends when the next one starts, in the same transaction",
        attempts::two_attempts_exclude_each_other
            => "of an unsent attempt and the next one, one is claimed",
        attempts::a_frozen_reference_is_left_alone
            => "under a frozen reference nothing is claimed, sent or settled",
        attempts::an_attempt_is_found_by_its_number
            => "each attempt is answered as itself, and each tenant has references of its own",
        fences::an_old_epoch_settles_nothing
            => "an owner that was replaced settles nothing with what is no success",
        fences::a_late_success_is_evidence
            => "a success settles the operation, whoever hears of it and however late",
        fences::an_old_epoch_records_only_its_exchange
            => "of an owner that was replaced only its exchanges are kept",
        fences::exchanges_are_counted_once
            => "an exchange that is written twice is one exchange",
        fences::a_settlement_counts_once
            => "a settlement that is written twice is one settlement",
        fences::what_may_have_been_sent_is_never_unsent
            => "an operation that may have had an effect is never called unsent",
        fences::what_is_not_there_is_not_settled
            => "nothing is answered as written to an operation that is not there",
        settlements::every_conclusion_is_read_back
            => "what an operation ends with is read as it was written",
        refunds::refunds_never_exceed_the_payment
            => "never more is refunded than there is, whoever asks at once and whatever is open",
        refunds::captures_never_exceed_the_authorization
            => "never more is captured than was authorized, and captures and voids exclude each other",
        refunds::what_is_refused_leaves_nothing
            => "a refused operation stores nothing",
        payments::a_payment_is_known_by_all_its_names
            => "a payment is found by the id of each capture, refund and void of it",
        payments::only_a_success_is_a_payment
            => "nothing is asked of a payment that has not succeeded, or is another tenant's",
        payments::an_adopted_payment_is_stored_once
            => "a payment is adopted once, with what was taken before",
        payments::a_baseline_is_stored_once
            => "a baseline is stored once, by its owner, before anything is sent",
        payments::without_its_baseline_nothing_was_sent
            => "a dead owner's claim without its baseline counts as no send",
        steps::a_further_step_begins_at_an_action
            => "an operation goes on only from an action, by its owner, and what was sent before is \
                answered by it",
        closes::a_close_is_stored_once
            => "a close is stored before it is sent, by its owner, and is the same until it is refused",
        closes::a_success_waits_for_the_close
            => "while a close may take effect a success is kept, and settles nothing",
        clocks::a_clock_that_goes_back_is_doubted
            => "a clock behind the highest time seen makes every key's age doubtful",
        clocks::a_date_that_differs_is_doubted
            => "a gateway's date that differs makes its account's keys doubtful until one agrees",
        clocks::a_moment_is_sure_after_a_date_agreed
            => "a clock is sure only in the boot in which a gateway's date agreed with it",
        clocks::a_date_speaks_for_the_clock_that_it_was_compared_with
            => "a date that agreed says nothing of a clock that was set before it is written",
        people::only_what_was_never_sent_is_withdrawn
            => "an operation is withdrawn only by its tenant, and only if it was never sent",
        people::nobody_decides_over_a_live_owner
            => "a person decides nothing while an owner may be sending",
        people::a_decision_is_stored_and_fences
            => "a person's decision settles the operation, ends its freeze and fences its owner",
        people::an_alarm_is_seen_once
            => "an alarm is shown to its tenant until somebody acknowledges it",
        pages::operations_are_listed_in_order
            => "a list shows a tenant's operations in the order of their making, a page at a time",
        pages::every_tenant_with_something_open_is_named
            => "each tenant that has an operation in a state is named, once and in order",
};

#[cfg(test)]
mod tests;
