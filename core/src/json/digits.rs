//! Numbers with more digits than a value holds: how they come through what is written of values. A value has integers of 64
//! bits and fractions of 15 to 17 digits; a text has what was typed.

/// Stands on both sides of a number's digits. A noncharacter, which Unicode keeps for uses like this.
pub const MARK: char = '\u{fdd0}';
/// How many digits a number may have to be certainly the same when a value is written again.
const DIGITS: usize = 15;

/// The JSON text with a text in place of each number of many digits: these digits, marked.
pub fn marked(text: &str) -> String {
    let (mut marked, mut number) = (String::new(), String::new());
    let (mut in_text, mut escaped) = (false, false);
    // A line break at the end ends a number that stands there.
    for character in (text.to_owned() + "\n").chars() {
        let of_number = matches!(character, '0'..='9' | '.' | 'e' | 'E' | '+' | '-');
        if !in_text && of_number && (!number.is_empty() || character == '-' || character.is_ascii_digit()) {
            number.push(character);
            continue;
        }
        let long = number.bytes().filter(u8::is_ascii_digit).count() > DIGITS;
        if long {
            number.insert(0, MARK);
            number.insert(0, '"');
            number.push(MARK);
            number.push('"');
        }
        marked.push_str(&number);
        marked.push(character);
        number.clear();
        in_text = if in_text { escaped || character != '"' } else { character == '"' };
        escaped = in_text && !escaped && character == '\\';
    }
    cut(&mut marked);
    marked
}

/// A JSON text with the marked texts taken for numbers again, those in texts within texts too.
pub fn unmarked(text: &str) -> String {
    let mut unmarked = String::new();
    let (mut quotes, mut inside) = (0_usize, false);
    for part in text.split(MARK) {
        // Every second part stands between two marks, and these between quotes.
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

/// Takes the last character away, if it is one of ASCII.
fn cut(text: &mut String) {
    if text.as_bytes().last().is_some_and(u8::is_ascii) {
        text.truncate(text.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::{marked, unmarked};

    #[test]
    fn numbers_of_many_digits_are_marked() {
        for (text, expected) in [
            ("18446744073709551616", "'18446744073709551616'"),
            ("-0.12345678901234567e-5", "'-0.12345678901234567e-5'"),
            ("[1, 123456789012345678901,null]", "[1, '123456789012345678901',null]"),
            (
                "{\"a\\\"\":1e9,\"123456789012345678901\":-123456789012345678901}",
                "{\"a\\\"\":1e9,\"123456789012345678901\":'-123456789012345678901'}",
            ),
            ("[true,1e400,\"\\\\\",false]", "[true,1e400,\"\\\\\",false]"),
            ("", ""),
        ] {
            let shown = marked(text).replace("\"\u{fdd0}", "'").replace("\u{fdd0}\"", "'");
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn they_come_through() {
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
}
