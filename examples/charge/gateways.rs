//! Where the money moves: at the three simulated gateways, or in Stripe's sandbox.

use std::error::Error;
use std::time::Duration;

use http::Method;
use http::header::{AUTHORIZATION, HeaderName};
use payonce::ClientBuilder;
use payonce::provider::Request;
use payonce_hyperpay::HyperPay;
use payonce_moyasar::Moyasar;
use payonce_simulator::{Fault, Matcher, Options, PlannedFault, Running, Simulator, When};
use payonce_stripe::Stripe;
use serde_json::{Value, json};
use ulid::Ulid;

use crate::control;
use crate::stage::Order;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const SANDBOX: &str = "https://api.stripe.com";
const SECRET: &str = "sk_test_example";

/// A gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    Stripe,
    Moyasar,
    HyperPay,
}

impl Name {
    pub(crate) const ALL: [Self; 3] = [Self::Stripe, Self::Moyasar, Self::HyperPay];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Stripe => "stripe",
            Self::Moyasar => "moyasar",
            Self::HyperPay => "hyperpay",
        }
    }

    pub(crate) fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.as_str() == text)
    }

    /// A card that works, as this gateway's tests name it.
    pub(crate) const fn good_card(self) -> &'static str {
        match self {
            Self::Stripe => "pm_card_visa",
            Self::Moyasar => "token_visa",
            Self::HyperPay => "8ac7a4a1000000000000000000000001",
        }
    }

    /// A card without money.
    pub(crate) const fn broke_card(self) -> &'static str {
        match self {
            Self::Stripe => "pm_card_chargeDeclinedInsufficientFunds",
            Self::Moyasar => "token_insufficient_funds",
            Self::HyperPay => "8ac7a4a1000000000000000000000003",
        }
    }

    /// A card whose bank asks the customer.
    pub(crate) const fn bank_card(self) -> &'static str {
        match self {
            Self::Stripe => "pm_card_threeDSecureRequired",
            Self::Moyasar => "token_3ds",
            Self::HyperPay => "8ac7a4a1000000000000000000000004",
        }
    }

    /// Adds this gateway, at this address, to a client.
    pub(crate) fn add_to(self, builder: ClientBuilder, url: &str) -> ClientBuilder {
        match self {
            Self::Stripe => builder.provider(Stripe::new("main", SECRET).base_url(url)),
            Self::Moyasar => builder.provider(Moyasar::new("main", SECRET).base_url(url)),
            Self::HyperPay => builder.provider(HyperPay::test("demo", SECRET).base_url(url)),
        }
    }
}

/// Gateways that can be asked how often the money moved.
pub(crate) enum Gateways {
    Simulated(Box<Running>),
    Sandbox { secret: String },
}

/// A movement of money, as the gateway counts it.
pub(crate) struct Moved {
    /// What moved: `charge`, `refund`, ...
    pub(crate) kind: String,
    /// The payment that a capture or refund belongs to.
    pub(crate) payment: Option<String>,
    /// What the merchant wrote there.
    pub(crate) fields: Vec<String>,
}

