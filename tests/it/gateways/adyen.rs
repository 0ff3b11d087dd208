//! Adyen's row, and what is so at Adyen only: no look-up, no result of what is done to a payment, and
//! one more request after the customer acted.

use std::time::Duration;

use payonce::provider::Provider;
use payonce::{Doubt, OperationKind, Outcome, ProceedInput};
use payonce_adyen::Adyen;
use payonce_simulator::{Fault, LoggedRequest, Tamper, When};
use serde_json::json;

use super::shop::{Adapter, Card, ORDER, Place, Shop, paid};
use crate::world::{World, assert_word, lost_after};

use OperationKind::{Capture, Charge, Refund, Void};

#[derive(Debug)]
pub(crate) struct AdyenShop;

impl Shop for AdyenShop {
    fn name(&self) -> &'static str {
        "adyen"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        Adapter(Box::new(Adyen::test("AcmeECOM", secret).base_url(url)))
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => r#"{"type":"scheme","encryptedCardNumber":"eyJ1"}"#,
            Card::PaysToo => r#"{"type":"scheme","encryptedCardNumber":"eyJ2"}"#,
            Card::Declines => {
                r#"{"type":"scheme","encryptedCardNumber":"eyJ3","holderName":"DECLINED"}"#
            }
            Card::Asks => {
                r#"{"type":"scheme","encryptedCardNumber":"eyJ4","holderName":"SIMULATED_REDIRECT"}"#
            }
        }
    }

    /// Only a payment has a field for the merchant's reference.
    fn carries_its_own(&self, kind: OperationKind) -> bool {
        matches!(kind, Charge | OperationKind::Authorize)
    }

    fn tells_at_once(&self) -> bool {
        false
    }

    /// A repeat gets the first one's reply.
    fn duplicate(&self, _kind: OperationKind) -> Option<Fault> {
        None
    }

    fn in_progress(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyInUse)
    }

    fn other_amount(&self, _kind: OperationKind, _looked_up: bool) -> Tamper {
        Tamper::set("/amount", json!({ "currency": "SAR", "value": 1 }))
    }

    /// There are none.
    fn look_ups_lag(&self, _world: &World, _kind: OperationKind, _lag: Duration) {}

    fn look_ups_are_true(&self, _world: &World) {}

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        post.header("idempotency-key").map(str::to_owned)
    }
}

/// The customer passes 3-D Secure. The money moves when the shop hands in what came back, once.
#[tokio::test]
async fn the_customer_pays_when_the_shop_goes_on_and_once() {
    let place = Place::new(&AdyenShop);
    let client = place.client();
    let asks = || place.charge(ORDER).source(place.source(Card::Asks));
    let Ok(Outcome::ActionRequired(action)) = client.charge(asks()).await else {
        panic!("no page")
    };
    assert!(action.url.is_some());
    assert_word(&client.charge(asks()).await, "action_required");
    let gateway = &place.world.gateway;
    let result = gateway.adyen(|adyen| adyen.complete_action(&action.provider_id, true));
    let input = || ProceedInput::new().field("redirectResult", result.clone().unwrap().unwrap());
    assert_eq!(place.effects(Charge).len(), 0);
    place.world.fault(lost_after());
    for _ in 0..2 {
        assert_word(
            &client.proceed(action.operation.id, input()).await,
            "succeeded",
        );
    }
    assert_word(&client.charge(asks()).await, "succeeded");
    assert_eq!(place.effects(Charge).len(), 1);
    assert_eq!(place.world.sent().len(), 3);
}

