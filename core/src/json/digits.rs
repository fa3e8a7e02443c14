//! Numbers with more digits than a [`serde_json::Value`] holds. A value holds integers of 64 bits and fractions of 15 to 17 digits. The
//! text that it was read from holds every digit that was typed.

use super::{decimal::compare_digits, parse};
use serde_json::Value;
use std::cmp::Ordering;

/// Marks the digits of a number, at both ends. Unicode reserves this character for such uses.
pub const MARK: char = '\u{fdd0}';
/// A number of up to this many digits is the same number when its value is written again.
const DIGITS: usize = 15;
/// 2⁵³. Doubles from here on are whole.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Puts each number of many digits into a string: the digits between two marks. The text is JSON before and after.
pub fn marked(text: &str) -> String {
    replaced(text, |number| Some(format!("\"{MARK}{number}{MARK}\""))).unwrap_or_else(|| text.to_owned())
}

/// Whether a value has a whole number that a double does not hold: what reads every number as a double, as JavaScript does, would read another one.
pub fn are_beyond_doubles(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            let whole = number.as_i64().map(i64::unsigned_abs).or_else(|| number.as_u64());
            whole.is_some_and(|whole| whole > WHOLE as u64)
        }
        Value::Array(items) => items.iter().any(are_beyond_doubles),
        Value::Object(fields) => fields.values().any(are_beyond_doubles),
        _ => false,
    }
}

/// Whether a value does not hold every digit of each number in the text.
pub fn are_lost(text: &str) -> bool {
    let is_lost = |number: &str| {
        parse(number).map_or(true, |value| compare_digits(number, &super::text(&value)) != Ordering::Equal)
    };
    replaced(text, |number| is_lost(number).then(String::new)).is_some()
}

/// Moves each number of many digits that lies between two doubles from the one that it is read as to the other one. `None` if there is no such
/// number.
///
/// An answer that is valid both as it is read and with its numbers moved is valid at both ends of the interval that they lie in. A number
/// beyond the largest double stays as it is.
pub fn nudged(text: &str) -> Option<String> {
    replaced(text, |number| {
        let read = parse(number).ok()?;
        let double = read.as_f64().filter(|_| read.is_f64())?;
        // Of a small double the shortest text is enough: it is read as the same double.
        let written = match double.abs() {
            WHOLE..1e38 => format!("{}{}", if double < 0.0 { "-" } else { "" }, whole_digits(double)),
            _ => super::text(&read),
        };
        let other = match compare_digits(number, &written) {
            Ordering::Less => double.next_down(),
            Ordering::Equal => return None,
            Ordering::Greater => double.next_up(),
        };
        serde_json::Number::from_f64(other).map(|other| super::text(&other))
    })
}

/// Every digit of a double that is [`WHOLE`] or more, without its sign.
fn whole_digits(double: f64) -> String {
    const FRACTION_BITS: u32 = 52;
    let bits = double.abs().to_bits();
    let (fraction, exponent) = (bits & ((1 << FRACTION_BITS) - 1), (bits >> FRACTION_BITS).saturating_sub(1_023));
    let mut digits = (fraction | (1 << FRACTION_BITS)).to_string().into_bytes();
    for _ in u64::from(FRACTION_BITS)..exponent {
        let mut carry = 0;
        for digit in digits.iter_mut().rev() {
            let doubled = digit.saturating_sub(b'0').saturating_mul(2).saturating_add(carry);
            carry = doubled / 10;
            *digit = (doubled % 10).saturating_add(b'0');
        }
        if carry > 0 {
            digits.insert(0, b'1');
        }
    }
    String::from_utf8(digits).unwrap_or_default()
}

/// The text with each number of many digits replaced, if there is a replacement. `None` if nothing was replaced.
fn replaced(text: &str, mut replacement: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let (mut replaced, mut copied) = (String::new(), 0_usize);
    let (mut number, mut in_string, mut escaped) = (None, false, false);
    // A line break at the end ends a number that stands there.
    for (at, byte) in text.bytes().chain([b'\n']).enumerate() {
        let of_number = matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
        if of_number && !in_string && (number.is_some() || byte == b'-' || byte.is_ascii_digit()) {
            number = number.or(Some(at));
            continue;
        }
        if let Some(digits) = number.take().and_then(|from| text.get(from..at)).filter(|number| is_long(number))
            && let Some(other) = replacement(digits)
        {
            replaced.push_str(text.get(copied..at.saturating_sub(digits.len())).unwrap_or_default());
            replaced.push_str(&other);
            copied = at;
        }
        in_string = if in_string { escaped || byte != b'"' } else { byte == b'"' };
        escaped = in_string && !escaped && byte == b'\\';
    }
    (copied > 0).then(|| replaced + text.get(copied..).unwrap_or_default())
}

