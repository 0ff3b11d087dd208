//! One charge, for scripts and outside checks.
//!
//! ```text
//! PAYONCE_SECRET=sk_test_... cargo run --example charge_once -- \
//!     --gateway stripe --account main --base-url https://api.stripe.com \
//!     --reference order-1042 --amount 480.00 --currency SAR --source pm_card_visa \
//!     --ledger payments.db
//! ```
//!
//! It prints one line of JSON for each call. A second run with the same ledger continues the same
//! operation, also after a kill. Exit status: 0 succeeded; 10 declined; 20 unknown, pending or
//! action required; 30 proven without effect; 40 any other error.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command talks to its user"
)]

mod arguments;

use std::process::ExitCode;

use payonce::{
    Charge, Client, Error, Intent, Outcome, Policy, ReqwestTransport, Source, SqliteLedger,
};
use payonce_stripe::Stripe;
use serde_json::{Value, json};

use self::arguments::Arguments;

const SUCCEEDED: u8 = 0;
const DECLINED: u8 = 10;
const OPEN: u8 = 20;
const WITHOUT_EFFECT: u8 = 30;
const OTHER: u8 = 40;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", arguments::USAGE);
            return OTHER.into();
        }
    };
    let (client, intent) = match client(&arguments).and_then(|c| Ok((c, intent(&arguments)?))) {
        Ok(ready) => ready,
        Err(error) => return show(&arguments, &Err(error)).into(),
    };
    let mut status = OTHER;
    for _ in 0..arguments.calls {
        status = show(&arguments, &client.charge(intent.clone()).await);
    }
    status.into()
}

fn client(arguments: &Arguments) -> Result<Client, Error> {
    let mut stripe = Stripe::new(&arguments.account, arguments.secret.as_str());
    if let Some(url) = &arguments.base_url {
        stripe = stripe.base_url(url);
    }
    if let Some(life) = arguments.key_life {
        stripe = stripe.key_life(life);
    }
    let mut policy = Policy::new().deadline(arguments.deadline);
    let mut transport = ReqwestTransport::builder();
    if let Some(timeout) = arguments.timeout {
        policy = policy.send_timeout(timeout);
        // What ends while connecting was not sent, so it must end first.
        let half = timeout.checked_div(2).unwrap_or_default();
        transport = transport.connect_timeout(half);
    }
    Client::builder(SqliteLedger::open(&arguments.ledger)?)
        .provider(stripe)
        .policy(policy)
        .transport(transport.build()?)
        .build()
}

fn intent(arguments: &Arguments) -> Result<Intent<Charge>, Error> {
    let mut intent = Intent::charge(&arguments.reference, arguments.money?)
        .source(Source::token(&arguments.source));
    if let Some(url) = &arguments.return_url {
        intent = intent.return_url(url);
    }
    for (name, value) in &arguments.metadata {
        intent = intent.metadata(name, value);
    }
    Ok(intent)
}

/// Prints what a call came to. The exit status for it comes back.
fn show(arguments: &Arguments, result: &Result<Outcome, Error>) -> u8 {
    let (mut line, status) = match result {
        Ok(outcome) => (json!(outcome), outcome_status(outcome)),
        Err(error) => (error_line(error), error_status(error)),
    };
    if let Value::Object(fields) = &mut line {
        fields.insert("reference".to_owned(), json!(arguments.reference));
        fields.insert("exit".to_owned(), json!(status));
        if let Ok(Outcome::Unknown(unknown)) = result {
            fields.insert("message".to_owned(), json!(unknown.doubt.to_string()));
        }
    }
    println!("{line}");
    status
}

const fn outcome_status(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Succeeded(_) => SUCCEEDED,
        Outcome::Declined(_) => DECLINED,
        Outcome::ActionRequired(_) | Outcome::Pending(_) | Outcome::Unknown(_) => OPEN,
        Outcome::Rejected(_) | Outcome::NoEffect(_) => WITHOUT_EFFECT,
        Outcome::Reversed(_) => OTHER,
    }
}

/// Of these the ledger shows that nothing was carried out. Other errors speak of their own call
/// only.
const fn error_status(error: &Error) -> u8 {
    if matches!(
        error,
        Error::Unavailable { .. } | Error::Unauthorized { .. }
    ) {
        WITHOUT_EFFECT
    } else {
        OTHER
    }
}

fn error_line(error: &Error) -> Value {
    let operation = error.operation();
    json!({
        "outcome": "error",
        "message": error.to_string(),
        "operation": operation.map(|(id, _)| id),
        "state": operation.map(|(_, state)| state),
    })
}
