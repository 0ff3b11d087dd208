use payonce::Money;
use payonce::provider::AmountError;

use super::*;

fn money(text: &str, currency: Currency) -> Money {
    Money::parse(text, currency).unwrap()
}

#[test]
fn known_answers() {
    for (text, currency, wire) in [
        ("480.00", Currency::SAR, "48000"),
        ("10.99", Currency::EUR, "1099"),
        ("18.600", Currency::KWD, "18600"),
        ("5.124", Currency::KWD, "5124"),
        ("500", Currency::JPY, "500"),
        // Where Adyen counts otherwise than ISO 4217.
        ("500", Currency::CLP, "50000"),
        ("500", Currency::ISK, "50000"),
        ("500.00", Currency::CVE, "500"),
        ("15000.00", Currency::IDR, "15000"),
    ] {
        let money = money(text, currency);
        assert_eq!(
            AMOUNT.render(money).as_deref(),
            Ok(wire),
            "{text} {currency}"
        );
        let units = wire.parse().unwrap();
        assert_eq!(AMOUNT.money(units, currency), Ok(money));
    }
}

#[test]
fn what_adyen_cannot_carry_is_refused_and_not_rounded() {
    let decimals = |currency| AmountError::Decimals {
        currency,
        decimals: 0,
    };
    for (text, currency, problem) in [
        ("500.50", Currency::CVE, decimals(Currency::CVE)),
        ("1.01", Currency::IDR, decimals(Currency::IDR)),
        (
            "10",
            Currency::BIF,
            AmountError::Currency {
                currency: Currency::BIF,
            },
        ),
        (
            "10.00",
            Currency::MGA,
            AmountError::Currency {
                currency: Currency::MGA,
            },
        ),
    ] {
        assert_eq!(AMOUNT.units(money(text, currency)), Err(problem), "{text}");
    }
    // A part of a peso in a reply is no amount of ours, and is not rounded to one either.
    assert!(AMOUNT.money(50_050, Currency::CLP).is_err());
}

/// The table of the page, whole: a currency that moved to another row would be charged a hundred
/// times, or a hundredth.
#[test]
fn the_whole_table() {
    for currency in CURRENCIES {
        let decimals = match currency.code() {
            "CVE" | "DJF" | "GNF" | "IDR" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX"
            | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
            "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
            _ => 2,
        };
        assert_eq!(AMOUNT.exponent(*currency), decimals, "{currency}");
    }
}

#[test]
fn c51_every_price_to_a_hundred_is_exact() {
    for cents in 1..=10_000_i64 {
        let text = format!("{}.{:02}", cents / 100, cents % 100);
        assert_eq!(AMOUNT.units(money(&text, Currency::EUR)), Ok(cents));
    }
}
