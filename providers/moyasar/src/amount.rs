//! How Moyasar writes amounts: <https://docs.moyasar.com/api/payments/01-create-payment>.

use payonce::provider::{AmountForm, AmountRule};

/// Whole numbers of the currency's smallest unit, by ISO 4217.
///
/// No page states the most digits or a list of currencies. Sixteen digits hold every amount that
/// payonce can have; what is too much for Moyasar it refuses itself.
pub(crate) const AMOUNT: AmountRule = AmountRule::iso(AmountForm::MinorInteger, 16);

/// The least that a payment may be about, in the smallest unit, whatever the currency. It is
/// stated for payments only: a capture or a refund may be of any part.
pub(crate) const LEAST: i64 = 100;

#[cfg(test)]
mod tests {
    use payonce::{Currency, Money};

    use super::*;

    #[test]
    fn known_answers() {
        for (text, currency, wire) in [
            ("480.00", Currency::SAR, "48000"),
            ("18.600", Currency::KWD, "18600"),
            ("5.124", Currency::KWD, "5124"),
            ("500", Currency::JPY, "500"),
            ("1.14", Currency::USD, "114"),
            ("1.15", Currency::USD, "115"),
            ("0.01", Currency::SAR, "1"),
        ] {
            let money = Money::parse(text, currency).unwrap();
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
    fn c51_every_price_to_a_hundred_is_exact() {
        for halalas in 1..=10_000_i64 {
            let text = format!("{}.{:02}", halalas / 100, halalas % 100);
            let money = Money::parse(&text, Currency::SAR).unwrap();
            assert_eq!(AMOUNT.units(money), Ok(halalas));
        }
    }

    #[test]
    fn every_amount_of_money_can_be_written() {
        let most = Money::from_minor(Money::MAX_MINOR, Currency::SAR).unwrap();
        assert_eq!(AMOUNT.units(most), Ok(Money::MAX_MINOR));
    }
}
