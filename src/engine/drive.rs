//! The room that awaits: claim, send, look up, settle.
//!
//! It decides nothing. What happened goes to [`decide`], and its step is carried out.

mod baseline;
mod claim;
mod close;
mod look_up;
mod proceed;
mod settle;
mod start;

use std::sync::Arc;
use std::time::Duration;

pub(crate) use self::close::cannot_end;
pub(crate) use self::proceed::cannot_go_on;
pub(crate) use self::settle::Unwritten;

use super::backoff::Intervals;
use super::gate::{Stored, Times};
use super::policy::{RetryBudget, jittered, retry_after};
use super::{Engine, exchange, telemetry};
use crate::clock::{Clock, Timestamp};
use crate::error::{Error, LedgerError};
use crate::ledger::{Exchange, Learned, Purpose, Record};
use crate::machine::{Facts, Gate, Pause, Reply, Seen, Step, decide, may_have_had_an_effect};
use crate::outcome::{Doubt, Outcome};
use crate::provider::{Call, Echo, Provider, Request, Response, RuleSnapshot, Verdict};
use crate::transport::TransportError;

/// How long a claim speaks for the first send without another read of the ledger.
const FRESH: Duration = Duration::from_secs(1);

/// What is heard of a call while it goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Heard<'a> {
    /// The row, as the claim would store it.
    Wanted(&'a Record),
    /// The row, as it is stored.
    Stored(&'a Record),
    /// Its time is too short for what would come next.
    OutOfTime,
}

/// Who hears it.
pub(crate) type Hear<'a> = &'a (dyn Fn(Heard<'_>) + Send + Sync);

/// An operation that is ours, until it is settled.
pub(super) struct Drive<'e> {
    engine: &'e Engine,
    hear: Hear<'e>,
    provider: &'e Arc<dyn Provider>,
    record: Record,
    request: Request,
    facts: Facts,
    rule: RuleSnapshot,
    times: Times,
    stored: Stored,
    learned: Learned,
    intervals: Intervals,
    /// The claim itself still speaks for the next send, if it was asked for just now.
    fresh: Option<Asked>,
    /// How long after a send a look-up shows what it did.
    rest: Duration,
    /// The uptime at which the last send ended. `None`: before this boot, or never.
    last_end: Option<Duration>,
    /// How many exchanges there were.
    exchanges: u32,
    last_reply: Option<Response>,
}

/// When something was asked, by both of our clocks: of a machine that was paused, one may show it
/// and the other not.
#[derive(Debug, Clone, Copy)]
struct Asked {
    at: Timestamp,
    up: Duration,
}

impl Asked {
    fn now(clock: &dyn Clock) -> Self {
        let (at, up) = (clock.now(), clock.uptime());
        Self { at, up }
    }

    /// Whether both clocks say that it was less than `limit` ago.
    fn is_within(self, limit: Duration, clock: &dyn Clock) -> bool {
        let by_wall = clock.now().distance(self.at);
        clock.uptime().saturating_sub(self.up) < limit && by_wall < limit
    }
}

/// Why a drive stops where it is.
enum Stopped {
    /// The claim is no longer ours.
    Fenced,
    /// The ledger cannot be read, so nothing more is sent.
    Blind,
}

impl Drive<'_> {
    /// Goes on until something is settled, or nothing more can be learned.
    async fn run(mut self) -> Result<Outcome, Error> {
        let mut step = self.decide(&Seen::Claimed);
        loop {
            let next = match step {
                Step::Finish(conclusion) => return self.finish(conclusion).await,
                Step::LookUp(wait) => self.look_up(wait).await,
                Step::Send(pause) => self.send(pause).await,
            };
            step = match next {
                Ok(step) => step,
                Err(Stopped::Blind) => self.decide(&Seen::Exhausted),
                Err(Stopped::Fenced) => return self.fenced().await,
            };
        }
    }

    fn decide(&mut self, seen: &Seen<'_>) -> Step {
        let clock = self.engine.clock.as_ref();
        self.facts.time_left = self.times.is_time_left(&self.stored, clock);
        if !self.facts.time_left {
            (self.hear)(Heard::OutOfTime);
        }
        let step = decide(&mut self.facts, seen);
        self.learned.stored_error |= self.facts.stored_error;
        self.learned.retry_after = self.facts.retry_after;
        step
    }

    /// Sends the stored bytes, after the pause and a last look at the ledger.
    async fn send(&mut self, pause: Pause) -> Result<Step, Stopped> {
        if let Pause::Backoff { at_least } = pause {
            let wait = jittered(self.engine.jitter.as_ref(), self.intervals.next())
                .max(at_least.unwrap_or_default());
            if !self.fits(wait) || !self.may_repeat() {
                return Ok(self.decide(&Seen::Exhausted));
            }
            self.write_learned().await;
            self.engine.clock.sleep(wait).await;
        }
        let clock = self.engine.clock.as_ref();
        let fresh = self.fresh.take();
        if !fresh.is_some_and(|asked| asked.is_within(FRESH, clock)) {
            self.check().await?;
        }
        self.read_gate();
        if self.facts.gate == Gate::Open
            && self.record.lacks_baseline()
            && let Err(step) = self.read_baseline().await?
        {
            return Ok(step);
        }
        if self.facts.gate != Gate::Open {
            return Ok(self.decide(&Seen::Barred));
        }
        let sent = self.exchange(Purpose::Send, self.request.clone()).await;
        self.last_end = Some(self.engine.clock.uptime());
        Ok(self.sent(sent))
    }

    /// Reads again what a send must know of its operation.
    async fn check(&mut self) -> Result<(), Stopped> {
        let asked_up = self.engine.clock.uptime();
        match self.engine.ledger.check(self.record.id).await {
            Ok(Some(now)) if now.epoch == self.record.epoch && !now.frozen => {
                self.stored = Stored::checked(now, asked_up);
                Ok(())
            }
            Ok(_) => Err(Stopped::Fenced),
            Err(error) => {
                tracing::warn!(%error, "nothing is sent without a read of the ledger");
                Err(Stopped::Blind)
            }
        }
    }

    fn read_gate(&mut self) {
        let clock = self.engine.clock.as_ref();
        let maybe_sent = self.facts.maybe_sent > 0;
        self.facts.gate = self.times.gate(&self.stored, maybe_sent, clock);
    }

    /// Whether a pause leaves time for an exchange.
    fn fits(&self, pause: Duration) -> bool {
        let fits = pause < self.times.left(&self.stored, self.engine.clock.as_ref());
        if !fits {
            (self.hear)(Heard::OutOfTime);
        }
        fits
    }

    fn may_repeat(&self) -> bool {
        let budget = self.engine.budgets.get(&self.record.account);
        budget.is_none_or(RetryBudget::take)
    }

    /// What came of a send.
    fn sent(&mut self, (sent, mut exchange): (Result<Response, TransportError>, Exchange)) -> Step {
        let began = exchange.started_at;
        let reply = match sent {
            Ok(reply) => reply,
            Err(TransportError::NotSent { problem, retry }) => {
                "not_sent".clone_into(&mut exchange.class);
                self.note(exchange);
                let why = problem.as_str();
                return self.decide(&Seen::NotSent { why, retry });
            }
            Err(TransportError::MaybeSent { problem, .. }) => {
                "no_reply".clone_into(&mut exchange.class);
                self.note(exchange);
                let doubt = Doubt::NoReply { problem };
                return self.learn_and_decide(&Seen::Lost(&doubt), began);
            }
        };
        let verdict = self.classify(&reply);
        telemetry::class(&verdict.ruling).clone_into(&mut exchange.class);
        exchange.request_id.clone_from(&verdict.request_id);
        self.note(exchange);
        self.learn_id(&verdict);
        let now = self.engine.clock.now();
        let last = self.last_reply.as_ref();
        let replied = Seen::Replied(Reply {
            verdict: &verdict,
            status: reply.status.as_u16(),
            same: last.is_some_and(|last| last.status == reply.status && last.body == reply.body),
            retry_after: reply
                .header("retry-after")
                .and_then(|value| retry_after(value, now)),
        });
        let step = self.learn_and_decide(&replied, began);
        self.last_reply = Some(reply);
        step
    }

    /// Only a reply that names our key says which object is ours. Another's would be asked about
    /// for ever.
    fn learn_id(&mut self, verdict: &Verdict) {
        let ours = match verdict.echo {
            Echo::Ours => true,
            Echo::NotExpected => !verdict.replayed,
            Echo::Foreign | Echo::Missing => false,
        };
        if ours && let Some(id) = verdict.provider_id() {
            self.learned.provider_id = Some(id.to_owned());
        }
    }

    fn learn_and_decide(&mut self, seen: &Seen<'_>, began: Timestamp) -> Step {
        if may_have_had_an_effect(seen) {
            self.learned.maybe_sent = self.learned.maybe_sent.saturating_add(1);
            self.learned.first_sent.get_or_insert(began);
        }
        self.decide(seen)
    }

    /// One HTTP exchange, and its record.
    async fn exchange(
        &mut self,
        purpose: Purpose,
        mut request: Request,
    ) -> (Result<Response, TransportError>, Exchange) {
        let clock = self.engine.clock.as_ref();
        let (started_at, started_up) = (clock.now(), clock.uptime());
        let mut exchange = Exchange::new(purpose, started_at, "asked");
        exchange.number = self.exchanges;
        self.exchanges = self.exchanges.saturating_add(1);
        if let Err(error) = self.provider.authorize(&mut request, started_at.into()) {
            let (problem, retry) = (error.to_string(), false);
            return (Err(TransportError::NotSent { problem, retry }), exchange);
        }
        for (name, value) in &self.engine.extra_headers {
            request.headers.entry(name).or_insert_with(|| value.clone());
        }
        let left = self.times.left(&self.stored, clock);
        let timeout = left.min(self.engine.policy.send_timeout);
        let account = self.provider.account();
        let transport = self.engine.transport.as_ref();
        let sent = transport.send(account.base_url(), request, timeout).await;
        exchange.latency = clock.uptime().saturating_sub(started_up);
        match &sent {
            Ok(reply) => {
                exchange.status = Some(reply.status.as_u16());
                exchange.reply = exchange::kept(reply);
                let (now, up) = (clock.now(), clock.uptime());
                exchange.date = exchange::date(reply, now, self.rule.margin);
                exchange.compared = Some((now, up));
            }
            Err(TransportError::MaybeSent { status, .. }) => exchange.status = *status,
            Err(TransportError::NotSent { .. }) => {}
        }
        (sent, exchange)
    }

    fn note(&mut self, exchange: Exchange) {
        telemetry::exchange(&self.record, &exchange);
        self.learned.exchanges.push(exchange);
    }

    /// The earliest moment at which a send may have left.
    fn first_sent(&self) -> Timestamp {
        let recorded = self.record.first_sent.or(self.learned.first_sent);
        recorded.unwrap_or_else(|| {
            let claimed = self.record.lease.as_ref().map(|lease| &lease.claimed);
            let first = self.record.window_from.as_ref().or(claimed);
            first.map_or(self.record.created_at, |moment| moment.at)
        })
    }

    /// The latest moment at which a send may have left.
    fn last_sent(&self) -> Timestamp {
        let earlier = self
            .record
            .last_sent
            .filter(|_| self.learned.maybe_sent == 0);
        earlier.unwrap_or_else(|| self.engine.clock.now())
    }

    fn call(&self) -> Call<'_> {
        let record = &self.record;
        let reference = record.identity.reference.as_str();
        let call = Call::new(record.kind, record.id, reference, &record.key, record.money);
        match &record.parent {
            Some(parent) => call.with_parent(parent),
            None => call,
        }
    }
}

/// A row that was there and is not any more: a ledger never loses one.
fn gone() -> Error {
    let detail = "a row is gone".to_owned();
    LedgerError::Unreadable { detail }.into()
}

#[cfg(feature = "sqlite")]
#[cfg(test)]
mod tests;