/// Whether a double may not hold the number: it has many digits, or an exponent of three digits.
fn is_long(number: &str) -> bool {
    let count = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    count(number) > DIGITS || number.split_once(['e', 'E']).is_some_and(|(_, exponent)| count(exponent) > 2)
}

/// The text with the marked numbers as numbers again, also in strings within strings.
pub fn unmarked(text: &str) -> String {
    let mut unmarked = String::new();
    let (mut quotes, mut inside) = (0_usize, false);
    for part in text.split(MARK) {
        // Every second part is between two marks, and the marks are between quotes.
        if inside {
            cut(&mut unmarked);
            quotes = 1;
            while unmarked.as_bytes().last() == Some(&b'\\') {
                cut(&mut unmarked);
                quotes = quotes.saturating_add(1);
            }
            unmarked.push_str(part);
        } else {
            unmarked.push_str(part.get(quotes..).unwrap_or_default());
        }
        inside = !inside;
    }
    unmarked
}

/// Removes the last character if it is ASCII.
fn cut(text: &mut String) {
    if text.as_bytes().last().is_some_and(u8::is_ascii) {
        text.truncate(text.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_double_has_every_digit() {
        for double in [WHOLE, 18_446_744_073_709_551_616.0, 1e22, 123_456_789e20, 1e38_f64.next_down()] {
            assert_eq!(whole_digits(double), (double as u128).to_string());
        }
    }

    #[test]
    fn long_numbers_are_marked() {
        for (text, expected) in [
            ("18446744073709551616", "'18446744073709551616'"),
            ("-0.12345678901234567e-5", "'-0.12345678901234567e-5'"),
            ("[1, 123456789012345678901,null]", "[1, '123456789012345678901',null]"),
            (
                "{\"a\\\"\":1e9,\"123456789012345678901\":-123456789012345678901}",
                "{\"a\\\"\":1e9,\"123456789012345678901\":'-123456789012345678901'}",
            ),
            ("[true,1e400,\"\\\\\",false]", "[true,'1e400',\"\\\\\",false]"),
            ("[1e99,1E-99,1e-324]", "[1e99,1E-99,'1e-324']"),
            ("", ""),
        ] {
            let shown = marked(text).replace("\"\u{fdd0}", "'").replace("\u{fdd0}\"", "'");
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn marked_numbers_come_back() {
        for text in ["[123456789012345678901,1,{\"a\\\"\":0.12345678901234567}]", "-123456789012345678901", "[]", ""] {
            let marked = marked(text);
            assert_eq!(unmarked(&marked), text);
            let nested = serde_json::to_string(&serde_json::to_string(&marked).unwrap()).unwrap();
            assert_eq!(unmarked(&nested), serde_json::to_string(&serde_json::to_string(text).unwrap()).unwrap());
        }
        for odd in ["\u{fdd0}", "é\u{fdd0}1\u{fdd0}é", "\u{fdd0}\u{fdd0}\u{fdd0}"] {
            unmarked(odd);
        }
    }

    #[test]
    fn long_numbers_move_to_the_other_end_of_their_interval() {
        for (text, expected) in [
            ("10.0000000000000000001", Some("10.000000000000002")),
            ("9.9999999999999999999", Some("9.999999999999998")),
            ("[-10.0000000000000000001, 1]", Some("[-10.000000000000002, 1]")),
            (
                "{\"a\":18446744073709551617,\"1.00000000000000000001\":2}",
                Some("{\"a\":1.8446744073709556e+19,\"1.00000000000000000001\":2}"),
            ),
            // Exactly doubles or integers, or short.
            ("[18446744073709551616, 18446744073709551615, 0.5000000000000000000, 0.1, true]", None),
            ("0.1000000000000000055", Some("0.10000000000000002")),
            ("1e-400", Some("5e-324")),
            ("-1.0000000000000000e-400", Some("-5e-324")),
            ("1.7976931348623157999e308", None),
            ("1.0000000000000000e400", None),
            ("é\"1.00000000000000000001", None),
            ("--1234567890123456789", None),
        ] {
            assert_eq!(nudged(text).as_deref(), expected, "{text}");
        }
    }
}
