//! The room that awaits: claim, send, look up, settle.
//!
//! It decides nothing. What happened goes to [`decide`], and its step is carried out.

mod claim;
mod look_up;
mod start;

use std::sync::Arc;
use std::time::Duration;

use super::answer::{answer, in_flight, unknown};
use super::backoff::Intervals;
use super::gate::{Stored, Times};
use super::policy::{RetryBudget, jittered, retry_after};
use super::{Engine, exchange, telemetry};
use crate::clock::Timestamp;
use crate::error::{Error, LedgerError};
use crate::ledger::{Conclusion, Exchange, Learned, Purpose, Record, Settle, Settled, apply};
use crate::machine::{Facts, Gate, Pause, Reply, Seen, Step, decide, may_have_had_an_effect};
use crate::operation::State;
use crate::outcome::{Doubt, Outcome};
use crate::provider::{Call, Echo, Provider, Request, Response, RuleSnapshot};
use crate::transport::TransportError;

/// How often a settlement is tried before the answer is given unrecorded.
const SETTLES: u32 = 4;

/// An operation that is ours, until it is settled.
pub(super) struct Drive<'e> {
    engine: &'e Engine,
    provider: &'e Arc<dyn Provider>,
    record: Record,
    request: Request,
    facts: Facts,
    rule: RuleSnapshot,
    times: Times,
    stored: Stored,
    learned: Learned,
    intervals: Intervals,
    /// The claim itself still speaks for the next send, until this uptime.
    fresh_until: Option<Duration>,
    /// The uptime at which the last send ended.
    last_end: Duration,
    last_reply: Option<Response>,
}

