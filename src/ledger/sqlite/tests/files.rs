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
