//! What is wrong with a request: every problem at once, in words that a model can act on.

use super::{Pointer, Refusal, UnsafeUrl, object};
use crate::{
    json::{NotJson, quoted},
    text::shortened,
};
use serde_json::{Map, Value};
use std::fmt;

/// The most bytes that the problems of a rejection, or the warnings of a form, have as JSON. A rejection says how many problems there
/// are in all.
pub const MAX_BYTES: usize = 60_000;

/// One thing that is wrong with a request, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where in the request as it was sent; for a missing field, where it should be.
    pub path: Pointer,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// What can be wrong with a request. The last seven are warnings, which do not reject it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The text is not JSON.
    InvalidJson(NotJson),
    /// The request has no JSON form: a cycle, a BigInt, a lone surrogate.
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
    /// The request has the shape of one dialect, or of none, and a field that belongs to another one or nearly does.
    Misfit {
        /// The field, as it was sent.
        field: String,
        /// The dialect whose shape the request has, or "any dialect".
        dialect: &'static str,
        /// The field that was probably meant.
        meant: &'static str,
        /// A dialect that has that field.
        of: &'static str,
    },
    /// What was sent has the request within it: a call with its name, or a message of a model. Or it is the list of questions alone.
    Wrapped {
        /// Where the request is. `None` for a list of questions.
        path: Option<Pointer>,
        /// Whether there are more.
        several: bool,
    },
    /// The request has what makes it one of a dialect, and beside it what makes it one of another. One of the two would be lost.
    SecondRequest {
        /// The field that makes it one of the other dialect.
        field: String,
        /// The dialect that it was read as.
        dialect: &'static str,
        /// The other dialect.
        of: &'static str,
    },
    /// A field holds another JSON type than it may.
    WrongType {
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A required field is absent.
    MissingField {
        /// Its name.
        field: &'static str,
        /// A field that is there, and by which it was probably meant.
        near: Option<String>,
    },
    /// There is no question.
    EmptyQuestions,
    /// More questions than allowed.
    TooManyQuestions {
        /// The most there may be.
        limit: usize,
        /// How many there are.
        found: usize,
        /// Whether it is the turn that has no more left.
        in_turn: bool,
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
    /// An id that is empty, has a dot or a control character, or is reserved.
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
    /// An option that has the value or the look of an earlier one.
    DuplicateOption {
        /// The option as JSON, shortened for display.
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
        /// The field that says it, and the type that was probably meant.
        near: Option<(&'static str, &'static str)>,
    },
    /// A choice without options.
    OptionsRequired {
        /// The answer type.
        answer_type: &'static str,
        /// A field that is there, and by which they were probably meant.
        near: Option<String>,
    },
    /// Options on a question of another type.
    OptionsNotAllowed {
        /// The answer type.
        answer_type: &'static str,
    },
    /// A schema question without a schema.
    SchemaRequired {
        /// A field that is there, and by which it was probably meant.
        near: Option<String>,
    },
    /// A schema on a question of another type.
    SchemaNotAllowed {
        /// The answer type.
        answer_type: &'static str,
    },
    /// Not a JSON Schema, or one that refers to anything outside itself.
    InvalidSchema {
        /// What is wrong with it.
        reason: String,
    },
    /// A pattern that is no regular expression, or that takes too much to match.
    InvalidPattern {
        /// What is wrong with it.
        reason: String,
    },
    /// `when` names no question.
    UnknownQuestion {
        /// The id that it names.
        id: String,
        /// The id of an earlier question that was probably meant.
        near: Option<String>,
    },
    /// A condition that says several things at once.
    SeveralConditions {
        /// What it says.
        operators: Vec<&'static str>,
    },
    /// `all`, `any` or `in` with an empty list.
    EmptyCondition {
        /// Which of them.
        operator: &'static str,
    },
    /// `contains` of a question that does not take several options.
    NotSeveral {
        /// What the question takes.
        answer_type: &'static str,
    },
    /// A field in the words of another tool, and `answer_type` says something else.
    AmbiguousField {
        /// The field, as it was sent.
        given: String,
        /// The answer type that it stands for.
        answer_type: &'static str,
    },
    /// A field that another tool has, and that would be lost here.
    MisplacedField {
        /// The field, as it was sent.
        given: String,
        /// The field that was probably meant.
        meant: Option<&'static str>,
    },
    /// A field that says that the answer is a secret, where no answer can be one.
    MisplacedSecret {
        /// The field, as it was sent.
        given: String,
    },
    /// `when` names its own question or a later one.
    ForwardReference {
        /// The id that it names.
        id: String,
        /// Whether that is the question itself.
        itself: bool,
    },
    /// A question with the text of an earlier one, in a dialect whose result is keyed by it.
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
    /// A default that the question does not take as an answer.
    InvalidDefault {
        /// Why not.
        refusal: Refusal,
    },
    /// Limits that contradict each other, so that no answer fits.
    InvalidRules {
        /// The least that an answer may be or have.
        least: String,
        /// The most that an answer may be or have.
        most: String,
    },
    /// A value that the earlier question can never have as its answer.
    WhenNeverTrue {
        /// The id of the earlier question.
        id: String,
        /// The value as JSON, shortened for display.
        value: String,
        /// What to write in its place.
        hint: String,
    },
    /// A condition with a field that says something else than a condition here can.
    UnknownCondition {
        /// The field.
        given: String,
        /// The condition that was probably meant, as JSON.
        meant: Option<String>,
    },
    /// A question that says when it is asked in the words of another tool.
    ConditionElsewhere {
        /// The field.
        given: String,
        /// Where a condition belongs.
        place: ConditionPlace,
        /// The condition that was probably meant, as JSON.
        meant: Option<String>,
        /// Whether the field says when the question is not asked.
        is_denied: bool,
    },
    /// `when` names a secret question.
    SecretReference {
        /// The id of the secret.
        id: String,
    },
    /// A line break in the one-line form of a question.
    MultilineQuestion,
    /// Past a limit of the host, or past the work budget.
    TooLarge {
        /// What is too large, and the limit.
        what: String,
    },
    /// An object in the text of a request with tool calls has a name twice: which of the two counts, nobody can tell.
    NameTwice,
    /// A call or an option has a number with more digits than a value holds: what is shown would not be what runs or is sent.
    LongNumber,
    /// Warning: other dialects have the shape of this request, too. A problem where the host demands evidence.
    AssumedDialect {
        /// The dialect it was read as.
        dialect: &'static str,
        /// The others.
        others: &'static [&'static str],
    },
    /// Warning: a default that the question does not take as an answer, from a server that cannot correct it. It is dropped.
    DefaultDropped {
        /// Why not.
        refusal: Refusal,
    },
    /// Warning: a header that is too long.
    HeaderTruncated {
        /// How many characters are shown.
        limit: usize,
    },
    /// Warning: a field without a meaning here.
    UnknownField {
        /// Its name.
        field: String,
        /// The field that was probably meant.
        near: Option<&'static str>,
    },
    /// Warning: a field in the words of another tool, which was read all the same.
    RenamedField {
        /// Its name, as it was sent.
        given: String,
        /// The field that it was read as.
        field: &'static str,
    },
    /// Warning: a default on a secret, which is shown to nobody and dropped.
    SecretDefault,
    /// Warning: a default that chooses what cannot be undone, which is dropped.
    DangerousDefault,
}

