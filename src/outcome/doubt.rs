//! Why an outcome is unknown, typed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::money::Money;

// What would settle it. None of these invites a new payment.
const AGAIN: &str = "money may have moved; call again with the same intent, which goes on with the \
                     same key, or is only looked up where a repeat is not safe";
const EVIDENCE: &str = "money may have moved; call again with the same intent, and it is looked up; \
                        if that finds nothing, compare it with the gateway's own list";
const PERSON: &str = "money may have moved; nothing more is sent; a person must compare it with \
                      the gateway's own list";

/// Why nobody knows whether money moved, or why what is known may not settle the operation.
///
/// The text of each says what would settle it. None of them invites a new payment.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Doubt {
    /// The request may have reached the gateway; no whole reply came back.
    #[error("no whole reply came back ({problem}); {AGAIN}")]
    NoReply {
        /// What happened to the exchange.
        problem: String,
    },
    /// A reply came that cannot be read: cut, empty, too large, or not what the gateway sends.
    #[error("the reply{} cannot be read; {AGAIN}", with_status(status.as_ref()))]
    Unreadable {
        /// Its status, if that much arrived.
        status: Option<u16>,
    },
    /// A status or code that the gateway does not document.
    #[error("the gateway answered {status}, which is not documented{}; {AGAIN}", with_code(code.as_ref()))]
    Undocumented {
        /// The reply's status.
        status: u16,
        /// The gateway's code, as it came.
        code: Option<String>,
    },
    /// Something between us and the gateway answered (a firewall's page).
    #[error("something before the gateway answered {status} with a page of its own; {AGAIN}")]
    Blocked {
        /// The reply's status.
        status: u16,
    },
    /// The reply pointed elsewhere. Redirects are never followed.
    #[error(
        "the reply ({status}) redirects to {}, which is never followed; {AGAIN}",
        host.as_deref().unwrap_or("an unreadable place")
    )]
    Redirected {
        /// The reply's status.
        status: u16,
        /// The host that it pointed to.
        host: Option<String>,
    },
    /// The gateway had an error of its own, before or after the money moved.
    #[error("the gateway failed with {status}; {AGAIN}")]
    ServerError {
        /// The reply's status.
        status: u16,
    },
    /// The gateway keeps answering our key with a stored error. It may have moved the money.
    #[error("the gateway stored an error {status} under the key; {EVIDENCE}")]
    StoredServerError {
        /// The reply's status.
        status: u16,
    },
    /// The gateway was still working on our key when we stopped asking.
    #[error("the gateway is still working on the key; {AGAIN}")]
    InProgress,
    /// The gateway says that our key was used with other parameters.
    #[error("the gateway says that the key was used with other parameters; {PERSON}")]
    KeyMismatch,
    /// The gateway answered our first send as a repeat: somebody else used the key or reference.
    #[error("the gateway knew the key before our first send; {PERSON}")]
    KeyUsedElsewhere,
    /// The reply does not name our key, though the gateway's replies do. It may be another's.
    #[error("the reply does not name our key; {EVIDENCE}")]
    EchoMissing,
    /// The gateway shows another amount, currency or key than we sent.
    #[error("{sent} was sent, but the gateway shows {} at {provider_id}; {PERSON}", shown(sent, got.as_ref()))]
    Mismatch {
        /// What we sent.
        sent: Money,
        /// What the gateway shows, if it is an amount of money.
        got: Option<Money>,
        /// The gateway's id of the object.
        provider_id: String,
    },
    /// The gateway called a send a duplicate and does not show what became of the first.
    #[error("the gateway called it a duplicate; {EVIDENCE}")]
    Repeated,
    /// A look-up came to no answer.
    #[error("looking it up came to no answer ({problem}); {AGAIN}")]
    LookUpUnclear {
        /// Why not.
        problem: String,
    },
    /// A repeat was refused, after an earlier send that may have moved the money.
    #[error("a repeat was refused ({code}), but an earlier send may have worked; {EVIDENCE}")]
    RefusedAfterDoubt {
        /// The gateway's code of the refusal.
        code: String,
    },
    /// The gateway's key life is over (less a safety margin): a repeat could charge again.
    #[error("the gateway may have forgotten the key; {EVIDENCE}")]
    WindowOver,
    /// The time in which this operation may be sent is over.
    #[error(
        "the time to send is over; money may have moved; call again with the same intent, which \
         renews the time"
    )]
    PastSendUntil,
    /// The clock cannot be trusted, so a key's age is not known.
    #[error(
        "the clock cannot be trusted; money may have moved; set the clock right; until then it is \
         only looked up"
    )]
    ClockDoubtful,
    /// The operation may only be looked up, since an earlier doubt about its key or its clock.
    #[error("the operation may only be looked up; {EVIDENCE}")]
    LookUpOnly,
    /// A process died while it owned the operation. It may have sent.
    #[error("a process died while it owned the operation; {AGAIN}")]
    OwnerLost,
    /// The task that drove the operation ended without a result.
    #[error("the task that drove the operation was lost; {AGAIN}")]
    TaskLost,
    /// The reference is frozen until a person resolves it.
    #[error("the reference is frozen; {PERSON}")]
    Frozen,
    /// The ledger could not be written or read, so what happened is not recorded.
    #[error(
        "it is not recorded ({problem}); money may have moved; when the ledger can be used, call \
         again with the same intent"
    )]
    Unrecorded {
        /// Why not.
        problem: String,
    },
}

fn with_status(status: Option<&u16>) -> String {
    status.map_or_else(String::new, |status| format!(" with status {status}"))
}

fn with_code(code: Option<&String>) -> String {
    code.map_or_else(String::new, |code| format!(" ({code})"))
}

fn shown(sent: &Money, got: Option<&Money>) -> String {
    match got {
        Some(got) if got != sent => got.to_string(),
        Some(_) => "another key".to_owned(),
        None => "no such amount".to_owned(),
    }
}
