use super::*;

fn minor(text: &str, currency: Currency) -> Result<i64, MoneyError> {
    Money::parse(text, currency).map(Money::minor)
}

#[test]
fn every_listed_currency_has_an_exponent_and_no_other_is_left_out() {
    for currency in Currency::all() {
        assert!(
            iso_currency::Currency::from_code(currency.code())
                .unwrap()
                .exponent()
                .is_some()
        );
        assert_eq!(currency.code().parse::<Currency>(), Ok(*currency));
    }
    let exponents = |n| Currency::all().iter().filter(|c| c.exponent() == n).count();
    // Counted in the data of iso_currency without funds, metals and withdrawn codes.
    assert_eq!((exponents(0), exponents(2), exponents(3)), (16, 133, 7));
}

#[test]
fn exponents_that_other_libraries_get_wrong() {
    for (currency, exponent) in [
        (Currency::BHD, 3),
        (Currency::IQD, 3),
        (Currency::LYD, 3),
        (Currency::TND, 3),
        (Currency::ISK, 0),
        (Currency::UGX, 0),
        (Currency::CLP, 0),
        (Currency::HUF, 2),
        (Currency::MGA, 2),
        (Currency::MRU, 2),
    ] {
        assert_eq!(currency.exponent(), exponent, "{currency}");
    }
}

#[test]
fn decimal_text_becomes_exact_minor_units() {
    assert_eq!(minor("480", Currency::SAR), Ok(48_000));
    assert_eq!(minor("480.5", Currency::SAR), Ok(48_050));
    assert_eq!(minor("0.05", Currency::SAR), Ok(5));
    assert_eq!(minor("18.600", Currency::KWD), Ok(18_600));
    assert_eq!(minor("500", Currency::JPY), Ok(500));
    assert_eq!(
        minor("90071992547409.91", Currency::USD),
        Ok(Money::MAX_MINOR)
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let too_many = MoneyError::TooManyDecimals {
        currency: Currency::JPY,
        decimals: 0,
    };
    assert_eq!(minor("5.0", Currency::JPY), Err(too_many));
    assert_eq!(
        minor("90071992547409.92", Currency::USD),
        Err(MoneyError::TooLarge)
    );
    assert_eq!(
        minor("99999999999999999999999", Currency::USD),
        Err(MoneyError::TooLarge)
    );
    assert_eq!(
        Money::from_minor(-1, Currency::USD),
        Err(MoneyError::Negative)
    );
    assert_eq!(minor("-4.80", Currency::USD), Err(MoneyError::Negative));
    for text in [
        "", ".", "5.", ".5", "05", "+1", "--1", "-", "1 000", "1_000", "0x10", "1.2.3",
    ] {
        assert_eq!(
            minor(text, Currency::USD),
            Err(MoneyError::NotANumber),
            "{text:?}"
        );
    }
}

#[test]
fn text_shows_every_decimal_of_the_currency() {
    let text = |minor, currency| Money::from_minor(minor, currency).unwrap().to_string();
    assert_eq!(text(5, Currency::SAR), "0.05 SAR");
    assert_eq!(text(0, Currency::KWD), "0.000 KWD");
    assert_eq!(text(7, Currency::JPY), "7 JPY");
}

#[test]
fn the_serialized_form_is_minor_units_and_is_checked_when_read() {
    let money = Money::from_minor(48_000, Currency::SAR).unwrap();
    let json = serde_json::to_string(&money).unwrap();
    assert_eq!(json, r#"{"minor":48000,"currency":"SAR"}"#);
    assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), money);
    for bad in [
        r#"{"minor":-1,"currency":"SAR"}"#,
        r#"{"minor":1,"currency":"XXX"}"#,
    ] {
        serde_json::from_str::<Money>(bad).unwrap_err();
    }
}
