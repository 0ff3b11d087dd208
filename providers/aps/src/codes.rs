//! What a response code says: two digits of status, three of message.
//!
//! <https://docs.payfort.com/docs/api/build/index.html#transactions-response-codes>. A message may
//! come with several statuses, and most are not said to mean that nothing happened. Only those
//! below are an answer; every other one is looked up.

use payonce::OperationKind;

/// What a code says of the operation that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// It was done.
    Done,
    /// The customer must pass 3-D Secure.
    Waiting,
    /// The gateway works on it.
    Pending,
    /// The payer's side refused.
    Declined,
    /// The request was refused.
    Rejected,
    /// Our keys were refused.
    Unauthorized,
    /// It is a duplicate of something; what became of that is not said.
    Repeated,
    /// The same order is being worked on.
    InProgress,
    /// It says nothing of what happened.
    Unsaid,
}

/// The request is wrong: parameters, command, amount, currency, lengths, values, format.
const WRONG: [&str; 9] = [
    "001", "002", "004", "005", "013", "027", "032", "033", "073",
];
/// Expired card, invalid card, insufficient funds, authentication failed, declined.
const DECLINED: [&str; 5] = ["012", "016", "029", "030", "666"];

/// How the gateway calls a kind, and its statuses of success and of failure.
pub(crate) const fn names(
    kind: OperationKind,
) -> Option<(&'static str, &'static str, &'static str)> {
    match kind {
        OperationKind::Charge => Some(("PURCHASE", "14", "13")),
        OperationKind::Authorize => Some(("AUTHORIZATION", "02", "03")),
        OperationKind::Capture => Some(("CAPTURE", "04", "05")),
        OperationKind::Refund => Some(("REFUND", "06", "07")),
        OperationKind::Void => Some(("VOID_AUTHORIZATION", "08", "09")),
        _ => None,
    }
}

/// Whether an operation makes an order of its own.
pub(crate) const fn pays(kind: OperationKind) -> bool {
    matches!(kind, OperationKind::Charge | OperationKind::Authorize)
}

/// What the reply to a send says by its code.
pub(crate) fn meaning(kind: OperationKind, state: &str, message: &str) -> Meaning {
    let of_order = of_order(kind, state, message);
    if of_order != Meaning::Unsaid {
        return of_order;
    }
    let follows = !pays(kind);
    match (state, message) {
        // Duplicate order number, order already processed, reference already exists. Which of them
        // comes when is not documented, nor with which status.
        (_, "007" | "047" | "066") => Meaning::Repeated,
        (_, "784") => Meaning::InProgress,
        // Signature mismatch, invalid merchant, invalid access code.
        ("00", "008" | "009" | "010") => Meaning::Unauthorized,
        ("00", message) if WRONG.contains(&message) => Meaning::Rejected,
        // No such token.
        ("00", "044") if !follows => Meaning::Rejected,
        // No such order; more than was authorized; more than was captured.
        ("00", "036" | "042" | "048") if follows => Meaning::Rejected,
        (state, "042" | "048") if follows && fails(kind, state) => Meaning::Rejected,
        _ => Meaning::Unsaid,
    }
}

/// What the last thing done says of the operation, in a reply and in a look-up.
pub(crate) fn of_order(kind: OperationKind, state: &str, message: &str) -> Meaning {
    let done = names(kind).is_some_and(|(_, done, _)| done == state);
    match (state, message) {
        (_, "000") if done => Meaning::Done,
        ("20", "064") if pays(kind) => Meaning::Waiting,
        // Technical problems and dropped requests, whatever stands before them, and what was
        // processed without a confirmation.
        (_, "006" | "051" | "054" | "071" | "119" | "777" | "778" | "779" | "780" | "781") => {
            Meaning::Unsaid
        }
        // Stored, incomplete, pending, on hold, in review, 3-D Secure passed. That it failed (45)
        // is one step; no page says that the payment ends with it.
        ("01" | "10" | "19" | "20" | "40" | "44", _) => Meaning::Pending,
        (state, message) if fails(kind, state) && DECLINED.contains(&message) => Meaning::Declined,
        // 15 is uncertain; 662 and 773 (not confirmed yet, closed) do not say what happened.
        _ => Meaning::Unsaid,
    }
}

fn fails(kind: OperationKind, state: &str) -> bool {
    names(kind).is_some_and(|(_, _, failed)| failed == state)
}

#[cfg(test)]
mod tests;
