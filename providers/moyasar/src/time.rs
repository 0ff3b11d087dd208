//! The times of Moyasar's objects: `2026-11-30T10:53:20.123Z`, by RFC 3339.

use payonce::Timestamp;

/// The moment, to the millisecond below. `None`: it is no time of this form, in UTC, since 1970.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_once('T')?;
    // Every page shows UTC. Another offset would be a new form.
    let time = rest.strip_suffix('Z')?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let fits = year >= 1970 && hour < 24 && minute < 60 && second < 60;
    if !fits || !(1..=days_in(year, month)?).contains(&day) {
        return None;
    }
    let seconds = days_since_1970(year, month, day)
        .checked_mul(24)?
        .checked_add(hour)?
        .checked_mul(60)?
        .checked_add(minute)?
        .checked_mul(60)?
        .checked_add(second)?;
    let millis = seconds
        .checked_mul(1000)?
        .checked_add(thousandths(fraction)?)?;
    Some(Timestamp::from_millis(millis))
}

/// Three numbers of so many digits.
fn numbers(text: &str, between: char, digits: [usize; 3]) -> Option<[i64; 3]> {
    let mut parts = text.split(between);
    let mut found = [0; 3];
    for (number, digits) in found.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == digits)?;
        *number = whole(part)?;
    }
    parts.next().is_none().then_some(found)
}

fn whole(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The first three digits after the point.
fn thousandths(fraction: &str) -> Option<i64> {
    whole(fraction)?;
    let three: String = fraction.chars().chain("00".chars()).take(3).collect();
    whole(&three)
}

const fn is_leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

fn days_in(year: i64, month: i64) -> Option<i64> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap(year) { 29 } else { 28 }),
        _ => None,
    }
}

/// Whole days from the start of 1970, by the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // A year counts from March here, so that the leap day is its last.
    let (year, month) = if month > 2 {
        (year, month.saturating_sub(3))
    } else {
        (year.saturating_sub(1), month.saturating_add(9))
    };
    let leaps = (year / 4)
        .saturating_sub(year / 100)
        .saturating_add(year / 400);
    let before = month.saturating_mul(153).saturating_add(2) / 5;
    year.saturating_mul(365)
        .saturating_add(leaps)
        .saturating_add(before)
        .saturating_add(day)
        .saturating_sub(719_469)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_times() {
        for (text, millis) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.001Z", 1),
            ("2000-02-29T00:00:00.000Z", 951_782_400_000),
            ("2016-05-12T17:04:19.633Z", 1_463_072_659_633),
            ("2024-12-31T23:59:59.999999Z", 1_735_689_599_999),
            ("2025-11-30T10:53:20.5Z", 1_764_500_000_500),
            ("2026-03-01T00:00:00Z", 1_772_323_200_000),
            ("2100-03-01T00:00:00Z", 4_107_542_400_000),
        ] {
            assert_eq!(parse(text), Some(Timestamp::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut expected = 0;
        for year in 1970..2120 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month).unwrap() {
                    assert_eq!(days_since_1970(year, month, day), expected);
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn what_is_no_such_time_is_nothing() {
        for text in [
            "",
            "2016-05-12",
            "2016-05-12T17:04:19.633",
            "2016-05-12T17:04:19.633+03:00",
            "2016-05-12 17:04:19Z",
            "2016-13-12T17:04:19Z",
            "2016-00-12T17:04:19Z",
            "2025-02-29T17:04:19Z",
            "2016-05-32T17:04:19Z",
            "2016-05-12T24:04:19Z",
            "2016-05-12T17:60:19Z",
            "2016-05-12T17:04:60Z",
            "2016-05-12T17:04:19.Z",
            "2016-05-12T17:04:19.6x3Z",
            "2016-05-12T+7:04:19Z",
            "2016-5-12T17:04:19Z",
            "1969-12-31T23:59:59Z",
            "2016-05-12-01T17:04:19Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
