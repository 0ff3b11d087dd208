//! Amounts: JSON numbers in major units, from 0.01 to 9999999999.99 (P3). Inside they are counted in
//! hundredths. What becomes of a third decimal is not documented, so it is refused here.

const MAX_DIGITS: usize = 10;

/// The hundredths of a number as it stands in the JSON. Text is no number.
pub(super) fn parse(number: &str) -> Option<i64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let part = match part.trim_end_matches('0') {
        _ if !digits(part) => return None,
        short => format!("{short:0<2}"),
    };
    if !digits(whole) || whole.len() > MAX_DIGITS || part.len() != 2 {
        return None;
    }
    let amount = format!("{whole}{part}").parse().ok()?;
    (amount > 0).then_some(amount)
}

/// The amount as replies show it: text with two decimals (P3).
pub(super) fn show(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    let (whole, hundredths) = (
        amount.unsigned_abs().div_euclid(100),
        amount.unsigned_abs().rem_euclid(100),
    );
    format!("{sign}{whole}.{hundredths:02}")
}
