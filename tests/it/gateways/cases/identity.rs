//! One operation, one key, one body: at every gateway.

use std::collections::BTreeSet;

use payonce::provider::{KeyFormat, OnRepeat, Placement, Provider};
use payonce::{Error, Intent, OperationKind, Outcome, Source};
use payonce_simulator::{Close, Fault, When};

use crate::gateways::shop::{Card, KINDS, ORDER, Place, customer, paid};
use crate::gateways::{SHOPS, told_at_once};
use crate::world::{assert_word, lost_after};

use OperationKind::{Capture, Charge, Refund};

fn lost(when: When) -> Fault {
    let how = Close::Fin;
    Fault::ReplyLost { when, how }
}

/// Whether a lost reply of this kind is asked for again, by the same bytes.
fn replays(place: &Place, kind: OperationKind) -> bool {
    place.rule(kind).on_repeat == OnRepeat::Replays
}

/// A key of the caller's own that this gateway takes.
fn own_key(place: &Place) -> &'static str {
    match place.shop.name() {
        "stripe" => "ord-7f21-a1",
        "moyasar" | "adyen" => "2f1e9d3c-6a5b-4c7d-8e9f-0a1b2c3d4e5f",
        _ => "2f1e9d3c6a5b4c7d8e9f0a1b2c3d4e5f",
    }
}

/// A refund that is given twice has no way back: the row, its key and its bytes outlive the reply.
#[tokio::test]
async fn c01_a_lost_refund_or_capture_keeps_row_key_and_bytes() {
    for shop in told_at_once() {
        for kind in [Refund, Capture] {
            let place = Place::new(shop);
            let parent = place.parent(kind).await;
            place.world.fault(lost_after());
            place.no_look_ups(kind);
            let first = place.call(&place.one_send(), kind, parent.as_ref()).await;
            assert_word(&first, "unknown");
            assert_eq!(place.row::<String>(kind, "state"), "unknown");
            place.world.gateway.faults().clear();

            let second = place.call(&place.client(), kind, parent.as_ref()).await;
            let shown = shop.shows(kind);
            assert_word(&second, if shown { "succeeded" } else { "unknown" });
            let sent = place.sent(1);
            assert_eq!(
                sent.len(),
                1 + usize::from(replays(&place, kind)),
                "{shop:?}"
            );
            assert!(sent.iter().all(|post| post.body == sent[0].body));
            let keys: BTreeSet<_> = sent.iter().map(|post| shop.key_in(post)).collect();
            assert_eq!(keys.len(), 1, "{shop:?}");
            assert_eq!(place.effects(kind).len(), 1, "{shop:?}");
            let rows: i64 = place.world.sql(&format!(
                "SELECT count(DISTINCT idem_key) FROM operation WHERE kind = '{kind}'"
            ));
            assert_eq!(rows, 1);
        }
    }
}

#[tokio::test]
async fn c03_a_callers_own_key_is_on_every_send() {
    for shop in told_at_once() {
        let place = Place::new(shop);
        let key = own_key(&place);
        for _ in 0..2 {
            place.world.fault(Fault::server_error(503, When::Before));
        }
        let result = place.client().charge(place.charge(ORDER).key(key)).await;
        let again = replays(&place, Charge);
        assert_word(&result, if again { "succeeded" } else { "unknown" });
        let sent = place.world.sent();
        assert_eq!(sent.len(), if again { 3 } else { 1 }, "{shop:?}");
        let on_the_wire = sent
            .iter()
            .all(|post| shop.key_in(post).as_deref() == Some(key));
        assert!(on_the_wire, "{shop:?}");
        assert_eq!(place.row::<String>(Charge, "idem_key"), key);
    }
}

/// The key is where the gateway reads it, or the operation has none and is never sent again.
/// There is nothing in between.
#[tokio::test]
async fn c04_the_key_is_on_the_wire_or_nothing_is_sent_again() {
    for shop in SHOPS {
        for kind in KINDS {
            let place = Place::new(shop);
            let rule = place.adapter().rule(kind).unwrap();
            let parent = place.parent(kind).await;
            let before = place.world.sent().len();
            let result = place.call(&place.client(), kind, parent.as_ref()).await;
            let pays = parent.is_none();
            if pays || shop.tells_at_once() {
                paid(&result);
            } else {
                assert_word(&result, "pending");
            }
            let sent = place.sent(before);
            let key: String = place.row(kind, "idem_key");
            let named = shop.key_in(&sent[0]);
            let name = format!("{}, {kind}", shop.name());
            if rule.placement.value == Placement::Nowhere {
                assert_eq!(named, None, "{name}");
                assert_ne!(rule.on_repeat.value, OnRepeat::Replays, "{name}");
                assert!(
                    rule.baseline.value,
                    "{name}: it could not be told from another"
                );
            } else {
                assert_eq!(named, Some(key), "{name}");
            }
        }
    }
}

