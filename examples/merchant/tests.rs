//! The backend over HTTP, with everything that a customer and a gateway do to it.

use std::path::PathBuf;
use std::time::Duration;

use http::Method;
use http::header::RETRY_AFTER;
use payonce::provider::{Request, Response};
use payonce::transport::Transport;
use payonce::{Client, Decision, Family, Outcome, Policy, ReqwestTransport, SqliteLedger};
use payonce_simulator::{Close, Fault, Matcher, Options, RateLimit, Running, Simulator, When};
use payonce_stripe::Stripe;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::shop;

struct World {
    gateway: Running,
    folder: TempDir,
    client: Client,
    url: String,
}

impl World {
    async fn new() -> Self {
        let gateway = Simulator::start_blocking(Options::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (client, url) = serve(&gateway, folder.path().join("payments.db")).await;
        Self {
            gateway,
            folder,
            client,
            url,
        }
    }

    /// The merchant's next process, over the same ledger.
    async fn restart(&mut self) {
        let ledger = self.folder.path().join("payments.db");
        (self.client, self.url) = serve(&self.gateway, ledger).await;
    }

    async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        read(&self.send(Method::POST, path, &body.to_string()).await)
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        read(&self.send(Method::GET, path, "").await)
    }

    async fn send(&self, method: Method, path: &str, body: &str) -> Response {
        let request =
            Request::new(method, path.to_owned()).with_body("application/json", body.to_owned());
        let transport = ReqwestTransport::new().unwrap();
        let sent = transport.send(&self.url, request, Duration::from_secs(30));
        sent.await.unwrap()
    }

    async fn pay(&self, order: &str, token: &str, attempt: u32) -> (u16, Value) {
        let body = json!({ "token": token, "attempt": attempt });
        self.post(&format!("/orders/{order}/pay"), body).await
    }

    fn effects(&self, reference: &str) -> usize {
        self.gateway.effects_for(reference).len()
    }

    /// The money moves, nobody hears of it, and nothing can be looked up.
    fn lose_the_reply(&self) {
        let lost = Fault::ReplyLost {
            when: When::After,
            how: Close::Rst,
        };
        self.gateway.faults().push(lost);
        let dark = Fault::server_error(503, When::Before).times(u32::MAX);
        self.gateway.faults().push(dark.on(Matcher::any()));
    }
}

async fn serve(gateway: &Running, ledger: PathBuf) -> (Client, String) {
    let stripe = Stripe::new("main", "sk_test_1").base_url(gateway.gateway_url("stripe"));
    let policy = Policy::new()
        .send_timeout(Duration::from_secs(2))
        .backoff(Duration::from_millis(10), Duration::from_millis(20))
        .sends(2);
    let client = Client::builder(SqliteLedger::open(ledger).unwrap())
        .provider(stripe)
        .policy(policy)
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = shop::router(client.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (client, url)
}

fn read(reply: &Response) -> (u16, Value) {
    (reply.status.as_u16(), reply.json().unwrap())
}

#[track_caller]
fn assert_outcome((status, body): &(u16, Value), expected: u16, outcome: &str) {
    assert_eq!(
        (*status, &body["outcome"]),
        (expected, &json!(outcome)),
        "{body}"
    );
}

/// A customer clicks twice, and once more later: one payment, and every click hears of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_double_click_pays_once() {
    let world = World::new().await;
    let click = || world.pay("1042", "pm_card_visa", 1);
    let (one, other) = tokio::join!(click(), click());
    let later = click().await;
    for answer in [&one, &other, &later] {
        assert_outcome(answer, 200, "succeeded");
        assert_eq!(answer.1["payment"], one.1["payment"]);
    }
    assert_eq!(world.effects("1042"), 1);
}

