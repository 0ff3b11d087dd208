//! Processes that are killed, and what the next one does with their orders.

use payonce::{Decision, Family, Outcome};

use crate::child::{Point, charge_and_die};
use crate::gateways::{Name, Result};
use crate::stage::Stage;

pub(super) async fn play(stage: &mut Stage) -> Result<()> {
    for gateway in Name::ALL {
        for (point, wrong) in [
            (Point::BeforeSending, "killed before sending"),
            (Point::AfterSending, "killed after sending"),
        ] {
            let order = stage.order(gateway, wrong)?;
            let url = stage.gateways.url(gateway)?;
            charge_and_die(&order, url, &stage.ledger, point).await?;
            let mut played = stage.client.resume(Family::Payment, &order.reference).await;
            let mut expected = 1;
            if gateway == Name::HyperPay && point == Point::BeforeSending {
                // A dead process may have sent, and HyperPay would take a repeat for a new
                // payment. So the order is held, until a person has compared it with the list.
                expected = 0;
                if let Ok(Outcome::Unknown(unknown)) = &played {
                    let what = "held, then resolved by a person";
                    stage.report.hold(&order, &unknown.doubt, what);
                    let (id, decision) = (unknown.operation.id, Decision::NotExecuted);
                    let why = "HyperPay's list does not show it, and the process is dead";
                    let resolved = stage.client.resolve(id, decision, "a clerk", why);
                    played = resolved.await;
                }
            }
            stage.report.add(&order, expected, &played);
        }
    }
    Ok(())
}
