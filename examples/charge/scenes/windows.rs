//! A day passes. Stripe may have forgotten the key, so it is asked and never sent to again.

use std::time::Duration;

use payonce::{Client, Error, Outcome, Policy, SqliteOptions};
use payonce_simulator::When;

use super::replies::lost;
use crate::clock::AheadClock;
use crate::gateways::{Name, Result};
use crate::stage::{Order, Played, Stage, policy};

const MORE_THAN_A_DAY: Duration = Duration::from_secs(25 * 3600);

pub(super) async fn play(stage: &mut Stage) -> Result<()> {
    let clock = AheadClock::default();
    let mut orders = Vec::new();
    for (gateway, wrong, when, expected) in [
        (
            Name::Stripe,
            "in doubt for a day, the money moved",
            When::After,
            1,
        ),
        (
            Name::Stripe,
            "in doubt for a day, no money moved",
            When::Before,
            0,
        ),
        // The key is the payment's id, for ever.
        (
            Name::Moyasar,
            "in doubt for a day, no money moved",
            When::Before,
            1,
        ),
        (
            Name::HyperPay,
            "in doubt for a day, the money moved",
            When::After,
            1,
        ),
    ] {
        let order = stage.order(gateway, wrong)?;
        stage.gateways.go_dark(gateway)?;
        stage.gateways.plant(&order, lost(when))?;
        let first = charge(stage, &clock, &order, policy(false).sends(1)).await?;
        stage.gateways.light_up()?;
        orders.push((order, expected, first));
    }
    clock.advance(MORE_THAN_A_DAY);
    stage.gateways.pass_time(MORE_THAN_A_DAY).await?;
    for (order, expected, first) in orders {
        let played = match first {
            Ok(Outcome::Unknown(_)) => charge(stage, &clock, &order, policy(false)).await?,
            // It should be in doubt. The report says that it is not as expected.
            other => other.and_then(|_| Err(Error::Config("it was not in doubt".to_owned()))),
        };
        stage.report.add(&order, expected, &played);
    }
    Ok(())
}

/// A charge by a process whose machine has this clock. It has a ledger of its own, because a
/// ledger never forgets the highest time that it saw.
async fn charge(
    stage: &Stage,
    clock: &AheadClock,
    order: &Order,
    policy: Policy,
) -> Result<Played> {
    let ledger = SqliteOptions::new(stage.folder.join("a-day-later.db"))
        .clock(clock.clone())
        .open()?;
    let builder = Client::builder(ledger).clock(clock.clone()).policy(policy);
    let client = stage.gateways.add_to(builder)?.build()?;
    Ok(client
        .charge(order.charge(order.gateway.good_card())?)
        .await)
}