/// Another card is another attempt. A late click on the first button charges nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declined_order_is_paid_by_another_card() {
    let world = World::new().await;
    let declined = world.pay("1042", "pm_card_chargeDeclined", 1).await;
    assert_outcome(&declined, 402, "declined");
    assert_eq!(declined.1["next_attempt"], 2);
    assert_outcome(&world.pay("1042", "pm_card_visa", 1).await, 409, "error");
    assert_outcome(
        &world.pay("1042", "pm_card_visa", 2).await,
        200,
        "succeeded",
    );
    assert_outcome(&world.pay("1042", "pm_card_visa", 3).await, 409, "error");
    let late = world.pay("1042", "pm_card_chargeDeclined", 1).await;
    assert_outcome(&late, 409, "error");
    assert_eq!(late.1["attempt"], 2);
    assert_outcome(&world.get("/orders/1042").await, 200, "succeeded");
    assert_eq!(world.effects("1042"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bank_asks_and_the_order_is_paid_afterwards() {
    let world = World::new().await;
    let asked = world.pay("1042", "pm_card_threeDSecureRequired", 1).await;
    assert_outcome(&asked, 202, "action_required");
    assert!(asked.1["url"].as_str().unwrap().starts_with("http"));
    assert_outcome(&world.get("/orders/1042").await, 202, "action_required");
    let found = world.client.find(Family::Payment, "1042").await.unwrap();
    let Ok(Outcome::ActionRequired(action)) = found.unwrap().answer else {
        panic!("no action")
    };
    let passed = |stripe: &mut payonce_simulator::stripe::Stripe| {
        stripe.complete_action(&action.provider_id, true)
    };
    world.gateway.stripe(passed).unwrap().unwrap();
    assert_outcome(&world.get("/orders/1042").await, 200, "succeeded");
    assert_eq!(world.effects("1042"), 1);
}

/// Nobody knows, so the order is held: the next process finds out, and no second attempt starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_order_is_held_and_recovered_by_the_next_process() {
    let mut world = World::new().await;
    world.lose_the_reply();
    assert_outcome(&world.pay("1042", "pm_card_visa", 1).await, 202, "unknown");
    let body = json!({ "token": "pm_card_mastercard", "attempt": 2 }).to_string();
    let second = world.send(Method::POST, "/orders/1042/pay", &body).await;
    assert_outcome(&read(&second), 409, "error");
    let refund = world.post("/orders/1042/refund", json!({})).await;
    assert_outcome(&refund, 409, "error");
    let shown = world.send(Method::GET, "/orders/1042", "").await;
    assert_outcome(&read(&shown), 202, "unknown");
    assert_eq!(shown.headers[RETRY_AFTER], "5");

    world.restart().await;
    world.gateway.faults().clear();
    let recovered = world.client.recover().await.unwrap();
    assert_eq!(recovered.len(), 1);
    assert_outcome(&world.get("/orders/1042").await, 200, "succeeded");
    assert_eq!(world.effects("1042"), 1);
}

/// A clerk clicks twice; then asks for more than there is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_is_given_once_and_never_more_than_was_paid() {
    let world = World::new().await;
    assert_outcome(
        &world.pay("1042", "pm_card_visa", 1).await,
        200,
        "succeeded",
    );
    let path = "/orders/1042/refund";
    let part = json!({ "amount": "80.00" });
    let (one, other) = tokio::join!(world.post(path, part.clone()), world.post(path, part));
    assert_outcome(&one, 200, "succeeded");
    assert_eq!(one, other);
    assert_eq!(one.1["amount"], "80.00 SAR");
    let all = world.post(path, json!({ "number": 2 })).await;
    assert_outcome(&all, 409, "error");
    assert_eq!(all.1["left"], "400.00 SAR");
    let rest = world
        .post(path, json!({ "number": 2, "amount": "400.00" }))
        .await;
    assert_outcome(&rest, 200, "succeeded");
    assert_eq!(world.effects("1042-refund-1"), 1);
    assert_eq!(world.effects("1042-refund-2"), 1);
}

/// Everything else that a customer may be answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_other_answer_has_its_status() {
    let world = World::new().await;
    assert_outcome(&world.get("/orders/1").await, 404, "error");
    assert_outcome(
        &world.post("/orders/1/refund", json!({})).await,
        404,
        "error",
    );
    assert_outcome(&world.post("/orders/1/pay", json!({})).await, 422, "error");
    let no_json = world.send(Method::POST, "/orders/1/pay", "card").await;
    assert_outcome(&read(&no_json), 400, "error");
    assert_outcome(&world.pay("1", "", 1).await, 422, "error");
    assert_outcome(&world.pay("2", "pm_nobody", 1).await, 422, "rejected");

    world.gateway.faults().push(Fault::Processing);
    assert_outcome(&world.pay("3", "pm_card_visa", 1).await, 202, "pending");
    world.gateway.faults().push(
        Fault::RateLimited {
            kind: RateLimit::RateLimit,
            retry_after: None,
        }
        .times(2),
    );
    assert_outcome(&world.pay("4", "pm_card_visa", 1).await, 503, "error");
    world.gateway.faults().push(Fault::Unauthorized);
    let out_of_order = world.pay("5", "pm_card_visa", 1).await;
    assert_outcome(&out_of_order, 500, "error");
    assert!(!out_of_order.1.to_string().contains("secret"));

    world.lose_the_reply();
    assert_outcome(&world.pay("6", "pm_card_visa", 1).await, 202, "unknown");
    let held = world
        .client
        .find(Family::Payment, "6")
        .await
        .unwrap()
        .unwrap();
    let decision = Decision::NotExecuted;
    let resolved = world
        .client
        .resolve(held.summary.id, decision, "a clerk", "a test");
    assert!(matches!(resolved.await, Ok(Outcome::NoEffect(_))));
    assert_outcome(&world.get("/orders/6").await, 409, "no_effect");
}

/// A backend that stops takes no new payments, and says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backend_that_stops_says_so() {
    let world = World::new().await;
    assert_eq!(world.client.shutdown(Duration::from_secs(5)).await, 0);
    assert_outcome(&world.pay("1042", "pm_card_visa", 1).await, 503, "error");
    assert_eq!(world.effects("1042"), 0);
}
