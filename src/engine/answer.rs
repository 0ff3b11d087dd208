//! From what the ledger holds to what the merchant gets.

use crate::error::{Error, LedgerError};
use crate::intent::Problem;
use crate::ledger::{Guarded, Record, Refused};
use crate::operation::State;
use crate::outcome::{
    Action, Decline, Doubt, NoEffect, NoEffectReason, OperationSummary, Outcome, Pending,
    PendingReason, Receipt, Rejection, Reversal, Unknown, UnsentReason,
};
use crate::provider::Refusal;

/// What an operation's row means for its merchant. `recorded`: the row is what the ledger holds.
pub(crate) fn answer(record: &Record, recorded: bool) -> Result<Outcome, Error> {
    // Evidence contradicts itself somewhere under this reference: no row of it is believed.
    if record.frozen {
        return Ok(unknown(record, Doubt::Frozen, recorded));
    }
    let operation = summary(record);
    let standing = &record.standing;
    let refusal = || standing.refusal.clone().unwrap_or_default();
    Ok(match record.state {
        State::Unsent => return Err(unsent(record)),
        State::Queued => pending(record, PendingReason::Queued, recorded),
        State::Sending => pending(record, PendingReason::InFlight, recorded),
        State::Pending | State::ActionRequired if record.closing => {
            pending(record, PendingReason::Closing, recorded)
        }
        State::Pending => pending(record, PendingReason::AtGateway, recorded),
        State::ActionRequired => match &standing.action {
            // An action that is not stored is withheld.
            Some(action) if recorded => Outcome::ActionRequired(Action {
                operation,
                url: action.url.clone(),
                client_secret: action.client_secret.clone(),
                kind: action.kind.clone(),
                provider_id: action.provider_id.clone(),
                last_decline: standing.refusal.clone(),
            }),
            Some(_) if !recorded => unrecorded(record, "its action could not be stored"),
            Some(_) | None => not_whole(record, recorded),
        },
        State::Unknown => unknown(
            record,
            standing.doubt.clone().unwrap_or(Doubt::OwnerLost),
            recorded,
        ),
        State::Succeeded => match receipt(record, recorded) {
            Some(receipt) => Outcome::Succeeded(receipt),
            None => not_whole(record, recorded),
        },
        State::Reversed => match receipt(record, recorded) {
            Some(receipt) => Outcome::Reversed(Reversal {
                receipt,
                code: standing.reversal.clone().unwrap_or_default(),
            }),
            None => not_whole(record, recorded),
        },
        State::Declined => Outcome::Declined(Decline {
            operation,
            refusal: refusal(),
            recorded,
        }),
        State::Rejected => Outcome::Rejected(Rejection {
            operation,
            refusal: refusal(),
            recorded,
        }),
        State::Canceled | State::NotExecuted => Outcome::NoEffect(NoEffect {
            operation,
            why: standing.no_effect.unwrap_or(NoEffectReason::Canceled),
            recorded,
        }),
    })
}

/// It is still being driven, whatever its row says.
pub(crate) fn in_flight(record: &Record) -> Outcome {
    pending(record, PendingReason::InFlight, true)
}

/// The ledger does not hold what became of it.
pub(crate) fn unrecorded(record: &Record, problem: &str) -> Outcome {
    let problem = problem.to_owned();
    unknown(record, Doubt::Unrecorded { problem }, false)
}

/// Its row says that there is something, and does not hold it.
fn not_whole(record: &Record, recorded: bool) -> Outcome {
    let problem = "its row is not whole".to_owned();
    unknown(record, Doubt::Unrecorded { problem }, recorded)
}

/// Nobody knows, for this reason.
pub(crate) fn unknown(record: &Record, doubt: Doubt, recorded: bool) -> Outcome {
    Outcome::Unknown(Unknown {
        operation: summary(record),
        doubt,
        provider_id: record.standing.provider_id.clone(),
        retry_after: record.standing.retry_after,
        recorded,
    })
}

fn pending(record: &Record, why: PendingReason, recorded: bool) -> Outcome {
    Outcome::Pending(Pending {
        operation: summary(record),
        why,
        provider_id: record.standing.provider_id.clone(),
        last_decline: record.standing.refusal.clone().filter(|refusal: &Refusal| {
            // A refusal without a code is none.
            !refusal.code.is_empty()
        }),
        recorded,
    })
}

fn receipt(record: &Record, recorded: bool) -> Option<Receipt> {
    let effect = record.standing.effect.as_ref()?;
    Some(Receipt {
        operation: summary(record),
        provider_id: effect.provider_id.clone(),
        money: effect.money,
        status: effect.status.clone(),
        inferred: effect.inferred,
        recorded,
    })
}

