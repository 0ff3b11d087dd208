//! Where the charges go: to the simulator, or to Stripe's sandbox.

use std::error::Error;
use std::time::Duration;

use http::Method;
use http::header::{AUTHORIZATION, HeaderName};
use payonce::ReqwestTransport;
use payonce::provider::Request;
use payonce::transport::Transport;
use payonce_simulator::{Fault, Matcher, Options, Running, Simulator};
use payonce_stripe::Stripe;
use serde_json::Value;
use ulid::Ulid;

use crate::scenes::Scene;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A gateway that can be asked how often the money moved.
pub(crate) enum Gateway {
    Simulated(Box<Running>),
    Sandbox { secret: String },
}

const SANDBOX: &str = "https://api.stripe.com";

impl Gateway {
    pub(crate) fn simulated() -> Result<Self> {
        Ok(Self::Simulated(Box::new(Simulator::start_blocking(
            Options::default(),
        )?)))
    }

    pub(crate) fn sandbox() -> Result<Self> {
        let secret = std::env::var("STRIPE_SECRET_KEY")
            .map_err(|_| "--gateway stripe needs STRIPE_SECRET_KEY=sk_test_...")?;
        if !secret.starts_with("sk_test_") {
            return Err(
                "STRIPE_SECRET_KEY is no test key: this example never moves real money".into(),
            );
        }
        Ok(Self::Sandbox { secret })
    }

    /// The adapter for it.
    pub(crate) fn stripe(&self) -> Stripe {
        match self {
            Self::Simulated(simulator) => {
                Stripe::new("main", "sk_test_example").base_url(simulator.gateway_url("stripe"))
            }
            Self::Sandbox { secret } => Stripe::new("main", secret.as_str()),
        }
    }

    pub(crate) fn place(&self) -> String {
        match self {
            Self::Simulated(simulator) => format!("simulated, at {}", simulator.url()),
            Self::Sandbox { .. } => format!("Stripe's sandbox, at {SANDBOX}"),
        }
    }

    pub(crate) fn scenes(&self) -> Vec<Scene> {
        match self {
            Self::Simulated(_) => Scene::all(),
            Self::Sandbox { .. } => Scene::without_faults(),
        }
    }

    /// Plants what goes wrong with one order.
    pub(crate) fn plant_faults(&self, scene: &Scene, reference: &str) {
        if let Self::Simulated(simulator) = self {
            for fault in &scene.faults {
                // A reset comes before the body is read, so it cannot be for one order only.
                let acts_on_body = fault.fault != Fault::ResetBeforeReading;
                let matcher = Matcher::post();
                let matcher = if acts_on_body {
                    matcher.contains(reference)
                } else {
                    matcher
                };
                simulator.faults().push(fault.clone().on(matcher));
            }
        }
    }

    /// The customer passes the bank's page.
    pub(crate) fn customer_passes(&self, payment: &str) {
        if let Self::Simulated(simulator) = self {
            let done = simulator.stripe(|stripe| stripe.complete_action(payment, true));
            assert!(
                matches!(done, Some(Ok(()))),
                "the customer could not pass: {done:?}"
            );
        }
    }

    /// A second charge of an order, by a client that knows nothing of the first.
    pub(crate) async fn charge_behind_our_back(&self, reference: &str) -> Result<()> {
        let Self::Simulated(simulator) = self else {
            return Err("a double send can only be planted in the simulator".into());
        };
        let key = format!("a-new-key-for-{reference}").parse()?;
        let body = format!(
            "amount=48000&currency=sar&confirm=true&payment_method=pm_card_visa\
             &payment_method_types[]=card&metadata[order]={reference}"
        );
        let request = Request::new(Method::POST, "/v1/payment_intents")
            .with_header(AUTHORIZATION, "Bearer sk_test_example".parse()?)
            .with_header(HeaderName::from_static("idempotency-key"), key)
            .with_body("application/x-www-form-urlencoded", body);
        ask(&simulator.gateway_url("stripe"), request).await?;
        Ok(())
    }

    /// How often the money of an order moved, as the gateway says.
    pub(crate) async fn effects(&self, reference: &str) -> Result<usize> {
        match self {
            Self::Simulated(simulator) => {
                let path = format!("/control/effects?reference={reference}");
                let effects = ask(&simulator.url(), Request::new(Method::GET, path)).await?;
                Ok(list(&effects, "")?.len())
            }
            Self::Sandbox { secret } => {
                let now = Ulid::generate().timestamp_ms().checked_div(1000);
                let hour_ago = now.unwrap_or_default().saturating_sub(3600);
                let path = format!("/v1/payment_intents?limit=100&created%5Bgte%5D={hour_ago}");
                let request = Request::new(Method::GET, path)
                    .with_header(AUTHORIZATION, format!("Bearer {secret}").parse()?);
                let payments = ask(SANDBOX, request).await?;
                let moved = |payment: &&Value| {
                    let text = |path| payment.pointer(path).and_then(Value::as_str);
                    text("/metadata/payonce_reference") == Some(reference)
                        && text("/status") == Some("succeeded")
                };
                Ok(list(&payments, "/data")?.iter().filter(moved).count())
            }
        }
    }
}

/// A plain request beside the library's own.
async fn ask(base_url: &str, request: Request) -> Result<Value> {
    let transport = ReqwestTransport::new()?;
    let reply = transport
        .send(base_url, request, Duration::from_secs(30))
        .await?;
    if !reply.status.is_success() {
        return Err(format!("the gateway answered {}", reply.status).into());
    }
    Ok(reply.json().ok_or("the reply is no JSON")?)
}

/// The list at a JSON pointer of a reply.
fn list<'a>(body: &'a Value, pointer: &str) -> Result<&'a Vec<Value>> {
    let list = body.pointer(pointer).and_then(Value::as_array);
    Ok(list.ok_or("the gateway's list cannot be read")?)
}
