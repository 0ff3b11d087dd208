//! Who may drive an operation, and what is durable when a claim is answered.

use std::time::Duration;

use super::bench::{
    Bench, Found, Kept, LEASE, MS, START, account, charge, declined, fingerprint, holds, of_tenant,
    ours_of, race, same,
};
use crate::clock::Clock;
use crate::ledger::{Claim, Claimed, Refused, Rendered};
use crate::operation::State;
use crate::provider::{IdempotencyKey, OnRepeat};

pub(super) async fn a_claim_is_exclusive(bench: Bench) -> Kept {
    let handles = bench.open_some(4).await;
    for n in 0..25 {
        let reference = format!("order-{n}");
        let mut claims = Vec::new();
        for handle in &handles {
            claims.push((handle.clone(), charge(&reference, 1)?));
        }
        let claimed = race(claims).await?;
        let busy = |c: &&Claimed| matches!(c, Claimed::Busy(_));
        let counted = (ours_of(&claimed), claimed.iter().filter(busy).count());
        let found = format!("of four claims of one operation these were answered: {claimed:?}");
        holds(counted == (1, handles.len().saturating_sub(1)), found)?;
        let mut keys: Vec<_> = claimed.iter().filter_map(key_in).collect();
        keys.dedup();
        holds(keys.len() == 1, "one operation was shown with several keys")?;
    }
    Ok(())
}

fn key_in(claimed: &Claimed) -> Option<&IdempotencyKey> {
    match claimed {
        Claimed::Ours(owned) => Some(&owned.record.key),
        Claimed::Final(record) | Claimed::Busy(record) => Some(&record.key),
        Claimed::Refused(_) | Claimed::Absent => None,
    }
}

pub(super) async fn a_claim_is_durable(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let mut stored = Vec::new();
    for n in 0..20 {
        let claim = charge(&format!("order-{n}"), 1)?;
        let identity = claim.identity.clone();
        let owned = first.ours(claim).await?.record;
        same("another handle's row", &second.row(owned.id).await?, &owned)?;
        let found = second.find(identity).await?;
        same("the row by its name", &found, &Some(owned.clone()))?;
        stored.push(owned);
    }
    // Many at once: a store that writes them together answers none of them early.
    let mut claims = Vec::new();
    for n in 0..60 {
        let handle = if n % 2 == 0 { &first } else { &second };
        claims.push((handle.clone(), charge(&format!("many-{n}"), 1)?));
    }
    for claimed in race(claims).await? {
        let Claimed::Ours(owned) = claimed else {
            return Err(Found(format!("a new operation was answered {claimed:?}")));
        };
        stored.push(owned.record);
    }
    drop((first, second));
    let later = bench.open().await;
    for record in stored {
        let row = later.row(record.id).await?;
        same("the row after a restart", &row, &record)?;
    }
    Ok(())
}

pub(super) async fn a_dead_owner_is_taken_over(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let claim = charge("order", 1)?;
    let dead = first.ours(claim.clone()).await?.record;
    second.busy(claim.clone()).await?;
    bench.kill(first);
    let taken = second.ours(claim).await?;
    let record = taken.record;
    same("its epoch", &record.epoch, &dead.epoch.saturating_add(1))?;
    same("the number of its sends", &record.maybe_sent, &1)?;
    same("the state it was found in", &taken.found, &State::Sending)?;
    let since = record.window_from.map(|moment| moment.at);
    same("the start of its key's age", &since, &Some(START))?;
    let owner = record.lease.map(|lease| lease.owner);
    let old = dead.lease.map(|lease| lease.owner);
    holds(owner.is_some() && owner != old, "two handles are one owner")
}

pub(super) async fn a_lapsed_lease_is_taken_over(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let claim = charge("order", 1)?;
    let slow = first.ours(claim.clone()).await?.record;
    let until = slow.lease.as_ref().map(|lease| lease.until);
    same("its lease", &until, &Some(START.plus(LEASE)))?;
    bench.clock.pass(LEASE.saturating_sub(MS));
    second.busy(claim.clone()).await?;
    bench.clock.pass(MS);
    let taken = second.ours(claim).await?.record;
    same("its epoch", &taken.epoch, &slow.epoch.saturating_add(1))?;
    same("the number of its sends", &taken.maybe_sent, &1)?;
    same(
        "the other's gate",
        &first.gate(slow.id).await?.epoch,
        &taken.epoch,
    )
}

pub(super) async fn a_request_is_stored_byte_for_byte(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let claim = charge("order", 1)?;
    let rendered = rendered(&claim)?.clone();
    let made = first.ours(claim).await?;
    same(
        "the request of a new claim",
        &made.request,
        &rendered.request,
    )?;
    bench.kill(first);
    // The same intent, rendered anew: with another key, other bytes, another rule.
    let mut again = charge("order", 1)?;
    if let Some(rendered) = &mut again.rendered {
        rendered.account = account("second");
        rendered.rule.on_repeat = OnRepeat::RunsAgain;
        rendered.request.path.push_str("&new");
    }
    let taken = second.ours(again).await?;
    holds(
        taken.request == rendered.request,
        "the stored request was sent back changed",
    )?;
    let record = taken.record;
    same("its id", &record.id, &rendered.id)?;
    same("its key", &record.key, &rendered.key)?;
    same("its account", &record.account, &rendered.account)?;
    same("its rule", &record.rule, &rendered.rule)
}

pub(super) fn rendered(claim: &Claim) -> Kept<&Rendered> {
    let rendered = claim.rendered.as_ref();
    rendered.ok_or_else(|| Found("the kit itself is wrong: nothing is rendered".to_owned()))
}

