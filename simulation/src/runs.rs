//! Many histories, on all cores: a runtime each.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::{Coverage, Failure, Options, Plant, run};

/// What came of many histories.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// How many there were.
    pub histories: u64,
    /// Effects beyond the first under one reference.
    pub double_effects: u64,
    /// Settled as something that was not true.
    pub false_finals: u64,
    /// Held for a person in the end.
    pub held: u64,
    /// Open in the end, and nothing says why.
    pub unsettled: u64,
    /// What they went through.
    pub coverage: Coverage,
    /// The seeds that failed, each with its first failure.
    pub failed: Vec<(u64, Failure)>,
}

/// A planted mistake, and where it was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found {
    /// What was planted.
    pub plant: Plant,
    /// Within how many seeds, and by which broken promise. `None`: it was not found.
    pub within: Option<(u64, Failure)>,
}

/// Runs the history of each of these seeds. `heard` is told now and then how many are done.
pub fn run_all(seeds: &[u64], like: &Options, heard: &(dyn Fn(u64) + Sync)) -> Summary {
    let next = AtomicU64::new(0);
    let summary = Mutex::new(Summary::default());
    let work = || {
        let mut own = Summary::default();
        loop {
            let place = next.fetch_add(1, Ordering::SeqCst);
            let seed = usize::try_from(place)
                .ok()
                .and_then(|place| seeds.get(place));
            let Some(seed) = seed else { break };
            let options = Options {
                seed: *seed,
                ..like.clone()
            };
            own.count(*seed, &options);
            if place.is_multiple_of(500) {
                heard(place);
            }
        }
        summary
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(own);
    };
    thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(work);
        }
    });
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.failed.sort_by_key(|(seed, _)| *seed);
    summary
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

impl Summary {
    fn count(&mut self, seed: u64, options: &Options) {
        let report = run(options);
        self.histories = self.histories.saturating_add(1);
        self.double_effects = self.double_effects.saturating_add(report.double_effects);
        self.false_finals = self.false_finals.saturating_add(report.false_finals);
        self.held = self.held.saturating_add(report.held);
        self.unsettled = self.unsettled.saturating_add(report.unsettled);
        self.coverage.add(&report.coverage);
        if let Some(first) = report.failures.first() {
            self.failed.push((seed, first.clone()));
        }
    }

    fn add(&mut self, other: Self) {
        self.histories = self.histories.saturating_add(other.histories);
        self.double_effects = self.double_effects.saturating_add(other.double_effects);
        self.false_finals = self.false_finals.saturating_add(other.false_finals);
        self.held = self.held.saturating_add(other.held);
        self.unsettled = self.unsettled.saturating_add(other.unsettled);
        self.coverage.add(&other.coverage);
        self.failed.extend(other.failed);
    }
}

/// Looks for the first seed that finds a planted mistake, from one seed on and within so many.
pub fn find(plant: Plant, from: u64, within: u64) -> Found {
    let next = AtomicU64::new(from);
    let over = AtomicBool::new(false);
    let first: Mutex<Option<(u64, Failure)>> = Mutex::default();
    let work = || {
        while !over.load(Ordering::SeqCst) {
            let seed = next.fetch_add(1, Ordering::SeqCst);
            if seed >= from.saturating_add(within) {
                break;
            }
            let report = run(&Options::of(seed).with_plant(Some(plant)));
            // A mistake may also leave something open that should be settled; that is not what it
            // is feared for.
            let mut broken = report.failures.iter();
            let Some(failure) = broken.find(|failure| failure.what != "unsettled") else {
                continue;
            };
            over.store(true, Ordering::SeqCst);
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have found an earlier one meanwhile.
            if first.as_ref().is_none_or(|(found, _)| *found > seed) {
                *first = Some((seed, failure.clone()));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(work);
        }
    });
    let within = first.into_inner().unwrap_or_else(PoisonError::into_inner);
    Found { plant, within }
}
