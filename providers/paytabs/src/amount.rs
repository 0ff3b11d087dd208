//! How PayTabs writes amounts: a JSON number in major units, from 0.01 to 9999999999.99
//! (<https://docs.paytabs.com>, request parameters, `cart_amount`). Replies hold decimal text.

use payonce::provider::{AmountForm, AmountRule};
use payonce::{Currency, Money};

macro_rules! each {
    ($number:literal: $($code:ident)*) => { [$((Currency::$code, $number)),*] };
}

/// At most two decimals, whatever ISO 4217 says.
///
/// - Three-decimal currencies: samples show `1.500`, while the stated limits have two decimals, and
///   no page says what becomes of a third one. So it must be 0: `18.600 KWD` is sent as `18.60`,
///   `5.124 KWD` is refused.
/// - Currencies without decimals are whole numbers. In major units `500` is 500 yen and nothing else.
pub(crate) const AMOUNT: AmountRule = AmountRule::iso(AmountForm::DecimalNumber, 12)
    .with_exponents(&THREE)
    .with_max_digits_of(&NONE);

const THREE: [(Currency, u8); 7] = each!(2: BHD IQD JOD KWD LYD OMR TND);

/// Ten digits before the dot are the limit, and here there is nothing behind it.
const NONE: [(Currency, u8); 16] =
    each!(10: BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF);

/// The money that an amount and a currency in a reply mean, compared as decimals: `92`, `92.0` and
/// `92.00` are the same. `None`: they are no amount of money.
pub(crate) fn read(amount: &str, currency: &str) -> Option<Money> {
    let (whole, part) = amount.split_once('.').unwrap_or((amount, "0"));
    if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Zeros that say nothing, so that a currency without decimals may be written with some.
    let shortest = match part.trim_end_matches('0') {
        "" => whole.to_owned(),
        part => format!("{whole}.{part}"),
    };
    Money::parse(&shortest, currency.parse().ok()?).ok()
}

#[cfg(test)]
mod tests;
