//! Payments at the gateways, with all their names, and what is read of them before a send.

use super::bench::{
    Bench, Found, Handle, Kept, account, charge, declined, holds, of_tenant, on, payment, same,
    sar, succeeded, with_baseline,
};
use crate::ledger::{Claim, Guarded, Refused};
use crate::money::{Currency, Money};
use crate::operation::OperationKind;
use crate::payment::Adopted;

const CAPTURE: OperationKind = OperationKind::Capture;
const REFUND: OperationKind = OperationKind::Refund;
const VOID: OperationKind = OperationKind::Void;

async fn guarded(handle: &Handle, claim: Claim, so: fn(&Guarded) -> bool) -> Kept {
    let refused = handle.refused(claim).await?;
    let is_so = matches!(&refused, Refused::Guarded(guarded) if so(guarded));
    holds(
        is_so,
        format!("an operation on a payment was refused as {refused:?}"),
    )
}

pub(super) async fn a_payment_is_known_by_all_its_names(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let mut authorize = charge("order", 1)?;
    authorize.kind = OperationKind::Authorize;
    let made = first.settled(authorize, succeeded("pi_1", 48_000)?).await?;
    let capture = on(CAPTURE, "c1", "pi_1", 30_000)?;
    let captured = first.settled(capture, succeeded("ca_1", 30_000)?).await?;
    same(
        "the payment that it names",
        &captured.parent.as_deref(),
        &Some("pi_1"),
    )?;
    // By the capture's name, and that refund has a name as well.
    let refund = on(REFUND, "r1", "ca_1", 10_000)?;
    let refunded = first.settled(refund, succeeded("re_1", 10_000)?).await?;
    for name in ["pi_1", "ca_1", "re_1"] {
        let Some(stored) = second.desk().payment(payment(name)).await? else {
            return Err(Found(format!("the payment is not known as {name}")));
        };
        same("who made it", &stored.made_by.as_deref(), &Some(&made))?;
        same("its amount", &stored.money, &made.money)?;
        let operations = vec![captured.clone(), refunded.clone()];
        same("what was asked of it", &stored.operations, &operations)?;
        let too_much = on(REFUND, "r2", name, 20_001)?;
        guarded(&second, too_much, |g| {
            matches!(g, Guarded::ExceedsParent(_))
        })
        .await?;
    }
    second.ours(on(REFUND, "r2", "re_1", 20_000)?).await?;
    let mut elsewhere = payment("pi_1");
    elsewhere.account = account("second");
    let none = second.desk().payment(elsewhere).await?;
    same("another account's payment of that id", &none, &None)
}

pub(super) async fn only_a_success_is_a_payment(bench: Bench) -> Kept {
    let handle = bench.open().await;
    let no_payment = |g: &Guarded| matches!(g, Guarded::NoPayment);
    let owned = handle.ours(charge("order", 1)?).await?.record;
    guarded(&handle, on(REFUND, "r1", "pi_1", 1)?, no_payment).await?;
    handle.end(&owned, declined()).await?;
    guarded(&handle, on(REFUND, "r1", "pi_1", 1)?, no_payment).await?;
    same(
        "a declined payment",
        &handle.desk().payment(payment("pi_1")).await?,
        &None,
    )?;
    handle
        .settled(charge("order", 2)?, succeeded("pi_1", 48_000)?)
        .await?;
    let foreign = of_tenant(on(REFUND, "r1", "pi_1", 1)?, "shop");
    guarded(&handle, foreign, no_payment).await?;
    let mut dollars = on(REFUND, "r1", "pi_1", 1)?;
    dollars.money = Money::from_minor(1, Currency::USD)?;
    guarded(&handle, dollars, |g| matches!(g, Guarded::OtherCurrency(_))).await?;
    let capture = on(CAPTURE, "c1", "pi_1", 1)?;
    guarded(&handle, capture, |g| matches!(g, Guarded::NothingToCapture)).await?;
    handle.ours(on(REFUND, "r1", "pi_1", 48_000)?).await?;
    Ok(())
}

