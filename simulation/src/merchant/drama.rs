//! A history that chance alone brings about too rarely: a person decides too early, the next attempt
//! is under way, and then the first one's owner wakes up with the gateway's confirmation. From that
//! moment the reference is frozen, and nothing more of it may leave.

use std::sync::Arc;
use std::time::Duration;

use payonce::{Charge, Currency, Decision, Family, Intent, Money, Source};

use super::calls::perform;
use crate::world::{Card, World};

/// The reference of it. Its second attempt gets nothing but errors.
pub(crate) const REFERENCE: &str = "drama";

fn intent(world: &World, attempt: u32) -> Option<Intent<Charge>> {
    let shop = world.plan.shops.first()?;
    let money = Money::from_minor(7_700, Currency::SAR).ok()?;
    let intent = Intent::charge(REFERENCE, money)
        .source(Source::token(shop.token(Card::Pays)))
        .return_url("https://shop.example/back")
        .via(shop.account())
        .attempt(attempt);
    Some(intent)
}

/// Plays it, as far as the faults of the history let it.
pub(super) async fn drama(world: Arc<World>) {
    if !world.plan.drama || world.is_left_out("action drama") {
        return;
    }
    let pay = |host: u64, attempt: u32| {
        let world = Arc::clone(&world);
        async move {
            let process = world.process_at(host)?;
            let (client, intent) = (process.client()?, intent(&world, attempt)?);
            let of = (REFERENCE, Some(attempt));
            let call = client.charge(intent);
            perform(&world, &process, Family::Payment, of, "pay", call).await
        }
    };
    let first = tokio::spawn(pay(0, 1));
    tokio::time::sleep(Duration::from_millis(15)).await;
    if let Some(host) = world.hosts.first() {
        host.suspend(&world, Duration::from_secs(140));
    }
    tokio::time::sleep(Duration::from_secs(110)).await;
    decide(&world).await;
    tokio::time::sleep(Duration::from_secs(29)).await;
    drop(pay(1, 2).await);
    drop(first.await);
}

/// Somebody says that nothing happened, and does not look.
async fn decide(world: &Arc<World>) {
    let rows = world.checks().rows_under(Family::Payment, REFERENCE);
    let process = world.process_at(1);
    let client = process.as_ref().and_then(|process| process.client());
    let (Some(row), Some(process), Some(client)) = (rows.last(), process, client) else {
        return;
    };
    world.checks().resolved(row.id, true);
    let call = client.resolve(row.id, Decision::NotExecuted, "a person", "did not look");
    let of = (REFERENCE, None);
    drop(
        perform(
            world,
            &process,
            Family::Payment,
            of,
            "resolve, too early",
            call,
        )
        .await,
    );
}
