//! Hosts: each with a clock that may be wrong, a machine that may sleep or start anew, and one
//! process that may die at any moment.
//!
//! A process dies by never getting an answer again: whatever its tasks wait for stays open. What
//! it had not handed out by then is lost, as with a real one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use payonce::ledger::Ledger;
use payonce::{Client, KeySource, OperationId, Timestamp};
use tokio::sync::Notify;

use super::adapter::Adapter;
use super::clock::{HostClock, Seeded};
use super::network::Wire;
use super::{BEGIN, World, lock};
use crate::faults::Kind;
use crate::ledger::Watched;
use crate::plants::Plant;

/// A machine: its clocks. Several hosts may share one, as containers do.
pub(crate) struct Machine {
    pub(crate) name: u64,
    clocks: Mutex<Clocks>,
}

#[derive(Default)]
struct Clocks {
    /// How far its wall clock is ahead of the true time, in milliseconds.
    ahead: i64,
    boots: u64,
    /// When it started, by the true time of the history.
    booted: Duration,
}

impl Machine {
    pub(super) fn new(name: u64) -> Self {
        Self {
            name,
            clocks: Mutex::default(),
        }
    }

    /// Its wall clock is so many milliseconds wrong from now on, in addition.
    pub(crate) fn jump(&self, by: i64) {
        let mut clocks = lock(&self.clocks);
        clocks.ahead = clocks.ahead.saturating_add(by);
    }

    /// Its wall clock is right again.
    pub(crate) fn set_right(&self) {
        lock(&self.clocks).ahead = 0;
    }

    /// The name of its present run.
    pub(super) fn boot(&self) -> String {
        let boots = lock(&self.clocks).boots;
        format!("machine {} boot {boots}", self.name)
    }

    fn boots(&self, now: Duration) {
        let mut clocks = lock(&self.clocks);
        clocks.boots = clocks.boots.saturating_add(1);
        clocks.booted = now;
    }
}

/// Where one process of the merchant's runs.
pub(crate) struct Host {
    pub(crate) name: u64,
    pub(crate) machine: Arc<Machine>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    asleep_until: Duration,
    /// How long it slept in all.
    slept: Duration,
    process: Option<Arc<Process>>,
    processes: u64,
}

impl Host {
    pub(super) fn new(name: u64, machine: Arc<Machine>) -> Self {
        Self {
            name,
            machine,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Its process, if one runs.
    pub(crate) fn process(&self) -> Option<Arc<Process>> {
        self.state().process.clone()
    }

    /// It sleeps no longer.
    pub(crate) fn wake(&self) {
        self.state().asleep_until = Duration::ZERO;
    }

    /// Nothing runs on it for so long.
    pub(crate) fn suspend(&self, world: &World, by: Duration) {
        let until = world.elapsed().saturating_add(by);
        let mut state = self.state();
        state.asleep_until = until;
        state.slept = state.slept.saturating_add(by);
    }

    pub(crate) fn wall(&self, world: &World) -> Timestamp {
        let true_time = Duration::from_secs(BEGIN).saturating_add(world.elapsed());
        let off = lock(&self.machine.clocks).ahead;
        let now = Timestamp::from_millis(i64::try_from(true_time.as_millis()).unwrap_or(i64::MAX));
        let ahead = Duration::from_millis(off.unsigned_abs());
        let now = if off < 0 {
            now.minus(ahead)
        } else {
            now.plus(ahead)
        };
        if world.has(Plant::SleepsPast) {
            return now.minus(self.state().slept);
        }
        now
    }

    pub(super) fn uptime(&self, world: &World) -> Duration {
        let booted = lock(&self.machine.clocks).booted;
        let up = world.elapsed().saturating_sub(booted);
        if world.has(Plant::SleepsPast) {
            return up.saturating_sub(self.state().slept);
        }
        up
    }

    /// Starts a process, with a ledger opened anew.
    pub(crate) fn start(self: &Arc<Self>, world: &Arc<World>) {
        let process = {
            let mut state = self.state();
            state.asleep_until = Duration::ZERO;
            state.slept = Duration::ZERO;
            state.processes = state.processes.saturating_add(1);
            Arc::new(Process {
                host: Arc::clone(self),
                number: state.processes,
                alive: AtomicBool::new(true),
                died: Notify::new(),
                ledger: Mutex::default(),
                client: Mutex::default(),
                baselines: Mutex::default(),
            })
        };
        let clock = process.clock(world);
        *lock(&process.ledger) = Some(world.store.open(clock.clone()));
        let built = build(world, &process, clock);
        match built {
            Ok(client) => *lock(&process.client) = Some(client),
            Err(error) => world.checks().fail("set-up", error.to_string()),
        }
        world.note(|| format!("host {} runs process {}", self.name, process.number));
        self.state().process = Some(process);
    }
}

fn build(
    world: &Arc<World>,
    process: &Arc<Process>,
    clock: HostClock,
) -> Result<Client, payonce::Error> {
    let ledger = Watched::new(Arc::clone(world), Arc::clone(process));
    let seeded = Seeded::new(
        world,
        &format!("fresh/{}/{}", process.host.name, process.number),
    );
    let keys = if world.plan.derived_keys {
        KeySource::derived("the merchant's secret")
    } else {
        KeySource::default()
    };
    let mut builder = Client::builder(ledger)
        .clock(clock)
        .transport(Wire::new(Arc::clone(world), Arc::clone(process)))
        .jitter(Seeded::new(world, &format!("jitter/{}", process.host.name)))
        .key_source(keys)
        .fresh(seeded);
    for shop in &world.plan.shops {
        let adapter = Adapter::new(Arc::clone(world), Arc::clone(process), *shop);
        builder = builder.provider(adapter);
    }
    builder.build()
}

/// A process of the merchant's.
pub(crate) struct Process {
    pub(crate) host: Arc<Host>,
    pub(crate) number: u64,
    alive: AtomicBool,
    died: Notify,
    ledger: Mutex<Option<Arc<dyn Ledger>>>,
    client: Mutex<Option<Client>>,
    /// Whose payment it is about to read before a send.
    baselines: Mutex<BTreeSet<OperationId>>,
}

impl Process {
    pub(crate) fn is_alive(&self) -> bool {
        self.alive.load(Ordering::SeqCst)
    }

    pub(crate) fn client(&self) -> Option<Client> {
        lock(&self.client).clone()
    }

    pub(crate) fn ledger(&self) -> Option<Arc<dyn Ledger>> {
        lock(&self.ledger).clone()
    }

    /// Its clock.
    pub(crate) fn clock(self: &Arc<Self>, world: &Arc<World>) -> HostClock {
        HostClock {
            world: Arc::clone(world),
            process: Arc::clone(self),
        }
    }

    /// What it is called in the trace.
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.host.name, self.number)
    }

