//! Attempts under one reference: a next one only after a definite no.

use super::bench::{
    Bench, Handle, Kept, charge, declined, holds, learned, of_tenant, ours_of, race, same,
    succeeded,
};
use crate::ledger::{Claimed, Conclusion, Learned, Record, Refused, Settle, Settled, UnsentReason};
use crate::operation::State;
use crate::outcome::{Doubt, NoEffectReason};

pub(super) async fn a_next_attempt_waits_for_a_definite_no(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    // In the order in which an operation may come through them.
    let open = [
        Conclusion::Hold {
            doubt: Doubt::InProgress,
            provider_id: None,
        },
        Conclusion::Pending {
            at: None,
            last_decline: None,
        },
        Conclusion::ActionRequired {
            action: None,
            last_decline: None,
        },
    ];
    let mut record = first.ours(charge("order", 1)?).await?.record;
    refuses(&second, "order", 2, |r| matches!(r, Refused::PriorOpen(_))).await?;
    for conclusion in open {
        first.end(&record, conclusion).await?;
        refuses(&second, "order", 2, |r| matches!(r, Refused::PriorOpen(_))).await?;
        record = first.ours(charge("order", 1)?).await?.record;
    }
    first.end(&record, declined()).await?;
    refuses(&second, "order", 3, |r| {
        matches!(r, Refused::PriorMissing(2))
    })
    .await?;
    refuses(&second, "new", 2, |r| matches!(r, Refused::PriorMissing(1))).await?;
    let mut claims = Vec::new();
    for handle in [&first, &second] {
        claims.push((handle.clone(), charge("order", 2)?));
    }
    let claimed = race(claims).await?;
    holds(
        ours_of(&claimed) == 1,
        format!("attempt 2 was claimed twice: {claimed:?}"),
    )?;
    refuses(&first, "order", 1, |r| matches!(r, Refused::Later(_))).await?;
    let paid = first
        .settled(charge("paid", 1)?, succeeded("pi_1", 48_000)?)
        .await?;
    same("a success", &paid.state, &State::Succeeded)?;
    let is_paid = |r: &Refused| matches!(r, Refused::PriorSucceeded(_));
    refuses(&second, "paid", 2, is_paid).await
}

/// A claim that must be refused so, and must leave nothing.
async fn refuses(
    handle: &Handle,
    reference: &str,
    attempt: u32,
    so: impl Fn(&Refused) -> bool + Send,
) -> Kept {
    let claim = charge(reference, attempt)?;
    let identity = claim.identity.clone();
    let before = handle.find(identity.clone()).await?;
    let refused = handle.refused(claim).await?;
    let found = format!("attempt {attempt} of {reference:?} was refused as {refused:?}");
    holds(so(&refused), found)?;
    same(
        "what is stored after a refusal",
        &handle.find(identity).await?,
        &before,
    )
}

fn unsent() -> Conclusion {
    Conclusion::Unsent(UnsentReason::Unauthorized)
}

pub(super) async fn an_unsent_attempt_is_superseded(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("order", 1)?).await?.record;
    let ended = first.end(&owned, unsent()).await?;
    same("what was never sent", &ended.state, &State::Unsent)?;
    second.ours(charge("order", 2)?).await?;
    let replaced = first.row(owned.id).await?;
    same("the replaced attempt", &replaced.state, &State::NotExecuted)?;
    let why = replaced.standing.no_effect;
    same("why it ended", &why, &Some(NoEffectReason::Superseded))?;
    let gate = first.gate(owned.id).await?.epoch;
    holds(gate > ended.epoch, "its old owner could still send it")?;
    // Its owner comes back, and is told so.
    let settle = Settle::new(&owned, declined(), Learned::default());
    first.settle(settle).await?;
    let after = first.row(owned.id).await?;
    same(
        "the replaced attempt later",
        &after.state,
        &State::NotExecuted,
    )?;
    refuses(&first, "order", 1, |r| matches!(r, Refused::Later(_))).await?;
    refuses(&first, "order", 3, |r| matches!(r, Refused::PriorOpen(_))).await
}

