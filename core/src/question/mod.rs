//! One question of a form: its text, its answer type, and when it is asked. This module does not know any agent's JSON.

mod approval;
mod calls;
mod choices;
mod cover;
mod grant;
mod link;
mod offer;
pub(crate) mod phrase;
mod risk;
mod rules;
mod stated;
mod when;

pub(crate) use approval::ROOM;
pub use approval::{Act, Approval, COMMAND, Change, Decision, Shown, ShownValue};
pub use calls::{Called, Calls};
pub use choices::{Choice, Choices};
pub(crate) use choices::{Unselectable, apart, exact};
pub(crate) use cover::Cover;
pub use cover::Covered;
pub use grant::{Grant, Scope};

pub use link::Link;
pub use offer::{Offer, Offers};
pub(crate) use phrase as sentence;
pub use phrase::{Phrase, SENTENCES, Sentence, Wording};
pub use risk::{Risk, RiskKind};
pub use rules::{Format, NumberRules, Selections, TextRules};
pub use stated::{HostRisk, HostRisks};
pub use when::{Test, Wanted, When};

use crate::{json::size, problem::collected, schema::Schema};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One question. Its JSON form is what a step shows: everything but `message`, the defaults and `when`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Question {
    /// Unique in its form. Never empty, without dots.
    pub id: String,
    /// What an answer is.
    #[serde(flatten)]
    pub answer_type: AnswerType,
    /// What is asked.
    pub text: String,
    /// The same in parts, where it is a sentence of the core. A front end may say it in another language.
    #[serde(skip)]
    pub wording: Option<Arc<Wording>>,
    /// Whether it may be left empty. The answer is then null. Invariant: false for a secret.
    pub optional: bool,
    /// Whether a note may stand beside the answer.
    pub notes: bool,
    /// Whether an answer cannot be undone: of a yes or no, the "yes". Options may say so by themselves.
    #[serde(default)]
    pub danger: bool,
    /// A short heading.
    pub header: Option<String>,
    /// What the person should know to answer. May have many lines.
    pub context: Option<String>,
    /// An example of an answer, shown in an empty field.
    pub placeholder: Option<String>,
    /// What the agent says above this question, where it differs from the message of the form.
    #[serde(skip)]
    pub message: Option<Arc<str>>,
    /// The default that the request states. Invariant: the question takes it as an answer (a schema question: once the schema is
    /// checked).
    #[serde(skip)]
    pub default: Option<Value>,
    /// A default that the dialect implies. It is shown as a draft and never answers for anybody.
    #[serde(skip)]
    pub implied: Option<Value>,
    /// When the question is asked. `None`: always.
    #[serde(skip)]
    pub when: Option<When>,
}

impl Question {
    pub(crate) fn new(id: impl Into<String>, text: impl Into<String>, answer_type: AnswerType) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
            wording: None,
            header: None,
            context: None,
            message: None,
            placeholder: None,
            answer_type,
            optional: false,
            notes: false,
            danger: false,
            default: None,
            implied: None,
            when: None,
        }
    }

    /// A question that the core asks in a sentence of its own.
    pub(crate) fn saying(id: impl Into<String>, wording: Wording, answer_type: AnswerType) -> Self {
        let mut question = Self::new(id, wording.english(), answer_type);
        question.wording = Some(Arc::new(wording));
        question
    }

    /// How large it is, in units of work that keeping and comparing it takes.
    pub(crate) fn size(&self) -> usize {
        let texts = [&self.header, &self.context, &self.placeholder];
        let own = self.id.len().saturating_add(self.text.len());
        let own = texts.into_iter().flatten().fold(own, |sum, text| sum.saturating_add(text.len()));
        let options = self.answer_type.choices().map_or(&[][..], Choices::as_slice);
        let options = options.iter().fold(0_usize, |sum, option| sum.saturating_add(option.size()).saturating_add(32));
        let schema = self.answer_type.schema().map(|schema| schema.source());
        let values = schema.into_iter().chain(self.suggestion());
        let call = self.answer_type.approval().map_or(0, Approval::size);
        let condition = self.when.as_ref().map_or(0, When::size);
        let own = own.saturating_add(options).saturating_add(call).saturating_add(condition);
        values.fold(own, |sum, value| sum.saturating_add(size(value) as usize))
    }

    /// Whether another question is this one, perhaps with its schema compiled since.
    pub(crate) fn is_still(&self, other: &Self) -> bool {
        let mut other = other.clone();
        if let (Some(schema), Some(own)) = (other.answer_type.schema_mut(), self.answer_type.schema()) {
            if schema.source() != own.source() {
                return false;
            }
            *schema = own.clone();
        }
        *self == other
    }

    /// The default to start from: the one that the request states, or else the one that the dialect implies.
    pub fn suggestion(&self) -> Option<&Value> {
        self.default.as_ref().or(self.implied.as_ref())
    }

    /// Whether its default may answer while nobody is there. Reading has dropped a default that chooses what cannot be undone; one that is written
    /// into a field stays there as a draft.
    pub(crate) fn may_default(&self) -> bool {
        !self.danger || matches!(self.answer_type, AnswerType::Boolean)
    }

    /// Whether any answer to it cannot be undone. [`crate::Answer::is_dangerous`] says which.
    pub fn has_danger(&self) -> bool {
        self.danger || self.answer_type.choices().is_some_and(Choices::have_danger)
    }
}

impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl Question {
    /// The JSON form. Built by hand: what derives it adds kilobytes to the form's download.
    pub(crate) fn to_json(&self) -> Map<String, Value> {
        let optional = |text: &Option<String>| text.as_deref().map(Value::from);
        let mut json = collected(&mut [
            ("id", Some(self.id.as_str().into())),
            ("type", Some(self.answer_type.name().into())),
            ("text", Some(self.text.as_str().into())),
            ("optional", Some(self.optional.into())),
            ("notes", Some(self.notes.into())),
            ("danger", self.danger.then_some(true.into())),
            ("header", optional(&self.header)),
            ("context", optional(&self.context)),
            ("placeholder", optional(&self.placeholder)),
        ]);
        let at_least = |number: usize| (number > 0).then(|| number.into());
        // What is not limited is left out.
        let mut rules: [(&str, Option<Value>); 4] = [const { ("", None) }; 4];
        if let Some(choices) = self.answer_type.choices() {
            choices.add_to(&mut json);
        }
        match &self.answer_type {
            AnswerType::Boolean | AnswerType::Secret | AnswerType::Select(_) => {}
            AnswerType::MultiSelect { selections, .. } => {
                rules[0] = ("min_selections", at_least(selections.minimum));
                rules[1] = ("max_selections", selections.maximum.map(Value::from));
            }
            AnswerType::Text(text) => {
                rules = [
                    ("min_length", at_least(text.min_length)),
                    ("max_length", text.max_length.map(Value::from)),
                    ("format", text.format.map(|format| format.name().into())),
                    ("pattern", text.pattern().map(Value::from)),
                ];
            }
            AnswerType::Number(number) => {
                rules[0] = ("integer", number.integer.then_some(true.into()));
                rules[1] = ("minimum", number.minimum.clone().map(Value::Number));
                rules[2] = ("maximum", number.maximum.clone().map(Value::Number));
            }
            AnswerType::Url(link) => {
                rules[0] = ("url", Some(link.as_str().into()));
                rules[1] = ("host", Some(link.host().into()));
            }
            AnswerType::Schema { schema } => rules[0] = ("schema", Some(schema.source().clone())),
            AnswerType::Approval(approval) => {
                let decisions = approval.decisions.iter().map(|decision| decision.name().into()).collect();
                rules = [
                    ("tool", Some(approval.tool.as_str().into())),
                    ("arguments", Some(approval.arguments.clone())),
                    ("decisions", Some(Value::Array(decisions))),
                    ("schema", approval.schema.as_ref().map(|schema| schema.source().clone())),
                ];
                approval.add_to(&mut json);
            }
        }
        json.append(&mut collected(&mut rules));
        json
    }
}

/// What an answer is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnswerType {
    /// `true` or `false`.
    Boolean,
    /// The value of one option.
    Select(Choices),
    /// A list of option values in the options' order. May be empty, unless a minimum is set.
    MultiSelect {
        /// The options.
        #[serde(flatten)]
        choices: Choices,
        /// How many to select.
        #[serde(flatten)]
        selections: Selections,
    },
    /// A string. May be empty, unless a rule forbids it.
    Text(TextRules),
    /// A finite number.
    Number(NumberRules),
    /// A string that is never shown, recorded or saved. Never empty.
    Secret,
    /// `true`: the person agrees to open a URL. A person who does not agree replies or ends the turn.
    Url(Link),
    /// Any JSON value that the schema accepts.
    Schema {
        /// The schema.
        schema: Schema,
    },
    /// A decision on a tool call: an object with `type` (`approve`, `edit`, `reject` or `respond`), and `arguments` or `message`.
    Approval(Box<Approval>),
}

impl AnswerType {
    /// A choice of one option, or of any number of them.
    pub(crate) fn choice(choices: Choices, multiple: bool) -> Self {
        if multiple { Self::MultiSelect { choices, selections: Selections::default() } } else { Self::Select(choices) }
    }

    /// Text without rules.
    pub(crate) fn text() -> Self {
        Self::Text(TextRules::default())
    }

    /// The name of the type in requests, steps and records.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Select(_) => "select",
            Self::MultiSelect { .. } => "multi_select",
            Self::Text(_) => "text",
            Self::Number(_) => "number",
            Self::Secret => "secret",
            Self::Url(_) => "url",
            Self::Schema { .. } => "schema",
            Self::Approval(_) => "approval",
        }
    }

    /// The options of a choice. `None` for other types.
    pub fn choices(&self) -> Option<&Choices> {
        match self {
            Self::Select(choices) | Self::MultiSelect { choices, .. } => Some(choices),
            _ => None,
        }
    }

    /// The tool call that is decided on. `None` for other types.
    pub fn approval(&self) -> Option<&Approval> {
        match self {
            Self::Approval(approval) => Some(approval),
            _ => None,
        }
    }

    /// The schema that answers are checked by. A text's pattern is one, too, and so is that of edited arguments.
    pub fn schema(&self) -> Option<&Schema> {
        match self {
            Self::Schema { schema } => Some(schema),
            Self::Text(rules) => rules.pattern.as_ref(),
            Self::Approval(approval) => approval.schema.as_ref(),
            Self::Boolean | Self::Select(_) | Self::MultiSelect { .. } => None,
            Self::Number(_) | Self::Secret | Self::Url(_) => None,
        }
    }

    pub(crate) fn schema_mut(&mut self) -> Option<&mut Schema> {
        match self {
            Self::Schema { schema } => Some(schema),
            Self::Text(rules) => rules.pattern.as_mut(),
            Self::Approval(approval) => approval.schema.as_mut(),
            Self::Boolean | Self::Select(_) | Self::MultiSelect { .. } => None,
            Self::Number(_) | Self::Secret | Self::Url(_) => None,
        }
    }

    /// Whether answers cannot be checked yet, because the schema is not compiled.
    pub fn awaits_schema(&self) -> bool {
        self.schema().is_some_and(|schema| schema.compiled().is_none())
    }

    /// Whether answers must never be shown.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Secret)
    }
}
