//! An adapter that is watched: what it said is noted, and each request carries the name of its
//! operation, so that the books can tell whose money moved.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use http::{HeaderName, HeaderValue};
use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, Finding, LookUp, LookUpStep, Match, OnRepeat,
    ProviderName, Query, Refusal, Request, Response, Rule, Ruling, Verdict,
};
use payonce::{OperationId, OperationKind, Provider};

use super::{Process, Shop, World};
use crate::check::Made;
use crate::coverage::Cell;
use crate::plants::Plant;

/// The header that names the operation of a send. No gateway reads it.
pub(crate) const OPERATION: &str = "x-simulated-operation";

/// An adapter that is watched.
pub(crate) struct Adapter {
    pub(super) world: Arc<World>,
    pub(super) process: Arc<Process>,
    pub(super) shop: Shop,
    inner: Box<dyn Provider>,
}

impl Adapter {
    pub(super) fn new(world: Arc<World>, process: Arc<Process>, shop: Shop) -> Self {
        Self {
            world,
            process,
            shop,
            inner: shop.adapter(),
        }
    }

    fn class(&self, kind: OperationKind) -> OnRepeat {
        self.rule(kind)
            .map_or(OnRepeat::RunsAgain, |rule| rule.on_repeat.value)
    }

    fn saw(&self, call: &Call<'_>, row: &'static str) {
        let class = self.class(call.kind);
        let after = self.world.checks().may_have_worked(call.operation);
        self.world.coverage().cell(Cell { row, class, after });
    }

    /// What is wrong with the adapter, where that is what is planted.
    fn planted(&self, verdict: Verdict) -> Verdict {
        if !self.world.has(Plant::DeclineOnResend) {
            return verdict;
        }
        if verdict.ruling == Ruling::Repeated {
            let refusal = Refusal::new("duplicate");
            return Verdict::new(Ruling::Declined(refusal)).with_kept(true);
        }
        let refused = matches!(verdict.ruling, Ruling::Declined(_) | Ruling::Rejected(_));
        let kept = verdict.kept || refused;
        verdict.with_kept(kept)
    }
}

impl fmt::Debug for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Adapter({:?})", self.shop)
    }
}

impl Provider for Adapter {
    fn name(&self) -> ProviderName {
        self.inner.name()
    }

    fn account(&self) -> Account {
        self.inner.account()
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        let mut rule = self.inner.rule(kind)?;
        match self.shop {
            Shop::Successes => {
                rule.on_repeat.value = OnRepeat::ReplaysSuccess;
                let listed = matches!(kind, OperationKind::Charge | OperationKind::Authorize);
                rule.look_up_reliable.value = listed;
                rule.settling.value = Duration::from_secs(60);
            }
            Shop::Harmless if matches!(kind, OperationKind::Capture | OperationKind::Void) => {
                rule.on_repeat.value = OnRepeat::NoFurtherEffect;
            }
            Shop::Stripe | Shop::Second | Shop::Harmless | Shop::Moyasar | Shop::HyperPay => {}
        }
        if self.world.has(Plant::RetentionIgnored) {
            rule.retention.value = None;
        }
        Some(rule)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        let request = self.inner.encode(call, details)?;
        self.world.checks().made(Made {
            id: call.operation,
            kind: call.kind,
            reference: call.reference.to_owned(),
            key: call.key.as_str().to_owned(),
            money: call.money,
            parent: call.parent.map(str::to_owned),
            gateway: self.shop.gateway(),
        });
        let name = HeaderName::from_static(OPERATION);
        let id = call.operation.to_string();
        Ok(match HeaderValue::from_str(&id) {
            Ok(value) => request.with_header(name, value),
            Err(_) => request,
        })
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        self.inner.authorize(request, now)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        let verdict = self.planted(self.inner.classify(call, reply));
        self.saw(call, said(&verdict));
        self.world.checks().classified(call.operation, &verdict);
        let id = call.operation;
        self.world
            .note(|| format!("verdict on {id}: {}", word(&verdict.ruling)));
        verdict
    }

    fn reads_header(&self, name: &str) -> bool {
        self.inner.reads_header(name)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        self.inner.look_up().map(|_| -> &dyn LookUp { self })
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        self.inner.baseline().map(|_| -> &dyn Baseline { self })
    }
}

