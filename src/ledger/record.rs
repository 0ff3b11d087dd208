//! What the ledger holds of an operation.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::money::Money;
use crate::operation::{Identity, OperationId, OperationKind, State, stored_as_text};
use crate::outcome::{Doubt, NoEffectReason, UnsentReason};
use crate::provider::{
    AccountId, Effect, IdempotencyKey, NextAction, PendingAt, Refusal, Request, RuleSnapshot,
};

/// One operation: one row.
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Its name in the ledger.
    pub id: OperationId,
    /// How the merchant names it.
    pub identity: Identity,
    /// What it does.
    pub kind: OperationKind,
    /// The account that the first claim pinned.
    pub account: AccountId,
    /// The key of its first step.
    pub key: IdempotencyKey,
    /// How much was asked for.
    pub money: Money,
    /// The gateway's id of the payment that is captured, refunded or voided.
    pub parent: Option<String>,
    /// What the gateway said of that payment before the first send, where it has to be read.
    pub baseline: Option<String>,
    /// The further step that it is at, if the customer acted and it went on.
    pub further: Option<Further>,
    /// What would change its financial effect.
    pub fingerprint: Fingerprint,
    /// Where it stands.
    pub state: State,
    /// A close step is stored and may still take effect.
    pub closing: bool,
    /// Goes up with every claim; only its owner's epoch may settle.
    pub epoch: i64,
    /// The claim that is open now, if one is.
    pub lease: Option<Lease>,
    /// How many sends may have had an effect; an unfinished claim of a dead owner counts as one at
    /// least. Those of the open claim are not in it.
    pub maybe_sent: u32,
    /// How many sends of the open claim are recorded as such that may have had an effect.
    pub maybe_sent_open: u32,
    /// The epoch of the last claim that its owner ended.
    pub ended_epoch: i64,
    /// The earliest claim whose sends are not all provably without effect: the key's age counts
    /// from here.
    pub window_from: Option<Moment>,
    /// When the first send began that may have had an effect, as far as it was recorded.
    pub first_sent: Option<Timestamp>,
    /// No send of an ended claim left later than this.
    pub last_sent: Option<Timestamp>,
    /// Until when it may be sent.
    pub send_until: Timestamp,
    /// What the rule said when the key was made.
    pub rule: RuleSnapshot,
    /// It may only be looked up from now on.
    pub look_up_only: bool,
    /// The gateway stored an error under the key.
    pub stored_error: bool,
    /// Its reference is frozen until a person resolves it.
    pub frozen: bool,
    /// What is known about its effect.
    pub standing: Standing,
    /// How many sends are recorded.
    pub sends: u32,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When its row last changed.
    pub updated_at: Timestamp,
}

/// A further step that an operation is at: what its counters, its window and its stored request are
/// about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Further {
    /// Its number among the steps.
    pub n: u32,
    /// Its key.
    pub key: IdempotencyKey,
    /// What the rule said when the key was made.
    pub rule: RuleSnapshot,
}

impl Further {
    /// A further step, from its parts.
    pub const fn new(n: u32, key: IdempotencyKey, rule: RuleSnapshot) -> Self {
        Self { n, key, rule }
    }
}

/// The right to drive an operation, for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lease {
    /// Who has it.
    pub owner: OwnerId,
    /// Since when.
    pub claimed: Moment,
    /// Until when.
    pub until: Timestamp,
}

impl Lease {
    /// A lease from its parts.
    pub const fn new(owner: OwnerId, claimed: Moment, until: Timestamp) -> Self {
        Self {
            owner,
            claimed,
            until,
        }
    }
}

/// A moment, by every clock that the ledger has. The wall clock may be wrong at one of two
/// moments and right at the other; the uptime of one boot cannot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Moment {
    /// The wall clock.
    pub at: Timestamp,
    /// The uptime, which counts suspend.
    pub up: Duration,
    /// The boot that the uptime counts in.
    pub boot: Option<String>,
    /// The wall clock of this boot was seen to agree with a gateway's.
    pub sure: bool,
}

impl Moment {
    /// A moment from its parts.
    pub const fn new(at: Timestamp, up: Duration, boot: Option<String>, sure: bool) -> Self {
        Self { at, up, boot, sure }
    }