pub(super) async fn a_key_belongs_to_one_operation(bench: Bench) -> Kept {
    let handles = bench.open_some(2).await;
    for n in 0..10 {
        let key = IdempotencyKey::new(format!("shared-{n}"));
        let with_key = |reference: String, label| {
            let mut claim = charge(&reference, 1)?;
            if let Some(rendered) = &mut claim.rendered {
                rendered.key = key.clone();
                rendered.account = account(label);
            }
            Ok::<_, Found>(claim)
        };
        let mut claims = Vec::new();
        for (place, handle) in handles.iter().enumerate() {
            claims.push((
                handle.clone(),
                with_key(format!("order-{n}-{place}"), "main")?,
            ));
        }
        let claimed = race(claims).await?;
        let refused = |c: &&Claimed| matches!(c, Claimed::Refused(Refused::KeyInUse));
        let counted = (ours_of(&claimed), claimed.iter().filter(refused).count());
        let found = format!("two operations with one key were answered {claimed:?}");
        holds(counted == (1, 1), found)?;
        if let Some(handle) = handles.first() {
            // A key is the gateway account's: elsewhere it is another one.
            handle
                .ours(with_key(format!("order-{n}-else"), "second")?)
                .await?;
            let refused = with_key(format!("order-{n}-none"), "main")?;
            let identity = refused.identity.clone();
            handle.refused(refused).await?;
            let stored = handle.find(identity).await?;
            holds(stored.is_none(), "a refused operation was stored")?;
        }
    }
    Ok(())
}

fn another_amount(claim: &mut Claim) {
    claim.fingerprint = fingerprint(48_001);
}

pub(super) async fn another_intent_is_refused(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let made = first.ours(charge("order", 1)?).await?.record;
    let other = |change: fn(&mut Claim)| {
        let mut claim = charge("order", 1)?;
        change(&mut claim);
        Ok::<_, Found>(claim)
    };
    let changes = [
        ("amount", another_amount as fn(&mut Claim)),
        ("account", |claim| claim.via = Some(account("second"))),
        ("key", |claim| claim.key = Some(IdempotencyKey::new("mine"))),
    ];
    let mut stored = made.clone();
    for settled in [false, true] {
        if settled {
            stored = first.end(&made, declined()).await?;
        }
        for (field, change) in changes {
            let refused = second.refused(other(change)?).await?;
            let Refused::Mismatch(fields, record) = refused else {
                return Err(Found(format!("another {field} was refused as {refused:?}")));
            };
            same("the fields that differ", &fields, &vec![field.to_owned()])?;
            same("the row that is shown", &*record, &stored)?;
        }
        same("the stored row", &second.row(made.id).await?, &stored)?;
    }
    let again = second.claim(charge("order", 1)?).await?;
    let is_final = matches!(&again, Claimed::Final(record) if **record == stored);
    holds(
        is_final,
        format!("a settled operation was answered {again:?}"),
    )
}

pub(super) async fn only_what_is_given_is_made(bench: Bench) -> Kept {
    let handle = bench.open().await;
    let mut claim = charge("order", 1)?;
    let identity = claim.identity.clone();
    let rendered = claim.rendered.take();
    let claimed = handle.claim(claim.clone()).await?;
    let is_absent = matches!(claimed, Claimed::Absent);
    holds(
        is_absent,
        format!("a claim of nothing was answered {claimed:?}"),
    )?;
    same("what is stored", &handle.find(identity).await?, &None)?;
    // With a row there, nothing need be rendered: it is in the store.
    let made = Claim {
        rendered,
        ..claim.clone()
    };
    let first = handle.ours(made).await?;
    let again = handle.ours(claim.clone()).await?;
    holds(
        again.request == first.request,
        "the stored request was lost",
    )?;
    same("the owner's own next epoch", &again.record.epoch, &2)?;
    claim.accounts = vec![account("second")];
    let refused = handle.refused(claim).await?;
    let is_not_ours = matches!(refused, Refused::NoAccount(_));
    holds(
        is_not_ours,
        format!("another account's row was refused as {refused:?}"),
    )
}

pub(super) async fn the_time_to_send_is_renewed_on_request_only(bench: Bench) -> Kept {
    let handle = bench.open().await;
    let made = handle.ours(charge("order", 1)?).await?.record;
    let later = START.plus(Duration::from_secs(9_999));
    for (renew, should) in [(false, made.send_until), (true, later), (false, later)] {
        let send_until = if renew { later } else { bench.clock.now() };
        let claim = Claim {
            send_until,
            renew,
            ..charge("order", 1)?
        };
        let record = handle.ours(claim).await?.record;
        same("the time until it may be sent", &record.send_until, &should)?;
        let gate = handle.gate(made.id).await?.send_until;
        same("the time that a send is told", &gate, &should)?;
    }
    Ok(())
}

pub(super) async fn one_salt_is_made_with_the_store(bench: Bench) -> Kept {
    let salt = {
        let (first, second) = (bench.open().await, bench.open().await);
        let salt = first.fingerprint_salt();
        same("another handle's salt", &second.fingerprint_salt(), &salt)?;
        salt
    };
    let later = bench.open().await;
    same("the salt after a restart", &later.fingerprint_salt(), &salt)?;
    holds(salt != [0; 32], "the salt is not random")?;
    // Tenants share it: it belongs to the store.
    later.ours(of_tenant(charge("order", 1)?, "shop")).await?;
    same("the salt after a claim", &later.fingerprint_salt(), &salt)
}
