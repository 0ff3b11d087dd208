//! Times as the platform writes them.

use std::time::{Duration, SystemTime};

use crate::clock::unix_ms;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/// 9999-12-31T23:59:59Z: the calendar at hand ends there.
const LAST: u64 = 253_402_300_799;

/// `2026-11-30 14:12:05+0000`, the time of a reply (EX).
pub(super) fn of_reply(at: SystemTime) -> String {
    format!("{}+0000", calendar(at))
}

/// `2026-11-30 14:12:05.123+0000`, the time of a payment (EX).
pub(super) fn of_payment(at: SystemTime) -> String {
    let ms = unix_ms::of(at).rem_euclid(1000);
    format!("{}.{ms:03}+0000", calendar(at))
}

/// Reads `2026-11-30 14:12:05`, as the query takes it.
pub(super) fn parse(text: &str) -> Option<SystemTime> {
    let (date, time) = text.split_once(' ')?;
    let mut date = date.split('-');
    let (year, month, day) = (date.next()?, date.next()?, date.next()?);
    let month: usize = month.parse().ok()?;
    let name = MONTHS.get(month.checked_sub(1)?)?;
    // The reader wants the right name of the day, and only one of the seven is.
    let mut names = DAYS.into_iter();
    names.find_map(|weekday| {
        let shown = format!("{weekday}, {day} {name} {year} {time} GMT");
        httpdate::parse_http_date(&shown).ok()
    })
}

/// The date and time to the second.
fn calendar(at: SystemTime) -> String {
    let seconds = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let shown = SystemTime::UNIX_EPOCH
        .checked_add(Duration::from_secs(seconds.min(LAST)))
        .map_or_else(String::new, httpdate::fmt_http_date);
    let mut words = shown.split(' ').skip(1);
    let mut word = || words.next().unwrap_or_default();
    let (day, name, year, time) = (word(), word(), word(), word());
    let month = MONTHS.iter().position(|month| *month == name);
    let month = month.unwrap_or_default().saturating_add(1);
    format!("{year}-{month:02}-{day} {time}")
}
