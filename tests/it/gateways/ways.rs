//! The plain ways of money, at every gateway: taken, reserved, given back, released.

use payonce::{Error, Intent, OperationKind, Outcome, Payment};
use payonce_simulator::Effect;

use super::shop::{Card, KINDS, ORDER, Place, Shop, amount, paid};
use super::{SHOPS, told_at_once};
use crate::world::assert_word;

use OperationKind::{Authorize, Capture, Charge, Refund, Void};

/// How often each kind moved money in this world, in the order of `KINDS`.
fn counts(place: &Place) -> [usize; 5] {
    KINDS.map(|kind| place.effects(kind).len())
}

/// The amounts that a kind moved, as the gateway counts them. All of these count in hundredths.
fn amounts(effects: &[Effect]) -> Vec<i64> {
    effects.iter().map(|effect| effect.amount).collect()
}

/// What every record must say when its call has succeeded.
fn assert_recorded(place: &Place, kind: OperationKind) {
    let shop = place.shop.name();
    assert_eq!(
        place.row::<String>(kind, "state"),
        "succeeded",
        "{shop} {kind}"
    );
    assert_eq!(place.row::<i64>(kind, "sends"), 1, "{shop} {kind}");
    assert!(place.row::<Option<String>>(kind, "owner").is_none());
    let alarms: i64 = place.world.sql("SELECT count(*) FROM alarm");
    assert_eq!(alarms, 0, "{shop} {kind}");
}

/// What was asked of the gateway is refused here, before anything is sent.
fn assert_exceeds(place: &Place, result: &Result<Outcome, Error>, sent: usize) {
    let refused = matches!(
        result,
        Err(Error::ExceedsParent { .. } | Error::ParentBusy { .. })
    );
    assert!(refused, "{:?}: {result:?}", place.shop);
    assert_eq!(place.world.sent().len(), sent, "{:?}", place.shop);
}

#[tokio::test]
async fn a_charge_takes_the_money_once_and_is_answered_from_the_ledger_ever_after() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let first = place.client().charge(place.charge(ORDER)).await;
        paid(&first);
        assert_recorded(&place, Charge);
        let again = place.client().charge(place.charge(ORDER)).await;
        assert_eq!(again, first);
        assert_eq!(amounts(&place.effects(Charge)), [48_000], "{shop:?}");
        assert_eq!(counts(&place), [1, 0, 0, 0, 0], "{shop:?}");
        assert_eq!(place.world.sent().len(), 1);
    }
}

#[tokio::test]
async fn a_card_that_is_declined_takes_nothing_and_another_one_may_follow() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let client = place.client();
        let declined = place.charge(ORDER).source(place.source(Card::Declines));
        assert_word(&client.charge(declined.clone()).await, "declined");
        assert_word(&client.charge(declined).await, "declined");
        assert_eq!((counts(&place), place.world.sent().len()), ([0; 5], 1));
        let second = place.charge(ORDER).attempt(2);
        paid(&client.charge(second).await);
        assert_eq!(counts(&place), [1, 0, 0, 0, 0], "{shop:?}");
    }
}

/// The customer passes 3-D Secure: the money moves then, and a look-up shows it.
#[tokio::test]
async fn a_customer_who_must_act_pays_when_he_has_and_not_before() {
    for shop in told_at_once().filter(|shop| shop.asks()) {
        let place = Place::new(shop);
        let client = place.client();
        let asks = || place.charge(ORDER).source(place.source(Card::Asks));
        let result = client.charge(asks()).await;
        // HyperPay's page needs a form that is sent along, so nobody can be sent there by a link.
        let id = match &result {
            Ok(Outcome::ActionRequired(action)) if shop.name() != "hyperpay" => {
                assert!(action.url.is_some(), "{shop:?}");
                action.provider_id.clone()
            }
            Ok(Outcome::Unknown(unknown)) if shop.name() == "hyperpay" => {
                unknown.provider_id.clone().unwrap()
            }
            other => panic!("{shop:?}: {other:?}"),
        };
        assert_eq!(counts(&place), [0; 5], "{shop:?}");
        let gateway = &place.world.gateway;
        let passed = match shop.name() {
            "stripe" => gateway.stripe(|stripe| stripe.complete_action(&id, true)),
            "aps" => gateway.aps(|aps| aps.complete_action(&id, true)),
            "moyasar" => gateway.moyasar(|moyasar| moyasar.complete_action(&id, true)),
            "tap" => gateway.tap(|tap| tap.complete_action(&id, true)),
            "paytabs" => gateway.paytabs(|paytabs| paytabs.complete_action(&id, true)),
            _ => gateway.hyperpay(|hyperpay| hyperpay.complete_action(&id, true)),
        };
        passed.unwrap().unwrap();
        let operation = result.unwrap().operation().id;
        assert_word(&client.look_up(operation).await, "succeeded");
        assert_word(&client.charge(asks()).await, "succeeded");
        assert_eq!(
            (counts(&place), place.world.sent().len()),
            ([1, 0, 0, 0, 0], 1)
        );
    }
}

