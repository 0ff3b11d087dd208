//! Stripe's rules about amounts (CUR).

use super::error::ApiError;

/// Currencies that are sent in whole units. MGA is here although ISO gives it two decimals.
const ZERO_DECIMAL: [&str; 15] = [
    "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf",
    "xof", "xpf",
];

/// Currencies without decimals that are nevertheless sent times 100: the last two digits are 00.
const HUNDREDFOLD: [&str; 2] = ["isk", "ugx"];

/// Currencies that are sent times 1000, with a last digit of 0.
const THREE_DECIMAL: [&str; 5] = ["bhd", "jod", "kwd", "omr", "tnd"];

/// The others, sent times 100.
const TWO_DECIMAL: &str = "\
    aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad \
    cdf chf cny cop crc cve czk dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl \
    htg huf idr ils inr jmd kes kgs khr kyd kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mur \
    mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd \
    scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah usd uyu uzs wst xcd yer \
    zar zmw";

/// The least charge, in the minor unit. The others have one too, but it is not in the facts.
const LEAST: [(&str, i64); 6] = [
    ("usd", 50),
    ("eur", 50),
    ("gbp", 30),
    ("jpy", 50),
    ("mxn", 1000),
    ("huf", 17_500),
];

/// The currencies with other than eight digits at most.
const MAX_DIGITS: [(&str, u32); 6] = [
    ("idr", 12),
    ("inr", 9),
    ("lbp", 11),
    ("cop", 10),
    ("huf", 10),
    ("jpy", 10),
];

/// Checks that Stripe would take this amount.
pub(super) fn check(amount: i64, currency: &str) -> Result<(), ApiError> {
    let invalid = |message: String| ApiError::invalid(message).param("amount");
    if !is_known(currency) {
        let message = format!("Invalid currency: {currency}");
        return Err(ApiError::invalid(message).param("currency"));
    }
    if HUNDREDFOLD.contains(&currency) && amount.checked_rem(100) != Some(0) {
        return Err(invalid(format!(
            "Invalid {currency} amount {amount}: the last two digits must be 00."
        )));
    }
    if THREE_DECIMAL.contains(&currency) && amount.checked_rem(10) != Some(0) {
        return Err(invalid(format!(
            "Invalid {currency} amount {amount}: the last digit must be 0."
        )));
    }
    let least = LEAST
        .iter()
        .find(|(of, _)| *of == currency)
        .map_or(1, |(_, least)| *least);
    if amount < least {
        let message = format!("Amount must be at least {least} {currency} (in its minor unit).");
        return Err(invalid(message).code("amount_too_small"));
    }
    let digits = MAX_DIGITS
        .iter()
        .find(|(of, _)| *of == currency)
        .map_or(8, |(_, most)| *most);
    if amount >= 10_i64.checked_pow(digits).unwrap_or(i64::MAX) {
        let message = format!("Amount must be no more than {digits} digits.");
        return Err(invalid(message).code("amount_too_large"));
    }
    Ok(())
}

/// Lowercase only: that is how it is documented.
fn is_known(currency: &str) -> bool {
    ZERO_DECIMAL.contains(&currency)
        || HUNDREDFOLD.contains(&currency)
        || THREE_DECIMAL.contains(&currency)
        || TWO_DECIMAL
            .split_ascii_whitespace()
            .any(|known| known == currency)
}
