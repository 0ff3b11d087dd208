#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test names only what it looks for"
)]

mod backup;
mod batches;
mod decisions;
mod fences;
mod files;
mod payments;
mod schema;
mod writer;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::clock::Timestamp;
use crate::ledger::testing::{NOW, claim, fingerprint};
use crate::ledger::{Conclusion, DateSeen, Exchange, Owned, Purpose, Refused, UnsentReason};
use crate::money::{Currency, Money};
use crate::operation::State;
use crate::outcome::{Doubt, NoEffectReason};
use crate::provider::{Effect, Refusal};

/// A clock that stands where it is put.
#[derive(Debug, Clone)]
struct Still(Arc<AtomicI64>);

impl Still {
    fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), Ordering::SeqCst);
    }
}

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }

    fn uptime(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

struct Files {
    folder: TempDir,
    clock: Still,
}

impl Files {
    fn new() -> Self {
        let clock = Still(Arc::new(AtomicI64::new(NOW.as_millis())));
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("payments.db")
    }

    fn open(&self) -> SqliteLedger {
        SqliteOptions::new(self.path())
            .clock(self.clock.clone())
            .open()
            .unwrap()
    }

    fn sql(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }

    fn number(&self, sql: &str) -> i64 {
        self.sql().query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

async fn ours(ledger: &SqliteLedger, claim: Claim) -> Owned {
    match ledger.claim(claim).await.unwrap() {
        Claimed::Ours(owned) => *owned,
        other => panic!("{other:?}"),
    }
}

async fn refused(ledger: &SqliteLedger, claim: Claim) -> Refused {
    match ledger.claim(claim).await.unwrap() {
        Claimed::Refused(refused) => refused,
        other => panic!("{other:?}"),
    }
}

async fn end(ledger: &SqliteLedger, record: &Record, conclusion: Conclusion) -> Record {
    let settle = Settle::new(record, conclusion, Learned::default());
    match ledger.settle(settle).await.unwrap() {
        Settled::Applied(record) => *record,
        Settled::Fenced(record) => panic!("fenced: {record:?}"),
    }
}

fn declined() -> Conclusion {
    Conclusion::Declined(Refusal::new("card_declined"))
}

fn success() -> Conclusion {
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    Conclusion::Succeeded {
        effect: Effect::new("pi_1", money, "succeeded"),
        duplicates: vec![],
    }
}

#[tokio::test]
async fn a_claim_is_on_disk_when_it_is_answered_and_its_bytes_never_change() {
    let files = Files::new();
    let claim = claim(1);
    let first = ours(&files.open(), claim.clone()).await;
    assert_eq!(
        files.number("SELECT count(*) FROM operation WHERE state = 'sending'"),
        1
    );

    // The same intent from a new process, rendered anew with another key.
    let again = crate::ledger::testing::claim(1);
    let second = ours(&files.open(), again).await;
    assert_eq!(second.request, claim.rendered.unwrap().request);
    assert_eq!(
        (second.record.id, &second.record.key),
        (first.record.id, &first.record.key)
    );
    assert_eq!((second.record.epoch, second.record.maybe_sent), (2, 1));
    assert_eq!(
        files.number("SELECT count(DISTINCT idem_key) FROM operation"),
        1
    );
}

#[tokio::test]
async fn another_ledger_on_the_file_waits_for_a_live_owner_and_takes_over_from_a_dead_one() {
    let files = Files::new();
    let (first, second) = (files.open(), files.open());
    ours(&first, claim(1)).await;
    assert!(matches!(
        second.claim(claim(1)).await.unwrap(),
        Claimed::Busy(_)
    ));
    drop(first);
    assert_eq!(ours(&second, claim(1)).await.record.maybe_sent, 1);
}

#[tokio::test]
async fn a_fenced_owner_settles_nothing() {
    let files = Files::new();
    let (first, second) = (files.open(), files.open());
    let stale = ours(&first, claim(1)).await;
    files.clock.set(NOW.plus(Duration::from_secs(91)));
    let taken = ours(&second, claim(1)).await;
    let settle = Settle::new(&stale.record, declined(), Learned::default());
    assert!(matches!(
        first.settle(settle).await.unwrap(),
        Settled::Fenced(_)
    ));
    assert_eq!(
        end(&second, &taken.record, success()).await.state,
        State::Succeeded
    );
}

#[tokio::test]
async fn a_second_attempt_waits_for_a_definite_no_and_replaces_what_was_not_sent() {
    let files = Files::new();
    let ledger = files.open();
    let first = ours(&ledger, claim(1)).await;
    assert!(matches!(
        refused(&ledger, claim(2)).await,
        Refused::PriorOpen(_)
    ));
    let unsent = Conclusion::Unsent(UnsentReason::Unauthorized);
    end(&ledger, &first.record, unsent).await;
    let second = ours(&ledger, claim(2)).await;
    let replaced = ledger.read(first.record.id).await.unwrap().unwrap();
    assert_eq!(replaced.state, State::NotExecuted);
    assert!(matches!(
        refused(&ledger, claim(1)).await,
        Refused::Later(_)
    ));
    end(&ledger, &second.record, declined()).await;
    ours(&ledger, claim(3)).await;
}

#[tokio::test]
async fn one_key_belongs_to_one_operation() {
    let files = Files::new();
    let ledger = files.open();
    let first = claim(1);
    let mut other = claim(1);
    other.identity.reference = "order-1043".to_owned();
    other.rendered.as_mut().unwrap().key = first.rendered.as_ref().unwrap().key.clone();
    ours(&ledger, first).await;
    assert!(matches!(refused(&ledger, other).await, Refused::KeyInUse));
    assert_eq!(files.number("SELECT count(*) FROM operation"), 1);
    assert_eq!(files.number("SELECT count(*) FROM reference"), 1);
}

/// The database itself holds what must never happen, whatever program writes to it.
#[tokio::test]
async fn the_database_refuses_what_would_move_money_twice() {
    let files = Files::new();
    let ledger = files.open();
    ours(&ledger, claim(1)).await;
    let sql = files.sql();
    let columns = "id, reference_rid, attempt, kind, account, idem_key, minor, currency,
        fingerprint, fingerprint_sha256, state, epoch, send_until, rule, created_at, updated_at";
    let copy = |id, attempt, key| {
        let values = format!(
            "'{id}', reference_rid, {attempt}, kind, account, '{key}', minor, currency,
            fingerprint, fingerprint_sha256, 'unsent', 1, 0, rule, 0, 0"
        );
        sql.execute(
            &format!("INSERT INTO operation ({columns}) SELECT {values} FROM operation"),
            [],
        )
    };
    for statement in [
        "UPDATE operation SET idem_key = 'another'",
        "UPDATE operation SET minor = 1",
        "UPDATE operation SET account = 'another'",
        "UPDATE operation SET state = 'paid'",
        "UPDATE operation SET state = 'unsent', maybe_sent = 1",
        "UPDATE step SET body = x'00'",
        "UPDATE step SET path = '/v1/refunds'",
    ] {
        sql.execute(statement, []).expect_err(statement);
    }
    copy("x", 1, "k1").expect_err("one row an attempt");
    copy("x", 2, "k2").expect_err("attempt 1 is open");
    sql.execute("UPDATE operation SET state = 'declined'", [])
        .unwrap();
    copy("x", 3, "k3").expect_err("attempt 2 is missing");
    copy("x", 2, "k2").unwrap();
}

#[tokio::test]
async fn exchanges_and_replies_are_kept_apart_from_the_row() {
    let files = Files::new();
    let ledger = files.open();
    let owned = ours(&ledger, claim(1)).await;
    let mut exchange = Exchange::new(Purpose::Send, NOW, "unknown");
    exchange.status = Some(503);
    exchange.reply = Some(b"busy".to_vec());
    let learned = Learned {
        exchanges: vec![exchange.clone()],
        ..Learned::default()
    };
    ledger.record(owned.record.id, 1, learned).await.unwrap();
    (exchange.purpose, exchange.number) = (Purpose::LookUp, 1);
    let mut settle = Settle::new(&owned.record, success(), Learned::default());
    settle.learned.exchanges.push(exchange);
    ledger.settle(settle).await.unwrap();
    assert_eq!(
        ledger.read(owned.record.id).await.unwrap().unwrap().sends,
        1
    );
    assert_eq!(
        files.number("SELECT count(*) FROM send WHERE status = 503"),
        2
    );
    assert_eq!(files.number("SELECT count(*) FROM reply"), 2);
}

#[tokio::test]
async fn a_contradiction_freezes_every_open_operation_of_the_reference() {
    let files = Files::new();
    let ledger = files.open();
    let first = ours(&ledger, claim(1)).await;
    end(&ledger, &first.record, declined()).await;
    let second = ours(&ledger, claim(2)).await;
    // The first send of attempt 1 is heard of after all: it had worked.
    let settle = Settle::new(&first.record, success(), Learned::default());
    ledger.settle(settle).await.unwrap();
    let record = ledger.read(second.record.id).await.unwrap().unwrap();
    assert!(record.frozen);
    assert_eq!(record.epoch, second.record.epoch + 1);
    assert!(matches!(
        refused(&ledger, claim(2)).await,
        Refused::Frozen(_)
    ));
    assert_eq!(
        files.number("SELECT count(*) FROM alarm WHERE kind = 'contradiction'"),
        1
    );
}

#[tokio::test]
async fn a_clock_that_stepped_back_is_doubted_until_it_passes_the_mark() {
    let files = Files::new();
    let ledger = files.open();
    let id = ours(&ledger, claim(1)).await.record.id;
    let doubted = async |seconds_back| {
        files
            .clock
            .set(NOW.minus(Duration::from_millis(seconds_back)));
        ledger.check(id).await.unwrap().unwrap().clock_doubtful
    };
    assert!(!doubted(2_000).await);
    assert!(doubted(2_001).await);
    assert!(!doubted(0).await);
}

#[tokio::test]
async fn a_gateway_date_that_differs_is_doubted_until_one_agrees() {
    let files = Files::new();
    let ledger = files.open();
    let id = ours(&ledger, claim(1)).await.record.id;
    let seen = async |date| {
        let mut exchange = Exchange::new(Purpose::Send, NOW, "unknown");
        exchange.date = date;
        let learned = Learned {
            exchanges: vec![exchange],
            ..Learned::default()
        };
        ledger.record(id, 1, learned).await.unwrap();
        ledger.check(id).await.unwrap().unwrap().clock_doubtful
    };
    assert!(!seen(DateSeen::Agrees).await);
    assert!(seen(DateSeen::Differs).await);
    assert!(seen(DateSeen::None).await);
    assert!(!seen(DateSeen::Agrees).await);
}

#[tokio::test]
async fn a_standing_is_read_back_as_it_was_written() {
    let files = Files::new();
    let ledger = files.open();
    let owned = ours(&ledger, claim(1)).await;
    let sent = owned.record.money;
    let doubt = Doubt::Mismatch {
        sent,
        got: None,
        provider_id: "pi_قهوة".into(),
    };
    let hold = Conclusion::Hold {
        doubt: doubt.clone(),
        provider_id: Some("pi_قهوة".into()),
    };
    let record = end(&ledger, &owned.record, hold).await;
    assert_eq!(record.state, State::Unknown);
    assert_eq!(record.standing.doubt, Some(doubt));
    assert_eq!(record.fingerprint, fingerprint("480.00"));
    let found = ledger.find(record.identity.clone()).await.unwrap();
    assert_eq!(found, Some(record));
}

#[tokio::test]
async fn a_file_that_another_writer_holds_is_busy_and_nothing_is_claimed() {
    let files = Files::new();
    let options = SqliteOptions::new(files.path()).busy_timeout(Duration::from_millis(20));
    let ledger = options.open().unwrap();
    let sql = files.sql();
    sql.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(ledger.claim(claim(1)).await.unwrap_err(), LedgerError::Busy);
    sql.execute_batch("COMMIT").unwrap();
    ours(&ledger, claim(1)).await;
}
