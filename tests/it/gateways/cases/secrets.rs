//! No secret and no card data in any log, error, `Debug` or file.
//!
//! A child process logs everything at TRACE, the HTTP stack's own words too, so that threads and
//! other tests change nothing.

use std::fmt::{self, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use payonce::{Client, Error, Outcome, Policy, SqliteLedger};
use payonce_simulator::{Fault, Options, Simulator, When};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::gateways::shop::{Adapter, Card, Shop, amount, call, charge, parent, reference};
use crate::gateways::{SHOPS, shop};
use crate::world::lost_after;

use payonce::OperationKind::{Charge, Refund};

const SHOP: &str = "PAYONCE_TEST_SECRETS_SHOP";
const LEDGER: &str = "PAYONCE_TEST_SECRETS_LEDGER";

const SECRET: &str = "sk_test_SENTINEL_1";
const CARD: &str = "4111111111111111";
const CODE: &str = "737SENTINEL";

/// What must be nowhere: the secret, its first 12 characters, the same in base64, a card's number
/// and code.
const NEVER: [&str; 6] = [
    "SENTINEL",
    "sk_test_SENT",
    "c2tfdGVzdF9TRU5",
    CARD,
    "4111 1111",
    CODE,
];

/// Prints every span, event and log record with all its fields.
struct Everything;

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Line {
    fn of(metadata: &Metadata<'_>) -> Self {
        Self(format!("log: {} {}", metadata.target(), metadata.name()))
    }
}

impl Subscriber for Everything {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut line = Line::of(span.metadata());
        span.record(&mut line);
        println!("{}", line.0);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut line = Line("log: span".to_owned());
        values.record(&mut line);
        println!("{}", line.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line::of(event.metadata());
        event.record(&mut line);
        println!("{}", line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl log::Log for Everything {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        println!("log: {} {}", record.target(), record.args());
    }

    fn flush(&self) {}
}

fn client(adapter: Adapter) -> Client {
    let ledger = SqliteLedger::open(std::env::var(LEDGER).unwrap()).unwrap();
    let client = Client::builder(ledger)
        .provider(adapter)
        .policy(Policy::new().send_timeout(Duration::from_secs(2)).sends(1))
        .build()
        .unwrap();
    println!("{client:?}");
    client
}

fn show(result: &Result<Outcome, Error>) {
    println!("said: {result:?}");
    match result {
        Ok(outcome) => println!("said: {}", serde_json::to_string(outcome).unwrap()),
        Err(error) => println!("said: {error}"),
    }
}

/// Does nothing in an ordinary test run.
#[test]
fn runs_only_as_a_child() {
    let Ok(name) = std::env::var(SHOP) else {
        return;
    };
    tracing::subscriber::set_global_default(Everything).unwrap();
    log::set_boxed_logger(Box::new(Everything)).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(everything_that_can_happen(shop(&name)));
}

/// A success, a decline, a 500, a lost reply, a time-out, a refused secret, a TLS error, and what
/// is refused here.
async fn everything_that_can_happen(shop: &'static dyn Shop) {
    let gateway = Simulator::start_blocking(Options::default()).unwrap();
    let url = gateway.gateway_url(shop.name());
    let ours = client(shop.with_secret(url.clone(), SECRET));
    let paid = parent(shop, &ours, Refund).await;
    show(&call(shop, &ours, Refund, paid.as_ref()).await);
    let source = |card| payonce::Source::token(shop.token(card));
    show(
        &ours
            .charge(charge(shop, "declined").source(source(Card::Declines)))
            .await,
    );
    for fault in [
        Fault::server_error(500, When::Before),
        lost_after(),
        Fault::HoldForEver { execute: true },
        Fault::Unauthorized,
    ] {
        let name = fault.name();
        gateway.faults().push(fault);
        show(&ours.charge(charge(shop, &name)).await);
    }
    for intent in [
        charge(shop, "a").description(format!("card {CARD}")),
        charge(shop, "a").metadata("note", "4111 1111 1111 1111"),
        charge(shop, "a").metadata("cvv", CODE),
        charge(shop, "a").source(payonce::Source::token(CARD)),
        charge(shop, CARD),
    ] {
        println!("{intent:?}");
        show(&ours.charge(intent).await);
    }
    for operation in ours.list(payonce::Filter::default()).await.unwrap() {
        println!("{operation:?}");
    }
    // A server that does not speak TLS: it is another account, by its address.
    let tls = client(shop.with_secret(url.replace("http:", "https:"), SECRET));
    show(&tls.charge(charge(shop, "tls")).await);
    println!("{} {:?}", reference(Charge), amount(shop, Charge));
}

#[test]
fn c82_no_secret_and_no_card_in_logs_errors_debug_or_files() {
    for shop in SHOPS {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "gateways::cases::secrets::runs_only_as_a_child",
                "--nocapture",
            ])
            .env(SHOP, shop.name())
            .env(LEDGER, folder.path().join("payments.db"))
            .env("RUST_LOG", "trace")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let mut shown = String::from_utf8_lossy(&output.stdout).into_owned();
        shown += &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{shown}");
        // It did hear them all, down to the bytes of TLS, and everything happened.
        for heard in [
            "payonce.operation",
            "log: reqwest",
            "log: rustls",
            if shop.tells_at_once() {
                "said: Ok(Succeeded"
            } else {
                "said: Ok(Pending"
            },
            "said: Ok(Declined",
            "said: Ok(Unknown",
            "said: Err(Unauthorized",
            "said: Err(Invalid",
            "said: Err(Unavailable",
        ] {
            assert!(shown.contains(heard), "{shop:?}: no {heard} in {shown}");
        }
        for never in NEVER {
            let line = shown.lines().find(|line| line.contains(never));
            assert!(line.is_none(), "{shop:?} shows {never}: {line:?}");
        }
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            if !path.is_file() {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            for never in NEVER {
                assert!(!text.contains(never), "{shop:?}: {never} in {path:?}");
            }
        }
    }
}
