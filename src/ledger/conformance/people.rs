//! What people decide and see.

use super::bench::{
    Bench, Handle, Kept, LEASE, charge, declined, holds, learned, of_tenant, on, payment, same,
    sar, succeeded,
};
use crate::ledger::{
    AlarmKind, Conclusion, Decided, Decision, Learned, Record, Resolution, Settle, Settled,
    UnsentReason,
};
use crate::operation::{OperationId, OperationKind, State};
use crate::outcome::{Doubt, NoEffectReason};

fn resolution(id: OperationId, decision: Decision) -> Resolution {
    Resolution {
        id,
        tenant: String::new(),
        decision,
        who: "Noor".to_owned(),
        why: "seen in the dashboard".to_owned(),
    }
}

async fn withdraw(handle: &Handle, record: &Record, tenant: &str) -> Kept<Decided> {
    Ok(handle.desk().withdraw(record.id, tenant.to_owned()).await?)
}

pub(super) async fn only_what_was_never_sent_is_withdrawn(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("order", 1)?).await?.record;
    for handle in [&first, &second] {
        let decided = withdraw(handle, &owned, "").await?;
        let found = format!("an operation that is being sent was withdrawn: {decided:?}");
        holds(matches!(decided, Decided::Refused(_)), found)?;
    }
    let unsent = || Conclusion::Unsent(UnsentReason::Unauthorized);
    first.end(&owned, unsent()).await?;
    let decided = withdraw(&second, &owned, "shop").await?;
    let found = format!("a foreign tenant's withdrawal was answered {decided:?}");
    holds(matches!(decided, Decided::Absent), found)?;
    let decided = withdraw(&second, &owned, "").await?;
    let found = format!("an unsent operation's withdrawal was answered {decided:?}");
    holds(matches!(decided, Decided::Done(_)), found)?;
    let row = first.row(owned.id).await?;
    let is = (row.state, row.standing.no_effect);
    same(
        "it",
        &is,
        &(State::NotExecuted, Some(NoEffectReason::Withdrawn)),
    )?;
    first.ours(charge("order", 2)?).await?;
    let doubt = Conclusion::Hold {
        doubt: Doubt::InProgress,
        provider_id: None,
    };
    for (reference, conclusion) in [("unknown", doubt), ("paid", succeeded("pi_1", 48_000)?)] {
        let ended = first.settled(charge(reference, 1)?, conclusion).await?;
        let decided = withdraw(&second, &ended, "").await?;
        let found = format!("an operation that is {} was withdrawn", ended.state);
        holds(matches!(decided, Decided::Refused(_)), found)?;
    }
    Ok(())
}

pub(super) async fn nobody_decides_over_a_live_owner(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let claim = charge("order", 1)?;
    let owned = first.ours(claim).await?.record;
    for handle in [&first, &second] {
        let decided = handle
            .desk()
            .resolve(resolution(owned.id, Decision::NotExecuted))
            .await?;
        let found = format!("it was decided over a live owner: {decided:?}");
        holds(matches!(decided, Decided::Refused(_)), found)?;
    }
    same("the row", &second.row(owned.id).await?, &owned)?;
    bench.kill(first);
    let decided = second
        .desk()
        .resolve(resolution(owned.id, Decision::NotExecuted))
        .await?;
    let found = format!("a dead owner's operation was decided as {decided:?}");
    holds(matches!(decided, Decided::Done(_)), found)?;
    let row = second.row(owned.id).await?;
    let is = (row.state, row.standing.no_effect, row.lease);
    same(
        "it",
        &is,
        &(State::NotExecuted, Some(NoEffectReason::Resolved), None),
    )
}

