//! What an owner may still write that was replaced, and what is written twice.

use super::bench::{
    Bench, Found, Handle, Kept, LEASE, charge, declined, holds, learned, same, succeeded,
};
use crate::ledger::{
    Conclusion, Exchange, Learned, Purpose, Record, Settle, Settled, UnsentReason,
};
use crate::operation::{OperationId, State};
use crate::outcome::Doubt;
use crate::provider::{NextAction, Refusal};

/// An owner that slept, and the one that took over from it.
struct Replaced {
    old: Handle,
    stale: Record,
    new: Handle,
    taken: Record,
}

async fn replaced(bench: &Bench, reference: &str) -> Kept<Replaced> {
    let (old, new) = (bench.open().await, bench.open().await);
    let stale = old.ours(charge(reference, 1)?).await?.record;
    bench.clock.pass(LEASE);
    let taken = new.ours(charge(reference, 1)?).await?.record;
    Ok(Replaced {
        old,
        stale,
        new,
        taken,
    })
}

fn hold() -> Conclusion {
    Conclusion::Hold {
        doubt: Doubt::InProgress,
        provider_id: None,
    }
}

pub(super) async fn an_old_epoch_settles_nothing(bench: Bench) -> Kept {
    let Replaced {
        old,
        stale,
        new,
        taken,
    } = replaced(&bench, "order").await?;
    let action = NextAction::new("pi_1", "redirect").with_url(Some("https://gateway.example/p"));
    let late = [
        declined(),
        Conclusion::Rejected(Refusal::new("wrong")),
        Conclusion::Canceled(Refusal::new("ended")),
        Conclusion::Unsent(UnsentReason::Unauthorized),
        Conclusion::ActionRequired {
            action: Some(action),
            last_decline: None,
        },
        Conclusion::Pending {
            at: None,
            last_decline: None,
        },
        hold(),
    ];
    for conclusion in late {
        let settle = Settle::new(&stale, conclusion, learned(0, 1));
        let settled = old.settle(settle.clone()).await?;
        let found = format!("an old epoch settled {settle:?} as {settled:?}");
        holds(matches!(settled, Settled::Fenced(_)), found)?;
        let row = new.row(stale.id).await?;
        let is = (
            row.state,
            row.epoch,
            row.maybe_sent,
            &row.lease,
            &row.standing,
        );
        let should = (
            taken.state,
            taken.epoch,
            taken.maybe_sent,
            &taken.lease,
            &taken.standing,
        );
        same("the row after an old epoch's settlement", &is, &should)?;
    }
    let ended = new.end(&taken, declined()).await?;
    same("the new owner's settlement", &ended.state, &State::Declined)
}

pub(super) async fn a_late_success_is_evidence(bench: Bench) -> Kept {
    let Replaced {
        old,
        stale,
        new,
        taken,
    } = replaced(&bench, "order").await?;
    let success = succeeded("pi_1", 48_000)?;
    let settled = old
        .settle(Settle::new(&stale, success, Learned::default()))
        .await?;
    let applied = matches!(&settled, Settled::Applied(r) if r.state == State::Succeeded);
    holds(applied, format!("a late success was answered {settled:?}"))?;
    let row = new.row(stale.id).await?;
    same("the row", &row.state, &State::Succeeded)?;
    holds(
        new.gate(stale.id).await?.epoch > taken.epoch,
        "the new owner could still send what has succeeded",
    )?;
    let settled = new
        .settle(Settle::new(&taken, hold(), learned(0, 1)))
        .await?;
    let row = new.row(stale.id).await?;
    let found = format!("a success was undone: {settled:?}");
    holds(row.state == State::Succeeded, found)
}

pub(super) async fn an_old_epoch_records_only_its_exchange(bench: Bench) -> Kept {
    let Replaced {
        old,
        stale,
        new,
        taken,
    } = replaced(&bench, "order").await?;
    let mut news = learned(0, 7);
    news.stored_error = true;
    news.provider_id = Some("pi_1".to_owned());
    old.record(stale.id, stale.epoch, news.clone()).await?;
    let row = new.row(stale.id).await?;
    same("the sends that are known", &row.sends, &1)?;
    let is = (row.maybe_sent, row.maybe_sent_open, row.stored_error);
    same("what an old epoch taught", &is, &(1, 0, false))?;
    same("the standing", &row.standing, &taken.standing)?;
    new.record(stale.id, taken.epoch, news).await?;
    let row = new.row(stale.id).await?;
    let is = (row.sends, row.maybe_sent_open, row.stored_error);
    same("what the owner taught", &is, &(2, 7, true))?;
    let id = row.standing.provider_id.as_deref();
    same("the gateway's id", &id, &Some("pi_1"))?;
    // The count of the open claim is of that claim: whoever takes over adds it up.
    bench.clock.pass(LEASE);
    let third = old.ours(charge("order", 1)?).await?.record;
    same(
        "all sends",
        &(third.maybe_sent, third.maybe_sent_open),
        &(8, 0),
    )
}

