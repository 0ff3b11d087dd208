//! What the merchant gets.

mod doubt;

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use self::doubt::Doubt;

use crate::money::Money;
use crate::operation::{OperationId, OperationKind, State, stored_as_text};
use crate::payment::Payment;
use crate::provider::{AccountId, IdempotencyKey, Refusal};

/// What became of an operation, as far as it is known.
///
/// Every variant asks for a decision, so the enum is exhaustive: a new kind of answer is a new
/// major version.
///
/// As JSON it is an object with `version` (now 1), `outcome` (the variant in snake case), and
/// the fields of the variant. Fields may be added within a version. That of an action holds its
/// page and client secret: it is for the customer, and not for a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "outcome", rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "a merchant must decide about every one"
)]
#[must_use = "`Ok` does not mean paid: look at the outcome"]
pub enum Outcome {
    /// The money moved. Fulfil the order.
    Succeeded(Receipt),
    /// The payer's side refused, for good. No money moved. Another card is the next attempt.
    Declined(Decline),
    /// The gateway refused the request itself. No money moved. Correct it in the next attempt.
    Rejected(Rejection),
    /// The customer must act. Money may move when they do.
    ActionRequired(Action),
    /// The gateway works on it, or another caller of ours does. Money may have moved.
    Pending(Pending),
    /// It was ended or replaced before any money moved. The next attempt may follow.
    NoEffect(NoEffect),
    /// It succeeded, and then the gateway took it back.
    Reversed(Reversal),
    /// Nobody knows. Money may have moved: do not charge again, hold the order.
    Unknown(Unknown),
}

impl Outcome {
    /// The operation that this is about.
    pub const fn operation(&self) -> &OperationSummary {
        match self {
            Self::Succeeded(receipt) => &receipt.operation,
            Self::Declined(decline) => &decline.operation,
            Self::Rejected(rejection) => &rejection.operation,
            Self::ActionRequired(action) => &action.operation,
            Self::Pending(pending) => &pending.operation,
            Self::NoEffect(no_effect) => &no_effect.operation,
            Self::Reversed(reversal) => &reversal.receipt.operation,
            Self::Unknown(unknown) => &unknown.operation,
        }
    }

    /// The HTTP status that a merchant's own API could answer with: 200 paid, 202 ask again
    /// later, 402 declined, 409 nothing happened or it was taken back, 422 the request is wrong.
    pub const fn http_status(&self) -> u16 {
        match self {
            Self::Succeeded(_) => 200,
            Self::ActionRequired(_) | Self::Pending(_) | Self::Unknown(_) => 202,
            Self::Declined(_) => 402,
            Self::NoEffect(_) | Self::Reversed(_) => 409,
            Self::Rejected(_) => 422,
        }
    }

    /// Whether the ledger holds this outcome. `false` only if the gateway answered and the ledger
    /// could not be written.
    pub const fn is_recorded(&self) -> bool {
        match self {
            Self::Succeeded(receipt) => receipt.recorded,
            Self::Declined(decline) => decline.recorded,
            Self::Rejected(rejection) => rejection.recorded,
            Self::Pending(pending) => pending.recorded,
            Self::Unknown(unknown) => unknown.recorded,
            Self::NoEffect(no_effect) => no_effect.recorded,
            Self::Reversed(reversal) => reversal.receipt.recorded,
            Self::ActionRequired(_) => true,
        }
    }
}

/// The operation that an outcome is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OperationSummary {
    /// Its name in the ledger. Keep it: everything else can be found by it.
    pub id: OperationId,
    /// What it does.
    pub kind: OperationKind,
    /// The merchant's reference.
    pub reference: String,
    /// The attempt under the reference: 1, 2, ...
    pub attempt: u32,
    /// How much was asked for.
    pub money: Money,
    /// The account at the gateway.
    pub account: AccountId,
    /// The key of its first step.
    pub key: IdempotencyKey,
    /// Its state in the ledger.
    pub state: State,
    /// How many sends are recorded. A process that died may have made one more.
    pub sends: u32,
}

/// Money that moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Receipt {
    /// The operation.
    pub operation: OperationSummary,
    /// The gateway's id: captures and refunds name it.
    pub provider_id: String,
    /// How much moved, as the gateway confirmed.
    pub money: Money,
    /// The gateway's own word for the state.
    pub status: String,
    /// Whether it was inferred: the reply was lost, nothing at the gateway names the operation, and
    /// the payment changed after our send by exactly what was asked. A change that somebody else
    /// made in the same way (by hand, at the gateway) looks the same. If that can be, compare it
    /// with the gateway's own list.
    #[serde(default)]
    pub inferred: bool,
    /// Whether the ledger holds it.
    pub recorded: bool,
}

impl Receipt {
    /// The payment, for a capture, refund or void of it.
    ///
    /// Of the receipt of a capture it is the capture: where a gateway refunds captures and not
    /// payments, give that one.
    pub fn payment(&self) -> Payment {
        Payment::new(self.operation.account.clone(), self.provider_id.clone())
    }
}

