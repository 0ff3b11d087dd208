//! The words that every room shares: kinds, families, states, and how an operation is named.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// The ledger's own name of one operation (one attempt under a reference): a ULID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct OperationId(Ulid);

impl OperationId {
    /// The id of a new operation.
    #[cfg(feature = "client")]
    pub(crate) const fn new(ulid: Ulid) -> Self {
        Self(ulid)
    }

    /// A new id.
    #[cfg(any(test, feature = "conformance"))]
    #[cfg(feature = "client")]
    pub(crate) fn generate() -> Self {
        Self(Ulid::generate())
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for OperationId {
    type Err = InvalidOperationId;

    fn from_str(text: &str) -> Result<Self, InvalidOperationId> {
        Ulid::from_string(text)
            .map(Self)
            .map_err(|_| InvalidOperationId)
    }
}

impl From<OperationId> for String {
    fn from(id: OperationId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for OperationId {
    type Error = InvalidOperationId;

    fn try_from(text: String) -> Result<Self, InvalidOperationId> {
        text.parse()
    }
}

/// The text is no operation id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not an operation id: give the 26 characters of a ULID, as an outcome or error showed them"
)]
#[non_exhaustive]
pub struct InvalidOperationId;

/// Implements the stable text form of a small enum: what the ledger stores and JSON shows.
macro_rules! stored_as_text {
    ($type:ty { $($variant:ident = $text:literal),* $(,)? }) => {
        impl $type {
            /// Every value.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$variant),*]
            }

            /// The stable name: stored in the ledger and shown in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// The value with this stable name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let name = String::deserialize(from)?;
                Self::from_name(&name)
                    .ok_or_else(|| serde::de::Error::unknown_variant(&name, &[$($text),*]))
            }
        }
    };
}
pub(crate) use stored_as_text;

/// What an operation does with money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OperationKind {
    /// Take the money now.
    Charge,
    /// Reserve the money; a capture takes it.
    Authorize,
    /// Take money that was reserved.
    Capture,
    /// Give money back.
    Refund,
    /// Release money that was reserved and not taken.
    Void,
}

stored_as_text!(OperationKind {
    Charge = "charge",
    Authorize = "authorize",
    Capture = "capture",
    Refund = "refund",
    Void = "void",
});

impl OperationKind {
    /// The family in which this kind's references are unique.
    pub const fn family(self) -> Family {
        match self {
            Self::Charge | Self::Authorize => Family::Payment,
            Self::Capture => Family::Capture,
            Self::Refund => Family::Refund,
            Self::Void => Family::Void,
        }
    }
}

/// Within a family a reference names one thing. Charge and authorize share the family of
/// payments: one order cannot be charged and, beside it, authorized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Charges and authorizations.
    Payment,
    /// Captures.
    Capture,
    /// Refunds.
    Refund,
    /// Voids.
    Void,
}

stored_as_text!(Family {
    Payment = "payment",
    Capture = "capture",
    Refund = "refund",
    Void = "void",
});

/// Where an operation stands.
///
/// ```text
///   (none) --enqueue--> queued --claim--> sending --evidence--> succeeded <--> reversed
///      \___________________claim___________^ |  ^               declined | rejected
///                                            |  | claim again   canceled | not_executed
///          all sends provably no effect ---> unsent
///          customer must act  -------------> action_required --+
///          gateway works on it ------------> pending ----------+--> evidence
///          nobody knows -------------------> unknown ----------+
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Stored to be sent later; nothing was sent.
    Queued,
    /// Claimed: its owner is sending, or died while sending.
    Sending,
    /// Every send provably had no effect. The same intent can be claimed again.
    Unsent,
    /// The customer must act (3-D Secure, a page).
    ActionRequired,
    /// The gateway has it and works on it.
    Pending,
    /// Nobody knows whether money moved.
    Unknown,
    /// Money moved (or was reserved, released, given back), as the gateway confirmed.
    Succeeded,
    /// Definitely no: the payer's side refused.
    Declined,
    /// Definitely no: the gateway refused the request itself.
    Rejected,
    /// Ended before money moved.
    Canceled,
    /// Never carried out: superseded, withdrawn, or past its time before a send.
    NotExecuted,
    /// It succeeded, then the gateway took it back.
    Reversed,
}

stored_as_text!(State {
    Queued = "queued",
    Sending = "sending",
    Unsent = "unsent",
    ActionRequired = "action_required",
    Pending = "pending",
    Unknown = "unknown",
    Succeeded = "succeeded",
    Declined = "declined",
    Rejected = "rejected",
    Canceled = "canceled",
    NotExecuted = "not_executed",
    Reversed = "reversed",
});

impl State {
    /// Open operations may still change; they are never purged and never expire.
    pub const fn is_open(self) -> bool {
        match self {
            Self::Queued
            | Self::Sending
            | Self::Unsent
            | Self::ActionRequired
            | Self::Pending
            | Self::Unknown => true,
            Self::Succeeded
            | Self::Declined
            | Self::Rejected
            | Self::Canceled
            | Self::NotExecuted
            | Self::Reversed => false,
        }
    }

    /// Whether this is a final state in which no money moved. Only these free the reference for
    /// the next attempt.
    pub const fn is_no_effect_final(self) -> bool {
        matches!(
            self,
            Self::Declined | Self::Rejected | Self::Canceled | Self::NotExecuted
        )
    }

    /// Whether nothing of it was ever sent with a possible effect, so that a later attempt may
    /// replace it.
    pub const fn is_replaceable(self) -> bool {
        matches!(self, Self::Queued | Self::Unsent)
    }
}

/// How a merchant names an operation: unique in the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Identity {
    /// Whose operation it is, where one ledger serves several merchants; else empty.
    pub tenant: String,
    /// The family of its kind.
    pub family: Family,
    /// The merchant's own reference.
    pub reference: String,
    /// 1, 2, ...: a new try after a definite no.
    pub attempt: u32,
}

impl Identity {
    /// An identity from its parts.
    pub fn new(
        tenant: impl Into<String>,
        family: Family,
        reference: impl Into<String>,
        attempt: u32,
    ) -> Self {
        Self {
            tenant: tenant.into(),
            family,
            reference: reference.into(),
            attempt,
        }
    }
}
