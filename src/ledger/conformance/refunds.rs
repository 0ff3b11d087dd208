//! The guards: never more of a payment than there is, whoever asks at once.

use super::bench::{
    Bench, Found, Handle, Kept, charge, declined, holds, on, ours_of, payment, race, same, sar,
    succeeded,
};
use crate::ledger::{Claim, Claimed, Conclusion, Guarded, Refused};
use crate::operation::OperationKind;
use crate::outcome::Doubt;
use crate::payment::Adopted;

const CAPTURE: OperationKind = OperationKind::Capture;
const REFUND: OperationKind = OperationKind::Refund;
const VOID: OperationKind = OperationKind::Void;

/// Races claims, one on each handle in turn, and sums up what was admitted.
async fn admitted(handles: &[Handle], claims: Vec<Claim>) -> Kept<i64> {
    let amounts: Vec<i64> = claims.iter().map(|claim| claim.money.minor()).collect();
    let turns = handles.iter().cycle().cloned();
    let claimed = race(turns.zip(claims)).await?;
    let mut sum: i64 = 0;
    for (claimed, amount) in claimed.iter().zip(amounts) {
        match claimed {
            Claimed::Ours(_) => sum = sum.saturating_add(amount),
            Claimed::Refused(Refused::Guarded(
                Guarded::ExceedsParent(_) | Guarded::ParentBusy(_),
            )) => {}
            Claimed::Final(_) | Claimed::Busy(_) | Claimed::Refused(_) | Claimed::Absent => {
                let found = format!("an operation on a payment was answered {claimed:?}");
                return Err(Found(found));
            }
        }
    }
    Ok(sum)
}

fn some(kind: OperationKind, parent: &str, minor: i64, count: u32) -> Kept<Vec<Claim>> {
    let name = |n| format!("{kind}-{parent}-{minor}-{n}");
    let claims = (0..count).map(|n| on(kind, &name(n), parent, minor));
    Ok(claims.collect::<Result<_, _>>()?)
}

pub(super) async fn refunds_never_exceed_the_payment(bench: Bench) -> Kept {
    let handles = bench.open_some(4).await;
    let Some(first) = handles.first() else {
        return Ok(());
    };
    for n in 0..10 {
        let (id, reference) = (format!("pi_{n}"), format!("order-{n}"));
        let paid = succeeded(&id, 48_000)?;
        first.settled(charge(&reference, 1)?, paid).await?;
        // 480.00 hold six of 77.00, and not seven.
        let sum = admitted(&handles, some(REFUND, &id, 7_700, 16)?).await?;
        same("what may be given back of 480.00", &sum, &46_200)?;
        let sum = admitted(&handles, some(REFUND, &id, 1_800, 4)?).await?;
        same("what may be given back of the last 18.00", &sum, &1_800)?;
    }
    // What is in doubt counts in full; only what definitely had no effect is free again.
    let adopted = Adopted::charge(payment("pi_a"), sar(10_000)?);
    first.desk().adopt(adopted, String::new()).await?;
    let refund = first.ours(on(REFUND, "r1", "pi_a", 8_000)?).await?.record;
    let hold = Conclusion::Hold {
        doubt: Doubt::InProgress,
        provider_id: None,
    };
    first.end(&refund, hold).await?;
    exceeds(first, on(REFUND, "r2", "pi_a", 2_001)?, 2_000).await?;
    let again = first.ours(on(REFUND, "r1", "pi_a", 8_000)?).await?.record;
    first.end(&again, declined()).await?;
    first.ours(on(REFUND, "r2", "pi_a", 10_000)?).await?;
    Ok(())
}

async fn exceeds(handle: &Handle, claim: Claim, left: i64) -> Kept {
    let refused = handle.refused(claim).await?;
    let Refused::Guarded(Guarded::ExceedsParent(money)) = refused else {
        return Err(Found(format!("too much was refused as {refused:?}")));
    };
    same("what is left", &money.minor(), &left)
}

pub(super) async fn captures_never_exceed_the_authorization(bench: Bench) -> Kept {
    let handles = bench.open_some(3).await;
    let Some(first) = handles.first() else {
        return Ok(());
    };
    for n in 0..10 {
        let id = format!("pi_{n}");
        let reserved = Adopted::authorization(payment(&id), sar(10_000)?);
        first.desk().adopt(reserved, String::new()).await?;
        let sum = admitted(&handles, some(CAPTURE, &id, 4_000, 9)?).await?;
        same("what may be captured of 100.00", &sum, &8_000)?;
        let refund = on(REFUND, &format!("early-{n}"), &id, 1)?;
        // What is captured only perhaps cannot be given back yet.
        exceeds(first, refund, 0).await?;
        // A void and a capture: one of both, whichever comes first.
        let id = format!("auth_{n}");
        let reserved = Adopted::authorization(payment(&id), sar(10_000)?);
        first.desk().adopt(reserved, String::new()).await?;
        let mut both = some(CAPTURE, &id, 10_000, 1)?;
        both.extend(some(VOID, &id, 10_000, 2)?);
        let claimed = race(handles.iter().cloned().zip(both)).await?;
        let found = format!("a capture and two voids of one payment were answered {claimed:?}");
        holds(ours_of(&claimed) == 1, found)?;
    }
    Ok(())
}

pub(super) async fn what_is_refused_leaves_nothing(bench: Bench) -> Kept {
    let handle = bench.open().await;
    let adopted = Adopted::charge(payment("pi_1"), sar(10_000)?);
    let before = handle.desk().adopt(adopted, String::new()).await?;
    let claim = on(REFUND, "r1", "pi_1", 10_001)?;
    let (identity, rendered) = (claim.identity.clone(), claim.rendered.clone());
    exceeds(&handle, claim, 10_000).await?;
    same("a refused refund", &handle.find(identity).await?, &None)?;
    let after = handle.desk().payment(payment("pi_1")).await?;
    same("its payment", &after, &Some(before))?;
    // Neither its reference nor its key nor its id is used up.
    let fitting = Claim {
        rendered,
        ..on(REFUND, "r1", "pi_1", 10_000)?
    };
    handle.ours(fitting).await?;
    Ok(())
}
