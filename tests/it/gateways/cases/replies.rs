//! Replies that say nothing, something else, or come too late: at every gateway.

use std::time::Duration;

use payonce::provider::OnRepeat;
use payonce::{Doubt, Error, OperationKind, Outcome};
use payonce_simulator::{Close, Fault, Matcher, RateLimit, When};

use crate::gateways::shop::{Card, ORDER, Place, Shop, paid};
use crate::gateways::{SHOPS, told_at_once};
use crate::world::{assert_word, hasty, lost_after};

use OperationKind::Charge;

fn hours(hours: u64, minutes: u64) -> Duration {
    Duration::from_secs(hours * 3600 + minutes * 60)
}

fn replays(shop: &'static dyn Shop) -> bool {
    Place::new(shop).rule(Charge).on_repeat == OnRepeat::Replays
}

/// What the gateway does with a repeat of this age: Stripe and Square forget their keys, Moyasar never does,
/// and HyperPay has none.
#[tokio::test]
async fn c15_a_repeat_is_sent_only_while_the_gateway_knows_the_key() {
    for shop in told_at_once() {
        for (age, stripe_sends) in [
            (hours(22, 59), true),
            (hours(23, 1), false),
            (hours(24, 1), false),
            (hours(240, 0), false),
        ] {
            for happened in [true, false] {
                let place = Place::new(shop);
                let when = if happened { When::After } else { When::Before };
                let how = Close::Fin;
                place.world.fault(Fault::ReplyLost { when, how });
                place.no_look_ups(Charge);
                let first = place.one_send().charge(place.charge(ORDER)).await;
                assert_word(&first, "unknown");
                place.world.gateway.faults().clear();
                place.world.clock.advance(age);

                let sends = match shop.name() {
                    // Square publishes no life of a key, and is taken to have as short a one. There
                    // a look-up that shows nothing comes first.
                    "square" => stripe_sends && !happened,
                    "stripe" => stripe_sends,
                    "moyasar" => true,
                    _ => false,
                };
                let known = happened || sends;
                let result = place.client().charge(place.charge(ORDER)).await;
                assert_word(&result, if known { "succeeded" } else { "unknown" });
                assert_eq!(place.world.sent().len(), 1 + usize::from(sends), "{shop:?}");
                assert_eq!(place.effects(Charge).len(), usize::from(known), "{shop:?}");
            }
        }
    }
}

/// A rate limit: tried again where the gateway documents that nothing was done, else looked up.
#[tokio::test]
async fn c20_rate_limits_are_waited_for_or_looked_up() {
    for shop in told_at_once() {
        for kind in [
            RateLimit::RateLimit,
            RateLimit::LockTimeout,
            RateLimit::Html,
        ] {
            let place = Place::new(shop);
            let retry_after = Some("7".to_owned());
            place.world.fault(Fault::RateLimited { kind, retry_after });
            let result = place.client().charge(place.charge(ORDER)).await;
            let again = match place.rule(Charge).on_repeat {
                OnRepeat::Replays => true,
                // Of these Square alone documents its own limit. A page says nothing, and that the list
                // is empty too must be true for a while.
                OnRepeat::ReplaysSuccess => shop.name() == "square" && kind != RateLimit::Html,
                OnRepeat::RunsAgain | OnRepeat::NoFurtherEffect => false,
            };
            assert_word(&result, if again { "succeeded" } else { "unknown" });
            assert_eq!(place.world.sent().len(), 1 + usize::from(again), "{shop:?}");
            assert_eq!(place.effects(Charge).len(), usize::from(again), "{shop:?}");
            if again {
                let waited = place.world.clock.pauses()[0] >= Duration::from_secs(7);
                assert!(waited, "{shop:?}");
            }
        }
    }
}

