//! Why an outcome is unknown, typed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::money::Money;

/// Why nobody knows whether money moved, or why what is known may not settle the operation.
///
/// The text of each says what would settle it. None of them invites a new payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "doubt", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Doubt {
    /// The request may have reached the gateway; no whole reply came back.
    NoReply {
        /// What happened to the exchange.
        problem: String,
    },
    /// A reply came that cannot be read: cut, empty, too large, or not what the gateway sends.
    Unreadable {
        /// Its status, if that much arrived.
        status: Option<u16>,
    },
    /// A status or code that the gateway does not document.
    Undocumented {
        /// The reply's status.
        status: u16,
        /// The gateway's code, as it came.
        code: Option<String>,
    },
    /// Something between us and the gateway answered (a firewall's page).
    Blocked {
        /// The reply's status.
        status: u16,
    },
    /// The reply pointed elsewhere. Redirects are never followed.
    Redirected {
        /// The reply's status.
        status: u16,
        /// The host that it pointed to.
        host: Option<String>,
    },
    /// The gateway had an error of its own, before or after the money moved.
    ServerError {
        /// The reply's status.
        status: u16,
    },
    /// The gateway keeps answering our key with a stored error. It may have moved the money.
    StoredServerError {
        /// The reply's status.
        status: u16,
    },
    /// The gateway was still working on our key when we stopped asking.
    InProgress,
    /// The gateway says that our key was used with other parameters.
    KeyMismatch,
    /// The gateway answered our first send as a repeat: somebody else used the key or reference.
    KeyUsedElsewhere,
    /// The reply does not name our key, though the gateway's replies do. It may be another's.
    EchoMissing,
    /// The gateway shows another amount, currency or key than we sent.
    Mismatch {
        /// What we sent.
        sent: Money,
        /// What the gateway shows, if it is an amount of money.
        got: Option<Money>,
        /// The gateway's id of the object.
        provider_id: String,
    },
    /// The gateway called a send a duplicate and does not show what became of the first.
    Repeated,
    /// A repeat was refused, after an earlier send that may have moved the money.
    RefusedAfterDoubt {
        /// The gateway's code of the refusal.
        code: String,
    },
    /// The gateway's key life is over (less a safety margin): a repeat could charge again.
    WindowOver,
    /// The time in which this operation may be sent is over.
    PastSendUntil,
    /// The clock cannot be trusted, so a key's age is not known.
    ClockDoubtful,
    /// The operation may only be looked up, since an earlier doubt about its key or its clock.
    LookUpOnly,
    /// A process died while it owned the operation. It may have sent.
    OwnerLost,
    /// The task that drove the operation ended without a result.
    TaskLost,
    /// The reference is frozen until a person resolves it.
    Frozen,
    /// The ledger could not be written or read, so what happened is not recorded.
    Unrecorded,
}

impl Doubt {
    /// What would settle it, in words for the operator.
    const fn remedy(&self) -> &'static str {
        match self {
            Self::NoReply { .. }
            | Self::Unreadable { .. }
            | Self::Undocumented { .. }
            | Self::Blocked { .. }
            | Self::Redirected { .. }
            | Self::ServerError { .. }
            | Self::InProgress
            | Self::OwnerLost
            | Self::TaskLost => "call again with the same intent: it goes on with the same key",
            Self::StoredServerError { .. }
            | Self::EchoMissing
            | Self::Repeated
            | Self::RefusedAfterDoubt { .. }
            | Self::WindowOver
            | Self::LookUpOnly => "a later look-up or a webhook settles it, or a person does",
            Self::KeyMismatch | Self::KeyUsedElsewhere | Self::Mismatch { .. } | Self::Frozen => {
                "a person must compare it with the gateway's own list and resolve it"
            }
            Self::PastSendUntil => "call again with the same intent: that renews the time",
            Self::ClockDoubtful => "set the clock right; until then it is only looked up",
            Self::Unrecorded => "make the ledger writable, then call again with the same intent",
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReply { problem } => write!(f, "no whole reply came back ({problem})")?,
            Self::Unreadable { status: Some(status) } => {
                write!(f, "the reply with status {status} cannot be read")?;
            }
            Self::Unreadable { status: None } => f.write_str("the reply cannot be read")?,
            Self::Undocumented { status, code: Some(code) } => {
                write!(f, "the gateway answered {status} with an undocumented code ({code})")?;
            }
            Self::Undocumented { status, code: None } => {
                write!(f, "the gateway answered {status}, which it does not document")?;
            }
            Self::Blocked { status } => {
                write!(f, "something before the gateway answered {status} with a page of its own")?;
            }
            Self::Redirected { status, host } => {
                let host = host.as_deref().unwrap_or("an unreadable place");
                write!(f, "the reply ({status}) redirects to {host}, which is never followed")?;
            }
            Self::ServerError { status } => write!(f, "the gateway failed with {status}")?,
            Self::StoredServerError { status } => {
                write!(f, "the gateway stored an error {status} under the key")?;
            }
            Self::InProgress => f.write_str("the gateway is still working on the key")?,
            Self::KeyMismatch => {
                f.write_str("the gateway says that the key was used with other parameters")?;
            }
            Self::KeyUsedElsewhere => {
                f.write_str("the gateway knew the key before our first send")?;
            }
            Self::EchoMissing => f.write_str("the reply does not name our key")?,
            Self::Mismatch { sent, got, provider_id } => {
                write!(f, "{sent} was sent, but the gateway shows ")?;
                match got {
                    Some(got) if got != sent => write!(f, "{got} at {provider_id}")?,
                    Some(_) => write!(f, "another key at {provider_id}")?,
                    None => write!(f, "no such amount at {provider_id}")?,
                }
            }
            Self::Repeated => f.write_str("the gateway called it a duplicate")?,
            Self::RefusedAfterDoubt { code } => {
                write!(f, "a repeat was refused ({code}), but an earlier send may have worked")?;
            }
            Self::WindowOver => f.write_str("the gateway may have forgotten the key")?,
            Self::PastSendUntil => f.write_str("the time to send is over")?,
            Self::ClockDoubtful => f.write_str("the clock cannot be trusted")?,
            Self::LookUpOnly => f.write_str("the operation may only be looked up")?,
            Self::OwnerLost => f.write_str("a process died while it owned the operation")?,
            Self::TaskLost => f.write_str("the task that drove the operation was lost")?,
            Self::Frozen => f.write_str("the reference is frozen")?,
            Self::Unrecorded => f.write_str("the ledger could not be written")?,
        }
        write!(f, "; money may have moved: {}", self.remedy())
    }
}
