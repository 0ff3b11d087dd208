//! Which files are taken, how they are opened, and which are refused.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use ulid::Ulid;

use super::SqliteLedger;
use super::fault::Fault;
use super::owner::Owner;
use super::reader::Reader;
use super::turn::Turn;
use super::writer::{Connect, Writer};
use crate::clock::{Clock, SystemClock};
use crate::error::LedgerError;

/// Marks the file as ours.
const APPLICATION_ID: i64 = 0x504f_6e63;
/// The newest schema that this program knows.
const SCHEMA: i64 = 1;

/// A file up to this size, in bytes, is checked whole when it is opened: about a second.
const CHECKED: u64 = 256 * 1024 * 1024;

/// How long another writer is waited for, if nothing else is asked for.
pub(super) const BUSY: Duration = Duration::from_secs(5);

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
            busy: BUSY,
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
        let connection = connect(&self.path, self.busy)?;
        check_file(&connection, &self.path)?;
        switch_wal_on(&connection)?;
        let salt = read_salt(&connection)?;
        let owner = Owner::new(&self.path).map_err(|error| self.fault(&error))?;
        owner.tidy(&owning(&connection)?);
        let turn = Turn::new(&self.path).map_err(|error| self.fault(&error))?;
        let reader = Reader::start(self.connect_later(true))?;
        let connect = self.connect_later(false);
        Ok(SqliteLedger {
            writer: Writer::start(connection, connect, reader.close_later(), turn)?,
            reader,
            owner: Arc::new(owner),
            path: self.path,
            salt,
            clock: self.clock,
        })
    }

    /// How further connections are made.
    fn connect_later(&self, only_reads: bool) -> Connect {
        let (path, busy) = (self.path.clone(), self.busy);
        Box::new(move || {
            let connection = connect(&path, busy)?;
            let set = connection.pragma_update(None, "query_only", only_reads);
            set.map_err(Fault::from)?;
            Ok(connection)
        })
    }

    /// Makes the file if it is missing and was asked for. Else it must be there, and writable.
    fn prepare_file(&self) -> Result<(), LedgerError> {
        let mut options = OpenOptions::new();
        match options.read(true).write(true).open(&self.path) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.create => {
                self.make_file()
            }
            Err(error) => Err(self.fault(&error)),
        }
    }

    /// Makes a whole ledger beside the place, and puts it there in one step. So a file that is
    /// there is always whole, and an empty one was damaged.
    fn make_file(&self) -> Result<(), LedgerError> {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".new-{}", Ulid::generate()));
        let new = PathBuf::from(name);
        let made = private_file(&new)
            .map_err(|error| self.fault(&error))
            .and_then(|()| Ok(create(&new)?))
            .and_then(|()| put_in_place(&new, &self.path).map_err(|error| self.fault(&error)));
        // The place has its own name of the file now, or it was not made.
        drop(fs::remove_file(&new));
        made
    }

    fn fault(&self, error: &io::Error) -> LedgerError {
        fault(&self.path, error)
    }
}

/// What a file that cannot be used means for the caller.
pub(super) fn fault(path: &Path, error: &io::Error) -> LedgerError {
    let path = path.display().to_string();
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

pub(super) fn connect(path: &Path, busy: Duration) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Only macOS knows it: there a sync reaches the disk only with it.
    connection.pragma_update(None, "fullfsync", true)?;
    if connection.is_readonly("main")? {
        let path = path.display().to_string();
        return Err(LedgerError::ReadOnly { path }.into());
    }
    Ok(connection)
}

/// An empty file that only its owner may read.
pub(super) fn private_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// Gives a file its place, unless another process was quicker: then that one's stands.
fn put_in_place(new: &Path, place: &Path) -> io::Result<()> {
    match fs::hard_link(new, place) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        // Some file systems have no links.
        Err(_) if !place.exists() => fs::rename(new, place)?,
        Err(_) | Ok(()) => {}
    }
    sync_folder(place)
}

/// Makes the name of a file durable.
pub(super) fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
}

/// Refuses what is not ours, before anything is written.
pub(super) fn check_file(connection: &Connection, path: &Path) -> Result<(), Fault> {
    // One transaction, so that the numbers are of one moment.
    let tx = connection.unchecked_transaction()?;
    let number = |name: &str| -> Result<i64, rusqlite::Error> {
        tx.pragma_query_value(None, name, |row| row.get(0))
    };
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    tx.finish()?;
    match (application, version) {
        (APPLICATION_ID, found) if found > SCHEMA => {
            let known = SCHEMA;
            return Err(LedgerError::NewerSchema { found, known }.into());
        }
        (APPLICATION_ID, SCHEMA) => {}
        (0, 0) if tables == 0 => {
            let detail = "it is empty".to_owned();
            return Err(LedgerError::Corrupt { detail }.into());
        }
        _ => {
            let path = path.display().to_string();
            return Err(LedgerError::Foreign { path }.into());
        }
    }
    // Of a large file SQLite itself finds the damage where it reads it.
    if fs::metadata(path).is_ok_and(|file| file.len() <= CHECKED) {
        let detail: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if detail != "ok" {
            return Err(LedgerError::Corrupt { detail }.into());
        }
    }
    if meta(connection, "moved")?.is_some() {
        return Err(LedgerError::Moved.into());
    }
    Ok(())
}

fn switch_wal_on(connection: &Connection) -> Result<(), Fault> {
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode.eq_ignore_ascii_case("wal") {
        Ok(())
    } else {
        Err(LedgerError::NoWal { mode }.into())
    }
}

/// Writes the tables of a new ledger.
fn create(path: &Path) -> Result<(), Fault> {
    let mut connection = Connection::open(path)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    let tx = connection.transaction()?;
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
    tx.commit()?;
    // Now, where nobody else has the file: later, others would have to wait for it.
    switch_wal_on(&connection)
}

fn read_salt(connection: &Connection) -> Result<[u8; 32], Fault> {
    meta(connection, "fingerprint_salt")?
        .and_then(|salt| salt.try_into().ok())
        .ok_or_else(|| {
            let detail = "its salt is missing".to_owned();
            LedgerError::Corrupt { detail }.into()
        })
}

fn meta(connection: &Connection, name: &str) -> Result<Option<Vec<u8>>, Fault> {
    let sql = "SELECT value FROM meta WHERE name = ?1";
    Ok(connection
        .query_row(sql, params![name], |row| row.get(0))
        .optional()?)
}

/// The owners of open claims.
fn owning(connection: &Connection) -> Result<HashSet<String>, Fault> {
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
