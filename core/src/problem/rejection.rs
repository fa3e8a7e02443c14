//! What is wrong with a request: every problem at once, in words that a model can act on.

use super::{Pointer, Refusal, UnsafeUrl, object};
use crate::json::{NotJson, quoted};
use serde_json::{Map, Value};
use std::fmt;

/// How many problems, and how many warnings, are kept of one request. A rejection says how many there were in all.
pub const MAX_PROBLEMS: usize = 500;

/// One thing that is wrong with a request, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where in the request as it was sent; for a missing field, where it should be.
    pub path: Pointer,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// What can be wrong with a request. The last four are warnings, which stop nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The text is not JSON.
    InvalidJson(NotJson),
    /// The request cannot be written as JSON (a cycle, a BigInt, a lone surrogate): the host's words.
    Unreadable {
        /// Why.
        reason: String,
    },
    /// No dialect fits, or the host named one that does not exist.
    UnknownDialect {
        /// The name that the host gave, if it gave one.
        named: Option<String>,
        /// The dialects there are.
        known: Vec<&'static str>,
    },
    /// A field holds another JSON type than it may.
    WrongType {
        /// What it may hold.
        expected: &'static str,
        /// What it holds.
        found: &'static str,
    },
    /// A required field is absent.
    MissingField {
        /// Its name.
        field: &'static str,
    },
    /// There is no question.
    EmptyQuestions,
    /// More questions than allowed.
    TooManyQuestions {
        /// The most there may be.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// Fewer options than needed.
    TooFewOptions {
        /// The fewest there may be.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// More options than allowed.
    TooManyOptions {
        /// The most there may be.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// A text that must be shown is empty or white space.
    EmptyText,
    /// An id that is empty, or holds a dot or a control character.
    InvalidId {
        /// The id.
        id: String,
    },
    /// An id that an earlier question has.
    DuplicateId {
        /// The id.
        id: String,
        /// The place of the earlier question in the list, from 1.
        first: usize,
    },
    /// An option whose value an earlier one has.
    DuplicateOption {
        /// The value as JSON, cut for display.
        value: String,
        /// The place of the earlier option, from 1.
        first: usize,
    },
    /// An answer type that the dialect does not know.
    UnknownAnswerType {
        /// What was given.
        given: String,
        /// What there is.
        known: &'static [&'static str],
    },
    /// A choice without options.
    OptionsRequired {
        /// The answer type.
        answer_type: &'static str,
    },
    /// Options on something that is no choice.
    OptionsNotAllowed {
        /// The answer type.
        answer_type: &'static str,
    },
    /// A schema question without a schema.
    SchemaRequired,
    /// A schema on something that is no schema question.
    SchemaNotAllowed {
        /// The answer type.
        answer_type: &'static str,
    },
    /// Not a JSON Schema, or one that refers to anything outside itself.
    InvalidSchema {
        /// What is wrong with it.
        reason: String,
    },
    /// `when` names no question.
    UnknownQuestion {
        /// The id that it names.
        id: String,
    },
    /// `when` names its own question or a later one.
    ForwardReference {
        /// The id that it names.
        id: String,
        /// Whether that is the question itself.
        itself: bool,
    },
    /// A question whose words an earlier one has, where answers are told apart by them.
    DuplicateQuestion {
        /// The place of the earlier question in the list, from 1.
        first: usize,
    },
    /// Two lists that belong together differ in length.
    LengthMismatch {
        /// How many options there are.
        options: usize,
        /// How many descriptions there are.
        descriptions: usize,
    },
    /// A URL that must not be opened.
    UnsafeUrl(UnsafeUrl),
    /// A default that the question would not take as an answer.
    InvalidDefault {
        /// Why it would not.
        refusal: Refusal,
    },
    /// `when` names a secret question.
    SecretReference {
        /// The id of the secret.
        id: String,
    },
    /// A line break in the one-line form of a question.
    MultilineQuestion,
    /// Past a limit of the host.
    TooLarge {
        /// What is too large, and the limit.
        what: String,
    },
    /// Warning: the earlier question can never have that answer.
    WhenNeverTrue {
        /// The id of the earlier question.
        id: String,
    },
    /// Warning: a header longer than there is room for.
    HeaderTruncated {
        /// How many characters are shown.
        limit: usize,
    },
    /// Warning: a field that means nothing here.
    UnknownField {
        /// Its name.
        field: String,
    },
    /// Warning: a default on a secret, which is shown to nobody and dropped.
    SecretDefault,
}

impl Problem {
    /// A problem at a place.
    pub fn new(path: Pointer, kind: ProblemKind) -> Self {
        Self { path, kind }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match &self.kind {
            ProblemKind::InvalidJson(_) | ProblemKind::Unreadable { .. } => "invalid_json",
            ProblemKind::UnknownDialect { .. } => "unknown_dialect",
            ProblemKind::WrongType { .. } => "wrong_type",
            ProblemKind::MissingField { .. } => "missing_field",
            ProblemKind::EmptyQuestions => "empty_questions",
            ProblemKind::TooManyQuestions { .. } => "too_many_questions",
            ProblemKind::TooFewOptions { .. } => "too_few_options",
            ProblemKind::TooManyOptions { .. } => "too_many_options",
            ProblemKind::EmptyText => "empty_text",
            ProblemKind::InvalidId { .. } => "invalid_id",
            ProblemKind::DuplicateId { .. } => "duplicate_id",
            ProblemKind::DuplicateOption { .. } => "duplicate_option",
            ProblemKind::UnknownAnswerType { .. } => "unknown_answer_type",
            ProblemKind::OptionsRequired { .. } => "options_required",
            ProblemKind::OptionsNotAllowed { .. } => "options_not_allowed",
            ProblemKind::SchemaRequired => "schema_required",
            ProblemKind::SchemaNotAllowed { .. } => "schema_not_allowed",
            ProblemKind::InvalidSchema { .. } => "invalid_schema",
            ProblemKind::UnknownQuestion { .. } => "unknown_question",
            ProblemKind::ForwardReference { .. } => "forward_reference",
            ProblemKind::DuplicateQuestion { .. } => "duplicate_question",
            ProblemKind::LengthMismatch { .. } => "length_mismatch",
            ProblemKind::UnsafeUrl(_) => "unsafe_url",
            ProblemKind::InvalidDefault { .. } => "invalid_default",
            ProblemKind::SecretReference { .. } => "secret_reference",
            ProblemKind::MultilineQuestion => "multiline_question",
            ProblemKind::TooLarge { .. } => "too_large",
            ProblemKind::WhenNeverTrue { .. } => "when_never_true",
            ProblemKind::HeaderTruncated { .. } => "header_truncated",
            ProblemKind::UnknownField { .. } => "unknown_field",
            ProblemKind::SecretDefault => "secret_default",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match &self.kind {
            ProblemKind::InvalidJson(_) => "Send one complete JSON object.".into(),
            ProblemKind::Unreadable { .. } => "Send plain JSON data.".into(),
            ProblemKind::UnknownDialect { known, .. } => format!("The dialects are: {}.", known.join(", ")),
            ProblemKind::WrongType { expected, .. } => format!("Put {expected} here."),
            ProblemKind::MissingField { field } => format!("Add \"{field}\"."),
            ProblemKind::EmptyQuestions => "Put at least one question into the list.".into(),
            ProblemKind::TooManyQuestions { limit, .. } => {
                format!("Ask at most {limit} at once, and the rest in a later call.")
            }
            ProblemKind::TooFewOptions { limit, .. } => format!("Give at least {limit}."),
            ProblemKind::TooManyOptions { limit, .. } => format!("Give at most {limit}, or ask for a text instead."),
            ProblemKind::EmptyText => "Write the words that the person should read.".into(),
            ProblemKind::InvalidId { .. } => {
                "Use an id like \"target_env\": not empty, without dots and control characters.".into()
            }
            ProblemKind::DuplicateId { .. } => "Give every question an id of its own.".into(),
            ProblemKind::DuplicateOption { .. } => "Give every option a value of its own.".into(),
            ProblemKind::UnknownAnswerType { known, .. } => format!("Use one of: {}.", known.join(", ")),
            ProblemKind::OptionsRequired { .. } => "Add \"options\", a list of what the person can choose.".into(),
            ProblemKind::OptionsNotAllowed { .. } => {
                "Remove \"options\", or make \"answer_type\" \"select\" or \"multi_select\".".into()
            }
            ProblemKind::SchemaRequired => "Add \"schema\", a JSON Schema that the answer must fit.".into(),
            ProblemKind::SchemaNotAllowed { .. } => "Remove \"schema\", or make \"answer_type\" \"schema\".".into(),
            ProblemKind::InvalidSchema { .. } => {
                "Send a self-contained JSON Schema (draft 2020-12 unless \"$schema\" says otherwise).".into()
            }
            ProblemKind::UnknownQuestion { .. } => "Refer to the id of an earlier question.".into(),
            ProblemKind::ForwardReference { id, itself: false } => {
                format!("Move the question {} before this one, or refer to an earlier question.", quoted(id))
            }
            ProblemKind::ForwardReference { itself: true, .. } => "Refer to an earlier question.".into(),
            ProblemKind::DuplicateQuestion { .. } => "Give every question words of its own.".into(),
            ProblemKind::LengthMismatch { .. } => {
                "Give one description for each option, null where there is none.".into()
            }
            ProblemKind::UnsafeUrl(fault) => fault.hint().into(),
            ProblemKind::InvalidDefault { .. } => "Give a default that is a possible answer, or none.".into(),
            ProblemKind::SecretReference { .. } => {
                "Make it depend on another question: a branch would tell what the secret is.".into()
            }
            ProblemKind::MultilineQuestion => "Keep \"question\" to one line and put the rest into \"context\".".into(),
            ProblemKind::TooLarge { .. } => "Send less in one call.".into(),
            ProblemKind::WhenNeverTrue { .. } => "Check the value; as it is, this question is never asked.".into(),
            ProblemKind::HeaderTruncated { limit } => format!("Keep it to {limit} characters."),
            ProblemKind::UnknownField { .. } => "It was left alone; check its spelling.".into(),
            ProblemKind::SecretDefault => "Leave the default out: a secret has none.".into(),
        }
    }

    /// The JSON form: `code`, `path`, `message`, `hint`.
    pub fn to_json(&self) -> Value {
        Value::Object(object([
            ("code", self.code().into()),
            ("path", self.path.as_str().into()),
            ("message", self.to_string().into()),
            ("hint", self.hint().into()),
        ]))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ProblemKind::InvalidJson(NotJson { line, column, reason }) => {
                write!(f, "The request is not JSON: {reason} (line {line}, column {column}).")
            }
            ProblemKind::Unreadable { reason } => write!(f, "The request cannot be read as JSON: {reason}."),
            ProblemKind::UnknownDialect { named: Some(named), .. } => {
                write!(f, "There is no dialect {}.", quoted(named))
            }
            ProblemKind::UnknownDialect { named: None, .. } => {
                write!(f, "The request has the shape of no dialect that asks a person.")
            }
            ProblemKind::WrongType { expected, found } => {
                write!(f, "{} holds {found} where {expected} is expected.", Place(&self.path))
            }
            ProblemKind::MissingField { field } => write!(f, "The field \"{field}\" is missing."),
            ProblemKind::EmptyQuestions => write!(f, "There is no question in the list."),
            ProblemKind::TooManyQuestions { limit, found } => {
                write!(f, "There are {found} questions where at most {limit} are allowed.")
            }
            ProblemKind::TooFewOptions { limit, found } => {
                write!(f, "There are {found} options where at least {limit} are needed.")
            }
            ProblemKind::TooManyOptions { limit, found } => {
                write!(f, "There are {found} options where at most {limit} are allowed.")
            }
            ProblemKind::EmptyText => write!(f, "{} is empty.", Place(&self.path)),
            ProblemKind::InvalidId { id } => write!(f, "{} cannot be an id.", quoted(id)),
            ProblemKind::DuplicateId { id, first } => {
                write!(f, "The id {} is already used by question {first}.", quoted(id))
            }
            ProblemKind::DuplicateOption { value, first } => {
                write!(f, "The value {value} is already that of option {first}.")
            }
            ProblemKind::UnknownAnswerType { given, .. } => write!(f, "There is no answer type {}.", quoted(given)),
            ProblemKind::OptionsRequired { answer_type } => {
                write!(f, "A question of the type \"{answer_type}\" needs \"options\".")
            }
            ProblemKind::OptionsNotAllowed { answer_type } => {
                write!(f, "A question of the type \"{answer_type}\" takes no \"options\".")
            }
            ProblemKind::SchemaRequired => write!(f, "A question of the type \"schema\" needs \"schema\"."),
            ProblemKind::SchemaNotAllowed { answer_type } => {
                write!(f, "A question of the type \"{answer_type}\" takes no \"schema\".")
            }
            ProblemKind::InvalidSchema { reason } => write!(f, "The schema cannot be used: {reason}."),
            ProblemKind::UnknownQuestion { id } => {
                write!(f, "\"when\" refers to {}, which is no question.", quoted(id))
            }
            ProblemKind::ForwardReference { id, itself: false } => {
                write!(f, "\"when\" refers to {}, which comes later.", quoted(id))
            }
            ProblemKind::ForwardReference { id, itself: true } => {
                write!(f, "\"when\" refers to {}, the question itself.", quoted(id))
            }
            ProblemKind::DuplicateQuestion { first } => {
                write!(f, "The words of this question are already those of question {first}.")
            }
            ProblemKind::LengthMismatch { options, descriptions } => {
                write!(f, "There are {options} options and {descriptions} descriptions.")
            }
            ProblemKind::UnsafeUrl(fault) => write!(f, "{fault}"),
            ProblemKind::InvalidDefault { refusal } => write!(f, "The default is not a possible answer. {refusal}"),
            ProblemKind::SecretReference { id } => write!(f, "\"when\" refers to {}, a secret.", quoted(id)),
            ProblemKind::MultilineQuestion => write!(f, "\"question\" has a line break."),
            ProblemKind::TooLarge { what } => write!(f, "The request is too large: {what}."),
            ProblemKind::WhenNeverTrue { id } => write!(f, "{} can never have this answer.", quoted(id)),
            ProblemKind::HeaderTruncated { limit } => {
                write!(f, "The header is longer than {limit} characters; it was cut there.")
            }
            ProblemKind::UnknownField { field } => write!(f, "The field {} means nothing here.", quoted(field)),
            ProblemKind::SecretDefault => write!(f, "A secret takes no default; this one was dropped."),
        }
    }
}

/// A place in a sentence: the whole request has an empty pointer, which nobody could read.
struct Place<'a>(&'a Pointer);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => f.write_str("The request"),
            path => f.write_str(&quoted(path)),
        }
    }
}

