//! Ending what a customer left open: until it is known to have ended, nothing else may be tried.

mod races;

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use payonce::{
    Client, Doubt, Error, Family, Intent, NoEffectReason, OperationId, Outcome, PendingReason,
};
use payonce_simulator::stripe::Stripe;
use payonce_simulator::{ActionKind, Close, EffectKind, Fault, LoggedRequest, Matcher, When};

use crate::ledgers::faulty;
use crate::world::{World, assert_word, charge, hasty, late_reply, lost_after, money};

/// A charge whose page the customer has not used.
struct Page {
    world: World,
    client: Client,
    id: OperationId,
    payment: String,
}

impl Page {
    async fn open() -> Self {
        let world = World::new();
        let client = world.client();
        world.fault(Fault::RequireAction {
            kind: ActionKind::RedirectToUrl,
        });
        let page = charge("r1").return_url("https://shop.example/back");
        let Ok(Outcome::ActionRequired(action)) = client.charge(page).await else {
            panic!("no page")
        };
        Self {
            client,
            id: action.operation.id,
            payment: action.provider_id,
            world,
        }
    }

    /// The customer pays at the page, and it works or does not any more.
    fn customer_pays(&self) -> bool {
        let pay = |stripe: &mut Stripe| stripe.complete_action(&self.payment, true).is_ok();
        self.world.gateway.stripe(pay).unwrap()
    }

    fn closes(&self) -> Vec<LoggedRequest> {
        let mut sent = self.world.sent();
        sent.retain(|post| post.path.ends_with("/cancel"));
        sent
    }

    /// Plants a fault for so many requests that end something.
    fn fault(&self, fault: Fault, times: u32) {
        let on_cancel =
            Matcher::post().path(&format!("/v1/payment_intents/{}/cancel", self.payment));
        self.world
            .gateway
            .faults()
            .push(fault.on(on_cancel).times(times));
    }

    async fn second_card(&self) -> Result<Outcome, Error> {
        self.client.charge(charge("r1").attempt(2)).await
    }
}

fn is_closing(result: &Result<Outcome, Error>) {
    match result {
        Ok(Outcome::Pending(pending)) if pending.why == PendingReason::Closing => {}
        other => panic!("{other:?}"),
    }
}

fn is_canceled(result: &Result<Outcome, Error>) {
    match result {
        Ok(Outcome::NoEffect(ended)) if ended.why == NoEffectReason::Canceled => {}
        other => panic!("{other:?}"),
    }
}

/// The customer went back and took another card. Without an end of the first page both could pay.
#[tokio::test]
async fn a_page_is_ended_before_a_second_card_is_tried() {
    let page = Page::open().await;
    let early = page.second_card().await;
    assert!(matches!(early, Err(Error::PriorAttemptOpen { .. })));
    is_canceled(&page.client.close(page.id).await);
    assert!(!page.customer_pays(), "the page can still be paid");
    assert_word(&page.second_card().await, "succeeded");
    assert_eq!((page.closes().len(), page.world.effects("r1")), (1, 1));
    // It is over: asked again, it says so and sends nothing.
    is_canceled(&page.client.close(page.id).await);
    assert_eq!(page.closes().len(), 1);
    // It has a key of its own, and no client secret is kept of a page that is over.
    let keys: i64 = page
        .world
        .sql("SELECT count(DISTINCT idem_key) FROM step WHERE operation_rid = 1");
    assert_eq!(keys, 2);
    let standing: String = page
        .world
        .sql("SELECT standing FROM operation WHERE rid = 1");
    assert!(!standing.contains("action"), "{standing}");
}

#[tokio::test]
async fn a_customer_who_was_faster_has_paid() {
    let page = Page::open().await;
    assert!(page.customer_pays());
    assert_word(&page.client.close(page.id).await, "succeeded");
    assert_eq!((page.closes().len(), page.world.effects("r1")), (0, 1));
}

