//! What payonce does when things go wrong: real HTTP, a real ledger file, killed processes, and
//! three simulated gateways.
//!
//! ```text
//! cargo run --example charge
//! cargo run --example charge -- --plant double-send     shows that a double charge is seen
//! cargo run --example charge -- --ledger payments.db    keeps the ledger
//! STRIPE_SECRET_KEY=sk_test_... cargo run --example charge -- --gateway stripe
//! ```
//!
//! The last line says how often the money should have moved and how often it did, as the gateways
//! count it. The exit status is 1 if the two differ.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example talks to its reader"
)]

mod child;
mod clock;
mod control;
mod gateways;
mod report;
mod scenes;
mod stage;

use std::path::PathBuf;
use std::process::ExitCode;

use ulid::Ulid;

use self::gateways::{Gateways, Result};
use self::report::Report;
use self::stage::Stage;

/// What the example was asked to do.
#[derive(Default)]
struct Wish {
    ledger: Option<PathBuf>,
    plant: bool,
    sandbox: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    if let Some(ended) = child::run().await {
        if let Err(problem) = ended {
            eprintln!("{problem}");
        }
        return ExitCode::FAILURE;
    }
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

fn wish() -> std::result::Result<Wish, String> {
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

async fn run(wish: Wish) -> Result<Report> {
    let folder = tempfile::tempdir()?;
    let ledger = wish
        .ledger
        .unwrap_or_else(|| folder.path().join("payments.db"));
    let gateways = if wish.sandbox {
        Gateways::sandbox()?
    } else {
        Gateways::simulated()?
    };
    println!(
        "ledger: {}\ngateways: {}\n",
        ledger.display(),
        gateways.place()
    );
    let run = Ulid::generate().to_string();
    let run = run.get(20..).unwrap_or(&run);
    let mut stage = Stage::new(gateways, ledger, folder.path(), run)?;
    scenes::play(&mut stage, wish.plant).await?;
    let moved = stage.gateways.moved(run).await?;
    stage.report.count(&moved);
    Ok(stage.report)
}
