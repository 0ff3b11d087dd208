//! Another gateway: not while the first one may have the money, and at once after a definite no.

use payonce::{Decision, Error, Outcome};
use payonce_simulator::{Fault, RateLimit, When};

use super::replies::lost;
use crate::gateways::{Name, Result};
use crate::stage::{Order, Played, Stage};

pub(super) async fn play(stage: &mut Stage) -> Result<()> {
    in_doubt(stage).await?;
    resolved(stage).await?;
    declined(stage).await?;
    unsent(stage).await
}

/// The second attempt, at another gateway.
async fn at_another(stage: &Stage, order: &Order, gateway: Name) -> Result<Played> {
    let order = stage.moved(order, gateway)?;
    let intent = order.charge(gateway.good_card())?;
    Ok(stage.client.charge(intent.attempt(2)).await)
}

const fn is_refused(played: &Played) -> bool {
    matches!(played, Err(Error::PriorAttemptOpen { .. }))
}

/// Nothing else may start while an attempt is in doubt.
async fn in_doubt(stage: &mut Stage) -> Result<()> {
    let order = stage.order(Name::Stripe, "in doubt, another gateway is refused")?;
    let intent = order.charge(order.gateway.good_card())?;
    stage.gateways.go_dark(order.gateway)?;
    stage.gateways.plant(&order, lost(When::After))?;
    let first = stage.hasty_client()?.charge(intent.clone()).await;
    let mut played = at_another(stage, &order, Name::Moyasar).await?;
    stage.gateways.light_up()?;
    if matches!(first, Ok(Outcome::Unknown(_))) && is_refused(&played) {
        played = stage.client.charge(intent).await;
    }
    stage.report.add(&order, 1, &played);
    Ok(())
}

async fn resolved(stage: &mut Stage) -> Result<()> {
    let order = stage.order(Name::HyperPay, "in doubt, resolved, then another gateway")?;
    stage.gateways.plant(&order, lost(When::Before))?;
    let intent = order.charge(order.gateway.good_card())?;
    let first = stage.client.charge(intent).await;
    let mut played = at_another(stage, &order, Name::Stripe).await?;
    if let Ok(Outcome::Unknown(unknown)) = &first
        && is_refused(&played)
    {
        let what = "held, then resolved by a person";
        stage.report.hold(&order, &unknown.doubt, what);
        let (id, decision) = (unknown.operation.id, Decision::NotExecuted);
        let why = "HyperPay says on the telephone that it never came";
        let resolved = stage.client.resolve(id, decision, "a clerk", why);
        played = match resolved.await {
            Ok(Outcome::NoEffect(_)) => at_another(stage, &order, Name::Stripe).await?,
            other => other,
        };
    }
    stage.report.add(&order, 1, &played);
    Ok(())
}

async fn declined(stage: &mut Stage) -> Result<()> {
    let order = stage.order(Name::Stripe, "declined, then another gateway")?;
    let intent = order.charge(order.gateway.broke_card())?;
    let played = match stage.client.charge(intent).await {
        Ok(Outcome::Declined(_)) => at_another(stage, &order, Name::Moyasar).await?,
        other => other,
    };
    stage.report.add(&order, 1, &played);
    Ok(())
}

async fn unsent(stage: &mut Stage) -> Result<()> {
    let order = stage.order(Name::Moyasar, "429, then another gateway")?;
    let busy = Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: None,
    };
    stage.gateways.plant(&order, busy)?;
    let intent = order.charge(order.gateway.good_card())?;
    let played = match stage.hasty_client()?.charge(intent).await {
        Err(Error::Unavailable { .. }) => at_another(stage, &order, Name::HyperPay).await?,
        other => other,
    };
    stage.report.add(&order, 1, &played);
    Ok(())
}
