//! What payonce does when things go wrong: real HTTP, a real ledger file, a simulated gateway.
//!
//! ```text
//! cargo run --example charge
//! cargo run --example charge -- --plant double-send     shows that a double charge is seen
//! cargo run --example charge -- --ledger payments.db    keeps the ledger
//! STRIPE_SECRET_KEY=sk_test_... cargo run --example charge -- --gateway stripe
//! ```
//!
//! The last line says how often the money should have moved and how often it did, as the gateway
//! counts it. The exit status is 1 if the two differ.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example talks to its reader"
)]

mod gateway;
mod report;
mod scenes;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use payonce::{Client, Policy, SqliteLedger};
use ulid::Ulid;

use self::gateway::Gateway;
use self::report::Report;

/// What the example was asked to do.
#[derive(Default)]
struct Wish {
    ledger: Option<PathBuf>,
    plant: bool,
    sandbox: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let wish = match wish() {
        Ok(wish) => wish,
        Err(problem) => {
            eprintln!(
                "{problem}\nusage: charge [--ledger PATH] [--plant double-send] [--gateway stripe]"
            );
            return ExitCode::from(2);
        }
    };
    match run(wish).await {
        Ok(report) => report.print(),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn wish() -> Result<Wish, String> {
    let mut wish = Wish::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next();
        match (name.as_str(), value.as_deref()) {
            ("--ledger", Some(path)) => wish.ledger = Some(path.into()),
            ("--plant", Some("double-send")) => wish.plant = true,
            ("--gateway", Some("stripe")) => wish.sandbox = true,
            ("--ledger" | "--plant" | "--gateway", None) => {
                return Err(format!("{name} needs a value"));
            }
            ("--plant" | "--gateway", Some(value)) => {
                return Err(format!("{name} {value} is not known"));
            }
            _ => return Err(format!("{name} is not known")),
        }
    }
    Ok(wish)
}

async fn run(wish: Wish) -> Result<Report, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let ledger = wish
        .ledger
        .unwrap_or_else(|| folder.path().join("payments.db"));
    let gateway = if wish.sandbox {
        Gateway::sandbox()?
    } else {
        Gateway::simulated()?
    };
    let client = Client::builder(SqliteLedger::open(&ledger)?)
        .provider(gateway.stripe())
        // Short times, so that the example is quick.
        .policy(
            Policy::new()
                .send_timeout(if wish.sandbox {
                    Duration::from_secs(30)
                } else {
                    Duration::from_millis(600)
                })
                .backoff(Duration::from_millis(100), Duration::from_secs(1)),
        )
        .build()?;
    println!(
        "ledger: {}\ngateway: {}\n",
        ledger.display(),
        gateway.place()
    );

    // References are the merchant's own. Here each run has its own orders.
    let run = Ulid::generate().to_string();
    let run = run.get(20..).unwrap_or(&run);
    let mut report = Report::default();
    for (number, scene) in (1..).zip(gateway.scenes()) {
        let reference = format!("order-{number}-{run}");
        println!("{number:>2}. {}", scene.wrong);
        gateway.plant_faults(&scene, &reference);
        let played = scene.play(&client, &gateway, &reference).await;
        if wish.plant && scene.is_plain() {
            // What a program does that makes a new key for its retry.
            gateway.charge_behind_our_back(&reference).await?;
        }
        report.add(&scene, &reference, &played);
    }
    report.count_effects(&gateway).await?;
    Ok(report)
}
