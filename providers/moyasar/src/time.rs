//! The times of Moyasar's objects: `2026-11-30T10:53:20.123Z`, by RFC 3339.

use payonce::Timestamp;
use time::OffsetDateTime;
use time::format_description::well_known::{Rfc2822, Rfc3339};

/// The moment, to the millisecond below. `None`: it is no time of this form, in UTC, since 1970.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    // Every page shows UTC. Another offset would be a new form.
    if !text.ends_with('Z') || text.as_bytes().get(10) != Some(&b'T') {
        return None;
    }
    let moment = OffsetDateTime::parse(text, &Rfc3339).ok()?;
    let millis = moment.unix_timestamp_nanos().checked_div(1_000_000)?;
    let millis = i64::try_from(millis).ok().filter(|millis| *millis >= 0)?;
    Some(Timestamp::from_millis(millis))
}

/// The second that the `Date` of a reply names: `Sun, 30 Nov 2025 10:53:20 GMT`, by RFC 9110.
pub(crate) fn of_date(text: &str) -> Option<Timestamp> {
    let moment = OffsetDateTime::parse(text, &Rfc2822).ok()?;
    let millis = moment.unix_timestamp().checked_mul(1000)?;
    Some(Timestamp::from_millis(millis))
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
    fn the_date_of_a_reply_is_a_second() {
        let read = of_date("Sun, 30 Nov 2025 10:53:20 GMT");
        assert_eq!(read, Some(Timestamp::from_millis(1_764_500_000_000)));
        for text in ["", "soon", "2025-11-30T10:53:20Z", "Sun, 30 Nov 2025"] {
            assert_eq!(of_date(text), None, "{text}");
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