/// What does not change the payment may differ; the bytes of the first call are what counts.
#[tokio::test]
async fn c06_an_incidental_field_changes_nothing_and_an_amount_is_refused() {
    for shop in SHOPS {
        let place = Place::new(shop);
        place.world.fault(lost_after());
        place.no_look_ups(Charge);
        let first = || place.charge(ORDER).metadata("order", "A9");
        assert_word(&place.one_send().charge(first()).await, "unknown");
        place.world.gateway.faults().clear();

        let client = place.client();
        let other = Intent::charge(ORDER, place.money("481.00"))
            .source(place.source(Card::Pays))
            .customer(customer())
            .return_url("https://shop.example/back");
        match client.charge(other).await {
            Err(Error::IntentMismatch { fields, state, .. }) => {
                assert_eq!(
                    (fields, state.as_str()),
                    (vec!["amount".to_owned()], "unknown")
                );
            }
            other => panic!("{shop:?}: {other:?}"),
        }
        assert_eq!(place.world.sent().len(), 1, "{shop:?}");
        let grown = first().metadata("phone", "x").description("late");
        assert_word(&client.charge(grown).await, "succeeded");
        let sent = place.world.sent();
        assert!(
            sent.iter().all(|post| post.body == sent[0].body),
            "{shop:?}"
        );
        assert_eq!(place.effects(Charge).len(), 1, "{shop:?}");
    }
}

/// After a decline another card is another attempt, with a key of its own.
#[tokio::test]
async fn c08_after_a_decline_the_next_card_gets_a_key_of_its_own() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let client = place.client();
        let first = place.charge(ORDER).source(place.source(Card::Declines));
        assert_word(&client.charge(first).await, "declined");
        paid(&client.charge(place.charge(ORDER).attempt(2)).await);
        let sent = place.world.sent();
        let keys: BTreeSet<_> = sent.iter().filter_map(|post| shop.key_in(post)).collect();
        assert_eq!((sent.len(), keys.len()), (2, 2), "{shop:?}");
        assert_eq!(place.effects(Charge).len(), 1, "{shop:?}");
    }
}

/// While the first card's charge is unknown the second one is refused, however often it is tried:
/// with it the order could be paid twice. The error says what would settle it.
#[tokio::test]
async fn c08_while_the_first_card_is_unknown_the_second_is_refused() {
    for shop in SHOPS {
        for when in [When::Before, When::After] {
            let place = Place::new(shop);
            place.world.fault(lost(when));
            place.no_look_ups(Charge);
            let client = place.one_send();
            assert_word(&client.charge(place.charge(ORDER)).await, "unknown");
            let second = || {
                let card = place.source(Card::PaysToo);
                place.charge(ORDER).source(card).attempt(2)
            };
            for client in [client, place.client()] {
                let error = client.charge(second()).await.unwrap_err();
                let open = matches!(&error, Error::PriorAttemptOpen { attempt: 1, .. });
                assert!(open, "{shop:?}: {error:?}");
                let text = error.to_string();
                assert!(
                    text.contains("call again with that attempt's intent"),
                    "{text}"
                );
            }
            // The same attempt with another card is another payment too.
            let swapped = place.charge(ORDER).source(place.source(Card::PaysToo));
            let refused = place.client().charge(swapped).await;
            assert_word(&refused, "mismatch");
            assert_eq!(place.world.sent().len(), 1, "{shop:?}");
        }
    }
}

/// What was made with one key is captured and refunded with others, each stable under retries.
#[tokio::test]
async fn c09_three_operations_of_one_order_have_three_keys() {
    for shop in told_at_once() {
        let place = Place::new(shop);
        let lose = || place.world.fault(lost_after());
        let client = place.client();
        // Each loses its first reply, and each is asked for again afterwards.
        lose();
        let reserved = paid(&client.authorize(place.authorize("B2")).await);
        paid(&client.authorize(place.authorize("B2")).await);
        if shop.shows(Capture) {
            lose();
        }
        let capture = || Intent::capture("B2", reserved.clone(), place.money("480.00"));
        let taken = paid(&client.capture(capture()).await);
        paid(&client.capture(capture()).await);
        lose();
        let refund = || Intent::refund("B2", taken.clone(), place.money("120.00"));
        paid(&client.refund(refund()).await);
        paid(&client.refund(refund()).await);

        let stored: i64 = place
            .world
            .sql("SELECT count(DISTINCT idem_key) FROM operation");
        assert_eq!(stored, 3, "{shop:?}");
        let sent = place.world.sent();
        let named: BTreeSet<_> = sent
            .iter()
            .filter_map(|post| Some((post.path.clone(), shop.key_in(post)?)))
            .collect();
        let keys: BTreeSet<_> = named.iter().map(|(_, key)| key).collect();
        assert_eq!(
            named.len(),
            keys.len(),
            "{shop:?}: one key on two endpoints: {named:?}"
        );
        let expected = match shop.name() {
            // It knows a key for the payment only.
            "moyasar" => 1,
            // A capture has none.
            "aps" | "square" => 2,
            _ => 3,
        };
        assert_eq!(keys.len(), expected, "{shop:?}");
        assert_eq!(place.world.gateway.effects().len(), 3, "{shop:?}");
    }
}

