//! The form: a request that has been validated. It never changes. Knows no agent's JSON and no walk.

mod link;
mod rules;

pub use link::Link;
pub use rules::{Format, NumberRules, Selections, TextRules};

use crate::{
    host::{Host, Reuse, Source},
    json::{Numbers, scalar_key},
    problem::{Problem, collected},
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
    pub(crate) message: Option<String>,
    pub(crate) names_asker: bool,
    /// Whether the result holds the secrets itself, as the agent's protocol wants it.
    pub(crate) reveals_secrets: bool,
    /// What the dialect keeps of the request to write its result with; nobody else reads it.
    pub(crate) envelope: Value,
    /// Tells this form from others: the request, the dialect and the tool call.
    pub(crate) fingerprint: String,
    /// Invariant: true only when every schema question's schema is compiled and its default accepted.
    pub(crate) checked: bool,
}

impl Form {
    /// What a host is told of a form, as JSON: `dialect`, `questions`, `warnings`, `label`. Nothing that a form could be read from.
    pub fn to_json(&self) -> Value {
        Value::Object(collected(&mut [
            ("dialect", Some(self.dialect.into())),
            ("questions", Some(self.questions.len().into())),
            ("warnings", Some(self.warnings.iter().map(Problem::to_json).collect())),
            ("label", self.host.label.as_deref().map(Value::from)),
        ]))
    }

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

    /// What the agent says above all questions.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Whether the agent's protocol demands that the person sees who asks, even where the host has no name for it.
    pub fn names_asker(&self) -> bool {
        self.names_asker
    }

    /// The tool that asks: the one that the host names as the source, or else the one that the model called.
    pub fn asking_tool(&self) -> &str {
        match &self.host.source {
            Source::Tool { name } => name,
            Source::Assistant | Source::User | Source::Other { .. } => self.tool,
        }
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
    /// What the agent says above this question, where that is not the message of the whole form.
    pub message: Option<String>,
    /// An example of an answer, shown in an empty field.
    pub placeholder: Option<String>,
    /// What an answer is.
    pub answer_type: AnswerType,
    /// Whether it may be left empty: the answer is then null. Invariant: false for a secret.
    pub optional: bool,
    /// Whether a note may stand beside the answer.
    pub notes: bool,
    /// An answer to start from. Invariant: the question would take it (for a schema: once the form is checked).
    pub default: Option<Value>,
    /// When the question is asked; always, if there is none.
    pub when: Option<When>,
}

impl Question {
    /// A question with nothing around it.
    pub(crate) fn new(id: impl Into<String>, text: impl Into<String>, answer_type: AnswerType) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
            header: None,
            context: None,
            message: None,
            placeholder: None,
            answer_type,
            optional: false,
            notes: false,
            default: None,
            when: None,
        }
    }
}

/// What an answer is.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerType {
    /// `true` or `false`.
    Boolean,
    /// The value of one option.
    Select(Choices),
    /// A list of option values, in the options' order; may be empty, unless a minimum is set.
    MultiSelect(Choices, Selections),
    /// A string; may be empty, unless a rule says otherwise.
    Text(TextRules),
    /// A finite number.
    Number(NumberRules),
    /// A string that is never echoed, recorded or saved.
    Secret,
    /// `true`: the person agrees to open a URL. Who does not agree replies or ends the turn.
    Url(Link),
    /// Any value that the schema accepts.
    Schema(Schema),
}

impl AnswerType {
    /// One of the options, or any number of them.
    pub(crate) fn choice(choices: Choices, multiple: bool) -> Self {
        if multiple { Self::MultiSelect(choices, Selections::default()) } else { Self::Select(choices) }
    }

    /// Text without rules.
    pub(crate) fn text() -> Self {
        Self::Text(TextRules::default())
    }

    /// The name of the type, as requests, steps and records give it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Select(_) => "select",
            Self::MultiSelect(..) => "multi_select",
            Self::Text(_) => "text",
            Self::Number(_) => "number",
            Self::Secret => "secret",
            Self::Url(_) => "url",
            Self::Schema(_) => "schema",
        }
    }

    /// The options of a choice; `None` for other types.
    pub fn choices(&self) -> Option<&Choices> {
        match self {
            Self::Select(choices) | Self::MultiSelect(choices, _) => Some(choices),
            Self::Boolean | Self::Text(_) | Self::Number(_) | Self::Secret | Self::Url(_) | Self::Schema(_) => None,
        }
    }

    /// The schema that answers are held against, that of a text's pattern included.
    pub fn schema(&self) -> Option<&Schema> {
        match self {
            Self::Schema(schema) => Some(schema),
            Self::Text(rules) => rules.pattern.as_ref(),
            Self::Boolean | Self::Select(_) | Self::MultiSelect(..) | Self::Number(_) | Self::Secret | Self::Url(_) => {
                None
            }
        }
    }

    pub(crate) fn schema_mut(&mut self) -> Option<&mut Schema> {
        match self {
            Self::Schema(schema) => Some(schema),
            Self::Text(rules) => rules.pattern.as_mut(),
            Self::Boolean | Self::Select(_) | Self::MultiSelect(..) | Self::Number(_) | Self::Secret | Self::Url(_) => {
                None
            }
        }
    }

    /// Whether answers cannot be held against the schema yet, because nobody has checked it.
    pub fn awaits_schema(&self) -> bool {
        self.schema().is_some_and(|schema| schema.compiled().is_none())
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

impl Choice {
    /// An option that is a text.
    pub(crate) fn new(text: &str) -> Self {
        Self { value: text.into(), label: text.to_owned(), description: None, preview: None }
    }
}

/// The options of a choice: at least one, their values distinct.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    options: Vec<Choice>,
    other: bool,
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
        (Self { options, other: false, places }, repeated)
    }

    /// The same options, where a free text can stand in place of one, or cannot.
    pub(crate) fn with_other(self, other: bool) -> Self {
        Self { other, ..self }
    }

    /// Whether any option has a preview.
    pub fn have_previews(&self) -> bool {
        self.options.iter().any(|option| option.preview.is_some())
    }

    /// Leaves the previews away.
    pub(crate) fn drop_previews(&mut self) {
        for option in &mut self.options {
            option.preview = None;
        }
    }

    /// The options in their order.
    pub fn as_slice(&self) -> &[Choice] {
        &self.options
    }

    /// Whether a free text can stand in place of an option ("Other").
    pub fn other(&self) -> bool {
        self.other
    }

    /// The option with this value.
    pub fn get(&self, value: &Value) -> Option<&Choice> {
        self.options.get(self.place(value)?)
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
