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

/// Stripe's list of currencies without decimals. One that is counted in hundredths is charged a
/// hundredfold.
#[test]
fn c45_every_currency_without_decimals_is_written_as_it_is() {
    for code in [
        "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF",
        "XOF", "XPF",
    ] {
        let currency: Currency = code.parse().unwrap();
        assert_eq!(render("1500", currency).as_deref(), Ok("1500"), "{code}");
        let read = AMOUNT.money(1500, currency).unwrap();
        assert_eq!(read, Money::parse("1500", currency).unwrap());
    }
}

/// Written a hundredfold though they have no decimals, and read back only in whole ones.
#[test]
fn c45_the_special_cases_are_written_a_hundredfold() {
    for currency in [Currency::ISK, Currency::UGX] {
        assert_eq!(render("1500", currency).as_deref(), Ok("150000"));
        let whole = Money::parse("1500", currency).unwrap();
        assert_eq!(AMOUNT.money(150_000, currency), Ok(whole));
        for part in [1, 10, 50, 149_999] {
            AMOUNT.money(part, currency).unwrap_err();
        }
    }
}

/// Not on Stripe's list of three-decimal currencies, so they count in hundredths: written in
/// thousandths, the customer pays tenfold.
#[test]
fn c44_three_decimal_currencies_that_stripe_does_not_list_have_two() {
    for currency in [Currency::IQD, Currency::LYD] {
        assert_eq!(render("5.120", currency).as_deref(), Ok("512"));
        let decimals = AmountError::Decimals {
            currency,
            decimals: 2,
        };
        assert_eq!(render("5.124", currency), Err(decimals));
    }
}

/// Every three-decimal currency of the list: its last digit must be 0.
#[test]
fn c44_a_last_digit_is_refused_in_every_three_decimal_currency() {
    for code in ["BHD", "JOD", "KWD", "OMR", "TND"] {
        let currency: Currency = code.parse().unwrap();
        assert_eq!(render("5.120", currency).as_deref(), Ok("5120"), "{code}");
        let step = AmountError::Step { currency, step: 10 };
        assert_eq!(render("5.124", currency), Err(step));
    }
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
