//! Ending what a customer left open.

use http::Method;

use super::bench::{Bench, Kept, charge, declined, holds, of_tenant, payment, same, succeeded};
use crate::ledger::{Claim, Claimed, Conclusion, Refused, StepRequest};
use crate::operation::{OperationKind, State};
use crate::outcome::NoEffectReason;
use crate::provider::{IdempotencyKey, NextAction, Refusal, Request};

fn page() -> Conclusion {
    Conclusion::ActionRequired {
        action: Some(NextAction::new("pi_1", "redirect")),
        last_decline: None,
    }
}

fn step(name: &str) -> StepRequest {
    let mut request = Request::new(Method::POST, format!("/v1/payments/pi_1/cancel?of={name}"));
    request.body = format!("reason={name}\0").into_bytes();
    StepRequest::new(IdempotencyKey::new(format!("close-{name}")), request)
}

/// The same claim, of somebody who does not want the money to move.
fn asking(mut claim: Claim) -> Claim {
    (claim.rendered, claim.renew) = (None, false);
    claim
}

pub(super) async fn a_close_is_stored_once(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let left = first.settled(charge("order", 1)?, page()).await?;
    let late = first.begin_close(left.id, left.epoch, step("late")).await?;
    holds(late.is_none(), "a close was stored without a claim")?;
    let owned = second.ours(asking(charge("order", 1)?)).await?.record;
    let foreign = first.begin_close(owned.id, left.epoch, step("old")).await?;
    holds(foreign.is_none(), "a close of another epoch was stored")?;
    let stored = second
        .begin_close(owned.id, owned.epoch, step("one"))
        .await?;
    same("the close", &stored, &Some(step("one")))?;
    holds(
        first.row(owned.id).await?.closing,
        "its row does not show it",
    )?;
    second.end(&owned, page()).await?;
    // Whoever goes on with it sends the same bytes under the same key.
    let again = first.ours(asking(charge("order", 1)?)).await?.record;
    let stored = first
        .begin_close(again.id, again.epoch, step("two"))
        .await?;
    same("the close, begun again", &stored, &Some(step("one")))?;
    let refused = Conclusion::CloseRefused(Box::new(page()));
    let open = first.end(&again, refused).await?;
    same(
        "it, after a refusal",
        &(open.state, open.closing),
        &(State::ActionRequired, false),
    )?;
    // What can take effect no more is no answer to the next one.
    let next = second.ours(asking(charge("order", 1)?)).await?.record;
    let stored = second
        .begin_close(next.id, next.epoch, step("three"))
        .await?;
    same("the next close", &stored, &Some(step("three")))?;
    second.end(&next, page()).await?;
    // Under the key of a step the gateway answers for that step, and for no other operation.
    let mut other = charge("other", 1)?;
    if let Some(rendered) = &mut other.rendered {
        rendered.key = step("one").key;
    }
    let answer = first.claim(other).await?;
    let is_refused = matches!(answer, Claimed::Refused(Refused::KeyInUse));
    holds(is_refused, "a step's key was given to another operation")?;
    // One that has ended is not ended again.
    let done = first.settled(charge("done", 1)?, declined()).await?;
    let stored = first.begin_close(done.id, done.epoch, step("four")).await?;
    holds(stored.is_none(), "what has ended was to be ended")
}

pub(super) async fn a_success_waits_for_the_close(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let ended = || Conclusion::Canceled(Refusal::new("canceled"));
    for (name, last, state) in [
        (
            "refused",
            Conclusion::CloseRefused(Box::new(page())),
            State::Succeeded,
        ),
        ("took effect", ended(), State::Canceled),
    ] {
        let mut claim = of_tenant(charge(name, 1)?, "shop");
        claim.kind = OperationKind::Authorize;
        first.settled(claim.clone(), page()).await?;
        let owned = first.ours(asking(claim.clone())).await?.record;
        first.begin_close(owned.id, owned.epoch, step(name)).await?;
        let id = format!("pi_{name}");
        let kept = first.end(&owned, succeeded(&id, 48_000)?).await?;
        same(
            "what is being ended",
            &(kept.state, kept.closing),
            &(State::ActionRequired, true),
        )?;
        let known = first.desk().payment(payment(&id)).await?;
        holds(
            known.is_none(),
            "a success was believed while a close may take effect",
        )?;
        let owned = second.ours(asking(claim.clone())).await?.record;
        let settled = second.end(&owned, last).await?;
        let is = (
            settled.state,
            settled.closing,
            settled.standing.effect.is_some(),
        );
        let paid = state == State::Succeeded;
        same(
            &format!("it, when the close {name}"),
            &is,
            &(state, false, paid),
        )?;
        let known = first.desk().payment(payment(&id)).await?;
        holds(
            known.is_some() == paid,
            "a payment is known that was ended, or not one that was made",
        )?;
        if !paid {
            let why = settled.standing.no_effect;
            same(
                "why it has no effect",
                &why,
                &Some(NoEffectReason::Canceled),
            )?;
            first
                .ours(of_tenant(charge("took effect", 2)?, "shop"))
                .await?;
        }
    }
    Ok(())
}
