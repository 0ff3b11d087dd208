//! How Stripe writes amounts: <https://docs.stripe.com/currencies>.

use payonce::Currency;
use payonce::provider::{AmountForm, AmountRule};

/// Whole numbers of the minor unit, of at most eight digits where a currency has no limit of its
/// own.
///
/// The page lists the currencies without decimals. Those that ISO 4217 counts without decimals too
/// need no entry here: BIF CLP DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF.
pub(crate) const AMOUNT: AmountRule = AmountRule::iso(AmountForm::MinorInteger, 8)
    .with_exponents(&EXPONENTS)
    .with_steps(&STEPS)
    .with_max_digits_of(&MAX_DIGITS);

const EXPONENTS: [(Currency, u8); 5] = [
    // Two decimals in ISO 4217; on the page's list of currencies without decimals.
    (Currency::MGA, 0),
    // No decimals in ISO 4217; the page wants them times 100 with 00 at the end. UGX is printed
    // in the list of currencies without decimals as well: the special case is the stricter text.
    (Currency::ISK, 2),
    (Currency::UGX, 2),
    // Three decimals in ISO 4217, but not on the page's list of three-decimal currencies; all
    // others have two there. Stripe does not offer them today.
    (Currency::IQD, 2),
    (Currency::LYD, 2),
];

/// Three-decimal currencies end in 0. [memory]: the text is shown for some account countries only,
/// and the rule does no harm where it does not hold.
const STEPS: [(Currency, i64); 5] = [
    (Currency::BHD, 10),
    (Currency::JOD, 10),
    (Currency::KWD, 10),
    (Currency::OMR, 10),
    (Currency::TND, 10),
];

/// LBP, COP, HUF and JPY have these limits for cards. Another payment method may take less; then
/// Stripe refuses the request.
const MAX_DIGITS: [(Currency, u8); 6] = [
    (Currency::IDR, 12),
    (Currency::LBP, 11),
    (Currency::COP, 10),
    (Currency::HUF, 10),
    (Currency::JPY, 10),
    (Currency::INR, 9),
];

#[cfg(test)]
mod tests;
