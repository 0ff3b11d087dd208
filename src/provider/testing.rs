//! An adapter for tests, whose gateway says in one word what became of a request.

use std::time::{Duration, SystemTime};

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::{Method, StatusCode};

use super::{
    Account, Alphabet, AmountForm, AmountRule, Call, Close, CloseReply, Closing, Details, Echo,
    Effect, EncodeError, Fact, Finding, KeyFormat, LookUp, LookUpStep, Match, Mode, NextAction,
    OnRepeat, Placement, Proceed, ProceedInput, Proceeding, Provider, ProviderName, Query, Refusal,
    Request, Response, Retention, Rule, Ruling, StepRule, Verdict,
};
use crate::intent::Problem;
use crate::money::Money;
use crate::operation::OperationKind;
use crate::outcome::Doubt;

/// What stands in every request as its secret.
pub(crate) const SECRET: &str = "sk_SENTINEL";

/// The adapter. Its account and its rule are what a test makes of them.
#[derive(Debug, Clone)]
pub(crate) struct Fake {
    pub(crate) name: ProviderName,
    pub(crate) account: Account,
    /// `None`: it does nothing.
    pub(crate) rule: Option<Rule>,
    /// What a repeat of a further step does, if not the same.
    pub(crate) step_class: Option<OnRepeat>,
}

impl Fake {
    pub(crate) fn new() -> Self {
        Self::at("https://gateway.example")
    }

    pub(crate) fn at(base_url: &str) -> Self {
        let name = ProviderName::new("fake");
        Self {
            name,
            account: Account::new(name, "main", Mode::Test, base_url),
            rule: Some(rule()),
            step_class: None,
        }
    }

    /// The same adapter with a changed rule.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Rule)) -> Self {
        change(self.rule.as_mut().unwrap());
        self
    }
}

/// A rule of class A, with keys that live a day.
fn rule() -> Rule {
    const fn fact<T>(value: T) -> Fact<T> {
        Fact::new(value, "a test")
    }
    let (hour, day) = (Duration::from_secs(3600), Duration::from_secs(24 * 3600));
    Rule {
        placement: fact(Placement::Header("x-request-key")),
        key_again: fact(None),
        reference_field: fact(None),
        key_format: fact(KeyFormat::new(64, Alphabet::VisibleAscii)),
        retention: fact(Some(Retention::new(day, hour))),
        on_repeat: fact(OnRepeat::Replays),
        settling: fact(Duration::from_secs(1)),
        look_up_reliable: fact(false),
        reversal_final: fact(false),
        baseline: fact(false),
        one_capture: fact(false),
        amount: fact(AmountRule::iso(AmountForm::MinorInteger, 12)),
    }
}

impl Provider for Fake {
    fn name(&self) -> ProviderName {
        self.name
    }

    fn account(&self) -> Account {
        self.account.clone()
    }

    fn rule(&self, _: OperationKind) -> Option<Rule> {
        self.rule.clone()
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        let key = HeaderValue::from_str(call.key.as_str()).unwrap();
        let token = details.source.and_then(|source| source.expose_token());
        Ok(Request::new(Method::POST, "/pay")
            .with_header(HeaderName::from_static("x-request-key"), key)
            .with_body("text/plain", token.unwrap_or_default()))
    }

    fn authorize(&self, request: &mut Request, _: SystemTime) -> Result<(), EncodeError> {
        let secret = HeaderValue::from_static(SECRET);
        request.headers.insert(AUTHORIZATION, secret);
        Ok(())
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        let status = reply.status.as_u16();
        let failed = || Verdict::new(Ruling::Unknown(Doubt::ServerError { status }));
        match word(reply) {
            "paid" => paid(call),
            "declined" => Verdict::new(Ruling::Declined(Refusal::new("no"))).with_echo(Echo::Ours),
            "busy" => Verdict::new(Ruling::NoEffect),
            "page" => page(),
            "kept" | "kept, too" => failed().with_kept(true),
            "named" => failed().with_echo(Echo::Ours).with_provider_id(Some("p_1")),
            "theirs" => failed()
                .with_echo(Echo::Foreign)
                .with_provider_id(Some("p_theirs")),
            "nameless" => failed()
                .with_echo(Echo::Missing)
                .with_provider_id(Some("p_theirs")),
            "other bytes" => Verdict::new(Ruling::KeyMismatch).with_echo(Echo::Ours),
            "panic" => panic!("a fault in the adapter"),
            _ => failed(),
        }
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }

    fn proceed(&self, kind: OperationKind) -> Option<&dyn Proceed> {
        (kind == OperationKind::Charge).then_some(self as &dyn Proceed)
    }

