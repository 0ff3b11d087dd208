//! How Adyen writes amounts: <https://docs.adyen.com/development-resources/currency-codes>, read on
//! 2026-11-30.

use payonce::Currency;
use payonce::provider::{AmountForm, AmountRule};

macro_rules! listed {
    ($($code:ident)*) => { &[$(Currency::$code),*] };
}

/// Whole numbers of Adyen's own minor units. Its table counts, and not ISO 4217.
///
/// No page states the most digits. Sixteen hold every amount that payonce can have in hundredths; what
/// is too much for Adyen it refuses itself.
pub(crate) const AMOUNT: AmountRule = AmountRule::iso(AmountForm::MinorInteger, 16)
    .with_exponents(&[
        (Currency::CLP, 2),
        (Currency::CVE, 0),
        (Currency::IDR, 0),
        (Currency::ISK, 2),
    ])
    .with_currencies(CURRENCIES);

/// What the page lists without or with three decimals, and what ISO 4217 counts in hundredths as the
/// page does for all others. Whether the page lists BIF, MGA and MRU is not known, and what is left out
/// could be counted otherwise: they are refused (safe reading).
const CURRENCIES: &[Currency] = listed! {
    AED ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CHF
    CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD
    HKD HNL HTG HUF IDR ILS INR IQD ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LYD
    MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR
    PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STN SVC SZL THB TND TOP TRY TTD
    TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
};

#[cfg(test)]
mod tests;
