//! A documented reply and what it means.

use std::fmt;

use crate::money::Money;
use crate::operation::{OperationId, OperationKind, stored_as_text};
use crate::provider::{Call, Echo, IdempotencyKey, Response, Ruling, Verdict};

/// A reply of the gateway, the operation that it answers, and what it means for that.
#[derive(Debug, Clone)]
pub struct Fixture {
    pub(super) name: String,
    pub(super) kind: OperationKind,
    operation: OperationId,
    reference: String,
    key: IdempotencyKey,
    money: Money,
    parent: Option<String>,
    pub(super) reply: Response,
    pub(super) means: Means,
    pub(super) shown: Shown,
}

impl Fixture {
    /// A reply to the request of `call`.
    pub fn new(name: impl Into<String>, call: &Call<'_>, reply: Response, means: Means) -> Self {
        Self {
            name: name.into(),
            kind: call.kind,
            operation: call.operation,
            reference: call.reference.to_owned(),
            key: call.key.clone(),
            money: call.money,
            parent: call.parent.map(str::to_owned),
            reply,
            means,
            shown: Shown::Amount,
        }
    }

    /// The same reply, which shows something else than the amount of the operation.
    #[must_use]
    pub const fn shows(mut self, shown: Shown) -> Self {
        self.shown = shown;
        self
    }

    /// The operation that the reply answers.
    pub(super) fn call(&self) -> Call<'_> {
        let call = Call::new(
            self.kind,
            self.operation,
            &self.reference,
            &self.key,
            self.money,
        );
        match &self.parent {
            Some(parent) => call.with_parent(parent),
            None => call,
        }
    }
}

/// What a success shows of the amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shown {
    /// The amount of the operation.
    Amount,
    /// What was captured or refunded in all, this operation and earlier ones: the gateway shows no
    /// more. A smaller amount cannot be told from ours then.
    Total,
    /// None. Only a void may succeed so, since it is asked for without an amount.
    Nothing,
}

/// What a reply means for the operation that it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Means {
    /// The money moved: the amount that was asked for, and not under another key.
    Succeeded,
    /// [`Ruling::Declined`].
    Declined,
    /// [`Ruling::Rejected`].
    Rejected,
    /// [`Ruling::Canceled`].
    Canceled,
    /// [`Ruling::ActionRequired`].
    ActionRequired,
    /// [`Ruling::Pending`].
    Pending,
    /// [`Ruling::InProgress`].
    InProgress,
    /// [`Ruling::NoEffect`].
    NoEffect,
    /// [`Ruling::Unauthorized`].
    Unauthorized,
    /// [`Ruling::Repeated`].
    Repeated,
    /// [`Ruling::KeyMismatch`].
    KeyMismatch,
    /// [`Ruling::Unknown`].
    Unknown,
    /// It says something, but not of ours: it names another key ([`Echo::Foreign`]), or none where
    /// it should ([`Echo::Missing`]), or shows a success of another amount. The engine never takes
    /// it as an answer.
    Held,
}

stored_as_text!(Means {
    Succeeded = "succeeded",
    Declined = "declined",
    Rejected = "rejected",
    Canceled = "canceled",
    ActionRequired = "action required",
    Pending = "pending",
    InProgress = "in progress",
    NoEffect = "no effect",
    Unauthorized = "unauthorized",
    Repeated = "repeated",
    KeyMismatch = "key mismatch",
    Unknown = "unknown",
    Held = "held",
});

impl Means {
    /// What a verdict means for an operation.
    pub fn of(call: &Call<'_>, verdict: &Verdict) -> Self {
        let means = match &verdict.ruling {
            Ruling::Unknown(_) => return Self::Unknown,
            Ruling::Succeeded(effect) if effect.money != call.money => Self::Held,
            Ruling::Succeeded(_) => Self::Succeeded,
            Ruling::Declined(_) => Self::Declined,
            Ruling::Rejected(_) => Self::Rejected,
            Ruling::Canceled(_) => Self::Canceled,
            Ruling::ActionRequired(_) => Self::ActionRequired,
            Ruling::Pending(_) => Self::Pending,
            Ruling::InProgress => Self::InProgress,
            Ruling::NoEffect => Self::NoEffect,
            Ruling::Unauthorized => Self::Unauthorized,
            Ruling::Repeated => Self::Repeated,
            Ruling::KeyMismatch => Self::KeyMismatch,
        };
        match verdict.echo {
            Echo::Foreign | Echo::Missing => Self::Held,
            Echo::Ours | Echo::NotExpected => means,
        }
    }

    /// Whether the ruling claims to know what happened, or that nothing can have.
    pub(super) const fn is_definite(ruling: &Ruling) -> bool {
        match ruling {
            Ruling::Succeeded(_)
            | Ruling::Declined(_)
            | Ruling::Rejected(_)
            | Ruling::Canceled(_)
            | Ruling::ActionRequired(_)
            | Ruling::Pending(_)
            | Ruling::NoEffect
            | Ruling::Unauthorized => true,
            Ruling::InProgress | Ruling::Repeated | Ruling::KeyMismatch | Ruling::Unknown(_) => {
                false
            }
        }
    }
}

/// A ruling by its name only: what the gateway said may hold what nobody should read.
pub(super) struct Name<'r>(pub(super) &'r Ruling);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Ruling::Succeeded(_) => "Succeeded",
            Ruling::Declined(_) => "Declined",
            Ruling::Rejected(_) => "Rejected",
            Ruling::Canceled(_) => "Canceled",
            Ruling::ActionRequired(_) => "ActionRequired",
            Ruling::Pending(_) => "Pending",
            Ruling::InProgress => "InProgress",
            Ruling::NoEffect => "NoEffect",
            Ruling::Unauthorized => "Unauthorized",
            Ruling::Repeated => "Repeated",
            Ruling::KeyMismatch => "KeyMismatch",
            Ruling::Unknown(_) => "Unknown",
        })
    }
}
