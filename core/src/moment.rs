//! Dates, and moments in time, as texts have them. The core has no clock: its host says what time it is.

use crate::json::FromJson;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A moment in time, as RFC 3339 has it (`date-time`): `2026-11-28T12:00:00Z`. It is written as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment {
    text: String,
    millis: i64,
}

impl Moment {
    /// Reads a moment. `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self { text: text.to_owned(), millis: millis(text)? })
    }

    /// The text as it was read.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Milliseconds since the beginning of 1970 in UTC. Leap seconds are not counted.
    pub fn millis(&self) -> i64 {
        self.millis
    }

    /// The moment so many milliseconds after the beginning of 1970, in UTC. `None` if its year has not four digits.
    #[cold]
    #[inline(never)]
    pub(crate) fn from_millis(millis: i64) -> Option<Self> {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        let (day, time) = (millis.div_euclid(DAY), millis.rem_euclid(DAY));
        // 400 years have 146,097 days: this is the year, or one beside it.
        let about = sum(&[(day.saturating_mul(400).div_euclid(146_097), 1), (1970, 1)]);
        let months = [1, 0, -1]
            .into_iter()
            .flat_map(|more| (1..=12).rev().map(move |month| (sum(&[(about, 1), (more, 1)]), month)));
        let begun = months.filter_map(|(year, month)| {
            let month = [padded(year, 4), padded(month, 2)].join("-");
            Some((days(&[&month, "-01"].concat())?, month))
        });
        let (first, month) = begun.into_iter().find(|(first, _)| *first <= day)?;
        let date = [month, padded(sum(&[(day, 1), (first, -1), (1, 1)]), 2)].join("-");
        let part = |unit: i64, most: i64| time.div_euclid(unit).rem_euclid(most);
        let clock =
            [part(60 * 60 * 1000, 24), part(60 * 1000, 60), part(1000, 60)].map(|part| padded(part, 2)).join(":");
        Self::parse(&[&date, "T", &clock, ".", &padded(part(1, 1000), 3), "Z"].concat())
    }
}

impl FromJson for Moment {
    fn from_json(value: &Value) -> Option<Self> {
        Self::parse(value.as_str()?)
    }
}

impl TryFrom<String> for Moment {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::parse(&text).ok_or("a moment as RFC 3339 has it was expected, such as \"2026-11-28T12:00:00Z\"")
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.text
    }
}

/// The days of a date (RFC 3339, `full-date`) since the beginning of 1970. `None` if it is no day of the calendar.
#[inline(never)]
pub fn days(text: &str) -> Option<i64> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    let leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(())?;
    // A year begins in March here, so that the leap day is its last one, and five months have 153 days.
    let year = if month > 2 { year } else { year.saturating_sub(1) };
    let month = month.saturating_sub(3).rem_euclid(12);
    let leap_days = sum(&[(year.div_euclid(4), 1), (year.div_euclid(100), -1), (year.div_euclid(400), 1)]);
    let months = sum(&[(month, 153), (2, 1)]).div_euclid(5);
    Some(sum(&[(year, 365), (leap_days, 1), (months, 1), (day, 1), (TO_1970, -1)]))
}

/// The days from the end of February of the year 0 to the beginning of 1970.
const TO_1970: i64 = 719_469;

/// Milliseconds since the beginning of 1970 to a moment (RFC 3339, `date-time`). A leap second is the last second of a day in UTC.
#[inline(never)]
pub fn millis(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', 't'])?;
    let days = days(date)?;
    let (time, offset) = match time.strip_suffix(['Z', 'z']) {
        Some(time) => (time, 0),
        None => {
            let (time, offset) = time.split_at_checked(time.rfind(['+', '-'])?)?;
            let (hours, minutes) = offset.get(1..)?.split_once(':')?;
            let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
            (hours < 24 && minutes < 60).then_some(())?;
            let sign = if offset.starts_with('-') { -1 } else { 1 };
            (time, sum(&[(sum(&[(hours, 60), (minutes, 1)]), sign)]))
        }
    };
    let (hour, rest) = time.split_once(':')?;
    let (minute, rest) = rest.split_once(':')?;
    let (second, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    let (hour, minute, second) = (number(hour, 2)?, number(minute, 2)?, number(second, 2)?);
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let utc = sum(&[(hour, 60), (minute, 1), (offset, -1)]);
    let is_second = second < 60 || (second == 60 && utc.rem_euclid(24 * 60) == 24 * 60 - 1);
    (hour < 24 && minute < 60 && is_second && is_fraction).then_some(())?;
    let worth = fraction.bytes().zip([100, 10, 1]);
    let parts: Vec<_> = worth.map(|(digit, worth)| (i64::from(digit.saturating_sub(b'0')), worth)).collect();
    Some(sum(&[(days, 24 * 60 * 60 * 1000), (utc, 60 * 1000), (second, 1000), (sum(&parts), 1)]))
}

/// A sum of products. Years have four digits, so none of it comes near the limits of its type.
fn sum(products: &[(i64, i64)]) -> i64 {
    products.iter().fold(0, |sum, (one, other)| one.saturating_mul(*other).saturating_add(sum))
}

/// A number with at least this many digits.
fn padded(number: i64, digits: usize) -> String {
    let text = number.to_string();
    ["0".repeat(digits.saturating_sub(text.len())), text].concat()
}

/// A number of exactly this many digits.
fn number(text: &str, digits: usize) -> Option<i64> {
    (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::{Moment, millis};

    #[test]
    fn moments_are_counted_as_clocks_count_them() {
        // From `date --date=… +%s%3N` of GNU coreutils.
        let known = [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.5Z", -500),
            ("2000-02-29T12:34:56.789Z", 951_827_696_789),
            ("2026-11-28T12:00:00+05:30", 1_795_847_400_000),
            ("2026-11-28T12:00:00-08:00", 1_795_896_000_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ];
        for (text, expected) in known {
            assert_eq!(millis(text), Some(expected), "{text}");
            assert_eq!(Moment::from_millis(expected).map(|moment| moment.millis()), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_count_of_milliseconds_is_written_as_the_moment_in_utc() {
        let written = |millis| Moment::from_millis(millis).map(String::from);
        assert_eq!(written(951_827_696_789).as_deref(), Some("2000-02-29T12:34:56.789Z"));
        assert_eq!(written(1_795_847_400_000).as_deref(), Some("2026-11-28T06:30:00.000Z"));
        // The first and the last day of each month of four centuries, and what no text of four digits says.
        let (mut day, last) = (millis("1600-01-01T00:00:00Z").unwrap(), millis("2001-01-01T00:00:00Z").unwrap());
        while day < last {
            assert_eq!(Moment::from_millis(day).map(|moment| moment.millis()), Some(day));
            day += 24 * 60 * 60 * 1000;
        }
        for far in [i64::MIN, -62_167_219_200_001, 253_402_300_800_000, i64::MAX] {
            assert_eq!(written(far), None, "{far}");
        }
    }
}
