//! One bad row must not lie for its batch. Whatever goes wrong in it, what its callers were told is
//! compared with what a new process finds in the file.

use super::writer::hold;
use super::*;

type Claims = Vec<(
    OperationId,
    BoxFuture<'static, Result<Claimed, LedgerError>>,
)>;
type Bad = BoxFuture<'static, Result<(), LedgerError>>;

/// Queues claims of new operations. The ledger has them even before their futures are awaited.
fn claims(ledger: &Arc<SqliteLedger>, name: &str, count: usize) -> Claims {
    let one = |n| {
        let mut claim = claim(1);
        claim.identity.reference = format!("{name}-{n}");
        let id = claim.rendered.as_ref().unwrap().id;
        let (owner, clock) = (Arc::clone(&ledger.owner), Arc::clone(&ledger.clock));
        let queued = ledger
            .writer
            .write(move |tx| write::claim(tx, &claim, &owner, clock.as_ref()));
        (id, queued)
    };
    (0..count).map(one).collect()
}

/// How many were told that they are stored. Each is there in the file, and no other is.
async fn compared(files: &Files, ledger: Arc<SqliteLedger>, claims: Claims) -> (usize, usize) {
    let (mut told, mut failed) = (Vec::new(), Vec::new());
    for (id, queued) in claims {
        match queued.await {
            Ok(Claimed::Ours(_)) => told.push(id),
            Ok(other) => panic!("{other:?}"),
            Err(_) => failed.push(id),
        }
    }
    // What the same process reads is what is in the file.
    for (ids, there) in [(&told, true), (&failed, false)] {
        for id in ids {
            let row = ledger.read(*id).await.unwrap();
            assert_eq!(row.is_some(), there, "{id} as the process reads it");
        }
    }
    drop(ledger);
    let later = files.open();
    for (ids, there) in [(&told, true), (&failed, false)] {
        for id in ids {
            let row = later.read(*id).await.unwrap();
            assert_eq!(row.is_some(), there, "{id} as a new process reads it");
        }
    }
    let steps = files.number("SELECT count(*) FROM step");
    assert_eq!(usize::try_from(steps).unwrap(), told.len(), "whole rows");
    let new = files.number("SELECT count(*) FROM meta WHERE name = 'new'");
    assert_eq!(new, 0, "what a refused row wrote before it was refused");
    // And the file takes what was refused.
    ours(&later, claim(1)).await;
    (told.len(), failed.len())
}

/// Runs a batch of claims with something bad in its middle.
async fn batch(bad: impl FnOnce(&SqliteLedger) -> Bad) -> (usize, usize, LedgerError) {
    let files = Files::new();
    files
        .sql_of_new()
        .execute_batch(
            "CREATE TABLE parent (a PRIMARY KEY);
             CREATE TABLE child (a REFERENCES parent DEFERRABLE INITIALLY DEFERRED)",
        )
        .unwrap();
    let ledger = Arc::new(files.open());
    let go = hold(&ledger);
    let mut all = claims(&ledger, "before", 5);
    let bad = bad(&ledger);
    all.extend(claims(&ledger, "after", 5));
    go.send(()).unwrap();
    let error = bad.await.unwrap_err();
    let (told, failed) = compared(&files, ledger, all).await;
    (told, failed, error)
}

impl Files {
    /// The file of a new ledger.
    fn sql_of_new(&self) -> Connection {
        drop(self.open());
        self.sql()
    }
}

fn execute(ledger: &SqliteLedger, sql: &'static str) -> Bad {
    ledger.writer.write(move |tx| Ok(tx.execute_batch(sql)?))
}

/// A row that conflicts is refused alone, with what it wrote before.
#[tokio::test]
async fn a_row_that_conflicts_is_the_only_one_that_is_refused() {
    let conflict = "
        INSERT INTO meta (name, value) VALUES ('new', 1);
        INSERT INTO meta (name, value) VALUES ('fingerprint_salt', x'00')";
    let (told, failed, _) = batch(|ledger| execute(ledger, conflict)).await;
    assert_eq!((told, failed), (10, 0));
}

/// What ends the whole transaction ends it for everybody: the rows after it would be written one by
/// one, and the rows before it are gone.
#[tokio::test]
async fn a_row_that_takes_back_the_transaction_is_told_to_everybody() {
    let conflict = "INSERT OR ROLLBACK INTO meta (name, value) VALUES ('fingerprint_salt', x'00')";
    let (told, failed, _) = batch(|ledger| execute(ledger, conflict)).await;
    assert_eq!((told, failed), (0, 10));
}

/// An error from COMMIT tells nobody that anything is stored.
#[tokio::test]
async fn a_commit_that_fails_stores_nothing_of_its_batch() {
    let orphan = "INSERT INTO child VALUES (1)";
    let (told, failed, error) = batch(|ledger| execute(ledger, orphan)).await;
    assert_eq!((told, failed), (0, 10));
    assert!(matches!(error, LedgerError::Failed { .. }), "{error}");
}

/// A disk that is full for one large row, in the middle of a batch.
#[tokio::test]
async fn a_row_that_fills_the_disk_lies_for_nobody() {
    let full = "
        PRAGMA max_page_count = 60;
        INSERT INTO meta (name, value) VALUES ('new', zeroblob(10000000))";
    let (_, _, error) = batch(|ledger| execute(ledger, full)).await;
    assert_eq!(error, LedgerError::Full);
}

/// A disk that fills up with the claims themselves: wherever in a row it happens, what was told is
/// what is there.
#[tokio::test]
async fn claims_that_fill_the_disk_are_there_or_refused() {
    let mut filled = 0;
    for more in 1..12 {
        let files = Files::new();
        let ledger = Arc::new(files.open());
        let pages = files.number("PRAGMA page_count") + more;
        let limit = ledger.writer.write(move |tx| {
            Ok(tx.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?)
        });
        limit.await.unwrap();
        let go = hold(&ledger);
        let all = claims(&ledger, "order", 180);
        go.send(()).unwrap();
        let (told, failed) = compared(&files, ledger, all).await;
        assert_eq!(told + failed, 180);
        filled += usize::from(failed > 0);
    }
    assert!(filled > 5, "the disk was full {filled} times only");
}
