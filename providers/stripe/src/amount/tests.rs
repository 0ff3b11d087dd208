use payonce::Money;
use payonce::provider::AmountError;

use super::*;

fn render(text: &str, currency: Currency) -> Result<String, AmountError> {
    AMOUNT.render(Money::parse(text, currency).unwrap())
}

#[test]
fn c45_known_answers() {
    for (text, currency, wire) in [
        ("380000", Currency::UGX, "38000000"),
        ("5", Currency::UGX, "500"),
        ("2790", Currency::ISK, "279000"),
        ("500", Currency::JPY, "500"),
        ("100", Currency::JPY, "100"),
        ("1000", Currency::HUF, "100000"),
        ("1000", Currency::TWD, "100000"),
        ("480.00", Currency::SAR, "48000"),
        ("12.00", Currency::MGA, "12"),
        ("0.01", Currency::USD, "1"),
    ] {
        assert_eq!(
            render(text, currency).as_deref(),
            Ok(wire),
            "{text} {currency}"
        );
    }
    // Half a shilling is no amount of money at all.
    Money::parse("7.50", Currency::UGX).unwrap_err();
    let part = AmountError::Decimals {
        currency: Currency::MGA,
        decimals: 0,
    };
    assert_eq!(render("12.40", Currency::MGA), Err(part));
}

#[test]
fn c44_three_decimals_in_steps_of_ten() {
    for (text, currency, wire) in [
        ("18.600", Currency::KWD, "18600"),
        ("35.200", Currency::BHD, "35200"),
        ("1.000", Currency::OMR, "1000"),
        ("0.250", Currency::JOD, "250"),
        ("5.000", Currency::TND, "5000"),
    ] {
        assert_eq!(
            render(text, currency).as_deref(),
            Ok(wire),
            "{text} {currency}"
        );
    }
    let step = AmountError::Step {
        currency: Currency::KWD,
        step: 10,
    };
    assert_eq!(render("5.124", Currency::KWD), Err(step));
}

#[test]
fn c51_every_price_to_a_hundred_is_exact() {
    for cents in 1..=10_000_i64 {
        let text = format!("{}.{:02}", cents / 100, cents % 100);
        assert_eq!(render(&text, Currency::USD), Ok(cents.to_string()));
    }
}

#[test]
fn amounts_beyond_the_digits_are_refused() {
    for (text, currency, digits) in [
        ("1000000.00", Currency::USD, 8),
        ("10000000.00", Currency::INR, 9),
        ("10000000000.00", Currency::IDR, 12),
        ("10000000000", Currency::JPY, 10),
        ("1000000", Currency::UGX, 8),
    ] {
        let large = AmountError::TooLarge { currency, digits };
        assert_eq!(render(text, currency), Err(large), "{text} {currency}");
    }
    assert_eq!(
        render("999999.99", Currency::USD).as_deref(),
        Ok("99999999")
    );
    assert_eq!(
        render("9999999.99", Currency::INR).as_deref(),
        Ok("999999999")
    );
}

#[test]
fn replies_are_read_by_the_same_rule() {
    let ugx = |minor| Money::from_minor(minor, Currency::UGX);
    assert_eq!(AMOUNT.money(500, Currency::UGX), ugx(5));
    AMOUNT.money(550, Currency::UGX).unwrap_err();
}
