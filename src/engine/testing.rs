//! An engine for tests: a real ledger file, a scripted gateway, and a log of what was done in
//! which order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use http::Method;
use tempfile::TempDir;

use super::{Engine, Errand, Jitter, KeySource, Policy, RetryBudget, SystemFresh, Wanted};
use crate::clock::{BoxFuture, Clock, Timestamp};
use crate::error::{Error, LedgerError};
use crate::intent::{Intent, Source};
use crate::ledger::{
    Checked, Claim, Claimed, Desk, Learned, Ledger, NextStep, Owned, Record, Refused, Settle,
    Settled, SqliteLedger, SqliteOptions, StepRequest,
};
use crate::money::{Currency, Money};
use crate::operation::{Identity, OperationId, OperationKind};
use crate::outcome::Outcome;
use crate::provider::testing::{Fake, reply};
use crate::provider::{Provider, Request, Response};
use crate::transport::{Transport, TransportError};

/// The token that pays.
pub(crate) const TOKEN: &str = "tok_SENTINEL";

/// What is longer than this is no pause, but a limit.
const LONGEST_PAUSE: Duration = Duration::from_secs(40);

/// What the next exchange comes to: a reply, or none.
pub(crate) type Next = Option<(u16, &'static str)>;

#[derive(Debug, Default)]
struct State {
    /// The wall clock less its start, and the uptime.
    wall: Duration,
    up: Duration,
    log: Vec<String>,
    /// The keys of the claims.
    keys: Vec<String>,
    sends: VecDeque<Next>,
    look_ups: VecDeque<Next>,
    faults: Faults,
}

/// What goes wrong in the ledger.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// So many claims find their key in use.
    pub(crate) collisions: usize,
    /// How long a claim takes, by the wall clock and by the uptime.
    pub(crate) takes: (Duration, Duration),
    /// A claim is stored and fails all the same.
    pub(crate) fails: bool,
    /// Then somebody else takes it over.
    pub(crate) thief: Option<SqliteLedger>,
    /// No settlement can be written.
    pub(crate) settle_fails: bool,
    /// Another process finds a contradiction right before a settlement.
    pub(crate) freezes_at_settle: bool,
    /// What becomes of further steps.
    pub(crate) go_on: GoOn,
}

/// What becomes of a further step.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoOn {
    /// It is stored.
    #[default]
    Stored,
    /// It is not.
    Fails,
    /// It is stored, and the answer is an error.
    IsLost,
    /// It is stored, and there is no answer.
    Hangs,
}

/// Everything around an engine.
#[derive(Debug, Clone)]
pub(crate) struct World {
    state: Arc<Mutex<State>>,
    folder: Arc<TempDir>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            state: Arc::default(),
            folder: Arc::new(tempfile::tempdir().unwrap()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn log(&self, what: impl Into<String>) {
        self.state().log.push(what.into());
    }

    /// What was done so far, since the last time.
    pub(crate) fn done(&self) -> Vec<String> {
        std::mem::take(&mut self.state().log)
    }

    /// How often something was done, since the last time.
    pub(crate) fn count(&self, what: &str) -> usize {
        self.done().iter().filter(|done| *done == what).count()
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.state().keys.clone()
    }

    /// What the next sends come to. Later ones are paid.
    pub(crate) fn sends(&self, next: impl IntoIterator<Item = Next>) {
        self.state().sends.extend(next);
    }

    /// What the next look-ups come to. Later ones are unclear.
    pub(crate) fn look_ups(&self, next: impl IntoIterator<Item = Next>) {
        self.state().look_ups.extend(next);
    }

    pub(crate) fn fault(&self, change: impl FnOnce(&mut Faults)) {
        change(&mut self.state().faults);
    }

    pub(crate) fn advance(&self, wall: Duration, up: Duration) {
        let mut state = self.state();
        state.wall = state.wall.saturating_add(wall);
        state.up = state.up.saturating_add(up);
    }

    fn freeze(&self) {
        let path = self.folder.path().join("payments.db");
        let ledger = rusqlite::Connection::open(path).unwrap();
        let sql = "UPDATE reference SET frozen = 1; UPDATE operation SET epoch = epoch + 1";
        ledger.execute_batch(sql).unwrap();
    }

    pub(crate) fn ledger(&self) -> SqliteLedger {
        let path = self.folder.path().join("payments.db");
        let options = SqliteOptions::new(path).clock(self.clone());
        options.open().unwrap()
    }

    pub(crate) fn engine(&self, providers: Vec<Fake>, policy: Policy) -> Engine {
        let budget = |fake: &Fake| {
            let id = fake.account.id();
            (id, RetryBudget::new(policy.retry_budget))
        };
        let budgets = providers.iter().map(budget).collect();
        let boxed = |fake| Arc::new(fake) as Arc<dyn Provider>;
        Engine {
            ledger: Arc::new(Watched {
                inner: self.ledger(),
                world: self.clone(),
            }),
            transport: Arc::new(self.clone()),
            clock: Arc::new(self.clone()),
            jitter: Arc::new(self.clone()),
            policy,
            key_source: KeySource::default(),
            fresh: Arc::new(SystemFresh),
            providers: providers.into_iter().map(boxed).collect(),
            extra_headers: http::HeaderMap::new(),
            budgets,
            unwritten: super::Unwritten::default(),
        }
    }
}

/// A charge of 480.00 SAR.
pub(crate) fn wanted(reference: &str) -> Wanted {
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    let intent = Intent::charge(reference, money).source(Source::token(TOKEN));
    Wanted {
        tenant: String::new(),
        kind: OperationKind::Charge,
        money,
        fields: intent.fields,
        deadline: Duration::from_secs(60),
    }
}

/// Carries it out.
pub(crate) async fn run(engine: &Engine, wanted: &Wanted) -> Result<Outcome, Error> {
    let claim = engine.claim_for(wanted)?;
    let errand = Errand::Intent(Box::new(wanted.clone()));
    engine.run(&errand, claim, &|_| ()).await
}

/// What the ledger holds of it.
pub(crate) async fn row(engine: &Engine, wanted: &Wanted) -> Record {
    let found = engine.ledger.find(wanted.identity()).await;
    found.unwrap().unwrap()
}

impl Clock for World {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000).plus(self.state().wall)
    }

    fn uptime(&self) -> Duration {
        Duration::from_secs(1_000_000).saturating_add(self.state().up)
    }

    fn boot(&self) -> Option<String> {
        Some("test".to_owned())
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if duration > LONGEST_PAUSE {
                // No pause, but a limit.
                std::future::pending::<()>().await;
            }
            self.advance(duration, duration);
            self.log("pause");
            tokio::task::yield_now().await;
        })
    }
}

