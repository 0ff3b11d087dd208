//! Errors: what a call returns if nothing that it sent can have an effect.

use std::time::Duration;

use thiserror::Error;

use crate::intent::Problem;
use crate::money::MoneyError;
use crate::operation::{OperationId, State};
use crate::outcome::Outcome;
use crate::provider::{AccountId, EncodeError};

/// Why a call did not do what was asked, where **nothing that this call sent can have an effect**.
///
/// It says nothing about earlier calls: where an operation exists, the error carries its id and
/// state. Everything that may have moved money is an [`Outcome`], never an error.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum Error {
    /// A field of the intent is not usable. Nothing was stored or sent.
    #[error("{field} {problem}")]
    Invalid {
        /// The field.
        field: String,
        /// What is wrong with it, and what to do.
        problem: Problem,
    },
    /// A text or number is no amount of money. Nothing was stored or sent.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// The gateway cannot carry this. Nothing was stored or sent.
    #[error("{what}")]
    Unsupported {
        /// What it cannot carry, and what to do instead.
        what: String,
    },
    /// The intent differs from the stored one in what it would do. Nothing was sent by this call.
    #[error(
        "intent differs from operation {operation} ({state}) in {}: use the same values to \
         continue it; a different payment needs a reference of its own",
        .fields.join(", ")
    )]
    IntentMismatch {
        /// The fields that differ.
        fields: Vec<String>,
        /// The stored operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// An earlier attempt under the reference may still have an effect. Nothing was sent by this
    /// call.
    #[error(
        "attempt {attempt} under this reference is {state} (operation {operation}) and may still \
         take effect: continue that attempt, close it, or wait for evidence; do not charge by \
         another way"
    )]
    PriorAttemptOpen {
        /// The earlier attempt.
        attempt: u32,
        /// Its operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// An earlier attempt under the reference moved the money. Nothing was sent by this call.
    #[error(
        "attempt {attempt} under this reference has {state} (operation {operation}): it is paid, \
         do not pay again"
    )]
    PriorAttemptSucceeded {
        /// The earlier attempt.
        attempt: u32,
        /// Its operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// An earlier attempt under the reference does not exist. Nothing was stored or sent.
    #[error("attempt {missing} under this reference does not exist: attempts go 1, 2, 3 ...")]
    PriorAttemptMissing {
        /// The attempt that is not there.
        missing: u32,
    },
    /// A later attempt exists, and only it counts. Nothing was sent by this call.
    #[error(
        "attempt {attempt} (operation {operation}, {state}) came after this one: use the latest \
         attempt"
    )]
    LaterAttempt {
        /// The latest attempt.
        attempt: u32,
        /// Its operation.
        operation: OperationId,
        /// Its state.
        state: State,
        /// Its outcome, unless it is queued or unsent.
        outcome: Option<Box<Outcome>>,
    },
    /// The caller's own key belongs to another operation. Nothing was stored or sent.
    #[error("the key is used by another operation at this account: give a new one, or none")]
    KeyInUse,
    /// Nothing had an effect: the gateway could not be reached, or it refused for now. The same
    /// intent can be used again later, and goes on with the same key.
    #[error("nothing was carried out ({why}): call again {} with the same intent", when(.retry_after.as_ref()))]
    Unavailable {
        /// The operation, which is `unsent`.
        operation: OperationId,
        /// Its state.
        state: State,
        /// What happened.
        why: String,
        /// When the gateway asked to be tried again.
        retry_after: Option<Duration>,
    },
    /// The gateway refused our secret, so nothing had an effect. The same intent can be used
    /// again when the secret is right.
    #[error(
        "the gateway refused the secret of account {account}: check it and its permissions, then \
         call again with the same intent"
    )]
    Unauthorized {
        /// The account.
        account: AccountId,
        /// The operation, which is `unsent`.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// The operation belongs to an account that this client does not have. Nothing was sent by
    /// this call.
    #[error(
        "operation {operation} ({state}) belongs to account {account}, which this client does \
         not have: add it to the builder"
    )]
    AccountNotConfigured {
        /// The account.
        account: AccountId,
        /// The operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// Too many operations are in flight in this client. Nothing was stored or sent.
    #[error("{limit} operations are in flight already: call again later with the same intent")]
    Overloaded {
        /// How many may be in flight.
        limit: usize,
    },
    /// The reference is frozen, because evidence about it contradicts itself. Nothing was sent by
    /// this call.
    #[error(
        "the reference is frozen (operation {operation}, {state}): a person must compare it with \
         the gateway and resolve it"
    )]
    Frozen {
        /// The latest operation under the reference.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// The ledger could not be used. Nothing was sent by this call.
    #[error("ledger: {error}")]
    Ledger {
        /// Why.
        error: LedgerError,
        /// The operation and its state, where the ledger showed one: `unsent`, `queued` or final.
        operation: Option<(OperationId, State)>,
    },
    /// The client is set up wrongly. Nothing was stored or sent.
    #[error("configuration: {0}")]
    Config(String),
}

