//! What an adapter says about the reply to one send.

use serde::{Deserialize, Serialize};

use crate::money::Money;
use crate::outcome::Doubt;

/// What an adapter says about the reply to *one send*, and how far the reply can be trusted.
///
/// A verdict decides nothing: whether a refusal settles the operation depends on the other sends,
/// which the adapter does not see.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// What the reply says.
    pub ruling: Ruling,
    /// Whether the reply names our key.
    pub echo: Echo,
    /// The gateway documents that it keeps a reply of this kind and answers repeats under the
    /// same key with it. So it is the answer to the *first* execution, whichever send brought it.
    pub kept: bool,
    /// The gateway marked this reply as a repeat of a kept one.
    pub replayed: bool,
    /// What the gateway says about trying again.
    pub advice: Advice,
    /// The gateway's id of the object that the reply is about, where the ruling does not name it.
    /// A look-up can start there.
    pub provider_id: Option<String>,
    /// The gateway's own name of the exchange, for support.
    pub request_id: Option<String>,
}

impl Verdict {
    /// A verdict without any mark: nothing echoed, not kept, not replayed, no advice.
    pub const fn new(ruling: Ruling) -> Self {
        Self {
            ruling,
            echo: Echo::NotExpected,
            kept: false,
            replayed: false,
            advice: Advice::None,
            provider_id: None,
            request_id: None,
        }
    }

    /// The gateway's id of the object that the reply is about, if it names one.
    pub fn provider_id(&self) -> Option<&str> {
        let by_ruling = match &self.ruling {
            Ruling::Succeeded(effect) => Some(&effect.provider_id),
            Ruling::ActionRequired(action) => Some(&action.provider_id),
            Ruling::Pending(at) => Some(&at.provider_id),
            Ruling::Declined(refusal) | Ruling::Rejected(refusal) | Ruling::Canceled(refusal) => {
                refusal.provider_id.as_ref()
            }
            Ruling::InProgress
            | Ruling::NoEffect
            | Ruling::Unauthorized
            | Ruling::Repeated
            | Ruling::KeyMismatch
            | Ruling::Unknown(_) => None,
        };
        by_ruling.or(self.provider_id.as_ref()).map(String::as_str)
    }

    /// The same verdict with what the reply says about our key.
    #[must_use]
    pub const fn with_echo(mut self, echo: Echo) -> Self {
        self.echo = echo;
        self
    }

    /// The same verdict, kept by the gateway or not.
    #[must_use]
    pub const fn with_kept(mut self, kept: bool) -> Self {
        self.kept = kept;
        self
    }

    /// The same verdict, marked as a repeat or not.
    #[must_use]
    pub const fn with_replayed(mut self, replayed: bool) -> Self {
        self.replayed = replayed;
        self
    }

    /// The same verdict with the gateway's advice.
    #[must_use]
    pub const fn with_advice(mut self, advice: Advice) -> Self {
        self.advice = advice;
        self
    }

    /// The same verdict with the gateway's id of the object that the reply is about.
    #[must_use]
    pub fn with_provider_id(mut self, id: Option<&str>) -> Self {
        self.provider_id = id.map(str::to_owned);
        self
    }

    /// The same verdict with the gateway's name of the exchange.
    #[must_use]
    pub fn with_request_id(mut self, id: Option<&str>) -> Self {
        self.request_id = id.map(str::to_owned);
        self
    }
}

/// What a reply says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum Ruling {
    /// The money moved.
    Succeeded(Effect),
    /// The payer's side refused.
    Declined(Refusal),
    /// The gateway refused the request itself: it is wrong, or not allowed.
    Rejected(Refusal),
    /// The gateway's object was ended before money moved, and can never move it.
    Canceled(Refusal),
    /// The customer must act.
    ActionRequired(NextAction),
    /// The gateway accepted the operation and works on it.
    Pending(PendingAt),
    /// Another request with our key is being carried out right now.
    InProgress,
    /// This send had no effect, as the gateway documents (a rate limit ...).
    NoEffect,
    /// Our secret was refused, and so this send had no effect, as the gateway documents.
    Unauthorized,
    /// A duplicate of something earlier; the answer hides what became of it.
    Repeated,
    /// Our key was used before with other parameters.
    KeyMismatch,
    /// The reply does not say what happened.
    Unknown(Doubt),
}

impl Ruling {
    /// What moved, if this is a success.
    pub const fn effect(&self) -> Option<&Effect> {
        if let Self::Succeeded(effect) = self {
            Some(effect)
        } else {
            None
        }
    }

    /// The refusal, if this is one of the three definite noes.
    pub const fn refusal(&self) -> Option<&Refusal> {
        if let Self::Declined(refusal) | Self::Rejected(refusal) | Self::Canceled(refusal) = self {
            Some(refusal)
        } else {
            None
        }
    }
}

