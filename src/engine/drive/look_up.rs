//! Asking the gateway.

use super::{Drive, Stopped};
use crate::engine::backoff::Intervals;
use crate::engine::policy::jittered;
use crate::ledger::Purpose;
use crate::machine::{Gate, Seen, Shut, Step, Wait};
use crate::outcome::Doubt;
use crate::provider::{Finding, LookUpStep, Query, Response};
use crate::transport::TransportError;

/// The most requests of one look-up.
const REQUESTS: usize = 45;
/// How often an unclear look-up is made in one call.
const LOOK_UPS: u32 = 3;

impl Drive<'_> {
    /// Looks up, again if it was unclear and there is time, and decides with what was found.
    pub(super) async fn look_up(&mut self, wait: Wait) -> Result<Step, Stopped> {
        if wait == Wait::Settled {
            let clock = self.engine.clock.as_ref();
            let settles = self.last_end.map(|end| end.saturating_add(self.rest));
            let pause = settles.unwrap_or_default().saturating_sub(clock.uptime());
            if !self.fits(pause) {
                return Ok(self.decide(&Seen::Exhausted));
            }
            self.write_learned().await;
            self.engine.clock.sleep(pause).await;
        }
        let policy = &self.engine.policy;
        let mut pauses = Intervals::new(policy.backoff_first, policy.backoff_longest);
        let mut made = 1;
        let finding = loop {
            let finding = self.ask().await;
            let pause = jittered(self.engine.jitter.as_ref(), pauses.next());
            let unclear = matches!(finding, Finding::Unclear(_));
            if !unclear || made >= LOOK_UPS || !self.fits(pause) {
                break finding;
            }
            made = made.saturating_add(1);
            self.engine.clock.sleep(pause).await;
        };
        let now = self.engine.clock.uptime();
        let ended = |end| now.saturating_sub(end) >= self.rest;
        self.facts.settled = self.last_end.is_none_or(ended);
        // The gateway's replies also tell whether our clock is right, and with that whether a send
        // may follow.
        self.write_learned().await;
        match self.check().await {
            Ok(()) => self.read_gate(),
            // What was found counts all the same, and the ledger decides for whom.
            Err(Stopped::Fenced | Stopped::Blind) => {
                self.facts.gate = Gate::Shut(Shut::LookUpOnly);
            }
        }
        Ok(self.decide(&Seen::LookedUp(&finding)))
    }

    /// One look-up: the adapter says what to ask until it has an answer.
    async fn ask(&mut self) -> Finding {
        let unclear = |problem: &str| {
            Finding::Unclear(Doubt::LookUpUnclear {
                problem: problem.to_owned(),
            })
        };
        let mut replies: Vec<Response> = Vec::new();
        while replies.len() < REQUESTS {
            let Some(adapter) = self.provider.look_up() else {
                return unclear("this gateway offers none");
            };
            let learned = self.learned.provider_id.as_deref();
            let provider_id = learned.or(self.record.standing.provider_id.as_deref());
            let query = Query::new(provider_id, self.first_sent(), self.last_sent())
                .with_baseline(self.record.baseline.as_deref());
            let request = match adapter.next(&self.call(), &query, &replies) {
                LookUpStep::Ask(request) => request,
                LookUpStep::Done(finding) => return finding,
            };
            let clock = self.engine.clock.as_ref();
            if !self.times.is_time_left(&self.stored, clock) {
                return unclear("the time of the call was over");
            }
            let (reply, exchange) = self.exchange(Purpose::LookUp, request).await;
            self.note(exchange);
            match reply {
                Ok(reply) => replies.push(reply),
                Err(
                    TransportError::NotSent { problem, .. }
                    | TransportError::MaybeSent { problem, .. },
                ) => return unclear(&problem),
            }
        }
        unclear("it took too many requests")
    }
}
