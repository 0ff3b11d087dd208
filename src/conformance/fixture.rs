//! A documented reply and what it means.

use std::fmt;

use crate::money::Money;
use crate::operation::{OperationId, OperationKind, stored_as_text};
use crate::provider::{Call, Echo, Effect, IdempotencyKey, Response, Ruling, Verdict};

/// A reply of the gateway, the operation that it answers, and what it means for that.
///
/// ```
/// use payonce::conformance::{Fixture, Means};
/// use payonce::provider::{Call, Response};
///
/// /// The amount is what the engine compares; any other field changes nothing, or the reply says
/// /// nothing any more.
/// fn paid(call: &Call<'_>, reply: Response) -> Fixture {
///     Fixture::new("200_paid", call, reply, Means::Succeeded).decided_by(&["/amount"])
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Fixture {
    pub(super) name: String,
    pub(super) kind: OperationKind,
    asked: Asked,
    pub(super) reply: Response,
    pub(super) means: Means,
    /// The whole verdict, where it is told.
    pub(super) line: Option<String>,
    pub(super) shown: Shown,
    /// `None`: its fields are not changed one by one.
    pub(super) exceptions: Option<Exceptions>,
}

impl Fixture {
    /// A reply to the request of `call`.
    pub fn new(name: impl Into<String>, call: &Call<'_>, reply: Response, means: Means) -> Self {
        Self {
            name: name.into(),
            kind: call.kind,
            asked: Asked::of(call),
            reply,
            means,
            line: None,
            shown: Shown::Amount,
            exceptions: None,
        }
    }

    /// The same reply, which shows something else than the amount of the operation.
    #[must_use]
    pub const fn shows(mut self, shown: Shown) -> Self {
        self.shown = shown;
        self
    }

    /// The same reply, and its whole verdict in one line, as [`lines::verdict`] writes it.
    ///
    /// [`lines::verdict`]: super::lines::verdict
    #[must_use]
    pub fn reads(mut self, line: impl Into<String>) -> Self {
        self.line = Some(line.into());
        self
    }

    /// Has every field of the reply changed, one by one: gone, null, of another type. The verdict
    /// must stay what it is, or settle nothing.
    ///
    /// The fields named here, as JSON pointers, are excused, with all below them: they *are* the
    /// answer, so another amount or id shows as it is. Another kind of answer it may still not be.
    #[must_use]
    pub fn decided_by(mut self, fields: &[&str]) -> Self {
        let exceptions = self.exceptions.get_or_insert_default();
        exceptions.decide(fields);
        self
    }

    /// The same as [`decided_by`](Self::decided_by), and a change of this one field may make this
    /// other answer of it. Say beside it why the engine may believe that.
    #[must_use]
    pub fn may_become(mut self, field: impl Into<String>, means: Means) -> Self {
        let exceptions = self.exceptions.get_or_insert_default();
        exceptions.becomes.push((field.into(), means));
        self
    }

    /// The name that it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of operation that it answers.
    pub const fn kind(&self) -> OperationKind {
        self.kind
    }

    /// The operation that the reply answers.
    pub(super) fn call(&self) -> Call<'_> {
        self.asked.call()
    }
}

/// An operation that something was asked for, kept.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) kind: OperationKind,
    operation: OperationId,
    reference: String,
    key: IdempotencyKey,
    money: Money,
    parent: Option<String>,
}

impl Asked {
    pub(super) fn of(call: &Call<'_>) -> Self {
        Self {
            kind: call.kind,
            operation: call.operation,
            reference: call.reference.to_owned(),
            key: call.key.clone(),
            money: call.money,
            parent: call.parent.map(str::to_owned),
        }
    }

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

/// What a change of a reply's field may change in the answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Exceptions {
    /// Fields that decide, with all below them.
    pub(super) fields: Vec<String>,
    /// One field each, and the other answer that it may make.
    pub(super) becomes: Vec<(String, Means)>,
    /// Fields without which a look-up shows nothing of ours.
    pub(super) absent: Vec<String>,
}

impl Exceptions {
    pub(super) fn decide(&mut self, fields: &[&str]) {
        let fields = fields.iter().map(|field| (*field).to_owned());
        self.fields.extend(fields);
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
    ///
    /// ```
    /// use payonce::conformance::Means;
    /// use payonce::provider::{Call, Provider, Response};
    ///
    /// fn is_paid(adapter: &dyn Provider, call: &Call<'_>, reply: &Response) -> bool {
    ///     Means::of(call, &adapter.classify(call, reply)) == Means::Succeeded
    /// }
    /// ```
    pub fn of(call: &Call<'_>, verdict: &Verdict) -> Self {
        let other = |effect: &Effect| effect.money != call.money;
        let means = match verdict.ruling.effect() {
            Some(effect) if other(effect) => Self::Held,
            _ => Self::of_ruling(&verdict.ruling),
        };
        match verdict.echo {
            _ if means == Self::Unknown => means,
            Echo::Foreign | Echo::Missing => Self::Held,
            Echo::Ours | Echo::NotExpected => means,
        }
    }

    /// What a ruling means by itself, whoever's reply it is and whatever the amount.
    pub(super) const fn of_ruling(ruling: &Ruling) -> Self {
        match ruling {
            Ruling::Unknown(_) => Self::Unknown,
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
