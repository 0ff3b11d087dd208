//! What a status and a response code say together.
//!
//! Statuses: <https://developers.tap.company/reference/charges>,
//! <https://developers.tap.company/reference/authorize> and
//! <https://developers.tap.company/reference/refunds>. Codes:
//! <https://developers.tap.company/reference/charge-response-codes>. A success needs a code that does
//! not contradict it, a refusal one that says so. All else says nothing.

use payonce::OperationKind;

/// Where an object was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// In the reply to a send.
    Reply,
    /// In a look-up.
    LookUp,
}

/// What an object says of its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It was done.
    Done,
    /// It waits, perhaps for the customer.
    Open,
    /// Tap works on it.
    Pending,
    /// It was refused. A page that the customer has may still be paid.
    Declined,
    /// The request was refused.
    Rejected,
    /// It ended, and can never be done.
    Canceled,
    /// It is a duplicate of something; what became of that is not said.
    Repeated,
    /// It says nothing of what happened.
    Unsaid,
}

pub(super) fn of(kind: OperationKind, state: &str, code: Option<&str>, seen: Seen) -> Meaning {
    match kind {
        OperationKind::Refund => refund(state, code),
        OperationKind::Void => match (state, code) {
            ("VOID", None | Some("601")) => Meaning::Done,
            _ => Meaning::Unsaid,
        },
        OperationKind::Authorize => payment(true, state, code, seen),
        OperationKind::Charge | OperationKind::Capture | _ => payment(false, state, code, seen),
    }
}

fn payment(holds: bool, state: &str, code: Option<&str>, seen: Seen) -> Meaning {
    let looked_up = seen == Seen::LookUp;
    match (state, code) {
        // "Failed, Duplicate", whatever the status.
        (_, Some("403")) => Meaning::Repeated,
        ("CAPTURED", None | Some("000")) if !holds => Meaning::Done,
        // What was held was taken since. A reply that takes what was only to be held says nothing.
        ("CAPTURED", None | Some("000")) if looked_up => Meaning::Done,
        ("AUTHORIZED", None | Some("001")) if holds => Meaning::Done,
        // The pages write both forms of the second word.
        ("INITIATED" | "IN_PROGRESS" | "IN PROGRESS", None | Some("100" | "200")) => Meaning::Open,
        ("FAILED", Some("402")) => Meaning::Rejected,
        ("DECLINED" | "FAILED", Some(code)) if within(code, 501, 516) => Meaning::Declined,
        ("RESTRICTED", Some(code)) if within(code, 701, 704) => Meaning::Declined,
        // Right after the request it may not be the last word.
        ("TIMEDOUT", Some("801")) if looked_up => Meaning::Declined,
        ("FAILED", Some("401" | "404" | "405" | "406" | "407" | "408"))
        // The customer left. No page says that he cannot come back, as long as the page lives.
        | ("ABANDONED" | "CANCELLED", Some("301" | "302")) => Meaning::Declined,
        // Its time is over: https://developers.tap.company/reference/charges (30 minutes).
        ("ABANDONED" | "CANCELLED", Some("304")) | ("VOID", Some("601")) => Meaning::Canceled,
        _ => Meaning::Unsaid,
    }
}

fn refund(state: &str, code: Option<&str>) -> Meaning {
    match (state, code) {
        (_, Some("403")) => Meaning::Repeated,
        ("REFUNDED", None | Some("000")) => Meaning::Done,
        ("PENDING" | "IN_PROGRESS" | "ACCEPTED", None | Some("100" | "200")) => Meaning::Pending,
        ("FAILED", Some("402")) => Meaning::Rejected,
        ("FAILED", Some("401")) | ("RESTRICTED", Some("601" | "602")) => Meaning::Declined,
        ("DECLINED", Some(code)) if within(code, 501, 504) => Meaning::Declined,
        // Two pages spell it differently.
        ("CANCELED" | "CANCELLED", Some("301")) => Meaning::Canceled,
        _ => Meaning::Unsaid,
    }
}

/// Whether a code of an error says that the request was refused. Not among them: what speaks of our
/// secret (1101, 2104 to 2108), of a source that was used (1126), and of a machine that failed (1151,
/// 2101, 9999).
pub(super) fn is_of_the_request(code: &str) -> bool {
    let known = within(code, 1100, 1172) || within(code, 4100, 4102);
    // 1216: https://developers.tap.company/docs/merchant-initiated-transaction.
    let known = known || ["1216", "2100", "2102", "2103", "9998"].contains(&code);
    known && !["1101", "1126", "1151"].contains(&code)
}

fn within(code: &str, first: u16, last: u16) -> bool {
    let plain = code.bytes().all(|b| b.is_ascii_digit());
    let number: Option<u16> = code.parse().ok();
    plain && number.is_some_and(|number| (first..=last).contains(&number))
}
