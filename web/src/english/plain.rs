//! How English writes numbers and dates, without a browser's `Intl`. Other languages have their numbers as they are in JSON, until a script runs.

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A number, with its groups of digits.
pub fn number(tag: &str, number: &str) -> Option<String> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    if tag != "en" || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut grouped = if number.starts_with('-') { "-".to_owned() } else { String::new() };
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && whole.len().saturating_sub(place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    Some(grouped + rest)
}

/// The category of the plural form for a count.
pub fn plural(_: &str, count: u64) -> Option<String> {
    Some(if count == 1 { "one".to_owned() } else { "other".to_owned() })
}

/// Names apart by commas, as most languages have it.
pub fn list(_: &str, texts: &[String]) -> Option<String> {
    Some(texts.join(", "))
}

/// A date given as `YYYY-MM-DD`.
pub fn date(tag: &str, date: &str) -> Option<String> {
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?.parse::<usize>().ok()?, parts.next()?.parse::<u8>().ok()?);
    let month = MONTHS.get(month.checked_sub(1)?).filter(|_| tag == "en")?;
    Some(format!("{month} {day}, {year}"))
}

/// A number without groups is written as in JSON.
pub fn digits(_: &str, _: &str) -> Option<String> {
    None
}
