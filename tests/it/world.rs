//! A small world for a test: the simulated gateway, a ledger file, a clock, and clients.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use payonce::ledger::Ledger;
use payonce::{
    BoxFuture, Charge, Client, ClientBuilder, Clock, Currency, Error, Intent, Jitter, Money,
    Outcome, Policy, Source, SqliteLedger, SqliteOptions, SystemClock, Timestamp,
};
use payonce_simulator::{
    Close, Fault, LoggedRequest, Matcher, Options, Running, SimClock, Simulator, When,
};
use payonce_stripe::Stripe;
use rusqlite::Connection;
use tempfile::TempDir;

/// How long one real exchange may take in a test that waits for the end of that time.
pub(crate) const SHORT: Duration = Duration::from_millis(500);

/// A clock whose pauses take no time: they move it. What is longer than any pause is a limit, and
/// waits for real.
#[derive(Clone)]
pub(crate) struct FastClock {
    times: Arc<Mutex<Times>>,
    /// How far this wall clock is ahead of the true one, in milliseconds.
    ahead: Arc<AtomicI64>,
}

struct Times {
    wall: Duration,
    uptime: Duration,
    boots: u32,
    longest_pause: Duration,
    pauses: Vec<Duration>,
}

impl FastClock {
    fn new() -> Self {
        let times = Times {
            wall: Duration::from_secs(1_795_600_800),
            uptime: Duration::from_secs(86_400),
            boots: 1,
            longest_pause: Duration::from_secs(20),
            pauses: Vec::new(),
        };
        Self {
            times: Arc::new(Mutex::new(times)),
            ahead: Arc::default(),
        }
    }

    /// Time goes on by this much, by every clock.
    pub(crate) fn advance(&self, by: Duration) {
        let mut times = self.times();
        times.wall += by;
        times.uptime += by;
    }

    /// Sets this wall clock wrong by so many seconds, or right again by 0.
    pub(crate) fn set_wrong(&self, seconds: i64) {
        self.ahead.store(seconds * 1000, Ordering::SeqCst);
    }

    /// The same time, shown by a wall clock that is wrong on its own.
    pub(crate) fn another(&self) -> Self {
        Self {
            times: Arc::clone(&self.times),
            ahead: Arc::default(),
        }
    }

    /// What is longer than this is no pause but a limit.
    pub(crate) fn longest_pause(&self, longest: Duration) {
        self.times().longest_pause = longest;
    }

    /// The machine starts anew.
    pub(crate) fn reboot(&self) {
        let mut times = self.times();
        times.uptime = Duration::ZERO;
        times.boots += 1;
    }

    /// The pauses that were made.
    pub(crate) fn pauses(&self) -> Vec<Duration> {
        self.times().pauses.clone()
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap()
    }

    /// The true time.
    fn wall(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + self.times().wall
    }
}

impl fmt::Debug for FastClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FastClock")
    }
}

impl Clock for FastClock {
    fn now(&self) -> Timestamp {
        let ahead = self.ahead.load(Ordering::SeqCst);
        Timestamp::from_millis(Timestamp::from(self.wall()).as_millis() + ahead)
    }

    fn uptime(&self) -> Duration {
        self.times().uptime
    }

    fn boot(&self) -> Option<String> {
        Some(format!("boot {}", self.times().boots))
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if duration > self.times().longest_pause {
                SystemClock::new().sleep(duration).await;
                return;
            }
            self.advance(duration);
            self.times().pauses.push(duration);
            tokio::task::yield_now().await;
        })
    }
}

/// Jitter that always draws the whole interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FullPause;

impl Jitter for FullPause {
    fn draw(&self, limit: u64) -> u64 {
        limit
    }
}