/// Whether a reply names our key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum Echo {
    /// It names our key.
    Ours,
    /// It names another key: it is somebody else's.
    Foreign,
    /// It names no key, though the gateway's replies of this kind do.
    Missing,
    /// The gateway's replies of this kind name no key.
    NotExpected,
}

/// What the gateway says about trying again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum Advice {
    /// Nothing.
    None,
    /// Try again with the same key.
    Retry,
    /// Do not try again.
    Stop,
}

/// Money that moved, as the gateway says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Effect {
    /// The gateway's id of the payment, capture, refund or void.
    pub provider_id: String,
    /// How much moved, read by the gateway's own [`AmountRule`](super::AmountRule).
    pub money: Money,
    /// The gateway's own word for the state.
    pub status: String,
    /// Whether nothing at the gateway names the operation: see [`inferred`](Self::inferred).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

impl Effect {
    /// An effect from its parts.
    pub fn new(provider_id: impl Into<String>, money: Money, status: impl Into<String>) -> Self {
        Self {
            provider_id: provider_id.into(),
            money,
            status: status.into(),
            inferred: false,
        }
    }

    /// The same effect, inferred from what the payment showed before and shows now: nothing at the
    /// gateway names the operation. Somebody else who did the same after our send would look the
    /// same, so the merchant is told.
    #[must_use]
    pub const fn inferred(mut self) -> Self {
        self.inferred = true;
        self
    }
}

/// A definite no.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The gateway's code.
    pub code: String,
    /// A finer code, where the gateway gives one (the issuer's reason).
    pub reason: Option<String>,
    /// The gateway's text, cut to 200 characters.
    pub message: Option<String>,
    /// The gateway's id of the refused object, if it made one.
    pub provider_id: Option<String>,
    /// Whether the gateway says that the same payment method must not be tried again.
    pub do_not_retry: bool,
}

impl Refusal {
    /// A refusal with the gateway's code.
    pub fn new(code: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            ..Self::default()
        }
    }

    /// The same refusal with a finer code.
    #[must_use]
    pub fn with_reason(mut self, reason: Option<&str>) -> Self {
        self.reason = reason.map(str::to_owned);
        self
    }

    /// The same refusal with the gateway's text, cut to 200 characters.
    #[must_use]
    pub fn with_message(mut self, message: Option<&str>) -> Self {
        self.message = message.map(|text| super::excerpt(text, 200));
        self
    }

    /// The same refusal with the gateway's id of the refused object.
    #[must_use]
    pub fn with_provider_id(mut self, id: Option<&str>) -> Self {
        self.provider_id = id.map(str::to_owned);
        self
    }

    /// The same refusal, with or without the advice not to try the same payment method again.
    #[must_use]
    pub const fn with_do_not_retry(mut self, stop: bool) -> Self {
        self.do_not_retry = stop;
        self
    }
}

/// What the customer must do.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NextAction {
    /// The gateway's id of the payment.
    pub provider_id: String,
    /// Where to send the customer, if the gateway gave a page.
    pub url: Option<String>,
    /// What the gateway's own front-end code needs, where it gave no page. Anybody who has it can
    /// act for the customer: hand it to the customer's browser only.
    pub client_secret: Option<String>,
    /// The gateway's own word for the action.
    pub kind: String,
}

impl NextAction {
    /// An action of a kind, without page or client secret.
    pub fn new(provider_id: impl Into<String>, kind: impl Into<String>) -> Self {
        Self {
            provider_id: provider_id.into(),
            url: None,
            client_secret: None,
            kind: kind.into(),
        }
    }

    /// The same action with the page to send the customer to.
    #[must_use]
    pub fn with_url(mut self, url: Option<&str>) -> Self {
        self.url = url.map(str::to_owned);
        self
    }

    /// The same action with what the gateway's front-end code needs.
    #[must_use]
    pub fn with_client_secret(mut self, secret: Option<&str>) -> Self {
        self.client_secret = secret.map(str::to_owned);
        self
    }
}

impl std::fmt::Debug for NextAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NextAction")
            .field("provider_id", &self.provider_id)
            .field("kind", &self.kind)
            .field("url", &self.url.is_some())
            .field("client_secret", &self.client_secret.is_some())
            .finish()
    }
}

/// Something that the gateway still works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingAt {
    /// The gateway's id of the payment.
    pub provider_id: String,
    /// The gateway's own word for the state.
    pub status: String,
}

impl PendingAt {
    /// Something pending, from its parts.
    pub fn new(provider_id: impl Into<String>, status: impl Into<String>) -> Self {
        Self {
            provider_id: provider_id.into(),
            status: status.into(),
        }
    }
}
