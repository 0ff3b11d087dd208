//! What a reply that says nothing is taken for.

use super::Promise;
use super::bytes::{self, Noise};
use super::fixture::{Fixture, Means, Name};
use super::run::{Order, Run, Subject};
use crate::money::{Currency, Money};
use crate::operation::OperationKind;
use crate::provider::{Call, Echo, Response, Ruling, Verdict};

pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let kind = subject.kind;
    // The kit's own order, and where there is none, one that needs no input.
    let order = subject.order(run.kit).or_else(|| bare(subject));
    let Some(order) = order else { return };
    let call = run.call(kind, &order);
    let mut noise = Noise::new();
    for status in 100..=599 {
        for body in bytes::nothing(&mut noise, status) {
            says_nothing(run, &call, &bytes::reply(status, body));
        }
        for page in bytes::pages(status) {
            is_no_answer(run, &call, &page);
        }
    }
    for fixture in of(run, kind) {
        damaged(run, fixture, &mut noise);
        elsewhere(run, fixture);
    }
}

/// The fixtures of a kind.
pub(super) fn of<'k>(run: &Run<'k>, kind: OperationKind) -> impl Iterator<Item = &'k Fixture> {
    let fixtures = run.kit.fixtures.iter();
    fixtures.filter(move |fixture| fixture.kind == kind)
}

/// An order that needs no input of the author's.
pub(super) fn bare(subject: &Subject) -> Option<Order> {
    Some(Order {
        key: subject.keys().into_iter().next()?,
        reference: "order-1042".to_owned(),
        money: Money::from_minor(48_000, Currency::USD).ok()?,
        parent: None,
        source: None,
        rich: false,
    })
}

/// Twice the same verdict. `None`: it panicked.
fn verdict(run: &Run<'_>, call: &Call<'_>, reply: &Response) -> Option<Verdict> {
    let verdict = run.classify(call, reply)?;
    if run.classify(call, reply)? != verdict {
        run.broken(
            Promise::Totality,
            call.kind,
            "`classify` gives another verdict for the same reply: keep no memory in the adapter",
        );
    }
    Some(verdict)
}

fn says_nothing(run: &Run<'_>, call: &Call<'_>, reply: &Response) {
    let Some(verdict) = verdict(run, call, reply) else {
        return;
    };
    let (kind, status) = (call.kind, reply.status.as_u16());
    let name = Name(&verdict.ruling);
    let unknown = matches!(verdict.ruling, Ruling::Unknown(_));
    match status {
        300..=399 if !unknown => run.broken(Promise::Redirects, kind, redirect(status, &name)),
        500..=599 if !unknown => run.broken(
            Promise::ServerErrors,
            kind,
            format!(
                "a {status} with a body that is not documented is {name}: money may have moved, \
                 so say `Unknown`, and let only a documented code say more"
            ),
        ),
        // Some gateways answer 4xx without a body while they work on a key.
        100..=299 if !unknown => garbage(run, kind, status, &name),
        _ if Means::is_definite(&verdict.ruling) => garbage(run, kind, status, &name),
        _ => {}
    }
    // An object may be of the gateway, of which these things are documented.
    let object = reply.json().is_some_and(|body| body.is_object());
    if !object && (verdict.kept || verdict.replayed || verdict.echo == Echo::Ours) {
        run.broken(
            Promise::Garbage,
            kind,
            format!(
                "a {status} with a body that says nothing is marked as kept, as replayed or as \
                 naming our key: set these marks only where the reply shows it"
            ),
        );
    }
}

fn garbage(run: &Run<'_>, kind: OperationKind, status: u16, name: &Name<'_>) {
    run.broken(
        Promise::Garbage,
        kind,
        format!(
            "a {status} with an empty body, or one that says nothing, is {name}: say `Unknown`, \
             and let only a documented code say more"
        ),
    );
}

fn redirect(status: u16, name: &Name<'_>) -> String {
    format!(
        "a redirect ({status}) is {name}: say `Unknown`, since it is never followed and may come \
         from another machine"
    )
}

fn is_no_answer(run: &Run<'_>, call: &Call<'_>, page: &Response) {
    let Some(verdict) = verdict(run, call, page) else {
        return;
    };
    if Means::is_definite(&verdict.ruling) {
        run.broken(
            Promise::Html,
            call.kind,
            format!(
                "a page of HTML with status {} is {}: it may come from a machine before the \
                 gateway, so say `Unknown`",
                page.status.as_u16(),
                Name(&verdict.ruling)
            ),
        );
    }
}

/// No damage makes `classify` panic, and what was cut says nothing of money.
fn damaged(run: &Run<'_>, fixture: &Fixture, noise: &mut Noise) {
    let call = fixture.call();
    for reply in bytes::damaged(&fixture.reply, noise) {
        let Some(verdict) = run.classify(&call, &reply) else {
            continue;
        };
        if verdict
            .ruling
            .effect()
            .is_some_and(|effect| effect.provider_id.is_empty())
        {
            run.broken(
                Promise::Garbage,
                fixture.kind,
                format!(
                    "a damaged {} is a success without the gateway's id: say `Unknown` where the \
                     id is missing",
                    fixture.name
                ),
            );
        }
    }
    for reply in bytes::cut(&fixture.reply) {
        let Some(verdict) = run.classify(&call, &reply) else {
            continue;
        };
        // A documented header may still say that nothing happened.
        let by_header = matches!(verdict.ruling, Ruling::NoEffect | Ruling::Unauthorized);
        if Means::is_definite(&verdict.ruling) && !by_header {
            run.broken(
                Promise::Garbage,
                fixture.kind,
                format!(
                    "a cut {} is {}: what is not whole cannot be read, so say `Unknown`",
                    fixture.name,
                    Name(&verdict.ruling)
                ),
            );
        }
    }
}

/// The body of a fixture under a status of a redirect or of a machine that failed.
fn elsewhere(run: &Run<'_>, fixture: &Fixture) {
    let call = fixture.call();
    for status in 300..=399 {
        let Some(verdict) = run.classify(&call, &bytes::under(&fixture.reply, status)) else {
            continue;
        };
        if !matches!(verdict.ruling, Ruling::Unknown(_)) {
            let text = redirect(status, &Name(&verdict.ruling));
            run.broken(Promise::Redirects, fixture.kind, text);
        }
    }
    let documented = of(run, fixture.kind)
        .any(|other| other.reply.status.is_server_error() && other.means == Means::Succeeded);
    if fixture.means != Means::Succeeded || documented {
        return;
    }
    for status in 500..=599 {
        let failed = bytes::under(&fixture.reply, status);
        let verdict = run.classify(&call, &failed);
        if verdict.is_some_and(|verdict| Means::is_definite(&verdict.ruling)) {
            run.broken(
                Promise::ServerErrors,
                fixture.kind,
                format!(
                    "the body of {} with a {status} is a definite answer: say `Unknown`, or give \
                     the kit the documented reply with such a status",
                    fixture.name
                ),
            );
        }
    }
}
