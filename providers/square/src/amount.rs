//! How Square writes amounts:
//! <https://developer.squareup.com/docs/build-basics/working-with-monetary-amounts>.

use payonce::Currency;
use payonce::provider::{AmountForm, AmountRule};

/// Whole numbers of the currency's smallest unit. The yen has no decimals, as in ISO 4217.
///
/// No page states the most digits. Sixteen hold every amount that payonce can have; what is too
/// much for Square it refuses itself.
pub(crate) const AMOUNT: AmountRule =
    AmountRule::iso(AmountForm::MinorInteger, 16).with_currencies(&CURRENCIES);

/// The currencies of the countries whose sellers can use the Payments API. A payment must be in the
/// currency of its location; which that is, Square says. The list is from memory: what is not on it
/// is refused, which is the safe reading.
const CURRENCIES: [Currency; 6] = [
    Currency::AUD,
    Currency::CAD,
    Currency::EUR,
    Currency::GBP,
    Currency::JPY,
    Currency::USD,
];

#[cfg(test)]
mod tests {
    use payonce::Money;

    use super::*;

    #[test]
    fn known_answers() {
        for (text, currency, wire) in [
            ("480.00", Currency::USD, "48000"),
            ("500", Currency::JPY, "500"),
            ("1.14", Currency::EUR, "114"),
            ("1.15", Currency::GBP, "115"),
            ("0.01", Currency::CAD, "1"),
        ] {
            let money = Money::parse(text, currency).unwrap();
            assert_eq!(AMOUNT.render(money).as_deref(), Ok(wire), "{text}");
            assert_eq!(AMOUNT.money(wire.parse().unwrap(), currency), Ok(money));
        }
    }

    #[test]
    fn c51_every_price_to_a_hundred_is_exact() {
        for cents in 1..=10_000_i64 {
            let text = format!("{}.{:02}", cents / 100, cents % 100);
            let money = Money::parse(&text, Currency::USD).unwrap();
            assert_eq!(AMOUNT.units(money), Ok(cents));
        }
    }

    /// A price of three decimals would be ten times too much or too little.
    #[test]
    fn a_currency_that_no_seller_has_is_refused() {
        for currency in [Currency::KWD, Currency::SAR, Currency::ISK] {
            let money = Money::from_minor(18_600, currency).unwrap();
            AMOUNT.units(money).unwrap_err();
        }
    }
}
