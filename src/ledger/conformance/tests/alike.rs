//! The memory ledger answers as the SQLite ledger does, whatever is asked of both in any order.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "the numbers of a test are small"
)]

use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

use http::Method;
use tempfile::TempDir;

use super::super::bench::{
    LEASE, START, account, charge, dated, declined, learned, of_tenant, on, payment, sar,
    succeeded, with_baseline,
};
use super::super::*;
use crate::clock::Clock;
use crate::error::LedgerError;
use crate::ledger::{
    Claim, Claimed, Conclusion, DateSeen, Decision, Filter, Learned, MemoryStore, NextStep, Record,
    Resolution, Settle, SqliteOptions, StepRequest, UnsentReason,
};
use crate::operation::{OperationId, OperationKind, State};
use crate::outcome::Doubt;
use crate::payment::Adopted;
use crate::provider::{IdempotencyKey, NextAction, Refusal, Request, RuleSnapshot};

const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

/// Numbers that are the same for a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// What is asked of both ledgers.
#[derive(Debug, Clone)]
enum Ask {
    Claim(Box<Claim>),
    Settle(Settle),
    Record(OperationId, i64, Learned),
    Baseline(OperationId, i64),
    Close(OperationId, i64),
    GoOn(OperationId, i64),
    Withdraw(OperationId, String),
    Resolve(Resolution),
    Adopt(Adopted),
    Acknowledge(i64, String),
    Restart,
}

fn claim(dice: &mut Dice) -> Claim {
    let reference = dice.one_of(&["a", "b"]);
    let kind = dice.one_of(&KINDS);
    let attempt = u32::try_from(dice.below(3)).unwrap() + 1;
    let mut claim = charge(reference, attempt).unwrap();
    if kind.family() != claim.identity.family {
        let parent = format!("pi_{}", dice.below(4));
        let minor = dice.one_of(&[10_000, 30_000]);
        claim = on(kind, reference, &parent, minor).unwrap();
        claim.identity.attempt = attempt;
    }
    claim.kind = kind;
    claim.renew = dice.below(2) == 0;
    if dice.below(4) == 0 {
        claim = with_baseline(claim);
    }
    if dice.below(8) == 0 {
        claim = of_tenant(claim, "shop");
    }
    match dice.below(12) {
        0 => claim.rendered = None,
        1 => claim.via = Some(account("second")),
        2 => claim.accounts = vec![account("second")],
        3 => claim.rendered.as_mut().unwrap().account = account("second"),
        4 => claim.rendered.as_mut().unwrap().key = IdempotencyKey::new("shared"),
        5 => claim.parent = None,
        _ => {}
    }
    claim
}

fn conclusion(dice: &mut Dice, record: &Record) -> Conclusion {
    let id = format!("pi_{}", dice.below(4));
    let hold = |doubt| Conclusion::Hold {
        doubt,
        provider_id: None,
    };
    match dice.below(13) {
        0..3 => succeeded(&id, record.money.minor()).unwrap(),
        3 => declined(),
        4 => Conclusion::Unsent(UnsentReason::Unauthorized),
        5 => hold(Doubt::KeyMismatch),
        6 => Conclusion::ActionRequired {
            action: Some(NextAction::new(id, "redirect")),
            last_decline: None,
        },
        7 => Conclusion::Succeeded {
            effect: crate::provider::Effect::new(id, record.money, "paid"),
            duplicates: vec!["pi_9".to_owned()],
        },
        8 => Conclusion::Pending {
            at: None,
            last_decline: None,
        },
        9 => Conclusion::Canceled(Refusal::new("canceled")),
        10 | 11 => Conclusion::CloseRefused(Box::new(conclusion(dice, record))),
        _ => hold(Doubt::InProgress),
    }
}

fn ask(dice: &mut Dice, known: &[Record]) -> Ask {
    let ways = dice.below(16);
    let (true, 6..) = (!known.is_empty(), ways) else {
        return Ask::Claim(Box::new(claim(dice)));
    };
    let record = dice.one_of(known);
    let number = u32::try_from(dice.below(3)).unwrap();
    let tenant = dice.one_of(&["", "", "", "shop"]).to_owned();
    let dates = [DateSeen::None, DateSeen::Agrees, DateSeen::Differs];
    match ways {
        6..10 => {
            let taught = dice.one_of(&[Learned::default(), learned(number, number)]);
            Ask::Settle(Settle::new(&record, conclusion(dice, &record), taught))
        }
        10 => Ask::Record(record.id, record.epoch, dated(number, dice.one_of(&dates))),
        11 => Ask::Record(record.id, record.epoch, learned(number, 1)),
        12 => Ask::Baseline(record.id, record.epoch),
        13 if number == 1 => Ask::GoOn(record.id, record.epoch),
        13 if number == 0 => Ask::Close(record.id, record.epoch),
        13 => Ask::Withdraw(record.id, tenant),
        14 => Ask::Resolve(Resolution {
            id: record.id,
            tenant,
            decision: dice.one_of(&[
                Decision::NotExecuted,
                Decision::succeeded(format!("pi_{number}"), record.money),
            ]),
            who: "Noor".to_owned(),
            why: "seen".to_owned(),
        }),
        _ => match dice.below(3) {
            0 => Ask::Acknowledge(i64::from(number), tenant),
            1 => {
                let payment = payment(&format!("pi_{number}"));
                Ask::Adopt(Adopted::authorization(payment, sar(40_000).unwrap()).captured(5_000))
            }
            _ => Ask::Restart,
        },
    }
}

/// One of both ledgers, with three owners on its store.
struct Side<S> {
    store: S,
    clock: KitClock,
    handles: Vec<Arc<dyn Ledger>>,
    names: HashMap<String, usize>,
}

