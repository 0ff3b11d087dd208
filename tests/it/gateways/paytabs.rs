//! PayTabs' row.

use std::time::Duration;

use payonce::{Charge, Error, Intent, OperationId, OperationKind, Outcome, Source};
use payonce_paytabs::{PayTabs, Region};
use payonce_simulator::paytabs::tokens;
use payonce_simulator::{Fault, LoggedRequest, Tamper};

use super::shop::{Adapter, Card, ORDER, Place, Shop};
use crate::world::{World, assert_word};

#[derive(Debug)]
pub(crate) struct PayTabsShop;

impl Shop for PayTabsShop {
    fn name(&self) -> &'static str {
        "paytabs"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        let paytabs = PayTabs::test(Region::SaudiArabia, 987_654, secret).base_url(url);
        Adapter(Box::new(paytabs))
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => tokens::APPROVED,
            Card::PaysToo => tokens::APPROVED_TOO,
            Card::Declines => tokens::DECLINED,
            Card::Asks => tokens::REDIRECT,
        }
    }

    fn carries_its_own(&self, _kind: OperationKind) -> bool {
        true
    }

    fn duplicate(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyReused)
    }

    /// It is the same answer as that to a duplicate.
    fn in_progress(&self, _kind: OperationKind) -> Option<Fault> {
        None
    }

    fn other_amount(&self, _kind: OperationKind, looked_up: bool) -> Tamper {
        let field = if looked_up {
            "/0/tran_total"
        } else {
            "/tran_total"
        };
        Tamper::set(field, "1.00")
    }

    fn look_ups_lag(&self, world: &World, _kind: OperationKind, lag: Duration) {
        let lags = world
            .gateway
            .paytabs(|paytabs| paytabs.config.query_lag = lag);
        lags.unwrap();
    }

    fn look_ups_are_true(&self, world: &World) {
        self.look_ups_lag(world, OperationKind::Charge, Duration::ZERO);
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&post.body).ok()?;
        Some(body.get("cart_id")?.as_str()?.to_owned())
    }
}

/// A page: nothing moves until the customer pays there, until then the customer can be sent there
/// again, and what the customer brings back is asked for at the gateway.
#[tokio::test]
async fn a_page_stays_open_until_it_is_paid_and_is_paid_once() {
    let place = Place::new(super::shop("paytabs"));
    let client = place.client();
    let (operation, id, url) = open_page(&place).await;
    for result in [
        client.look_up(operation).await,
        client.charge(page(&place)).await,
        place.client().charge(page(&place)).await,
    ] {
        let Ok(Outcome::ActionRequired(action)) = &result else {
            panic!("{result:?}")
        };
        assert_eq!(action.url.as_deref(), Some(url.as_str()));
    }
    let second = client.charge(page(&place).attempt(2)).await;
    let open = matches!(second, Err(Error::PriorAttemptOpen { .. }));
    assert!(open, "{second:?}");
    assert_eq!(place.effects(OperationKind::Charge).len(), 0);
    customer(&place, &id, true);
    assert_word(&client.look_up(operation).await, "succeeded");
    assert_word(&client.charge(page(&place)).await, "succeeded");
    assert_eq!(place.effects(OperationKind::Charge).len(), 1);
    assert_eq!(place.world.sent().len(), 1);
}

/// A decline on a page is not the last word, since the customer has the page. Its end is.
#[tokio::test]
async fn a_declined_page_holds_the_order_and_an_expired_one_frees_it() {
    let place = Place::new(super::shop("paytabs"));
    let client = place.client();
    let (operation, id, _) = open_page(&place).await;
    customer(&place, &id, false);
    assert_word(&client.look_up(operation).await, "action_required");
    let second = client.charge(page(&place).attempt(2)).await;
    let open = matches!(second, Err(Error::PriorAttemptOpen { .. }));
    assert!(open, "{second:?}");

    let place = Place::new(super::shop("paytabs"));
    let client = place.client();
    let (operation, ..) = open_page(&place).await;
    let ends = place
        .world
        .gateway
        .paytabs(|paytabs| paytabs.config.page_life = Duration::ZERO);
    ends.unwrap();
    assert_word(&client.look_up(operation).await, "no_effect");
    let paid = place.charge(ORDER).attempt(2);
    assert_word(&client.charge(paid).await, "succeeded");
    assert_eq!(place.effects(OperationKind::Charge).len(), 1);
}

fn page(place: &Place) -> Intent<Charge> {
    place.charge(ORDER).source(Source::hosted())
}

/// The operation, the transaction and the address of a new page.
async fn open_page(place: &Place) -> (OperationId, String, String) {
    let result = place.client().charge(page(place)).await;
    let Ok(Outcome::ActionRequired(action)) = result else {
        panic!("{result:?}")
    };
    let url = action.url.clone().unwrap();
    (action.operation.id, action.provider_id.clone(), url)
}

fn customer(place: &Place, id: &str, passes: bool) {
    let gateway = &place.world.gateway;
    let done = gateway.paytabs(|paytabs| paytabs.complete_action(id, passes));
    done.unwrap().unwrap();
}
