//! Amounts on the wire: known answers, no round trips.

use payonce::{Currency, Error, Intent, Money, MoneyError, Source};

use crate::world::{World, assert_word, money};

/// UGX is whole by ISO and hundred-fold at Stripe: charged by ISO, the merchant gets a hundredth.
#[tokio::test]
async fn c45_stripe_counts_its_own_decimals() {
    let world = World::new();
    let client = world.client();
    for (amount, currency, wire) in [
        ("380000", Currency::UGX, "38000000"),
        ("5", Currency::UGX, "500"),
        ("2790", Currency::ISK, "279000"),
        ("500", Currency::JPY, "500"),
        ("1000", Currency::HUF, "100000"),
        ("1000", Currency::TWD, "100000"),
        ("18.600", Currency::KWD, "18600"),
        ("480.00", Currency::SAR, "48000"),
    ] {
        let reference = format!("{amount} {currency}");
        let intent = Intent::charge(&reference, money(amount, currency))
            .source(Source::token("pm_card_visa"));
        assert_word(&client.charge(intent).await, "succeeded");
        let sent = world.sent();
        let last = sent.last().unwrap();
        assert_eq!(
            last.form_value("amount").as_deref(),
            Some(wire),
            "{reference}"
        );
        let small = currency.code().to_lowercase();
        assert_eq!(last.form_value("currency"), Some(small), "{reference}");
        assert_eq!(world.effects(&reference), 1);
    }
    let half = Money::parse("7.50", Currency::UGX);
    assert!(matches!(half, Err(MoneyError::TooManyDecimals { .. })));
}

/// What Stripe cannot carry is refused before anything is stored or sent, and says what to do.
#[tokio::test]
async fn c45_what_stripe_cannot_carry_is_refused() {
    let world = World::new();
    let client = world.client();
    for (amount, currency, says) in [
        ("5.124", Currency::KWD, "multiple of 10"),
        ("10.50", Currency::MGA, "than the 0 decimals"),
        ("1000000.00", Currency::USD, "8 digits"),
    ] {
        let intent =
            Intent::charge("r1", money(amount, currency)).source(Source::token("pm_card_visa"));
        match client.charge(intent).await {
            Err(error @ Error::Invalid { .. }) => {
                let text = error.to_string();
                assert!(text.starts_with("amount") && text.contains(says), "{text}");
            }
            other => panic!("{amount} {currency}: {other:?}"),
        }
    }
    assert_eq!(world.sent().len(), 0);
    assert_eq!(world.sql::<i64>("SELECT count(*) FROM operation"), 0);
}

/// A binary float turns 1.15 into 1.14. All prices up to 100.00, as text, must be exact.
#[test]
fn c51_ten_thousand_prices_are_exact() {
    for cents in 1..=10_000_i64 {
        let text = format!("{}.{:02}", cents / 100, cents % 100);
        let price = Money::parse(&text, Currency::SAR).unwrap();
        assert_eq!(price.minor(), cents, "{text}");
        assert_eq!(price.to_decimal(), text);
    }
    for (text, minor) in [
        ("29.99", 2999),
        ("8.20", 820),
        ("142.2", 14_220),
        ("0.1", 10),
    ] {
        assert_eq!(
            Money::parse(text, Currency::SAR).map(Money::minor),
            Ok(minor),
            "{text}"
        );
    }
}

/// Odd spellings are read differently somewhere, so they are refused and not guessed at.
#[test]
fn c51_odd_spellings_are_refused_and_nothing_is_rounded() {
    for text in ["1.005", "10.075"] {
        let refused = Money::parse(text, Currency::SAR);
        assert!(
            matches!(refused, Err(MoneyError::TooManyDecimals { .. })),
            "{text}"
        );
    }
    for text in [
        "1e2", "NaN", "inf", "١٫٥", "١.٥", "1,50", " 1.5", "1.5 ", "+1", "--1", "0x1", "1_0",
    ] {
        let refused = Money::parse(text, Currency::SAR);
        assert_eq!(refused, Err(MoneyError::NotANumber), "{text}");
    }
}
