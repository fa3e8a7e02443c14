//! Finds what is complete in a JSON text that is still being written: the members of the outermost object, up to a list among them, and the
//! elements of that list. It looks at each byte once, keeps nothing of the text, and does not check the values that it passes.

use super::parse;
use std::ops::Range;

/// A part of the text that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Complete {
    /// A member of the outermost object that stands before the list: its name, which is a JSON string, and its value.
    Member {
        /// Where the name stands.
        name: Range<usize>,
        /// Where the value stands.
        value: Range<usize>,
    },
    /// An element of the list.
    Element(Range<usize>),
}

/// How far a text has been looked at.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    /// The name of the list.
    list: &'static str,
    /// The next byte to look at.
    at: usize,
    place: Place,
    /// The last name.
    name: Range<usize>,
    value: Value,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The outermost object.
    Start,
    /// The name of a member.
    Name,
    /// The colon after a name.
    Colon,
    /// The value of a member.
    Member,
    /// The comma after a member.
    Comma,
    /// An element of the list, or its end.
    Element,
    /// The comma after an element, or the end of the list.
    ElementComma,
    /// Nothing that is looked for: the list has ended, or the text is no such object.
    End,
}

/// A value that has begun.
#[derive(Clone, Debug, Default)]
struct Value {
    /// Where it begins. `None` between values.
    begin: Option<usize>,
    /// How many arrays and objects are open in it.
    level: usize,
    in_string: bool,
    escaped: bool,
}

impl Scanner {
    /// A scanner of a text in which the member `list` of the outermost object is the list.
    pub fn new(list: &'static str) -> Self {
        Self { list, at: 0, place: Place::Start, name: 0..0, value: Value::default() }
    }

    /// The next part of the text that is complete. `None` until there is more of the text. `text` begins with the text of the last call.
    pub fn next(&mut self, text: &str) -> Option<Complete> {
        while self.place != Place::End {
            let byte = *text.as_bytes().get(self.at)?;
            if self.value.begin.is_none() && byte.is_ascii_whitespace() {
                self.pass();
                continue;
            }
            match (self.place, byte) {
                (Place::Start, b'{') => self.go_to(Place::Name),
                (Place::Colon, b':') => self.go_to(Place::Member),
                (Place::Comma, b',') => self.go_to(Place::Name),
                (Place::ElementComma, b',') => self.go_to(Place::Element),
                (Place::Name, byte) if self.value.begin.is_some() || byte == b'"' => {
                    if let Some(name) = self.value.closed(byte, &mut self.at) {
                        (self.name, self.place) = (name, Place::Colon);
                    }
                }
                (Place::Member, b'[') if self.value.begin.is_none() && self.is_list(text) => self.go_to(Place::Element),
                (Place::Member, byte) => {
                    if let Some(value) = self.value.closed(byte, &mut self.at) {
                        self.place = Place::Comma;
                        return Some(Complete::Member { name: self.name.clone(), value });
                    }
                }
                (Place::Element, byte) if self.value.begin.is_some() || byte != b']' => {
                    if let Some(value) = self.value.closed(byte, &mut self.at) {
                        self.place = Place::ElementComma;
                        return Some(Complete::Element(value));
                    }
                }
                (Place::Start | Place::Name | Place::Colon | Place::Comma | Place::Element, _)
                | (Place::ElementComma | Place::End, _) => self.place = Place::End,
            }
        }
        None
    }

    /// Whether the last name is that of the list.
    fn is_list(&self, text: &str) -> bool {
        let name = text.get(self.name.clone()).unwrap_or_default();
        parse(name).is_ok_and(|name| name == self.list)
    }

    fn go_to(&mut self, place: Place) {
        self.place = place;
        self.pass();
    }

    fn pass(&mut self) {
        self.at = self.at.saturating_add(1);
    }
}

impl Value {
    /// Takes in a byte, which stands at `at`, and passes it, unless it comes after the value. Returns where the value stands, once it is closed.
    fn closed(&mut self, byte: u8, at: &mut usize) -> Option<Range<usize>> {
        let is_first = self.begin.is_none();
        let begin = *self.begin.get_or_insert(*at);
        let mut closes = false;
        match (self.in_string, byte) {
            (true, _) if self.escaped => self.escaped = false,
            (true, b'\\') => self.escaped = true,
            (true, b'"') => {
                self.in_string = false;
                closes = self.level == 0;
            }
            (true, _) => {}
            (false, b'"') => self.in_string = true,
            (false, b'[' | b'{') => self.level = self.level.saturating_add(1),
            (false, b']' | b'}') if self.level > 0 => {
                self.level = self.level.saturating_sub(1);
                closes = self.level == 0;
            }
            // A number or a word ends before what follows it.
            (false, byte) if self.level == 0 && (b",]}".contains(&byte) || byte.is_ascii_whitespace()) && !is_first => {
                *self = Self::default();
                return Some(begin..*at);
            }
            (false, _) => {}
        }
        *at = at.saturating_add(1);
        closes.then(|| {
            *self = Self::default();
            begin..*at
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Complete, Scanner};

    /// The parts of a text that comes in pieces of so many bytes: "name=value" for a member.
    fn parts(text: &str, piece: usize) -> Vec<String> {
        let mut scanner = Scanner::new("list");
        let mut found = Vec::new();
        let ends = (0..text.len()).step_by(piece).chain([text.len()]).filter(|end| text.is_char_boundary(*end));
        for end in ends {
            let there = text.get(..end).unwrap();
            let part = |range| there.get::<std::ops::Range<usize>>(range).unwrap();
            while let Some(complete) = scanner.next(there) {
                found.push(match complete {
                    Complete::Member { name, value } => format!("{}={}", part(name), part(value)),
                    Complete::Element(element) => part(element).to_owned(),
                });
            }
        }
        found
    }

    #[test]
    fn complete_parts_are_found_whatever_the_pieces() {
        let cases: [(&str, &[&str]); 16] = [
            (
                r#"{"a":1,"list":[{"b":[1,{}]},2 , "x]\"",[]],"c":3}"#,
                &[r#""a"=1"#, r#"{"b":[1,{}]}"#, "2", r#""x]\"""#, "[]"],
            ),
            ("{ \"l\\u0069st\" :\n[ true\t] }", &["true"]),
            (r#"{"x":{"list":[1]},"list":[2]}"#, &[r#""x"={"list":[1]}"#, "2"]),
            (r#"{"list":{"list":[1]}}"#, &[r#""list"={"list":[1]}"#]),
            (r#"{"a":"list","b":"\\","list":["é😀"]}"#, &[r#""a"="list""#, r#""b"="\\""#, r#""é😀""#]),
            (r#"{"list":[]}"#, &[]),
            (r#"{"list":[1"#, &[]),
            (r#"{"list":[1 "#, &["1"]),
            (r#"{"list":[1]"#, &["1"]),
            (r#"{"list":[{"a":1}"#, &[r#"{"a":1}"#]),
            (r#"{"list":[1 2,3]}"#, &["1"]),
            (r#"[{"list":[1]}]"#, &[]),
            (r#"{list:[1]}"#, &[]),
            (r#"{"list" [1]}"#, &[]),
            (r#"{"a":1 "list":[1]}"#, &[r#""a"=1"#]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            for piece in [1, 2, 3, 7, 1_000] {
                assert_eq!(parts(text, piece), expected, "{text} by {piece}");
            }
        }
    }
}
