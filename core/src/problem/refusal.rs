//! Why an answer or an action is refused. A refused action changes nothing.

use super::{MAX_BYTES, object};
use crate::{
    json::{self, FromJson, ToJson, deserialize, serialize},
    text::shortened,
};
use serde_json::{Map, Number, Value};
use std::{fmt, ops::Deref};

/// One way in which a value does not match its schema.
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

impl ToJson for Violation {
    fn to_json(&self) -> Value {
        Value::Object(object([
            ("instance_path", self.instance_path.as_str().into()),
            ("schema_path", self.schema_path.as_str().into()),
            ("keyword", self.keyword.as_str().into()),
            ("message", self.message.as_str().into()),
        ]))
    }
}

impl FromJson for Violation {
    fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| String::from_json(value.get(name)?);
        Some(Self {
            instance_path: text("instance_path")?,
            schema_path: text("schema_path")?,
            keyword: text("keyword")?,
            message: text("message")?,
        })
    }
}

serialize!(Violation);
deserialize!(Violation: "an object with \"instance_path\", \"schema_path\", \"keyword\" and \"message\"");

/// Why an answer or an action was refused. Nothing has changed: the same question is open, and what was typed is still there.
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
        /// The value, shortened for display.
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
    /// There is no answer: `null` to a question that is not optional, an empty secret, or an empty "Other".
    Required,
    /// The text is no JSON.
    InvalidJson(json::NotJson),
    /// The text is no decimal number.
    NotANumber {
        /// The text, as it is shown.
        text: String,
    },
    /// The value does not match the schema. Lists every violation, at most 100 and 48 kB.
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
    NotAllowed(NotAllowed),
    /// Some of several answers were refused, so none was taken.
    Answers {
        /// The refused answers.
        refused: RefusedAnswers,
    },
    /// The walk has ended.
    Finished,
    /// A bug in this crate.
    Internal,
}

/// Why an action is not allowed. `Display` says what to do instead. Each reason is its own text, so a build has no more of them than it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAllowed(&'static str);

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! not_allowed {
    ($($reason:ident: $text:literal,)*) => {
        impl NotAllowed {
            $(#[doc = $text] pub const $reason: Self = Self($text);)*
        }
    };
}

not_allowed! {
    NO_EARLIER_ANSWER: "There is no earlier answer of yours to go back to.",
    NOT_IN_REVIEW: "Go back instead: answers are changed from the review.",
    NOT_ANSWERED: "You have not answered a question with this id.",
    STILL_ASKING: "Answer this question first, then send the answers.",
    NOTHING_OPEN: "No question is open to you at this step.",
    NO_NOTE: "This question takes no note.",
    NOT_REMEMBERED: "The answer to this question cannot be remembered.",
    NO_ASSISTANT: "No assistant is asked at this step.",
    OTHER_VERDICT: "This verdict is for another question or another attempt.",
    LOADING: "The form is still loading. Try again in a moment.",
    BEING_WRITTEN: "The request is still being written. Try again once it is whole.",
    NOT_ASKED: "This question is not asked here.",
    ANSWERED_ALREADY: "This question is answered already.",
    ANSWERED_TWICE: "This question is answered twice: by its id and by its text.",
    ASSISTANT_FIRST: "An assistant is asked first.",
    TWO_QUESTIONS: "This is the id of one question and the text of another.",
    NO_SUCH_QUESTION: "There is no such question.",
    NOT_BY_ID: "Give the answers as an object, by question id.",
    NOT_BY_QUESTION: "Give the answers as an object, by question.",
    REPLY_HAS_NO_WORDS: "Words do not reach this agent. Reply without any.",
    REJECTION_HAS_NO_WORDS: "Words do not reach this agent. Reject without \"message\".",
    NO_REPLY: "This form takes no reply. Answer it, or end the turn.",
    NO_DECLINE: "To decline, use Reply or End turn.",
    DECISION_FIELDS: "Beside \"type\", \"edit\" has \"arguments\", \"reject\" and \"respond\" have \"message\", \"approve\" and \"reject\" may have a \"grant\" that is offered, and nothing has more.",
    DANGEROUS_GRANT: "This call is dangerous. Decide about it alone.",
    GRANT_OF_PERSON: "Only the person can decide about more than this call.",
    NO_TEXT_FIELD: "Choose an answer: this question has no text field.",
    NO_OTHER: "Choose one of the options: this question takes no text in place of one.",
    OPTION_AND_TEXT: "Choose one option, or write a text, but not both.",
}

/// One of several answers that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedAnswer {
    /// The id of the question.
    pub question: String,
    /// Why it was refused.
    pub refusal: Refusal,
}

/// The refused answers, as a slice in the order in which they were found. At most [`MAX_BYTES`] of JSON are kept; the rest are counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RefusedAnswers {
    kept: Vec<RefusedAnswer>,
    total: usize,
    bytes: usize,
}