pub(super) async fn a_decision_is_stored_and_fences(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("order", 1)?).await?.record;
    first.end(&owned, declined()).await?;
    // It is heard to have worked after all: the reference freezes.
    let late = Settle::new(&owned, succeeded("pi_1", 48_000)?, Learned::default());
    first.settle(late).await?;
    holds(
        second.row(owned.id).await?.frozen,
        "a contradiction froze nothing",
    )?;
    let paid = || {
        resolution(
            owned.id,
            Decision::Succeeded {
                provider_id: "pi_1".to_owned(),
                money: owned.money,
            },
        )
    };
    let mut foreign = paid();
    "shop".clone_into(&mut foreign.tenant);
    let decided = second.desk().resolve(foreign).await?;
    let found = format!("a foreign tenant's decision was answered {decided:?}");
    holds(matches!(decided, Decided::Absent), found)?;
    let decided = second.desk().resolve(paid()).await?;
    let row = first.row(owned.id).await?;
    let is_shown = matches!(&decided, Decided::Done(record) if **record == row);
    holds(is_shown, format!("a decision was answered {decided:?}"))?;
    same("it", &(row.state, row.frozen), &(State::Succeeded, false))?;
    // From then on it is a payment.
    let refund = on(OperationKind::Refund, "r1", "pi_1", 48_000)?;
    first.ours(refund).await?;
    let stored = first.desk().payment(payment("pi_1")).await?;
    let money = stored.map(|stored| stored.money);
    same("the payment that was resolved", &money, &Some(sar(48_000)?))?;
    fences(&bench).await
}

/// Whoever had an operation before a person decided brings nothing into it.
async fn fences(bench: &Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("fenced", 1)?).await?.record;
    bench.clock.pass(LEASE);
    let decided = second
        .desk()
        .resolve(resolution(owned.id, Decision::NotExecuted))
        .await?;
    let found = format!("a lapsed claim was decided as {decided:?}");
    holds(matches!(decided, Decided::Done(_)), found)?;
    let gate = first.gate(owned.id).await?.epoch;
    holds(gate > owned.epoch, "its old owner could still send it")?;
    let settled = first
        .settle(Settle::new(&owned, declined(), learned(0, 1)))
        .await?;
    let found = format!("its old owner settled what a person decided: {settled:?}");
    holds(matches!(settled, Settled::Fenced(_)), found)?;
    let row = second.row(owned.id).await?;
    same("it later", &row.state, &State::NotExecuted)?;
    second.ours(charge("fenced", 2)?).await?;
    Ok(())
}

pub(super) async fn an_alarm_is_seen_once(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    for tenant in ["", "shop"] {
        let claim = of_tenant(charge("order", 1)?, tenant);
        let key_used = Conclusion::Hold {
            doubt: Doubt::KeyUsedElsewhere,
            provider_id: None,
        };
        first.settled(claim, key_used).await?;
    }
    let alarms = async || second.desk().alarms(String::new()).await;
    let open = alarms().await?;
    let kinds: Vec<_> = open.iter().map(|alarm| alarm.kind).collect();
    same(
        "the alarms of a tenant",
        &kinds,
        &vec![AlarmKind::KeyUsedElsewhere],
    )?;
    let Some(alarm) = open.first() else {
        return Ok(());
    };
    let see = async |number: i64, tenant: &str| {
        let (tenant, who) = (tenant.to_owned(), "Noor".to_owned());
        first.desk().acknowledge(number, tenant, who).await
    };
    holds(
        !see(alarm.number, "shop").await?,
        "a foreign tenant acknowledged an alarm",
    )?;
    holds(
        !see(alarm.number.saturating_add(100), "").await?,
        "no alarm was acknowledged",
    )?;
    same(
        "the alarms before anybody saw them",
        &alarms().await?,
        &open,
    )?;
    holds(
        see(alarm.number, "").await?,
        "an alarm was not acknowledged",
    )?;
    holds(
        !see(alarm.number, "").await?,
        "an alarm was acknowledged twice",
    )?;
    holds(
        alarms().await?.is_empty(),
        "an alarm is shown that somebody saw",
    )?;
    let others = second.desk().alarms("shop".to_owned()).await?;
    holds(others.len() == 1, "another tenant's alarm was acknowledged")
}
