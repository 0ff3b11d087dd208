//! What is rendered: that it is, the same each time, another for another call, and to nowhere else.

use super::run::{Order, Run, STRANGE, Subject};
use super::{Promise, fields, hygiene, pays};
use crate::intent::Source;
use crate::money::Money;
use crate::operation::OperationKind;
use crate::provider::Request;

/// Whether there is a request to check further.
pub(super) fn check(run: &Run<'_>, subject: &Subject) -> bool {
    let kind = subject.kind;
    let Some(order) = subject.order(run.kit) else {
        let missing = if pays(kind) {
            "a source, with `Kit::source`"
        } else {
            "the id of a payment, with `Kit::parent`"
        };
        run.broken(
            Promise::Inputs,
            kind,
            format!(
                "nothing can be rendered: give {missing}, and an amount that the rule carries in \
                 one of the currencies"
            ),
        );
        return false;
    };
    let Some(request) = rendered(run, subject, &order) else {
        return false;
    };
    if !request.path.starts_with('/') || request.path.bytes().any(|b| !b.is_ascii_graphic()) {
        run.broken(
            Promise::Target,
            kind,
            "the path does not start with a slash, or has characters that must be \
             percent-encoded: encode them",
        );
    }
    every_input(run, subject, &order);
    repeats(run, subject, &order, &request);
    differences(run, subject, &order, &request);
    strangers(run, subject, &order);
    let _authorized = hygiene::authorized(run, &request);
    true
}

/// The request of an order that should be rendered.
fn rendered(run: &Run<'_>, subject: &Subject, order: &Order) -> Option<Request> {
    match run.render(subject.kind, order)? {
        Ok(request) => Some(request),
        Err(problem) => {
            run.broken(
                Promise::Encodes,
                subject.kind,
                format!(
                    "`encode` refuses {} with an input that the kit was given as valid \
                     ({problem}): give a valid one, or take it",
                    order.money
                ),
            );
            None
        }
    }
}

/// Every source, every parent, and the amount in every currency.
fn every_input(run: &Run<'_>, subject: &Subject, order: &Order) {
    let kit = run.kit;
    for currency in subject.currencies(kit) {
        if let Some(money) = subject.money(kit, currency) {
            let _request = rendered(run, subject, &with(order, |other| other.money = money));
        }
    }
    if pays(subject.kind) {
        for source in &kit.sources {
            let source = Some(source.clone());
            let _request = rendered(run, subject, &with(order, |other| other.source = source));
        }
    } else {
        for parent in kit.parents(subject.kind) {
            let parent = Some(parent.clone());
            let _request = rendered(run, subject, &with(order, |other| other.parent = parent));
        }
    }
}

/// The order with one change.
pub(super) fn with(order: &Order, change: impl FnOnce(&mut Order)) -> Order {
    let mut other = order.clone();
    change(&mut other);
    other
}

fn repeats(run: &Run<'_>, subject: &Subject, order: &Order, request: &Request) {
    let kind = subject.kind;
    let mut orders = vec![(order.clone(), request.clone())];
    // A follow-up may take no fields of the merchant's own.
    let rich = with(order, |other| other.rich = true);
    if let Some(Ok(request)) = run.render(kind, &rich) {
        orders.push((rich, request));
    }
    for (order, request) in &orders {
        for _ in 0..8 {
            if run.render(kind, order) != Some(Ok(request.clone())) {
                run.broken(
                    Promise::Determinism,
                    kind,
                    "`encode` gives other bytes for the same call: write the fields in a fixed \
                     order, and leave out times and random numbers",
                );
            }
        }
    }
    let Some(twin) = &run.kit.twin else { return };
    let details = crate::provider::Details::new(
        order.source.as_ref(),
        run.kit.return_url.as_deref().filter(|_| pays(kind)),
        None,
        &[],
    )
    .with_customer(run.kit.customer.as_ref());
    let call = run.call(kind, order);
    let other = run.guarded(kind, "encode", || twin.encode(&call, &details));
    if other.is_some_and(|other| other.as_ref() != Ok(request)) {
        run.broken(
            Promise::Secrets,
            kind,
            "the twin, which has another secret, renders other bytes: sign in `authorize`, since \
             rendered requests are stored",
        );
    }
}