/// Between our look and our close the customer pays: the gateway refuses to end it.
#[tokio::test]
async fn a_close_that_comes_too_late_finds_the_success() {
    let page = Page::open().await;
    page.fault(lost(When::Before), 1);
    let hurried = page
        .world
        .client_with(|builder| builder.policy(hasty().sends(1)));
    is_closing(&hurried.close(page.id).await);
    assert!(page.customer_pays());
    // While the close may still take effect a success settles nothing, whoever asks.
    is_closing(&page.client.look_up(page.id).await);
    is_closing(
        &page
            .client
            .charge(charge("r1").return_url("https://shop.example/back"))
            .await,
    );
    is_closing(&page.client.resume(Family::Payment, "r1").await);
    let second = page.second_card().await;
    assert!(matches!(second, Err(Error::PriorAttemptOpen { .. })));
    assert_eq!(page.world.state("r1"), "action_required");
    // A worker goes on with it: the same step, and what it shows.
    let recovered = page.world.client().recover().await.unwrap();
    assert_word(&recovered[0].answer, "succeeded");
    let closes = page.closes();
    let first = &closes[0];
    assert!(
        closes.len() > 1
            && closes
                .iter()
                .all(|c| c.key == first.key && c.body == first.body)
    );
    assert_eq!(
        (page.world.state("r1").as_str(), page.world.effects("r1")),
        ("succeeded", 1)
    );
}

fn lost(when: When) -> Fault {
    let how = Close::Rst;
    Fault::ReplyLost { when, how }
}

/// The reply is lost, whether or not it was carried out: the same request again, under its own key.
#[tokio::test]
async fn a_lost_reply_is_asked_for_again() {
    for fault in [
        lost(When::Before),
        lost_after(),
        late_reply(),
        Fault::server_error(500, When::After),
        Fault::KeyInUse,
    ] {
        let page = Page::open().await;
        page.fault(fault, 1);
        let client = page.world.client_with(|builder| builder.policy(hasty()));
        is_canceled(&client.close(page.id).await);
        let closes = page.closes();
        assert_eq!(closes.len(), 2);
        assert_eq!(
            (&closes[0].key, &closes[0].body),
            (&closes[1].key, &closes[1].body)
        );
        assert_eq!(page.world.effects("r1"), 0);
    }
}

/// What cannot be asked is not ended: its id may be wrong, or it may be paid.
#[tokio::test]
async fn nothing_is_ended_without_a_look() {
    let page = Page::open().await;
    page.world.no_look_ups();
    assert_word(&page.client.close(page.id).await, "action_required");
    assert_eq!(page.closes().len(), 0);
}

/// The process dies after the step is stored, or after it is sent. The next one goes on with it.
#[tokio::test]
async fn a_recovery_ends_what_a_dead_process_began_to_end() {
    for sent in [0, 1] {
        let page = Page::open().await;
        let (dies, fails) = faulty(&page.world);
        if sent == 0 {
            fails.close_after.store(true, Ordering::SeqCst);
        } else {
            page.fault(lost(When::Before), 20);
        }
        is_closing(&dies.close(page.id).await);
        assert_eq!(page.closes().is_empty(), sent == 0);
        drop(dies);
        page.world.gateway.faults().clear();
        let recovered = page.world.client().recover().await.unwrap();
        is_canceled(&recovered[0].answer);
        let keys: HashSet<_> = page.closes().into_iter().map(|post| post.key).collect();
        assert_eq!(keys.len(), 1);
        assert_word(&page.second_card().await, "succeeded");
    }
}

/// Where the step cannot be stored nothing is sent of it.
#[tokio::test]
async fn a_close_that_is_not_stored_is_not_sent() {
    let page = Page::open().await;
    let (client, fails) = faulty(&page.world);
    fails.close_before.store(true, Ordering::SeqCst);
    assert_word(&client.close(page.id).await, "action_required");
    assert_eq!(page.closes().len(), 0);
}

