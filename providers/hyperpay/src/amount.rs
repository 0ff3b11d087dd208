//! How HyperPay writes amounts: decimal text with a dot and always two decimals
//! (<https://hyperpay.docs.oppwa.com/reference/parameters>).

use payonce::provider::{AmountForm, AmountRule};
use payonce::{Currency, Money};

macro_rules! decimals {
    ($($code:ident)*) => { [$((Currency::$code, 2)),*] };
}

macro_rules! listed {
    ($($code:ident)*) => { &[$(Currency::$code),*] };
}

/// Two decimals in every currency, whatever ISO 4217 says, and only what these carry exactly.
///
/// - Three-decimal currencies: what an acquirer makes of the third one is not documented, so it
///   must be 0. `18.600 KWD` is sent as `18.60`, `5.124 KWD` is refused.
/// - Currencies without decimals are refused: whether `500.00` is read as 500 or as 50000 yen is
///   not documented.
/// - At most 12 digits: the limit is 12 before the dot [memory], and the safe reading counts all.
pub(crate) const AMOUNT: AmountRule = AmountRule::iso(AmountForm::DecimalString, 12)
    .with_exponents(&EXPONENTS)
    .with_currencies(CURRENCIES);

const EXPONENTS: [(Currency, u8); 23] = decimals! {
    BHD IQD JOD KWD LYD OMR TND
    BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF
};

/// All that ISO 4217 counts with two or three decimals. Which of them an entity takes is a matter of
/// its contract.
const CURRENCIES: &[Currency] = listed! {
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BMD BND BOB BRL BSD BTN BWP BYN BZD CAD
    CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD
    HKD HNL HTG HUF IDR ILS INR IQD IRR JMD JOD KES KGS KHR KPW KWD KYD KZT LAK LBP LKR LRD LSL LYD
    MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK
    PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
    TMT TND TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
};

/// The money that an amount and a currency in a reply mean, compared as decimals: `92`, `92.0` and
/// `92.00` are the same. `None`: they are no amount of money.
pub(crate) fn read(amount: &str, currency: &str) -> Option<Money> {
    AMOUNT
        .money(hundredths(amount)?, currency.parse().ok()?)
        .ok()
}

/// Decimal text in hundredths. What is smaller than one is no amount.
fn hundredths(text: &str) -> Option<i64> {
    let (whole, part) = match text.split_once('.') {
        Some((whole, part)) if !part.is_empty() => (whole, part),
        Some(_) => return None,
        None => (text, ""),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) {
        return None;
    }
    let mut places = part.chars();
    let two: String = (0..2).map(|_| places.next().unwrap_or('0')).collect();
    if places.any(|digit| digit != '0') {
        return None;
    }
    format!("{whole}{two}").parse().ok()
}

#[cfg(test)]
mod tests;