/// Where a request says when a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionPlace {
    /// Here, in the field `when`.
    Here,
    /// In a question.
    InQuestion,
    /// In a question, while this is one of its options.
    InOption,
    /// Nowhere: its tool has no conditions.
    Nowhere,
}

impl Problem {
    /// A problem at a place.
    pub fn new(path: Pointer, kind: ProblemKind) -> Self {
        Self { path, kind }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        self.said().0
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        self.said().2
    }

    /// The JSON form: `code`, `path`, `message`, `hint`.
    pub fn to_json(&self) -> Value {
        let (code, message, hint) = self.said();
        Value::Object(object([
            ("code", code.into()),
            ("path", self.path.as_str().into()),
            ("message", message.into()),
            ("hint", hint.into()),
        ]))
    }

    /// The length of its JSON in bytes, with the comma after it.
    fn bytes(&self) -> usize {
        crate::json::text(&self.to_json()).len().saturating_add(1)
    }

    /// An upper bound of [`Self::bytes`] that writes no JSON, so that showing a form with a few warnings does not. [`MAX_BYTES`] for problems.
    fn most_bytes(&self) -> usize {
        /// More than the names of the fields and the fixed words of any warning.
        const WORDS: usize = 600;
        /// What a character becomes that is escaped twice.
        const ESCAPED: usize = 7;
        let name = match &self.kind {
            ProblemKind::UnknownField { field: name, .. } | ProblemKind::RenamedField { given: name, .. } => name.len(),
            ProblemKind::DefaultDropped { .. } => REASON,
            ProblemKind::AssumedDialect { .. }
            | ProblemKind::HeaderTruncated { .. }
            | ProblemKind::SecretDefault
            | ProblemKind::DangerousDefault => 0,
            _ => return MAX_BYTES,
        };
        name.saturating_add(self.path.as_str().len()).saturating_mul(ESCAPED).saturating_add(WORDS)
    }