impl Gateways {
    pub(crate) fn simulated() -> Result<Self> {
        let simulator = Simulator::start_blocking(Options::default())?;
        Ok(Self::Simulated(Box::new(simulator)))
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

    pub(crate) const fn is_sandbox(&self) -> bool {
        matches!(self, Self::Sandbox { .. })
    }

    pub(crate) fn place(&self) -> String {
        match self {
            Self::Simulated(simulator) => {
                format!(
                    "Stripe, Moyasar and HyperPay, simulated at {}",
                    simulator.url()
                )
            }
            Self::Sandbox { .. } => format!("Stripe's sandbox, at {SANDBOX}"),
        }
    }

    /// The simulator. In a sandbox nothing goes wrong on demand.
    fn simulator(&self) -> Result<&Running> {
        match self {
            Self::Simulated(simulator) => Ok(simulator),
            Self::Sandbox { .. } => Err("this can only be played in the simulator".into()),
        }
    }

    pub(crate) fn url(&self, name: Name) -> Result<String> {
        Ok(self.simulator()?.gateway_url(name.as_str()))
    }

    /// Adds every gateway to a client.
    pub(crate) fn add_to(&self, builder: ClientBuilder) -> Result<ClientBuilder> {
        match self {
            Self::Simulated(_) => Name::ALL.into_iter().try_fold(builder, |builder, name| {
                Ok(name.add_to(builder, &self.url(name)?))
            }),
            Self::Sandbox { secret } => Ok(builder.provider(Stripe::new("main", secret.as_str()))),
        }
    }

    /// Plants what goes wrong with the next request of an order.
    pub(crate) fn plant(&self, order: &Order, fault: impl Into<PlannedFault>) -> Result<()> {
        let fault = fault.into();
        let next = Matcher::post().gateway(order.gateway.as_str());
        // A reset comes before the body is read, so it cannot be for one order only.
        let next = if fault.fault == Fault::ResetBeforeReading {
            next
        } else {
            next.contains(&order.reference)
        };
        self.simulator()?.faults().push(fault.on(next));
        Ok(())
    }

    /// Plants what goes wrong with the next request about a payment.
    pub(crate) fn plant_at(&self, payment: &str, fault: Fault) -> Result<()> {
        let next = Matcher::post().path_contains(payment);
        self.simulator()?.faults().push(fault.on(next));
        Ok(())
    }

    /// From now on nothing can be looked up at a gateway.
    pub(crate) fn go_dark(&self, name: Name) -> Result<()> {
        let look_up = Matcher::get().gateway(name.as_str());
        let fault = Fault::server_error(503, When::Before).times(u32::MAX);
        self.simulator()?.faults().push(fault.on(look_up));
        Ok(())
    }

    /// Nothing goes wrong any more.
    pub(crate) fn light_up(&self) -> Result<()> {
        self.simulator()?.faults().clear();
        Ok(())
    }

    /// The customer passes the bank's page.
    pub(crate) async fn customer_passes(&self, name: Name, payment: &str) -> Result<()> {
        let objects = match name {
            Name::Stripe => "payment_intents",
            Name::Moyasar | Name::HyperPay => "payments",
        };
        let name = name.as_str();
        let path = format!("/control/{name}/{objects}/{payment}/complete_action");
        let body = json!({ "passed": true });
        control::post(&self.simulator()?.url(), &path, &body).await?;
        Ok(())
    }

    /// Time passes at the gateways.
    pub(crate) async fn pass_time(&self, by: Duration) -> Result<()> {
        let ms = u64::try_from(by.as_millis())?;
        let body = json!({ "advance_ms": ms });
        control::post(&self.simulator()?.url(), "/control/clock", &body).await?;
        Ok(())
    }

    /// A second charge of an order, by a program that makes a new key for its retry.
    pub(crate) async fn charge_behind_our_back(&self, reference: &str) -> Result<()> {
        let key = format!("a-new-key-for-{reference}").parse()?;
        let body = format!(
            "amount=48000&currency=sar&confirm=true&payment_method=pm_card_visa\
             &payment_method_types[]=card&metadata[order]={reference}"
        );
        let request = Request::new(Method::POST, "/v1/payment_intents")
            .with_header(AUTHORIZATION, format!("Bearer {SECRET}").parse()?)
            .with_header(HeaderName::from_static("idempotency-key"), key)
            .with_body("application/x-www-form-urlencoded", body);
        control::ask(&self.url(Name::Stripe)?, request).await?;
        Ok(())
    }

    /// Every movement of money of this run, as the gateways say.
    pub(crate) async fn moved(&self, run: &str) -> Result<Vec<Moved>> {
        match self {
            Self::Simulated(simulator) => {
                let effects = control::get(&simulator.url(), "/control/effects").await?;
                list(&effects, "")?.iter().map(effect).collect()
            }
            Self::Sandbox { secret } => moved_in_sandbox(secret, run).await,
        }
    }
}

/// An effect in the simulator's form.
fn effect(effect: &Value) -> Result<Moved> {
    let text = |name: &str| effect.get(name).and_then(Value::as_str);
    let fields = effect.get("fields").and_then(Value::as_object);
    let fields = fields.ok_or("an effect has no fields")?.values();
    Ok(Moved {
        kind: text("kind").ok_or("an effect has no kind")?.to_owned(),
        payment: text("payment_id").map(str::to_owned),
        fields: fields
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
    })
}

/// The payments of the last hour that are of this run and paid.
async fn moved_in_sandbox(secret: &str, run: &str) -> Result<Vec<Moved>> {
    let now = Ulid::generate().timestamp_ms().checked_div(1000);
    let hour_ago = now.unwrap_or_default().saturating_sub(3600);
    let path = format!("/v1/payment_intents?limit=100&created%5Bgte%5D={hour_ago}");
    let request = Request::new(Method::GET, path)
        .with_header(AUTHORIZATION, format!("Bearer {secret}").parse()?);
    let payments = control::ask(SANDBOX, request).await?;
    let mut moved = Vec::new();
    for payment in list(&payments, "/data")? {
        let text = |path| payment.pointer(path).and_then(Value::as_str);
        let reference = text("/metadata/payonce_reference").unwrap_or_default();
        if reference.ends_with(run) && text("/status") == Some("succeeded") {
            moved.push(Moved {
                kind: "charge".to_owned(),
                payment: None,
                fields: vec![reference.to_owned()],
            });
        }
    }
    Ok(moved)
}

/// The list at a JSON pointer of a reply.
fn list<'a>(body: &'a Value, pointer: &str) -> Result<&'a Vec<Value>> {
    let list = body.pointer(pointer).and_then(Value::as_array);
    Ok(list.ok_or("the gateway's list cannot be read")?)
}