    fn close(&self, _: OperationKind) -> Option<&dyn Close> {
        Some(self)
    }
}

impl Proceed for Fake {
    fn proceed_rule(&self) -> StepRule {
        let rule = self.rule.as_ref().unwrap();
        StepRule {
            key_format: rule.key_format,
            retention: rule.retention,
            on_repeat: Fact::new(self.step_class.unwrap_or(rule.on_repeat.value), "a test"),
        }
    }

    fn proceed_request(
        &self,
        _: &Call<'_>,
        proceeding: &Proceeding<'_>,
        input: &ProceedInput,
    ) -> Result<Request, EncodeError> {
        let missing = || EncodeError::field("code", Problem::Empty);
        let code = input.get("code").ok_or_else(missing)?;
        let key = HeaderValue::from_str(proceeding.key.as_str()).unwrap();
        let path = format!("/go/{}", proceeding.provider_id.unwrap_or("-"));
        Ok(Request::new(Method::POST, path)
            .with_header(HeaderName::from_static("x-request-key"), key)
            .with_body("text/plain", code))
    }

    fn proceed_reply(&self, call: &Call<'_>, _: &Proceeding<'_>, reply: &Response) -> Verdict {
        let status = reply.status.as_u16();
        match word(reply) {
            "went on" => paid(call),
            "declined" => Verdict::new(Ruling::Declined(Refusal::new("no"))).with_echo(Echo::Ours),
            "busy" => Verdict::new(Ruling::NoEffect),
            "page" => page(),
            _ => Verdict::new(Ruling::Unknown(Doubt::ServerError { status })),
        }
    }
}

impl Close for Fake {
    fn close_request(&self, _: &Call<'_>, closing: &Closing<'_>) -> Result<Request, EncodeError> {
        let key = HeaderValue::from_str(closing.key.as_str()).unwrap();
        let path = format!("/close/{}", closing.provider_id);
        Ok(Request::new(Method::POST, path)
            .with_header(HeaderName::from_static("x-request-key"), key))
    }

    fn close_reply(&self, _: &Call<'_>, _: &Closing<'_>, reply: &Response) -> CloseReply {
        let status = reply.status.as_u16();
        match word(reply) {
            "ended" => CloseReply::Ended,
            "refused" => CloseReply::Refused,
            "busy" => CloseReply::NoEffect,
            _ => CloseReply::Unknown(Doubt::ServerError { status }),
        }
    }
}

impl LookUp for Fake {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let id = query.provider_id.unwrap_or("-");
        let ask = || {
            LookUpStep::Ask(Request::new(
                Method::GET,
                format!("/payments/{id}?q=SENTINEL"),
            ))
        };
        let Some(last) = replies.last() else {
            return ask();
        };
        LookUpStep::Done(match word(last) {
            "more" => return ask(),
            "found" => Finding::Found(vec![Match::new("p_1", paid(call))]),
            "less" => Finding::Found(vec![Match::new("p_1", less(call))]),
            "absent" => Finding::Absent,
            "declined" => {
                let verdict = Verdict::new(Ruling::Declined(Refusal::new("no")));
                Finding::Found(vec![Match::new("p_1", verdict.with_echo(Echo::Ours))])
            }
            "page" => Finding::Found(vec![Match::new("p_1", page())]),
            "canceled" => {
                let refusal = Refusal::new("canceled");
                let verdict = Verdict::new(Ruling::Canceled(refusal)).with_echo(Echo::Ours);
                Finding::Found(vec![Match::new("p_1", verdict)])
            }
            _ => Finding::Unclear(Doubt::ServerError { status: 503 }),
        })
    }
}

fn page() -> Verdict {
    let action = NextAction::new("p_1", "redirect").with_url(Some("https://x.example/?s=SENTINEL"));
    Verdict::new(Ruling::ActionRequired(action)).with_echo(Echo::Ours)
}

/// Another amount than ours.
fn less(call: &Call<'_>) -> Verdict {
    let money = Money::from_minor(1, call.money.currency()).unwrap();
    let effect = Effect::new("p_1", money, "paid");
    Verdict::new(Ruling::Succeeded(effect)).with_echo(Echo::Ours)
}

fn paid(call: &Call<'_>) -> Verdict {
    // Another payment has another id.
    let id = if call.reference == "b" { "p_2" } else { "p_1" };
    let effect = Effect::new(id, call.money, "paid");
    Verdict::new(Ruling::Succeeded(effect)).with_echo(Echo::Ours)
}

fn word(reply: &Response) -> &str {
    std::str::from_utf8(&reply.body).unwrap()
}

/// A reply of this gateway.
pub(crate) fn reply(status: u16, word: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    Response::new(status, http::HeaderMap::new(), word.into())
}
