//! What a drive knows, and how it learns.

use std::time::Duration;

use crate::money::Money;
use crate::operation::State;
use crate::outcome::{Doubt, UnsentReason};
use crate::provider::{Echo, Finding, OnRepeat, Ruling, Verdict};

/// What is known of an operation while it is driven.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one independent fact of the table"
)]
pub(crate) struct Facts {
    /// What was asked for.
    pub(crate) money: Money,
    /// The state in which the claim found the operation (`sending` for a new one).
    pub(crate) found: State,
    /// What a repeat does at the gateway: the narrower of the stored and the current rule.
    pub(crate) class: OnRepeat,
    /// Whether a send may leave.
    pub(crate) gate: Gate,
    /// How many sends, of all claims, may have had an effect. A claim whose owner left no record
    /// counts as one.
    pub(crate) maybe_sent: u32,
    /// The gateway stored an error under the key: a repeat only brings it again.
    pub(crate) stored_error: bool,
    /// No further send under this claim: the gateway advised so.
    pub(crate) stop: bool,
    /// An action of this operation was stored for a caller: somebody else may complete it.
    pub(crate) page_given: bool,
    /// It is at a further step, which began from that action.
    pub(crate) further: bool,
    /// The adapter can look up.
    pub(crate) can_look_up: bool,
    /// A look-up shows successes reliably once the settling time is over.
    pub(crate) look_up_reliable: bool,
    /// A look-up was made since the last send.
    pub(crate) looked_up: bool,
    /// The last send ended so long ago that a look-up shows what it did.
    pub(crate) settled: bool,
    /// How many sends this call may still make.
    pub(crate) sends_left: u32,
    /// Whether there is time for another exchange.
    pub(crate) time_left: bool,
    /// Why it is in doubt, if it is.
    pub(crate) doubt: Option<Doubt>,
    /// When the gateway asked to be tried again, in its last reply.
    pub(crate) retry_after: Option<Duration>,
    /// Why the last send without effect had none, and when to try again.
    pub(crate) problem: UnsentReason,
}

/// Whether a send may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It may.
    Open,
    /// It may not.
    Shut(Shut),
}

/// Why no send may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shut {
    /// The gateway may have forgotten the key.
    WindowOver,
    /// `send_until` is past.
    PastSendUntil,
    /// The clock cannot be trusted.
    ClockDoubtful,
    /// The operation may only be looked up.
    LookUpOnly,
    /// The lease, or the time of the call, ends too soon.
    TimeOver,
}

impl Shut {
    /// The doubt that it leaves where a send may have had an effect.
    pub(super) fn doubt(self) -> Doubt {
        match self {
            Self::WindowOver => Doubt::WindowOver,
            Self::PastSendUntil => Doubt::PastSendUntil,
            Self::ClockDoubtful => Doubt::ClockDoubtful,
            Self::LookUpOnly => Doubt::LookUpOnly,
            Self::TimeOver => Doubt::NoReply {
                problem: "the time of the call was over".into(),
            },
        }
    }

    /// Why nothing was carried out, where no send had an effect.
    pub(crate) fn unsent(self) -> UnsentReason {
        let why = match self {
            Self::PastSendUntil => "its send_until is past: give a later one",
            Self::TimeOver => "the time of the call was over",
            Self::WindowOver | Self::ClockDoubtful => "it may only be looked up",
            Self::LookUpOnly => "nothing of it was sent, and this call sends nothing",
        };
        UnsentReason::Unavailable {
            why: why.to_owned(),
            retry_after: None,
        }
    }
}