pub(super) async fn exchanges_are_counted_once(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("order", 1)?).await?.record;
    for number in [0, 0, 1, 1] {
        first
            .record(owned.id, owned.epoch, learned(number, 1))
            .await?;
    }
    let mut look_up = Exchange::new(Purpose::LookUp, owned.created_at, "absent");
    look_up.number = 2;
    let mut all = learned(1, 2);
    all.exchanges.push(look_up);
    let hold = Settle::new(&owned, hold(), all);
    for _ in 0..2 {
        let ended = first.applied(hold.clone()).await?;
        same("its sends", &(ended.sends, ended.maybe_sent), &(2, 2))?;
    }
    same(
        "another handle's sends",
        &second.row(owned.id).await?.sends,
        &2,
    )?;
    // The next claim numbers its exchanges anew.
    let again = first.ours(charge("order", 1)?).await?.record;
    first.record(again.id, again.epoch, learned(0, 1)).await?;
    same("its sends later", &second.row(owned.id).await?.sends, &3)
}

pub(super) async fn a_settlement_counts_once(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let owned = first.ours(charge("order", 1)?).await?.record;
    let sent = owned.money;
    let doubt = Doubt::Mismatch {
        sent,
        got: None,
        provider_id: "pi_1".into(),
    };
    let mismatch = Conclusion::Hold {
        doubt,
        provider_id: Some("pi_1".to_owned()),
    };
    let settle = Settle::new(&owned, mismatch, learned(0, 3));
    let once = first.applied(settle.clone()).await?;
    let twice = first.applied(settle.clone()).await?;
    same("a settlement written twice", &twice, &once)?;
    let is = (once.state, once.maybe_sent, once.look_up_only);
    same("what it made of the row", &is, &(State::Unknown, 3, true))?;
    let alarms = second.desk().alarms(String::new()).await?;
    holds(alarms.len() == 1, format!("one mismatch raised {alarms:?}"))?;
    // It is still the same one after somebody else went on.
    let taken = second.ours(charge("order", 1)?).await?.record;
    first.settle(settle).await?;
    let row = second.row(owned.id).await?;
    let is = (row.state, row.epoch, row.maybe_sent);
    same("the row later", &is, &(State::Sending, taken.epoch, 3))
}

pub(super) async fn what_may_have_been_sent_is_never_unsent(bench: Bench) -> Kept {
    let handle = bench.open().await;
    let unsent = || Conclusion::Unsent(UnsentReason::Unauthorized);
    let owned = handle.ours(charge("now", 1)?).await?.record;
    let ended = handle
        .applied(Settle::new(&owned, unsent(), learned(0, 1)))
        .await?;
    same("what may have been sent", &ended.state, &State::Unknown)?;
    let owned = handle.ours(charge("before", 1)?).await?.record;
    handle.end(&owned, hold()).await?;
    let again = handle.ours(charge("before", 1)?).await?.record;
    let ended = handle.end(&again, unsent()).await?;
    same(
        "what may have been sent before",
        &ended.state,
        &State::Unknown,
    )?;
    let owned = handle.ours(charge("never", 1)?).await?.record;
    let ended = handle.end(&owned, unsent()).await?;
    same("what was never sent", &ended.state, &State::Unsent)?;
    let again = handle.ours(charge("never", 1)?).await?;
    same(
        "an unsent operation that is claimed again",
        &again.record.maybe_sent,
        &0,
    )?;
    same("the state it was found in", &again.found, &State::Unsent)
}

pub(super) async fn what_is_not_there_is_not_settled(bench: Bench) -> Kept {
    let handle = bench.open().await;
    let mut ghost = handle.ours(charge("order", 1)?).await?.record;
    ghost.id = OperationId::generate();
    let settled = handle.settle(Settle::new(&ghost, declined(), Learned::default()));
    let recorded = handle.record(ghost.id, 1, learned(0, 1));
    let based = handle.baseline(ghost.id, 1, "refunded 0".to_owned());
    let none = (settled.await.is_err(), recorded.await.is_err());
    let found = "a settlement or exchange of an unknown operation was answered as written";
    holds(none == (true, true), found)?;
    if let Ok(true) = based.await {
        return Err(Found(
            "a baseline of an unknown operation was stored".to_owned(),
        ));
    }
    holds(
        handle.check(ghost.id).await?.is_none(),
        "an unknown operation may be sent",
    )?;
    same("what is read", &handle.read(ghost.id).await?, &None)
}