    /// The code, the message and the hint.
    fn said(&self) -> (&'static str, String, String) {
        use ProblemKind as Kind;
        let place = || match self.path.as_str() {
            "" => String::from("The request"),
            path => quoted(path),
        };
        let (code, message, hint) = match &self.kind {
            Kind::InvalidJson(NotJson { line, column, reason }) => (
                "invalid_json",
                format!("The request is not valid JSON: {reason} (line {line}, column {column})."),
                "Send one complete JSON object.".into(),
            ),
            Kind::Unreadable { reason } => {
                ("invalid_json", format!("The request has no JSON form: {reason}."), "Send plain JSON data.".into())
            }
            Kind::UnknownDialect { named, known } => (
                "unknown_dialect",
                match named {
                    Some(named) => format!("There is no dialect {}.", quoted(named)),
                    None => "The request has the shape of no known question call.".into(),
                },
                match named {
                    Some(_) => format!("Use one of the dialects: {}.", known.join(", ")),
                    None => "Send the call as the definition of your tool has it, such as {\"question\": \"Go on?\"}.".into(),
                },
            ),
            Kind::Wrapped { path: None, .. } => (
                "unknown_dialect",
                "The request is a list, and the call is an object with that list.".into(),
                "Send {\"questions\": [...]}, with this list.".into(),
            ),
            Kind::Wrapped { path: Some(path), several: true } => (
                "unknown_dialect",
                format!("The request is not a question call, but has several in it. The first is at {}.", quoted(path.as_str())),
                "Send each of them alone, in a call of its own.".into(),
            ),
            Kind::Wrapped { path: Some(path), several: false } => (
                "unknown_dialect",
                format!("The request is not a question call. What it has at {} is one.", quoted(path.as_str())),
                format!("Send what is at {}, and nothing around it.", quoted(path.as_str())),
            ),
            Kind::SecondRequest { field, dialect, of } => (
                "unknown_dialect",
                format!("This is a request of {dialect}, and with {} it is one of {of}, too. One of them would be lost.", quoted(field)),
                "Send each in a call of its own.".into(),
            ),
            Kind::Misfit { field, dialect, meant, of } => (
                "unknown_dialect",
                if field == meant {
                    format!("\"{meant}\" is a field of {of}, and not of {dialect}.")
                } else {
                    format!("{} is not a field of {dialect}. Did you mean \"{meant}\", as in {of}?", quoted(field))
                },
                "Correct or remove this field, or have the host name the dialect.".into(),
            ),
            Kind::WrongType { expected, found } => (
                "wrong_type",
                format!("{} is {found}, but must be {expected}.", place()),
                if *found == Kind::WRITTEN {
                    format!("Put {expected} here: the JSON itself, without quotes around it.")
                } else {
                    format!("Put {expected} here.")
                },
            ),
            Kind::MissingField { field, near } => (
                "missing_field",
                format!("The field \"{field}\" is missing."),
                renamed(near.as_deref(), field).unwrap_or_else(|| match *field {
                    "questions" => "Add \"questions\": a list with every question, each an object.".into(),
                    "answer_type" => "Add \"answer_type\": boolean, select, multi_select, text, number or schema.".into(),
                    "equals" => "Add \"equals\", \"in\", \"contains\" or \"answered\".".into(),
                    field => format!("Add \"{field}\"."),
                }),
            ),
            Kind::EmptyQuestions => {
                ("empty_questions", "The call has no question.".into(), "Add at least one question.".into())
            }
            Kind::TooManyQuestions { limit: 0, in_turn: true, .. } => (
                "too_many_questions",
                "No questions are left in this turn.".into(),
                "Go on without asking, or end the turn and say what you need to know.".into(),
            ),
            Kind::TooManyQuestions { limit, found, in_turn: true } => (
                "too_many_questions",
                format!("Questions: {found}. Left in this turn: {limit}."),
                format!("Ask at most {limit}: the ones that matter most."),
            ),
            Kind::TooManyQuestions { limit, found, in_turn: false } => (
                "too_many_questions",
                format!("There are {found} questions, but only {limit} are allowed."),
                format!("Ask at most {limit} in one call, and the rest later."),
            ),
            Kind::TooFewOptions { limit, found } => (
                "too_few_options",
                format!("There are {found} options, but at least {limit} are needed."),
                format!("Give at least {limit} options."),
            ),
            Kind::TooManyOptions { limit, found } => (
                "too_many_options",
                format!("There are {found} options, but only {limit} are allowed."),
                format!("Give at most {limit} options, or ask for a text instead."),
            ),
            Kind::EmptyText => {
                ("empty_text", format!("{} is empty.", place()), "Write what the user should read.".into())
            }
            Kind::InvalidId { id } => (
                "invalid_id",
                format!("{} cannot be used as an id.", quoted(id)),
                "Use an id like \"target_env\": not empty, without dots and control characters, and not \"cancelled\" or \"error\"."
                    .into(),
            ),
            Kind::DuplicateId { id, first } => (
                "duplicate_id",
                format!("The id {} is already used by question {first}.", quoted(id)),
                "Give every question an id of its own.".into(),
            ),
            Kind::DuplicateOption { value, first } => (
                "duplicate_option",
                format!("The option {value} has the same value as option {first}, or looks like it."),
                "Give every option a value and a label of its own.".into(),
            ),
            Kind::UnknownAnswerType { given, known, near } => (
                "unknown_answer_type",
                format!("There is no type {}.", quoted(given)),
                match near {
                    Some((field, near)) => {
                        format!("Did you mean {field} \"{near}\"? The types are: {}.", known.join(", "))
                    }
                    None => format!("Use one of: {}.", known.join(", ")),
                },
            ),
            Kind::OptionsRequired { answer_type, near } => (
                "options_required",
                format!("A question of the type \"{answer_type}\" needs \"options\"."),
                renamed(near.as_deref(), "options")
                    .unwrap_or_else(|| "Add \"options\": a list of what the user can choose.".into()),
            ),
            Kind::OptionsNotAllowed { answer_type } => (
                "options_not_allowed",
                format!("A question of the type \"{answer_type}\" takes no \"options\"."),
                "Remove \"options\", or make \"answer_type\" \"select\" or \"multi_select\".".into(),
            ),
            Kind::SchemaRequired { near } => (
                "schema_required",
                "A question of the type \"schema\" needs a \"schema\".".into(),
                renamed(near.as_deref(), "schema")
                    .unwrap_or_else(|| "Add \"schema\": a JSON Schema for the answer.".into()),
            ),
            Kind::SchemaNotAllowed { answer_type } => (
                "schema_not_allowed",
                format!("A question of the type \"{answer_type}\" takes no \"schema\"."),
                "Remove \"schema\", or make \"answer_type\" \"schema\".".into(),
            ),
            Kind::InvalidSchema { reason } => (
                "invalid_schema",
                format!("The schema cannot be used: {}.", shortened(reason, REASON)),
                "Send a self-contained JSON Schema (draft 2020-12 unless \"$schema\" names another).".into(),
            ),
            Kind::InvalidPattern { reason } => (
                "invalid_schema",
                format!("The pattern cannot be used: {}.", shortened(reason, REASON)),
                "Send a regular expression (ECMA-262), or leave the pattern out.".into(),
            ),
            Kind::UnknownQuestion { id, near } => (
                "unknown_question",
                format!("\"when\" refers to {}, but there is no such question.", quoted(id)),
                match near {
                    Some(near) => format!("Did you mean the question {}?", quoted(near)),
                    None => "Refer to the id of an earlier question, or remove \"when\".".into(),
                },
            ),
            Kind::SeveralConditions { operators } => (
                "invalid_condition",
                format!("The condition has several of its operators: {}.", operators.join(", ")),
                "Keep one of them, or put a condition with each into the list \"all\" or \"any\".".into(),
            ),
            Kind::EmptyCondition { operator } => (
                "invalid_condition",
                format!("The list \"{operator}\" is empty."),
                "Put at least one into the list, or remove \"when\".".into(),
            ),
            Kind::NotSeveral { answer_type } => (
                "invalid_condition",
                format!("\"contains\" looks at a \"multi_select\", but the question is of the type \"{answer_type}\"."),
                "Use \"equals\" or \"in\" in place of \"contains\".".into(),
            ),
            Kind::AmbiguousField { given, answer_type } => (
                "ambiguous_field",
                format!("{} says that the type is \"{answer_type}\", but \"answer_type\" says something else.", quoted(given)),
                format!("Make \"answer_type\" \"{answer_type}\", or remove {}.", quoted(given)),
            ),
            Kind::MisplacedField { given, meant } => (
                "misplaced_field",
                format!("The field {} has no place here, and what it says must not be lost.", quoted(given)),
                match meant {
                    Some(meant) => format!("Say it with \"{meant}\", or remove {}.", quoted(given)),
                    None => format!("Remove {}: there is no such field here.", quoted(given)),
                },
            ),
            Kind::MisplacedSecret { given } => (
                "misplaced_field",
                format!("The field {} has no place here, and what it says must not be lost.", quoted(given)),
                "This tool cannot ask for a secret: leave the question out.".into(),
            ),
            Kind::ForwardReference { id, itself: false } => (
                "forward_reference",
                format!("\"when\" refers to {}, which comes later.", quoted(id)),
                format!("Move the question {} before this one, refer to an earlier question, or remove \"when\".", quoted(id)),
            ),
            Kind::ForwardReference { id, itself: true } => (
                "forward_reference",
                format!("\"when\" refers to {}, the question itself.", quoted(id)),
                "Refer to an earlier question, or remove \"when\".".into(),
            ),
            Kind::DuplicateQuestion { first } => (
                "duplicate_question",
                format!("Question {first} has the same text."),
                "Give every question a text of its own.".into(),
            ),
            Kind::LengthMismatch { options, descriptions } => (
                "length_mismatch",
                format!("There are {options} options and {descriptions} descriptions."),
                "Give one description for each option, or null where there is none.".into(),
            ),
            Kind::UnsafeUrl(fault) => ("unsafe_url", fault.to_string(), fault.hint().into()),
            Kind::InvalidDefault { refusal } => (
                "invalid_default",
                format!("The question does not take its default as an answer. {}", shortened(&refusal.to_string(), REASON)),
                "Give a default that is a possible answer, or none.".into(),
            ),
            Kind::InvalidRules { least, most } => (
                "invalid_rules",
                format!("No answer fits: the least is {least}, but the most is {most}."),
                "Change one of the two limits.".into(),
            ),
            Kind::SecretReference { id } => (
                "secret_reference",
                format!("\"when\" refers to {}, which is a secret.", quoted(id)),
                "Refer to another question: a branch would reveal the secret.".into(),
            ),
            Kind::MultilineQuestion => (
                "multiline_question",
                "\"question\" has a line break.".into(),
                "Keep \"question\" to one line, and put the rest into \"context\".".into(),
            ),
            Kind::NameTwice => (
                "invalid_json",
                "An object of the request has a name twice, so which of the two counts cannot be told.".into(),
                "Send each name of an object once.".into(),
            ),
            Kind::LongNumber => (
                "too_large",
                "A number has more digits than are kept, so what is shown would not be what runs or is sent.".into(),
                "Send each number of more than 15 digits as a text, in quotes.".into(),
            ),
            Kind::TooLarge { what } => {
                ("too_large", format!("The request is too large: {what}."), "Send less in one call.".into())
            }
            Kind::WhenNeverTrue { id, value, hint } => (
                "when_never_true",
                format!("The answer to {} can never be {value}.", quoted(id)),
                hint.clone(),
            ),
            Kind::UnknownCondition { given, meant } => (
                "invalid_condition",
                format!("A condition has no field {}.", quoted(given)),
                match meant {
                    Some(meant) => format!("Write {meant}."),
                    None => "Use \"question_id\" with \"equals\", \"in\", \"contains\" or \"answered\", and \"all\", \"any\" or \"not\" around them.".into(),
                },
            ),
            Kind::ConditionElsewhere { given, place, meant, is_denied } => (
                "invalid_condition",
                format!("{} does not say when a question is asked.", quoted(given)),
                match (place, meant) {
                    (ConditionPlace::InOption, _) => "An option is always offered: remove the field, or ask a question of its own for each case.".into(),
                    (ConditionPlace::InQuestion, _) => "Put the condition into the question that it is for, as \"when\".".into(),
                    (ConditionPlace::Here, Some(meant)) => format!("Write \"when\": {meant}."),
                    (ConditionPlace::Here, None) if *is_denied => "Use \"when\" with \"not\", such as {\"not\": {\"question_id\": \"env\", \"equals\": \"production\"}}: it says when the question is asked.".into(),
                    (ConditionPlace::Here, None) => "Use \"when\", such as {\"question_id\": \"env\", \"equals\": \"production\"}.".into(),
                    (ConditionPlace::Nowhere, _) => "This tool has no conditions: ask the question always, or in another call.".into(),
                },
            ),
            Kind::AssumedDialect { dialect, others } => (
                "assumed_dialect",
                format!("The request was read as {dialect}, but {} have the same shape.", others.join(", ")),
                "Have the host name the dialect.".into(),
            ),
            Kind::DefaultDropped { refusal } => (
                "default_dropped",
                format!("The question does not take its default as an answer, so it was dropped. {}", shortened(&refusal.to_string(), REASON)),
                "Give a default that is a possible answer, or none.".into(),
            ),
            Kind::HeaderTruncated { limit } => (
                "header_truncated",
                format!("The header is longer than {limit} characters, so it was cut."),
                format!("Use at most {limit} characters."),
            ),
            Kind::UnknownField { field, near } => (
                "unknown_field",
                format!("The field {} has no meaning here, so it was ignored.", quoted(field)),
                match near {
                    Some(near) => format!("Did you mean \"{near}\"?"),
                    None => "Check its spelling, or leave it out.".into(),
                },
            ),
            Kind::RenamedField { given, field } => (
                "renamed_field",
                format!("The field {} was read as \"{field}\".", quoted(given)),
                format!("Write \"{field}\"."),
            ),
            Kind::SecretDefault => (
                "secret_default",
                "A secret takes no default, so it was dropped.".into(),
                "Remove the default.".into(),
            ),
            Kind::DangerousDefault => (
                "dangerous_default",
                "The default chooses what cannot be undone, so it was dropped.".into(),
                "Remove the default. To advise it, set \"recommended\" on the option.".into(),
            ),
        };
        (code, message, hint)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said().1)
    }
}

