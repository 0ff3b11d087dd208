//! Faults: what goes wrong, with which request, and how often.

mod course;
mod json;
mod matcher;
mod plan;
mod refusal;
mod tamper;
#[cfg(test)]
mod tests;

pub use matcher::Matcher;
pub use plan::PlannedFault;
pub use refusal::{Refusal, ServerError, Steer};
pub use tamper::Tamper;

pub(crate) use course::{Course, Ending, Hold, Rewrite, Treatment, status_of};
pub(crate) use plan::FaultQueue;

use serde::{Deserialize, Serialize};

use crate::exchange::{Close, CutBody};

/// What goes wrong with one request.
///
/// In JSON the name is the field `fault`, for example
/// `{"fault": "reply_lost", "when": "after", "how": "rst"}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// The request is read whole and no answer comes: the connection closes.
    ReplyLost {
        /// Whether the request was executed.
        when: When,
        /// How the connection closes.
        #[serde(default)]
        how: Close,
    },
    /// The connection is reset as soon as the request's head is there. Nothing is executed. Its
    /// matcher sees no body, and the request log keeps none.
    ResetBeforeReading,
    /// A slow network: the request waits before it reaches the gateway, or the reply waits
    /// after it left. Nothing is in progress at the gateway meanwhile.
    Delay {
        /// Before or after execution.
        when: When,
        /// How long.
        ms: u64,
    },
    /// A slow gateway: the request is in progress for so long and executes at the end. Meanwhile
    /// the same key is refused. A client that gives up does not stop it.
    Hold {
        /// How long.
        ms: u64,
    },
    /// In progress until it is released, or the client closes the connection.
    HoldForEver {
        /// Whether it executes at its end.
        execute: bool,
    },
    /// The connection closes at once without an answer, and the request reaches the gateway
    /// later: one that travelled long.
    LateArrival {
        /// How much later.
        ms: u64,
        /// How the connection closes.
        #[serde(default)]
        how: Close,
    },
    /// A server error in the gateway's own form.
    ServerError {
        /// The status, 500 to 599.
        status: u16,
        /// Whether the request was executed before.
        when: When,
        /// Whether the gateway keeps this answer under the key and replays it. Otherwise it comes
        /// from a machine in front, and the key keeps what the execution answered, if any.
        #[serde(default)]
        stored: bool,
        /// The gateway's explicit advice; none: it gives none.
        #[serde(default)]
        should_retry: Option<bool>,
        /// The text of `Retry-After`.
        #[serde(default)]
        retry_after: Option<String>,
    },
    /// Refused because the same key is in progress. Nothing is executed.
    KeyInUse,
    /// Refused because there are too many requests. Nothing is executed.
    RateLimited {
        /// The form of the refusal.
        #[serde(default)]
        kind: RateLimit,
        /// The text of `Retry-After`.
        #[serde(default)]
        retry_after: Option<String>,
    },
    /// Refused because the key was used with other parameters. Nothing is executed.
    KeyReused,
    /// Refused because of the secret. Nothing is executed.
    Unauthorized,
    /// A firewall's page with status 403. Nothing is executed.
    Forbidden,
    /// Executed, but only a part of the body comes back.
    CutBody {
        /// What the cut looks like.
        #[serde(default)]
        how: CutBody,
        /// How many bytes of the body come; none: half of them.
        #[serde(default)]
        keep: Option<usize>,
    },
    /// A page of HTML instead of the reply.
    Html {
        /// The status.
        status: u16,
        /// The size of the page in bytes.
        size: usize,
        /// Whether the request was executed before.
        when: When,
    },
    /// A redirect instead of the reply.
    Redirect {
        /// The status.
        status: u16,
        /// Where to.
        location: String,
        /// Whether the request was executed before.
        when: When,
    },
    /// The payment is declined, as this gateway declines.
    Decline {
        /// The code, for example `card_declined`.
        #[serde(default = "card_declined")]
        code: String,
        /// The issuer's reason, for example `insufficient_funds`.
        #[serde(default)]
        decline_code: Option<String>,
    },
    /// The customer has to act before the payment can go on.
    RequireAction {
        /// What the customer's device gets.
        #[serde(default)]
        kind: ActionKind,
    },
    /// The gateway accepted the request and has no result yet.
    Processing,
    /// Executed; the reply is changed on its way.
    Tamper(Tamper),
    /// This reply, whatever was asked.
    Raw {
        /// The status.
        status: u16,
        /// The headers. `Content-Length` and `Transfer-Encoding` are left out.
        #[serde(default)]
        headers: Vec<(String, String)>,
        /// The body.
        #[serde(default)]
        body: String,
        /// Whether the request was executed before.
        when: When,
    },
    /// Several at once, for example a decline whose reply is lost. Where two speak about the
    /// same thing, the later one counts. With `ResetBeforeReading` among them only that happens.
    Together {
        /// The faults.
        faults: Vec<Self>,
    },
}

