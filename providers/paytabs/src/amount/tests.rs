use payonce::provider::AmountError;

use super::*;

fn render(text: &str, currency: Currency) -> Result<String, AmountError> {
    AMOUNT.render(Money::parse(text, currency).unwrap())
}

#[test]
fn c44_known_answers() {
    for (text, currency, wire) in [
        ("92", Currency::SAR, "92.00"),
        ("480.5", Currency::SAR, "480.50"),
        ("0.01", Currency::AED, "0.01"),
        ("18.600", Currency::KWD, "18.60"),
        ("1.500", Currency::OMR, "1.50"),
        ("0.250", Currency::JOD, "0.25"),
        ("500", Currency::JPY, "500"),
        ("25000", Currency::IQD, "25000.00"),
    ] {
        let rendered = render(text, currency);
        assert_eq!(rendered.as_deref(), Ok(wire), "{text} {currency}");
    }
}

#[test]
fn a_third_decimal_is_refused_and_never_rounded() {
    for (text, currency) in [
        ("5.124", Currency::KWD),
        ("0.001", Currency::BHD),
        ("18.605", Currency::OMR),
    ] {
        let decimals = AmountError::Decimals {
            currency,
            decimals: 2,
        };
        assert_eq!(render(text, currency), Err(decimals), "{text} {currency}");
    }
}

#[test]
fn no_currency_has_more_than_two_decimals_or_a_greater_limit() {
    for currency in Currency::all().iter().copied() {
        let whole = currency.exponent() == 0;
        assert_eq!(
            AMOUNT.exponent(currency),
            if whole { 0 } else { 2 },
            "{currency}"
        );
        let most = if whole { "9999999999" } else { "9999999999.99" };
        assert_eq!(render(most, currency).as_deref(), Ok(most), "{currency}");
        let digits = if whole { 10 } else { 12 };
        let large = AmountError::TooLarge { currency, digits };
        assert_eq!(render("10000000000", currency), Err(large), "{currency}");
    }
}

#[test]
fn replies_are_compared_as_decimals() {
    let sar = |minor| Money::from_minor(minor, Currency::SAR).ok();
    for (text, money) in [
        ("92.00", sar(9200)),
        ("92", sar(9200)),
        ("92.0", sar(9200)),
        ("92.000", sar(9200)),
        ("0.5", sar(50)),
        ("100", sar(10000)),
        ("92.001", None),
        ("92,00", None),
        ("9,200.00", None),
        ("9200.", None),
        (".92", None),
        ("", None),
        (".", None),
        ("-92.00", None),
        ("+92.00", None),
        ("9.2e1", None),
        ("92.00 ", None),
        ("92.0.0", None),
        ("٩٢.٠٠", None),
        ("99999999999999999999.00", None),
    ] {
        assert_eq!(read(text, "SAR"), money, "{text:?}");
    }
    assert_eq!(read("92.00", "XYZ"), None);
    let kwd = |text| Money::parse(text, Currency::KWD).ok();
    assert_eq!(read("18.60", "KWD"), kwd("18.600"));
    // What we cannot send may still have been charged, and is then seen as it is.
    assert_eq!(read("5.124", "KWD"), kwd("5.124"));
    let yen = Money::parse("500", Currency::JPY).ok();
    assert_eq!(read("500.00", "JPY"), yen);
    assert_eq!(read("500.50", "JPY"), None);
}
