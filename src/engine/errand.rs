//! What a call asks of the engine.

use std::time::Duration;

use crate::intent::Fields;
use crate::money::Money;
use crate::operation::{Identity, OperationKind};
use crate::provider::ProceedInput;

/// The strength of who brings something new.
pub(crate) const PROCEED: u8 = 3;
/// The strength of who wants an end. Nobody else's answer is one to that.
pub(crate) const CLOSE: u8 = 4;

/// What a call asks of the engine.
#[derive(Clone)]
pub(crate) enum Errand {
    /// To carry out an intent.
    Intent(Box<Wanted>),
    /// To go on with an operation that is stored, as its intent would.
    Resume { deadline: Duration },
    /// To go on with an operation that is stored, as long as it may be sent anyway.
    Recover { deadline: Duration },
    /// To ask the gateway, and send nothing.
    LookUp { deadline: Duration },
    /// To go on after the customer acted, with what he brought back.
    Proceed {
        input: ProceedInput,
        deadline: Duration,
    },
    /// To end what the customer left open, and to move no money.
    Close { deadline: Duration },
}

impl Errand {
    /// How long the call may take.
    pub(crate) fn deadline(&self) -> Duration {
        match self {
            Self::Intent(wanted) => wanted.deadline,
            Self::Resume { deadline }
            | Self::Recover { deadline }
            | Self::LookUp { deadline }
            | Self::Proceed { deadline, .. }
            | Self::Close { deadline } => *deadline,
        }
    }

    /// The same call with so much time.
    pub(crate) fn set_deadline(&mut self, time: Duration) {
        let deadline = match self {
            Self::Intent(wanted) => &mut wanted.deadline,
            Self::Resume { deadline }
            | Self::Recover { deadline }
            | Self::LookUp { deadline }
            | Self::Proceed { deadline, .. }
            | Self::Close { deadline } => deadline,
        };
        *deadline = time;
    }

    /// Whether it renews the time in which the operation may be sent, and takes up one that was
    /// never sent: only who wants the money to move does. A customer who comes back wants it for a
    /// step of his own, which has a time of its own.
    pub(super) const fn renews(&self) -> bool {
        match self {
            Self::Intent(_) | Self::Resume { .. } => true,
            Self::Recover { .. }
            | Self::LookUp { .. }
            | Self::Proceed { .. }
            | Self::Close { .. } => false,
        }
    }

    /// Whether it goes on with what somebody wanted earlier.
    pub(super) const fn recovers(&self) -> bool {
        matches!(self, Self::Recover { .. })
    }

    /// Whether it ends what was left open: because it is asked to, or goes on with that.
    pub(super) const fn closes(&self, closing: bool) -> bool {
        matches!(self, Self::Close { .. }) || (closing && self.recovers())
    }

    /// How much it may do. Who may do more does not take the answer of one who may do less.
    pub(crate) const fn strength(&self) -> u8 {
        match self {
            Self::LookUp { .. } => 0,
            Self::Recover { .. } => 1,
            Self::Resume { .. } | Self::Intent(_) => 2,
            Self::Proceed { .. } => PROCEED,
            Self::Close { .. } => CLOSE,
        }
    }

    /// Whether nothing may be sent.
    pub(super) const fn asks_only(&self) -> bool {
        matches!(self, Self::LookUp { .. } | Self::Close { .. })
    }
}

/// An intent, without its type: what the engine works on.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) tenant: String,
    pub(crate) kind: OperationKind,
    pub(crate) fields: Fields,
    /// How much: of a void, what its payment is about.
    pub(crate) money: Money,
    /// How long the call may take.
    pub(crate) deadline: Duration,
}

impl Wanted {
    pub(crate) fn identity(&self) -> Identity {
        let Self {
            tenant,
            kind,
            fields,
            ..
        } = self;
        Identity::new(
            tenant.clone(),
            kind.family(),
            fields.reference.clone(),
            fields.attempt,
        )
    }
}