/// The gateway says that it did nothing: the merchant hears so, and the page is as it was.
#[tokio::test]
async fn a_close_that_was_not_carried_out_says_so() {
    for (fault, word) in [
        (
            Fault::RateLimited {
                kind: payonce_simulator::RateLimit::RateLimit,
                retry_after: None,
            },
            "unavailable",
        ),
        (Fault::Unauthorized, "unauthorized"),
    ] {
        let page = Page::open().await;
        page.fault(fault, 20);
        assert_word(&page.client.close(page.id).await, word);
        assert_eq!(page.world.sql::<i64>("SELECT closing FROM operation"), 0);
        assert_word(&page.client.look_up(page.id).await, "action_required");
        page.world.gateway.faults().clear();
        is_canceled(&page.client.close(page.id).await);
    }
}

/// What an earlier call sent may still take effect, though this call's did not.
#[tokio::test]
async fn an_earlier_close_is_not_forgotten() {
    let page = Page::open().await;
    let hasty = page
        .world
        .client_with(|builder| builder.policy(hasty().sends(1)));
    page.fault(lost(When::Before), 1);
    is_closing(&hasty.close(page.id).await);
    page.fault(Fault::Unauthorized, 1);
    is_closing(&hasty.close(page.id).await);
    is_canceled(&hasty.close(page.id).await);
}

/// A reservation that the customer made while it was being ended is released, and not captured.
#[tokio::test]
async fn nothing_is_captured_of_what_is_being_ended() {
    let world = World::new();
    let client = world.client();
    world.fault(Fault::RequireAction {
        kind: ActionKind::RedirectToUrl,
    });
    let sar = || money("480.00", payonce::Currency::SAR);
    let intent = Intent::authorize("r1", sar())
        .source(payonce::Source::token("pm_card_visa"))
        .return_url("https://shop.example/back");
    let Ok(Outcome::ActionRequired(action)) = client.authorize(intent).await else {
        panic!("no page")
    };
    let (id, payment) = (action.operation.id, action.provider_id);
    let page = Page {
        world,
        client,
        id,
        payment,
    };
    page.fault(lost(When::Before), 1);
    let dies = page
        .world
        .client_with(|builder| builder.policy(hasty().sends(1)));
    is_closing(&dies.close(id).await);
    assert!(page.customer_pays());
    is_closing(&page.client.look_up(id).await);
    let account = page.client.accounts().remove(0);
    let reserved = || payonce::Payment::new(account.clone(), page.payment.clone());
    let capture = page
        .client
        .capture(Intent::capture("c1", reserved(), sar()))
        .await;
    assert_word(&capture, "invalid");
    is_canceled(&page.client.close(id).await);
    let capture = page
        .client
        .capture(Intent::capture("c1", reserved(), sar()))
        .await;
    assert_word(&capture, "invalid");
    let kinds: Vec<_> = page
        .world
        .gateway
        .effects()
        .iter()
        .map(|e| e.kind)
        .collect();
    assert_eq!(kinds, [EffectKind::Authorize, EffectKind::Void]);
}

/// What may not be ended, and why.
#[tokio::test]
async fn what_is_not_open_at_the_gateway_is_not_ended() {
    let world = World::new();
    let client = world.client();
    let none = client
        .close("01J00000000000000000000000".parse().unwrap())
        .await;
    assert!(matches!(none, Err(Error::NotFound { .. })));

    assert_word(&client.charge(charge("paid")).await, "succeeded");
    let id = |found: Option<payonce::Operation>| found.unwrap().summary.id;
    let paid = id(client.find(Family::Payment, "paid").await.unwrap());
    assert_word(&client.close(paid).await, "succeeded");

    world.fault(Fault::Unauthorized);
    assert_word(&client.charge(charge("unsent")).await, "unauthorized");
    let unsent = id(client.find(Family::Payment, "unsent").await.unwrap());
    match client.close(unsent).await {
        Err(Error::WrongState { why, .. }) => assert!(why.contains("withdraw"), "{why}"),
        other => panic!("{other:?}"),
    }

    let page = Page::open().await;
    page.world.freeze();
    match page.client.close(page.id).await {
        Ok(Outcome::Unknown(unknown)) => assert_eq!(unknown.doubt, Doubt::Frozen),
        other => panic!("{other:?}"),
    }
    assert_eq!(page.closes().len(), 0);
}
