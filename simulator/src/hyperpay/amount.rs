//! Amounts: decimal strings with two decimals, in every currency (H1; all
//! published plugins do so). Inside they are counted in hundredths.

const MAX_DIGITS: usize = 12;

/// The form, as the platform's own error names it (EX). There the decimals may be missing; all
/// published plugins send them, so here they must be there.
pub(super) const FORM: &str = "must match ^[0-9]{1,12}(\\.[0-9]{2})$";

/// The hundredths of an amount.
pub(super) fn parse(text: &str) -> Option<i64> {
    let (whole, hundredths) = text.split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(hundredths) || whole.len() > MAX_DIGITS || hundredths.len() != 2 {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let hundredths: i64 = hundredths.parse().ok()?;
    whole.checked_mul(100)?.checked_add(hundredths)
}

/// The amount as replies show it.
pub(super) fn show(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    let (whole, hundredths) = (
        amount.unsigned_abs().div_euclid(100),
        amount.unsigned_abs().rem_euclid(100),
    );
    format!("{sign}{whole}.{hundredths:02}")
}
