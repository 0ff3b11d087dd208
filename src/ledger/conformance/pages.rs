//! Lists, a page at a time.

use super::bench::{Bench, Handle, Kept, charge, declined, of_tenant, on, same, succeeded};
use crate::ledger::Filter;
use crate::operation::{Family, OperationId, OperationKind, State};

async fn ids(handle: &Handle, tenant: &str, filter: Filter) -> Kept<Vec<OperationId>> {
    let records = handle.desk().list(tenant.to_owned(), filter).await?;
    Ok(records.iter().map(|record| record.id).collect())
}

pub(super) async fn operations_are_listed_in_order(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let paid = first
        .settled(charge("z", 1)?, succeeded("pi_1", 48_000)?)
        .await?
        .id;
    let foreign = first
        .ours(of_tenant(charge("y", 1)?, "shop"))
        .await?
        .record
        .id;
    let refund = on(OperationKind::Refund, "x", "pi_1", 1)?;
    let refund = second.ours(refund).await?.record.id;
    let no = second.settled(charge("w", 1)?, declined()).await?.id;
    let retried = first.ours(charge("w", 2)?).await?.record.id;
    let everything = vec![paid, refund, no, retried];
    let lists = [
        (Filter::default(), everything.clone()),
        (Filter::open(), vec![refund, retried]),
        (
            Filter::states([State::Succeeded, State::Declined]),
            vec![paid, no],
        ),
        (
            Filter::default().family(Family::Payment),
            vec![paid, no, retried],
        ),
        (Filter::open().family(Family::Payment), vec![retried]),
        (Filter::default().family(Family::Void), vec![]),
        (Filter::default().limit(2), vec![paid, refund]),
        (Filter::default().after(refund).limit(1), vec![no]),
        (Filter::default().after(retried), vec![]),
        (Filter::default().after(OperationId::generate()), vec![]),
    ];
    for (filter, should) in lists {
        for handle in [&first, &second] {
            let list = ids(handle, "", filter.clone()).await?;
            same(&format!("the list by {filter:?}"), &list, &should)?;
        }
    }
    same(
        "another tenant's list",
        &ids(&first, "shop", Filter::default()).await?,
        &vec![foreign],
    )?;
    same(
        "nobody's list",
        &ids(&first, "none", Filter::default()).await?,
        &vec![],
    )?;
    // Page by page, everything comes once.
    let (mut pages, mut filter) = (Vec::new(), Filter::default().limit(1));
    while let Some(last) = ids(&first, "", filter.clone()).await?.last() {
        pages.push(*last);
        filter = filter.after(*last);
    }
    same("all pages together", &pages, &everything)
}
