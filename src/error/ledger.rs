//! Why the ledger could not be used.

use thiserror::Error;

/// Why the ledger could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// Another writer held the ledger for too long.
    #[error("another process is writing to the file: call again later with the same intent")]
    Busy,
    /// There is no space for a new row.
    #[error("there is no space left: free some, then call again with the same intent")]
    Full,
    /// The file or its folder cannot be written.
    #[error("{path} cannot be written: give a file in a folder that this user may write")]
    ReadOnly {
        /// The file.
        path: String,
    },
    /// There is no such file and none was to be made, or its folder is not there.
    #[error("{path} is not there, or its folder is not: check the path")]
    NotFound {
        /// The file.
        path: String,
    },
    /// There is a file where a new one was to be made. It is not replaced.
    #[error("{path} is there already: give a place where no file is")]
    Exists {
        /// The file.
        path: String,
    },
    /// The file is damaged. It is not repaired or replaced.
    #[error(
        "the file is damaged ({detail}): stop charging through it; a backup does not know the \
         latest payments, so compare them with the gateway's own list before it is used"
    )]
    Corrupt {
        /// What the check found.
        detail: String,
    },
    /// The file is another program's database.
    #[error("{path} is another program's database: give a file of its own")]
    Foreign {
        /// The file.
        path: String,
    },
    /// A newer version of this library wrote the file.
    #[error(
        "the file has schema {found}, but this program knows up to {known}: update the program"
    )]
    NewerSchema {
        /// The file's version.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// The file is on a network file system, where locks do not hold.
    #[error("{path} is on a network file system ({kind}): put it on a local disk")]
    NetworkFileSystem {
        /// The file.
        path: String,
        /// The kind of file system.
        kind: String,
    },
    /// The ledger was moved elsewhere, and this copy must not be used.
    #[error("this ledger was moved to another place: use that one")]
    Moved,
    /// Write-ahead logging could not be switched on.
    #[error("the file cannot use write-ahead logging (it uses {mode}): put it on a local disk")]
    NoWal {
        /// The mode that the file has.
        mode: String,
    },
    /// A stored row cannot be read.
    #[error("a stored row cannot be read ({detail}): it was not written by this program")]
    Unreadable {
        /// What was wrong.
        detail: String,
    },
    /// The ledger's thread ended.
    #[error("the ledger is closed: open it again")]
    Closed,
    /// Another failure of the store.
    #[error("the store failed ({detail})")]
    Failed {
        /// What it said.
        detail: String,
    },
}

impl LedgerError {
    /// Whether it may be over by itself when the call is made again.
    pub(super) const fn may_pass(&self) -> bool {
        match self {
            Self::Busy | Self::Full | Self::Closed | Self::Failed { .. } => true,
            Self::ReadOnly { .. }
            | Self::NotFound { .. }
            | Self::Exists { .. }
            | Self::Corrupt { .. }
            | Self::Foreign { .. }
            | Self::NewerSchema { .. }
            | Self::NetworkFileSystem { .. }
            | Self::Moved
            | Self::NoWal { .. }
            | Self::Unreadable { .. } => false,
        }
    }
}