/// The payment that a refund names: of a capture, that of the capture.
async fn captured(place: &Place) -> (Payment, Payment) {
    let client = place.client();
    let reserved = paid(&client.authorize(place.authorize(ORDER)).await);
    let money = amount(place.shop, Capture);
    let part = || Intent::capture("order-1042/capture", reserved.clone(), money);
    let taken = paid(&client.capture(part()).await);
    assert_eq!(paid(&place.client().capture(part()).await), taken);
    (reserved, taken)
}

#[tokio::test]
async fn a_part_of_a_reservation_is_taken_and_a_part_of_that_given_back() {
    for shop in told_at_once() {
        let place = Place::new(shop);
        let (reserved, taken) = captured(&place).await;
        let client = place.client();
        // At these a capture is a payment of its own, and only that can be refunded.
        let own = ["hyperpay", "paytabs", "tap"].contains(&shop.name());
        assert_eq!(taken != reserved, own, "{shop:?}");
        let part = Intent::refund("order-1042/refund", taken.clone(), place.money("120.00"));
        paid(&client.refund(part).await);
        for kind in [Authorize, Capture, Refund] {
            assert_recorded(&place, kind);
        }
        assert_eq!(amounts(&place.effects(Authorize)), [48_000]);
        let captured = amount(shop, Capture).minor();
        assert_eq!(amounts(&place.effects(Capture)), [captured]);
        assert_eq!(amounts(&place.effects(Refund)), [12_000]);
        assert_eq!(counts(&place), [0, 1, 1, 1, 0], "{shop:?}");

        // Of the 300.00 that were taken, 180.00 are left to give back, whatever was reserved. Where
        // only the whole can be taken it is more.
        let over = if shop.captures_parts() {
            "180.01"
        } else {
            "360.01"
        };
        let sent = place.world.sent().len();
        let more = Intent::refund("too much", taken, place.money(over));
        assert_exceeds(&place, &client.refund(more).await, sent);
        // And there is one capture of a reservation.
        let rest = Intent::capture("the rest", reserved.clone(), place.money("180.00"));
        assert_exceeds(&place, &client.capture(rest).await, sent);
        let void = Intent::void("late", reserved);
        assert_exceeds(&place, &client.void(void).await, sent);
        assert_eq!(counts(&place), [0, 1, 1, 1, 0], "{shop:?}");
    }
}

/// A complete at Square names no amount: a part would be taken as the whole.
#[tokio::test]
async fn a_part_is_never_captured_as_the_whole() {
    for shop in SHOPS.into_iter().filter(|shop| !shop.captures_parts()) {
        let place = Place::new(shop);
        let client = place.client();
        let reserved = paid(&client.authorize(place.authorize(ORDER)).await);
        let capture = |amount| {
            let money = place.money(amount);
            Intent::capture("order-1042/capture", reserved.clone(), money)
        };
        // The ledger would allow it, so it is the payment as it was read that does not.
        let part = client.capture(capture("300.00")).await;
        assert!(
            matches!(&part, Err(Error::PaymentMismatch { .. })),
            "{shop:?}: {part:?}"
        );
        assert_eq!(counts(&place), [0, 1, 0, 0, 0], "{shop:?}");
        assert_eq!(place.world.sent().len(), 1, "{shop:?}");
        paid(&client.capture(capture("480.00").attempt(2)).await);
        assert_eq!(amounts(&place.effects(Capture)), [48_000], "{shop:?}");
    }
}

