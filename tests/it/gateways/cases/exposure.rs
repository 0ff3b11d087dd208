//! Card numbers in free texts.

use payonce::{Error, Intent, OperationKind, Problem};

use crate::gateways::SHOPS;
use crate::gateways::shop::{KINDS, ORDER, Place, paid};

/// No digits of a card are in the ledger's files, in any script.
fn assert_clean(place: &Place) {
    let path = place.world.ledger_path();
    let folder = path.parent().unwrap();
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        if !file.file_type().unwrap().is_file() {
            continue;
        }
        let bytes = std::fs::read(file.path()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        for digits in ["4111", "5500", "378282246310005", "٤١١١"] {
            assert!(!text.contains(digits), "{digits} in {:?}", file.path());
        }
    }
}

const CARDS: [&str; 4] = [
    "card 4111 1111 1111 1111",
    "5500-0000-0000-0004",
    "378282246310005",
    "٤١١١١١١١١١١١١١١١",
];

/// A card number that somebody typed into a text reaches neither gateway nor ledger nor error.
#[tokio::test]
async fn c84_a_card_number_in_any_text_is_refused_and_not_repeated() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let client = place.client();
        let payment = paid(&client.authorize(place.authorize("reserved")).await);
        for card in CARDS {
            for refused in [
                client.charge(place.charge(ORDER).description(card)).await,
                client
                    .charge(place.charge(ORDER).metadata("note", card))
                    .await,
                client.charge(place.charge(card)).await,
                client.authorize(place.authorize(card)).await,
                client
                    .capture(Intent::capture(card, payment.clone(), place.money("1.00")))
                    .await,
                client
                    .refund(Intent::refund(card, payment.clone(), place.money("1.00")))
                    .await,
                client.void(Intent::void(card, payment.clone())).await,
            ] {
                let error = refused.unwrap_err();
                let problem = Problem::CardNumber;
                let is_it =
                    matches!(&error, Error::Invalid { problem: found, .. } if *found == problem);
                assert!(is_it, "{shop:?}: {error:?}");
                let shown = format!("{error} {error:?}");
                assert!(!shown.contains(card), "{shown}");
            }
        }
        assert_eq!(place.world.sent().len(), 1, "{shop:?}");
        assert_clean(&place);
    }
}

/// What only looks like one is a merchant's own number.
#[tokio::test]
async fn c84_an_order_number_or_a_uuid_is_no_card_number() {
    for shop in SHOPS {
        let place = Place::new(shop);
        let client = place.client();
        for (place_in_list, text) in [
            "4111111111111112",
            "41111111111111111111",
            "4111a111-1111-4111-8111-111111111111",
        ]
        .into_iter()
        .enumerate()
        {
            let reference = format!("order-{place_in_list}");
            let intent = place
                .charge(&reference)
                .description(text)
                .metadata("note", text);
            paid(&client.charge(intent).await);
            paid(&client.charge(place.charge(text)).await);
            assert_eq!(place.world.effects(text), 2, "{shop:?} {text}");
        }
    }
}

/// Text of any script arrives as it was given.
#[tokio::test]
async fn c87_other_scripts_and_reserved_characters_arrive_as_they_are() {
    let text = "طلب رقم ٥ – \"قهوة\" & 100% +1 🙂";
    for shop in SHOPS {
        let place = Place::new(shop);
        let intent = place
            .charge(text)
            .description(text)
            .metadata("basket", text);
        let result = place.client().charge(intent).await;
        if !shop.takes_any_text() {
            // Refused by name, and neither cut nor changed.
            let refused =
                matches!(&result, Err(Error::Invalid { field, .. }) if field == "reference");
            assert!(refused, "{shop:?}: {result:?}");
            assert_eq!(place.world.sent().len(), 0, "{shop:?}");
            continue;
        }
        paid(&result);
        let effects = place.world.gateway.effects_for(text);
        assert_eq!(effects.len(), 1, "{shop:?}");
        let fields = effects[0].fields.values().filter(|value| *value == text);
        assert!(fields.count() >= 2, "{shop:?}: {:?}", effects[0].fields);
    }
    assert_eq!(
        KINDS.len(),
        OperationKind::all().len(),
        "every kind has its tests"
    );
}