    /// How long ago another moment was, at the most. `None`: no clock tells.
    pub fn age_of(&self, earlier: &Self) -> Option<Duration> {
        let by_wall = self.at.since(earlier.at)?;
        if self.boot.is_some() && self.boot == earlier.boot {
            return Some(by_wall.max(self.up.saturating_sub(earlier.up)));
        }
        // Across boots there is only the wall clock, and it must have been right both times.
        (self.sure && earlier.sure).then_some(by_wall)
    }
}

/// One open ledger in one process.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OwnerId(String);

impl OwnerId {
    /// An owner's name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is known about an operation's effect. Which fields are set depends on its state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Standing {
    /// The gateway's id of the payment, once a reply named one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_id: Option<String>,
    /// The money that moved. While a close is open it is kept here and answered as pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The refusal that settled it, or the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// The action that was stored for the customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<NextAction>,
    /// The gateway's own word for what it works on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingAt>,
    /// Why nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// Why every send had no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsent: Option<UnsentReason>,
    /// How it ended without effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_effect: Option<NoEffectReason>,
    /// The gateway's code of what took a success back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversal: Option<String>,
    /// The gateway's ids of further effects of the same operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
    /// When the gateway asked to be tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Duration>,
}

/// What would change the financial effect of an intent.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fingerprint {
    /// The fields, as canonical JSON (RFC 8785): an object of texts.
    pub canonical: String,
    /// SHA-256 over it.
    pub sha256: [u8; 32],
}

impl Fingerprint {
    /// A fingerprint from its parts.
    pub const fn new(canonical: String, sha256: [u8; 32]) -> Self {
        Self { canonical, sha256 }
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fingerprint(..)")
    }
}

/// One HTTP exchange of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exchange {
    /// Its number within its claim: written twice, it is one exchange all the same.
    pub number: u32,
    /// What it was for.
    pub purpose: Purpose,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took.
    pub latency: Duration,
    /// The reply's status, if one came.
    pub status: Option<u16>,
    /// What it was classed as: a word of the verdict, or what happened to the exchange.
    pub class: String,
    /// The gateway's own name of it.
    pub request_id: Option<String>,
    /// The reply's body: cut to a limit, without secrets.
    pub reply: Option<Vec<u8>>,
    /// What the reply's `Date` says about our clock.
    pub date: DateSeen,
    /// What our clocks showed when it was compared with that: the wall clock and the uptime. It is
    /// written some time later, and the wall clock may have been set meanwhile. `None`: now.
    pub compared: Option<(Timestamp, Duration)>,
}

impl Exchange {
    /// An exchange that began then, and of which nothing else is known yet.
    pub fn new(purpose: Purpose, started_at: Timestamp, class: impl Into<String>) -> Self {
        Self {
            number: 0,
            purpose,
            started_at,
            latency: Duration::ZERO,
            status: None,
            class: class.into(),
            request_id: None,
            reply: None,
            date: DateSeen::None,
            compared: None,
        }
    }
}

/// What an exchange was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// To move money.
    Send,
    /// To ask.
    LookUp,
    /// To end what a customer left open. It moves no money.
    Close,
}

stored_as_text!(Purpose {
    Send = "send",
    LookUp = "look_up",
    Close = "close",
});

/// A further step of an operation: a request with a key of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepRequest {
    /// Its key.
    pub key: IdempotencyKey,
    /// The request, as the adapter rendered it.
    pub request: Request,
}

impl StepRequest {
    /// A step from its parts.
    pub const fn new(key: IdempotencyKey, request: Request) -> Self {
        Self { key, request }
    }
}

/// What a reply's `Date` says about our clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateSeen {
    /// Nothing: there was none that can be read.
    None,
    /// It agrees with our clock.
    Agrees,
    /// It differs by so much that a key's age cannot be trusted.
    Differs,
}

/// What the first claim stores: everything that is the same for the operation's whole life.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// The operation's new name.
    pub id: OperationId,
    /// The account.
    pub account: AccountId,
    /// The key of the first step.
    pub key: IdempotencyKey,
    /// The request, as the adapter rendered it.
    pub request: Request,
    /// What the rule says now.
    pub rule: RuleSnapshot,
}

impl Rendered {
    /// What a first claim stores, from its parts.
    pub const fn new(
        id: OperationId,
        account: AccountId,
        key: IdempotencyKey,
        request: Request,
        rule: RuleSnapshot,
    ) -> Self {
        Self {
            id,
            account,
            key,
            request,
            rule,
        }
    }
}

#[cfg(test)]
mod tests;
