//! Amounts: JSON numbers of the major unit, counted here in the currency's own decimals (REF).

use serde_json::Value;

fn decimals(currency: &str) -> usize {
    if ["BHD", "KWD", "OMR"].contains(&currency) {
        3
    } else {
        2
    }
}

/// A number in the currency's smallest unit. None: it is not above zero, or has more decimals.
pub(super) fn read(number: &Value, currency: &str) -> Option<i64> {
    let Value::Number(number) = number else {
        return None;
    };
    let text = number.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    // `480.0` and `480.00` are the same number.
    let part = part.trim_end_matches('0');
    let missing = decimals(currency).checked_sub(part.len())?;
    let units: i64 = format!("{whole}{part}{}", "0".repeat(missing))
        .parse()
        .ok()?;
    (units > 0).then_some(units)
}

/// The number that stands for so many of the smallest unit.
pub(super) fn write(units: i64, currency: &str) -> Value {
    let decimals = decimals(currency);
    let width = decimals.saturating_add(1);
    let digits = format!("{:0width$}", units.max(0));
    let (whole, part) = digits.split_at(digits.len().saturating_sub(decimals));
    serde_json::from_str(&format!("{whole}.{part}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_units_and_back() {
        for (text, currency, units) in [
            ("480.00", "SAR", 48_000),
            ("480", "SAR", 48_000),
            ("1.5", "SAR", 150),
            ("18.605", "KWD", 18_605),
            ("0.001", "BHD", 1),
            ("9999999999999.99", "SAR", 999_999_999_999_999),
        ] {
            let number: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(&number, currency), Some(units), "{text}");
            assert_eq!(read(&write(units, currency), currency), Some(units));
        }
    }

    #[test]
    fn what_is_no_amount_is_none() {
        for (text, currency) in [
            ("1.005", "SAR"),
            ("0.0001", "KWD"),
            ("0", "SAR"),
            ("-1", "SAR"),
            ("\"480.00\"", "SAR"),
            ("1e30", "SAR"),
            ("null", "SAR"),
        ] {
            let number: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(&number, currency), None, "{text}");
        }
    }
}
