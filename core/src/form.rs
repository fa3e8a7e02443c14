//! The form: a request that has been validated. It never changes. Knows no agent's JSON and no walk.

use crate::{
    host::{Host, Reuse},
    json::{Numbers, scalar_key},
    problem::Problem,
    schema::Schema,
};
use serde_json::Value;
use std::sync::Arc;

/// A validated request: questions that can be asked, in order. Comes only from reading
/// ([`Form::read`], [`crate::Reading`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    pub(crate) dialect: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) questions: Vec<Question>,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) host: Arc<Host>,
    pub(crate) reuse: Reuse,
    pub(crate) review: bool,
    /// What the dialect keeps of the request to write its result with; nobody else reads it.
    pub(crate) envelope: Value,
    /// Tells this form from others: the request, the dialect and the tool call.
    pub(crate) fingerprint: String,
    /// Invariant: true only when every schema question's schema is compiled and its default accepted.
    pub(crate) checked: bool,
}

impl Form {
    /// The name of the dialect that the request was read with.
    pub fn dialect(&self) -> &'static str {
        self.dialect
    }

    /// The questions, in the order of the request; skipped ones included.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// What is odd about the request, but stops nothing.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// The host's options that the form was read with.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Whether an answer may be remembered for the rest of the turn.
    pub fn reuse(&self) -> Reuse {
        self.reuse
    }

    /// Whether the answers are shown for a last look before they are sent.
    pub fn review(&self) -> bool {
        self.review
    }

    /// Whether every schema has been checked. Until then the form may still prove invalid, and no result leaves it.
    pub fn is_checked(&self) -> bool {
        self.checked
    }
}

/// One question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Question {
    /// Unique in the form; without dots.
    pub id: String,
    /// What is asked.
    pub text: String,
    /// A short heading.
    pub header: Option<String>,
    /// What the person should know to answer; may have many lines.
    pub context: Option<String>,
    /// What an answer is.
    pub answer_type: AnswerType,
    /// An answer to start from. Invariant: the question would take it (for a schema: once the form is checked).
    pub default: Option<Value>,
    /// When the question is asked; always, if there is none.
    pub when: Option<When>,
}

/// What an answer is.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerType {
    /// `true` or `false`.
    Boolean,
    /// The value of one option.
    Select(Choices),
    /// A list of option values, in the options' order; may be empty.
    MultiSelect(Choices),
    /// A string; may be empty.
    Text,
    /// A finite number.
    Number,
    /// A string that is never echoed, recorded or saved.
    Secret,
    /// Any value that the schema accepts.
    Schema(Schema),
}

impl AnswerType {
    /// The name of the type, as requests, steps and records give it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Select(_) => "select",
            Self::MultiSelect(_) => "multi_select",
            Self::Text => "text",
            Self::Number => "number",
            Self::Secret => "secret",
            Self::Schema(_) => "schema",
        }
    }

    /// The options of a choice; none for other types.
    pub fn options(&self) -> &[Choice] {
        match self {
            Self::Select(choices) | Self::MultiSelect(choices) => choices.as_slice(),
            Self::Boolean | Self::Text | Self::Number | Self::Secret | Self::Schema(_) => &[],
        }
    }

    /// Whether answers must not be seen.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Secret)
    }
}

/// One option of a choice.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// What the answer is when it is chosen. A JSON scalar, not null.
    pub value: Value,
    /// What the person reads.
    pub label: String,
    /// A line under the label.
    pub description: Option<String>,
    /// What choosing it would look like: text in a fixed-width font.
    pub preview: Option<String>,
}

/// The options of a choice: at least one, their values distinct.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    options: Vec<Choice>,
    /// Invariant: holds the place of every option's value.
    places: Numbers,
}

impl Choices {
    /// Collects options; those whose value an earlier one has are given back, with both places.
    pub(crate) fn new(options: Vec<Choice>) -> (Self, Vec<Repeated>) {
        let mut places = Numbers::default();
        let mut repeated = Vec::new();
        for (place, option) in options.iter().enumerate() {
            let Some(key) = scalar_key(&option.value) else { continue };
            match places.get(&key) {
                Some(first) => repeated.push(Repeated { place, first: first as usize }),
                None => places.set(key, place as u64),
            }
        }
        (Self { options, places }, repeated)
    }

    /// The options in their order.
    pub fn as_slice(&self) -> &[Choice] {
        &self.options
    }

    /// The place of the option with this value, from 0.
    pub fn place(&self, value: &Value) -> Option<usize> {
        self.places.get(&scalar_key(value)?).map(|place| place as usize)
    }
}

/// An option whose value an earlier one has.
pub(crate) struct Repeated {
    pub place: usize,
    pub first: usize,
}

/// The condition under which a question is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct When {
    /// The place of the earlier question. Invariant: smaller than the place of the question that has this condition.
    pub question: usize,
    /// What its answer must equal; null: that it was skipped.
    pub equals: Value,
}
