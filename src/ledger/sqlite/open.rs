//! Which files are taken, how they are opened, and which are refused.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::SqliteLedger;
use super::owner::Owner;
use super::thread::Worker;
use crate::clock::{Clock, SystemClock};
use crate::error::LedgerError;

/// Marks the file as ours.
const APPLICATION_ID: i64 = 0x504f_6e63;
/// The newest schema that this program knows.
const SCHEMA: i64 = 1;

/// A file up to this size, in bytes, is checked whole when it is opened: well under a second.
const CHECKED: u64 = 256 * 1024 * 1024;

/// How a [`SqliteLedger`] is opened.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    path: PathBuf,
    create: bool,
    network: bool,
    busy: Duration,
    clock: Arc<dyn Clock>,
}

impl SqliteOptions {
    /// The defaults for a file: create it if it is missing, on a local disk only.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            create: true,
            network: false,
            busy: Duration::from_secs(5),
            clock: Arc::new(SystemClock::new()),
        }
    }

    /// Whether a missing file is created. By default it is.
    #[must_use]
    pub const fn create(mut self, create: bool) -> Self {
        self.create = create;
        self
    }

    /// Takes a file on a network file system. **Locks may lie there: two hosts may then charge
    /// twice, and the file may end unreadable.** Use it only where one host alone mounts it.
    #[must_use]
    pub const fn allow_network_file_system(mut self, allow: bool) -> Self {
        self.network = allow;
        self
    }

    /// How long to wait for another writer before a call ends with [`LedgerError::Busy`]. By
    /// default 5 seconds.
    #[must_use]
    pub const fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy = timeout;
        self
    }

    /// The clock that gives window and lease times. By default the system's.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Opens the ledger.
    ///
    /// # Errors
    ///
    /// As [`SqliteLedger::open`].
    pub fn open(self) -> Result<SqliteLedger, LedgerError> {
        if !self.network {
            refuse_network(&self.path)?;
        }
        self.prepare_file()?;
        let mut connection = self.connect()?;
        check_file(&connection, &self.path)?;
        set_up(&mut connection)?;
        let salt = read_salt(&connection)?;
        let owner = Owner::new(&self.path).map_err(|error| self.fault(&error))?;
        owner.tidy(&owning(&connection)?);
        let reader = self.connect()?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(SqliteLedger {
            writer: Worker::start("payonce-writer", connection)?,
            reader: Worker::start("payonce-reader", reader)?,
            owner: Arc::new(owner),
            salt,
            clock: self.clock,
        })
    }

    /// Makes the file, or checks that it can be written.
    fn prepare_file(&self) -> Result<(), LedgerError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(self.create);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        options
            .open(&self.path)
            .map(drop)
            .map_err(|error| self.fault(&error))
    }

    fn fault(&self, error: &io::Error) -> LedgerError {
        let path = self.path.display().to_string();
        let read_only = [
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::ReadOnlyFilesystem,
            io::ErrorKind::NotADirectory,
            io::ErrorKind::IsADirectory,
        ];
        let kind = error.kind();
        if kind == io::ErrorKind::NotFound {
            LedgerError::NotFound { path }
        } else if read_only.contains(&kind) {
            LedgerError::ReadOnly { path }
        } else if matches!(
            kind,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        ) {
            LedgerError::Full
        } else {
            LedgerError::Failed {
                detail: format!("{path}: {error}"),
            }
        }
    }

    fn connect(&self) -> Result<Connection, LedgerError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(self.busy)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // Only macOS knows it: there a sync reaches the disk only with it.
        connection.pragma_update(None, "fullfsync", true)?;
        if connection.is_readonly("main")? {
            return Err(LedgerError::ReadOnly {
                path: self.path.display().to_string(),
            });
        }
        Ok(connection)
    }
}

/// Refuses what is not ours, before anything is written.
fn check_file(connection: &Connection, path: &Path) -> Result<(), LedgerError> {
    let number = |name: &str| -> Result<i64, rusqlite::Error> {
        connection.pragma_query_value(None, name, |row| row.get(0))
    };
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, version) {
        (0, 0) if tables == 0 => return Ok(()),
        (APPLICATION_ID, found) if found > SCHEMA => {
            return Err(LedgerError::NewerSchema {
                found,
                known: SCHEMA,
            });
        }
        (APPLICATION_ID, SCHEMA) => {}
        _ => {
            return Err(LedgerError::Foreign {
                path: path.display().to_string(),
            });
        }
    }
    // Of a large file SQLite itself finds the damage where it reads it.
    if fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED) {
        let fault: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if fault != "ok" {
            return Err(LedgerError::Corrupt { detail: fault });
        }
    }
    if meta(connection, "moved")?.is_some() {
        return Err(LedgerError::Moved);
    }
    Ok(())
}

/// Switches write-ahead logging on and makes the tables, if they are not there.
fn set_up(connection: &mut Connection) -> Result<(), LedgerError> {
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(LedgerError::NoWal { mode });
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have made them since we looked.
    let version: i64 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        create(&tx)?;
    }
    tx.commit()?;
    Ok(())
}

fn create(tx: &Transaction<'_>) -> Result<(), LedgerError> {
    tx.execute_batch(include_str!("schema.sql"))?;
    let mut salt = [0; 32];
    getrandom::fill(&mut salt).map_err(|e| LedgerError::Failed {
        detail: e.to_string(),
    })?;
    tx.execute(
        "INSERT INTO meta (name, value) VALUES ('fingerprint_salt', ?1)",
        params![salt],
    )?;
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", SCHEMA)?;
    Ok(())
}

fn read_salt(connection: &Connection) -> Result<[u8; 32], LedgerError> {
    meta(connection, "fingerprint_salt")?
        .and_then(|salt| salt.try_into().ok())
        .ok_or_else(|| LedgerError::Corrupt {
            detail: "its salt is missing".to_owned(),
        })
}

fn meta(connection: &Connection, name: &str) -> Result<Option<Vec<u8>>, LedgerError> {
    let sql = "SELECT value FROM meta WHERE name = ?1";
    Ok(connection
        .query_row(sql, params![name], |row| row.get(0))
        .optional()?)
}

/// The owners of open claims.
fn owning(connection: &Connection) -> Result<HashSet<String>, LedgerError> {
    let sql = "SELECT DISTINCT owner FROM operation WHERE owner IS NOT NULL";
    let mut query = connection.prepare(sql)?;
    let owners = query
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(owners)
}

/// Refuses network file systems, where write-ahead logging and locks do not hold.
#[cfg(target_os = "linux")]
fn refuse_network(path: &Path) -> Result<(), LedgerError> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    // A file that is there may be a link to somewhere else.
    let real = fs::canonicalize(path).unwrap_or_else(|_| folder.to_owned());
    let Ok(stat) = rustix::fs::statfs(&real) else {
        return Ok(());
    };
    // Magic numbers of statfs(2) and linux/magic.h.
    let kind = match stat.f_type {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x6573_5546 => "FUSE",
        0x0102_1997 => "9P",
        0x00c3_6400 => "Ceph",
        0x5346_414f | 0x6b41_4653 => "AFS",
        0x7461_636f => "OCFS2",
        0x0116_1970 => "GFS2",
        _ => return Ok(()),
    };
    let path = path.display().to_string();
    Err(LedgerError::NetworkFileSystem {
        path,
        kind: kind.to_owned(),
    })
}

#[cfg(not(target_os = "linux"))]
fn refuse_network(_path: &Path) -> Result<(), LedgerError> {
    Ok(())
}