/// "Duplicate" on the first send means that somebody else used our key: a person must look, and
/// the customer is not asked to pay by another way.
#[tokio::test]
async fn c26_a_duplicate_answer_is_looked_up_and_never_a_failure() {
    for shop in SHOPS {
        let Some(duplicate) = shop.duplicate(Charge) else {
            continue;
        };
        let place = Place::new(shop);
        place.world.fault(duplicate.clone());
        let result = place.client().charge(place.charge(ORDER)).await;
        let Ok(Outcome::Unknown(unknown)) = &result else {
            panic!("{shop:?}: {result:?}")
        };
        assert_eq!(unknown.doubt, Doubt::KeyUsedElsewhere, "{shop:?}");
        assert_eq!(place.world.sql::<i64>("SELECT count(*) FROM alarm"), 1);
        assert!(
            place.world.gateway.requests().len() > 1,
            "{shop:?}: it asks"
        );

        // After a lost reply it is our own first send that is meant.
        if replays(shop) {
            let place = Place::new(shop);
            place.world.fault(lost_after());
            place.world.fault(duplicate);
            paid(&place.client().charge(place.charge(ORDER)).await);
            assert_eq!(place.effects(Charge).len(), 1, "{shop:?}");
        }
    }
}

/// The reply comes after the time-out. Read as a failure, the customer pays again.
#[tokio::test]
async fn c27_after_a_time_out_the_same_intent_resumes_the_same_operation() {
    for shop in SHOPS {
        let place = Place::new(shop);
        place.world.fault(Fault::HoldForEver { execute: true });
        place.no_look_ups(Charge);
        let hurried = place.client_with(|builder| builder.policy(hasty().sends(1)));
        let result = hurried.charge(place.charge(ORDER)).await;
        let Ok(Outcome::Unknown(unknown)) = &result else {
            panic!("{shop:?}: {result:?}")
        };
        assert!(matches!(unknown.doubt, Doubt::NoReply { .. }), "{shop:?}");
        place.world.gateway.release();
        while place.world.gateway.in_flight() > 0 {
            tokio::task::yield_now().await;
        }
        place.world.gateway.faults().clear();
        for _ in 0..3 {
            paid(&place.client().charge(place.charge(ORDER)).await);
        }
        assert_eq!(place.effects(Charge).len(), 1, "{shop:?}");
        let operations: i64 = place.world.sql("SELECT count(*) FROM operation");
        assert_eq!(operations, 1, "{shop:?}");
    }
}

/// A server may read a request, carry it out and close without a word. It was not "unsent".
#[tokio::test]
async fn c29_a_connection_that_dies_in_use_is_not_taken_for_unsent() {
    for shop in SHOPS {
        for how in [Close::Fin, Close::Rst] {
            let place = Place::new(shop);
            let client = place.client();
            // The connection is in use already, and kept alive.
            paid(&client.charge(place.charge("before")).await);
            let when = When::After;
            place.world.fault(Fault::ReplyLost { when, how });
            paid(&client.charge(place.charge(ORDER)).await);
            assert_eq!(place.world.effects(ORDER), 1, "{shop:?}");
            let sent = place.sent(1).len();
            assert_eq!(sent, 1 + usize::from(replays(shop)), "{shop:?}");
        }
    }
}

/// A redirect is not followed: its target would get a payment's request, or a page would be taken
/// for the payment.
#[tokio::test]
async fn c32_redirects_are_never_followed() {
    let elsewhere = Place::new(SHOPS[0]);
    for shop in told_at_once() {
        for status in [301, 302, 303, 307, 308] {
            let place = Place::new(shop);
            let location = format!("{}/v1/payments", elsewhere.url());
            let when = When::After;
            place.world.fault(Fault::Redirect {
                status,
                location,
                when,
            });
            // It happened, and the repeat or the look-up shows so.
            paid(&place.client().charge(place.charge(ORDER)).await);
            assert_eq!(place.effects(Charge).len(), 1, "{shop:?} {status}");
        }
    }
    assert_eq!(elsewhere.world.gateway.requests().len(), 0);
}