impl Drive<'_> {
    /// Goes on until something is settled, or nothing more can be learned.
    async fn run(mut self) -> Result<Outcome, Error> {
        let mut step = self.decide(&Seen::Claimed);
        loop {
            step = match step {
                Step::Finish(conclusion) => return self.finish(conclusion).await,
                Step::LookUp => self.look_up().await,
                Step::Send(pause) => match self.send(pause).await {
                    Ok(step) => step,
                    Err(Fenced) => return self.fenced().await,
                },
            };
        }
    }

    fn decide(&mut self, seen: &Seen<'_>) -> Step {
        self.facts.time_left = self.times.is_time_left(self.engine.clock.as_ref());
        let step = decide(&mut self.facts, seen);
        self.learned.stored_error |= self.facts.stored_error;
        step
    }

    /// Sends the stored bytes, after the pause and a last look at the ledger.
    async fn send(&mut self, pause: Pause) -> Result<Step, Fenced> {
        if pause != Pause::None {
            let wait = self.wait(pause);
            let left = self
                .times
                .left(self.engine.clock.now(), self.engine.clock.as_ref());
            if wait >= left || !self.may_repeat() {
                return Ok(self.decide(&Seen::Exhausted));
            }
            self.write_learned().await;
            self.engine.clock.sleep(wait).await;
        }
        let clock = self.engine.clock.as_ref();
        if self
            .fresh_until
            .take()
            .is_none_or(|until| clock.uptime() >= until)
        {
            match self.engine.ledger.check(self.record.id).await {
                Ok(Some(now)) if now.epoch == self.record.epoch && !now.frozen => {
                    self.stored = Stored::from(&now);
                }
                Ok(_) => return Err(Fenced),
                Err(error) => {
                    tracing::warn!(%error, "no send without a read of the ledger");
                    return Ok(self.decide(&Seen::Exhausted));
                }
            }
        }
        self.facts.gate = self
            .times
            .gate(&self.stored, self.facts.maybe_sent > 0, clock);
        if self.facts.gate != Gate::Open {
            return Ok(self.decide(&Seen::Barred));
        }
        let sent = self.exchange(Purpose::Send, self.request.clone()).await;
        self.last_end = self.engine.clock.uptime();
        Ok(self.sent(sent))
    }

    /// What came of a send.
    fn sent(&mut self, (sent, mut exchange): (Result<Response, TransportError>, Exchange)) -> Step {
        let reply = match sent {
            Ok(reply) => reply,
            Err(TransportError::NotSent { problem, retry }) => {
                "not_sent".clone_into(&mut exchange.class);
                self.note(exchange);
                return self.decide(&Seen::NotSent {
                    why: &problem,
                    retry,
                });
            }
            Err(TransportError::MaybeSent { problem, .. }) => {
                "no_reply".clone_into(&mut exchange.class);
                self.note(exchange);
                let doubt = Doubt::NoReply { problem };
                let seen = Seen::Lost(&doubt);
                self.learn(&seen);
                return self.decide(&seen);
            }
        };
        let verdict = self.provider.classify(&self.call(), &reply);
        telemetry::class(&verdict.ruling).clone_into(&mut exchange.class);
        exchange.request_id.clone_from(&verdict.request_id);
        self.note(exchange);
        if verdict.echo != Echo::Foreign
            && let Some(id) = verdict.provider_id()
        {
            self.learned.provider_id = Some(id.to_owned());
        }
        let same = self
            .last_reply
            .as_ref()
            .is_some_and(|last| last.status == reply.status && last.body == reply.body);
        let now = self.engine.clock.now();
        let seen = Seen::Replied(Reply {
            verdict: &verdict,
            status: reply.status.as_u16(),
            same,
            retry_after: reply
                .header("retry-after")
                .and_then(|value| retry_after(value, now)),
        });
        self.learn(&seen);
        let step = self.decide(&seen);
        self.last_reply = Some(reply);
        step
    }

    /// One HTTP exchange, and its record.
    async fn exchange(
        &self,
        purpose: Purpose,
        mut request: Request,
    ) -> (Result<Response, TransportError>, Exchange) {
        let clock = self.engine.clock.as_ref();
        let (started_at, started_up) = (clock.now(), clock.uptime());
        let mut exchange = Exchange::new(purpose, started_at, "asked");
        if let Err(error) = self.provider.authorize(&mut request, started_at.into()) {
            let problem = error.to_string();
            return (
                Err(TransportError::NotSent {
                    problem,
                    retry: false,
                }),
                exchange,
            );
        }
        for (name, value) in &self.engine.extra_headers {
            request.headers.entry(name).or_insert_with(|| value.clone());
        }
        let left = self.times.left(started_at, clock);
        let timeout = left.min(self.engine.policy.send_timeout);
        let base_url = self.provider.account().base_url().to_owned();
        let sent = self
            .engine
            .transport
            .send(&base_url, request, timeout)
            .await;
        exchange.latency = clock.uptime().saturating_sub(started_up);
        match &sent {
            Ok(reply) => {
                exchange.status = Some(reply.status.as_u16());
                exchange.reply = exchange::kept(reply);
                exchange.date = exchange::date(reply, clock.now(), self.rule.margin);
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

    fn learn(&mut self, seen: &Seen<'_>) {
        if may_have_had_an_effect(seen) {
            self.learned.maybe_sent = self.learned.maybe_sent.saturating_add(1);
        }
    }

    /// How long to wait before the next send.
    fn wait(&mut self, pause: Pause) -> Duration {
        match pause {
            Pause::None => Duration::ZERO,
            Pause::Backoff { at_least } => {
                let pause = jittered(self.engine.jitter.as_ref(), self.intervals.next());
                pause.max(at_least.unwrap_or_default())
            }
            Pause::AfterLastSend(pause) => self
                .last_end
                .saturating_add(pause)
                .saturating_sub(self.engine.clock.uptime()),
        }
    }

    fn may_repeat(&self) -> bool {
        self.engine
            .budgets
            .get(&self.record.account)
            .is_none_or(RetryBudget::take)
    }

    /// The earliest moment at which a send may have reached the gateway.
    fn first_sent(&self) -> Timestamp {
        let claimed = self.record.lease.as_ref().map(|lease| lease.claimed_at);
        self.record
            .window_from
            .or(claimed)
            .unwrap_or(self.record.created_at)
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
        Call::new(record.kind, record.id, reference, &record.key, record.money)
    }

    /// Writes what was learned so far. If that fails it stays to be written with the settlement:
    /// until then the claim itself stands for a send that may have had an effect.
    async fn write_learned(&mut self) {
        if self.learned.exchanges.is_empty() {
            return;
        }
        let (id, epoch) = (self.record.id, self.record.epoch);
        match self
            .engine
            .ledger
            .record(id, epoch, self.learned.clone())
            .await
        {
            Ok(()) => self.learned.exchanges.clear(),
            Err(error) => tracing::warn!(%error, "an exchange is not recorded yet"),
        }
    }

    /// Writes the conclusion, and answers with what the ledger then holds.
    async fn finish(self, conclusion: Conclusion) -> Result<Outcome, Error> {
        let succeeded = matches!(conclusion, Conclusion::Succeeded { .. });
        if succeeded && let Some(budget) = self.engine.budgets.get(&self.record.account) {
            budget.success();
        }
        let settle = Settle::new(&self.record, conclusion, self.learned);
        let mut pauses = Intervals::new(Duration::from_millis(20), Duration::from_millis(200));
        let mut tries = 1;
        let error = loop {
            match self.engine.ledger.settle(settle.clone()).await {
                Ok(Settled::Applied(record) | Settled::Fenced(record)) => {
                    telemetry::settled(&record, &settle.conclusion);
                    return settled(&record, succeeded);
                }
                Err(error) if tries >= SETTLES => break error,
                Err(_) => {
                    tries = tries.saturating_add(1);
                    self.engine.clock.sleep(pauses.next()).await;
                }
            }
        };
        telemetry::unrecorded(&self.record, &error);
        // What the row would be. That nothing was sent is an error only if the ledger says so.
        let record = apply(self.record, &settle, self.engine.clock.now()).record;
        if record.state == State::Unsent {
            return Ok(unknown(&record, Doubt::Unrecorded, false));
        }
        answer(&record, false)
    }

    /// Somebody else has the operation now. What we learned is still told to the ledger.
    async fn fenced(mut self) -> Result<Outcome, Error> {
        self.write_learned().await;
        match self.engine.ledger.read(self.record.id).await {
            Ok(Some(record)) => settled(&record, false),
            Ok(None) | Err(_) => Ok(unknown(&self.record, Doubt::Unrecorded, false)),
        }
    }
}

/// The answer after a settlement, whoever made it.
fn settled(record: &Record, succeeded: bool) -> Result<Outcome, Error> {
    if record.frozen && (record.state.is_open() || succeeded) {
        return Ok(unknown(record, Doubt::Frozen, true));
    }
    if record.lease.is_some() {
        return Ok(in_flight(record));
    }
    answer(record, true)
}

/// The claim is no longer ours.
struct Fenced;

/// A row that was there and is not any more: a ledger never loses one.
fn gone() -> Error {
    LedgerError::Unreadable {
        detail: "a row is gone".to_owned(),
    }
    .into()
}
