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

pub(super) async fn every_tenant_with_something_open_is_named(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let open = vec![State::Sending, State::Unknown];
    let named = async |handle: &Handle, states: &[State]| -> Kept<Vec<String>> {
        Ok(handle.desk().tenants(states.to_vec()).await?)
    };
    let nobody: Vec<String> = Vec::new();
    let empty = named(&first, &open).await?;
    same("the tenants of an empty store", &empty, &nobody)?;
    // What nobody drives any more is open all the same, and so is what another handle drives.
    for (tenant, reference) in [("zoo", "a"), ("", "b"), ("bar", "c"), ("zoo", "d")] {
        first.ours(of_tenant(charge(reference, 1)?, tenant)).await?;
    }
    let done = of_tenant(charge("e", 1)?, "done");
    first.settled(done, declined()).await?;
    let should = ["", "bar", "zoo"].map(str::to_owned).to_vec();
    for handle in [&first, &second] {
        let all = named(handle, &open).await?;
        same("the tenants with something open", &all, &should)?;
        let declined = named(handle, &[State::Declined]).await?;
        let should = vec!["done".to_owned()];
        same("the tenants with something declined", &declined, &should)?;
        let none = named(handle, &[]).await?;
        same("the tenants with no state", &none, &nobody)?;
    }
    Ok(())
}