impl LookUp for Adapter {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let Some(inner) = self.inner.look_up() else {
            return LookUpStep::Done(Finding::Absent);
        };
        let step = inner.next(call, query, replies);
        let LookUpStep::Done(finding) = step else {
            return step;
        };
        let (id, found) = (call.operation, found(&finding));
        self.world.note(|| format!("look-up of {id}: {found}"));
        self.saw(call, found);
        self.world.checks().found(id, found);
        if self.world.has(Plant::AbsentIsFailed) && finding == Finding::Absent {
            let refusal = Refusal::new("absent");
            let verdict = Verdict::new(Ruling::Declined(refusal)).with_kept(true);
            return LookUpStep::Done(Finding::Found(vec![Match::new("none", verdict)]));
        }
        LookUpStep::Done(finding)
    }
}

impl Baseline for Adapter {
    fn request(&self, call: &Call<'_>) -> Request {
        let id: OperationId = call.operation;
        self.process.asks_baseline(id);
        match self.inner.baseline() {
            Some(inner) => inner.request(call),
            None => Request::new(http::Method::GET, "/"),
        }
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, payonce::Doubt> {
        match self.inner.baseline() {
            Some(inner) => inner.read(call, reply),
            None => Err(payonce::Doubt::Unreadable { status: None }),
        }
    }
}

/// The row of the engine's table that a verdict stands for.
fn said(verdict: &Verdict) -> &'static str {
    use payonce::Doubt;
    use payonce::provider::{Advice, Echo};
    match (&verdict.ruling, verdict.echo) {
        (_, Echo::Foreign) => "succeeded, foreign key",
        (Ruling::Succeeded(_), Echo::Missing) => "succeeded, no key",
        (Ruling::Declined(_), Echo::Missing) => "declined, no key",
        (Ruling::Succeeded(_), _) => "succeeded",
        (Ruling::Declined(_), _) if verdict.kept => "declined, kept",
        (Ruling::Declined(_), _) => "declined",
        (Ruling::Rejected(_), _) => "rejected",
        (Ruling::Canceled(_), _) => "canceled",
        (Ruling::ActionRequired(_), _) => "action required",
        (Ruling::Pending(_), _) => "pending",
        (Ruling::InProgress, _) => "in progress",
        (Ruling::NoEffect, _) => "no effect",
        (Ruling::Unauthorized, _) => "unauthorized",
        (Ruling::Repeated, _) => "repeated",
        (Ruling::KeyMismatch, _) => "key mismatch",
        (Ruling::Unknown(Doubt::Mismatch { .. }), _) => "unknown, other amount",
        (Ruling::Unknown(_), _) if verdict.advice == Advice::Stop => "unknown, advised stop",
        (Ruling::Unknown(Doubt::ServerError { .. }), _) if verdict.replayed => {
            "server error, replayed"
        }
        (Ruling::Unknown(Doubt::ServerError { .. }), _) => "server error",
        (Ruling::Unknown(_), _) => "no reply",
    }
}

/// The row of the engine's table that a finding stands for.
fn found(finding: &Finding) -> &'static str {
    let matches = match finding {
        Finding::Absent => return "absent",
        Finding::Unclear(_) => return "unclear",
        Finding::Found(matches) => matches,
    };
    let all = || matches.iter().map(|found| &found.verdict.ruling);
    let effects = all().filter_map(Ruling::effect).count();
    if effects > 1 {
        "found twice"
    } else if effects == 1 {
        "found"
    } else if all().any(|ruling| ruling.refusal().is_some()) {
        "found declined"
    } else if all().any(|r| matches!(r, Ruling::Pending(_) | Ruling::ActionRequired(_))) {
        "found pending"
    } else if all().any(|r| matches!(r, Ruling::Unknown(payonce::Doubt::Mismatch { .. }))) {
        "found, other amount"
    } else {
        "found unclear"
    }
}

fn word(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Succeeded(effect) => format!("succeeded {}", effect.money),
        Ruling::Declined(refusal) => format!("declined {}", refusal.code),
        Ruling::Rejected(refusal) => format!("rejected {}", refusal.code),
        Ruling::Canceled(refusal) => format!("canceled {}", refusal.code),
        Ruling::ActionRequired(_) => "action required".to_owned(),
        Ruling::Pending(at) => format!("pending ({})", at.status),
        Ruling::InProgress => "in progress".to_owned(),
        Ruling::NoEffect => "no effect".to_owned(),
        Ruling::Unauthorized => "unauthorized".to_owned(),
        Ruling::Repeated => "repeated".to_owned(),
        Ruling::KeyMismatch => "key mismatch".to_owned(),
        Ruling::Unknown(doubt) => format!("unknown: {doubt}"),
    }
}
