//! A whole client against a scripted gateway.

mod close;
mod proceed;
mod steps;
mod telemetry;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::*;
use crate::clock::BoxFuture;
use crate::engine::Policy;
use crate::engine::testing::{TOKEN, World, row, wanted};
use crate::intent::Source;
use crate::money::{Currency, Money};
use crate::operation::State;
use crate::outcome::Doubt;
use crate::provider::testing::Fake;
use crate::provider::{Request, Response};
use crate::transport::{Transport, TransportError};

fn client(engine: Engine) -> Client {
    let flights = Flights::default();
    Client {
        inner: Arc::new(Inner { engine, flights }),
        tenant: Arc::from(""),
    }
}

/// The intent of [`wanted`].
fn charge(reference: &str) -> Intent<Charge> {
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    Intent::charge(reference, money).source(Source::token(TOKEN))
}

/// A transport that holds every request until it may go on.
#[derive(Debug, Clone)]
struct Held {
    world: World,
    arrived: Arc<Semaphore>,
    go: Arc<Semaphore>,
}

impl Transport for Held {
    fn send(
        &self,
        base_url: &str,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Response, TransportError>> {
        let base_url = base_url.to_owned();
        Box::pin(async move {
            self.arrived.add_permits(1);
            self.go.acquire().await.unwrap().forget();
            self.world.send(&base_url, request, timeout).await
        })
    }
}

/// Beyond the merchant's limit a call ends before anything is stored or sent. When a place is free
/// again the same intent works.
#[tokio::test]
async fn an_overloaded_client_stores_and_sends_nothing() {
    let world = World::new();
    let held = Held {
        world: world.clone(),
        arrived: Arc::new(Semaphore::new(0)),
        go: Arc::new(Semaphore::new(0)),
    };
    let mut engine = world.engine(vec![Fake::new()], Policy::new().in_flight(1));
    engine.transport = Arc::new(held.clone());
    let client = client(engine);
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.charge(charge("a")).await }
    });
    held.arrived.acquire().await.unwrap().forget();
    let second = tokio::select! {
        result = client.charge(charge("b")) => result,
        _ = held.arrived.acquire() => panic!("it was sent"),
    };
    assert!(matches!(second, Err(Error::Overloaded { limit: 1 })));
    let ledger = &client.inner.engine.ledger;
    let stored = ledger.find(wanted("b").identity()).await;
    assert!(stored.unwrap().is_none());
    held.go.add_permits(10);
    let first = first.await.unwrap();
    assert!(matches!(first, Ok(Outcome::Succeeded(_))), "{first:?}");
    let again = client.charge(charge("b")).await;
    assert!(matches!(again, Ok(Outcome::Succeeded(_))), "{again:?}");
    assert_eq!(world.count("send"), 2);
}

/// A task that ends after its send leaves a doubt and no error, and the next call goes on with the
/// same key.
#[tokio::test]
async fn a_task_that_ends_after_its_send_is_in_doubt() {
    let world = World::new();
    let client = client(world.engine(vec![Fake::new()], Policy::new()));
    world.sends([Some((200, "panic"))]);
    let lost = client.charge(charge("a")).await;
    let Ok(Outcome::Unknown(unknown)) = &lost else {
        panic!("{lost:?}")
    };
    assert_eq!((&unknown.doubt, unknown.recorded), (&Doubt::TaskLost, true));
    let stored = row(&client.inner.engine, &wanted("a")).await;
    assert_eq!(stored.state, State::Sending);
    let again = client.charge(charge("a")).await;
    let Ok(Outcome::Succeeded(receipt)) = &again else {
        panic!("{again:?}")
    };
    assert_eq!(receipt.operation.key, stored.key);
}
