//! The rules of an answer beside its type: lengths, limits, formats. The module `answer` checks them.

use crate::schema::Schema;
use serde::{Deserialize, Deserializer};
use serde_json::Number;

/// The rules of a text. By default none: the empty text is an answer.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TextRules {
    /// The fewest characters (Unicode scalar values). Default 0.
    pub min_length: usize,
    /// The most characters (Unicode scalar values).
    pub max_length: Option<usize>,
    /// The kind of text.
    pub format: Option<Format>,
    /// A schema with the one keyword `pattern`: a regular expression (ECMA-262) that the text must contain a match of. It is a
    /// schema so that the schema checker checks it, within the same bounds. In JSON it is the expression.
    #[serde(deserialize_with = "pattern")]
    pub pattern: Option<Schema>,
    /// Whether blanks alone are no answer.
    #[serde(skip)]
    pub(crate) is_filled: bool,
}

impl TextRules {
    /// The regular expression.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_ref()?.source().get("pattern")?.as_str()
    }
}

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

/// The rules of a number. By default none.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct NumberRules {
    /// Whether it must be whole (`2.0` is).
    pub integer: bool,
    /// The least value, inclusive.
    pub minimum: Option<Number>,
    /// The greatest value, inclusive.
    pub maximum: Option<Number>,
}

/// How many options may be selected. By default any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Selections {
    /// The fewest. Default 0.
    #[serde(rename = "min_selections")]
    pub minimum: usize,
    /// The most.
    #[serde(rename = "max_selections")]
    pub maximum: Option<usize>,
}

/// Reads a pattern from its JSON form.
fn pattern<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Schema>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.as_deref().map(Schema::pattern))
}
