//! Says in a few words why a text is not JSON. The parser says where; the words of its errors come with those of every error of the operating
//! system, which is about 1 kB of the form's first download.

use serde_json::Error;

/// How many levels the parser reads.
const LEVELS: usize = 127;

/// Where a text stops being JSON.
#[derive(Default)]
struct Place {
    /// The lists and objects that are open there, by their brackets.
    open: Vec<u8>,
    in_string: bool,
    /// Whether a backslash comes right before.
    escaped: bool,
    /// The last byte before that is no white space, outside of strings.
    before: Option<u8>,
    /// The last byte before, whatever it is.
    last: Option<u8>,
}

/// What is wrong at the place of an error.
pub(super) fn reason(text: &str, error: &Error) -> String {
    if error.is_eof() {
        return Place::after(text).end().to_owned();
    }
    let at = offset(text, error.line(), error.column());
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    Place::after(before).wrong(rest.chars().next())
}

/// The offset of the character at a line, from 1, and a column, from 1 and in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    // A line break itself is at column 0 of the next line.
    let mut offset = before.saturating_add(column).saturating_sub(1).min(text.len());
    while !text.is_char_boundary(offset) {
        offset = offset.saturating_sub(1);
    }
    offset
}

impl Place {
    fn after(text: &str) -> Self {
        let mut place = Self::default();
        for byte in text.bytes() {
            place.pass(byte);
        }
        place
    }

    fn pass(&mut self, byte: u8) {
        self.last = Some(byte);
        if self.in_string {
            self.in_string = self.escaped || byte != b'"';
            self.escaped = !self.escaped && byte == b'\\';
            return;
        }
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => return,
            b'"' => self.in_string = true,
            b'[' | b'{' => self.open.push(byte),
            b']' | b'}' => drop(self.open.pop()),
            _ => {}
        }
        self.before = Some(byte);
    }

    /// What is wrong where the text ends here.
    fn end(&self) -> &'static str {
        match (self.in_string, self.open.last(), self.before) {
            (true, ..) => "it ends inside a string",
            (_, Some(b'['), _) => "it ends inside a list",
            (_, Some(_), _) => "it ends inside an object",
            (_, None, None) => "it is empty",
            (_, None, Some(_)) => "it ends inside a value",
        }
    }

    /// What is wrong where this character comes next.
    fn wrong(&self, next: Option<char>) -> String {
        let said = match next {
            Some(next) if self.in_string && next < ' ' => {
                "a line break, tab or other control character in a string must be escaped"
            }
            _ if self.in_string => "an escape in a string is not valid",
            Some('[' | '{') if self.open.len() >= LEVELS => "it nests deeper than 127 levels",
            Some('\'') => "strings and keys must be in double quotes",
            Some('/' | '#') => "JSON has no comments",
            Some(']' | '}') if self.before == Some(b',') => "a comma must not come before a closing bracket",
            Some('0'..='9' | '.' | '-' | '+' | 'e' | 'E') if self.is_number() => "a number is not valid, or too large",
            Some(next) if next > ' ' && next != '\u{7f}' => return format!("\"{next}\" is not expected here"),
            _ => "something is missing here",
        };
        said.to_owned()
    }

    fn is_number(&self) -> bool {
        self.last.is_some_and(|last| matches!(last, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
    }
}

#[cfg(test)]
mod tests {
    use super::LEVELS;
    use crate::json::parse;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text).unwrap_err().reason, expected, "{text}");
    }

    #[test]
    fn text_that_ends_too_early_says_inside_what() {
        check("", "it is empty");
        check(" \n", "it is empty");
        check("[1, ", "it ends inside a list");
        check("[{\"a\": [1]", "it ends inside an object");
        check("{\"a\": \"b\\\"", "it ends inside a string");
        check("tru", "it ends inside a value");
    }

    #[test]
    fn a_wrong_character_is_named() {
        check("[1 2]", "\"2\" is not expected here");
        check("{\"a\" 1}", "\"1\" is not expected here");
        check("{} x", "\"x\" is not expected here");
        check("[é]", "\"é\" is not expected here");
        check("{'a': 1}", "strings and keys must be in double quotes");
        check("[1, // one\n2]", "JSON has no comments");
        check("{\"a\": 1,}", "a comma must not come before a closing bracket");
        check("[1,\n]", "a comma must not come before a closing bracket");
        check("[01]", "a number is not valid, or too large");
        check("1e999", "a number is not valid, or too large");
        check("\"a\nb\"", "a line break, tab or other control character in a string must be escaped");
        check("\"\\x\"", "an escape in a string is not valid");
        check("\"\\ud800\"", "an escape in a string is not valid");
    }

    #[test]
    fn the_deepest_level_that_is_read_is_said() {
        assert!(parse(&("[".repeat(LEVELS) + &"]".repeat(LEVELS))).is_ok());
        check(&"[".repeat(LEVELS + 1), "it nests deeper than 127 levels");
    }
}
