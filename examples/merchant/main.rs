//! A merchant's backend: orders that are paid and refunded over HTTP, at most once each.
//!
//! ```text
//! cargo run --example merchant
//! curl http://127.0.0.1:8080/orders/1042/pay -H 'Content-Type: application/json' \
//!     -d '{"token":"pm_card_visa"}'
//! curl http://127.0.0.1:8080/orders/1042
//! curl http://127.0.0.1:8080/orders/1042/refund -H 'Content-Type: application/json' \
//!     -d '{"amount":"80.00"}'
//! ```
//!
//! It takes its money from a simulated Stripe, which it brings along. For Stripe's sandbox:
//!
//! ```text
//! STRIPE_SECRET_KEY=sk_test_... cargo run --example merchant -- \
//!     --gateway stripe --ledger "$PWD/payments.db"
//! ```
//!
//! `shop.rs` has the three routes, `answer.rs` what each outcome and error means for the customer.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example talks to its reader"
)]

mod answer;
mod shop;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use payonce::{Client, SqliteLedger};
use payonce_simulator::{Options, Simulator};
use payonce_stripe::Stripe;
use tokio::net::TcpListener;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const USAGE: &str = "usage: merchant [--listen 127.0.0.1:8080] [--ledger PATH] [--gateway stripe]";

/// What the backend was asked to be.
#[derive(Default)]
struct Wish {
    listen: Option<String>,
    ledger: Option<PathBuf>,
    sandbox: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let ended = match wish() {
        Ok(wish) => run(wish).await,
        Err(problem) => Err(format!("{problem}\n{USAGE}").into()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
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
        match (name.as_str(), arguments.next()) {
            ("--listen", Some(address)) => wish.listen = Some(address),
            ("--ledger", Some(path)) => wish.ledger = Some(path.into()),
            ("--gateway", Some(name)) if name == "stripe" => wish.sandbox = true,
            (_, None) => return Err(format!("{name} is not known, or needs a value")),
            (_, Some(value)) => return Err(format!("{name} {value} is not known")),
        }
    }
    Ok(wish)
}

async fn run(wish: Wish) -> Result<()> {
    // Both are gone when this function ends: what the simulated gateway forgets, the ledger must
    // forget too.
    let folder = tempfile::tempdir()?;
    let mut simulator = None;
    let stripe = if wish.sandbox {
        sandbox()?
    } else {
        let started = Simulator::start_blocking(Options::default())?;
        println!("simulated Stripe at {}", started.url());
        let url = started.gateway_url("stripe");
        simulator = Some(started);
        Stripe::new("main", "sk_test_example").base_url(url)
    };
    let ledger = match wish.ledger {
        Some(path) => SqliteLedger::open(path)?,
        None if wish.sandbox => {
            return Err(
                "--gateway stripe needs --ledger PATH: it must outlive this process".into(),
            );
        }
        None => SqliteLedger::open(folder.path().join("payments.db"))?,
    };
    let client = Client::builder(ledger).provider(stripe).build()?;

    // What an earlier process left open goes on before the first customer comes.
    for operation in client.recover().await? {
        let summary = &operation.summary;
        println!("recovered: {} is {}", summary.reference, summary.state);
    }
    for alarm in client.alarms().await? {
        eprintln!("a person must look: {alarm:?}");
    }

    let listener = TcpListener::bind(wish.listen.as_deref().unwrap_or("127.0.0.1:8080")).await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, shop::router(client.clone()))
        .with_graceful_shutdown(asked_to_stop())
        .await?;
    // Customers who went away have left their payments under way.
    let left = client.shutdown(Duration::from_secs(60)).await;
    println!("stopped; under way and left to the next start: {left}");
    drop(simulator);
    Ok(())
}

fn sandbox() -> Result<Stripe> {
    let secret = std::env::var("STRIPE_SECRET_KEY")
        .map_err(|_| "--gateway stripe needs STRIPE_SECRET_KEY=sk_test_...")?;
    if !secret.starts_with("sk_test_") {
        return Err("STRIPE_SECRET_KEY is no test key: this example never moves real money".into());
    }
    Ok(Stripe::new("main", secret))
}

/// Ctrl-C, or the signal by which a process is ended when a new version comes.
async fn asked_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupted => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signals) => {
            signals.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
