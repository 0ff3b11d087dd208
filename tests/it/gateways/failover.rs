//! One order, several gateways: another one may be tried exactly when that is safe.

use payonce::{Client, Error, Intent, OperationKind, Provider, Source};
use payonce_simulator::{Close, Fault, Matcher, When};

use super::SHOPS;
use super::shop::{Card, ORDER, Place, Shop, paid};
use crate::world::assert_word;

use OperationKind::Charge;

/// Every ordered pair of two gateways.
fn pairs() -> impl Iterator<Item = (Place, &'static dyn Shop)> {
    SHOPS.into_iter().flat_map(|first| {
        let others = SHOPS
            .into_iter()
            .filter(|other| other.name() != first.name())
            // An order has one currency.
            .filter(|other| other.currency() == first.currency());
        others.map(move |other| (Place::new(first), other))
    })
}

/// A client with an account at each of them. One send a call.
fn client(place: &Place, other: &dyn Shop) -> Client {
    let elsewhere = place.world.gateway.gateway_url(other.name());
    place.client_with(|builder| {
        builder
            .provider(other.provider(elsewhere))
            .policy(payonce::Policy::new().sends(1))
    })
}

fn via(place: &Place, shop: &dyn Shop, card: Card) -> Intent<payonce::Charge> {
    let url = place.world.gateway.gateway_url(shop.name());
    place
        .charge(ORDER)
        .source(Source::token(shop.token(card)))
        .via(shop.provider(url).account().id())
}

/// How many requests that move money a gateway got.
fn sent_to(place: &Place, shop: &dyn Shop) -> usize {
    let sent = place.world.sent();
    sent.iter()
        .filter(|post| post.gateway == shop.name())
        .count()
}

/// The first gateway does not answer, and may have taken the money. The second would take it again.
#[tokio::test]
async fn another_gateway_waits_until_the_first_one_is_known() {
    for (place, other) in pairs() {
        for when in [When::After, When::Before] {
            let place = Place::new(place.shop);
            let how = Close::Fin;
            place.world.fault(Fault::ReplyLost { when, how });
            place.no_look_ups(Charge);
            let both = client(&place, other);
            let first = via(&place, place.shop, Card::Pays);
            assert_word(&both.charge(first).await, "unknown");
            let second = || via(&place, other, Card::Pays);
            let refused = both.charge(second().attempt(2)).await;
            let open = matches!(refused, Err(Error::PriorAttemptOpen { attempt: 1, .. }));
            assert!(open, "{:?}, {other:?}: {refused:?}", place.shop);
            let moved = both.charge(second()).await;
            assert!(
                matches!(moved, Err(Error::IntentMismatch { .. })),
                "{moved:?}"
            );
            assert_eq!(sent_to(&place, other), 0);
            assert_eq!(place.world.sent().len(), 1);
        }
    }
}

/// A definite no frees the order for another gateway, and what that one took is final for both.
#[tokio::test]
async fn after_a_definite_no_another_gateway_may_take_it_once() {
    for (place, other) in pairs() {
        let both = client(&place, other);
        let first = || via(&place, place.shop, Card::Declines);
        assert_word(&both.charge(first()).await, "declined");
        let second = || via(&place, other, Card::Pays).attempt(2);
        paid(&both.charge(second()).await);
        paid(&both.charge(second()).await);
        let again = both.charge(first()).await;
        assert!(
            matches!(again, Err(Error::LaterAttempt { attempt: 2, .. })),
            "{again:?}"
        );
        let third = via(&place, place.shop, Card::Pays).attempt(3);
        let third = both.charge(third).await;
        let is_paid = matches!(third, Err(Error::PriorAttemptSucceeded { attempt: 2, .. }));
        assert!(is_paid, "{third:?}");
        let moved = place.world.gateway.effects_for(ORDER);
        assert_eq!(moved.len(), 1, "{:?}, {other:?}", place.shop);
        assert_eq!(moved[0].gateway, other.name());
        assert_eq!(place.world.sent().len(), 2);
    }
}

/// A gateway that refused our secret, or that nobody could reach, did nothing: another one may be
/// tried, and then the first is never sent to again.
#[tokio::test]
async fn a_gateway_that_did_nothing_is_replaced_and_never_sent_to_again() {
    for (place, other) in pairs() {
        let refuses = Fault::Unauthorized.on(Matcher::post().gateway(place.shop.name()));
        place.world.gateway.faults().push(refuses.always());
        let both = client(&place, other);
        let first = || via(&place, place.shop, Card::Pays);
        assert_word(&both.charge(first()).await, "unauthorized");
        paid(&both.charge(via(&place, other, Card::Pays).attempt(2)).await);
        place.world.gateway.faults().clear();
        let late = both.charge(first()).await;
        assert!(
            matches!(late, Err(Error::LaterAttempt { attempt: 2, .. })),
            "{late:?}"
        );
        assert_eq!(place.world.effects(ORDER), 1);
        assert_eq!(sent_to(&place, place.shop), 1);
    }
}

/// A payment is captured and refunded where it was made, and nowhere else.
#[tokio::test]
async fn a_refund_goes_to_the_gateway_that_took_the_money() {
    for (place, other) in pairs().filter(|(place, _)| place.shop.tells_at_once()) {
        let both = client(&place, other);
        let payment = paid(&both.charge(via(&place, place.shop, Card::Pays)).await);
        let refund = || Intent::refund("refund", payment.clone(), place.money("480.00"));
        paid(&both.refund(refund()).await);
        paid(&both.refund(refund()).await);
        assert_eq!(
            (sent_to(&place, place.shop), sent_to(&place, other)),
            (2, 0)
        );
        let elsewhere = place.world.gateway.gateway_url(other.name());
        let alone = place.world.builder(place.world.ledger());
        let alone = alone.provider(other.provider(elsewhere)).build().unwrap();
        let more = Intent::refund("more", payment.clone(), place.money("1.00"));
        let refused = alone.refund(more).await;
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(place.world.sent().len(), 2);
    }
}
