//! What a drive ends with, before the ledger has it.

use super::Event;
use crate::operation::stored_as_text;
use crate::outcome::{Doubt, UnsentReason};
use crate::provider::{Effect, NextAction, PendingAt, Refusal};

/// What a drive ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a ledger must carry out every one")]
pub enum Conclusion {
    /// The money moved.
    Succeeded {
        /// What moved.
        effect: Effect,
        /// The gateway's ids of further effects of the same operation: an alarm.
        duplicates: Vec<String>,
    },
    /// The payer's side refused, for good.
    Declined(Refusal),
    /// The gateway refused the request, for good.
    Rejected(Refusal),
    /// The gateway's object was ended.
    Canceled(Refusal),
    /// The customer must act. Without a new action the stored one stands.
    ActionRequired {
        /// The action, if it is a new one.
        action: Option<NextAction>,
        /// The last refusal, if there was one.
        last_decline: Option<Refusal>,
    },
    /// The gateway works on it. Without a new place the stored one stands.
    Pending {
        /// Where it is pending, if that is new.
        at: Option<PendingAt>,
        /// The last refusal, if there was one.
        last_decline: Option<Refusal>,
    },
    /// Nobody knows.
    Hold {
        /// Why.
        doubt: Doubt,
        /// The gateway's id of what is in doubt, if it named one.
        provider_id: Option<String>,
    },
    /// Every send provably had no effect.
    Unsent(UnsentReason),
    /// The close step that was stored can take effect no more; and what a look-up showed after that.
    CloseRefused(Box<Self>),
}

impl Conclusion {
    /// The event that it is for the states.
    pub(crate) const fn event(&self) -> Event {
        match self {
            Self::Succeeded { .. } => Event::Succeeded,
            Self::Declined(_) => Event::Declined,
            Self::Rejected(_) => Event::Rejected,
            Self::Canceled(_) => Event::Canceled,
            Self::ActionRequired { .. } => Event::ActionRequired,
            Self::Pending { .. } => Event::Pending,
            Self::Hold {
                doubt: Doubt::Mismatch { .. },
                ..
            } => Event::Distrust,
            Self::Hold { .. } => Event::Hold,
            Self::Unsent(_) => Event::Unsent,
            Self::CloseRefused(_) => Event::CloseRefused,
        }
    }

    /// What was seen: of a close that was refused, what was seen after that.
    pub(crate) fn shown(&self) -> &Self {
        match self {
            Self::CloseRefused(shown) => shown,
            Self::Succeeded { .. }
            | Self::Declined(_)
            | Self::Rejected(_)
            | Self::Canceled(_)
            | Self::ActionRequired { .. }
            | Self::Pending { .. }
            | Self::Hold { .. }
            | Self::Unsent(_) => self,
        }
    }

    /// The alarms that a person must see.
    pub(crate) fn alarms(&self) -> Vec<AlarmKind> {
        let alarm = match self {
            Self::Succeeded { duplicates, .. } if !duplicates.is_empty() => {
                AlarmKind::DuplicateAtGateway
            }
            Self::Hold {
                doubt: Doubt::Mismatch { .. },
                ..
            } => AlarmKind::Mismatch,
            Self::Hold {
                doubt: Doubt::KeyMismatch,
                ..
            } => AlarmKind::KeyMismatch,
            Self::Hold {
                doubt: Doubt::KeyUsedElsewhere,
                ..
            } => AlarmKind::KeyUsedElsewhere,
            Self::CloseRefused(shown) => return shown.alarms(),
            Self::Succeeded { .. }
            | Self::Declined(_)
            | Self::Rejected(_)
            | Self::Canceled(_)
            | Self::ActionRequired { .. }
            | Self::Pending { .. }
            | Self::Hold { .. }
            | Self::Unsent(_) => return Vec::new(),
        };
        vec![alarm]
    }

    /// It in a few words, for an alarm. No action's page or secret is in it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Succeeded { effect, duplicates } => {
                let mut text = format!("succeeded: {} {}", effect.provider_id, effect.money);
                for duplicate in duplicates {
                    text.push_str(" and ");
                    text.push_str(duplicate);
                }
                text
            }
            Self::Declined(refusal) => format!("declined: {}", refusal.code),
            Self::Rejected(refusal) => format!("rejected: {}", refusal.code),
            Self::Canceled(refusal) => format!("canceled: {}", refusal.code),
            Self::ActionRequired { .. } => "action required".to_owned(),
            Self::Pending { .. } => "pending".to_owned(),
            Self::Hold { doubt, .. } => doubt.to_string(),
            Self::Unsent(_) => "unsent".to_owned(),
            Self::CloseRefused(shown) => shown.describe(),
        }
    }

    /// Whether the operation may only be looked up from now on.
    pub(crate) fn look_up_only(&self) -> bool {
        match self {
            Self::CloseRefused(shown) => shown.look_up_only(),
            Self::Hold {
                // Where a gateway's replies name the key, one that names none was not protected by it:
                // the same key once more could be another payment.
                doubt:
                    Doubt::KeyMismatch
                    | Doubt::KeyUsedElsewhere
                    | Doubt::EchoMissing
                    | Doubt::Mismatch { .. },
                ..
            } => true,
            Self::Succeeded { .. }
            | Self::Declined(_)
            | Self::Rejected(_)
            | Self::Canceled(_)
            | Self::ActionRequired { .. }
            | Self::Pending { .. }
            | Self::Hold { .. }
            | Self::Unsent(_) => false,
        }
    }
}

/// What a person must see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AlarmKind {
    /// Evidence contradicts a settled operation. The reference is frozen.
    Contradiction,
    /// The gateway shows more than one effect for one operation.
    DuplicateAtGateway,
    /// The gateway shows another amount, currency or key.
    Mismatch,
    /// The gateway says that our key was used with other parameters.
    KeyMismatch,
    /// The gateway knew our key before our first send.
    KeyUsedElsewhere,
}

stored_as_text!(AlarmKind {
    Contradiction = "contradiction",
    DuplicateAtGateway = "duplicate_at_gateway",
    Mismatch = "mismatch",
    KeyMismatch = "key_mismatch",
    KeyUsedElsewhere = "key_used_elsewhere",
});
