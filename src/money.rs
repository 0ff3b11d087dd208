//! Money: a whole number of minor units and a currency. No floats, no rounding.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// An ISO 4217 currency that has minor units.
///
/// Metals, funds and test codes (`XAU`, `CLF`, `XXX`, ...) are not money here: they have no value
/// of this type.
///
/// ```
/// use payonce::Currency;
///
/// assert_eq!(Currency::KWD.exponent(), 3);
/// assert_eq!("jpy".parse::<Currency>()?, Currency::JPY);
/// # Ok::<(), payonce::MoneyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency(iso_currency::Currency);

macro_rules! currencies {
    ($($code:ident)*) => {
        impl Currency {
            $(
                #[doc = concat!("The currency `", stringify!($code), "`.")]
                pub const $code: Self = Self(iso_currency::Currency::$code);
            )*

            /// Every currency that this library knows, in the order of their codes.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$code),*]
            }
        }
    };
}

currencies! {
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
    BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
    GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW
    KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD
    NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
    SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED
    VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
}

impl Currency {
    /// The three capital letters of ISO 4217.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// How many decimals one major unit has in ISO 4217: 0 for JPY, 2 for SAR, 3 for KWD.
    ///
    /// A gateway may count otherwise. Its [`AmountRule`](crate::provider::AmountRule) says so, and
    /// nothing here converts to a gateway's form.
    pub fn exponent(self) -> u8 {
        self.0
            .exponent()
            .and_then(|digits| u8::try_from(digits).ok())
            .unwrap_or_default()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    /// Reads a code in capital or small letters.
    fn from_str(text: &str) -> Result<Self, MoneyError> {
        Self::all()
            .iter()
            .copied()
            .find(|currency| currency.code().eq_ignore_ascii_case(text))
            .ok_or(MoneyError::UnknownCurrency)
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// An amount of money, zero or more, in whole minor units of its currency.
///
/// ```
/// use payonce::{Currency, Money};
///
/// let price = Money::parse("480.00", Currency::SAR)?;
/// assert_eq!(price.minor(), 48_000);
/// assert_eq!(price.to_string(), "480.00 SAR");
///
/// // What does not fit the currency is refused, never rounded.
/// assert!(Money::parse("1.005", Currency::SAR).is_err());
/// # Ok::<(), payonce::MoneyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Wire", try_from = "Wire")]
pub struct Money {
    minor: i64,
    currency: Currency,
}

impl Money {
    /// The largest amount, in minor units: the largest integer that every JSON reader keeps exact.
    pub const MAX_MINOR: i64 = 9_007_199_254_740_991;

    /// An amount from its minor units (ISO 4217): `from_minor(48_000, SAR)` is 480.00 SAR.
    ///
    /// # Errors
    ///
    /// [`MoneyError::Negative`] below zero, [`MoneyError::TooLarge`] above [`Self::MAX_MINOR`].
    pub const fn from_minor(minor: i64, currency: Currency) -> Result<Self, MoneyError> {
        if minor < 0 {
            return Err(MoneyError::Negative);
        }
        if minor > Self::MAX_MINOR {
            return Err(MoneyError::TooLarge);
        }
        Ok(Self { minor, currency })
    }

    /// An amount from plain decimal text in major units: `"480"`, `"480.5"`, `"480.00"`.
    ///
    /// Takes ASCII digits and one point, and nothing else: no sign, exponent, space, comma,
    /// thousands mark or other script's digits, because each of them is read differently
    /// somewhere.
    ///
    /// # Errors
    ///
    /// [`MoneyError::Negative`] below zero, [`MoneyError::NotANumber`] for any other spelling, [`MoneyError::TooManyDecimals`] if the
    /// currency has fewer decimals than the text, [`MoneyError::TooLarge`].
    pub fn parse(text: &str, currency: Currency) -> Result<Self, MoneyError> {
        if text
            .strip_prefix('-')
            .is_some_and(|rest| Self::parse(rest, currency).is_ok())
        {
            return Err(MoneyError::Negative);
        }
        let (whole, fraction) = text
            .split_once('.')
            .map_or((text, None), |(w, f)| (w, Some(f)));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !fraction.is_none_or(digits) {
            return Err(MoneyError::NotANumber);
        }
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(MoneyError::NotANumber);
        }
        let fraction = fraction.unwrap_or_default();
        let exponent = usize::from(currency.exponent());
        let missing =
            exponent
                .checked_sub(fraction.len())
                .ok_or_else(|| MoneyError::TooManyDecimals {
                    currency,
                    decimals: currency.exponent(),
                })?;
        let minor = format!("{whole}{fraction}{:0<missing$}", "")
            .parse()
            .map_err(|_| MoneyError::TooLarge)?;
        Self::from_minor(minor, currency)
    }

    /// The amount in minor units of ISO 4217 (halalas, cents, fils). Never negative.
    pub const fn minor(self) -> i64 {
        self.minor
    }

    /// The currency.
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// Whether the amount is zero. No operation takes such an amount.
    pub const fn is_zero(self) -> bool {
        self.minor == 0
    }

    /// The amount as decimal text with exactly the currency's decimals, without the currency.
    pub fn to_decimal(self) -> String {
        let exponent = usize::from(self.currency.exponent());
        decimal(self.minor, exponent)
    }
}

/// `units` with a point before the last `exponent` digits.
pub(crate) fn decimal(units: i64, exponent: usize) -> String {
    let width = exponent.saturating_add(1);
    let digits = format!("{units:0>width$}");
    let (whole, fraction) = digits.split_at(digits.len().saturating_sub(exponent));
    if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.to_decimal(), self.currency)
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The serialized form: minor units and the code.
#[derive(Serialize, Deserialize)]
struct Wire {
    minor: i64,
    currency: Currency,
}

impl From<Money> for Wire {
    fn from(money: Money) -> Self {
        Self {
            minor: money.minor,
            currency: money.currency,
        }
    }
}

impl TryFrom<Wire> for Money {
    type Error = MoneyError;

    fn try_from(wire: Wire) -> Result<Self, MoneyError> {
        Self::from_minor(wire.minor, wire.currency)
    }
}

/// Why a text or a number is no amount of money. This call had no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoneyError {
    /// The amount is below zero.
    #[error("the amount is negative: give zero or more; to pay back, make a refund")]
    Negative,
    /// The text is not ASCII digits with at most one point.
    #[error("the amount is not a plain decimal number: write it as 480 or 480.00, in ASCII digits")]
    NotANumber,
    /// The currency has fewer decimals than the text.
    #[error(
        "{currency} has {decimals} decimals: round the amount yourself, it is not rounded here"
    )]
    TooManyDecimals {
        /// The currency.
        currency: Currency,
        /// How many decimals it has.
        decimals: u8,
    },
    /// More than [`Money::MAX_MINOR`] minor units.
    #[error("the amount is above 9007199254740991 minor units: split it")]
    TooLarge,
    /// Not an ISO 4217 code with minor units.
    #[error("the currency is not known: give a current ISO 4217 code such as SAR, USD or KWD")]
    UnknownCurrency,
}

#[cfg(test)]
mod tests;
