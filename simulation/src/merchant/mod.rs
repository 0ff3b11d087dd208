//! What merchants, customers and people do: each task a caller of its own, at a host of its choice.

mod calls;
pub(crate) mod drama;
mod end;
mod orders;
mod outside;
mod people;

use std::sync::Arc;
use std::time::Duration;

use payonce::{Client, Family};
use tokio::task::JoinSet;

use self::calls::{pay, perform, second};
pub(crate) use self::end::end;
use self::orders::{Child, Order};
use crate::dice::Dice;
use crate::faults::Kind;
use crate::world::{Process, World};

/// Everything that happens until the callers have nothing more to do.
pub(crate) async fn stories(world: &Arc<World>) {
    let orders: Vec<_> = (1..=world.plan.orders)
        .map(|number| Arc::new(Order::of(world, number)))
        .collect();
    let mut callers = JoinSet::new();
    for order in &orders {
        let others = orders.clone();
        let mut dice = Dice::of(world.seed, &format!("callers/{}", order.name));
        for caller in 0..dice.between(1, 3) {
            let (world, order, others) = (Arc::clone(world), Arc::clone(order), others.clone());
            callers.spawn(async move {
                Caller::new(&world, &order, others, caller).story().await;
            });
        }
    }
    callers.spawn(drama::drama(Arc::clone(world)));
    let mut beside = JoinSet::new();
    for host in 0..world.hosts.len() {
        beside.spawn(outside::weather(Arc::clone(world), host));
    }
    beside.spawn(outside::customers(Arc::clone(world)));
    while callers.join_next().await.is_some() {}
    beside.shutdown().await;
}

/// One caller of one order.
struct Caller {
    world: Arc<World>,
    order: Arc<Order>,
    others: Vec<Arc<Order>>,
    dice: Dice,
    name: String,
}

impl Caller {
    fn new(world: &Arc<World>, order: &Arc<Order>, others: Vec<Arc<Order>>, caller: u64) -> Self {
        let name = format!("{}/caller-{caller}", order.name);
        Self {
            dice: Dice::of(world.seed, &name),
            world: Arc::clone(world),
            order: Arc::clone(order),
            others,
            name,
        }
    }

    async fn story(mut self) {
        let steps = self.dice.between(3, 9);
        for step in 0..steps {
            // Drawn even where the step is left out, so that the others stay as they were.
            let pause = self.pause();
            let host = self.dice.draw();
            let mut dice = Dice::of(self.world.seed, &format!("{}/{step}", self.name));
            tokio::time::sleep(pause).await;
            let action = format!("action {}/{step}", self.name);
            if self.world.is_left_out(&action) {
                continue;
            }
            let Some(process) = self.world.process_at(host) else {
                continue;
            };
            if let Some(client) = process.client() {
                self.act(&process, &client, &mut dice).await;
            }
        }
    }

    fn pause(&mut self) -> Duration {
        let dice = &mut self.dice;
        let ms = match dice.below(100) {
            0..30 => dice.between(0, 5),
            30..70 => dice.between(5, 5_000),
            70..88 => dice.between(5_000, 300_000),
            88..96 => dice.between(300_000, 7_200_000),
            _ => dice.between(70_000_000, 110_000_000),
        };
        Duration::from_millis(ms)
    }

    async fn act(&self, process: &Arc<Process>, client: &Client, dice: &mut Dice) {
        let paid = self.order.paid();
        let choice = dice.below(100);
        match (paid, choice) {
            (_, 0..5) => self.recover(process, client).await,
            (_, 5..12) => self.resume(process, client, dice).await,
            (_, 12..18) => self.look_up(process, client, dice).await,
            (_, 18..21) => self.withdraw(process, client).await,
            (_, 21..26) => people::decides(&self.world, process, client, false).await,
            (_, 26..30) => {
                if self.world.draw(Kind::Hasty, &self.name).is_some() {
                    people::decides(&self.world, process, client, true).await;
                }
            }
            (Some(payment), 30..36) => {
                if let Some(dice) = self.world.draw(Kind::Dashboard, &self.name) {
                    outside::dashboard(&self.world, &self.order, &payment, dice);
                }
            }
            (Some(payment), 36..94) => {
                let child = Child::of(&self.world, &self.order, dice.between(1, 3));
                // Somebody takes the payment of another order for this one's.
                let others = dice.chance(60);
                let other = self
                    .others
                    .iter()
                    .filter(|order| !Arc::ptr_eq(order, &self.order));
                let taken = other.filter(|_| others).find_map(|order| order.paid());
                second(
                    &self.world,
                    process,
                    client,
                    &self.order,
                    &child,
                    taken.unwrap_or(payment),
                )
                .await;
            }
            _ => pay(&self.world, process, client, &self.order, dice).await,
        }
    }

    async fn recover(&self, process: &Arc<Process>, client: &Client) {
        let from = self.world.elapsed();
        tokio::select! {
            biased;
            done = client.recover() => self.world.note(|| match done {
                Ok(done) => format!("{} recovered {}", process.name(), done.len()),
                Err(error) => format!("{} could not recover: {error}", process.name()),
            }),
            () = process.death() => {}
        }
        // Its tasks may outlive their process's caller by a call's whole time.
        let until = self
            .world
            .elapsed()
            .saturating_add(Duration::from_secs(120));
        self.world.checks().recovers(process.name(), from, until);
    }

    async fn resume(&self, process: &Arc<Process>, client: &Client, dice: &mut Dice) {
        let (family, reference) = self.some_row(dice);
        let call = client.resume(family, &reference);
        drop(
            perform(
                &self.world,
                process,
                family,
                (&reference, None),
                "resume",
                call,
            )
            .await,
        );
    }

    async fn look_up(&self, process: &Arc<Process>, client: &Client, dice: &mut Dice) {
        let (family, reference) = self.some_row(dice);
        let rows = self.world.checks().rows_under(family, &reference);
        if let Some(row) = rows.last() {
            let call = client.look_up(row.id);
            drop(
                perform(
                    &self.world,
                    process,
                    family,
                    (&reference, None),
                    "look up",
                    call,
                )
                .await,
            );
        }
    }

    async fn withdraw(&self, process: &Arc<Process>, client: &Client) {
        let rows = self
            .world
            .checks()
            .rows_under(Family::Payment, &self.order.name);
        if let Some(row) = rows.last() {
            let call = client.withdraw(row.id);
            let name = &self.order.name;
            drop(
                perform(
                    &self.world,
                    process,
                    Family::Payment,
                    (name.as_str(), None),
                    "withdraw",
                    call,
                )
                .await,
            );
        }
    }

    /// The payment, or one of its captures, refunds and voids.
    fn some_row(&self, dice: &mut Dice) -> (Family, String) {
        if dice.chance(500) {
            return (Family::Payment, self.order.name.clone());
        }
        let child = Child::of(&self.world, &self.order, dice.between(1, 3));
        (child.kind.family(), child.name)
    }
}

impl World {
    /// The process of one of the hosts, if one runs there.
    pub(crate) fn process_at(&self, place: u64) -> Option<Arc<Process>> {
        let hosts = u64::try_from(self.hosts.len()).unwrap_or(1);
        let place = usize::try_from(place.checked_rem(hosts).unwrap_or(0)).unwrap_or(0);
        self.hosts.get(place)?.process()
    }
}
