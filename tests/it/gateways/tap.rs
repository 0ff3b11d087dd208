//! Tap's row.

use std::time::{Duration, SystemTime};

use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, LookUp, ProviderName, Request, Response, Rule,
    Verdict,
};
use payonce::{Customer, OperationKind, Provider};
use payonce_simulator::{Fault, LoggedRequest, Tamper};
use payonce_tap::Tap;

use super::shop::{Adapter, Card, Shop};
use crate::world::World;

/// Tap wants to know the customer, also of a capture, and an address to come back to. These tests are
/// for every gateway, so their intents name neither everywhere.
#[derive(Debug)]
struct WithCustomer(Tap, Customer);

impl Provider for WithCustomer {
    fn name(&self) -> ProviderName {
        self.0.name()
    }

    fn account(&self) -> Account {
        self.0.account()
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        self.0.rule(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        let customer = details.customer.unwrap_or(&self.1);
        self.0.encode(call, &details.with_customer(Some(customer)))
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        self.0.authorize(request, now)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        self.0.classify(call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        self.0.look_up()
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        self.0.baseline()
    }
}

#[derive(Debug)]
pub(crate) struct TapShop;

impl Shop for TapShop {
    fn name(&self) -> &'static str {
        "tap"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        let tap = Tap::new("main", secret).base_url(url);
        let tap = tap.return_url("https://shop.example/back");
        let customer = Customer::new().name("Layla Example");
        let customer = customer.email("layla@shop.example");
        Adapter(Box::new(WithCustomer(tap, customer)))
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => "tok_mada",
            Card::PaysToo => "tok_visa",
            Card::Declines => "tok_insufficient_funds",
            Card::Asks => "tok_3ds",
        }
    }

    /// A void can write nothing.
    fn carries_its_own(&self, kind: OperationKind) -> bool {
        kind != OperationKind::Void
    }

    fn duplicate(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyReused)
    }

    /// A void has no key that could be in use.
    fn in_progress(&self, kind: OperationKind) -> Option<Fault> {
        (kind != OperationKind::Void).then_some(Fault::KeyInUse)
    }

    fn other_amount(&self, _kind: OperationKind, looked_up: bool) -> Tamper {
        // A look-up reads a list, or the object itself.
        let tamper = Tamper::set("/amount", 101);
        let lists: &[&str] = if looked_up {
            &["charges", "authorize", "refunds"]
        } else {
            &[]
        };
        lists.iter().fold(tamper, |tamper, list| {
            tamper.and_set(&format!("/{list}/0/amount"), 101)
        })
    }

    fn look_ups_lag(&self, world: &World, _kind: OperationKind, lag: Duration) {
        let lags = world.gateway.tap(|tap| tap.config.read_lag = lag);
        lags.unwrap();
    }

    fn look_ups_are_true(&self, world: &World) {
        self.look_ups_lag(world, OperationKind::Charge, Duration::ZERO);
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&post.body).ok()?;
        let key = body.pointer("/reference/idempotent")?;
        Some(key.as_str()?.to_owned())
    }
}