impl Jitter for World {
    fn draw(&self, limit: u64) -> u64 {
        limit
    }
}

impl Transport for World {
    fn send(
        &self,
        _: &str,
        request: Request,
        _: Duration,
    ) -> BoxFuture<'_, Result<Response, TransportError>> {
        Box::pin(async move {
            let next = if request.method == Method::POST {
                let body = String::from_utf8_lossy(&request.body).into_owned();
                self.log(match request.path.as_str() {
                    "/pay" => "send".to_owned(),
                    other => format!("send {other} {body}"),
                });
                let next = self.state().sends.pop_front();
                next.unwrap_or(Some((200, "paid")))
            } else {
                let path = request.path.split('?').next();
                self.log(format!("ask {}", path.unwrap_or_default()));
                let next = self.state().look_ups.pop_front();
                next.unwrap_or(Some((503, "unclear")))
            };
            next.map(|(status, word)| reply(status, word))
                .ok_or_else(|| TransportError::MaybeSent {
                    problem: "cut".to_owned(),
                    status: None,
                })
        })
    }
}

/// A ledger that writes down what it is asked for.
#[derive(Debug)]
struct Watched {
    inner: SqliteLedger,
    world: World,
}

impl Ledger for Watched {
    fn fingerprint_salt(&self) -> [u8; 32] {
        self.inner.fingerprint_salt()
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        Box::pin(async move {
            self.world.log("claim");
            let key = claim.rendered.as_ref().map(|rendered| &rendered.key);
            let key = key.map(ToString::to_string).unwrap_or_default();
            self.world.state().keys.push(key);
            let (takes, fails, thief) = {
                let faults = &mut self.world.state().faults;
                if let Some(left) = faults.collisions.checked_sub(1) {
                    faults.collisions = left;
                    return Ok(Claimed::Refused(Refused::KeyInUse));
                }
                (faults.takes, faults.fails, faults.thief.take())
            };
            let claimed = self.inner.claim(claim.clone()).await;
            self.world.advance(takes.0, takes.1);
            if let Some(thief) = thief {
                drop(thief.claim(claim).await);
            }
            if fails {
                return Err(LedgerError::Full);
            }
            claimed
        })
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        self.world.log("check");
        self.inner.check(id)
    }

    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>> {
        self.world.log("record");
        self.inner.record(id, epoch, learned)
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        self.world.log("settle");
        if self.world.state().faults.settle_fails {
            return Box::pin(async { Err(LedgerError::Full) });
        }
        if self.world.state().faults.freezes_at_settle {
            self.world.freeze();
        }
        self.inner.settle(settle)
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.inner.read(id)
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.inner.find(identity)
    }

    fn baseline(
        &self,
        id: OperationId,
        epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        self.world.log("baseline");
        self.inner.baseline(id, epoch, baseline)
    }

    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>> {
        Box::pin(async move {
            let fault = self.world.state().faults.go_on;
            if fault == GoOn::Fails {
                return Err(LedgerError::Full);
            }
            let owned = self.inner.go_on(id, epoch, next).await;
            self.world.log("go on");
            match fault {
                GoOn::Hangs => std::future::pending().await,
                GoOn::IsLost => Err(LedgerError::Full),
                GoOn::Stored | GoOn::Fails => owned,
            }
        })
    }

    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>> {
        self.world.log("close");
        self.inner.begin_close(id, epoch, step)
    }

    fn desk(&self) -> &dyn Desk {
        self.inner.desk()
    }
}
