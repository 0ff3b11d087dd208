//! How a gateway writes amounts. Exact, or refused: nothing is rounded.

use thiserror::Error;

use crate::money::{Currency, Money, MoneyError, decimal};

/// The spelling of an amount on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AmountForm {
    /// A whole number of the gateway's minor units: `48000`.
    MinorInteger,
    /// Decimal text with exactly the currency's decimals: `"480.00"`.
    DecimalString,
    /// The same as a JSON number, written digit by digit: `480.00`.
    DecimalNumber,
}

/// A gateway's rule for amounts: what it counts in, and what it cannot carry.
///
/// There is no function that turns [`Money`] into a gateway's amount without this rule, because
/// the same price is written differently at different gateways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AmountRule {
    /// The spelling.
    pub form: AmountForm,
    /// Decimals where the gateway differs from ISO 4217.
    pub exponents: &'static [(Currency, u8)],
    /// Amounts of these currencies must be a multiple of the step, in the gateway's minor units.
    pub steps: &'static [(Currency, i64)],
    /// The most digits, in the gateway's minor units.
    pub max_digits: u8,
    /// The most digits where a currency differs from `max_digits`.
    pub max_digits_of: &'static [(Currency, u8)],
    /// The only currencies that the gateway takes. `None`: it documents no list.
    pub currencies: Option<&'static [Currency]>,
}

impl AmountRule {
    /// A rule that follows ISO 4217, with amounts of at most `max_digits` digits.
    pub const fn iso(form: AmountForm, max_digits: u8) -> Self {
        Self {
            form,
            exponents: &[],
            steps: &[],
            max_digits,
            max_digits_of: &[],
            currencies: None,
        }
    }

    /// The same rule with these decimals where the gateway differs from ISO 4217.
    #[must_use]
    pub const fn with_exponents(mut self, exponents: &'static [(Currency, u8)]) -> Self {
        self.exponents = exponents;
        self
    }

    /// The same rule with these steps, in the gateway's minor units.
    #[must_use]
    pub const fn with_steps(mut self, steps: &'static [(Currency, i64)]) -> Self {
        self.steps = steps;
        self
    }

    /// The same rule with other limits for these currencies.
    #[must_use]
    pub const fn with_max_digits_of(mut self, digits: &'static [(Currency, u8)]) -> Self {
        self.max_digits_of = digits;
        self
    }

    /// The same rule for these currencies only.
    #[must_use]
    pub const fn with_currencies(mut self, currencies: &'static [Currency]) -> Self {
        self.currencies = Some(currencies);
        self
    }

    /// How many decimals the gateway counts for a currency.
    pub fn exponent(&self, currency: Currency) -> u8 {
        pick(self.exponents, currency).unwrap_or_else(|| currency.exponent())
    }

    /// The amount in the gateway's minor units.
    ///
    /// # Errors
    ///
    /// The gateway cannot carry the amount exactly. This call had no effect.
    pub fn units(&self, money: Money) -> Result<i64, AmountError> {
        let currency = money.currency();
        if self
            .currencies
            .is_some_and(|offered| !offered.contains(&currency))
        {
            return Err(AmountError::Currency { currency });
        }
        let (iso, own) = (currency.exponent(), self.exponent(currency));
        let units = if own >= iso {
            let factor = power_of_ten(own.saturating_sub(iso));
            money.minor().checked_mul(factor)
        } else {
            let factor = power_of_ten(iso.saturating_sub(own));
            if money.minor().checked_rem(factor) != Some(0) {
                return Err(AmountError::Decimals {
                    currency,
                    decimals: own,
                });
            }
            money.minor().checked_div(factor)
        };
        let limit = pick(self.max_digits_of, currency).unwrap_or(self.max_digits);
        let too_large = AmountError::TooLarge {
            currency,
            digits: limit,
        };
        let units = units.ok_or(too_large)?;
        if units >= power_of_ten(limit) {
            return Err(too_large);
        }
        match pick(self.steps, currency) {
            Some(step) if units.checked_rem(step) != Some(0) => {
                Err(AmountError::Step { currency, step })
            }
            _ => Ok(units),
        }
    }

    /// The amount as the gateway spells it.
    ///
    /// # Errors
    ///
    /// As [`Self::units`].
    pub fn render(&self, money: Money) -> Result<String, AmountError> {
        let units = self.units(money)?;
        Ok(match self.form {
            AmountForm::MinorInteger => units.to_string(),
            AmountForm::DecimalString | AmountForm::DecimalNumber => {
                decimal(units, usize::from(self.exponent(money.currency())))
            }
        })
    }

    /// The money that a gateway's minor units mean.
    ///
    /// # Errors
    ///
    /// The number is no amount of this currency: negative, too large, or with a part below the
    /// currency's own minor unit.
    pub fn money(&self, units: i64, currency: Currency) -> Result<Money, MoneyError> {
        let (iso, own) = (currency.exponent(), self.exponent(currency));
        let minor = if own >= iso {
            let factor = power_of_ten(own.saturating_sub(iso));
            if units.checked_rem(factor) != Some(0) {
                return Err(MoneyError::TooManyDecimals {
                    currency,
                    decimals: iso,
                });
            }
            units.checked_div(factor)
        } else {
            units.checked_mul(power_of_ten(iso.saturating_sub(own)))
        };
        Money::from_minor(minor.ok_or(MoneyError::TooLarge)?, currency)
    }
}

fn pick<T: Copy>(table: &[(Currency, T)], currency: Currency) -> Option<T> {
    table
        .iter()
        .find(|(listed, _)| *listed == currency)
        .map(|(_, value)| *value)
}

fn power_of_ten(exponent: u8) -> i64 {
    10_i64.checked_pow(u32::from(exponent)).unwrap_or(i64::MAX)
}

/// Why a gateway cannot carry an amount. Its text goes on after the word "amount". This call had no
/// effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AmountError {
    /// The gateway does not take the currency.
    #[error("is in {currency}, which this gateway does not take: use another gateway or currency")]
    Currency {
        /// The currency.
        currency: Currency,
    },
    /// The gateway counts fewer decimals.
    #[error(
        "has more than the {decimals} decimals that this gateway counts in {currency}: round it to \
         that"
    )]
    Decimals {
        /// The currency.
        currency: Currency,
        /// How many decimals the gateway counts.
        decimals: u8,
    },
    /// The amount is no multiple of the gateway's step.
    #[error(
        "is not a multiple of {step} of the gateway's minor units, as it must be in {currency}: \
         round it to one"
    )]
    Step {
        /// The currency.
        currency: Currency,
        /// The step, in the gateway's minor units.
        step: i64,
    },
    /// The amount has too many digits.
    #[error(
        "has more than the {digits} digits of minor units that this gateway takes in {currency}: \
         split it into several payments"
    )]
    TooLarge {
        /// The currency.
        currency: Currency,
        /// The most digits, in the gateway's minor units.
        digits: u8,
    },
}

#[cfg(test)]
mod tests;
