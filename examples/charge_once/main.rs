//! One operation, for scripts and outside checks: a charge, an authorization, a capture, a refund
//! or a void, at Stripe, Moyasar, HyperPay or Tap.
//!
//! ```text
//! PAYONCE_SECRET=sk_test_... cargo run --example charge_once -- \
//!     --gateway stripe --account main --base-url https://api.stripe.com \
//!     --reference order-1042 --amount 480.00 --currency SAR --source pm_card_visa \
//!     --ledger payments.db
//! PAYONCE_SECRET=sk_test_... cargo run --example charge_once -- \
//!     --gateway stripe --account main --operation refund --payment pi_... \
//!     --reference refund-1042 --amount 80.00 --currency SAR --ledger payments.db
//! ```
//!
//! It prints one line of JSON for each call; `provider_id` is what `--payment` takes. A second run
//! with the same ledger continues the same operation, also after a kill. Exit status: 0 succeeded;
//! 10 declined; 20 unknown, pending or action required; 30 proven without effect; 40 any other
//! error.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command talks to its user"
)]

mod arguments;
mod wanted;

use std::process::ExitCode;

use payonce::{Client, ClientBuilder, Error, Outcome, Policy, ReqwestTransport, SqliteLedger};
use payonce_hyperpay::HyperPay;
use payonce_moyasar::Moyasar;
use payonce_stripe::Stripe;
use payonce_tap::Tap;
use serde_json::{Value, json};

use self::arguments::{Arguments, Gateway};
use self::wanted::Wanted;

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
    let (client, wanted) = match client(&arguments).and_then(|c| with_wanted(&arguments, c)) {
        Ok(ready) => ready,
        Err(error) => return show(&arguments, &Err(error)).into(),
    };
    let mut status = OTHER;
    for _ in 0..arguments.calls {
        status = show(&arguments, &wanted.carry_out(&client).await);
    }
    status.into()
}

fn client(arguments: &Arguments) -> Result<Client, Error> {
    let mut policy = Policy::new().deadline(arguments.deadline);
    let mut transport = ReqwestTransport::builder();
    if let Some(timeout) = arguments.timeout {
        policy = policy.send_timeout(timeout);
        // What ends while connecting was not sent, so it must end first.
        let half = timeout.checked_div(2).unwrap_or_default();
        transport = transport.connect_timeout(half);
    }
    let builder = Client::builder(SqliteLedger::open(&arguments.ledger)?);
    with_gateway(arguments, builder)
        .policy(policy)
        .transport(transport.build()?)
        .build()
}

fn with_gateway(arguments: &Arguments, builder: ClientBuilder) -> ClientBuilder {
    let (secret, url) = (arguments.secret.as_str(), arguments.base_url.as_deref());
    match &arguments.gateway {
        Gateway::Stripe { label, key_life } => {
            let mut stripe = Stripe::new(label, secret);
            if let Some(life) = key_life {
                stripe = stripe.key_life(*life);
            }
            builder.provider(match url {
                Some(url) => stripe.base_url(url),
                None => stripe,
            })
        }
        Gateway::Moyasar { label } => {
            let moyasar = Moyasar::new(label, secret);
            builder.provider(match url {
                Some(url) => moyasar.base_url(url),
                None => moyasar,
            })
        }
        Gateway::HyperPay { entity, live } => {
            let hyperpay = if *live {
                HyperPay::live(entity, secret)
            } else {
                HyperPay::test(entity, secret)
            };
            builder.provider(match url {
                Some(url) => hyperpay.base_url(url),
                None => hyperpay,
            })
        }
        Gateway::Tap { label, back_url } => {
            let mut tap = Tap::new(label, secret);
            if let Some(back) = back_url {
                tap = tap.return_url(back);
            }
            builder.provider(match url {
                Some(url) => tap.base_url(url),
                None => tap,
            })
        }
    }
}

fn with_wanted(arguments: &Arguments, client: Client) -> Result<(Client, Wanted), Error> {
    let account = client.accounts().into_iter().next();
    let account = account.ok_or_else(|| Error::Config("no account is set up".to_owned()))?;
    let wanted = Wanted::new(arguments, account)?;
    Ok((client, wanted))
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
        Error::Unavailable { .. } | Error::Unauthorized { .. } | Error::PaymentMismatch { .. }
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
