//! Verdicts and findings in one line each, as a table of fixtures holds them.
//!
//! A line shows everything of a verdict that decides about money, and nothing that may be secret
//! but the gateway's ids and the page of an action, which are invented in fixtures.

use crate::outcome::Doubt;
use crate::provider::{Advice, Echo, Finding, Match, Ruling, Verdict};

/// A verdict in one line: the ruling, whose key the reply names, and the marks.
///
/// ```
/// use payonce::conformance::lines;
/// use payonce::provider::{Echo, Refusal, Ruling, Verdict};
///
/// let verdict = Verdict::new(Ruling::Declined(Refusal::new("no_money")))
///     .with_echo(Echo::Ours)
///     .with_kept(true);
/// assert_eq!(lines::verdict(&verdict), "declined no_money - -; ours; kept");
/// ```
pub fn verdict(verdict: &Verdict) -> String {
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
    let ruling = ruling(&verdict.ruling);
    format!("{ruling}; {echo}{kept}{replayed}{advice}")
}

/// A ruling in a few words: its name first, then what it holds. What is not there is `-`.
///
/// ```
/// use payonce::conformance::lines;
/// use payonce::provider::{Effect, Ruling};
/// use payonce::{Currency, Money};
///
/// let money = Money::parse("480.00", Currency::SAR)?;
/// let paid = Ruling::Succeeded(Effect::new("p_1", money, "paid"));
/// assert_eq!(lines::ruling(&paid), "succeeded paid p_1 480.00 SAR");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ruling(ruling: &Ruling) -> String {
    let (word, refusal) = match ruling {
        Ruling::Succeeded(effect) => {
            let (status, id) = (&effect.status, &effect.provider_id);
            return format!("succeeded {status} {id} {}", effect.money);
        }
        Ruling::Pending(at) => return format!("pending {} {}", at.provider_id, at.status),
        Ruling::ActionRequired(action) => {
            let page = action.url.as_deref().or(action.client_secret.as_deref());
            let (id, kind) = (&action.provider_id, &action.kind);
            return format!("action {id} {kind} {}", page.unwrap_or("-"));
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

/// A doubt in a few words.
///
/// ```
/// use payonce::{Doubt, conformance::lines};
///
/// let doubt = Doubt::Undocumented { status: 200, code: Some("half_settled".to_owned()) };
/// assert_eq!(lines::doubt(&doubt), "undocumented 200 half_settled");
/// ```
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "no adapter gives the others of its own; they show by their name"
)]
pub fn doubt(doubt: &Doubt) -> String {
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
///
/// ```
/// use payonce::conformance::lines;
/// use payonce::provider::{Finding, Match, Ruling, Verdict};
///
/// let working = Match::new("p_1", Verdict::new(Ruling::InProgress));
/// assert_eq!(lines::finding(&Finding::Found(vec![working])), "[p_1: in progress; -]");
/// assert_eq!(lines::finding(&Finding::Absent), "absent");
/// ```
pub fn finding(finding: &Finding) -> String {
    match finding {
        Finding::Absent => "absent".to_owned(),
        Finding::Unclear(doubt) => format!("unclear: {}", self::doubt(doubt)),
        Finding::Found(matches) => {
            let one =
                |found: &Match| format!("[{}: {}]", found.provider_id, verdict(&found.verdict));
            matches.iter().map(one).collect::<Vec<_>>().concat()
        }
    }
}