/// A request that became no form. It lists every problem at once, so that a model can mend its call in one go.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The tool as the model knows it, such as `ask_user`; `None` where no dialect was found.
    pub tool: Option<&'static str>,
    /// The problems, in the order of the request; at least one, at most [`MAX_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// How many problems there were in all.
    pub total: usize,
}

impl Rejection {
    /// A rejection for the one problem that stopped the reading.
    pub fn of(tool: Option<&'static str>, problem: Problem) -> Self {
        Self { tool, problems: vec![problem], total: 1 }
    }

    /// The result to hand back to the model: `error`, `message`, `problems`.
    pub fn to_json(&self) -> Map<String, Value> {
        object([
            ("error", "invalid_request".into()),
            ("message", self.to_string().into()),
            ("problems", self.problems.iter().map(Problem::to_json).collect()),
        ])
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (call, again) = match self.tool {
            Some(tool) => (format!("{tool} call"), format!("call {tool} again")),
            None => ("request".into(), "send it again".into()),
        };
        match self.total {
            1 => write!(f, "This {call} has 1 problem. Mend it and {again}."),
            total => write!(f, "This {call} has {total} problems. Mend them and {again}."),
        }
    }
}

impl std::error::Error for Rejection {}

/// Problems or warnings as they are found: bounded, whatever the request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    kept: Vec<Problem>,
    total: usize,
}

impl Findings {
    /// Adds one; beyond [`MAX_PROBLEMS`] it is only counted.
    pub fn push(&mut self, problem: Problem) {
        self.total = self.total.saturating_add(1);
        if self.kept.len() < MAX_PROBLEMS {
            self.kept.push(problem);
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// What was kept.
    pub fn as_slice(&self) -> &[Problem] {
        &self.kept
    }

    /// As the rejection of a call of this tool.
    pub fn into_rejection(self, tool: &'static str) -> Rejection {
        Rejection { tool: Some(tool), problems: self.kept, total: self.total }
    }
}
