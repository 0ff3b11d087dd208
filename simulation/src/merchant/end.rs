//! The end of a history: the faults are over, and everything settles that can.

use std::sync::Arc;
use std::time::Duration;

use payonce::{Client, State};

use super::calls::perform;
use super::{outside, people};
use crate::check::Standing;
use crate::world::{Process, World};

/// What was left.
#[derive(Debug, Default)]
pub(crate) struct End {
    pub(crate) held: u64,
    pub(crate) unsettled: u64,
}

const ROUNDS: [u64; 11] = [
    1, 70, 300, 3_000, 4_000, 10_000, 40_000, 110_000, 110_000, 100, 100,
];

/// Ends a history.
pub(crate) async fn end(world: &Arc<World>) -> End {
    world.calm_down();
    world.checks().calm(world.elapsed());
    world.note(|| "the faults are over".to_owned());
    for host in &world.hosts {
        host.machine.set_right();
        host.wake();
        if host.process().is_none() {
            host.start(world);
        }
    }
    for (round, seconds) in (0_u64..).zip(ROUNDS) {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        world.note(|| format!("round {round}"));
        let mut dice = world.dice("customers in the end");
        outside::customers_act(world, &mut dice, 1000);
        if let Some(process) = world.process_at(round)
            && let Some(client) = process.client()
        {
            go_on(world, &process, &client).await;
        }
        // What was sent before the end may still arrive for an hour.
        if round > 3 && nothing_changes(world) {
            break;
        }
    }
    world.checks().errors_were_true();
    let end = count(world);
    decide(world).await;
    end
}

/// Whether time brings nothing any more: what is not over is held, and not by a clock, whose doubt
/// ends by itself.
fn nothing_changes(world: &World) -> bool {
    let rows = world.checks().all_rows();
    rows.iter().all(|row| match world.checks().standing(row) {
        Standing::Final => true,
        Standing::Held(why) => why != "a doubtful clock",
        Standing::Unsettled(_) => false,
    })
}

/// Once through everything that is open.
async fn go_on(world: &Arc<World>, process: &Arc<Process>, client: &Client) {
    drop(client.recover().await);
    let rows = world.checks().all_rows();
    for row in rows.iter().filter(|row| row.state.is_open()) {
        let (family, reference) = (row.kind.family(), row.identity.reference.clone());
        if row.state == State::Unsent {
            let call = client.withdraw(row.id);
            drop(perform(world, process, family, (&reference, None), "withdraw", call).await);
            continue;
        }
        let call = client.resume(family, &reference);
        drop(perform(world, process, family, (&reference, None), "resume", call).await);
        let call = client.look_up(row.id);
        drop(perform(world, process, family, (&reference, None), "look up", call).await);
    }
}

fn count(world: &World) -> End {
    let mut end = End::default();
    let rows = world.checks().all_rows();
    for row in rows {
        let standing = world.checks().standing(&row);
        match standing {
            Standing::Final => {}
            Standing::Held(why) => {
                end.held = end.held.saturating_add(1);
                world.coverage().held(why);
                let name = world.checks().name(row.id);
                world.note(|| format!("held: {name}: {why}"));
            }
            Standing::Unsettled(why) => {
                end.unsettled = end.unsettled.saturating_add(1);
                let name = world.checks().name(row.id);
                world.checks().fail("unsettled", format!("{name}: {why}"));
            }
        }
    }
    end
}

/// A person settles what is left, by the books.
async fn decide(world: &Arc<World>) {
    let Some(process) = world.process_at(0) else {
        return;
    };
    let Some(client) = process.client() else {
        return;
    };
    let left = world.checks().all_rows();
    for row in left {
        if row.state.is_open() || row.frozen {
            people::settle(world, &process, &client, &row, false).await;
        }
    }
    let settled = world.checks().all_rows();
    for row in settled {
        if row.state.is_open() {
            let name = world.checks().name(row.id);
            let text = format!("{name} is {} after a person settled it", row.state);
            world.checks().fail("unsettled", text);
        }
    }
}
