//! A copy of the file: whole, private, and with every row that was answered before.

use super::*;
use crate::payment::Payment;

fn sql_of(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    let mut query = connection.prepare(sql).unwrap();
    let rows = query.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn names(files: &Files) -> Vec<String> {
    let entries = fs::read_dir(files.folder.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Payments go on while it is made, and what was answered before it is in it.
#[tokio::test]
async fn a_copy_has_every_row_that_was_answered_before_it() {
    let files = Files::new();
    let ledger = Arc::new(files.open());
    let mut stored = Vec::new();
    let new = |n: u32| {
        let mut claim = claim(1);
        claim.identity.reference = format!("order-{n}");
        claim
    };
    for n in 0..50 {
        stored.push(ours(&ledger, new(n)).await);
    }
    let ended = end(&ledger, &stored[0].record, success()).await;
    stored[0].record = ended;
    let busy = tokio::spawn({
        let ledger = Arc::clone(&ledger);
        async move {
            for n in 50..150 {
                ours(&ledger, new(n)).await;
            }
        }
    });
    let place = files.folder.path().join("copy.db");
    let (other, to) = (files.open(), place.clone());
    let made = tokio::task::spawn_blocking(move || other.backup(&to));
    made.await.unwrap().unwrap();
    busy.await.unwrap();

    let access = fs::metadata(&place).unwrap().permissions().mode();
    assert_eq!(access & 0o777, 0o600);
    assert_eq!(sql_of(&place), sql_of(&files.path()));
    let copied = SqliteOptions::new(&place)
        .create(false)
        .clock(files.clock.clone())
        .open()
        .unwrap();
    assert_eq!(copied.fingerprint_salt(), ledger.fingerprint_salt());
    for owned in &stored {
        let row = copied.read(owned.record.id).await.unwrap();
        assert_eq!(row.as_ref(), Some(&owned.record));
    }
    // The copy holds the claim, and knows its payments and its bytes.
    let open = new(1);
    assert!(matches!(
        copied.claim(open.clone()).await.unwrap(),
        Claimed::Busy(_)
    ));
    files.clock.set(NOW.plus(Duration::from_secs(91)));
    let taken = ours(&copied, open).await;
    assert_eq!(taken.request, stored[1].request);
    assert_eq!(taken.record.maybe_sent, 1);
    let payment = Payment::new(taken.record.account, "pi_1");
    assert!(copied.payment(payment).await.unwrap().is_some());
}

/// A copy that stands over another file could be the one file that somebody still needed.
#[tokio::test]
async fn nothing_is_ever_replaced_by_a_copy() {
    let files = Files::new();
    let ledger = files.open();
    ours(&ledger, claim(1)).await;
    let place = files.folder.path().join("copy.db");
    let exists = |place: &Path| LedgerError::Exists {
        path: place.display().to_string(),
    };
    fs::write(&place, "").unwrap();
    assert_eq!(ledger.backup(&place), Err(exists(&place)));
    assert_eq!(fs::read(&place).unwrap(), b"");
    let link = files.folder.path().join("link.db");
    std::os::unix::fs::symlink("nowhere.db", &link).unwrap();
    assert_eq!(ledger.backup(&link), Err(exists(&link)));
    assert_eq!(ledger.backup(files.path()), Err(exists(&files.path())));
    assert!(!names(&files).contains(&"nowhere.db".to_owned()));
}

/// What fails leaves nothing that could be taken for a backup.
#[tokio::test]
async fn a_copy_that_fails_leaves_no_file() {
    let files = Files::new();
    let ledger = files.open();
    ours(&ledger, claim(1)).await;
    let missing = files.folder.path().join("missing/copy.db");
    let error = ledger.backup(missing).unwrap_err();
    assert!(matches!(error, LedgerError::NotFound { .. }), "{error}");
    let before = names(&files);
    // A ledger that is damaged since it was opened gives no copy.
    let sql = files.sql();
    sql.execute_batch(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x' WHERE name = 'step'",
    )
    .unwrap();
    let place = files.folder.path().join("copy.db");
    let error = ledger.backup(&place).unwrap_err();
    assert!(matches!(error, LedgerError::Corrupt { .. }), "{error}");
    assert_eq!(names(&files), before);
}