pub(super) async fn an_adopted_payment_is_stored_once(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let facts = Adopted::authorization(payment("pi_1"), sar(10_000)?)
        .captured(6_000)
        .refunded(1_000);
    let stored = first.desk().adopt(facts, String::new()).await?;
    let other = Adopted::charge(payment("pi_1"), sar(90_000)?);
    let again = second.desk().adopt(other.clone(), String::new()).await?;
    same("a payment that is adopted again", &again, &stored)?;
    same("what was captured before", &stored.before.captured, &6_000)?;
    let exceeds = |g: &Guarded| matches!(g, Guarded::ExceedsParent(_));
    guarded(&second, on(CAPTURE, "c1", "pi_1", 4_001)?, exceeds).await?;
    guarded(&second, on(REFUND, "r1", "pi_1", 5_001)?, exceeds).await?;
    guarded(&second, on(VOID, "v1", "pi_1", 10_000)?, exceeds).await?;
    // Nor is one that the ledger knows by another name, or made itself.
    let capture = on(CAPTURE, "c1", "pi_1", 4_000)?;
    first.settled(capture, succeeded("ca_1", 4_000)?).await?;
    let mut alias = other;
    alias.payment = payment("ca_1");
    let again = second.desk().adopt(alias.clone(), String::new()).await?;
    same("the amount of a known payment", &again.money, &sar(10_000)?)?;
    let made = first
        .settled(charge("order", 1)?, succeeded("pi_2", 48_000)?)
        .await?;
    alias.payment = payment("pi_2");
    let again = second.desk().adopt(alias, String::new()).await?;
    same(
        "who made a known payment",
        &again.made_by.as_deref(),
        &Some(&made),
    )
}

pub(super) async fn a_baseline_is_stored_once(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let adopted = Adopted::charge(payment("pi_1"), sar(10_000)?);
    first.desk().adopt(adopted, String::new()).await?;
    let claim = with_baseline(on(REFUND, "r1", "pi_1", 4_000)?);
    let owned = first.ours(claim.clone()).await?.record;
    let store = |handle: &Handle, epoch, text: &str| {
        let (handle, text) = (handle.clone(), text.to_owned());
        async move { handle.baseline(owned.id, epoch, text).await }
    };
    let foreign = store(&second, owned.epoch.saturating_add(1), "foreign").await?;
    holds(!foreign, "a baseline of another epoch was stored")?;
    holds(
        store(&first, owned.epoch, "refunded 0").await?,
        "the owner's baseline was refused",
    )?;
    let twice = store(&first, owned.epoch, "refunded 40").await?;
    holds(!twice, "a baseline was stored twice")?;
    let stored = second.row(owned.id).await?.baseline;
    same("the baseline", &stored.as_deref(), &Some("refunded 0"))?;
    // The other one waits: the two could not be told apart at the gateway.
    let other = with_baseline(on(REFUND, "r2", "pi_1", 1)?);
    guarded(&second, other, |g| matches!(g, Guarded::ParentBusy(_))).await?;
    let ended = first.end(&owned, declined()).await?;
    same("the baseline of what has ended", &ended.baseline, &stored)?;
    let late = store(&first, owned.epoch, "late").await?;
    holds(!late, "a baseline was stored without a claim")
}

pub(super) async fn without_its_baseline_nothing_was_sent(bench: Bench) -> Kept {
    let later = bench.open().await;
    for (stored, sends) in [(false, 0), (true, 1)] {
        let id = format!("pi_{stored}");
        let adopted = Adopted::charge(payment(&id), sar(10_000)?);
        later.desk().adopt(adopted, String::new()).await?;
        let claim = with_baseline(on(REFUND, &id, &id, 4_000)?);
        let first = bench.open().await;
        let owned = first.ours(claim.clone()).await?.record;
        if stored {
            let text = "refunded 0".to_owned();
            let done = first.baseline(owned.id, owned.epoch, text).await?;
            holds(done, "the owner's baseline was refused")?;
        }
        bench.kill(first);
        let taken = later.ours(claim).await?.record;
        let what = format!("the sends of a dead owner (baseline stored: {stored})");
        same(&what, &taken.maybe_sent, &sends)?;
        holds(
            taken.baseline.is_some() == stored,
            "a baseline was lost, or made up",
        )?;
    }
    Ok(())
}