/// Every send had no effect, for the reason that its row holds.
pub(super) fn unsent(record: &Record) -> Error {
    let (operation, state) = (record.id, record.state);
    match &record.standing.unsent {
        Some(UnsentReason::Unauthorized) => Error::Unauthorized {
            account: record.account.clone(),
            operation,
            state,
        },
        Some(UnsentReason::PaymentMismatch { got, provider_id }) => Error::PaymentMismatch {
            operation,
            state,
            sent: record.money,
            got: *got,
            provider_id: provider_id.clone(),
        },
        Some(UnsentReason::Unavailable { why, retry_after }) => Error::Unavailable {
            operation,
            state,
            why: why.clone(),
            retry_after: *retry_after,
        },
        None => {
            let why = "it was not sent".to_owned();
            Error::Unavailable {
                operation,
                state,
                why,
                retry_after: None,
            }
        }
    }
}

impl Error {
    fn payment(problem: &str) -> Self {
        Self::Invalid {
            field: "payment".to_owned(),
            problem: Problem::other(problem),
        }
    }

    /// The same error. If the ledger failed and showed no row, with the row that was read before.
    pub(crate) fn about(mut self, record: &Record) -> Self {
        if let Self::Ledger {
            operation: operation @ None,
            ..
        } = &mut self
        {
            *operation = Some((record.id, record.state));
        }
        self
    }

    /// The ledger failed, and shows this row.
    pub(crate) fn ledger(error: LedgerError, record: &Record) -> Self {
        Self::Ledger {
            error,
            operation: Some((record.id, record.state)),
        }
    }
}

/// Why a claim was refused, for the merchant.
pub(crate) fn refused(refused: Refused) -> Error {
    let of = |record: &Record| (record.id, record.state);
    match refused {
        Refused::Mismatch(fields, record) => {
            let (operation, state) = of(&record);
            Error::IntentMismatch {
                fields,
                operation,
                state,
            }
        }
        Refused::PriorOpen(record) => {
            let (operation, state) = of(&record);
            Error::PriorAttemptOpen {
                attempt: record.identity.attempt,
                operation,
                state,
            }
        }
        Refused::PriorSucceeded(record) => {
            let (operation, state) = of(&record);
            Error::PriorAttemptSucceeded {
                attempt: record.identity.attempt,
                operation,
                state,
            }
        }
        Refused::PriorMissing(missing) => Error::PriorAttemptMissing { missing },
        Refused::Later(record) => {
            let (operation, state) = of(&record);
            let outcome = answer(&record, true).ok().map(Box::new);
            Error::LaterAttempt {
                attempt: record.identity.attempt,
                operation,
                state,
                outcome,
            }
        }
        Refused::KeyInUse => Error::KeyInUse,
        Refused::Guarded(why) => guarded(why),
        Refused::Frozen(record) => {
            let (operation, state) = of(&record);
            Error::Frozen { operation, state }
        }
        Refused::NoAccount(record) => {
            let (operation, state) = of(&record);
            Error::AccountNotConfigured {
                account: record.account.clone(),
                operation,
                state,
            }
        }
    }
}

/// Why a payment does not allow an operation, for the merchant.
pub(crate) fn guarded(why: Guarded) -> Error {
    match why {
        Guarded::NoPayment => Error::payment(
            "is not known to this ledger: it was made elsewhere, or has not succeeded; adopt it, \
             or ask with the intent that made it",
        ),
        Guarded::NothingToCapture => {
            Error::payment("was charged and not reserved: there is nothing to capture")
        }
        Guarded::OtherCurrency(money) => Error::Invalid {
            field: "amount".to_owned(),
            problem: Problem::other(format!(
                "is in another currency than its payment of {money}"
            )),
        },
        Guarded::ExceedsParent(left) => Error::ExceedsParent { left },
        Guarded::ParentBusy(record) => Error::ParentBusy {
            kind: record.kind,
            operation: record.id,
            state: record.state,
        },
        Guarded::Frozen(record) => Error::Frozen {
            operation: record.id,
            state: record.state,
        },
    }
}

/// The operation that an outcome is about.
pub(crate) fn summary(record: &Record) -> OperationSummary {
    OperationSummary {
        id: record.id,
        kind: record.kind,
        reference: record.identity.reference.clone(),
        attempt: record.identity.attempt,
        money: record.money,
        account: record.account.clone(),
        key: record.key.clone(),
        state: record.state,
        sends: record.sends,
    }
}

#[cfg(test)]
mod tests;
