//! Real processes, killed with SIGKILL at named points.
//!
//! The test binary runs itself as the child. The points are in wrappers around the adapter, the
//! ledger and the transport, so the library has no switch for crashes.

pub(crate) mod child;

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use payonce::provider::OnRepeat;
use payonce::{Client, Error, OperationKind, Outcome, Payment, Provider, SqliteLedger};
use payonce_simulator::{Effect, Fault, Options, Running, Simulator, When};
use rusqlite::Connection;
use tempfile::TempDir;

use self::child::Point;
use crate::gateways::shop::{Shop, call, effect_of, parent};
use crate::gateways::{SHOPS, shop, told_at_once};
use crate::world::assert_word;

/// One operation at one gateway, in real time.
pub(crate) struct Scene {
    pub(crate) gateway: Running,
    shop: &'static dyn Shop,
    kind: OperationKind,
    parent: Option<Payment>,
    /// The requests that made its payment.
    sent_before: usize,
    folder: TempDir,
}

impl Scene {
    pub(crate) async fn new(shop: &'static dyn Shop, kind: OperationKind) -> Self {
        let gateway = Simulator::start_blocking(Options::default()).unwrap();
        let mut scene = Self {
            gateway,
            shop,
            kind,
            parent: None,
            sent_before: 0,
            folder: tempfile::tempdir().unwrap(),
        };
        scene.parent = parent(shop, &scene.client(), kind).await;
        scene.sent_before = scene.gateway.posts().len();
        scene
    }

    fn ledger(&self) -> PathBuf {
        self.folder.path().join("payments.db")
    }

    fn url(&self) -> String {
        self.gateway.gateway_url(self.shop.name())
    }

    /// A client of a process of the merchant's.
    fn client(&self) -> Client {
        Client::builder(SqliteLedger::open(self.ledger()).unwrap())
            .provider(self.shop.provider(self.url()))
            .build()
            .unwrap()
    }

    /// Runs a child to a point and kills it there.
    fn crash_at(&self, point: Point) {
        let mut child = self.park_at(point);
        self.kill(&mut child);
    }

    /// Runs a child to a point, where it waits.
    pub(crate) fn park_at(&self, point: Point) -> Child {
        let mut child = self
            .command("crash::child::runs_only_as_a_child")
            .env(child::POINT, point.name())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let mut lines = BufReader::new(stdout).lines();
        let reached = lines.any(|line| line.unwrap().ends_with(point.name()));
        assert!(reached, "the child ended before {}", point.name());
        if point == Point::AfterSend {
            // The gateway has executed it, and the reply is still on its way.
            while self.effects().is_empty() {
                std::thread::yield_now();
            }
        }
        child
    }

    pub(crate) fn kill(&self, child: &mut Child) {
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9), "{:?}", self.shop);
    }

    /// This binary as a child that runs one test, and is told what to do.
    pub(crate) fn command(&self, test: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", test, "--nocapture"])
            .env(child::LEDGER, self.ledger())
            .env(child::GATEWAY, self.url())
            .env(child::SHOP, self.shop.name())
            .env(child::KIND, self.kind.as_str())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(parent) = &self.parent {
            command.env(child::PARENT, serde_json::to_string(parent).unwrap());
        }
        command
    }

    /// The next process of the merchant: it recovers, and asks for the same again.
    async fn call_again(&self) -> Result<Outcome, Error> {
        let client = self.client();
        client.recover().await.unwrap();
        call(self.shop, &client, self.kind, self.parent.as_ref()).await
    }

    /// How often its money moved.
    pub(crate) fn effects(&self) -> Vec<Effect> {
        let mut effects = self.gateway.effects();
        effects.retain(|effect| effect.kind == effect_of(self.kind));
        effects
    }

    fn keys(&self) -> Vec<String> {
        let ledger = Connection::open(self.ledger()).unwrap();
        let of_kind = "SELECT idem_key FROM operation WHERE kind = ?1";
        let mut query = ledger.prepare(of_kind).unwrap();
        query
            .query_map([self.kind.as_str()], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    }

    /// What the next process must hear, and how often the money may have moved.
    ///
    /// A dead owner's claim may have been sent, and nobody can tell. Where a repeat gets the first
    /// one's reply it is sent again; elsewhere it is looked up, and nothing is found. A payment
    /// that was not read yet shows that nothing was sent.
    pub(crate) fn expected(&self, point: Point) -> (&'static str, usize) {
        let rule = self.shop.provider(self.url()).rule(self.kind).unwrap();
        let (replays, reads) = (
            rule.on_repeat.value == OnRepeat::Replays,
            rule.baseline.value,
        );
        match point {
            Point::AfterCommit if !replays && !reads => ("unknown", 0),
            Point::AfterBaseline => ("unknown", 0),
            Point::BeforeCommit
            | Point::AfterCommit
            | Point::AfterSend
            | Point::AfterResponse
            | Point::Nowhere => ("succeeded", 1),
        }
    }
}

