//! Numbers as people type them.

/// Converts a typed decimal number to JSON's notation: removes a leading `+` and leading zeros, and completes a bare point (`.5`, `5.`). `None` if
/// there are no digits. The result may still not be a number.
pub(super) fn number(text: &str) -> Option<String> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, rest) = digits_of(digits);
    let (fraction, exponent) = match rest.strip_prefix('.') {
        Some(rest) => digits_of(rest),
        None => ("", rest),
    };
    let point = if fraction.is_empty() { "" } else { "." };
    let plain = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    has_digits.then(|| format!("{sign}{plain}{point}{fraction}{exponent}"))
}

/// The leading digits of a text, and the rest.
fn digits_of(text: &str) -> (&str, &str) {
    text.split_at_checked(text.bytes().take_while(u8::is_ascii_digit).count()).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::number;
    use crate::json::parse;
    use serde_json::json;

    #[test]
    fn numbers_are_read_as_people_type_them() {
        let number = |text| number(text).and_then(|number| parse(&number).ok()).filter(|number| number.is_number());
        for (text, value) in [
            ("42", json!(42)),
            (" -1.5 ", json!(-1.5)),
            ("+7", json!(7)),
            ("007", json!(7)),
            (".5", json!(0.5)),
            ("5.", json!(5)),
            ("-.5e2", json!(-50.0)),
            ("1e3", json!(1000.0)),
            ("0", json!(0)),
            ("18446744073709551615", json!(18_446_744_073_709_551_615_u64)),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in
            ["", "x", ".", "-", "+-1", "1 2", "1,5", "0x10", "NaN", "inf", "1e", "1e999", "--1", "1.2.3", "\"1\"", "e5"]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
