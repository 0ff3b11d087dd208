//! Which files are taken, and which are refused and left as they are.

use std::thread;

use super::*;

#[test]
fn the_file_is_private_and_in_wal_mode() {
    let files = Files::new();
    drop(files.open());
    let mode = fs::metadata(files.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mode: String = files
        .sql()
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn files_that_are_not_ours_are_refused_and_left_as_they_are() {
    let files = Files::new();
    let open = || SqliteLedger::open(files.path()).unwrap_err();
    let sql = files.sql();
    sql.execute_batch("CREATE TABLE theirs (a)").unwrap();
    drop(sql);
    let before = fs::read(files.path()).unwrap();
    assert!(matches!(open(), LedgerError::Foreign { .. }));
    assert_eq!(fs::read(files.path()).unwrap(), before);

    fs::write(
        files.path(),
        "this is no database, but quite long enough to be one. ".repeat(99),
    )
    .unwrap();
    assert!(matches!(open(), LedgerError::Corrupt { .. }));
}

#[test]
fn a_newer_schema_is_refused_before_anything_is_written() {
    let files = Files::new();
    drop(files.open());
    files
        .sql()
        .pragma_update(None, "user_version", 999)
        .unwrap();
    let before = fs::read(files.path()).unwrap();
    let error = SqliteLedger::open(files.path()).unwrap_err();
    assert_eq!(
        error,
        LedgerError::NewerSchema {
            found: 999,
            known: 1
        }
    );
    assert_eq!(fs::read(files.path()).unwrap(), before);
}

#[test]
fn places_that_cannot_hold_a_ledger_are_refused() {
    let files = Files::new();
    let open = |path: &str| SqliteLedger::open(files.folder.path().join(path)).unwrap_err();
    assert!(matches!(
        open("missing/payments.db"),
        LedgerError::NotFound { .. }
    ));
    assert!(matches!(open(""), LedgerError::ReadOnly { .. }));
    fs::write(files.folder.path().join("file"), "x").unwrap();
    assert!(matches!(
        open("file/payments.db"),
        LedgerError::ReadOnly { .. }
    ));
    let missing = SqliteLedger::open_existing(files.path()).unwrap_err();
    assert!(matches!(missing, LedgerError::NotFound { .. }));
    assert!(!files.path().exists());
}

#[test]
fn a_ledger_marked_as_moved_is_refused() {
    let files = Files::new();
    drop(files.open());
    files
        .sql()
        .execute("INSERT INTO meta (name, value) VALUES ('moved', x'01')", [])
        .unwrap();
    assert_eq!(
        SqliteLedger::open(files.path()).unwrap_err(),
        LedgerError::Moved
    );
}

/// A file that was cut to nothing held operations once. Taken for a new one, it would let every
/// payment be made again.
#[test]
fn a_file_that_is_empty_is_damaged_and_not_new() {
    let files = Files::new();
    drop(files.open());
    for name in ["payments.db-wal", "payments.db-shm"] {
        drop(fs::remove_file(files.folder.path().join(name)));
    }
    fs::write(files.path(), "").unwrap();
    let error = SqliteLedger::open(files.path()).unwrap_err();
    assert!(matches!(error, LedgerError::Corrupt { .. }), "{error}");
    assert_eq!(fs::metadata(files.path()).unwrap().len(), 0);
}

/// Damage in the middle of a file shows in no head of it. A ledger that cannot be trusted must not
/// be read, and a person must still find it as it was.
#[tokio::test]
async fn a_damaged_page_is_found_when_the_file_is_opened_and_left_as_it_is() {
    let files = Files::new();
    ours(&files.open(), claim(1)).await;
    let page = "SELECT rootpage FROM sqlite_schema WHERE name = 'step'";
    let (page, size) = (files.number(page), files.number("PRAGMA page_size"));
    let (page, size) = (
        usize::try_from(page).unwrap(),
        usize::try_from(size).unwrap(),
    );
    let mut bytes = fs::read(files.path()).unwrap();
    let start = (page - 1) * size;
    // The head of the page stays; the cells at its end do not.
    bytes[start + size / 2..start + size].fill(0xff);
    fs::write(files.path(), &bytes).unwrap();
    for _ in 0..2 {
        let error = SqliteLedger::open(files.path()).unwrap_err();
        assert!(matches!(error, LedgerError::Corrupt { .. }), "{error}");
        assert_eq!(fs::read(files.path()).unwrap(), bytes);
    }
}

/// Whoever may write there could take an owner for dead, and send beside it.
#[test]
fn the_folder_of_owners_is_private() {
    let files = Files::new();
    let _ledger = files.open();
    let folder = files.folder.path().join("payments.db-owners");
    let mode = fs::metadata(folder).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn many_may_open_one_new_file_at_once() {
    for _ in 0..20 {
        let files = Files::new();
        let barrier = std::sync::Barrier::new(6);
        let salts: Vec<_> = thread::scope(|scope| {
            let open = || {
                barrier.wait();
                SqliteLedger::open(files.path()).unwrap().fingerprint_salt()
            };
            let threads: Vec<_> = (0..6).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(salts.iter().all(|salt| *salt == salts[0]), "one ledger");
        let left = fs::read_dir(files.folder.path()).unwrap();
        let names = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(names.into_iter().all(|name| !name.contains(".new-")));
    }
}
