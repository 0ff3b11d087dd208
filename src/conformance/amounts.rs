//! Amounts are exact or refused, in every currency and at every boundary.

use std::collections::BTreeSet;

use super::Promise;
use super::fields::{self, Part};
use super::requests::with;
use super::run::{Run, Subject};
use crate::money::{Currency, Money};

/// Amounts in minor units where something may change: small ones, and around each power of ten.
fn boundaries(sample: i64) -> BTreeSet<i64> {
    let mut all = BTreeSet::from([1, 2, 5, 9, 11, 15, 19, 20, 50, 105, 110, 995, 1005, 1010]);
    all.extend([sample, sample.saturating_add(1), sample.saturating_sub(1)]);
    for power in 1..=15 {
        let ten = 10_i64.checked_pow(power).unwrap_or(Money::MAX_MINOR);
        all.extend([-1, 0, 1].map(|more| ten.saturating_add(more)));
    }
    all.extend([Money::MAX_MINOR.saturating_sub(1), Money::MAX_MINOR]);
    all
}

/// What the rule writes, it reads as the same.
pub(super) fn round_trip(run: &Run<'_>, subject: &Subject) {
    let rule = subject.rule.amount.value;
    for currency in subject.currencies(run.kit) {
        for minor in boundaries(run.kit.amount) {
            let Ok(money) = Money::from_minor(minor, currency) else {
                continue;
            };
            let back = rule.units(money).map(|units| rule.money(units, currency));
            if back.is_ok_and(|back| back != Ok(money)) {
                run.broken(
                    Promise::Amounts,
                    subject.kind,
                    format!(
                        "the rule for amounts reads {money} back as another amount: correct its \
                         decimals of {currency}"
                    ),
                );
            }
        }
    }
}

/// What the rule cannot carry is refused, and what is sent is what the rule says.
pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let Some(order) = subject
        .order(run.kit)
        .filter(|_| !run.kit.is_whole(subject.kind))
    else {
        return;
    };
    let tried = subject.currencies(run.kit);
    let others = Currency::all().iter().copied();
    let others = others.filter(|currency| !tried.contains(currency));
    let rule = subject.rule.amount.value;
    let mut places: Option<BTreeSet<(Part, String)>> = None;
    for (currency, is_tried) in tried
        .iter()
        .map(|currency| (*currency, true))
        .chain(others.map(|currency| (currency, false)))
    {
        let minors = if is_tried {
            boundaries(run.kit.amount)
        } else {
            BTreeSet::from([1, run.kit.amount])
        };
        for minor in minors {
            let Ok(money) = Money::from_minor(minor, currency) else {
                continue;
            };
            let order = with(&order, |other| other.money = money);
            let Some(Ok(request)) = run.render(subject.kind, &order) else {
                continue;
            };
            let Ok(text) = rule.render(money) else {
                run.broken(
                    Promise::Amounts,
                    subject.kind,
                    format!(
                        "`encode` takes {money}, which its rule for amounts cannot carry: write \
                         amounts by `AmountRule::render`, and hand its error on"
                    ),
                );
                continue;
            };
            if !is_tried {
                continue;
            }
            let fields = fields::of(&request).into_iter();
            let here: BTreeSet<(Part, String)> = fields
                .filter(|field| field.value == text)
                .map(|field| (field.part, field.name))
                .collect();
            let same = match &places {
                None => here.clone(),
                Some(places) => places.intersection(&here).cloned().collect(),
            };
            if same.is_empty() {
                run.broken(
                    Promise::Amounts,
                    subject.kind,
                    format!(
                        "no field holds {money} as the rule spells it ({text}), in the place of \
                         the other amounts: write amounts by `AmountRule::render`"
                    ),
                );
                continue;
            }
            places = Some(same);
        }
    }
}
