//! Two processes that give money of the same payments back.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use payonce::{Client, Currency, Error, Intent, Outcome, Payment, Policy, SqliteLedger};
use payonce_simulator::{EffectKind, Options, Running, Simulator};
use payonce_stripe::Stripe;
use tokio::task::JoinSet;

use crate::world::money;

const LEDGER: &str = "PAYONCE_TEST_REFUND_LEDGER";
const GATEWAY: &str = "PAYONCE_TEST_REFUND_GATEWAY";
const ME: &str = "PAYONCE_TEST_REFUND_NAME";

/// How many payments there are.
const PAYMENTS: usize = 1000;
/// How many calls a process makes at a time.
const AT_ONCE: usize = 16;

fn client(ledger: &str, gateway: &str) -> Client {
    let stripe = Stripe::new("main", "sk_test_1").base_url(gateway);
    Client::builder(SqliteLedger::open(ledger).unwrap())
        .provider(stripe)
        .policy(Policy::new().deadline(Duration::from_secs(300)))
        .build()
        .unwrap()
}

/// Does nothing in an ordinary test run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_only_as_a_child() {
    let Ok(me) = std::env::var(ME) else {
        return;
    };
    let client = client(
        &std::env::var(LEDGER).unwrap(),
        &std::env::var(GATEWAY).unwrap(),
    );
    let mut calls = JoinSet::new();
    let mut words = (0, 0);
    for n in 0..PAYMENTS {
        while calls.len() >= AT_ONCE {
            count(&mut words, calls.join_next().await.unwrap().unwrap());
        }
        let (client, me) = (client.clone(), me.clone());
        calls.spawn(async move {
            let reference = format!("order-{n}");
            let paid = client.find(payonce::Family::Payment, &reference).await;
            let payment = match paid.unwrap().unwrap().answer {
                Ok(Outcome::Succeeded(receipt)) => receipt.payment(),
                other => panic!("{other:?}"),
            };
            refund(&client, &format!("{me}-{n}"), payment).await
        });
    }
    while let Some(done) = calls.join_next().await {
        count(&mut words, done.unwrap());
    }
    assert_eq!(words.0 + words.1, PAYMENTS);
    println!("\nrefunded {} refused {}", words.0, words.1);
}

async fn refund(client: &Client, reference: &str, payment: Payment) -> Result<Outcome, Error> {
    let eighty = money("80.00", Currency::SAR);
    client
        .refund(Intent::refund(reference, payment, eighty))
        .await
}

fn count(words: &mut (usize, usize), done: Result<Outcome, Error>) {
    match done {
        Ok(Outcome::Succeeded(_)) => words.0 += 1,
        Err(Error::ExceedsParent { .. }) => words.1 += 1,
        other => panic!("{other:?}"),
    }
}

fn start(gateway: &Running, ledger: &str, me: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "refunds::refunds_only_as_a_child", "--nocapture"])
        .env(ME, me)
        .env(LEDGER, ledger)
        .env(GATEWAY, gateway.gateway_url("stripe"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Two refunds of 80 on a payment of 100, each by a process of its own: one is refused, a thousand
/// times.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_never_give_more_back_than_was_paid() {
    let gateway = Simulator::start_blocking(Options::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("payments.db");
    let ledger = path.to_str().unwrap();
    let client = client(ledger, &gateway.gateway_url("stripe"));
    let mut charges = JoinSet::new();
    for n in 0..PAYMENTS {
        while charges.len() >= AT_ONCE {
            charges.join_next().await.unwrap().unwrap();
        }
        let client = client.clone();
        charges.spawn(async move {
            let intent = Intent::charge(format!("order-{n}"), money("100.00", Currency::SAR))
                .source(payonce::Source::token("pm_card_visa"));
            let paid = client.charge(intent).await;
            assert!(matches!(paid, Ok(Outcome::Succeeded(_))), "{paid:?}");
        });
    }
    while let Some(done) = charges.join_next().await {
        done.unwrap();
    }
    let mut children = ["north", "south"].map(|me| start(&gateway, ledger, me));
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let refunds = gateway.effects();
    let given = refunds.iter().filter(|e| e.kind == EffectKind::Refund);
    assert_eq!(given.count(), PAYMENTS);
    // Both gave some back, or they did not meet.
    for me in ["north", "south"] {
        let families = client.list(payonce::Filter::default().family(payonce::Family::Refund));
        let refunds = families.await.unwrap();
        assert!(refunds.iter().any(|r| r.summary.reference.starts_with(me)));
    }
}
