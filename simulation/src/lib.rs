//! Deterministic histories of the real engine: several hosts, gateways with faults, crashes,
//! clocks that are wrong, and the promises that must hold in each of them.
//!
//! Everything follows from one seed. The engine, its state machine and its adapters are the real
//! ones; the gateways are the simulator's, in process; time is virtual.

mod check;
mod coverage;
mod dice;
mod faults;
mod ledger;
mod merchant;
mod plan;
mod plants;
mod runs;
mod shrink;
mod trace;
mod world;

use std::collections::BTreeSet;

pub use check::Failure;
pub use coverage::{Coverage, floor};
pub use plants::Plant;
pub use runs::{Found, Summary, find, run_all};
pub use shrink::shrink;

use ledger::Store;
use trace::Trace;
use world::World;

/// Which history, and how.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Everything that is drawn follows from it.
    pub seed: u64,
    /// A mistake that is planted.
    pub plant: Option<Plant>,
    /// Faults and actions that are left out.
    pub muted: BTreeSet<String>,
    /// Keep what happened as text.
    pub traced: bool,
    /// Over a real file instead of the rules in memory.
    pub sqlite: bool,
}

impl Options {
    /// The history of a seed.
    pub fn of(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// The same with a mistake.
    #[must_use]
    pub const fn with_plant(mut self, plant: Option<Plant>) -> Self {
        self.plant = plant;
        self
    }

    /// The same, kept as text.
    #[must_use]
    pub const fn traced(mut self) -> Self {
        self.traced = true;
        self
    }

    /// The same over a real file.
    #[must_use]
    pub const fn on_sqlite(mut self, sqlite: bool) -> Self {
        self.sqlite = sqlite;
        self
    }

    /// The same without these faults and actions.
    #[must_use]
    pub fn without(mut self, muted: BTreeSet<String>) -> Self {
        self.muted = muted;
        self
    }
}

/// What came of a history.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The promises that did not hold.
    pub failures: Vec<Failure>,
    /// One number for everything that happened.
    pub hash: u64,
    /// Effects beyond the first under one reference.
    pub double_effects: u64,
    /// Settled as something that was not true.
    pub false_finals: u64,
    /// Held for a person in the end.
    pub held: u64,
    /// Open in the end, and nothing says why.
    pub unsettled: u64,
    /// What it went through.
    pub coverage: Coverage,
    /// The faults and actions that were drawn.
    pub happened: Vec<String>,
    /// What happened, if it was kept.
    pub lines: Vec<String>,
}

/// Runs one history.
pub fn run(options: &Options) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    match runtime {
        Ok(runtime) => runtime.block_on(history(options)),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(why: &str) -> Report {
    let mut report = Report::default();
    report.failures.push(Failure::new("set-up", why));
    report
}

fn store(options: &Options) -> Result<Store, String> {
    if !options.sqlite {
        return Ok(Store::memory(options.seed));
    }
    #[cfg(feature = "sqlite")]
    return Store::sqlite();
    #[cfg(not(feature = "sqlite"))]
    Err("it was built without the feature sqlite".to_owned())
}

async fn history(options: &Options) -> Report {
    let store = match store(options) {
        Ok(store) => store,
        Err(why) => return failed(&why),
    };
    let trace = if options.traced {
        Trace::kept()
    } else {
        Trace::default()
    };
    let (seed, muted) = (options.seed, options.muted.clone());
    let world = World::new(seed, options.plant, muted, store, trace);
    for host in &world.hosts {
        host.start(&world);
    }
    merchant::stories(&world).await;
    let end = merchant::end(&world).await;
    let (hash, lines) = world.traced();
    let coverage = world.coverage().clone();
    let checks = world.checks();
    Report {
        failures: checks.failures().to_vec(),
        hash,
        double_effects: checks.doubles(),
        false_finals: checks.false_finals(),
        held: end.held,
        unsettled: end.unsettled,
        coverage,
        happened: world.happened(),
        lines,
    }
}
