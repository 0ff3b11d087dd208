//! Noise: whatever comes, nothing panics, and nothing definite is made of it.

use http::header::{CONTENT_LENGTH, CONTENT_TYPE, DATE, HeaderName, LOCATION, RETRY_AFTER};
use http::{HeaderMap, StatusCode};

use super::Promise;
use super::answers::{bare, of};
use super::bytes::Noise;
use super::fixture::{Fixture, Means, Name};
use super::look_ups::Check;
use super::run::{Run, Subject};
use crate::clock::Timestamp;
use crate::provider::{Call, LookUp, LookUpStep, Placement, Query, Response, Ruling};

/// Times at the edges of what can be counted, and one of today.
const TIMES: [i64; 5] = [i64::MIN, -1, 0, 1_796_036_000_000, i64::MAX];

/// Every status with an empty body and with random ones, under random headers.
pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let kind = subject.kind;
    let Some(order) = subject.order(run.kit).or_else(|| bare(subject)) else {
        return;
    };
    let call = run.call(kind, &order);
    let names = header_names(run, subject);
    let mut noise = Noise::new();
    for round in 0..run.kit.rounds {
        for status in 100..1000 {
            let length = if round == 0 { 0 } else { noise.below(64) };
            let (headers, body) = (noise.headers(&names), noise.bytes(length));
            let Ok(status) = StatusCode::from_u16(status) else {
                continue;
            };
            let reply = Response::new(status, headers, body);
            // A gateway may answer without a body; then a fixture shows it.
            let bare = of(run, kind)
                .any(|one| one.reply.body.is_empty() && one.reply.status == reply.status);
            if !(reply.body.is_empty() && bare) {
                unknown(run, &call, &reply);
            }
        }
    }
}

fn unknown(run: &Run<'_>, call: &Call<'_>, reply: &Response) {
    let Some(verdict) = run.classify(call, reply) else {
        return;
    };
    if matches!(verdict.ruling, Ruling::Unknown(_)) {
        return;
    }
    let promise = match reply.status.as_u16() {
        300..=399 => Promise::Redirects,
        500..=599 => Promise::ServerErrors,
        _ => Promise::Garbage,
    };
    run.broken(
        promise,
        call.kind,
        format!(
            "a {} with a body of noise, or none, is {}: say `Unknown`, or give the kit the \
             documented reply without a body",
            reply.status.as_u16(),
            Name(&verdict.ruling)
        ),
    );
}

/// The headers that an adapter may read: those of HTTP, of its fixtures, and of its key.
fn header_names(run: &Run<'_>, subject: &Subject) -> Vec<HeaderName> {
    let mut names = vec![CONTENT_TYPE, LOCATION, RETRY_AFTER];
    // A documented header may say by itself that nothing happened; those are left away.
    let by_header =
        |fixture: &&Fixture| matches!(fixture.means, Means::NoEffect | Means::Unauthorized);
    let others = run.kit.fixtures.iter().filter(|one| !by_header(one));
    names.extend(others.flat_map(|fixture| fixture.reply.headers.keys().cloned()));
    if let Placement::Header(name) = subject.rule.placement.value {
        names.extend(name.parse::<HeaderName>());
    }
    names.retain(|name| name != CONTENT_LENGTH && name != DATE);
    names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    names.dedup();
    names
}

/// Look-ups and baselines that get spoiled replies, of any kind and in any order, at any time.
pub(super) fn reads(check: &Check<'_>, look_up: Option<&dyn LookUp>) {
    let (run, kind) = (check.run, check.subject.kind);
    let names = header_names(run, check.subject);
    let mut rows: Vec<Vec<Response>> = Vec::new();
    let fixtures = run.kit.fixtures.iter();
    rows.extend(fixtures.map(|fixture| vec![fixture.reply.clone()]));
    rows.extend(run.kit.sought.iter().map(|sought| sought.replies.clone()));
    let mut ids = vec![
        None,
        Some("id1"),
        Some("../x?y=z"),
        Some(""),
        Some("a\r\nb"),
    ];
    let parents = run.kit.parents.iter().map(|(_, id)| id);
    let given = parents.chain(&run.kit.odd_ids);
    ids.extend(given.map(|id| Some(id.as_str())));
    let mut noise = Noise::new();
    let rounds = usize::from(run.kit.rounds.min(10)).saturating_mul(6);
    for _ in 0..rows.len().saturating_mul(rounds) {
        let mut call = check.call.clone();
        if noise.below(2) == 0 {
            call.parent = noise.pick(&ids).copied().flatten();
        }
        let Some(base) = noise.pick(&rows).and_then(|row| row.first().cloned()) else {
            return;
        };
        let spoiled = noise.spoiled(&base, &names);
        drop(run.classify(&call, &spoiled));
        let read = run.kit.provider.baseline().and_then(|baseline| {
            let read = || baseline.read(&call, &spoiled);
            run.guarded(kind, "Baseline::read", read)?.ok()
        });
        let length = noise.below(40);
        let baseline = match noise.below(3) {
            0 => Some(String::from_utf8_lossy(&noise.bytes(length)).into_owned()),
            _ => read,
        };
        let replies = replies(&mut noise, &rows, &names);
        let id = noise.pick(&ids).copied().flatten();
        let sent = noise.pick(&TIMES).copied().unwrap_or_default();
        let sent = Timestamp::from_millis(sent);
        let query = Query::new(id, sent, sent).with_baseline(baseline.as_deref());
        let Some(look_up) = look_up else { continue };
        let next = || look_up.next(&call, &query, &replies);
        if let Some(LookUpStep::Ask(request)) = run.guarded(kind, "LookUp::next", next) {
            check.only_reads(&request);
        }
    }
}

/// A look-up's replies with one of them spoiled, or any spoiled replies in a row.
fn replies(noise: &mut Noise, rows: &[Vec<Response>], names: &[HeaderName]) -> Vec<Response> {
    if noise.below(2) == 0 {
        let Some(mut row) = noise.pick(rows).cloned() else {
            return Vec::new();
        };
        let place = noise.below(row.len());
        if let Some(reply) = row.get_mut(place) {
            *reply = noise.spoiled(reply, names);
        }
        row.truncate(noise.below(row.len().saturating_add(1)));
        return row;
    }
    (0..noise.below(6))
        .filter_map(|_| {
            let base = noise.pick(rows)?.first()?;
            let mut reply = noise.spoiled(base, names);
            if noise.below(4) == 0 {
                reply.headers = HeaderMap::new();
            }
            Some(reply)
        })
        .collect()
}