impl<S: Store> Side<S> {
    async fn new(store: S) -> Self {
        let clock = KitClock::new(START);
        let mut handles = Vec::new();
        for _ in 0..3 {
            handles.push(store.open(clock.clone()).await);
        }
        Self {
            store,
            clock,
            handles,
            names: HashMap::new(),
        }
    }

    /// Asks, and shows the answer and everything that can be seen afterwards.
    async fn answer(&mut self, place: usize, ask: Ask, known: &mut Vec<Record>) -> String {
        let ledger = Arc::clone(&self.handles[place]);
        let desk = ledger.desk();
        let mut text = match ask {
            Ask::Claim(claim) => {
                let claimed = ledger.claim(*claim).await;
                let mut sent = String::new();
                if let Ok(Claimed::Ours(owned)) = &claimed {
                    known.push(owned.record.clone());
                    sent = format!("{:?} {:?}", owned.request.headers, owned.request.body);
                }
                told(&claimed) + &sent
            }
            Ask::Settle(settle) => told(&ledger.settle(settle).await),
            Ask::Record(id, epoch, learned) => told(&ledger.record(id, epoch, learned).await),
            Ask::Baseline(id, epoch) => told(&ledger.baseline(id, epoch, "0".to_owned()).await),
            Ask::Close(id, epoch) => {
                let key = IdempotencyKey::new(format!("close-{id}-{epoch}"));
                let step = StepRequest::new(key, Request::new(Method::POST, "/cancel"));
                told(&ledger.begin_close(id, epoch, step).await)
            }
            Ask::GoOn(id, epoch) => {
                let key = IdempotencyKey::new(format!("next-{id}-{epoch}"));
                let step = StepRequest::new(key, Request::new(Method::POST, "/go"));
                let next = NextStep::new(step, RuleSnapshot::default(), START.plus(LEASE));
                told(&ledger.go_on(id, epoch, next).await)
            }
            Ask::Withdraw(id, tenant) => told(&desk.withdraw(id, tenant).await),
            Ask::Resolve(resolution) => told(&desk.resolve(resolution).await),
            Ask::Adopt(adopted) => told(&desk.adopt(adopted, String::new()).await),
            Ask::Acknowledge(number, tenant) => {
                told(&desk.acknowledge(number, tenant, "Noor".to_owned()).await)
            }
            Ask::Restart => {
                self.handles.remove(place);
                drop(ledger);
                self.handles.push(self.store.open(self.clock.clone()).await);
                String::new()
            }
        };
        let ledger = &self.handles[(place + 1) % 3];
        for tenant in ["", "shop"] {
            let list = ledger.desk().list(tenant.to_owned(), Filter::default());
            text += &told(&list.await);
            text += &told(&ledger.desk().alarms(tenant.to_owned()).await);
        }
        for state in State::all() {
            text += &told(&ledger.desk().tenants(vec![*state]).await);
        }
        for n in 0..4 {
            let payment = payment(&format!("pi_{n}"));
            text += &told(&ledger.desk().payment(payment).await);
        }
        if let Some(last) = known.last() {
            text += &told(&ledger.check(last.id).await);
        }
        self.with_owners_numbered(&text)
    }

    /// Owners have other names in each ledger: here they are numbered as they come.
    fn with_owners_numbered(&mut self, text: &str) -> String {
        let mut parts = text.split("OwnerId(\"");
        let mut numbered = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('"').unwrap();
            let next = self.names.len();
            let number = *self.names.entry(name.to_owned()).or_insert(next);
            write!(numbered, "owner {number}{rest}").unwrap();
        }
        numbered
    }
}

/// An answer as text. Of an error only its kind: what it says is the store's own.
fn told<T: fmt::Debug>(answer: &Result<T, LedgerError>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}\n"),
        Err(error) => {
            let text = format!("{error:?}");
            text.split(' ').next().unwrap_or_default().to_owned()
        }
    }
}

struct InFile(TempDir);

impl Store for InFile {
    fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>> {
        let path = self.0.path().join("payments.db");
        let ledger = SqliteOptions::new(path).clock(clock).open().unwrap();
        Box::pin(async move { Arc::new(ledger) as Arc<dyn Ledger> })
    }
}

struct InMemory(MemoryStore);

impl Store for InMemory {
    fn open(&self, clock: KitClock) -> BoxFuture<'_, Arc<dyn Ledger>> {
        let ledger = self.0.open(clock);
        Box::pin(async move { Arc::new(ledger) as Arc<dyn Ledger> })
    }
}

#[tokio::test]
async fn memory_and_sqlite_give_the_same_answers() {
    for seed in 1..=12_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut file = Side::new(InFile(tempfile::tempdir().unwrap())).await;
        let mut memory = Side::new(InMemory(MemoryStore::new())).await;
        let (mut known, mut same) = (Vec::new(), Vec::new());
        for step in 0..120 {
            if dice.below(4) == 0 {
                let seconds = dice.one_of(&[1, 5, 60, 100, 4_000]);
                let back = dice.below(6) == 0;
                for clock in [&file.clock, &memory.clock] {
                    if back {
                        clock.set(clock.now().minus(Duration::from_secs(seconds)));
                    } else {
                        clock.pass(Duration::from_secs(seconds));
                    }
                }
            }
            let (place, ask) = (dice.below(3), ask(&mut dice, &known));
            let one = memory.answer(place, ask.clone(), &mut known).await;
            let other = file.answer(place, ask.clone(), &mut same).await;
            assert_eq!(one, other, "seed {seed}, step {step}: {ask:?}");
        }
    }
}
