//! How Tap writes amounts: JSON numbers of the major unit
//! (<https://developers.tap.company/docs/create-a-refund>).

use payonce::provider::{AmountForm, AmountRule};
use payonce::{Currency, Money};

/// Three decimals in BHD, KWD and OMR, two in all others, as the page says.
///
/// - JOD and the other currencies that ISO 4217 counts with three decimals: the page names none of
///   them, so the third decimal must be 0. `18.600 JOD` is sent as `18.60`, `5.124 JOD` is refused.
/// - Currencies without decimals are refused: no page shows one.
/// - The most digits are not documented. Fifteen are what every reader of JSON numbers keeps exactly.
pub(crate) const AMOUNT: AmountRule = AmountRule::iso(AmountForm::DecimalNumber, 15)
    .with_exponents(&EXPONENTS)
    .with_currencies(CURRENCIES);

const EXPONENTS: [(Currency, u8); 4] = [
    (Currency::IQD, 2),
    (Currency::JOD, 2),
    (Currency::LYD, 2),
    (Currency::TND, 2),
];

macro_rules! listed {
    ($($code:ident)*) => { &[$(Currency::$code),*] };
}

/// All that ISO 4217 counts with two or three decimals. Which of them an account takes is a matter of
/// its contract, and Tap refuses the others (codes 1118 and 1119 of
/// <https://developers.tap.company/reference/charge-response-codes>).
const CURRENCIES: &[Currency] = listed! {
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BMD BND BOB BRL BSD BTN BWP BYN BZD CAD
    CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD
    HKD HNL HTG HUF IDR ILS INR IQD IRR JMD JOD KES KGS KHR KPW KWD KYD KZT LAK LBP LKR LRD LSL LYD
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK
    PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
    TMT TND TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
};

/// The money that a number and a currency in a reply mean. Zeros at the end may be gone: `1`, `1.0`
/// and `1.00` are the same. `None`: they are no amount of money.
pub(crate) fn read(number: &str, currency: &str) -> Option<Money> {
    let currency: Currency = currency.parse().ok()?;
    let decimals = usize::from(AMOUNT.exponent(currency));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) {
        return None;
    }
    let mut places = part.chars();
    let kept: String = (0..decimals)
        .map(|_| places.next().unwrap_or('0'))
        .collect();
    if places.any(|digit| digit != '0') {
        return None;
    }
    let units = format!("{whole}{kept}").parse().ok()?;
    AMOUNT.money(units, currency).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str, currency: Currency) -> Money {
        Money::parse(text, currency).unwrap()
    }

    #[test]
    fn known_answers() {
        for (text, currency, wire) in [
            ("480.00", Currency::SAR, "480.00"),
            ("0.01", Currency::AED, "0.01"),
            ("18.600", Currency::KWD, "18.600"),
            ("5.124", Currency::BHD, "5.124"),
            ("0.001", Currency::OMR, "0.001"),
            ("18.600", Currency::JOD, "18.60"),
            ("1.10", Currency::USD, "1.10"),
            ("9999999999999.99", Currency::SAR, "9999999999999.99"),
        ] {
            let money = money(text, currency);
            assert_eq!(AMOUNT.render(money).as_deref(), Ok(wire));
            assert_eq!(read(wire, currency.code()), Some(money));
        }
    }

    #[test]
    fn what_it_cannot_carry_is_refused() {
        for (text, currency) in [
            ("5.124", Currency::JOD),
            ("5.124", Currency::TND),
            ("500", Currency::JPY),
            ("10000000000000.00", Currency::SAR),
        ] {
            AMOUNT.render(money(text, currency)).unwrap_err();
        }
    }

    #[test]
    fn c51_every_price_to_a_hundred_is_exact() {
        for minor in 1..=10_000_i64 {
            let money = Money::from_minor(minor, Currency::SAR).unwrap();
            let wire = AMOUNT.render(money).unwrap();
            assert_eq!(read(&wire, "SAR"), Some(money));
            // As a parser that drops zeros at the end would write it.
            let short = wire.trim_end_matches('0').trim_end_matches('.');
            assert_eq!(read(short, "SAR"), Some(money), "{short}");
        }
    }

    #[test]
    fn what_is_no_amount_of_the_currency_is_none() {
        for (number, currency) in [
            ("480.001", "SAR"),
            ("1.0001", "KWD"),
            ("-1.00", "SAR"),
            ("1e2", "SAR"),
            ("1.0E1", "SAR"),
            ("\"480.00\"", "SAR"),
            ("", "SAR"),
            (".5", "SAR"),
            ("480.00", "SAX"),
            ("480", "JPY "),
            ("99999999999999999999", "SAR"),
        ] {
            assert_eq!(read(number, currency), None, "{number} {currency}");
        }
    }
}
