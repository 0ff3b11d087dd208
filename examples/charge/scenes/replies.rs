//! Replies that are lost, late, cut, or lie.

use std::time::Duration;

use payonce::Outcome;
use payonce_simulator::{Close, CutBody, Fault, PlannedFault, RateLimit, When};

use crate::gateways::{Name, Result};
use crate::stage::Stage;

pub(super) const fn lost(when: When) -> Fault {
    Fault::ReplyLost {
        when,
        how: Close::Rst,
    }
}

/// A charge as it should be, at every gateway.
pub(super) async fn nothing(stage: &mut Stage, plant: bool) -> Result<()> {
    for gateway in gateways(stage) {
        let order = stage.order(gateway, "nothing")?;
        let played = stage
            .client
            .charge(order.charge(gateway.good_card())?)
            .await;
        if plant && gateway == Name::Stripe {
            stage
                .gateways
                .charge_behind_our_back(&order.reference)
                .await?;
        }
        stage.report.add(&order, 1, &played);
    }
    Ok(())
}

/// The gateways that are there.
pub(super) fn gateways(stage: &Stage) -> Vec<Name> {
    let known = |name: &Name| stage.account(*name).is_ok();
    Name::ALL.into_iter().filter(known).collect()
}

/// Where a repeat is safe it is made; at HyperPay the query shows what happened, and where it
/// shows nothing the order is held.
pub(super) async fn everywhere(stage: &mut Stage) -> Result<()> {
    for gateway in Name::ALL {
        let repeats = usize::from(gateway != Name::HyperPay);
        charge(
            stage,
            gateway,
            "reply lost after the money moved",
            lost(When::After),
            1,
        )
        .await?;
        charge(
            stage,
            gateway,
            "reply lost before the money moved",
            lost(When::Before),
            repeats,
        )
        .await?;
        charge(
            stage,
            gateway,
            "connection reset",
            Fault::ResetBeforeReading,
            repeats,
        )
        .await?;
        let cut = Fault::CutBody {
            how: CutBody::CleanEnd,
            keep: None,
        };
        charge(stage, gateway, "JSON cut in the middle", cut, 1).await?;
        let storm = Fault::server_error(503, When::Before).times(3);
        charge(stage, gateway, "503, again and again", storm, repeats).await?;
    }
    Ok(())
}

pub(super) async fn at_stripe(stage: &mut Stage) -> Result<()> {
    let late = Fault::LateArrival {
        ms: 300,
        how: Close::Fin,
    };
    let busy = Fault::RateLimited {
        kind: RateLimit::RateLimit,
        retry_after: Some("1".to_owned()),
    };
    let page = Fault::Html {
        status: 502,
        size: 20_000,
        when: When::After,
    };
    for (wrong, fault) in [
        ("request travels long, arrives after its repeat", late),
        ("gateway is slow, 409 meanwhile", Fault::Hold { ms: 800 }),
        ("429 with Retry-After", busy),
        (
            "500 after the money moved, stored",
            Fault::stored_error(When::After),
        ),
        ("HTML instead of JSON, after the money moved", page),
    ] {
        charge(stage, Name::Stripe, wrong, fault, 1).await?;
    }
    Ok(())
}

pub(super) async fn at_hyperpay(stage: &mut Stage) -> Result<()> {
    let storm = Fault::server_error(503, When::After);
    charge(stage, Name::HyperPay, "503 after the money moved", storm, 1).await?;

    // In doubt at first. It is asked again, and not sent again: by then the request has arrived.
    let order = stage.order(
        Name::HyperPay,
        "request travels long, arrives after the call",
    )?;
    let late = Fault::LateArrival {
        ms: 300,
        how: Close::Fin,
    };
    stage.gateways.plant(&order, late)?;
    let intent = order.charge(order.gateway.good_card())?;
    let mut played = stage.client.charge(intent.clone()).await;
    for _ in 0..20 {
        if !matches!(played, Ok(Outcome::Unknown(_))) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        played = stage.client.charge(intent.clone()).await;
    }
    stage.report.add(&order, 1, &played);
    Ok(())
}

async fn charge(
    stage: &mut Stage,
    gateway: Name,
    wrong: &'static str,
    fault: impl Into<PlannedFault>,
    expected: usize,
) -> Result<()> {
    let order = stage.order(gateway, wrong)?;
    stage.gateways.plant(&order, fault)?;
    let played = stage
        .client
        .charge(order.charge(gateway.good_card())?)
        .await;
    // What was planned for this order must not hit the next.
    stage.gateways.light_up()?;
    stage.report.add(&order, expected, &played);
    Ok(())
}
