//! What is written together: one failure is nobody else's, and what is not durable is told to nobody
//! as done.

use std::sync::mpsc::{Sender, channel};

use super::*;

type Noted = BoxFuture<'static, Result<(), LedgerError>>;

/// Holds the writer, so that what is queued meanwhile is written together.
pub(super) fn hold(ledger: &SqliteLedger) -> Sender<()> {
    let (go, wait) = channel::<()>();
    let (started, begun) = channel();
    drop(ledger.writer.write(move |_| {
        started.send(()).unwrap();
        wait.recv().ok();
        Ok(())
    }));
    begun.recv().unwrap();
    go
}

/// Queues a note of so many bytes. The one that is named `fails` fails after it was written.
fn note(ledger: &SqliteLedger, name: &'static str, bytes: i64) -> Noted {
    ledger.writer.write(move |tx| {
        let sql = "INSERT INTO meta (name, value) VALUES (?1, zeroblob(?2))";
        tx.execute(sql, rusqlite::params![name, bytes])?;
        if name == "fails" {
            return Err(LedgerError::Moved.into());
        }
        Ok(())
    })
}

fn notes(files: &Files) -> i64 {
    files.number("SELECT count(*) FROM meta WHERE name IN ('first', 'fails', 'last')")
}

#[tokio::test]
async fn a_write_that_fails_takes_back_only_itself() {
    let files = Files::new();
    let ledger = files.open();
    let go = hold(&ledger);
    let first = note(&ledger, "first", 1);
    let fails = note(&ledger, "fails", 1);
    let last = note(&ledger, "last", 1);
    go.send(()).unwrap();
    assert_eq!(first.await, Ok(()));
    assert_eq!(fails.await, Err(LedgerError::Moved));
    assert_eq!(last.await, Ok(()));
    assert_eq!(notes(&files), 2);
}

/// A full disk may end the whole transaction. Then nothing of the batch is there, and a payment
/// whose caller was told otherwise would be sent and forgotten.
#[tokio::test]
async fn a_disk_that_fills_up_tells_nobody_in_the_batch_that_it_is_written() {
    let files = Files::new();
    let ledger = files.open();
    let pages = |pages: i64| {
        ledger.writer.write(move |tx| {
            Ok(tx.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?)
        })
    };
    pages(40).await.unwrap();
    let go = hold(&ledger);
    let first = note(&ledger, "first", 1);
    let fails = note(&ledger, "fails", 10_000_000);
    let last = note(&ledger, "last", 1);
    go.send(()).unwrap();
    let told = [first.await, fails.await, last.await];
    let written = usize::try_from(notes(&files)).unwrap();
    assert_eq!(told.iter().filter(|told| told.is_ok()).count(), written);
    assert_eq!(told[1], Err(LedgerError::Full));
    pages(1_000_000).await.unwrap();
    assert_eq!(note(&ledger, "fails", 1).await, Err(LedgerError::Moved));
    assert!(matches!(
        ledger.claim(claim(1)).await.unwrap(),
        Claimed::Ours(_)
    ));
}

/// A COMMIT that fails may have worked. Nobody is told so, every connection is made anew, and what
/// is read then is what a new process would read.
#[tokio::test]
async fn a_commit_that_fails_is_told_to_everybody_in_the_batch() {
    let files = Files::new();
    let ledger = files.open();
    let sql = files.sql();
    sql.execute_batch(
        "CREATE TABLE parent (a PRIMARY KEY);
         CREATE TABLE child (a REFERENCES parent DEFERRABLE INITIALLY DEFERRED)",
    )
    .unwrap();
    let cache = |connection: &Connection| {
        let size: i64 = connection.pragma_query_value(None, "cache_size", |row| row.get(0))?;
        Ok(size)
    };
    let mark = move |connection: &Connection| {
        connection.pragma_update(None, "cache_size", 77)?;
        cache(connection)
    };
    assert_eq!(ledger.reader.read(mark).await, Ok(77));
    assert_eq!(ledger.writer.write(mark).await, Ok(77));
    let go = hold(&ledger);
    let first = note(&ledger, "first", 1);
    let orphan = ledger.writer.write(|tx| {
        tx.execute("INSERT INTO child VALUES (1)", [])?;
        Ok(())
    });
    go.send(()).unwrap();
    assert!(matches!(first.await, Err(LedgerError::Failed { .. })));
    assert!(matches!(orphan.await, Err(LedgerError::Failed { .. })));
    assert_eq!(notes(&files), 0);
    assert_ne!(ledger.reader.read(cache).await, Ok(77));
    assert_ne!(ledger.writer.write(cache).await, Ok(77));
    assert_eq!(note(&ledger, "last", 1).await, Ok(()));
    assert_eq!(notes(&files), 1);
}

/// What the promise rests on: a commit is on the disk, and rows refer to rows that are there.
#[tokio::test]
async fn every_connection_syncs_and_checks_references() {
    let files = Files::new();
    let ledger = files.open();
    let settings = |connection: &Connection| {
        let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        Ok([
            number("synchronous")?,
            number("foreign_keys")?,
            number("query_only")?,
            number("busy_timeout")?,
        ])
    };
    assert_eq!(ledger.writer.write(settings).await, Ok([2, 1, 0, 5000]));
    assert_eq!(ledger.reader.read(settings).await, Ok([2, 1, 1, 5000]));
}

/// A ledger that was dropped is one whole file: it can be copied, moved, or opened by another.
#[tokio::test]
async fn a_closed_ledger_is_one_whole_file() {
    let files = Files::new();
    let ledger = files.open();
    ours(&ledger, claim(1)).await;
    drop(ledger.read(OperationId::generate()).await);
    drop(ledger);
    let copy = files.folder.path().join("copy.db");
    fs::copy(files.path(), &copy).unwrap();
    assert!(!files.folder.path().join("payments.db-wal").exists());
    let copied = Connection::open(copy).unwrap();
    let sql = "SELECT count(*) FROM operation";
    assert_eq!(copied.query_row(sql, [], |row| row.get(0)), Ok(1));
}