/// The simulated gateway, a ledger file and a clock.
pub(crate) struct World {
    pub(crate) gateway: Running,
    pub(crate) clock: FastClock,
    folder: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with_tick(Duration::ZERO)
    }

    /// A world in which what a gateway does takes some time: it happens after it was asked for.
    pub(crate) fn ticking() -> Self {
        Self::with_tick(Duration::from_millis(1))
    }

    fn with_tick(tick: Duration) -> Self {
        let clock = FastClock::new();
        let source = clock.clone();
        let gateway_clock = SimClock::from_source(Arc::new(move || {
            source.advance(tick);
            source.wall()
        }));
        let options = Options::default().clock(gateway_clock);
        Self {
            gateway: Simulator::start_blocking(options).unwrap(),
            clock,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn ledger_path(&self) -> PathBuf {
        self.folder.path().join("payments.db")
    }

    /// The ledger, opened anew: as another process would.
    pub(crate) fn ledger(&self) -> SqliteLedger {
        self.ledger_with(&self.clock)
    }

    pub(crate) fn ledger_with(&self, clock: &FastClock) -> SqliteLedger {
        SqliteOptions::new(self.ledger_path())
            .clock(clock.clone())
            .open()
            .unwrap()
    }

    pub(crate) fn stripe(&self) -> Stripe {
        Stripe::new("main", "sk_test_1").base_url(self.gateway.gateway_url("stripe"))
    }

    /// A builder with the world's clock.
    pub(crate) fn builder(&self, ledger: impl Ledger) -> ClientBuilder {
        Client::builder(ledger)
            .clock(self.clock.clone())
            .jitter(FullPause)
    }

    /// A client of a new process.
    pub(crate) fn client(&self) -> Client {
        self.client_with(|builder| builder)
    }

    pub(crate) fn client_with(
        &self,
        change: impl FnOnce(ClientBuilder) -> ClientBuilder,
    ) -> Client {
        change(self.builder(self.ledger()).provider(self.stripe()))
            .build()
            .unwrap()
    }

    /// A client that makes one send a call and cannot look up: what stays in doubt stays open.
    pub(crate) fn blind_client(&self) -> Client {
        self.no_look_ups();
        self.client_with(|builder| builder.policy(hasty().sends(1)))
    }

    /// From now on every look-up fails.
    pub(crate) fn no_look_ups(&self) {
        let fault = Fault::server_error(503, When::Before);
        self.gateway
            .faults()
            .push(fault.on(Matcher::default().method("GET")).times(10_000));
    }

    /// Plants a fault for the next charge.
    pub(crate) fn fault(&self, fault: Fault) {
        self.gateway.faults().push(fault.on(Matcher::post()));
    }

    /// The charges that the gateway was sent.
    pub(crate) fn sent(&self) -> Vec<LoggedRequest> {
        self.gateway.posts()
    }

    /// How many of them were of a reference.
    pub(crate) fn sent_for(&self, reference: &str) -> usize {
        let of = |post: &LoggedRequest| post.form_value("metadata[payonce_reference]");
        let all = self.sent();
        all.iter()
            .filter(|post| of(post).as_deref() == Some(reference))
            .count()
    }

    /// The distinct keys among them.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self
            .sent()
            .iter()
            .filter_map(|post| post.key.clone())
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// How often the money of a reference moved.
    pub(crate) fn effects(&self, reference: &str) -> usize {
        self.gateway.effects_for(reference).len()
    }

    /// One value from the ledger's file.
    pub(crate) fn sql<T: rusqlite::types::FromSql>(&self, query: &str) -> T {
        Connection::open(self.ledger_path())
            .unwrap()
            .query_row(query, [], |row| row.get(0))
            .unwrap()
    }

    /// Freezes every reference, as a contradiction does.
    pub(crate) fn freeze(&self) {
        let sql = "UPDATE reference SET frozen = 1; UPDATE operation SET epoch = epoch + 1";
        let ledger = Connection::open(self.ledger_path()).unwrap();
        ledger.execute_batch(sql).unwrap();
    }

    pub(crate) fn state(&self, reference: &str) -> String {
        self.sql(&format!(
            "SELECT state FROM operation o JOIN reference r ON r.rid = o.reference_rid
             WHERE r.reference = '{reference}' ORDER BY attempt DESC"
        ))
    }
}

/// The money moves, and nobody hears of it.
pub(crate) fn lost_after() -> Fault {
    Fault::ReplyLost {
        when: When::After,
        how: Close::Rst,
    }
}

/// The money moves at once, and the reply takes longer than anybody waits.
pub(crate) fn late_reply() -> Fault {
    let (when, ms) = (When::After, 600_000);
    Fault::Delay { when, ms }
}

/// A policy that waits for a reply only a short time.
pub(crate) fn hasty() -> Policy {
    Policy::new().send_timeout(SHORT)
}

pub(crate) fn money(amount: &str, currency: Currency) -> Money {
    Money::parse(amount, currency).unwrap()
}

/// A charge of 480.00 SAR by a test card.
pub(crate) fn charge(reference: &str) -> Intent<Charge> {
    Intent::charge(reference, money("480.00", Currency::SAR)).source(Source::token("pm_card_visa"))
}

/// The word for what a call came to.
pub(crate) fn word(result: &Result<Outcome, Error>) -> &'static str {
    match result {
        Ok(Outcome::Succeeded(_)) => "succeeded",
        Ok(Outcome::Declined(_)) => "declined",
        Ok(Outcome::Rejected(_)) => "rejected",
        Ok(Outcome::ActionRequired(_)) => "action_required",
        Ok(Outcome::Pending(_)) => "pending",
        Ok(Outcome::NoEffect(_)) => "no_effect",
        Ok(Outcome::Reversed(_)) => "reversed",
        Ok(Outcome::Unknown(_)) => "unknown",
        Err(Error::Unavailable { .. }) => "unavailable",
        Err(Error::Unauthorized { .. }) => "unauthorized",
        Err(Error::PaymentMismatch { .. }) => "payment mismatch",
        Err(Error::IntentMismatch { .. }) => "mismatch",
        Err(Error::Invalid { .. }) => "invalid",
        Err(_) => "error",
    }
}

/// Asserts what a call came to, and shows it whole if it is something else.
#[track_caller]
pub(crate) fn assert_word(result: &Result<Outcome, Error>, expected: &str) {
    assert_eq!(word(result), expected, "{result:?}");
}
