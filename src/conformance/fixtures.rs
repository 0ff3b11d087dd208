//! The documented replies: what they mean, and that they mean it for their own operation only.

use super::answers::of;
use super::bytes;
use super::fixture::{Fixture, Means, Shown};
use super::run::{Run, Subject};
use super::{Promise, lines, pays};
use crate::money::{Currency, Money};
use crate::operation::OperationKind;
use crate::provider::{Call, IdempotencyKey, Response};

pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let kind = subject.kind;
    let later = run.kit.told_later.contains(&kind);
    // What a good answer to this kind means.
    let good = if later {
        Means::Pending
    } else {
        Means::Succeeded
    };
    let any = |means| of(run, kind).any(|fixture| fixture.means == means);
    if !any(good) {
        run.broken(
            Promise::Inputs,
            kind,
            "there is no fixture of a success, so nothing shows what is one: give the reply that \
             the gateway documents (one that is pending, where only a notification tells more)",
        );
    }
    if later && any(Means::Succeeded) {
        run.broken(
            Promise::Excuses,
            kind,
            "no reply is said to be a success, and there is a fixture of one: leave out \
             `Kit::told_later`",
        );
    }
    for fixture in of(run, kind) {
        as_told(run, fixture);
        if fixture.means == good {
            of_another_key(run, subject, fixture);
            of_other_money(run, fixture);
        }
    }
}

fn as_told(run: &Run<'_>, fixture: &Fixture) {
    let call = fixture.call();
    let Some(verdict) = run.classify(&call, &fixture.reply) else {
        return;
    };
    if verdict
        .ruling
        .effect()
        .is_some_and(|effect| effect.inferred)
    {
        run.broken(
            Promise::Baseline,
            fixture.kind,
            format!(
                "{} is an answer to the request, and is marked as inferred: only a look-up that \
                 compares infers",
                fixture.name
            ),
        );
    }
    let line = lines::verdict(&verdict);
    if let Some(told) = fixture.line.as_ref().filter(|told| **told != line) {
        run.broken(
            Promise::Fixtures,
            fixture.kind,
            format!(
                "{} is said to read `{told}`, and `classify` reads `{line}`: correct the one that \
                 is wrong by the gateway's documentation",
                fixture.name
            ),
        );
    }
    let means = Means::of(&call, &verdict);
    if means != fixture.means {
        run.broken(
            Promise::Fixtures,
            fixture.kind,
            format!(
                "{} is said to mean {}, and `classify` reads it as {means}: correct the one that \
                 is wrong by the gateway's documentation",
                fixture.name, fixture.means
            ),
        );
    }
}

/// Where a key is sent, a reply under another one is not ours.
fn of_another_key(run: &Run<'_>, subject: &Subject, fixture: &Fixture) {
    if !subject.has_key() {
        return;
    }
    let call = fixture.call();
    for other in subject.keys().iter().filter(|key| *key != call.key) {
        let mut theirs = call.clone();
        theirs.key = other;
        no_success(run, fixture, &theirs, &fixture.reply, "another key");
        // The other way round: the reply names another key, wherever it names ours.
        if let Some(reply) = renamed(&fixture.reply, call.key, other) {
            no_success(run, fixture, &call, &reply, "another key");
        }
    }
}

/// The reply with another key in the place of ours. `None`: it does not name ours.
fn renamed(reply: &Response, ours: &IdempotencyKey, other: &IdempotencyKey) -> Option<Response> {
    let mut named = false;
    let mut change = |text: &str| {
        named |= text.contains(ours.as_str());
        text.replace(ours.as_str(), other.as_str())
    };
    let body = change(std::str::from_utf8(&reply.body).ok()?);
    let mut reply = bytes::with_body(reply, body);
    for value in reply.headers.values_mut() {
        let text = value.to_str().map(&mut change);
        if let Some(Ok(changed)) = text.ok().map(|text| text.parse()) {
            *value = changed;
        }
    }
    named.then_some(reply)
}

fn of_other_money(run: &Run<'_>, fixture: &Fixture) {
    let call = fixture.call();
    let currency = call.money.currency();
    let minor = call.money.minor();
    let only_void = fixture.kind == OperationKind::Void;
    let pending = fixture.means == Means::Pending;
    if fixture.shown == Shown::Nothing && (only_void || pending) {
        return;
    }
    if fixture.shown == Shown::Nothing || fixture.shown == Shown::Total && pays(fixture.kind) {
        run.broken(
            Promise::Comparison,
            fixture.kind,
            format!(
                "{} is a success that does not show its amount: only a void may be one without an \
                 amount, and only a capture or a refund with a total; say `Unknown`, and look it \
                 up",
                fixture.name
            ),
        );
    }
    // How much a total is beyond the amount is not known here.
    let more: &[i64] = if fixture.shown == Shown::Amount {
        &[1, 100, minor]
    } else {
        &[]
    };
    let less = [
        minor.saturating_sub(1),
        minor.checked_div(10).unwrap_or_default(),
    ];
    let much = minor.saturating_mul(99);
    let more = more
        .iter()
        .chain([&much])
        .map(|more| minor.saturating_add(*more));
    let smaller = less.into_iter().filter(|_| fixture.shown == Shown::Amount);
    let moneys = smaller
        .chain(more)
        .filter(|other| *other > 0 && *other != minor)
        .filter_map(|minor| Money::from_minor(minor, currency).ok());
    for money in moneys {
        let mut other = call.clone();
        other.money = money;
        no_success(run, fixture, &other, &fixture.reply, "another amount");
    }
    let currencies = Currency::all().iter().copied();
    for other_currency in currencies.filter(|other| *other != currency) {
        let exact = Money::parse(&call.money.to_decimal(), other_currency);
        let same_digits = Money::from_minor(minor, other_currency);
        for money in [exact, same_digits].into_iter().flatten() {
            let mut other = call.clone();
            other.money = money;
            no_success(run, fixture, &other, &fixture.reply, "another currency");
        }
    }
}

fn no_success(run: &Run<'_>, fixture: &Fixture, call: &Call<'_>, reply: &Response, of: &str) {
    let Some(verdict) = run.classify(call, reply) else {
        return;
    };
    if Means::of(call, &verdict) == fixture.means {
        run.broken(
            Promise::Comparison,
            fixture.kind,
            format!(
                "{} is {} for an operation of {of} too: take the amount and the currency \
                 from the reply, and say by `Echo` whether it names our key",
                fixture.name,
                if fixture.means == Means::Succeeded {
                    "a success"
                } else {
                    "pending"
                }
            ),
        );
    }
}
