//! Money that is reserved, taken, and given back.

use payonce::{Intent, Outcome, Payment};
use payonce_simulator::When;

use super::replies::lost;
use crate::gateways::{Name, Result};
use crate::stage::{Order, Stage, price};

pub(super) async fn play(stage: &mut Stage) -> Result<()> {
    for gateway in Name::ALL {
        let order = stage.order(gateway, "authorize")?;
        let played = stage
            .client
            .authorize(order.authorize(gateway.good_card())?)
            .await;
        stage.report.add(&order, 1, &played);
        let Ok(Outcome::Succeeded(authorized)) = played else {
            continue;
        };
        let Some(captured) = capture(stage, gateway, authorized.payment()).await? else {
            continue;
        };
        refund(stage, gateway, captured).await?;
    }
    Ok(())
}

/// The money of an authorization is taken, and nobody hears of it.
async fn capture(stage: &mut Stage, gateway: Name, payment: Payment) -> Result<Option<Payment>> {
    let order = stage.order(gateway, "capture, reply lost after the money moved")?;
    let id = payment.provider_id.clone();
    stage.gateways.plant_at(&id, lost(When::After))?;
    let played = stage
        .client
        .capture(Intent::capture(order.reference.as_str(), payment, price()?));
    let played = played.await;
    stage.report.add_for(&order, Some(&id), 1, &played);
    Ok(match played {
        // What is refunded is the capture at some gateways, and the payment at others: the receipt
        // names the right one.
        Ok(Outcome::Succeeded(captured)) => Some(captured.payment()),
        _ => None,
    })
}

/// A clerk clicks twice.
async fn refund(stage: &mut Stage, gateway: Name, payment: Payment) -> Result<()> {
    let order: Order = stage.order(gateway, "refund, asked for twice")?;
    let id = payment.provider_id.clone();
    let intent = Intent::refund(order.reference.as_str(), payment, price()?);
    let first = stage.client.refund(intent.clone()).await;
    let second = stage.client.refund(intent).await;
    let played = first.and(second);
    stage.report.add_for(&order, Some(&id), 1, &played);
    Ok(())
}
