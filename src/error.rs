//! Errors: what a call returns if nothing that it sent can have an effect.

mod ledger;

use std::time::Duration;

use thiserror::Error;

pub use self::ledger::LedgerError;

use crate::intent::Problem;
use crate::money::{Money, MoneyError};
use crate::operation::{OperationId, OperationKind, State};
use crate::outcome::Outcome;
use crate::provider::{AccountId, EncodeError};

/// Why a call did not do what was asked. **This call had no effect**: nothing that it sent can have
/// one.
///
/// It says nothing about earlier calls: where an operation exists, the error carries its id and
/// state. Everything that may have moved money is an [`Outcome`], never an error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A field of the intent is not usable. This call had no effect.
    #[error("{field} {problem}")]
    Invalid {
        /// The field.
        field: String,
        /// What is wrong with it, and what to do.
        problem: Problem,
    },
    /// A text or number is no amount of money. This call had no effect.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// The gateway cannot carry this. This call had no effect.
    #[error("{what}")]
    Unsupported {
        /// What it cannot carry, and what to do instead.
        what: String,
    },
    /// The intent differs from the stored one in what it would do. This call had no effect.
    #[error(
        "intent differs from operation {operation} ({state}) in {}: {}",
        .fields.join(", "),
        instead(*.state)
    )]
    IntentMismatch {
        /// The fields that differ.
        fields: Vec<String>,
        /// The stored operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// An earlier attempt under the reference may still have an effect. This call had none.
    #[error(
        "attempt {attempt} under this reference is {state} (operation {operation}) and may still \
         take effect: call again with that attempt's intent; do not charge by another way"
    )]
    PriorAttemptOpen {
        /// The earlier attempt.
        attempt: u32,
        /// Its operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// An earlier attempt under the reference moved the money. This call had no effect.
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
    /// An earlier attempt under the reference does not exist. This call had no effect.
    #[error("attempt {missing} under this reference does not exist: attempts go 1, 2, 3 ...")]
    PriorAttemptMissing {
        /// The attempt that is not there.
        missing: u32,
    },
    /// A later attempt exists, and only it counts. This call had no effect.
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
    /// Another operation on the same payment is in the way. This call had no effect.
    #[error(
        "{kind} {operation} ({state}) of the same payment is in the way: {}",
        aside(*.state)
    )]
    ParentBusy {
        /// What is in the way.
        kind: OperationKind,
        /// Its operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// The payment has less left than was asked for, counting what may still take effect. This
    /// call had no effect.
    #[error(
        "only {left} is left of the payment, counting what may still take effect: ask for less"
    )]
    ExceedsParent {
        /// What is left.
        left: Money,
    },
    /// The caller's own key belongs to another operation. This call had no effect.
    #[error("the key is used by another operation at this account: give a new one, or none")]
    KeyInUse,
    /// The gateway could not be reached, or it refused for now. The same intent can be used again
    /// later, and goes on with the same key. This call had no effect.
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
    /// The gateway refused our secret. The same intent can be used again when the secret is right.
    /// This call had no effect.
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
    /// The gateway shows another payment, or another currency or amount of it, than the intent is
    /// about. It was read before anything was sent. This call had no effect.
    #[error(
        "{sent} was asked for, but the gateway shows {} as {provider_id}: correct the payment or \
         the amount, in the next attempt",
        got.map_or_else(|| "another payment".to_owned(), |got| got.to_string())
    )]
    PaymentMismatch {
        /// The operation, which is `unsent`.
        operation: OperationId,
        /// Its state.
        state: State,
        /// What was asked for.
        sent: Money,
        /// What the payment is about, if it is the one and an amount of money.
        got: Option<Money>,
        /// The gateway's id of what it showed.
        provider_id: String,
    },
    /// The operation belongs to an account that this client does not have. This call had no
    /// effect.
    #[error(
        "operation {operation} ({state}) belongs to account {account}, which this client does \
         not have: {}",
        elsewhere(*.state)
    )]
    AccountNotConfigured {
        /// The account.
        account: AccountId,
        /// The operation.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// Too many operations are in flight in this client. This call had no effect.
    #[error("{limit} operations are in flight already: call again later with the same intent")]
    Overloaded {
        /// How many may be in flight.
        limit: usize,
    },
    /// The reference is frozen, because evidence about it contradicts itself. This call had no
    /// effect.
    #[error(
        "the reference is frozen (operation {operation}, {state}): a person must compare it with \
         the gateway's own list"
    )]
    Frozen {
        /// The latest operation under the reference.
        operation: OperationId,
        /// Its state.
        state: State,
    },
    /// The ledger could not be used. This call had no effect.
    #[error("ledger: {error}")]
    Ledger {
        /// Why.
        error: LedgerError,
        /// The operation and its state as it was last read, where the call knows of one.
        operation: Option<(OperationId, State)>,
    },
    /// There is no such thing in this ledger. This call had no effect.
    #[error("{what}: check the id, the reference, the family and the tenant")]
    NotFound {
        /// What is not there.
        what: String,
    },
    /// The operation's state does not allow it. This call had no effect.
    #[error("operation {operation} is {state}: {why}")]
    WrongState {
        /// The operation.
        operation: OperationId,
        /// Its state.
        state: State,
        /// Why not, and what to do.
        why: String,
    },
    /// The client is shut down, or the task of the call ended before anything was stored. This call had no effect.
    #[error(
        "nothing was stored, because the client or its runtime was shut down or an adapter panicked: \
         call again with the same intent"
    )]
    ShutDown,
    /// The client is set up wrongly. This call had no effect.
    #[error("configuration: {0}")]
    Config(String),
}