/// The hint to give a field its right name, where one was probably meant.
fn renamed(near: Option<&str>, field: &str) -> Option<String> {
    near.map(|near| format!("Rename {} to \"{field}\".", quoted(near)))
}

/// How many bytes of a reason are kept.
const REASON: usize = 400;

/// A request that cannot be made a form. It lists every problem at once, so that a model can correct its call in one go.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The tool as the model knows it, such as `ask_user`; `None` where no dialect was found.
    pub tool: Option<&'static str>,
    /// The problems, in the order of the request; at least one, and together at most [`MAX_BYTES`] of JSON.
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
            1 => write!(f, "This {call} has 1 problem. Correct it and {again}."),
            total => write!(f, "This {call} has {total} problems. Correct them and {again}."),
        }
    }
}

impl std::error::Error for Rejection {}

/// Problems or warnings as they are found, bounded whatever the request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    kept: Vec<Problem>,
    total: usize,
    /// The bytes of their JSON: an upper bound, and exact once `is_weighed`.
    bytes: usize,
    is_weighed: bool,
}

impl Findings {
    /// Adds one. Beyond [`MAX_BYTES`] it is only counted.
    pub fn push(&mut self, problem: Problem) {
        self.total = self.total.saturating_add(1);
        if self.bytes >= MAX_BYTES {
            return;
        }
        if !self.is_weighed {
            let bytes = problem.most_bytes().saturating_add(self.bytes);
            if bytes < MAX_BYTES {
                self.bytes = bytes;
                self.kept.push(problem);
                return;
            }
            self.is_weighed = true;
            self.bytes = self.kept.iter().map(Problem::bytes).sum();
        }
        self.bytes = self.bytes.saturating_add(problem.bytes());
        if self.bytes < MAX_BYTES {
            self.kept.push(problem);
        }
    }

