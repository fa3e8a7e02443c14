//! What an answer must keep to, beside its type: lengths, limits, formats. How it is checked is for `answer`.

use crate::schema::Schema;
use serde_json::Number;

/// What a text must keep to. By default nothing: the empty text is an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextRules {
    /// The fewest characters (Unicode scalar values). Default 0.
    pub min_length: usize,
    /// The most characters.
    pub max_length: Option<usize>,
    /// What kind of text it must be.
    pub format: Option<Format>,
    /// A schema with the one keyword `pattern`: a regular expression (ECMA-262) that must be found in the text. As a
    /// schema, so that whatever checks schemas checks it, within the same bounds.
    pub pattern: Option<Schema>,
}

impl TextRules {
    /// The regular expression.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_ref()?.source().get("pattern")?.as_str()
    }
}

/// What kind of text is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An email address, as browsers take it (WHATWG HTML, "valid e-mail address"), with a dot or not in its domain.
    Email,
    /// A URI with its scheme (RFC 3986, section 3).
    Uri,
    /// A day of the calendar (RFC 3339, `full-date`): `2026-11-21`.
    Date,
    /// A moment (RFC 3339, `date-time`): `2026-11-21T14:21:26Z`.
    DateTime,
}

impl Format {
    /// The format with a name, as JSON Schema has it: `email`, `uri`, `date`, `date-time`.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Email, Self::Uri, Self::Date, Self::DateTime].into_iter().find(|format| format.name() == name)
    }

    /// The name, as JSON Schema has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Uri => "uri",
            Self::Date => "date",
            Self::DateTime => "date-time",
        }
    }
}

/// What a number must keep to; the limits are inclusive. By default nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberRules {
    /// Whether it must be whole (`2.0` is).
    pub integer: bool,
    /// The least it may be.
    pub minimum: Option<Number>,
    /// The most it may be.
    pub maximum: Option<Number>,
}

/// How many options may be selected. By default any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selections {
    /// The fewest. Default 0.
    pub minimum: usize,
    /// The most.
    pub maximum: Option<usize>,
}
