use payonce::provider::AmountError;

use super::*;

fn render(text: &str, currency: Currency) -> Result<String, AmountError> {
    AMOUNT.render(Money::parse(text, currency).unwrap())
}

#[test]
fn c44_always_two_decimals() {
    for (text, currency, wire) in [
        ("92", Currency::SAR, "92.00"),
        ("480.5", Currency::SAR, "480.50"),
        ("0.05", Currency::AED, "0.05"),
        ("18.600", Currency::KWD, "18.60"),
        ("35.210", Currency::BHD, "35.21"),
        ("1.000", Currency::OMR, "1.00"),
        ("0.250", Currency::JOD, "0.25"),
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
fn currencies_without_decimals_are_refused_and_no_other() {
    for currency in Currency::all().iter().copied() {
        let refused = render("500", currency);
        if currency.exponent() == 0 {
            assert_eq!(refused, Err(AmountError::Currency { currency }));
        } else {
            assert_eq!(refused.as_deref(), Ok("500.00"), "{currency}");
        }
        assert_eq!(AMOUNT.exponent(currency), 2, "{currency}");
    }
}

#[test]
fn amounts_beyond_the_digits_are_refused() {
    let most = "9999999999.99";
    assert_eq!(render(most, Currency::SAR).as_deref(), Ok(most));
    let large = AmountError::TooLarge {
        currency: Currency::SAR,
        digits: 12,
    };
    assert_eq!(render("10000000000.00", Currency::SAR), Err(large));
}

#[test]
fn replies_are_compared_as_decimals() {
    let sar = |minor| Money::from_minor(minor, Currency::SAR).ok();
    for (text, money) in [
        ("92.00", sar(9200)),
        ("92", sar(9200)),
        ("92.0", sar(9200)),
        ("92.000", sar(9200)),
        ("092.00", sar(9200)),
        ("0.5", sar(50)),
        ("92.001", None),
        ("92,00", None),
        ("9200.", None),
        (".92", None),
        ("", None),
        ("-92.00", None),
        ("+92.00", None),
        ("9.2e1", None),
        ("92.00 ", None),
        ("٩٢.٠٠", None),
        ("99999999999999999999.00", None),
    ] {
        assert_eq!(read(text, "SAR"), money, "{text:?}");
    }
    assert_eq!(read("92.00", "XYZ"), None);
    let kwd = Money::parse("18.600", Currency::KWD).ok();
    assert_eq!(read("18.60", "KWD"), kwd);
    let yen = Money::parse("500", Currency::JPY).ok();
    assert_eq!(read("500.00", "JPY"), yen);
    assert_eq!(read("500.50", "JPY"), None);
}
