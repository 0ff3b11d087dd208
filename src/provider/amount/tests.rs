use super::*;

const RULE: AmountRule = AmountRule::iso(AmountForm::MinorInteger, 8)
    .with_exponents(&[(Currency::UGX, 2), (Currency::MGA, 0)])
    .with_steps(&[(Currency::KWD, 10)])
    .with_max_digits_of(&[(Currency::INR, 9)]);

fn render(text: &str, currency: Currency) -> Result<String, AmountError> {
    RULE.render(Money::parse(text, currency).unwrap())
}

#[test]
fn the_gateways_own_decimals_hold() {
    assert_eq!(render("5000", Currency::UGX).unwrap(), "500000");
    assert_eq!(render("10", Currency::MGA).unwrap(), "10");
    let refused = AmountError::Decimals {
        currency: Currency::MGA,
        decimals: 0,
    };
    assert_eq!(render("10.50", Currency::MGA), Err(refused));
}

#[test]
fn steps_and_digits_are_refused_not_rounded() {
    assert_eq!(render("18.600", Currency::KWD).unwrap(), "18600");
    let step = AmountError::Step {
        currency: Currency::KWD,
        step: 10,
    };
    assert_eq!(render("5.124", Currency::KWD), Err(step));
    assert_eq!(render("999999.99", Currency::USD).unwrap(), "99999999");
    let large = AmountError::TooLarge {
        currency: Currency::USD,
        digits: 8,
    };
    assert_eq!(render("1000000.00", Currency::USD), Err(large));
    assert_eq!(render("1000000.00", Currency::INR).unwrap(), "100000000");
    let most = Money::from_minor(Money::MAX_MINOR, Currency::UGX).unwrap();
    RULE.render(most).unwrap_err();
}

#[test]
fn a_currency_that_is_not_offered_is_refused() {
    let rule = RULE.with_currencies(&[Currency::SAR]);
    let refused = AmountError::Currency {
        currency: Currency::USD,
    };
    assert_eq!(
        rule.units(Money::parse("1", Currency::USD).unwrap()),
        Err(refused)
    );
}

#[test]
fn decimal_forms_show_the_gateways_decimals() {
    let rule = AmountRule::iso(AmountForm::DecimalString, 12);
    assert_eq!(
        rule.render(Money::parse("1.2", Currency::SAR).unwrap())
            .unwrap(),
        "1.20"
    );
    assert_eq!(
        rule.render(Money::parse("0.05", Currency::SAR).unwrap())
            .unwrap(),
        "0.05"
    );
}

#[test]
fn replies_are_read_by_the_same_rule() {
    let money = |units, currency| RULE.money(units, currency);
    assert_eq!(
        money(500_000, Currency::UGX),
        Money::from_minor(5_000, Currency::UGX)
    );
    assert_eq!(
        money(10, Currency::MGA),
        Money::from_minor(1_000, Currency::MGA)
    );
    let part = MoneyError::TooManyDecimals {
        currency: Currency::UGX,
        decimals: 0,
    };
    assert_eq!(money(500_001, Currency::UGX), Err(part));
    assert_eq!(money(-1, Currency::USD), Err(MoneyError::Negative));
    assert_eq!(money(i64::MAX, Currency::MGA), Err(MoneyError::TooLarge));
}