/// Calls that differ in what decides about money must differ on the wire.
fn differences(run: &Run<'_>, subject: &Subject, order: &Order, request: &Request) {
    let (kind, kit) = (subject.kind, run.kit);
    let mut others: Vec<(&str, Order)> = Vec::new();
    if subject.has_key() {
        let keys = subject.keys().into_iter().skip(1);
        others.extend(keys.map(|key| ("key", with(order, |other| other.key = key))));
    }
    if !kit.is_whole(kind) {
        let twice = kit.amount.checked_mul(2);
        let money = twice.and_then(|minor| Money::from_minor(minor, order.money.currency()).ok());
        others.extend(money.map(|money| ("amount", with(order, |other| other.money = money))));
    }
    // The currency of the others is that of their payment, and gateways need not be told.
    if pays(kind) {
        let currencies = subject.currencies(kit).into_iter();
        let differs = |money: &Money| money.currency() != order.money.currency();
        let money = currencies.filter_map(|currency| subject.money(kit, currency));
        let money = money.filter(differs);
        others.extend(money.map(|money| ("currency", with(order, |other| other.money = money))));
        let sources = kit.sources.iter().skip(1).cloned();
        let source = |source| with(order, |other| other.source = Some(source));
        others.extend(sources.map(|given| ("source", source(given))));
    } else {
        let parents = kit.parents(kind).into_iter().skip(1).cloned();
        let parent = |parent| with(order, |other| other.parent = Some(parent));
        others.extend(parents.map(|given| ("parent", parent(given))));
    }
    for (what, other) in others {
        if run.render(kind, &other) == Some(Ok(request.clone())) {
            run.broken(
                Promise::Difference,
                kind,
                format!(
                    "two calls with another {what} give the same bytes: write the {what} into the \
                     request"
                ),
            );
        }
    }
}

/// What is missing or strange is refused, without repeating it, or at least leads nowhere else.
fn strangers(run: &Run<'_>, subject: &Subject, order: &Order) {
    let kind = subject.kind;
    if pays(kind) {
        let strange = [
            Some(Source::token(format!("../{STRANGE}?a=b&c=d"))),
            Some(Source::token(format!("{STRANGE}\r\nx: y"))),
            Some(Source::token("")),
            Some(Source::hosted()),
            None,
        ];
        for source in strange {
            let order = with(order, |other| other.source = source);
            leads_nowhere(run, kind, &order, &format!("../{STRANGE}"));
        }
        return;
    }
    for parent in ["../v1/x", "a/b", "a?b=c", "a#b", "a b", "..", "a\r\nb", ""] {
        let order = with(order, |other| other.parent = Some(parent.to_owned()));
        leads_nowhere(run, kind, &order, parent);
    }
    let without = with(order, |other| other.parent = None);
    if matches!(run.render(kind, &without), Some(Ok(_))) {
        run.broken(
            Promise::Target,
            kind,
            "`encode` takes a call without a parent: refuse it, or it may be about another payment",
        );
    }
}

fn leads_nowhere(run: &Run<'_>, kind: OperationKind, order: &Order, strange: &str) {
    let Some(Ok(request)) = run.render(kind, order) else {
        return;
    };
    let in_header = |field: &fields::Field| {
        field.part == fields::Part::Header && field.value.contains(['\r', '\n'])
    };
    let leads = !strange.is_empty() && request.path.contains(strange);
    let empty = strange.is_empty() && request.path.contains("//");
    if leads || empty || fields::of(&request).iter().any(in_header) {
        run.broken(
            Promise::Target,
            kind,
            "an id of slashes, dots, question marks or nothing stands in the path as it is, and \
             leads the request elsewhere: refuse what is no id of the gateway",
        );
    }
}