/// The customer fails: the payment is over, and another card may follow.
#[tokio::test]
async fn after_a_customer_who_failed_another_attempt_may_follow() {
    let place = Place::new(&AdyenShop);
    let client = place.client();
    let asks = place.charge(ORDER).source(place.source(Card::Asks));
    let Ok(Outcome::ActionRequired(action)) = client.charge(asks).await else {
        panic!("no page")
    };
    let gateway = &place.world.gateway;
    let result = gateway.adyen(|adyen| adyen.complete_action(&action.provider_id, false));
    let input = ProceedInput::new().field("redirectResult", result.unwrap().unwrap());
    let result = client.proceed(action.operation.id, input).await;
    assert_word(&result, "no_effect");
    paid(&client.charge(place.charge(ORDER).attempt(2)).await);
    assert_eq!(place.effects(Charge).len(), 1);
}

/// After the days that Adyen keeps a key nothing is sent, and nobody can be asked: it is held.
#[tokio::test]
async fn a_repeat_is_sent_for_six_days_and_then_held() {
    for (hours, sends) in [(5 * 24 + 23, true), (6 * 24 + 1, false), (8 * 24, false)] {
        let place = Place::new(&AdyenShop);
        place.world.fault(lost_after());
        assert_word(
            &place.one_send().charge(place.charge(ORDER)).await,
            "unknown",
        );
        place.world.clock.advance(Duration::from_secs(hours * 3600));
        let again = place.client().charge(place.charge(ORDER)).await;
        assert_word(&again, if sends { "succeeded" } else { "unknown" });
        assert_eq!(place.world.sent().len(), 1 + usize::from(sends));
        assert_eq!(place.effects(Charge).len(), 1);
    }
}

/// A reply that does not name the key was not protected by it: the same key once more would be a
/// second payment. Nothing is sent again, by no later call and by no recovery.
#[tokio::test]
async fn an_unprotected_payment_is_held_and_never_sent_again() {
    for kind in [Charge, Refund] {
        let place = Place::new(&AdyenShop);
        let parent = place.parent(kind).await;
        let before = place.world.sent().len();
        let protects = |on| {
            let gateway = &place.world.gateway;
            gateway.adyen(|adyen| adyen.config.protects = on).unwrap();
        };
        protects(false);
        let first = place.call(&place.client(), kind, parent.as_ref()).await;
        let Ok(Outcome::Unknown(unknown)) = &first else {
            panic!("{first:?}")
        };
        assert_eq!(unknown.doubt, Doubt::EchoMissing);
        for _ in 0..2 {
            let client = place.client();
            client.recover().await.unwrap();
            let again = place.call(&client, kind, parent.as_ref()).await;
            assert_word(&again, "unknown");
            protects(true);
        }
        assert_eq!(place.sent(before).len(), 1, "{kind}");
        assert_eq!(place.effects(kind).len(), 1, "{kind}");
    }
}

/// An error that Adyen calls transient is tried again; of any other the stored reply would come.
#[tokio::test]
async fn c23_adyens_word_about_trying_again_is_followed() {
    for (passes, word, sends) in [(Some(true), "succeeded", 2), (Some(false), "unknown", 1)] {
        let place = Place::new(&AdyenShop);
        place.world.fault(Fault::ServerError {
            status: 503,
            when: When::Before,
            stored: false,
            should_retry: passes,
            retry_after: None,
        });
        let result = place.client().charge(place.charge(ORDER)).await;
        assert_word(&result, word);
        assert_eq!(place.world.sent().len(), sends, "{passes:?}");
    }
}

/// What is received stays pending, is done once, and counts in full meanwhile.
#[tokio::test]
async fn what_is_received_is_pending_once_and_counts() {
    for kind in [Capture, Refund, Void] {
        let place = Place::new(&AdyenShop);
        let parent = place.parent(kind).await;
        for _ in 0..2 {
            let client = place.client();
            let result = place.call(&client, kind, parent.as_ref()).await;
            assert_word(&result, "pending");
            client.recover().await.unwrap();
        }
        assert_eq!(place.row::<String>(kind, "state"), "pending");
        assert_eq!(place.sent(1).len(), 1, "{kind}");
        assert_eq!(place.effects(kind).len(), 1, "{kind}");
        let rule = place.adapter().rule(kind).unwrap();
        assert!(!rule.reversal_final.value);
    }
}
