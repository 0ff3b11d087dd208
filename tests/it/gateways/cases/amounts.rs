//! Amounts on the wire, and what a payment still allows.

use payonce::{Currency, Error, Intent, Money, MoneyError, OperationKind, Payment};
use payonce_simulator::LoggedRequest;

use crate::gateways::shop::{Card, ORDER, Place, customer, paid, sar};
use crate::gateways::{shop, told_at_once};
use crate::world::{assert_word, lost_after, money};

use OperationKind::{Capture, Charge, Refund};

/// The amount that a request names.
fn amount_in(post: &LoggedRequest) -> Option<String> {
    if let Some(amount) = post
        .form_value("amount")
        .or_else(|| post.form_value("amount_to_capture"))
    {
        return Some(amount);
    }
    // The digits as they stand there: as a number they would be others.
    let text = post.text();
    let names = [
        "\"cart_amount\":",
        "\"amount_money\":{\"amount\":",
        "\"amount\":",
    ];
    let (_, number) = names.iter().find_map(|name| text.split_once(name))?;
    // At Adyen it stands in an object, with its currency.
    let within = number
        .strip_prefix('{')
        .and_then(|_| number.split_once("\"value\":"));
    let number = within.map_or(number, |(_, value)| value);
    let digits = number.split([',', '}']).next()?;
    Some(digits.trim().trim_matches('"').to_owned())
}

/// Always two decimals, in plain digits, whatever the machine's language says. Run it with
/// `LC_ALL=ar_SA.UTF-8` too.
#[tokio::test]
async fn c50_hyperpay_amounts_have_two_decimals_and_no_marks() {
    let place = Place::new(shop("hyperpay"));
    let client = place.client();
    let mut expected = Vec::new();
    for (given, written) in [
        ("1.20", "1.20"),
        ("11", "11.00"),
        ("0.05", "0.05"),
        ("100000", "100000.00"),
        ("1234567890.12", "1234567890.12"),
    ] {
        let intent = Intent::charge(given, sar(given)).source(place.source(Card::Pays));
        paid(&client.charge(intent).await);
        expected.push(written.to_owned());
    }
    let sent = place.world.sent();
    let written: Vec<_> = sent
        .iter()
        .filter_map(|post| post.form_value("amount"))
        .collect();
    assert_eq!(written, expected);
    let minor: Vec<_> = place
        .world
        .gateway
        .effects()
        .iter()
        .map(|e| e.amount)
        .collect();
    assert_eq!(minor, [120, 1100, 5, 10_000_000, 123_456_789_012]);
}

/// Nothing stands for "all", and nothing is below zero or finer than the currency.
#[tokio::test]
async fn c53_zero_negative_and_fractions_are_refused_before_anything_is_sent() {
    assert_eq!(
        Money::from_minor(-1, Currency::SAR),
        Err(MoneyError::Negative)
    );
    for text in ["-1", "-100", "0.499", "49.999"] {
        assert!(Money::parse(text, Currency::SAR).is_err(), "{text}");
    }
    for shop in told_at_once() {
        let place = Place::new(shop);
        let zero = place.money("0.00");
        let client = place.client();
        let charged = paid(&client.charge(place.charge("paid")).await);
        let reserved = paid(&client.authorize(place.authorize("reserved")).await);
        let charge = Intent::charge(ORDER, zero).source(place.source(Card::Pays));
        for refused in [
            client.charge(charge).await,
            client
                .refund(Intent::refund(ORDER, charged.clone(), zero))
                .await,
            client.capture(Intent::capture(ORDER, reserved, zero)).await,
        ] {
            match refused {
                Err(Error::Invalid { field, .. }) => assert_eq!(field, "amount"),
                other => panic!("{shop:?}: {other:?}"),
            }
        }
        assert_eq!(place.world.sent().len(), 2, "{shop:?}");

        // A full refund says how much it is: the amount is on the wire.
        paid(
            &client
                .refund(Intent::refund("all", charged, place.money("480.00")))
                .await,
        );
        let last = place.sent(2).remove(0);
        let written = match shop.name() {
            "hyperpay" | "paytabs" | "tap" => "480.00",
            _ => "48000",
        };
        assert_eq!(amount_in(&last).as_deref(), Some(written), "{shop:?}");
    }
}

