//! A copy of the file, taken while it is in use.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::params;
use ulid::Ulid;

use super::SqliteLedger;
use super::fault::Fault;
use super::open::{BUSY, check_file, connect, fault, private_file, sync_folder};
use crate::error::LedgerError;

impl SqliteLedger {
    /// Copies the ledger into a new file of mode 0600, while it is in use: everything that was
    /// answered before the call is in the copy. It stands at its place only when it is whole, was
    /// checked, and is on the disk.
    ///
    /// It blocks until then. In async code call it where blocking is allowed, on a ledger that is
    /// opened for it.
    ///
    /// ```no_run
    /// use payonce::SqliteLedger;
    ///
    /// SqliteLedger::open_existing("payments.db")?.backup("/backup/payments-monday.db")?;
    /// # Ok::<(), payonce::LedgerError>(())
    /// ```
    ///
    /// **A restored copy does not know the latest payments.** What was paid, refunded or captured
    /// after the backup would be taken for new and made again. Before a copy is used, compare it
    /// with the gateway's own list since then. It protects against the loss of older records, and
    /// is no second ledger: of two files on one account neither knows what the other sent.
    ///
    /// # Errors
    ///
    /// [`LedgerError::Exists`] if there is a file: none is ever replaced. Else what kept the copy
    /// from being made; nothing stands at its place then.
    pub fn backup(&self, path: impl AsRef<Path>) -> Result<(), LedgerError> {
        let place = path.as_ref();
        // A link that points nowhere is something as well.
        if fs::symlink_metadata(place).is_ok() {
            return Err(exists(place));
        }
        let mut name = place.as_os_str().to_owned();
        name.push(format!(".new-{}", Ulid::generate()));
        let new = PathBuf::from(name);
        let made = private_file(&new)
            .map_err(|error| fault(&new, &error))
            .and_then(|()| Ok(copy(&self.path, &new)?))
            .and_then(|()| put(&new, place));
        // The place has its own name of the file now, or it was not made.
        drop(fs::remove_file(&new));
        made
    }
}

fn exists(place: &Path) -> LedgerError {
    let path = place.display().to_string();
    LedgerError::Exists { path }
}

/// Writes a whole ledger into an empty file.
fn copy(ledger: &Path, new: &Path) -> Result<(), Fault> {
    let connection = connect(ledger, BUSY)?;
    // What is committed moves from the log into the file, as far as nobody reads the old pages. The
    // copy does not need it; whoever copies files by other means has the more in the file.
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    let text = new.to_str().ok_or_else(|| LedgerError::Failed {
        detail: "the place of the copy is no UTF-8 text".to_owned(),
    })?;
    // It reads one moment of the file, and keeps neither readers nor the writer waiting.
    connection.execute("VACUUM INTO ?1", params![text])?;
    drop(connection);
    check_file(&connect(new, BUSY)?, new)
}

/// Gives the copy its place, unless something is there by now.
fn put(new: &Path, place: &Path) -> Result<(), LedgerError> {
    let sync = |path: &Path| File::open(path)?.sync_all();
    let placed = sync(new).and_then(|()| match fs::hard_link(new, place) {
        // Some file systems have no links.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !place.exists() => {
            fs::rename(new, place)
        }
        linked => linked,
    });
    match placed.and_then(|()| sync_folder(place)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(place)),
        Err(error) => Err(fault(place, &error)),
        Ok(()) => Ok(()),
    }
}