/// Before or after the request is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "there is no third moment")]
pub enum When {
    /// Before: as an answer it means that nothing was executed.
    Before,
    /// After: money may have moved.
    After,
}

/// The form of a rate limit's refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RateLimit {
    /// Too many requests, as the gateway documents it.
    #[default]
    RateLimit,
    /// Another request holds the object.
    LockTimeout,
    /// A page of HTML from a machine in front.
    Html,
}

/// What a customer's device gets when it has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ActionKind {
    /// An address to open.
    #[default]
    RedirectToUrl,
    /// Something that only the gateway's own client code understands. Stripe's word.
    UseStripeSdk,
}

impl Fault {
    /// The name that JSON and the request log use.
    pub fn name(&self) -> String {
        match self {
            Self::ReplyLost { .. } => "reply_lost",
            Self::ResetBeforeReading => "reset_before_reading",
            Self::Delay { .. } => "delay",
            Self::Hold { .. } => "hold",
            Self::HoldForEver { .. } => "hold_for_ever",
            Self::LateArrival { .. } => "late_arrival",
            Self::ServerError { .. } => "server_error",
            Self::KeyInUse => "key_in_use",
            Self::RateLimited { .. } => "rate_limited",
            Self::KeyReused => "key_reused",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::CutBody { .. } => "cut_body",
            Self::Html { .. } => "html",
            Self::Redirect { .. } => "redirect",
            Self::Decline { .. } => "decline",
            Self::RequireAction { .. } => "require_action",
            Self::Processing => "processing",
            Self::Tamper(_) => "tamper",
            Self::Raw { .. } => "raw",
            Self::Together { faults } => {
                return faults.iter().map(Self::name).collect::<Vec<_>>().join("+");
            }
        }
        .to_owned()
    }

    /// A decline by this issuer's reason.
    pub fn decline(decline_code: &str) -> Self {
        Self::Decline {
            code: card_declined(),
            decline_code: Some(decline_code.to_owned()),
        }
    }

    /// An error that a machine in front of the gateway answers: nothing is stored.
    pub fn server_error(status: u16, when: When) -> Self {
        Self::ServerError {
            status,
            when,
            stored: false,
            should_retry: None,
            retry_after: None,
        }
    }

    /// A 500 that the gateway keeps under the key and replays.
    pub fn stored_error(when: When) -> Self {
        Self::ServerError {
            status: 500,
            when,
            stored: true,
            should_retry: None,
            retry_after: None,
        }
    }

    /// Only for requests that match.
    pub fn on(self, matcher: Matcher) -> PlannedFault {
        PlannedFault::from(self).on(matcher)
    }

    /// For so many requests instead of one.
    pub fn times(self, times: u32) -> PlannedFault {
        PlannedFault::from(self).times(times)
    }

    /// Only after so many matching requests went by.
    pub fn skip(self, skip: u32) -> PlannedFault {
        PlannedFault::from(self).skip(skip)
    }

    /// Whether it acts on the head of a request, before the body is read.
    pub(crate) fn acts_on_head(&self) -> bool {
        if let Self::Together { faults } = self {
            return faults.iter().any(Self::acts_on_head);
        }
        *self == Self::ResetBeforeReading
    }
}

fn card_declined() -> String {
    "card_declined".to_owned()
}