/// What was just seen.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Seen<'a> {
    /// The claim is stored; nothing was sent under it.
    Claimed,
    /// The request provably did not leave. `retry`: it may work the next time.
    NotSent { why: &'a str, retry: bool },
    /// The payment was read before the send, and it is not the one that was meant: nothing was sent.
    PaymentMismatch {
        got: Option<Money>,
        provider_id: &'a str,
    },
    /// The request may have reached the gateway, and no whole reply came.
    Lost(&'a Doubt),
    /// A reply.
    Replied(Reply<'a>),
    /// A look-up ended.
    LookedUp(&'a Finding),
    /// The gate was shut at the last moment; [`Facts::gate`] says why.
    Barred,
    /// The next pause does not fit into the call, or the retry budget is spent.
    Exhausted,
}

/// A reply to a send.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reply<'a> {
    /// What the adapter says about it.
    pub(crate) verdict: &'a Verdict,
    /// Its status.
    pub(crate) status: u16,
    /// Status and body are those of the reply before.
    pub(crate) same: bool,
    /// When the gateway asks to be tried again.
    pub(crate) retry_after: Option<Duration>,
}

impl Facts {
    /// Learns from what was seen, before anything is decided.
    pub(super) fn learn(&mut self, seen: &Seen<'_>) {
        match *seen {
            Seen::Claimed | Seen::Barred | Seen::Exhausted => return,
            Seen::LookedUp(_) => {
                self.looked_up = true;
                return;
            }
            Seen::NotSent { why, .. } => {
                self.retry_after = None;
                self.unavailable(why.to_owned());
            }
            Seen::PaymentMismatch { got, provider_id } => {
                self.retry_after = None;
                let provider_id = provider_id.to_owned();
                self.problem = UnsentReason::PaymentMismatch { got, provider_id };
            }
            Seen::Lost(doubt) => {
                self.retry_after = None;
                self.doubt = Some(doubt.clone());
            }
            Seen::Replied(reply) => self.learn_reply(reply),
        }
        (self.looked_up, self.settled) = (false, false);
        self.sends_left = self.sends_left.saturating_sub(1);
        if may_have_had_an_effect(seen) {
            self.maybe_sent = self.maybe_sent.saturating_add(1);
        }
    }

    fn learn_reply(&mut self, reply: Reply<'_>) {
        self.retry_after = reply.retry_after;
        match &reply.verdict.ruling {
            Ruling::NoEffect => {
                self.unavailable(format!("the gateway answered {}", reply.status));
            }
            Ruling::Unauthorized => self.problem = UnsentReason::Unauthorized,
            Ruling::Unknown(doubt) => self.doubt = Some(doubt.clone()),
            Ruling::InProgress => self.doubt = Some(Doubt::InProgress),
            Ruling::Succeeded(_)
            | Ruling::Declined(_)
            | Ruling::Rejected(_)
            | Ruling::Canceled(_)
            | Ruling::ActionRequired(_)
            | Ruling::Pending(_)
            | Ruling::Repeated
            | Ruling::KeyMismatch => {}
        }
    }

    fn unavailable(&mut self, why: String) {
        let retry_after = self.retry_after;
        self.problem = UnsentReason::Unavailable { why, retry_after };
    }

    /// Whether a further step may be under way that nothing has answered yet.
    pub(super) fn is_step_in_doubt(&self) -> bool {
        let answered = matches!(self.found, State::Pending | State::ActionRequired);
        self.further && self.maybe_sent > 0 && !answered
    }

    /// Why it is in doubt. A claim without any record is the one case that nobody noted.
    pub(super) fn doubt(&self) -> Doubt {
        self.doubt.clone().unwrap_or(Doubt::OwnerLost)
    }
}

/// Whether an exchange leaves open that its send had an effect, now or later. Only what the
/// gateway documents as a refusal of exactly this send does not: a reply that may be the answer to
/// somebody else's request says nothing of ours.
pub(crate) fn may_have_had_an_effect(seen: &Seen<'_>) -> bool {
    match seen {
        Seen::Claimed
        | Seen::NotSent { .. }
        | Seen::PaymentMismatch { .. }
        | Seen::LookedUp(_)
        | Seen::Barred
        | Seen::Exhausted => false,
        Seen::Lost(_) => true,
        Seen::Replied(Reply { verdict, .. }) => {
            let refuses_this_send = matches!(
                verdict.ruling,
                Ruling::NoEffect
                    | Ruling::Unauthorized
                    | Ruling::Declined(_)
                    | Ruling::Rejected(_)
                    | Ruling::Canceled(_)
            );
            let may_be_anothers = match verdict.echo {
                Echo::Ours => false,
                Echo::Foreign | Echo::Missing => true,
                // A repeat of something, and not known to be ours.
                Echo::NotExpected => verdict.replayed,
            };
            !refuses_this_send || may_be_anothers
        }
    }
}