/// What to do instead of an intent that differs. None of it invites a second payment.
const fn instead(state: State) -> &'static str {
    if state.is_no_effect_final() || state.is_replaceable() {
        "it had no effect; for another card or a corrected request use the next attempt, \
         .attempt(n)"
    } else if state.is_open() {
        "it may still take effect; call with the same values, and do not charge this order under \
         another reference"
    } else {
        "this reference is paid; another order needs a reference of its own"
    }
}

/// What to do about an operation that is in the way.
const fn aside(state: State) -> &'static str {
    if state.is_replaceable() {
        "nothing of it was sent; carry it out or withdraw it first"
    } else if state.is_open() {
        "it may still take effect; call again with its intent until it is settled"
    } else {
        "this cannot be done to the payment any more"
    }
}

/// What to do about an operation of an account that is not there.
const fn elsewhere(state: State) -> &'static str {
    if state.is_replaceable() {
        "add it to the builder, or use the next attempt: this one had no effect"
    } else {
        "add it to the builder"
    }
}

fn when(retry_after: Option<&Duration>) -> String {
    match retry_after {
        Some(wait) => format!("in {} s or later", wait.as_secs()),
        None => "later".to_owned(),
    }
}

impl Error {
    #[cfg(feature = "client")]
    pub(crate) fn invalid(field: &str, problem: Problem) -> Self {
        let field = field.to_owned();
        Self::Invalid { field, problem }
    }

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
            | Self::PaymentMismatch {
                operation, state, ..
            }
            | Self::AccountNotConfigured {
                operation, state, ..
            }
            | Self::ParentBusy {
                operation, state, ..
            }
            | Self::WrongState {
                operation, state, ..
            }
            | Self::Frozen { operation, state } => Some((*operation, *state)),
            Self::Ledger { operation, .. } => *operation,
            Self::Invalid { .. }
            | Self::Money(_)
            | Self::Unsupported { .. }
            | Self::PriorAttemptMissing { .. }
            | Self::ExceedsParent { .. }
            | Self::NotFound { .. }
            | Self::KeyInUse
            | Self::Overloaded { .. }
            | Self::ShutDown
            | Self::Config(_) => None,
        }
    }

    /// The HTTP status that a merchant's own API could answer with: 404 it is not there, 409 the
    /// reference or payment is in another state, 422 the request is wrong, 500 the set-up is wrong, 503 try again later.
    pub const fn http_status(&self) -> u16 {
        match self {
            Self::Invalid { .. } | Self::Money(_) | Self::Unsupported { .. } => 422,
            Self::IntentMismatch { .. }
            | Self::PriorAttemptOpen { .. }
            | Self::PriorAttemptSucceeded { .. }
            | Self::PriorAttemptMissing { .. }
            | Self::LaterAttempt { .. }
            | Self::ParentBusy { .. }
            | Self::ExceedsParent { .. }
            | Self::PaymentMismatch { .. }
            | Self::WrongState { .. }
            | Self::KeyInUse
            | Self::Frozen { .. } => 409,
            Self::NotFound { .. } => 404,
            Self::Unavailable { .. } | Self::Overloaded { .. } | Self::ShutDown => 503,
            Self::Ledger { error, .. } if error.may_pass() => 503,
            Self::Unauthorized { .. }
            | Self::AccountNotConfigured { .. }
            | Self::Config(_)
            | Self::Ledger { .. } => 500,
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

#[cfg(test)]
mod tests;
