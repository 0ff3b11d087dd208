//! What the ledger knows about its clock.

use std::time::Duration;

use super::bench::{Bench, Kept, MS, START, account, charge, dated, declined, holds, same};
use crate::clock::Clock;
use crate::ledger::{DateSeen, STEP_BACK};
use crate::provider::AccountId;

pub(super) async fn a_clock_that_goes_back_is_doubted(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("order", 1)?).await?;
    holds(!owned.clock_doubtful, "a clock that never moved is doubted")?;
    let owned = owned.record;
    let allowed = START.minus(STEP_BACK);
    for (now, doubtful) in [(allowed, false), (allowed.minus(MS), true), (START, false)] {
        bench.clock.set(now);
        for handle in [&first, &second] {
            let gate = handle.gate(owned.id).await?.clock_doubtful;
            same("the doubt of a clock", &gate, &doubtful)?;
        }
    }
    // Work under the wrong clock does not make it right.
    bench.clock.set(START.minus(Duration::from_secs(3_600)));
    first
        .record(owned.id, owned.epoch, dated(0, DateSeen::None))
        .await?;
    first.end(&owned, declined()).await?;
    drop(first);
    let again = second.ours(charge("order", 2)?).await?;
    holds(
        again.clock_doubtful,
        "work under a wrong clock ended its doubt",
    )?;
    let later = bench.open().await;
    let gate = later.gate(again.record.id).await?;
    holds(
        gate.clock_doubtful,
        "a new handle does not know the highest time seen",
    )?;
    same(
        "the time that a send is told",
        &gate.now.at,
        &bench.clock.now(),
    )
}

pub(super) async fn a_date_that_differs_is_doubted(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let main = first.ours(charge("order", 1)?).await?.record;
    let mut other = charge("other", 1)?;
    if let Some(rendered) = &mut other.rendered {
        rendered.account = account("second");
    }
    let other = first.ours(other).await?.record;
    let dates = [
        (DateSeen::Agrees, false),
        (DateSeen::Differs, true),
        (DateSeen::None, true),
        (DateSeen::Agrees, false),
        (DateSeen::Differs, true),
    ];
    for (number, (date, doubtful)) in (0..).zip(dates) {
        first
            .record(main.id, main.epoch, dated(number, date))
            .await?;
        for handle in [&first, &second] {
            let gate = handle.gate(main.id).await?.clock_doubtful;
            same(
                &format!("the doubt after a date ({date:?})"),
                &gate,
                &doubtful,
            )?;
            let gate = handle.gate(other.id).await?.clock_doubtful;
            same("the doubt of another account", &gate, &false)?;
        }
    }
    // Time does not end it.
    bench.clock.pass(Duration::from_secs(10 * 24 * 3_600));
    drop((first, second));
    let later = bench.open().await;
    let gate = later.gate(main.id).await?.clock_doubtful;
    holds(gate, "a doubt ended by itself")?;
    let claimed = later.ours(charge("new", 1)?).await?;
    holds(claimed.clock_doubtful, "a claim is not told of the doubt")?;
    let of: AccountId = claimed.record.account;
    same("its account", &of, &account("main"))
}

/// A reply's `Date` agreed, and the clock was set before that was written: the clock that was right
/// is not the one that is there now.
pub(super) async fn a_date_speaks_for_the_clock_that_it_was_compared_with(bench: Bench) -> Kept {
    let first = bench.open().await;
    let owned = first.ours(charge("order", 1)?).await?.record;
    let (id, epoch) = (owned.id, owned.epoch);
    first.record(id, epoch, dated(0, DateSeen::Differs)).await?;
    let mut agreed = dated(1, DateSeen::Agrees);
    for exchange in &mut agreed.exchanges {
        exchange.compared = Some((bench.clock.now(), bench.clock.uptime()));
    }
    bench.clock.set(START.plus(Duration::from_secs(80_000)));
    first.record(id, epoch, agreed).await?;
    let gate = first.gate(id).await?;
    holds(
        !gate.now.sure,
        "a clock that was set after a date agreed with it is sure",
    )?;
    holds(
        gate.clock_doubtful,
        "a date that agreed with another clock ended the doubt",
    )?;
    // Set right again, it is the one that agreed.
    bench.clock.set(START);
    let sure = first.gate(id).await?.now.sure;
    holds(sure, "the clock that a date agreed with is not sure")
}

pub(super) async fn a_moment_is_sure_after_a_date_agreed(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("order", 1)?).await?;
    holds(!owned.now.sure, "a clock is sure that nobody confirmed")?;
    let (id, epoch) = (owned.record.id, owned.record.epoch);
    first.record(id, epoch, dated(0, DateSeen::Agrees)).await?;
    bench.clock.pass(Duration::from_secs(60));
    for handle in [&first, &second] {
        let sure = handle.gate(id).await?.now.sure;
        holds(sure, "a date agreed, and the clock is not sure")?;
    }
    // Set by hours since, or of another boot: it was not that clock that was right.
    bench.clock.set(START.plus(Duration::from_secs(7_200)));
    let sure = second.gate(id).await?.now.sure;
    holds(!sure, "a clock that was set is still sure")?;
    bench.clock.set(START.plus(Duration::from_secs(60)));
    let claim = charge("sure", 1)?;
    let identity = claim.identity.clone();
    holds(
        second.ours(claim).await?.now.sure,
        "a claim is not told that the clock is sure",
    )?;
    let claimed = second.find(identity).await?.and_then(|record| record.lease);
    let sure = claimed.is_some_and(|lease| lease.claimed.sure);
    holds(sure, "what the clock was at the claim is not stored")?;
    bench.clock.reboot();
    let sure = second.gate(id).await?.now.sure;
    holds(
        !sure,
        "a clock is sure in a boot in which nobody confirmed it",
    )
}
