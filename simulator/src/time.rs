//! Times as several gateways write them: `2027-01-15T08:00:00.000Z`.

use std::time::SystemTime;

use crate::clock::unix_ms;
use crate::exchange;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// A time, in UTC with milliseconds. One that it cannot say is moved to the nearest end.
pub(super) fn write(at: SystemTime) -> String {
    let date = exchange::http_date(at);
    let ms = unix_ms::of(at).max(0).rem_euclid(1000);
    let mut words = date.split(' ').skip(1);
    let mut word = || words.next().unwrap_or_default();
    let (day, month, year, time) = (word(), word(), word(), word());
    let month = MONTHS.iter().position(|name| *name == month);
    let month = month.map_or(0, |at| at.saturating_add(1));
    format!("{year}-{month:02}-{day}T{time}.{ms:03}Z")
}

/// The milliseconds since 1970 of a date, or of a time in UTC with or without a fraction.
pub(super) fn read(text: &str) -> Option<i64> {
    let (date, time) = text.split_once('T').unwrap_or((text, "00:00:00Z"));
    let time = time.strip_suffix('Z')?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let lengths = [year.len(), month.len(), day.len(), time.len()];
    if lengths != [4, 2, 2, 8] || parts.next().is_some() {
        return None;
    }
    let month = month.parse::<usize>().ok()?.checked_sub(1)?;
    let month = MONTHS.get(month)?;
    // That form has a weekday, and only the right one is taken.
    let date = WEEKDAYS.iter().find_map(|weekday| {
        let date = format!("{weekday}, {day} {month} {year} {time} GMT");
        httpdate::parse_http_date(&date).ok()
    })?;
    if !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let ms: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    unix_ms::of(date).checked_add(ms)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (1_800_000_000_999, "2027-01-15T08:00:00.999Z"),
        ] {
            let at = SystemTime::UNIX_EPOCH + Duration::from_millis(ms);
            assert_eq!(write(at), text);
            assert_eq!(read(text), i64::try_from(ms).ok());
        }
        assert_eq!(read("2027-01-15"), Some(1_799_971_200_000));
        assert_eq!(read("2027-01-15T08:00:00Z"), Some(1_800_000_000_000));
        assert_eq!(read("2027-01-15T08:00:00.5Z"), Some(1_800_000_000_500));
        let before = SystemTime::UNIX_EPOCH - Duration::from_millis(1);
        assert_eq!(write(before), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "now",
            "1800000000",
            "2027-13-01",
            "2027-00-01",
            "2027-02-30",
            "27-01-01",
            "2027-01-15T08:00:00",
            "2027-01-15T08:00:00+03:00",
            "2027-01-15T25:00:00Z",
            "2027-01-15T08:00:00.xZ",
            "2027-01-15-01",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