fn when(retry_after: Option<&Duration>) -> String {
    match retry_after {
        Some(wait) => format!("in {} s or later", wait.as_secs()),
        None => "later".to_owned(),
    }
}

impl Error {
    /// The operation that the error is about and its state, where one exists.
    pub const fn operation(&self) -> Option<(OperationId, State)> {
        match self {
            Self::IntentMismatch {
                operation, state, ..
            }
            | Self::PriorAttemptOpen {
                operation, state, ..
            }
            | Self::PriorAttemptSucceeded {
                operation, state, ..
            }
            | Self::LaterAttempt {
                operation, state, ..
            }
            | Self::Unavailable {
                operation, state, ..
            }
            | Self::Unauthorized {
                operation, state, ..
            }
            | Self::AccountNotConfigured {
                operation, state, ..
            }
            | Self::Frozen { operation, state } => Some((*operation, *state)),
            Self::Ledger { operation, .. } => *operation,
            Self::Invalid { .. }
            | Self::Money(_)
            | Self::Unsupported { .. }
            | Self::PriorAttemptMissing { .. }
            | Self::KeyInUse
            | Self::Overloaded { .. }
            | Self::Config(_) => None,
        }
    }

    /// The HTTP status that a merchant's own API could answer with: 409 the reference is in
    /// another state, 422 the request is wrong, 500 the set-up is wrong, 503 try again later.
    pub const fn http_status(&self) -> u16 {
        match self {
            Self::Invalid { .. } | Self::Money(_) | Self::Unsupported { .. } => 422,
            Self::IntentMismatch { .. }
            | Self::PriorAttemptOpen { .. }
            | Self::PriorAttemptSucceeded { .. }
            | Self::PriorAttemptMissing { .. }
            | Self::LaterAttempt { .. }
            | Self::KeyInUse
            | Self::Frozen { .. } => 409,
            Self::Unauthorized { .. } | Self::AccountNotConfigured { .. } | Self::Config(_) => 500,
            Self::Unavailable { .. } | Self::Overloaded { .. } | Self::Ledger { .. } => 503,
        }
    }
}

impl From<LedgerError> for Error {
    fn from(error: LedgerError) -> Self {
        Self::Ledger {
            error,
            operation: None,
        }
    }
}

impl From<EncodeError> for Error {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::Field { field, problem } => Self::Invalid { field, problem },
            EncodeError::Amount(error) => Self::Invalid {
                field: "amount".to_owned(),
                problem: Problem::other(error.to_string()),
            },
            EncodeError::Unsupported { what } => Self::Unsupported { what },
        }
    }
}

/// Why the ledger could not be used. Nothing was sent because of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// Another writer held the ledger for too long.
    #[error("another process holds the file: end it or wait, then call again")]
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
    /// There is no such file, and none was to be made.
    #[error(
        "{path} is not there: check the path; the folder must exist, and a new file must be asked for"
    )]
    NotFound {
        /// The file.
        path: String,
    },
    /// The file is damaged. It is not repaired or replaced.
    #[error("the file is damaged ({detail}): restore it from a backup, it is not replaced")]
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

#[cfg(test)]
mod tests;