/// What a look-up finds twice was paid twice: it is paid, and a person must see it.
#[tokio::test]
async fn two_payments_under_one_key_are_a_success_with_an_alarm() {
    let place = Place::new(crate::gateways::shop("hyperpay"));
    place.world.fault(lost_after());
    place.no_look_ups(Charge);
    let result = place.one_send().charge(place.charge(ORDER)).await;
    assert_word(&result, "unknown");
    place.world.gateway.faults().clear();
    let id = place.effects(Charge)[0].provider_id.clone();
    let copied = place
        .world
        .gateway
        .hyperpay(|hyperpay| hyperpay.copy_payment(&id));
    copied.unwrap().unwrap();
    paid(&place.client().charge(place.charge(ORDER)).await);
    let alarm: String = place.world.sql("SELECT kind FROM alarm");
    assert_eq!(alarm, "duplicate_at_gateway");
    assert_eq!(place.world.sent().len(), 1);
}

/// A page is no answer, whatever its status, and no page is ever shown whole.
#[tokio::test]
async fn c36_a_page_is_never_an_answer() {
    for shop in SHOPS {
        for status in [200, 403, 500, 502, 503, 504] {
            let place = Place::new(shop);
            let (size, when) = (20_000, When::Before);
            let page = Fault::Html { status, size, when };
            place
                .world
                .gateway
                .faults()
                .push(page.on(Matcher::post()).always());
            place.no_look_ups(Charge);
            let result = place.client().charge(place.charge(ORDER)).await;
            assert_word(&result, "unknown");
            assert!(format!("{result:?}").len() < 3_000, "{shop:?} {status}");
            assert_eq!(place.effects(Charge).len(), 0);
        }
    }
}

/// A success whose body is cut is asked for again, or looked up.
#[tokio::test]
async fn c37_a_cut_success_is_asked_for_again_or_looked_up() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let how = payonce_simulator::CutBody::default();
        place.world.fault(Fault::CutBody {
            how,
            keep: Some(30),
        });
        paid(&place.client().charge(place.charge(ORDER)).await);
        let sent = place.world.sent();
        assert_eq!(sent.len(), 1 + usize::from(replays(shop)), "{shop:?}");
        assert!(
            sent.iter().all(|post| post.body == sent[0].body),
            "{shop:?}"
        );
        assert_eq!(place.effects(Charge).len(), 1, "{shop:?}");
    }
}

/// HTTP says "created", the payment says "failed": it failed, and its id and code are kept.
#[tokio::test]
async fn c40_a_decline_in_a_success_is_a_decline_with_its_code() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let intent = place.charge(ORDER).source(place.source(Card::Declines));
        let result = place.client().charge(intent).await;
        let Ok(Outcome::Declined(decline)) = &result else {
            panic!("{shop:?}: {result:?}")
        };
        assert!(!decline.refusal.code.is_empty(), "{shop:?}");
        assert!(
            decline.refusal.provider_id.is_some(),
            "{shop:?}: {decline:?}"
        );
        assert_eq!(place.effects(Charge).len(), 0, "{shop:?}");
    }
}

/// The answer shows another amount: the money is held for a person, and not taken for paid.
#[tokio::test]
async fn c43_another_amount_in_the_answer_is_held_with_an_alarm() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let tamper = shop.other_amount(Charge, false);
        place.world.fault(Fault::Tamper(tamper));
        let result = place.client().charge(place.charge(ORDER)).await;
        let Ok(Outcome::Unknown(unknown)) = &result else {
            panic!("{shop:?}: {result:?}")
        };
        assert!(matches!(unknown.doubt, Doubt::Mismatch { .. }), "{shop:?}");
        assert_eq!(
            place.world.sql::<String>("SELECT kind FROM alarm"),
            "mismatch"
        );
        let second = place.charge(ORDER).attempt(2);
        let refused = place.client().charge(second).await;
        let open = matches!(refused, Err(Error::PriorAttemptOpen { .. }));
        assert!(open, "{shop:?}: {refused:?}");
        assert_eq!(place.world.sent().len(), 1, "{shop:?}");
    }
}
