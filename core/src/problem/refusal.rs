//! Why an answer or an action is not taken. The walk is as it was.

use super::object;
use crate::json;
use serde_json::{Map, Number, Value};
use std::fmt;

/// One way in which a value misses its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where in the answer, as a JSON Pointer (RFC 6901).
    pub instance_path: String,
    /// Where in the schema, as a JSON Pointer.
    pub schema_path: String,
    /// The keyword that is violated, such as `minLength`.
    pub keyword: String,
    /// What is wrong, in words.
    pub message: String,
}

impl Violation {
    /// The JSON form, as hosts see it.
    pub fn to_json(&self) -> Value {
        Value::Object(object([
            ("instance_path", self.instance_path.as_str().into()),
            ("schema_path", self.schema_path.as_str().into()),
            ("keyword", self.keyword.as_str().into()),
            ("message", self.message.as_str().into()),
        ]))
    }

    /// Reads the JSON form, as a checker in another module sends it; `None` when a field is missing.
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        Some(Self {
            instance_path: text("instance_path")?,
            schema_path: text("schema_path")?,
            keyword: text("keyword")?,
            message: text("message")?,
        })
    }
}

/// Why an action was refused. Nothing has changed: the same question stands, and what was typed is still there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// The answer has another JSON type than the question takes.
    WrongType {
        /// What the question takes, with its article: "a boolean".
        expected: &'static str,
        /// What was given.
        found: &'static str,
    },
    /// There is no such option.
    NotAnOption {
        /// The value that was given, as it is shown.
        value: String,
    },
    /// An option was selected twice.
    DuplicateSelection {
        /// The value, as it is shown.
        value: String,
    },
    /// Fewer options are selected than needed.
    TooFew {
        /// The fewest.
        minimum: usize,
    },
    /// More options are selected than allowed.
    TooMany {
        /// The most.
        maximum: usize,
    },
    /// The text has fewer characters than needed.
    TooShort {
        /// The fewest.
        minimum: usize,
    },
    /// The text has more characters than allowed.
    TooLong {
        /// The most.
        maximum: usize,
        /// How many it has.
        found: usize,
    },
    /// The number is below the least or above the most that it may be.
    OutOfRange {
        /// The limit that it passes.
        limit: Number,
        /// Whether that is the least.
        below: bool,
    },
    /// The number is not whole.
    NotAnInteger,
    /// The text does not hold what its pattern asks for.
    PatternMismatch {
        /// The pattern, a regular expression (ECMA-262).
        pattern: String,
    },
    /// The text is not of its format.
    BadFormat {
        /// The name of the format, as JSON Schema has it.
        format: &'static str,
    },
    /// `null` for a question that must be answered, or an empty text in place of an option.
    Required,
    /// The text is no JSON.
    InvalidJson(json::NotJson),
    /// The text is no decimal number.
    NotANumber {
        /// The text, as it is shown.
        text: String,
    },
    /// The schema does not accept the value: every violation, at most 100.
    SchemaMismatch {
        /// The violations.
        details: Vec<Violation>,
    },
    /// The answer is larger than the host allows, or would take too long to check.
    TooLarge {
        /// What is past its limit, and the limit.
        what: String,
    },
    /// This step does not offer that action.
    NotAllowed {
        /// Why not, and what to do instead.
        why: &'static str,
    },
    /// The walk has ended.
    Finished,
}

impl Refusal {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::WrongType { .. } | Self::NotANumber { .. } => "wrong_type",
            Self::NotAnOption { .. } => "not_an_option",
            Self::DuplicateSelection { .. } => "duplicate_selection",
            Self::TooFew { .. } => "too_few",
            Self::TooMany { .. } => "too_many",
            Self::TooShort { .. } => "too_short",
            Self::TooLong { .. } => "too_long",
            Self::OutOfRange { .. } => "out_of_range",
            Self::NotAnInteger => "not_an_integer",
            Self::PatternMismatch { .. } => "pattern_mismatch",
            Self::BadFormat { .. } => "bad_format",
            Self::Required => "required",
            Self::InvalidJson(_) => "invalid_json",
            Self::SchemaMismatch { .. } => "schema_mismatch",
            Self::TooLarge { .. } => "too_large",
            Self::NotAllowed { .. } => "not_allowed",
            Self::Finished => "finished",
        }
    }

    /// The JSON form: `code`, `message`, and `details` for a schema mismatch.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut json = object([("code", self.code().into()), ("message", self.to_string().into())]);
        if let Self::SchemaMismatch { details } = self {
            json.insert("details".to_owned(), details.iter().map(Violation::to_json).collect());
        }
        json
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongType { expected, found } => write!(f, "This question takes {expected}, not {found}."),
            Self::NotAnOption { value } => write!(f, "{value} is not one of the options."),
            Self::DuplicateSelection { value } => write!(f, "{value} is selected twice."),
            Self::TooFew { minimum } => write!(f, "Select at least {minimum}."),
            Self::TooMany { maximum } => write!(f, "Select at most {maximum}."),
            Self::TooShort { minimum } => write!(f, "Write at least {}.", Characters(*minimum)),
            Self::TooLong { maximum, found } => {
                write!(f, "Write at most {}; these are {found}.", Characters(*maximum))
            }
            Self::OutOfRange { limit, below: true } => write!(f, "The number must be at least {limit}."),
            Self::OutOfRange { limit, below: false } => write!(f, "The number must be at most {limit}."),
            Self::NotAnInteger => write!(f, "The number must be whole, without a fraction."),
            Self::PatternMismatch { pattern } => write!(f, "The text must match the pattern {pattern}."),
            Self::BadFormat { format } => match *format {
                "email" => write!(f, "This is not an email address like ada@example.com."),
                "uri" => write!(f, "This is not a full address like https://example.com/page."),
                "date" => write!(f, "This is not a date like 2026-11-21."),
                "date-time" => write!(f, "This is not a date with a time like 2026-11-21T14:21:00Z."),
                format => write!(f, "This is not of the format {format}."),
            },
            Self::Required => write!(f, "This question needs an answer."),
            Self::InvalidJson(json::NotJson { line, column, reason }) => {
                write!(f, "This is not JSON: {reason} (line {line}, column {column}).")
            }
            Self::NotANumber { text } => write!(f, "{text} is not a number. Write one like 42 or -1.5."),
            Self::SchemaMismatch { details } => match details.as_slice() {
                [only] => write!(f, "The value does not fit the schema: {}", only.message),
                several => write!(f, "The value does not fit the schema in {} places.", several.len()),
            },
            Self::TooLarge { what } => write!(f, "The answer is too large: {what}."),
            Self::NotAllowed { why } => write!(f, "{why}"),
            Self::Finished => write!(f, "This form has already ended; it takes no more answers."),
        }
    }
}

impl std::error::Error for Refusal {}

/// A number of characters, in words.
struct Characters(usize);

impl fmt::Display for Characters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => write!(f, "1 character"),
            number => write!(f, "{number} characters"),
        }
    }
}
