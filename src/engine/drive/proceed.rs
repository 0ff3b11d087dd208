//! Going on after the customer acted: a further step, with a key and stored bytes of its own.

use std::time::Duration;

use super::close::is_as_it_was;
use super::{Asked, Drive};
use crate::engine::keys::step_key;
use crate::error::Error;
use crate::ledger::{Conclusion, NextStep, StepRequest};
use crate::operation::{OperationKind, State};
use crate::outcome::{Doubt, Outcome};
use crate::provider::{Proceed, ProceedInput, Proceeding, Response, Ruling, Verdict};

impl Drive<'_> {
    /// Goes on to the next step. If one is under way already, with that one; and from what is being
    /// ended, or only looked up, to none.
    pub(super) async fn proceed(
        self,
        input: &ProceedInput,
        deadline: Duration,
    ) -> Result<Outcome, Error> {
        let barred = self.record.closing || self.record.look_up_only;
        if self.facts.found != State::ActionRequired || barred {
            return self.run().await;
        }
        let next = match self.next_step(input, deadline) {
            Ok(next) => next,
            Err(error) => return self.not_begun(error).await,
        };
        let (id, epoch) = (self.record.id, self.record.epoch);
        let asked = Asked::now(self.engine.clock.as_ref());
        match self.engine.ledger.go_on(id, epoch, next).await {
            Ok(Some(owned)) => {
                let (engine, hear, end) = (self.engine, self.hear, self.times.end());
                Drive::new(engine, hear, owned, asked, end, false)?
                    .run()
                    .await
            }
            Ok(None) => self.fenced().await,
            // It may be stored. The next claim counts it as sent, and nothing was.
            Err(error) => {
                let problem = error.to_string();
                let doubt = Doubt::Unrecorded { problem };
                self.finish(Conclusion::Hold {
                    doubt,
                    provider_id: None,
                })
                .await
            }
        }
    }

    fn next_step(&self, input: &ProceedInput, deadline: Duration) -> Result<NextStep, Error> {
        let (provider, record) = (self.provider, &self.record);
        let operation = provider.rule(record.kind).map(|rule| rule.snapshot());
        let Some((adapter, operation)) = provider.proceed(record.kind).zip(operation) else {
            return Err(cannot_go_on(provider.name().as_str(), record.kind));
        };
        let rule = adapter.proceed_rule();
        let key = step_key(&record.key, record.epoch, rule.key_format.value);
        let proceeding = Proceeding::new(record.standing.provider_id.as_deref(), &key);
        let request = adapter.proceed_request(&self.call(), &proceeding, input)?;
        let until = deadline.saturating_add(self.engine.policy.send_until_margin);
        Ok(NextStep::new(
            StepRequest::new(key, request),
            rule.snapshot(operation),
            self.engine.clock.now().plus(until),
        ))
    }

    /// Nothing was stored or sent: the operation is left as it was found.
    async fn not_begun(self, error: Error) -> Result<Outcome, Error> {
        let left = Conclusion::ActionRequired {
            action: None,
            last_decline: None,
        };
        let outcome = self.finish(left).await?;
        if is_as_it_was(&outcome) {
            return Err(error);
        }
        Ok(outcome)
    }

    /// What the reply to a send of the step says that the operation is at.
    pub(super) fn classify(&self, reply: &Response) -> Verdict {
        let (call, record) = (self.call(), &self.record);
        let Some(further) = &record.further else {
            return self.provider.classify(&call, reply);
        };
        let proceeding = Proceeding::new(record.standing.provider_id.as_deref(), &further.key);
        let by = |adapter: &dyn Proceed| adapter.proceed_reply(&call, &proceeding, reply);
        self.provider.proceed(record.kind).map_or_else(unread, by)
    }
}

/// The adapter does not read such replies any more.
const fn unread() -> Verdict {
    Verdict::new(Ruling::Unknown(Doubt::Unreadable { status: None }))
}

/// An adapter whose gateway needs no further request.
pub(crate) fn cannot_go_on(provider: &str, kind: OperationKind) -> Error {
    let what = format!(
        "{provider} needs no further request of a {kind} after the customer acted: look it up"
    );
    Error::Unsupported { what }
}