pub(super) async fn two_attempts_exclude_each_other(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    for n in 0..25 {
        let reference = format!("order-{n}");
        first.settled(charge(&reference, 1)?, unsent()).await?;
        let mut claims = vec![
            (first.clone(), charge(&reference, 1)?),
            (second.clone(), charge(&reference, 2)?),
        ];
        if n % 2 == 1 {
            claims.reverse();
        }
        let claimed = race(claims).await?;
        let found = format!("attempts 1 and 2 of one reference were answered {claimed:?}");
        holds(ours_of(&claimed) == 1, found)?;
        let lost = |c: &Claimed| {
            let refused = matches!(
                c,
                Claimed::Refused(Refused::PriorOpen(_) | Refused::Later(_))
            );
            refused || matches!(c, Claimed::Ours(_))
        };
        let found = format!("the attempt that came second was answered {claimed:?}");
        holds(claimed.iter().all(lost), found)?;
    }
    Ok(())
}

/// Attempt 1 was declined, attempt 2 is open, and then attempt 1 is heard to have worked.
async fn contradicted(first: &Handle) -> Kept<(Record, Record)> {
    let one = first.ours(charge("order", 1)?).await?.record;
    first.end(&one, declined()).await?;
    let two = first.ours(charge("order", 2)?).await?.record;
    let success = succeeded("pi_1", 48_000)?;
    first
        .settle(Settle::new(&one, success, Learned::default()))
        .await?;
    Ok((one, two))
}

pub(super) async fn a_frozen_reference_is_left_alone(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let (one, two) = contradicted(&first).await?;
    same(
        "the contradicted attempt",
        &second.row(one.id).await?.state,
        &State::Declined,
    )?;
    let open = second.row(two.id).await?;
    holds(open.frozen, "the open attempt is not frozen")?;
    let gate = first.gate(two.id).await?;
    holds(
        gate.frozen && gate.epoch > two.epoch,
        "its owner could still send it",
    )?;
    let settle = Settle::new(&two, declined(), learned(0, 1));
    let settled = first.settle(settle).await?;
    let is_fenced = matches!(settled, Settled::Fenced(_));
    holds(is_fenced, format!("its old owner settled it: {settled:?}"))?;
    for attempt in [2, 3] {
        let frozen = |r: &Refused| matches!(r, Refused::Frozen(_));
        refuses(&second, "order", attempt, frozen).await?;
        refuses(&first, "order", attempt, frozen).await?;
    }
    let alarms = second.desk().alarms(String::new()).await?;
    let of_one = alarms.iter().filter(|alarm| alarm.operation == one.id);
    holds(
        of_one.count() == 1,
        format!("a contradiction raised these alarms: {alarms:?}"),
    )?;
    // Another reference is not its business.
    second.ours(charge("other", 1)?).await?;
    Ok(())
}

pub(super) async fn an_attempt_is_found_by_its_number(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let one = first.settled(charge("order", 1)?, declined()).await?;
    let two = first.ours(charge("order", 2)?).await?.record;
    let other = first
        .ours(of_tenant(charge("order", 1)?, "shop"))
        .await?
        .record;
    holds(other.id != one.id, "two tenants share an operation")?;
    for record in [&one, &two, &other] {
        let found = second.find(record.identity.clone()).await?;
        same("an attempt by its name", &found.as_ref(), &Some(record))?;
    }
    let all = second.desk().attempts(one.identity.clone()).await?;
    same(
        "the attempts under a reference",
        &all,
        &vec![one.clone(), two],
    )?;
    let mut third = one.identity;
    third.attempt = 3;
    let none = second.find(third.clone()).await?;
    same("an attempt that is not there", &none, &None)?;
    "nobody".clone_into(&mut third.tenant);
    let none = second.desk().attempts(third).await?;
    holds(
        none.is_empty(),
        format!("a tenant sees another's: {none:?}"),
    )
}