/// The payer's side refused. No money moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Decline {
    /// The operation.
    pub operation: OperationSummary,
    /// What the gateway said.
    pub refusal: Refusal,
    /// Whether the ledger holds it.
    pub recorded: bool,
}

/// The gateway refused the request itself. No money moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rejection {
    /// The operation.
    pub operation: OperationSummary,
    /// What the gateway said.
    pub refusal: Refusal,
    /// Whether the ledger holds it.
    pub recorded: bool,
}

/// The customer must act. It is always recorded: an action that could not be stored is withheld.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Action {
    /// The operation.
    pub operation: OperationSummary,
    /// Where to send the customer, if the gateway gave a page.
    pub url: Option<String>,
    /// What the gateway's own front-end code needs, where it gave no page. Hand it to the
    /// customer's browser only, and keep it out of logs.
    pub client_secret: Option<String>,
    /// The gateway's own word for the action.
    pub kind: String,
    /// The gateway's id of the payment.
    pub provider_id: String,
    /// The last refusal, if the customer tried and may try again.
    pub last_decline: Option<Refusal>,
}

impl std::fmt::Debug for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Action")
            .field("operation", &self.operation)
            .field("kind", &self.kind)
            .field("provider_id", &self.provider_id)
            .field("last_decline", &self.last_decline)
            .finish_non_exhaustive()
    }
}

/// It is being worked on. Money may have moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Pending {
    /// The operation.
    pub operation: OperationSummary,
    /// Who works on it.
    pub why: PendingReason,
    /// The gateway's id of the payment, if it is known.
    pub provider_id: Option<String>,
    /// The last refusal, if the customer tried and may try again.
    pub last_decline: Option<Refusal>,
    /// Whether the ledger holds it.
    pub recorded: bool,
}

/// Who works on a pending operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PendingReason {
    /// The gateway does.
    AtGateway,
    /// A send is still under way: here, or in another process or host. Ask again later.
    InFlight,
    /// It is stored to be sent later; nothing was sent.
    Queued,
    /// It is being ended; what it ends as is not known yet.
    Closing,
}

stored_as_text!(PendingReason {
    AtGateway = "at_gateway",
    InFlight = "in_flight",
    Queued = "queued",
    Closing = "closing",
});

/// It ended without effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NoEffect {
    /// The operation.
    pub operation: OperationSummary,
    /// How it ended.
    pub why: NoEffectReason,
    /// Whether the ledger holds it.
    pub recorded: bool,
}

/// How an operation ended without effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoEffectReason {
    /// The gateway ended it, or we did, before money moved.
    Canceled,
    /// A later attempt replaced it before it was sent with any possible effect.
    Superseded,
    /// It was withdrawn before it was sent with any possible effect.
    Withdrawn,
    /// It was queued, and its time to be sent is over.
    Expired,
    /// A person decided so, with evidence.
    Resolved,
}

stored_as_text!(NoEffectReason {
    Canceled = "canceled",
    Superseded = "superseded",
    Withdrawn = "withdrawn",
    Expired = "expired",
    Resolved = "resolved",
});

/// Why every send of an operation had no effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnsentReason {
    /// The gateway could not be reached, or refused for now.
    Unavailable {
        /// What happened.
        why: String,
        /// When the gateway asked to be tried again.
        retry_after: Option<Duration>,
    },
    /// The gateway refused our secret.
    Unauthorized,
    /// The payment was read before the send, and it is not the one that was meant.
    PaymentMismatch {
        /// What it is about at the gateway. `None`: it is another payment, or no amount of money.
        got: Option<Money>,
        /// The gateway's id of what it showed.
        provider_id: String,
    },
}

/// It succeeded, and then the gateway took it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reversal {
    /// What had succeeded.
    pub receipt: Receipt,
    /// The gateway's code of what took it back.
    pub code: String,
}

/// Nobody knows. Money may have moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unknown {
    /// The operation. If `recorded` is `false` the ledger may not hold this id.
    pub operation: OperationSummary,
    /// Why nobody knows, and what would settle it.
    pub doubt: Doubt,
    /// The gateway's id of the payment, if a reply named one.
    pub provider_id: Option<String>,
    /// When the gateway asked to be tried again.
    pub retry_after: Option<Duration>,
    /// Whether the ledger holds it.
    pub recorded: bool,
}

/// The serialized form: the tagged variant, with a version beside it.
#[derive(Serialize, Deserialize)]
struct Versioned {
    version: u32,
    #[serde(flatten, with = "Outcome")]
    outcome: Outcome,
}

/// The version of the serialized form.
const VERSION: u32 = 1;

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let versioned = Versioned {
            version: VERSION,
            outcome: self.clone(),
        };
        Serialize::serialize(&versioned, serializer)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let versioned: Versioned = Deserialize::deserialize(deserializer)?;
        if versioned.version != VERSION {
            let text = format!("outcome version {} is not {VERSION}", versioned.version);
            return Err(de::Error::custom(text));
        }
        Ok(versioned.outcome)
    }
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
