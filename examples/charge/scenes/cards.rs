//! Cards that are declined, and banks that ask.

use payonce::Outcome;

use super::replies::gateways;
use crate::gateways::{Name, Result};
use crate::stage::Stage;

/// A card without money; then the same again, and the customer gives another card.
pub(super) async fn declined(stage: &mut Stage) -> Result<()> {
    for gateway in gateways(stage) {
        let order = stage.order(gateway, "the card has no money")?;
        let played = stage
            .client
            .charge(order.charge(gateway.broke_card())?)
            .await;
        stage.report.add(&order, 0, &played);

        let order = stage.order(gateway, "declined, then another card")?;
        let first = stage
            .client
            .charge(order.charge(gateway.broke_card())?)
            .await;
        let played = match first {
            Ok(Outcome::Declined(_)) => {
                let second = order.charge(gateway.good_card())?.attempt(2);
                stage.client.charge(second).await
            }
            other => other,
        };
        stage.report.add(&order, 1, &played);
    }
    Ok(())
}

/// The customer is sent to the bank's page, passes, and the order is asked about again.
pub(super) async fn the_bank_asks(stage: &mut Stage) -> Result<()> {
    for gateway in [Name::Stripe, Name::Moyasar] {
        let order = stage.order(gateway, "the bank asks the customer")?;
        let intent = order.charge(gateway.bank_card())?;
        let mut played = stage.client.charge(intent.clone()).await;
        if let Ok(Outcome::ActionRequired(action)) = &played {
            let payment = action.provider_id.as_str();
            stage.gateways.customer_passes(gateway, payment).await?;
            played = stage.client.charge(intent).await;
        }
        stage.report.add(&order, 1, &played);
    }
    // This one's page wants a form to be sent along. A link cannot do that, so nobody is sent
    // there, and no money moves.
    let order = stage.order(Name::HyperPay, "the bank asks by a form, not by a link")?;
    let intent = order.charge(order.gateway.bank_card())?;
    let played = stage.client.charge(intent).await;
    stage.report.add(&order, 0, &played);
    Ok(())
}
