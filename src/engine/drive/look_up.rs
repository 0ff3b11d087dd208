//! Asking the gateway.

use super::Drive;
use crate::engine::backoff::Intervals;
use crate::engine::policy::jittered;
use crate::ledger::Purpose;
use crate::machine::{Seen, Step};
use crate::outcome::Doubt;
use crate::provider::{Finding, LookUpStep, Query, Response};
use crate::transport::TransportError;

/// The most requests of one look-up.
const REQUESTS: usize = 25;
/// How often an unclear look-up is made in one call.
const LOOK_UPS: u32 = 3;

impl Drive<'_> {
    /// Looks up, again if it was unclear and there is time, and decides with what was found.
    pub(super) async fn look_up(&mut self) -> Step {
        let policy = &self.engine.policy;
        let mut pauses = Intervals::new(policy.backoff_first, policy.backoff_longest);
        let mut made = 1;
        loop {
            let finding = self.ask().await;
            let pause = jittered(self.engine.jitter.as_ref(), pauses.next());
            let clock = self.engine.clock.as_ref();
            let again = matches!(finding, Finding::Unclear(_))
                && made < LOOK_UPS
                && pause < self.times.left(clock.now(), clock);
            if !again {
                return self.decide(&Seen::LookedUp(&finding));
            }
            made = made.saturating_add(1);
            clock.sleep(pause).await;
        }
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
            let query = Query::new(provider_id, self.first_sent(), self.last_sent());
            let request = match adapter.next(&self.call(), &query, &replies) {
                LookUpStep::Ask(request) => request,
                LookUpStep::Done(finding) => return finding,
            };
            if !self.times.is_time_left(self.engine.clock.as_ref()) {
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
