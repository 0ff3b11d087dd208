//! Real processes, killed with SIGKILL at named points.
//!
//! The test binary runs itself as the child. The points are in wrappers around the adapter, the
//! ledger and the transport, so the library has no switch for crashes.

mod child;

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use payonce::{Client, Error, Outcome, SqliteLedger};
use payonce_simulator::{Fault, Options, Running, Simulator, When};
use payonce_stripe::Stripe;
use rusqlite::Connection;
use tempfile::TempDir;

use self::child::Point;
use crate::world::{assert_word, charge};

struct Scene {
    gateway: Running,
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let gateway = Simulator::start_blocking(Options::default()).unwrap();
        Self {
            gateway,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn ledger(&self) -> PathBuf {
        self.folder.path().join("payments.db")
    }

    /// Runs a child to a point and kills it there.
    fn crash_at(&self, point: Point) {
        let mut child = self.start(point);
        let stdout = child.stdout.take().unwrap();
        let mut lines = BufReader::new(stdout).lines();
        let reached = lines.any(|line| line.unwrap().ends_with(point.name()));
        assert!(reached, "the child ended before {}", point.name());
        if point == Point::AfterSend {
            // The gateway has executed it, and the reply is still on its way.
            while self.gateway.effects().is_empty() {
                std::thread::yield_now();
            }
        }
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9));
    }

    fn start(&self, point: Point) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "crash::child::runs_only_as_a_child",
                "--nocapture",
            ])
            .env(child::POINT, point.name())
            .env(child::LEDGER, self.ledger())
            .env(child::GATEWAY, self.gateway.gateway_url("stripe"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// The next process of the merchant, with the same intent.
    async fn charge_again(&self) -> Result<Outcome, Error> {
        let stripe = Stripe::new("main", "sk_test_1").base_url(self.gateway.gateway_url("stripe"));
        let client = Client::builder(SqliteLedger::open(self.ledger()).unwrap())
            .provider(stripe)
            .build()
            .unwrap();
        client.charge(charge("r1")).await
    }

    fn keys(&self) -> Vec<String> {
        let ledger = Connection::open(self.ledger()).unwrap();
        let mut query = ledger.prepare("SELECT idem_key FROM operation").unwrap();
        query
            .query_map([], |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    }
}

/// On restart nothing must be made anew: the same key, and never a second movement of money.
#[tokio::test]
async fn c72_killed_anywhere_the_charge_happens_once_under_one_key() {
    for point in Point::ALL {
        let scene = Scene::new();
        if point == Point::AfterSend {
            scene.gateway.faults().push(Fault::Delay {
                when: When::After,
                ms: 600_000,
            });
        }
        scene.crash_at(point);
        let before = scene.keys();
        assert_eq!(
            before.is_empty(),
            point == Point::BeforeCommit,
            "{}",
            point.name()
        );

        // The dead owner's lock is free, so its lease is over at once.
        assert_word(&scene.charge_again().await, "succeeded");
        assert_eq!(scene.gateway.effects_for("r1").len(), 1, "{}", point.name());
        let after = scene.keys();
        assert_eq!(after.len(), 1);
        assert!(before.is_empty() || before == after);
        let mut sent: Vec<_> = scene
            .gateway
            .posts()
            .into_iter()
            .filter_map(|post| post.key)
            .collect();
        sent.dedup();
        assert_eq!(sent, after, "{}", point.name());
    }
}

/// Killed again and again, the key and the bytes stay the same.
#[tokio::test]
async fn c72_killed_three_times_in_a_row_it_still_happens_once() {
    let scene = Scene::new();
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
    assert_word(&scene.charge_again().await, "succeeded");
    assert_eq!(scene.gateway.effects_for("r1").len(), 1);
    let posts = scene.gateway.posts();
    assert_eq!(posts.len(), 3);
    assert!(posts.iter().all(|post| post.body == posts[0].body));
}
