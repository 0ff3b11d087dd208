//! Calls of the client, each until its answer, its caller's end or its process's.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use payonce::{
    AccountId, Client, Error, Family, Intent, OperationKind, Outcome, Payment, Pays, Source,
};
use uuid::Builder;

use super::orders::{Child, Order};
use crate::dice::Dice;
use crate::faults::Kind;
use crate::world::{Card, Process, World};

/// Waits for an answer. `None`: the caller left before, or its process died.
pub(super) async fn perform(
    world: &Arc<World>,
    process: &Arc<Process>,
    family: Family,
    (reference, attempt): (&str, Option<u32>),
    what: &str,
    call: impl Future<Output = Result<Outcome, Error>>,
) -> Option<Result<Outcome, Error>> {
    let now = world.elapsed();
    let place = world
        .checks()
        .call(family, reference, attempt, process.name(), now);
    world.note(|| format!("{}: {what} {family} {reference}", process.name()));
    let leaves = world.draw(Kind::Drop, &format!("{what}/{family}/{reference}"));
    let patience = leaves.map_or(Duration::MAX, |mut dice| {
        Duration::from_millis(dice.between(1, 3_000))
    });
    let answer = tokio::select! {
        biased;
        answer = call => answer,
        () = process.death() => return None,
        () = tokio::time::sleep(patience) => return None,
    };
    world.note(|| {
        let name = process.name();
        match &answer {
            Ok(outcome) => format!("{name}: {reference} is {}", word(outcome)),
            Err(error) => format!("{name}: {reference} failed: {error}"),
        }
    });
    world.checks().answered(place, &answer, world.elapsed());
    Some(answer)
}

fn word(outcome: &Outcome) -> String {
    let state = outcome.operation().state;
    let recorded = outcome.is_recorded();
    match outcome {
        Outcome::Unknown(unknown) => format!("unknown ({}), recorded {recorded}", unknown.doubt),
        Outcome::Pending(pending) => format!("pending ({}), row {state}", pending.why),
        Outcome::Succeeded(_)
        | Outcome::Declined(_)
        | Outcome::Rejected(_)
        | Outcome::ActionRequired(_)
        | Outcome::NoEffect(_)
        | Outcome::Reversed(_) => format!("{state}, recorded {recorded}"),
    }
}

fn key(world: &World, order: &Order, attempt: u32) -> String {
    let mut dice = Dice::of(world.seed, &format!("key/{}/{attempt}", order.name));
    let bits = (u128::from(dice.draw()) << 64) | u128::from(dice.draw());
    let uuid = Builder::from_random_bytes(bits.to_be_bytes()).into_uuid();
    uuid.to_string()
}

/// What every payment says beside its reference and amount.
struct Dress {
    source: Source,
    own_key: Option<String>,
    account: AccountId,
    deadline: Duration,
    attempt: u32,
}

impl Dress {
    fn on<K: Pays>(self, intent: Intent<K>) -> Intent<K> {
        let intent = intent
            .source(self.source)
            .return_url("https://shop.example/back")
            .via(self.account)
            .deadline(self.deadline)
            .attempt(self.attempt);
        match self.own_key {
            Some(key) => intent.key(key),
            None => intent,
        }
    }
}

/// Pays an order: as its callers would now, or with a mistake.
pub(super) async fn pay(
    world: &Arc<World>,
    process: &Arc<Process>,
    client: &Client,
    order: &Order,
    dice: &mut Dice,
) {
    let now = order.attempt();
    let attempt = match dice.below(20) {
        0..2 => now.saturating_add(1),
        2 => now.saturating_sub(1).max(1),
        _ => now,
    };
    let shop = order.shop(attempt);
    // Another card under the same attempt is a mistake.
    let card = if dice.chance(40) {
        Card::PaysToo
    } else {
        order.card(attempt)
    };
    let name = order.name.as_str();
    let dress = Dress {
        source: Source::token(shop.token(card)),
        own_key: (order.own_key && shop.gateway() != "hyperpay")
            .then(|| key(world, order, attempt)),
        account: shop.account(),
        deadline: Duration::from_secs(dice.pick(60, &[60, 60, 10, 2])),
        attempt,
    };
    let label = format!("pay {attempt} at {}", shop.gateway());
    let of = (name, Some(attempt));
    // The two kinds are two types.
    let answer = if order.reserved {
        let intent = dress.on(Intent::authorize(name, order.money));
        let call = client.authorize(intent);
        perform(world, process, Family::Payment, of, &label, call).await
    } else {
        let intent = dress.on(Intent::charge(name, order.money));
        let call = client.charge(intent);
        perform(world, process, Family::Payment, of, &label, call).await
    };
    match answer {
        Some(Ok(Outcome::Succeeded(receipt))) => order.is_paid(receipt.payment()),
        Some(Ok(Outcome::Declined(_) | Outcome::Rejected(_) | Outcome::NoEffect(_))) => {
            order.failed(attempt);
        }
        Some(Err(Error::Unavailable { .. } | Error::Unauthorized { .. })) if dice.chance(300) => {
            order.failed(attempt);
        }
        Some(Err(Error::LaterAttempt { attempt, .. })) => {
            order.failed(attempt.saturating_sub(1));
        }
        Some(Ok(_) | Err(_)) | None => {}
    }
}

/// Captures, refunds or voids.
pub(super) async fn second(
    world: &Arc<World>,
    process: &Arc<Process>,
    client: &Client,
    order: &Order,
    child: &Child,
    payment: Payment,
) {
    let mut dice = world.dice(&format!("second/{}", child.name));
    let attempt = dice.pick(1, &[1, 1, 1, 1, 1, 2]);
    let name = child.name.as_str();
    let family = child.kind.family();
    let label = format!("attempt {attempt}");
    let answer = match child.kind {
        OperationKind::Capture => {
            let intent = Intent::capture(name, payment, child.money).attempt(attempt);
            perform(
                world,
                process,
                family,
                (name, Some(attempt)),
                &label,
                client.capture(intent),
            )
            .await
        }
        OperationKind::Refund => {
            let own = order.paid().is_some_and(|paid| paid == payment);
            let payment = order.refundable().filter(|_| own).unwrap_or(payment);
            let intent = Intent::refund(name, payment, child.money).attempt(attempt);
            perform(
                world,
                process,
                family,
                (name, Some(attempt)),
                &label,
                client.refund(intent),
            )
            .await
        }
        OperationKind::Charge | OperationKind::Authorize | OperationKind::Void | _ => {
            let intent = Intent::void(name, payment).attempt(attempt);
            perform(
                world,
                process,
                family,
                (name, Some(attempt)),
                &label,
                client.void(intent),
            )
            .await
        }
    };
    if let Some(Ok(Outcome::Succeeded(receipt))) = answer
        && child.kind == OperationKind::Capture
    {
        order.is_captured(receipt.payment());
    }
}
