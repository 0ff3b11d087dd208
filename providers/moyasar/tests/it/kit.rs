//! What the tests share: one order, the documented replies, and verdicts in one line.

use std::fs;
use std::path::PathBuf;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use payonce::provider::{
    Advice, Call, Echo, Finding, IdempotencyKey, Match, Response, Ruling, Verdict,
};
use payonce::{Currency, Doubt, Money, OperationKind};
use payonce_moyasar::Moyasar;

pub(crate) const KEY: &str = "9f1c2b7e-4d5a-4e0f-8a3b-6c7d8e9f0a1b";
pub(crate) const PARENT: &str = "5b0a1d5e-6c1f-4d57-9a55-0d9f3c1c2b7a";
pub(crate) const REFERENCE: &str = "order-1042";

pub(crate) const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

pub(crate) fn moyasar() -> Moyasar {
    Moyasar::new("main", "sk_test_Example")
}

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new(KEY)
}

pub(crate) fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

/// The operations that the fixtures are about: 480.00 SAR for `order-1042`; of an earlier payment
/// of 480.00 SAR, 300.00 captured, 120.00 refunded, or all of it voided.
pub(crate) fn call(kind: OperationKind, key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let (amount, parent) = match kind {
        OperationKind::Capture => ("300.00", Some(PARENT)),
        OperationKind::Refund => ("120.00", Some(PARENT)),
        OperationKind::Void => ("480.00", Some(PARENT)),
        OperationKind::Charge | OperationKind::Authorize | _ => ("480.00", None),
    };
    let money = money(amount, Currency::SAR);
    let mut call = Call::new(kind, operation, REFERENCE, key, money);
    call.parent = parent;
    call
}

fn folder(kind: OperationKind) -> PathBuf {
    let fixtures: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "fixtures"]
        .iter()
        .collect();
    fixtures.join(kind.as_str())
}

/// The names of all fixtures of a kind.
pub(crate) fn names(kind: OperationKind) -> Vec<String> {
    let files = fs::read_dir(folder(kind)).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .map(|name| name.strip_suffix(".http").expect("a .http file").to_owned())
        .collect();
    names.sort();
    names
}

/// A fixture, written from the documentation: status line, headers, an empty line, the body.
pub(crate) fn fixture(kind: OperationKind, name: &str) -> Response {
    let text = fs::read_to_string(folder(kind).join(format!("{name}.http"))).unwrap();
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

/// A verdict in one line: the ruling, whose key, and the marks.
pub(crate) fn line(verdict: &Verdict) -> String {
    let echo = match verdict.echo {
        Echo::Ours => "ours",
        Echo::Foreign => "foreign",
        Echo::Missing => "missing",
        Echo::NotExpected => "-",
    };
    let advice = match verdict.advice {
        Advice::None => "",
        Advice::Retry => "; retry",
        Advice::Stop => "; stop",
    };
    let kept = if verdict.kept { "; kept" } else { "" };
    let replayed = if verdict.replayed { "; replayed" } else { "" };
    format!(
        "{}; {echo}{kept}{replayed}{advice}",
        ruling(&verdict.ruling)
    )
}

/// A ruling in a few words. What is not there is `-`.
pub(crate) fn ruling(ruling: &Ruling) -> String {
    let (word, refusal) = match ruling {
        Ruling::Succeeded(effect) => {
            return format!("{} {} {}", effect.status, effect.provider_id, effect.money);
        }
        Ruling::Pending(at) => return format!("pending {} {}", at.provider_id, at.status),
        Ruling::ActionRequired(action) => {
            let url = action.url.as_deref().or(action.client_secret.as_deref());
            let url = url.unwrap_or("-");
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
