//! Callers at the same time.

use crate::gateways::{Name, Result};
use crate::stage::Stage;

/// A customer who clicks ten times.
pub(super) async fn ten(stage: &mut Stage) -> Result<()> {
    let order = stage.order(Name::Stripe, "ten callers at once")?;
    let intent = order.charge(order.gateway.good_card())?;
    let call = || {
        let (client, intent) = (stage.client.clone(), intent.clone());
        tokio::spawn(async move { client.charge(intent).await })
    };
    let callers: Vec<_> = (0..9).map(|_| call()).collect();
    let mut played = stage.client.charge(intent).await;
    for caller in callers {
        played = caller.await?;
    }
    stage.report.add(&order, 1, &played);
    Ok(())
}

/// Two processes of the merchant, over one ledger, get the same order.
pub(super) async fn two_processes(stage: &mut Stage) -> Result<()> {
    for gateway in Name::ALL {
        let order = stage.order(gateway, "two callers at once, in two processes")?;
        let intent = order.charge(gateway.good_card())?;
        let (one, other) = tokio::join!(
            stage.client.charge(intent.clone()),
            stage.other_process.charge(intent)
        );
        let played = one.and(other);
        stage.report.add(&order, 1, &played);
    }
    Ok(())
}
