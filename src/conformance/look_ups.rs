//! Look-ups and baselines: they only read, and they see nothing where nothing can be read.

use http::Method;

use super::bytes::{self, COMMON, Noise};
use super::fields;
use super::fixture::Means;
use super::run::{Order, Run, Subject};
use super::{Promise, answers, noise, sought};
use crate::clock::Timestamp;
use crate::intent::Source;
use crate::provider::{
    Baseline, Call, Finding, LookUp, LookUpStep, OnRepeat, Placement, Query, Request, Response,
};

/// After so many requests a look-up of nothing should have ended.
const STEPS: usize = 40;
const SENT: Timestamp = Timestamp::from_millis(1_796_036_000_000);
const IDS: [Option<&str>; 5] = [
    None,
    Some("id1"),
    Some("../x?y=z"),
    Some(""),
    Some("a\r\nb"),
];

pub(super) fn check(run: &Run<'_>, subject: &Subject, all: &[Subject]) {
    let Some(order) = subject.order(run.kit) else {
        return;
    };
    let check = Check {
        run,
        subject,
        call: &run.call(subject.kind, &order),
        moving: moving(run, all),
    };
    check.baseline();
    let provider = run.kit.provider.as_ref();
    noise::reads(&check, provider.look_up());
    let must = match subject.rule.on_repeat.value {
        OnRepeat::RunsAgain | OnRepeat::ReplaysSuccess => true,
        OnRepeat::Replays | OnRepeat::NoFurtherEffect => false,
    };
    match provider.look_up() {
        Some(look_up) => check.look_up(look_up, must),
        None if must => run.broken(
            Promise::LookUp,
            subject.kind,
            "a repeat does not show what the first request did, and there is no look-up: offer one \
             with `Provider::look_up`",
        ),
        None => {}
    }
}

/// The requests of every kind that move money, with the text of their amount.
fn moving(run: &Run<'_>, all: &[Subject]) -> Vec<(Request, Option<String>)> {
    let request = |subject: &Subject| {
        let order: Order = subject.order(run.kit)?;
        let request = run.render(subject.kind, &order)?.ok()?;
        Some((request, subject.rule.amount.value.render(order.money).ok()))
    };
    all.iter().filter_map(request).collect()
}

/// The look-up and the baseline of one kind, under check.
pub(super) struct Check<'c> {
    pub(super) run: &'c Run<'c>,
    pub(super) subject: &'c Subject,
    pub(super) call: &'c Call<'c>,
    moving: Vec<(Request, Option<String>)>,
}

