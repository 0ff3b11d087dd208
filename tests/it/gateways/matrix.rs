//! Every adapter, every operation, every fault: what the merchant hears, and how often money moved.
//!
//! `matrix.txt` holds what is right, and is reviewed. `cargo test --test it matrix -- --nocapture`
//! prints what is.

mod troubles;

use std::fmt::Write as _;
use std::time::Duration;

use payonce::provider::OnRepeat;
use payonce::{Error, OperationKind, Outcome, Payment, Policy};
use payonce_simulator::{Close, Fault};

use self::troubles::{A_DAY, ALL, Trouble};
use super::SHOPS;
use super::shop::{KINDS, Place, Shop, amount};
use crate::world::{assert_word, word};

const REVIEWED: &str = include_str!("matrix/matrix.txt");

/// What a call came to, in the words of the table.
fn short(result: &Result<Outcome, Error>) -> &'static str {
    match word(result) {
        "succeeded" => "SUCC",
        "declined" => "DECL",
        "rejected" => "REJ",
        "action_required" => "ACT",
        "pending" => "PEND",
        "unknown" => "hold",
        "unavailable" => "unsent",
        "unauthorized" => "noauth",
        other => panic!("{other}: {result:?}"),
    }
}

/// One cell while it is played.
struct Cell {
    place: Place,
    kind: OperationKind,
    parent: Option<Payment>,
    /// What its payment took.
    sent_before: usize,
    alarms: i64,
    name: String,
}

impl Cell {
    async fn new(shop: &'static dyn Shop, kind: OperationKind, trouble: &Trouble) -> Self {
        let place = Place::new(shop);
        let parent = place.parent(kind).await;
        Self {
            sent_before: place.world.sent().len(),
            name: format!("{}, {kind}, {}", shop.name(), trouble.name),
            alarms: 0,
            place,
            kind,
            parent,
        }
    }

    /// A send a day ago whose reply was lost.
    async fn a_day_ago(&self, trouble: &Trouble) {
        let Some(when) = trouble.a_day_after else {
            return;
        };
        let how = Close::Fin;
        self.place.world.fault(Fault::ReplyLost { when, how });
        self.place.no_look_ups(self.kind);
        let client = self.place.one_send();
        let result = self.place.call(&client, self.kind, self.parent.as_ref());
        assert_word(&result.await, "unknown");
        self.place.world.gateway.faults().clear();
        self.place.world.clock.advance(A_DAY);
    }

    /// A call of a new process, and what it came to: with a mark if a person must look.
    async fn call(&mut self, hurried: bool) -> String {
        let policy = Policy::new();
        let policy = if hurried {
            policy.send_timeout(Duration::from_secs(2))
        } else {
            policy
        };
        let client = self.place.client_with(|builder| builder.policy(policy));
        let result = self.place.call(&client, self.kind, self.parent.as_ref());
        let result = result.await;
        while self.place.world.gateway.in_flight() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let word = short(&result);
        self.assert_true(word, &result);
        let alarms = self.place.world.sql("SELECT count(*) FROM alarm");
        let mark = if alarms > self.alarms { "!" } else { "" };
        self.alarms = alarms;
        format!("{word}{mark}")
    }

    /// No more than one effect, and no word that the gateway's books contradict.
    fn assert_true(&self, word: &str, result: &Result<Outcome, Error>) {
        let effects = self.place.effects(self.kind);
        let name = &self.name;
        assert!(effects.len() <= 1, "{name}: {effects:#?}");
        let minor = amount(self.place.shop, self.kind).minor();
        assert!(
            effects.iter().all(|e| e.amount == minor),
            "{name}: {effects:?}"
        );
        match word {
            "SUCC" => assert_eq!(effects.len(), 1, "{name}: {result:?}"),
            "DECL" | "REJ" | "unsent" | "noauth" => {
                assert_eq!(effects.len(), 0, "{name}: {result:?}");
            }
            _ => {}
        }
        let state: String = self.place.row(self.kind, "state");
        let stored = match word {
            "SUCC" => "succeeded",
            "DECL" => "declined",
            "REJ" => "rejected",
            "ACT" => "action_required",
            "PEND" => "pending",
            "hold" => "unknown",
            _ => "unsent",
        };
        assert_eq!(state, stored, "{name}: {result:?}");
        self.assert_sends();
    }

    /// One body for ever; and where a repeat runs again, one send that could have run.
    fn assert_sends(&self) {
        let sent = self.place.sent(self.sent_before);
        let read = sent.iter().filter(|post| !post.body.is_empty());
        let bodies: std::collections::BTreeSet<_> = read.map(|post| &post.body).collect();
        assert!(bodies.len() <= 1, "{}: {bodies:?}", self.name);
        // Of the other classes a repeat has no further effect.
        if self.place.rule(self.kind).on_repeat == OnRepeat::RunsAgain {
            // A gateway may refuse a secret with any status.
            let refused = Some("unauthorized");
            let ran = |post: &&payonce_simulator::LoggedRequest| {
                !matches!(post.status, Some(401 | 429)) && post.fault.as_deref() != refused
            };
            let ran = sent.iter().filter(ran).count();
            assert!(ran <= 1, "{}: sent again", self.name);
        }
    }

    fn counts(&self) -> (usize, usize) {
        let sent = self.place.sent(self.sent_before).len();
        (self.place.effects(self.kind).len(), sent)
    }
}

/// Plays one cell: the call in trouble, and an hour later, with everything in order, the same one.
async fn play(shop: &'static dyn Shop, kind: OperationKind, trouble: &'static Trouble) -> String {
    let mut cell = Cell::new(shop, kind, trouble).await;
    cell.a_day_ago(trouble).await;
    if (trouble.plant)(&cell.place, kind).is_none() {
        return "-".to_owned();
    }
    let first = cell.call(trouble.hurried).await;
    cell.place.world.gateway.faults().clear();
    cell.place.shop.look_ups_are_true(&cell.place.world);
    cell.place.world.clock.advance(Duration::from_secs(3600));
    let second = cell.call(false).await;
    let (effects, sent) = cell.counts();
    if first == second {
        format!("{first} {effects}/{sent}")
    } else {
        format!("{first} > {second} {effects}/{sent}")
    }
}

/// The table of one gateway.
async fn table(shop: &'static dyn Shop) -> String {
    let mut table = format!("{:<36}", shop.name());
    for kind in KINDS {
        write!(table, "{:>19}", kind.as_str()).unwrap();
    }
    table.push('\n');
    for trouble in ALL {
        let cells = KINDS.map(|kind| tokio::spawn(play(shop, kind, trouble)));
        write!(table, "{:<36}", trouble.name).unwrap();
        for cell in cells {
            write!(table, "{:>19}", cell.await.unwrap()).unwrap();
        }
        table.push('\n');
    }
    table
}

/// What stands behind the legend.
fn reviewed() -> &'static str {
    REVIEWED.split_once("\n----\n").unwrap().1.trim()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_matrix_is_as_it_was_reviewed_and_no_cell_moves_money_twice() {
    let mut tables = Vec::new();
    for playing in SHOPS.map(|shop| tokio::spawn(table(shop))) {
        tables.push(playing.await.unwrap());
    }
    let played = tables.join("\n");
    println!("{played}");
    for (now, reviewed) in played.lines().zip(reviewed().lines()) {
        assert_eq!(now.trim_end(), reviewed.trim_end());
    }
    assert_eq!(played.trim().lines().count(), reviewed().lines().count());
}
