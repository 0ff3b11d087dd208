//! What is around the engine: the true time, the gateways, the hosts, and what is drawn.

mod adapter;
mod clock;
mod gateways;
mod host;
mod network;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

pub(crate) use self::gateways::{Card, Shop};
pub(crate) use self::host::{Host, Machine, Process};
use crate::check::Checks;
use crate::coverage::{Coverage, Event};
use crate::dice::Dice;
use crate::faults::Kind;
use crate::ledger::Store;
use crate::plan::Plan;
use crate::plants::Plant;
use crate::trace::Trace;

/// When every history begins: seconds since 1970.
const BEGIN: u64 = 1_796_000_000;

/// One history's world.
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) plan: Plan,
    pub(crate) plant: Option<Plant>,
    pub(crate) store: Store,
    pub(crate) hosts: Vec<Arc<Host>>,
    start: Instant,
    muted: BTreeSet<String>,
    /// The faults are over.
    calm: AtomicBool,
    gateways: Mutex<payonce_simulator::World>,
    drawn: Mutex<Drawn>,
    trace: Mutex<Trace>,
    checks: Mutex<Checks>,
    coverage: Mutex<Coverage>,
}

/// What was drawn so far.
#[derive(Default)]
struct Drawn {
    /// How often each label came up: the next one gets a number of its own.
    numbers: BTreeMap<String, u64>,
    /// The labels of what happened because it was drawn.
    happened: Vec<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    pub(crate) fn new(
        seed: u64,
        plant: Option<Plant>,
        muted: BTreeSet<String>,
        store: Store,
        trace: Trace,
    ) -> Arc<Self> {
        let plan = Plan::of(seed);
        let shared = Arc::new(Machine::new(0));
        let hosts = (0..plan.hosts).map(|name| {
            let machine = if plan.one_machine {
                Arc::clone(&shared)
            } else {
                Arc::new(Machine::new(name))
            };
            Arc::new(Host::new(name, machine))
        });
        let world = Arc::new(Self {
            seed,
            hosts: hosts.collect(),
            start: Instant::now(),
            gateways: Mutex::new(gateways::all(&plan)),
            plan,
            plant,
            store,
            muted,
            calm: AtomicBool::new(false),
            drawn: Mutex::default(),
            trace: Mutex::new(trace),
            checks: Mutex::default(),
            coverage: Mutex::default(),
        });
        if !world.plan.one_machine {
            world.clock_is_wrong();
        }
        if world.plan.lag > 0 {
            world.coverage().fault(Kind::Lag);
        }
        world
    }

    /// How long the history goes on, by the true time.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The true time.
    pub(crate) fn now(&self) -> SystemTime {
        let since = Duration::from_secs(BEGIN).saturating_add(self.elapsed());
        SystemTime::UNIX_EPOCH
            .checked_add(since)
            .unwrap_or(SystemTime::UNIX_EPOCH)
    }

    pub(crate) fn has(&self, plant: Plant) -> bool {
        self.plant == Some(plant)
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::SeqCst)
    }

    /// From now on nothing goes wrong any more.
    pub(crate) fn calm_down(&self) {
        self.calm.store(true, Ordering::SeqCst);
    }

    /// Numbers for a label that comes up again and again.
    pub(crate) fn dice(&self, label: &str) -> Dice {
        Dice::of(self.seed, &self.number(label))
    }

    fn number(&self, label: &str) -> String {
        let mut drawn = lock(&self.drawn);
        let number = drawn.numbers.entry(label.to_owned()).or_default();
        *number = number.saturating_add(1);
        format!("{label}#{number}")
    }

    /// Draws whether one of these goes wrong here, each by its own rate.
    pub(crate) fn draw_one(&self, kinds: &[Kind], label: &str) -> Option<(Kind, Dice)> {
        let label = self.number(label);
        if self.is_calm() {
            return None;
        }
        let mut dice = Dice::of(self.seed, &label);
        let mut weights: Vec<u64> = kinds
            .iter()
            .map(|kind| self.plan.rates.rate(*kind))
            .collect();
        let sum = weights.iter().copied().fold(0, u64::saturating_add);
        // More than this never goes wrong at once: some things must go well.
        weights.push(if sum < 650 {
            1000_u64.saturating_sub(sum)
        } else {
            sum / 2
        });
        let kind = dice
            .weigh(&weights)
            .and_then(|place| kinds.get(place).copied())?;
        self.happens(&label, kind).then_some((kind, dice))
    }

    /// Draws whether one thing goes wrong here.
    pub(crate) fn draw(&self, kind: Kind, label: &str) -> Option<Dice> {
        self.draw_one(&[kind], label).map(|(_, dice)| dice)
    }

    fn happens(&self, label: &str, kind: Kind) -> bool {
        let full = format!("{label} {}", kind.name());
        if self.muted.contains(&full) {
            return false;
        }
        self.note(|| format!("fault: {} ({label})", kind.name()));
        lock(&self.drawn).happened.push(full);
        self.coverage().fault(kind);
        true
    }

    /// Whether an action of the merchants is left out of this history.
    pub(crate) fn is_left_out(&self, action: &str) -> bool {
        if self.muted.contains(action) {
            return true;
        }
        lock(&self.drawn).happened.push(action.to_owned());
        false
    }

    pub(crate) fn happened(&self) -> Vec<String> {
        lock(&self.drawn).happened.clone()
    }

    /// One line of the trace.
    pub(crate) fn note(&self, line: impl FnOnce() -> String) {
        let at = self.elapsed();
        lock(&self.trace).note(at, &line());
    }

    /// The number of the whole history, and its lines if they are kept.
    pub(crate) fn traced(&self) -> (u64, Vec<String>) {
        let mut trace = lock(&self.trace);
        (trace.hash(), trace.take_lines())
    }

    pub(crate) fn checks(&self) -> MutexGuard<'_, Checks> {
        lock(&self.checks)
    }

    pub(crate) fn coverage(&self) -> MutexGuard<'_, Coverage> {
        lock(&self.coverage)
    }

    /// Works on the gateways, and compares every movement of money that came of it.
    pub(crate) fn at_gateways<R>(
        &self,
        work: impl FnOnce(&mut payonce_simulator::World, SystemTime) -> R,
    ) -> R {
        let now = self.now();
        let mut gateways = lock(&self.gateways);
        let result = work(&mut gateways, now);
        let before = self.checks().effects_seen();
        let new: Vec<_> = gateways.effects().iter().skip(before).cloned().collect();
        drop(gateways);
        for effect in new {
            self.note(|| {
                format!(
                    "EFFECT {:?} {} {} at {} ({})",
                    effect.kind, effect.amount, effect.currency, effect.gateway, effect.provider_id
                )
            });
            self.checks().effect(effect);
        }
        result
    }

    /// Reads the rows anew, and compares what changed with what may change.
    pub(crate) fn rows_changed(&self, by: &str) {
        let rows = self.store.rows();
        let mut checks = self.checks();
        let changes = checks.rows(rows, by, self.elapsed());
        drop(checks);
        for line in changes.lines {
            self.note(|| line);
        }
        for from in changes.superseded {
            self.coverage().edge(Some(from), Event::Supersede);
        }
    }
}
