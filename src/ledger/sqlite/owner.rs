//! Who owns a claim, and whether they still live.
//!
//! Each open ledger holds an exclusive lock (`flock`) on a file of its own until its process
//! ends, however it ends. Whoever can take that lock knows that the owner is dead and that its
//! leases are over at once. Without the file (somebody removed it) only time tells.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use ulid::Ulid;

use crate::ledger::OwnerId;

/// This open ledger, as an owner of claims.
pub(super) struct Owner {
    id: OwnerId,
    folder: PathBuf,
    /// Locked as long as it is open: until this is dropped and no forked child has it open either.
    /// The file itself stays, since open claims may name it; whoever opens the ledger next removes
    /// it.
    _lock: File,
}

impl Owner {
    /// Takes a new lock beside the ledger's file.
    pub(super) fn new(ledger: &Path) -> io::Result<Self> {
        let mut name = ledger.as_os_str().to_owned();
        name.push("-owners");
        let folder = PathBuf::from(name);
        make_folder(&folder)?;
        loop {
            let id = OwnerId::new(Ulid::generate().to_string());
            let file = File::create_new(path(&folder, &id))?;
            file.lock()?;
            // Before we had the lock, another process could take the file for a dead owner's.
            if path(&folder, &id).exists() {
                return Ok(Self {
                    id,
                    folder,
                    _lock: file,
                });
            }
        }
    }

    pub(super) const fn id(&self) -> &OwnerId {
        &self.id
    }

    /// Whether another owner may still be alive. Only a lock that can be taken proves that it is
    /// not.
    pub(super) fn may_be_alive(&self, other: &OwnerId) -> bool {
        *other == self.id || self.lock_of(other).is_none()
    }

    /// The lock of a dead owner.
    fn lock_of(&self, other: &OwnerId) -> Option<File> {
        let file = File::open(path(&self.folder, other)).ok()?;
        match file.try_lock() {
            Ok(()) => Some(file),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
        }
    }

    /// Removes the files of dead owners, except those that still own an open claim.
    pub(super) fn tidy(&self, owning: &HashSet<String>) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !owning.contains(*name)) else {
                continue;
            };
            let other = OwnerId::new(name);
            if other != self.id
                && let Some(lock) = self.lock_of(&other)
            {
                // Another process may have been quicker; either way the file is gone.
                drop(fs::remove_file(entry.path()));
                drop(lock);
            }
        }
    }
}

fn path(folder: &Path, id: &OwnerId) -> PathBuf {
    folder.join(id.as_str())
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_owner_is_known_to_be_dead_and_an_open_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("payments.db");
        let first = Owner::new(&ledger).unwrap();
        let second = Owner::new(&ledger).unwrap();
        assert!(second.may_be_alive(first.id()));
        let id = first.id().clone();
        drop(first);
        assert!(!second.may_be_alive(&id));
    }

    #[test]
    fn without_its_file_an_owner_may_be_alive() {
        let folder = tempfile::tempdir().unwrap();
        let owner = Owner::new(&folder.path().join("payments.db")).unwrap();
        assert!(owner.may_be_alive(&OwnerId::new("01ARZ3NDEKTSV4RRFFQ69G5FAV")));
    }

    #[test]
    fn tidy_removes_only_dead_owners_without_claims() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("payments.db");
        let dead = Owner::new(&ledger).unwrap();
        let dead_with_claim = Owner::new(&ledger).unwrap();
        let (gone, kept) = (dead.id().clone(), dead_with_claim.id().clone());
        drop((dead, dead_with_claim));
        let owner = Owner::new(&ledger).unwrap();
        owner.tidy(&HashSet::from([kept.as_str().to_owned()]));
        assert!(!path(&owner.folder, &gone).exists());
        assert!(path(&owner.folder, &kept).exists());
        assert!(path(&owner.folder, owner.id()).exists());
    }
}
