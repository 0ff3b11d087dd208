//! Ending at the gateway what a customer left open.
//!
//! A close moves no money, and repeating it changes nothing, so it is sent again until it is
//! answered. What the operation came to is read afterwards: the reply settles nothing.

use super::{Drive, Stopped};
use crate::engine::keys::step_key;
use crate::engine::policy::jittered;
use crate::error::Error;
use crate::ledger::{Conclusion, Purpose, StepRequest};
use crate::machine::{Step, Wait};
use crate::operation::OperationKind;
use crate::outcome::{Doubt, Outcome};
use crate::provider::{CloseReply, Closing};
use crate::transport::TransportError;

/// What became of a close step.
enum Closed {
    /// The gateway ended the object, or nobody knows: it may still take effect.
    MayTakeEffect,
    /// It can take effect no more.
    Refused,
    /// Every send of it provably had no effect. Why, and whether our secret was refused.
    NotSent { why: String, unauthorized: bool },
    /// It cannot be rendered, so nothing was stored or sent.
    NotRendered(Error),
}

impl Drive<'_> {
    /// Ends what is open, or finds out that it is not.
    pub(super) async fn close(mut self) -> Result<Outcome, Error> {
        let shown = match self.shown().await {
            Ok(shown) => shown,
            Err(Stopped::Fenced) => return self.fenced().await,
            Err(Stopped::Blind) => return self.finish(unclear("the ledger cannot be read")).await,
        };
        let Some(id) = self.open_object(&shown) else {
            return self.finish(shown).await;
        };
        let closed = match self.send_close(&id).await {
            Ok(closed) => closed,
            Err(Stopped::Fenced) => return self.fenced().await,
            Err(Stopped::Blind) => Closed::MayTakeEffect,
        };
        let refused = match closed {
            Closed::MayTakeEffect => false,
            Closed::Refused => true,
            Closed::NotSent { why, unauthorized } => {
                return self.unsent_close(shown, why, unauthorized).await;
            }
            Closed::NotRendered(error) => {
                let outcome = self.finish(shown).await?;
                return if is_as_it_was(&outcome) {
                    Err(error)
                } else {
                    Ok(outcome)
                };
            }
        };
        let shown = match self.shown().await {
            Ok(shown) => shown,
            Err(Stopped::Fenced) => return self.fenced().await,
            Err(Stopped::Blind) => unclear("the ledger cannot be read"),
        };
        let conclusion = if refused {
            Conclusion::CloseRefused(Box::new(shown))
        } else {
            shown
        };
        self.finish(conclusion).await
    }

    /// What a look-up shows now.
    async fn shown(&mut self) -> Result<Conclusion, Stopped> {
        match self.look_up(Wait::None).await? {
            Step::Finish(conclusion) => Ok(conclusion),
            // Nothing is sent by a call that only ends.
            Step::Send(_) | Step::LookUp(_) => Ok(unclear("the gateway shows nothing of it")),
        }
    }

    /// The gateway's id of what is still open, or may be, and so can be ended.
    fn open_object(&self, shown: &Conclusion) -> Option<String> {
        let new = match shown {
            Conclusion::ActionRequired { action, .. } => action.as_ref().map(|a| &a.provider_id),
            Conclusion::Pending { at, .. } => at.as_ref().map(|at| &at.provider_id),
            // A further step is in doubt, and what it began from is there.
            Conclusion::Hold {
                provider_id: Some(id),
                ..
            } if self.record.further.is_some() && !shown.look_up_only() => Some(id),
            // A close is under way: what became of it is learned by repeating it.
            Conclusion::Succeeded { .. } | Conclusion::Hold { .. }
                if self.record.closing && !shown.look_up_only() =>
            {
                None
            }
            Conclusion::Succeeded { .. }
            | Conclusion::Hold { .. }
            | Conclusion::Declined(_)
            | Conclusion::Rejected(_)
            | Conclusion::Canceled(_)
            | Conclusion::Unsent(_)
            | Conclusion::CloseRefused(_) => return None,
        };
        new.or(self.record.standing.provider_id.as_ref()).cloned()
    }

    /// Stores the step, and sends it until it is answered.
    async fn send_close(&mut self, id: &str) -> Result<Closed, Stopped> {
        let (provider, kind) = (self.provider, self.record.kind);
        let format = provider.rule(kind).map(|rule| rule.key_format.value);
        let Some((adapter, format)) = provider.close(kind).zip(format) else {
            let what = cannot_end(provider.name().as_str(), kind);
            return Ok(Closed::NotRendered(what));
        };
        let (operation, epoch) = (self.record.id, self.record.epoch);
        let key = step_key(&self.record.key, epoch, format);
        let step = match adapter.close_request(&self.call(), &Closing::new(id, &key)) {
            Ok(request) => StepRequest::new(key, request),
            Err(error) => return Ok(Closed::NotRendered(error.into())),
        };
        let stored = self.engine.ledger.begin_close(operation, epoch, step);
        let step = match stored.await {
            Ok(Some(step)) => step,
            Ok(None) => return Err(Stopped::Fenced),
            Err(error) => {
                tracing::warn!(%error, "nothing is ended without a stored step");
                return Err(Stopped::Blind);
            }
        };
        // An earlier call may have sent the stored one.
        let mut may_take_effect = self.record.closing;
        self.record.closing = true;
        let mut sends = self.engine.policy.sends;
        let closing = Closing::new(id, &step.key);
        loop {
            self.check().await?;
            let (sent, mut exchange) = self.exchange(Purpose::Close, step.request.clone()).await;
            let reply = match sent {
                Ok(reply) => adapter.close_reply(&self.call(), &closing, &reply),
                Err(TransportError::NotSent { .. }) => CloseReply::NoEffect,
                Err(TransportError::MaybeSent { problem, .. }) => {
                    CloseReply::Unknown(Doubt::NoReply { problem })
                }
            };
            word(&reply).clone_into(&mut exchange.class);
            let why = format!(
                "the gateway answered {}",
                exchange.status.unwrap_or_default()
            );
            self.note(exchange);
            let unauthorized = match reply {
                CloseReply::Ended => return Ok(Closed::MayTakeEffect),
                CloseReply::Refused => return Ok(Closed::Refused),
                CloseReply::Unknown(_) => {
                    may_take_effect = true;
                    false
                }
                CloseReply::NoEffect => false,
                CloseReply::Unauthorized => true,
            };
            sends = sends.saturating_sub(1);
            let pause = jittered(self.engine.jitter.as_ref(), self.intervals.next());
            if sends == 0 || unauthorized || !self.fits(pause) || !self.may_repeat() {
                return Ok(if may_take_effect {
                    Closed::MayTakeEffect
                } else {
                    Closed::NotSent { why, unauthorized }
                });
            }
            self.write_learned().await;
            self.engine.clock.sleep(pause).await;
        }
    }

    /// Nothing of the close had an effect: it is as it was, and may be ended later.
    async fn unsent_close(
        self,
        shown: Conclusion,
        why: String,
        unauthorized: bool,
    ) -> Result<Outcome, Error> {
        let (operation, account) = (self.record.id, self.record.account.clone());
        let outcome = self
            .finish(Conclusion::CloseRefused(Box::new(shown)))
            .await?;
        if !is_as_it_was(&outcome) {
            return Ok(outcome);
        }
        let state = outcome.operation().state;
        Err(if unauthorized {
            Error::Unauthorized {
                account,
                operation,
                state,
            }
        } else {
            Error::Unavailable {
                operation,
                state,
                why,
                retry_after: None,
            }
        })
    }
}

/// Whether the ledger holds it as it was found: open, and with the customer or the gateway. Somebody
/// else may have settled or frozen it meanwhile, and then that is the answer.
pub(super) fn is_as_it_was(outcome: &Outcome) -> bool {
    let open = matches!(outcome, Outcome::ActionRequired(_) | Outcome::Pending(_));
    open && outcome.is_recorded()
}

fn unclear(problem: &str) -> Conclusion {
    Conclusion::Hold {
        doubt: Doubt::LookUpUnclear {
            problem: problem.to_owned(),
        },
        provider_id: None,
    }
}

/// An adapter that has no way to end such an operation.
pub(crate) fn cannot_end(provider: &str, kind: OperationKind) -> Error {
    let what = format!("{provider} has no way to end a {kind} that the customer left open");
    Error::Unsupported { what }
}

/// The word for a reply, as records and metrics have it.
const fn word(reply: &CloseReply) -> &'static str {
    match reply {
        CloseReply::Ended => "ended",
        CloseReply::Refused => "refused",
        CloseReply::NoEffect => "no_effect",
        CloseReply::Unauthorized => "unauthorized",
        CloseReply::Unknown(_) => "unknown",
    }
}