#[tokio::test]
async fn more_than_was_reserved_is_never_asked_for() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let client = place.client();
        let reserved = paid(&client.authorize(place.authorize(ORDER)).await);
        let more = Intent::capture(
            "order-1042/capture",
            reserved.clone(),
            place.money("480.01"),
        );
        assert_exceeds(&place, &client.capture(more).await, 1);
        // Nothing was taken, so there is nothing to give back.
        let refund = Intent::refund("order-1042/refund", reserved, place.money("1.00"));
        let refused = client.refund(refund).await;
        if shop.name() == "tap" {
            // By its id it is no charge, and that is said first.
            let is_it = matches!(&refused, Err(Error::Invalid { field, .. }) if field == "payment");
            assert!(is_it, "{refused:?}");
            assert_eq!(place.world.sent().len(), 1);
        } else {
            assert_exceeds(&place, &refused, 1);
        }
        assert_eq!(counts(&place), [0, 1, 0, 0, 0], "{shop:?}");
    }
}

#[tokio::test]
async fn a_reservation_is_released_whole_and_then_nothing_can_be_taken() {
    for shop in told_at_once() {
        let place = Place::new(shop);
        let client = place.client();
        let reserved = paid(&client.authorize(place.authorize(ORDER)).await);
        let void = || Intent::void("order-1042/void", reserved.clone());
        paid(&client.void(void()).await);
        paid(&place.client().void(void()).await);
        assert_recorded(&place, Void);
        assert_eq!(amounts(&place.effects(Void)), [48_000], "{shop:?}");
        assert_eq!(counts(&place), [0, 1, 0, 0, 1], "{shop:?}");
        let late = Intent::capture("late", reserved.clone(), place.money("1.00"));
        assert_exceeds(&place, &client.capture(late).await, 2);
        let twice = Intent::void("twice", reserved);
        assert_exceeds(&place, &client.void(twice).await, 2);
    }
}

/// Two refunds of the same amount are two, and each is one.
#[tokio::test]
async fn two_refunds_are_two_and_never_more_than_was_paid() {
    for shop in told_at_once() {
        two_refunds(shop).await;
    }
}

async fn two_refunds(shop: &'static dyn Shop) {
    let place = Place::new(shop);
    let client = place.client();
    let payment = paid(&client.charge(place.charge(ORDER)).await);
    let refund =
        |reference: &str, amount| Intent::refund(reference, payment.clone(), place.money(amount));
    for reference in ["first", "second", "first", "second"] {
        paid(&client.refund(refund(reference, "200.00")).await);
    }
    let all = place.world.gateway.effects();
    let given: Vec<_> = all
        .iter()
        .filter(|effect| effect.kind == payonce_simulator::EffectKind::Refund)
        .map(|effect| effect.amount)
        .collect();
    assert_eq!(given, [20_000, 20_000], "{shop:?}");
    assert_eq!(place.world.sent().len(), 3, "{shop:?}");
    assert_exceeds(&place, &client.refund(refund("third", "80.01")).await, 3);
    paid(&client.refund(refund("third", "80.00")).await);
    let states: i64 = place
        .world
        .sql("SELECT count(*) FROM operation WHERE kind = 'refund' AND state = 'succeeded'");
    assert_eq!(states, 3, "{shop:?}");
}

/// A HyperPay authorization cannot be refunded, only its capture. Whoever names the authorization
/// is refused by the gateway, and nothing moves.
#[tokio::test]
async fn a_refund_that_names_the_reservation_moves_nothing_where_captures_are_refunded() {
    let place = Place::new(super::shop("hyperpay"));
    let (reserved, _) = captured(&place).await;
    let wrong = Intent::refund("order-1042/refund", reserved, place.money("120.00"));
    let result = place.client().refund(wrong).await;
    assert_word(&result, "rejected");
    assert_eq!(counts(&place), [0, 1, 1, 0, 0]);
}
