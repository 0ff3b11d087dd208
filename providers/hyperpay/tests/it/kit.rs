//! What the tests share: one order, the documented replies, and verdicts in one line.

use std::fs;
use std::path::PathBuf;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use payonce::provider::{Call, Echo, Finding, IdempotencyKey, Match, Response, Ruling, Verdict};
use payonce::{Currency, Doubt, Money, OperationKind};
use payonce_hyperpay::HyperPay;

pub(crate) const ENTITY: &str = "8ac7a4c98694e687018696fd2f2c0b71";
pub(crate) const KEY: &str = "0190b5a01c2d7e3f8a4b5c6d7e8f9a0b";
pub(crate) const REFERENCE: &str = "order-1042";
/// The payment that every fixture shows.
pub(crate) const PAYMENT: &str = "8ac7a4a18f1d2c3b018f1d9a1b2c0a11";
/// The payment that is captured, refunded or voided.
pub(crate) const PARENT: &str = "8ac7a4a18f1d2c3b018f1d9a1b2c0001";

pub(crate) fn hyperpay() -> HyperPay {
    HyperPay::test(ENTITY, "OGFjN2E0Yzk4Njk0fHRlc3Q=")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The operation that every fixture is about: 480.00 SAR for `order-1042`.
pub(crate) fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let call = Call::new(
        kind,
        operation,
        REFERENCE,
        key,
        money("480.00", Currency::SAR),
    );
    match kind {
        OperationKind::Charge | OperationKind::Authorize => call,
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void | _ => {
            call.with_parent(PARENT)
        }
    }
}

pub(crate) fn charge(key: &IdempotencyKey) -> Call<'_> {
    call(OperationKind::Charge, key)
}

/// The kind that a fixture's folder names.
pub(crate) fn kind(name: &str) -> OperationKind {
    let folder = name.split('/').next().unwrap();
    let mut kinds = OperationKind::all().iter().copied();
    kinds.find(|kind| kind.to_string() == folder).unwrap()
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "fixtures"]
        .iter()
        .collect()
}

/// The names of all fixtures: `charge/200_succeeded`.
pub(crate) fn names() -> Vec<String> {
    let mut names = Vec::new();
    for operation in fs::read_dir(folder()).unwrap() {
        let operation = operation.unwrap();
        let folder = operation.file_name().into_string().unwrap();
        for file in fs::read_dir(operation.path()).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let name = name.strip_suffix(".http").expect("a .http file");
            names.push(format!("{folder}/{name}"));
        }
    }
    names.sort();
    names
}

/// A fixture, written from the documentation: status line, headers, an empty line, the body.
pub(crate) fn fixture(name: &str) -> Response {
    let text = fs::read_to_string(folder().join(format!("{name}.http"))).unwrap();
    let (head, body) = text
        .split_once("\n\n")
        .expect("an empty line after the headers");
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let mut headers = HeaderMap::new();
    for line in lines {
        let (name, value) = line.split_once(':').unwrap();
        let name: HeaderName = name.parse().unwrap();
        headers.append(name, HeaderValue::from_str(value).unwrap());
    }
    Response::new(status.parse().unwrap(), headers, body.into())
}

/// A reply without headers.
pub(crate) fn reply(status: u16, body: impl Into<Vec<u8>>) -> Response {
    Response::new(
        StatusCode::from_u16(status).unwrap(),
        HeaderMap::new(),
        body.into(),
    )
}

/// A verdict in one line: the ruling and whose key. The marks that HyperPay never gives show too.
pub(crate) fn line(verdict: &Verdict) -> String {
    let echo = match verdict.echo {
        Echo::Ours => "ours",
        Echo::Foreign => "foreign",
        Echo::Missing => "missing",
        Echo::NotExpected => "-",
    };
    let kept = if verdict.kept { "; kept" } else { "" };
    let replayed = if verdict.replayed { "; replayed" } else { "" };
    format!("{}; {echo}{kept}{replayed}", ruling(&verdict.ruling)).replace(PAYMENT, "PAYMENT")
}

/// A ruling in a few words. What is not there is `-`.
pub(crate) fn ruling(ruling: &Ruling) -> String {
    let (word, refusal) = match ruling {
        Ruling::Succeeded(effect) => {
            return format!(
                "succeeded {} {} {}",
                effect.status, effect.provider_id, effect.money
            );
        }
        Ruling::Pending(at) => return format!("pending {} {}", at.provider_id, at.status),
        Ruling::ActionRequired(action) => {
            let url = action.url.as_deref().unwrap_or("-");
            return format!("action {} {} {url}", action.provider_id, action.kind);
        }
        Ruling::InProgress => return "in progress".to_owned(),
        Ruling::NoEffect => return "no effect".to_owned(),
        Ruling::Unauthorized => return "unauthorized".to_owned(),
        Ruling::Repeated => return "repeated".to_owned(),
        Ruling::KeyMismatch => return "key mismatch".to_owned(),
        Ruling::Unknown(doubt) => return format!("unknown: {}", self::doubt(doubt)),
        Ruling::Declined(refusal) => ("declined", refusal),
        Ruling::Rejected(refusal) => ("rejected", refusal),
        Ruling::Canceled(refusal) => ("canceled", refusal),
    };
    let reason = refusal.reason.as_deref().unwrap_or("-");
    let id = refusal.provider_id.as_deref().unwrap_or("-");
    let stop = if refusal.do_not_retry {
        " never again"
    } else {
        ""
    };
    format!("{word} {} {reason} {id}{stop}", refusal.code)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "no reply leads to the others"
)]
pub(crate) fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Unreadable {
            status: Some(status),
        } => format!("unreadable {status}"),
        Doubt::Undocumented { status, code } => {
            format!("undocumented {status} {}", code.as_deref().unwrap_or("-"))
        }
        Doubt::Mismatch {
            sent,
            got,
            provider_id,
        } => {
            let got = got.map_or_else(|| "-".to_owned(), |money| money.to_string());
            format!("mismatch {sent} {got} {provider_id}")
        }
        Doubt::Redirected {
            status,
            host: Some(host),
        } => format!("redirected {status} {host}"),
        Doubt::ServerError { status } => format!("server error {status}"),
        Doubt::Blocked { status } => format!("blocked {status}"),
        Doubt::LookUpUnclear { problem } => problem.clone(),
        other => format!("{other:?}"),
    }
}

/// A finding in a few words, each match in brackets.
pub(crate) fn finding(finding: &Finding) -> String {
    match finding {
        Finding::Absent => "absent".to_owned(),
        Finding::Unclear(doubt) => format!("unclear: {}", self::doubt(doubt)),
        Finding::Found(matches) => {
            let one = |found: &Match| format!("[{}: {}]", found.provider_id, line(&found.verdict));
            matches.iter().map(one).collect::<Vec<_>>().concat()
        }
    }
}