async fn killed_at(shop: &'static dyn Shop, kind: OperationKind, point: Point) {
    let scene = Scene::new(shop, kind).await;
    if point == Point::AfterBaseline
        && !shop
            .provider(scene.url())
            .rule(kind)
            .unwrap()
            .baseline
            .value
    {
        return;
    }
    if point == Point::AfterSend {
        scene.gateway.faults().push(Fault::Delay {
            when: When::After,
            ms: 600_000,
        });
    }
    scene.crash_at(point);
    let name = format!("{}, {kind}, {}", shop.name(), point.name());
    let before = scene.keys();
    assert_eq!(before.is_empty(), point == Point::BeforeCommit, "{name}");

    // The dead owner's lock is free, so its lease is over at once.
    let (word, effects) = scene.expected(point);
    for _ in 0..2 {
        assert_word(&scene.call_again().await, word);
        assert_eq!(scene.effects().len(), effects, "{name}");
    }
    let after = scene.keys();
    assert_eq!(after.len(), 1, "{name}");
    assert!(before.is_empty() || before == after, "{name}");
    let sent = scene.gateway.posts().split_off(scene.sent_before);
    let mut keys: Vec<_> = sent.iter().filter_map(|post| shop.key_in(post)).collect();
    keys.dedup();
    assert!(keys.is_empty() || keys == after, "{name}: {keys:?}");
    assert!(sent.iter().all(|post| post.body == sent[0].body), "{name}");
}

/// On restart nothing must be made anew: the same key, and never a second movement of money.
#[tokio::test]
async fn c72_killed_anywhere_a_charge_happens_at_most_once_under_one_key() {
    for shop in SHOPS {
        for point in Point::ALL {
            killed_at(shop, OperationKind::Charge, point).await;
        }
    }
}

/// A refund that is given twice has no way back.
#[tokio::test]
async fn c72_killed_anywhere_a_refund_happens_at_most_once_under_one_key() {
    for shop in told_at_once() {
        for point in Point::ALL {
            killed_at(shop, OperationKind::Refund, point).await;
        }
    }
}

/// Killed again and again, the key and the bytes stay the same.
#[tokio::test]
async fn c72_killed_three_times_in_a_row_it_still_happens_once() {
    let scene = Scene::new(shop("stripe"), OperationKind::Charge).await;
    for point in [
        Point::AfterCommit,
        Point::AfterResponse,
        Point::AfterResponse,
    ] {
        scene.crash_at(point);
    }
    let maybe_sent: i64 = Connection::open(scene.ledger())
        .unwrap()
        .query_row("SELECT maybe_sent FROM operation", [], |row| row.get(0))
        .unwrap();
    assert_eq!(maybe_sent, 2, "each dead owner counts as a send");
    assert_word(&scene.call_again().await, "succeeded");
    assert_eq!(scene.effects().len(), 1);
    let posts = scene.gateway.posts();
    assert_eq!(posts.len(), 3);
    assert!(posts.iter().all(|post| post.body == posts[0].body));
}