    /// Makes every path lead somewhere in the request: what is read by a reference stands elsewhere than what refers to it.
    pub(crate) fn lead_into(&mut self, request: &Map<String, Value>) {
        for problem in self.kept.iter_mut().filter(|one| !matches!(one.kind, ProblemKind::MissingField { .. })) {
            problem.path = problem.path.within(request);
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

    /// What was kept.
    pub fn into_kept(self) -> Vec<Problem> {
        self.kept
    }

    /// The rejection of a call of this tool.
    pub fn into_rejection(self, tool: Option<&'static str>) -> Rejection {
        Rejection { tool, problems: self.kept, total: self.total }
    }
}

impl ProblemKind {
    /// What is found where a value was sent as a text with its JSON.
    pub(crate) const WRITTEN: &'static str = "a string with JSON in it";

    /// What is wrong with a default that the question refuses as an answer.
    pub fn of_default(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLarge { what } => Self::TooLarge { what: format!("the default: {what}") },
            refusal => Self::InvalidDefault { refusal },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Findings, MAX_BYTES, Pointer, Problem, ProblemKind as Kind};

    fn warnings(name: &str) -> Vec<Problem> {
        let name = || name.to_owned();
        let path = Pointer::root().field(&name());
        [
            Kind::HeaderTruncated { limit: usize::MAX },
            Kind::UnknownField { field: name(), near: Some("allow_parallel_tool_calls") },
            Kind::RenamedField { given: name(), field: "allow_parallel_tool_calls" },
            Kind::SecretDefault,
            Kind::DangerousDefault,
        ]
        .map(|kind| Problem::new(path.clone(), kind))
        .into()
    }

    #[test]
    fn no_warning_has_more_bytes_than_it_is_taken_for() {
        for name in ["", "x", "\"\\/~", "\u{1}", "\u{1b}\u{7f}\u{202e}", "\u{ffff}\u{10ffff}", "ä€"]
            .map(|part| part.repeat(300))
        {
            for warning in warnings(&name) {
                assert!(warning.bytes() <= warning.most_bytes(), "{warning:?}");
            }
        }
    }

    #[test]
    fn as_many_warnings_are_kept_as_fit_whatever_was_kept_before_they_were_weighed() {
        for name in ["x", "\u{1}\u{1}\u{1}", &"long".repeat(2_000)] {
            let mut findings = Findings::default();
            let mut bytes = 0;
            let mut fit = Vec::new();
            for warning in std::iter::repeat_n(warnings(name), 200).flatten() {
                bytes += warning.bytes();
                if bytes < MAX_BYTES && fit.len() == findings.total {
                    fit.push(warning.clone());
                }
                findings.push(warning);
            }
            assert_eq!((findings.total, findings.as_slice()), (1_000, &fit[..]));
        }
    }
}
