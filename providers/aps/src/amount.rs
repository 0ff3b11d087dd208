//! How the gateway writes amounts: whole numbers of the smallest unit by ISO 4217, as text, of at
//! most 10 digits (<https://paymentservices.amazon.com/docs/api/managing-payments/refund>).

use payonce::provider::{AmountForm, AmountRule};
use payonce::{Currency, Money};

/// 500 AED are `50000`, 100 JOD are `100000`
/// (<https://docs.payfort.com/docs/api/build/index.html>). No least amount is documented.
pub(crate) const AMOUNT: AmountRule = AmountRule::iso(AmountForm::MinorInteger, 10);

/// The money that an amount and a currency in a reply mean. `None`: they are no amount of money.
pub(crate) fn read(units: i64, currency: &str) -> Option<Money> {
    let currency: Currency = currency.parse().ok()?;
    AMOUNT.money(units, currency).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong number of decimals takes ten or a thousand times the price.
    #[test]
    fn known_amounts() {
        for (text, currency, written) in [
            ("500.00", Currency::AED, "50000"),
            ("100.000", Currency::JOD, "100000"),
            ("480.00", Currency::SAR, "48000"),
            ("0.01", Currency::USD, "1"),
            ("18.605", Currency::KWD, "18605"),
            ("5.124", Currency::BHD, "5124"),
            ("7.001", Currency::OMR, "7001"),
            ("1.234", Currency::TND, "1234"),
            ("500", Currency::JPY, "500"),
            ("99999999.99", Currency::SAR, "9999999999"),
        ] {
            let money = Money::parse(text, currency).unwrap();
            assert_eq!(AMOUNT.render(money).unwrap(), written, "{text} {currency}");
            let units = written.parse().unwrap();
            assert_eq!(read(units, currency.code()), Some(money));
        }
    }

    #[test]
    fn more_than_ten_digits_are_refused() {
        let money = Money::parse("100000000.00", Currency::SAR).unwrap();
        let error = AMOUNT.render(money).unwrap_err().to_string();
        assert!(error.contains("10 digits"), "{error}");
    }

    #[test]
    fn what_is_no_money_is_nothing() {
        for (units, currency) in [(-1, "SAR"), (1, "XXY"), (1, ""), (i64::MAX, "SAR")] {
            assert_eq!(read(units, currency), None, "{units} {currency}");
        }
    }
}