impl RefusedAnswers {
    /// How many answers are refused in all.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Adds one.
    pub(crate) fn push(&mut self, question: &str, refusal: Refusal) {
        self.total = self.total.saturating_add(1);
        if self.bytes >= MAX_BYTES {
            return;
        }
        let refused = RefusedAnswer { question: question.to_owned(), refusal };
        self.bytes = self.bytes.saturating_add(json::text(&refused.to_json()).len()).saturating_add(1);
        if self.bytes < MAX_BYTES {
            self.kept.push(refused);
        }
    }
}

impl FromIterator<(String, Refusal)> for RefusedAnswers {
    /// The refusals of answers, by the ids of their questions.
    fn from_iter<T: IntoIterator<Item = (String, Refusal)>>(all: T) -> Self {
        let mut refused = Self::default();
        all.into_iter().for_each(|(question, refusal)| refused.push(&question, refusal));
        refused
    }
}

impl Deref for RefusedAnswers {
    type Target = [RefusedAnswer];

    fn deref(&self) -> &[RefusedAnswer] {
        &self.kept
    }
}

impl RefusedAnswer {
    /// The JSON form. A long id is shortened in the middle.
    fn to_json(&self) -> Value {
        const NAME: usize = 200;
        let mut json = object([("question", shortened(&self.question, NAME).into())]);
        json.extend(self.refusal.to_json());
        Value::Object(json)
    }
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
            Self::NotAllowed(_) => "not_allowed",
            Self::Answers { .. } => "refused_answers",
            Self::Finished => "finished",
            Self::Internal => "internal",
        }
    }

    /// The JSON form: `code` and `message`, `details` for a schema mismatch, and `refused` for several answers, with `total` where there are
    /// more than it lists.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut json = object([("code", self.code().into()), ("message", self.to_string().into())]);
        match self {
            Self::SchemaMismatch { details } => {
                json.insert("details".to_owned(), details.iter().map(ToJson::to_json).collect());
            }
            Self::Answers { refused } => {
                json.insert("refused".to_owned(), refused.iter().map(RefusedAnswer::to_json).collect());
                if refused.total > refused.len() {
                    json.insert("total".to_owned(), refused.total.into());
                }
            }
            _ => {}
        }
        json
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongType { expected, found } => write!(f, "This question takes {expected}, not {found}."),
            Self::NotAnOption { value } => write!(f, "{value} is not one of the options. Choose one of them."),
            Self::DuplicateSelection { value } => write!(f, "{value} is selected twice. Select it once."),
            Self::TooFew { minimum } => write!(f, "Choose at least {minimum}."),
            Self::TooMany { maximum } => write!(f, "Choose at most {maximum}."),
            Self::TooShort { minimum: 1 } => write!(f, "Enter a text."),
            Self::TooShort { minimum } => write!(f, "Use {minimum} characters or more."),
            Self::TooLong { maximum: 1, found } => write!(f, "Use 1 character (now {found})."),
            Self::TooLong { maximum, found } => write!(f, "Use {maximum} characters or fewer (now {found})."),
            Self::OutOfRange { limit, below: true } => write!(f, "Enter {} or more.", json::text(limit)),
            Self::OutOfRange { limit, below: false } => write!(f, "Enter {} or less.", json::text(limit)),
            Self::NotAnInteger => write!(f, "Enter a whole number."),
            Self::PatternMismatch { pattern } => {
                write!(f, "Enter a text that matches the pattern {}.", shortened(pattern, PATTERN))
            }
            Self::BadFormat { format } => match *format {
                "email" => write!(f, "Enter an email address, like ada@example.com."),
                "uri" => write!(f, "Enter a full address, like https://example.com/page."),
                "date" => write!(f, "Use YYYY-MM-DD."),
                "date-time" => write!(f, "Enter a date with a time, like 2026-11-21T14:21:00Z."),
                format => write!(f, "Use the format {format}."),
            },
            Self::Required => write!(f, "Answer this question."),
            Self::InvalidJson(json::NotJson { line, column, reason }) => {
                write!(f, "Invalid JSON, line {line}, column {column}: {reason}.")
            }
            Self::NotANumber { text } => write!(f, "{text} is not a number. Enter one like 42 or -1.5."),
            Self::SchemaMismatch { details } => match details.as_slice() {
                [only] => write!(f, "{}", only.message),
                several => write!(f, "Fix {} problems.", several.len()),
            },
            Self::TooLarge { what } => write!(f, "The answer is too large: {what}."),
            Self::NotAllowed(why) => write!(f, "{why}"),
            Self::Answers { refused } => {
                write!(
                    f,
                    "Nothing was taken. Problems with the answers: {}. Correct them, and send all answers again.",
                    refused.total
                )
            }
            Self::Finished => write!(f, "This form has already ended. It takes no more answers."),
            Self::Internal => write!(f, "This is a bug in ask-user: please report it. Nothing was changed."),
        }
    }
}

impl std::error::Error for Refusal {}

/// How many bytes of a pattern are shown.
const PATTERN: usize = 200;