/// A payment of 100.00, charged or only reserved.
async fn hundred(place: &Place, kind: OperationKind) -> Payment {
    let client = place.client();
    let back = "https://shop.example/back";
    let card = place.source(Card::Pays);
    let made = if kind == Capture {
        let intent = Intent::authorize(ORDER, place.money("100.00"))
            .source(card)
            .customer(customer());
        client.authorize(intent.return_url(back)).await
    } else {
        let intent = Intent::charge(ORDER, place.money("100.00"))
            .source(card)
            .customer(customer());
        client.charge(intent.return_url(back)).await
    };
    paid(&made)
}

/// A part whose reply was lost is one part however often it is asked for, and as long as nobody
/// knows of it, it counts in full.
#[tokio::test]
async fn c54_a_lost_part_is_taken_or_given_once_and_counts_meanwhile() {
    for shop in told_at_once() {
        for kind in [Capture, Refund] {
            if kind == Capture && !shop.captures_parts() {
                continue;
            }
            let place = Place::new(shop);
            let payment = hundred(&place, kind).await;
            let ask = async |client: &payonce::Client, reference: &str, amount: &str| {
                let (payment, money) = (payment.clone(), place.money(amount));
                if kind == Capture {
                    client
                        .capture(Intent::capture(reference, payment, money))
                        .await
                } else {
                    client
                        .refund(Intent::refund(reference, payment, money))
                        .await
                }
            };
            let part = format!("{ORDER}/{kind}");
            place.world.fault(lost_after());
            place.no_look_ups(kind);
            let first = ask(&place.one_send(), &part, "30.00").await;
            assert_word(&first, "unknown");
            place.world.gateway.faults().clear();
            let client = place.client();
            let more = ask(&client, "another", "80.00").await;
            let refused = matches!(
                more,
                Err(Error::ExceedsParent { .. } | Error::ParentBusy { .. })
            );
            assert!(refused, "{shop:?}: {more:?}");
            assert_eq!(place.world.sent().len(), 2, "{shop:?}");
            let expected = if shop.shows(kind) {
                "succeeded"
            } else {
                "unknown"
            };
            for _ in 0..2 {
                assert_word(&ask(&client, &part, "30.00").await, expected);
            }
            let more = ask(&client, "another", "80.00").await;
            assert!(more.is_err(), "{shop:?}: {more:?}");
            let moved: Vec<_> = place.effects(kind).iter().map(|e| e.amount).collect();
            assert_eq!(moved, [3000], "{shop:?}");
        }
    }
}

/// A price has another form at each gateway, and each is exact.
#[tokio::test]
async fn c44_three_decimals_are_carried_exactly_or_refused() {
    for (shop_name, amount, written) in [
        ("stripe", "18.600", Some("18600")),
        ("moyasar", "18.600", Some("18600")),
        ("hyperpay", "18.600", Some("18.60")),
        ("tap", "18.600", Some("18.600")),
        ("aps", "18.600", Some("18600")),
        ("paytabs", "18.600", Some("18.60")),
        ("stripe", "18.605", None),
        ("moyasar", "18.605", Some("18605")),
        ("hyperpay", "18.605", None),
        ("tap", "18.605", Some("18.605")),
        ("aps", "18.605", Some("18605")),
        ("paytabs", "18.605", None),
        // No seller there has such a currency.
        ("square", "18.600", None),
        ("adyen", "18.605", Some("18605")),
    ] {
        let place = Place::new(shop(shop_name));
        let intent = Intent::charge(ORDER, money(amount, Currency::KWD))
            .source(place.source(Card::Pays))
            .customer(customer())
            .return_url("https://shop.example/back");
        let result = place.client().charge(intent).await;
        let sent = place.world.sent();
        let found = sent.first().and_then(amount_in);
        assert_eq!(
            found.as_deref(),
            written,
            "{shop_name} {amount}: {result:?}"
        );
        assert_eq!(place.effects(Charge).len(), usize::from(written.is_some()));
    }
}
