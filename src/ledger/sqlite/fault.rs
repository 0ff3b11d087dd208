//! What SQLite's errors mean for the caller.

use rusqlite::ErrorCode;

use crate::error::LedgerError;

/// Why work on the file failed. Within this folder both kinds of errors become one; its public
/// face shows only [`LedgerError`].
#[derive(Debug)]
pub(super) struct Fault(LedgerError);

impl From<LedgerError> for Fault {
    fn from(error: LedgerError) -> Self {
        Self(error)
    }
}

impl From<Fault> for LedgerError {
    fn from(fault: Fault) -> Self {
        fault.0
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        let detail = error.to_string();
        if let rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::IntegralValueOutOfRange(..) = error
        {
            return Self(LedgerError::Unreadable { detail });
        }
        Self(match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LedgerError::Busy,
            Some(ErrorCode::DiskFull) => LedgerError::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                LedgerError::ReadOnly {
                    path: "the file".to_owned(),
                }
            }
            Some(ErrorCode::NotADatabase) => LedgerError::Corrupt {
                detail: "it is no SQLite file, or its head is damaged".to_owned(),
            },
            Some(ErrorCode::DatabaseCorrupt) => LedgerError::Corrupt { detail },
            _ => LedgerError::Failed { detail },
        })
    }
}