impl Check<'_> {
    fn look_up(&self, look_up: &dyn LookUp, must: bool) {
        let mut asked = false;
        for id in IDS {
            let query = Query::new(id, SENT, SENT);
            match self.step(look_up, &query, &[]) {
                Some(LookUpStep::Ask(request)) => {
                    asked |= id.is_none();
                    self.only_reads(&request);
                    let again = self.step(look_up, &query, &[]);
                    if again != Some(LookUpStep::Ask(request)) {
                        self.broken(
                            Promise::Determinism,
                            "a look-up asks something else for the same call and replies: keep no \
                             memory in the adapter",
                        );
                    }
                }
                Some(LookUpStep::Done(Finding::Unclear(_))) | None => {}
                Some(LookUpStep::Done(Finding::Absent | Finding::Found(_))) => self.broken(
                    Promise::LookUpGarbage,
                    "a look-up comes to an answer without asking the gateway: ask first",
                ),
            }
        }
        if must && !asked {
            self.broken(
                Promise::LookUp,
                "a repeat does not show what the first request did, and the look-up asks nothing: \
                 make it ask the gateway for this kind too",
            );
        }
        let mut noise = Noise::new();
        for status in 100..=599 {
            let bodies = bytes::nothing(&mut noise, status).into_iter();
            let replies = bodies.map(|body| bytes::reply(status, body));
            for reply in replies.chain(bytes::pages(status)) {
                self.sees_nothing(look_up, &reply);
            }
        }
        self.damaged(look_up, &mut noise);
        sought::check(self, look_up, asked);
    }

    fn step(
        &self,
        look_up: &dyn LookUp,
        query: &Query<'_>,
        replies: &[Response],
    ) -> Option<LookUpStep> {
        let next = || look_up.next(self.call, query, replies);
        self.run.guarded(self.call.kind, "LookUp::next", next)
    }

    fn sees_nothing(&self, look_up: &dyn LookUp, reply: &Response) {
        let query = Query::new(Some("id1"), SENT, SENT).with_baseline(Some("{}"));
        let mut replies = Vec::new();
        for _ in 0..STEPS {
            replies.push(reply.clone());
            match self.step(look_up, &query, &replies) {
                Some(LookUpStep::Ask(request)) => self.only_reads(&request),
                Some(LookUpStep::Done(finding)) => return self.is_unclear(reply, &finding),
                None => return,
            }
        }
        self.broken(
            Promise::LookUpGarbage,
            "a look-up goes on asking although no reply can be read: end it as `Unclear`",
        );
    }

    fn is_unclear(&self, reply: &Response, finding: &Finding) {
        let status = reply.status.as_u16();
        match finding {
            Finding::Unclear(_) => {}
            Finding::Absent => self.broken(
                Promise::LookUpGarbage,
                &format!(
                    "a look-up that gets a {status} with an empty or unreadable body finds \
                     `Absent`: let only the gateway's documented word say that there is nothing"
                ),
            ),
            Finding::Found(_) => self.broken(
                Promise::LookUpGarbage,
                &format!(
                    "a look-up that gets a {status} with a body that says nothing finds something: \
                     end it as `Unclear`"
                ),
            ),
        }
    }

    /// No damage makes it panic, and no success of another key is ours.
    fn damaged(&self, look_up: &dyn LookUp, noise: &mut Noise) {
        let rule = &self.subject.rule;
        let shows_key =
            rule.key_again.value.is_some() || matches!(rule.placement.value, Placement::Body(_));
        for fixture in answers::of(self.run, self.subject.kind) {
            let ours = fixture.call().key == self.call.key;
            for reply in bytes::damaged(&fixture.reply, noise) {
                let query = Query::new(Some("id1"), SENT, SENT);
                let replies = [reply, fixture.reply.clone()];
                for count in 1..=replies.len() {
                    let replies = replies.get(..count).unwrap_or_default();
                    let step = self.step(look_up, &query, replies);
                    if let Some(LookUpStep::Done(finding)) = step
                        && shows_key
                        && !ours
                    {
                        self.not_ours(&finding);
                    }
                }
            }
        }
    }

    fn not_ours(&self, finding: &Finding) {
        let Finding::Found(matches) = finding else {
            return;
        };
        let succeeded = |verdict: &_| Means::of(self.call, verdict) == Means::Succeeded;
        if matches.iter().any(|found| succeeded(&found.verdict)) {
            self.broken(
                Promise::Comparison,
                "a look-up finds a success of ours in a reply that names another key: compare the \
                 key, and say by `Echo` what it names",
            );
        }
    }

    fn baseline(&self) {
        if !self.subject.rule.baseline.value {
            return;
        }
        let Some(baseline) = self.run.kit.provider.baseline() else {
            self.broken(
                Promise::Baseline,
                "the rule asks for a baseline, and there is none: offer one with \
                 `Provider::baseline`",
            );
            return;
        };
        let kind = self.call.kind;
        let request = || baseline.request(self.call);
        if let Some(request) = self.run.guarded(kind, "Baseline::request", request) {
            self.only_reads(&request);
        }
        let mut noise = Noise::new();
        for status in COMMON {
            let bodies = bytes::nothing(&mut noise, status).into_iter();
            let replies = bodies.map(|body| bytes::reply(status, body));
            for reply in replies.chain(bytes::pages(status)) {
                self.reads_nothing(baseline, &reply, true);
            }
        }
        for fixture in answers::of(self.run, kind) {
            for reply in bytes::damaged(&fixture.reply, &mut noise) {
                self.reads_nothing(baseline, &reply, false);
            }
        }
    }

    fn reads_nothing(&self, baseline: &dyn Baseline, reply: &Response, must: bool) {
        let read = || baseline.read(self.call, reply);
        let read = self.run.guarded(self.call.kind, "Baseline::read", read);
        if must && read.is_some_and(|read| read.is_ok()) {
            self.broken(
                Promise::Baseline,
                "a baseline is read from a reply that says nothing: give an error, so that nothing \
                 is sent",
            );
        }
    }

    /// Whether a request cannot move money, as far as its form tells.
    pub(super) fn only_reads(&self, request: &Request) {
        let kind = self.call.kind;
        self.run
            .no_secret(kind, "a request that reads", &fields::raw(request));
        let leads = request.path.contains("../") || !request.path.starts_with('/');
        if leads || request.path.bytes().any(|b| !b.is_ascii_graphic()) {
            self.broken(
                Promise::Target,
                "a request that reads has a path that leads elsewhere or is not encoded: use only \
                 what is an id of the gateway",
            );
        }
        let is_get = [Method::GET, Method::HEAD].contains(&request.method);
        let is_payment = |(moving, amount): &(Request, Option<String>)| {
            let alike = moving.path == request.path && moving.method == request.method;
            let fields = fields::of(request);
            let names_amount = fields
                .iter()
                .any(|field| Some(&field.value) == amount.as_ref());
            alike && (moving.body == request.body || !is_get && names_amount)
        };
        let path = request.path.split('?').next().unwrap_or_default();
        let posts = &self.run.kit.reads_by_post;
        if !is_get && !posts.iter().any(|known| known == path) {
            self.broken(
                Promise::ReadsOnly,
                "a request that should only read is no GET: use one, or name its path with \
                 `Kit::reads_by_post` if the gateway documents that it only reads",
            );
        }
        let mut tokens = self.run.kit.sources.iter().filter_map(Source::expose_token);
        let has_token = !is_get && tokens.any(|token| fields::holds(&request.body, token));
        if has_token || self.moving.iter().any(is_payment) {
            self.broken(
                Promise::ReadsOnly,
                "a request that should only read is one that moves money, or holds its amount or \
                 its source: ask with another request, best with GET",
            );
        }
    }

    fn broken(&self, promise: Promise, text: &str) {
        self.run.broken(promise, self.call.kind, text);
    }
}
