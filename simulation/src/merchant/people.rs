//! People who settle what nobody else can: after a look into the gateway's books, or too early.

use std::sync::Arc;

use payonce::ledger::Record;
use payonce::{Client, Decision, State};

use super::calls::perform;
use super::outside;
use crate::world::{Process, World};

/// A person settles one operation that is in doubt, if there is one. `too_early`: without waiting
/// until nothing of it is under way.
pub(super) async fn decides(
    world: &Arc<World>,
    process: &Arc<Process>,
    client: &Client,
    too_early: bool,
) {
    let rows = world.checks().all_rows();
    let held = |row: &&Record| row.state == State::Unknown || row.frozen;
    for row in rows.iter().filter(held) {
        let early = is_open(world, row);
        if early == too_early {
            settle(world, process, client, row, early).await;
            return;
        }
    }
}

/// Whether money may still move for it.
pub(super) fn is_open(world: &World, row: &Record) -> bool {
    let key = row.key.as_str();
    let waits = world.at_gateways(|gateways, now| {
        let waiting = outside::waiting(gateways, now);
        waiting.iter().any(|one| one.key.as_deref() == Some(key))
    });
    waits || row.lease.is_some() || world.checks().is_under_way(row.id)
}

/// What the books say of it now.
pub(super) async fn settle(
    world: &Arc<World>,
    process: &Arc<Process>,
    client: &Client,
    row: &Record,
    too_early: bool,
) {
    let effects = world.checks().effects_of(row.id);
    let decision = match effects.first() {
        Some(effect) => Decision::succeeded(effect.provider_id.clone(), row.money),
        None => Decision::NotExecuted,
    };
    let wrong = too_early && decision == Decision::NotExecuted;
    world.checks().resolved(row.id, wrong);
    let (family, reference) = (row.kind.family(), row.identity.reference.clone());
    let what = if wrong {
        "resolve, too early"
    } else {
        "resolve"
    };
    let not_executed = decision == Decision::NotExecuted;
    let looked_at = world.checks().sends_of(row.id);
    let call = client.resolve(row.id, decision, "a person", "compared with the gateway");
    let answer = perform(world, process, family, (&reference, None), what, call).await;
    if matches!(answer, Some(Err(_))) {
        world.checks().not_resolved(row.id);
    } else if not_executed && world.checks().sends_of(row.id) != looked_at {
        // The word came to the ledger long after the look, from a machine that slept: it was sent
        // again meanwhile, and what the person saw is no longer so.
        world.checks().resolved(row.id, true);
    }
}
