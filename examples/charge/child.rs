//! A process of the merchant that is killed. It is this program, started with `--child`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use payonce::provider::{Request, Response};
use payonce::transport::{Transport, TransportError};
use payonce::{BoxFuture, Client, ReqwestTransport, SqliteLedger};

use crate::gateways::{Name, Result};
use crate::stage::{Order, price};

/// What a child says when it is where it is to be killed.
const HERE: &str = "kill me here";

/// Where a child waits to be killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// The order is in the ledger, and nothing was sent.
    BeforeSending,
    /// The money moved, and the reply is here; nothing of it is in the ledger.
    AfterSending,
}

impl Point {
    const fn as_str(self) -> &'static str {
        match self {
            Self::BeforeSending => "before",
            Self::AfterSending => "after",
        }
    }
}

/// Starts a child that charges an order, and kills it at this point.
pub(crate) async fn charge_and_die(
    order: &Order,
    url: String,
    ledger: &Path,
    point: Point,
) -> Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["--child", point.as_str(), order.gateway.as_str(), &url])
        .arg(ledger)
        .arg(&order.reference)
        .stdout(Stdio::piped());
    tokio::task::spawn_blocking(move || {
        let mut child = command.spawn()?;
        let stdout = child.stdout.take().ok_or("the child has no output")?;
        let mut lines = BufReader::new(stdout).lines();
        let arrived = lines.any(|line| line.is_ok_and(|line| line == HERE));
        // SIGKILL: it has no time to put anything in order.
        child.kill()?;
        child.wait()?;
        if arrived {
            Ok(())
        } else {
            Err("the child ended by itself".into())
        }
    })
    .await?
}

/// The child. `None`: this process is none.
pub(crate) async fn run() -> Option<Result<()>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, point, gateway, url, ledger, reference] = arguments.as_slice() else {
        return None;
    };
    if first != "--child" {
        return None;
    }
    Some(charge(point, gateway, url, ledger, reference).await)
}

async fn charge(
    point: &str,
    gateway: &str,
    url: &str,
    ledger: &str,
    reference: &str,
) -> Result<()> {
    let gateway = Name::from_name(gateway).ok_or("no such gateway")?;
    let point = [Point::BeforeSending, Point::AfterSending]
        .into_iter()
        .find(|known| known.as_str() == point)
        .ok_or("no such point")?;
    let parking = Parking {
        inner: ReqwestTransport::new()?,
        point,
    };
    let builder = Client::builder(SqliteLedger::open(ledger)?).transport(parking);
    let client = gateway.add_to(builder, url).build()?;
    let intent = payonce::Intent::charge(reference, price()?)
        .source(payonce::Source::token(gateway.good_card()))
        .return_url("https://shop.example/back");
    // It never comes back from here.
    let outcome = client.charge(intent).await?;
    Err(format!("the child was not killed: {}", outcome.operation().state).into())
}

/// A transport that says where it is and stays there.
#[derive(Debug)]
struct Parking {
    inner: ReqwestTransport,
    point: Point,
}

impl Parking {
    #[expect(clippy::print_stdout, reason = "the parent reads it")]
    async fn wait_for_the_end() -> std::result::Result<Response, TransportError> {
        println!("{HERE}");
        std::future::pending().await
    }
}

impl Transport for Parking {
    fn send(
        &self,
        base_url: &str,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, std::result::Result<Response, TransportError>> {
        if self.point == Point::BeforeSending {
            return Box::pin(Self::wait_for_the_end());
        }
        let sent = self.inner.send(base_url, request, timeout);
        Box::pin(async move {
            drop(sent.await);
            Self::wait_for_the_end().await
        })
    }
}