/// The index that makes a clash an error, and a clash that changes nothing.
#[tokio::test]
async fn c11_a_key_is_unique_per_account_and_a_clash_never_overwrites() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let client = place.client();
        paid(&client.charge(place.charge("a").key(own_key(&place))).await);
        let clash = client.charge(place.charge("b").key(own_key(&place))).await;
        assert!(matches!(clash, Err(Error::KeyInUse)), "{shop:?}: {clash:?}");
        assert_eq!(place.world.sent().len(), 1, "{shop:?}");
        let index: String = place.world.sql(
            "SELECT group_concat(name) FROM (SELECT i.name FROM pragma_index_list('operation') l,
             pragma_index_info(l.name) i WHERE l.\"unique\" AND l.name IN (SELECT l2.name
             FROM pragma_index_list('operation') l2, pragma_index_info(l2.name) i2
             WHERE i2.name = 'idem_key'))",
        );
        assert_eq!(index, "account,idem_key");
        let kept: String = place
            .world
            .sql("SELECT r.reference FROM operation o JOIN reference r ON r.rid = o.reference_rid");
        assert_eq!(kept, "a", "{shop:?}");
    }
}

/// A reference of any length has a key of the gateway's own length; what is too long is refused
/// whole, and two that differ in the last character only are two.
#[tokio::test]
async fn c12_no_reference_or_key_is_ever_cut() {
    for shop in told_at_once() {
        let place = Place::new(shop);
        let client = place.client();
        let format: KeyFormat = place.adapter().rule(Charge).unwrap().key_format.value;
        let mut references: Vec<_> = [1, 40, 41, 45, 46, 64, 65, 254]
            .map(|length| "r".repeat(length))
            .into();
        references.push("x".repeat(254) + "1");
        references.push("x".repeat(254) + "2");
        for reference in &references {
            paid(&client.charge(place.charge(reference)).await);
            assert_eq!(place.world.effects(reference), 1, "{shop:?}");
        }
        let sent = place.world.sent();
        let keys: BTreeSet<_> = sent.iter().map(|post| shop.key_in(post).unwrap()).collect();
        assert_eq!(keys.len(), references.len(), "{shop:?}");
        assert!(
            keys.iter().all(|key| key.len() <= format.max_len),
            "{shop:?}"
        );

        let long = "x".repeat(299);
        for reference in [long.clone() + "1", long + "2", "r".repeat(256)] {
            let error = client.charge(place.charge(&reference)).await.unwrap_err();
            assert!(error.to_string().contains("255"), "{error}");
        }
        let key = "k".repeat(format.max_len + 1);
        let error = client
            .charge(place.charge("own").key(key))
            .await
            .unwrap_err();
        let Error::Invalid { field, problem } = &error else {
            panic!("{shop:?}: {error:?}")
        };
        let limit = format.max_len.to_string();
        let says = problem.to_string();
        assert_eq!(field, "key");
        assert!(
            says.contains(&limit) || says.contains("UUID"),
            "{shop:?}: {says}"
        );
        assert_eq!(place.world.sent().len(), references.len(), "{shop:?}");
    }
}

/// One key, and one secret, in every request.
#[tokio::test]
async fn c14_every_send_names_the_key_once() {
    for shop in SHOPS {
        let place = Place::new(shop);
        place.world.fault(Fault::server_error(503, When::Before));
        let result = place.client().charge(place.charge(ORDER)).await;
        assert!(matches!(
            result,
            Ok(Outcome::Succeeded(_) | Outcome::Unknown(_))
        ));
        let key: String = place.row(Charge, "idem_key");
        for post in place.world.sent() {
            let headers = post
                .headers
                .iter()
                .filter(|(_, value)| value.contains(&key));
            let mut named = headers.count();
            let again = ["idempotency-key", "authorization"].map(|name| post.header_values(name));
            assert!(again.iter().all(|values| values.len() <= 1), "{shop:?}");
            // The others get it once more, in a field that a look-up or a notification shows.
            named += post.text().matches(&key).count();
            let once = ["aps", "hyperpay", "paytabs"].contains(&shop.name());
            let expected = if once { 1 } else { 2 };
            assert_eq!(named, expected, "{shop:?}: {}", post.text());
        }
        for name in ["Authorization", "AUTHORIZATION", "idempotency-key"] {
            let builder = payonce::Client::builder(place.world.ledger());
            let built = builder
                .provider(place.adapter())
                .extra_header(name, "x")
                .build();
            assert!(matches!(built, Err(Error::Config(_))), "{shop:?} {name}");
        }
    }
}

/// A token that is a card's number is refused here, whatever the gateway would make of it.
#[tokio::test]
async fn c84_a_card_number_is_no_token() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let card = place
            .charge(ORDER)
            .source(Source::token("4111111111111111"));
        assert_word(&place.client().charge(card).await, "invalid");
        assert_eq!(place.world.sent().len(), 0);
    }
}