    pub(super) fn asks_baseline(&self, id: OperationId) {
        lock(&self.baselines).insert(id);
    }

    /// Whose payment it reads now, if it reads one before a send.
    pub(super) fn takes_baseline(&self) -> Option<OperationId> {
        lock(&self.baselines).pop_first()
    }

    /// It dies: no task of it goes on, and its ledger's owner is gone.
    pub(crate) fn die(&self, world: &World) {
        if self.alive.swap(false, Ordering::SeqCst) {
            world.note(|| format!("process {} dies", self.name()));
            let ledger = lock(&self.ledger).take();
            drop(ledger);
            *lock(&self.client) = None;
            self.host.state().process = None;
            self.died.notify_waiters();
        }
    }

    /// Completes when it is dead.
    pub(crate) async fn death(&self) {
        loop {
            let died = self.died.notified();
            if !self.is_alive() {
                return;
            }
            died.await;
        }
    }

    /// Where its tasks get an answer: not while the machine sleeps, and never when it is dead.
    pub(crate) async fn pass(&self, world: &World) {
        loop {
            if !self.is_alive() {
                std::future::pending::<()>().await;
            }
            let until = self.host.state().asleep_until;
            let left = until.saturating_sub(world.elapsed());
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }

    /// Draws whether its machine falls asleep here.
    pub(crate) fn may_sleep(&self, world: &World, label: &str) {
        let label = format!("sleep/{}/{label}", self.host.name);
        if let Some(mut dice) = world.draw(Kind::Suspend, &label) {
            let seconds = match dice.below(10) {
                0..3 => dice.between(1, 60),
                3..7 => dice.between(80, 600),
                7..9 => dice.between(3_600, 20_000),
                _ => dice.between(80_000, 110_000),
            };
            // The whole machine, or this process only.
            let all = dice.chance(500);
            for host in &world.hosts {
                let with = all && Arc::ptr_eq(&host.machine, &self.host.machine);
                if with || host.name == self.host.name {
                    world.note(|| format!("host {} sleeps for {seconds} s", host.name));
                    host.suspend(world, Duration::from_secs(seconds));
                }
            }
        }
    }
}

impl World {
    /// A place where a process may die. A new one comes up some time later.
    pub(crate) fn may_crash(self: &Arc<Self>, process: &Arc<Process>, kind: Kind, label: &str) {
        let label = format!("crash/{}/{label}", process.host.name);
        let Some(mut dice) = self.draw(kind, &label) else {
            return;
        };
        let reboot = dice.chance(300);
        let machine = &process.host.machine;
        let with = |host: &&Arc<Host>| reboot && Arc::ptr_eq(&host.machine, machine);
        for host in self.hosts.iter().filter(with) {
            if let Some(process) = host.process() {
                process.die(self);
                self.comes_up(host, dice.between(1, 600), false);
            }
        }
        process.die(self);
        let seconds = match dice.below(4) {
            0 => 0,
            1 => dice.between(1, 30),
            2 => dice.between(30, 1_000),
            _ => dice.between(1_000, 20_000),
        };
        self.comes_up(&process.host, seconds, reboot);
    }

    fn comes_up(self: &Arc<Self>, host: &Arc<Host>, seconds: u64, reboot: bool) {
        if reboot {
            self.note(|| format!("machine {} starts anew", host.machine.name));
            host.machine.boots(self.elapsed());
            self.clock_is_wrong();
        }
        let (world, host) = (Arc::clone(self), Arc::clone(host));
        drop(tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            if host.process().is_none() {
                host.start(&world);
            }
        }));
    }

    /// From now on the age of a key may not be known.
    pub(crate) fn clock_is_wrong(&self) {
        self.checks().clock_is_wrong();
    }
}
