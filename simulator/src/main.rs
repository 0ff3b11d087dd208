//! Serves the simulator on loopback until it is stopped.

use std::io::{self, Write};
use std::process::ExitCode;

use payonce_simulator::{Options, Running, Simulator};

const PORT: u16 = 12111;
const USAGE: &str = "usage: payonce-simulator [--port N]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this cannot be written either, the exit code has to do.
            drop(writeln!(io::stderr(), "{error}"));
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let running = match (
        arguments.next().as_deref(),
        arguments.next(),
        arguments.next(),
    ) {
        (None, ..) => start_anywhere(),
        (Some("--port"), Some(port), None) => {
            let port = port
                .parse()
                .map_err(|_| format!("--port {port}: not a port\n{USAGE}"))?;
            start(port)
        }
        _ => return Err(USAGE.to_owned()),
    }?;
    let url = running.url();
    let lines = format!(
        "{url}           how to use it\n{url}/stripe    Stripe v1\n{url}/moyasar   Moyasar v1\n\
         {url}/hyperpay  HyperPay (OPPWA) v1\n{url}/tap       Tap Payments v2\n\
         {url}/aps       Amazon Payment Services\n{url}/paytabs   PayTabs PT2\n\
         {url}/square    Square v2\n{url}/adyen     Adyen Checkout v72\nCtrl-C stops it."
    );
    writeln!(io::stdout(), "{lines}").map_err(|error| error.to_string())?;
    loop {
        std::thread::park();
    }
}

/// The usual port, or a free one if it is taken.
fn start_anywhere() -> Result<Running, String> {
    start(PORT).or_else(|_| start(0))
}

fn start(port: u16) -> Result<Running, String> {
    Simulator::start_blocking(Options::default().port(port))
        .map_err(|error| format!("cannot listen on 127.0.0.1:{port}: {error}"))
}
