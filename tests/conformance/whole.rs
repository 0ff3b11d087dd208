//! A gateway whose captures name no amount: they are of the whole payment, as its voids are.

use std::time::SystemTime;

use http::{HeaderMap, StatusCode};
use payonce::conformance::{Broken, Finds, Fixture, Kit, Means, Promise, Sought};
use payonce::provider::{
    Account, Baseline, Call, Close, Details, EncodeError, IdempotencyKey, LookUp, LookUpStep,
    Provider, ProviderName, Query, Request, Response, Rule, Verdict,
};
use payonce::{Currency, Doubt, Money, OperationKind};

use crate::gateway::Gateway;
use crate::replies::{SECRET, kit};

/// The good adapter, whose voids are called captures as well, and how it lies.
#[derive(Debug)]
struct Whole {
    good: Gateway,
    lie: &'static str,
}

/// The same call as the good adapter knows it.
fn void<'a>(call: &Call<'a>) -> Call<'a> {
    let mut call = call.clone();
    if call.kind == OperationKind::Capture {
        call.kind = OperationKind::Void;
    }
    call
}

impl Provider for Whole {
    fn name(&self) -> ProviderName {
        self.good.name()
    }

    fn account(&self) -> Account {
        self.good.account()
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        let capture = kind == OperationKind::Capture;
        let kind = if capture { OperationKind::Void } else { kind };
        let mut rule = self.good.rule(kind)?;
        if capture && self.lie == "no baseline" {
            rule.baseline.value = false;
            rule.reference_field.value = Some("reference");
        }
        Some(rule)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        let mut request = self.good.encode(&void(call), details)?;
        if call.kind == OperationKind::Capture {
            request.path = request.path.replace("/void", "/capture");
            if self.lie == "no baseline" {
                let body = format!("{{\"reference\":{:?}}}", call.reference);
                request.body = body.into_bytes();
            }
        }
        Ok(request)
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        self.good.authorize(request, now)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        self.good.classify(&void(call), reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        Some(self)
    }

    fn close(&self, kind: OperationKind) -> Option<&dyn Close> {
        self.good.close(kind)
    }
}

impl LookUp for Whole {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        self.good.next(&void(call), query, replies)
    }
}

impl Baseline for Whole {
    fn request(&self, call: &Call<'_>) -> Request {
        self.good.request(&void(call))
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        let read = self.good.read(&void(call), reply)?;
        let shown = reply.json().unwrap_or_default();
        let amount = shown["amount"].as_str().unwrap_or_default();
        if self.lie != "any amount" && amount != call.money.to_decimal() {
            return Err(Doubt::Mismatch {
                sent: call.money,
                got: None,
                provider_id: "p_0".to_owned(),
            });
        }
        Ok(read)
    }
}

/// What the kit says of the adapter, if it is told that captures are of the whole payment.
fn broken(lie: &'static str, told: bool) -> Vec<Promise> {
    let key = IdempotencyKey::new("0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b");
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    let kind = OperationKind::Capture;
    let call = Call::new(kind, operation, "order-1042", &key, money).with_parent("p_0");
    let shown = |state: &str| {
        let body =
            format!(r#"{{"id":"p_0","state":"{state}","amount":"480.00","currency":"SAR"}}"#);
        Response::new(StatusCode::OK, HeaderMap::new(), body.into())
    };
    let captured = Fixture::new("captured", &call, shown("voided"), Means::Succeeded);
    let found = Finds::One(Means::Succeeded);
    let sought = Sought::new("captured", &call, [shown("voided")], found)
        .before(shown("paid"))
        .decided_by(&["/amount"]);
    let good = Gateway::new("main", SECRET);
    let mut kit: Kit = kit(Whole { good, lie })
        .fixture(captured.decided_by(&["/amount"]))
        .sought(sought);
    if told {
        kit = kit.captures_whole();
    }
    let report = kit.check();
    let capture = |broken: &&Broken| broken.kind == Some(kind);
    report
        .broken()
        .iter()
        .filter(capture)
        .map(|broken| broken.promise)
        .collect()
}

/// Without the word a capture that names no amount looks like one that forgot it.
#[test]
fn a_capture_without_an_amount_must_be_said_to_be_of_the_whole() {
    assert_eq!(broken("", true), []);
    assert_eq!(broken("", false), [Promise::Difference, Promise::Amounts]);
}

/// Ten would be captured where five were asked for.
#[test]
fn a_part_must_be_refused_before_it_is_captured_as_the_whole() {
    assert_eq!(broken("any amount", true), [Promise::Baseline]);
    assert_eq!(broken("no baseline", true), [Promise::Baseline]);
}
