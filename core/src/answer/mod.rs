//! Answers. [`Given`] is an unchecked answer from a person or a host. [`Answer`] is one that [`Answer::new`] has checked. Anybody can make an
//! `Answer`, and no walk takes one: it takes a [`Given`], and checks it.

mod check;
mod condition;
mod format;
mod typed;

pub(crate) use check::as_other;
pub(crate) use condition::can_equal;
pub use condition::holds;

use crate::{
    json::{self, ToJson, serialize},
    problem::{Refusal, collected},
    question::{Decision, Question},
};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::Value;
use std::fmt;

/// The text that stands for a secret wherever answers are shown.
pub const REDACTED: &str = "[redacted]";

/// An unchecked answer. `Debug` does not show its content, since it may answer a secret question.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// The answer itself.
    pub content: Content,
    /// A note beside the answer. Ignored if it is blank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether to remember the answer for the rest of the turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remember: bool,
}

/// The content of an answer.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A JSON value. Null leaves an optional question empty.
    Value(Value),
    /// The same as JSON text. Numbers keep every digit.
    Json(String),
    /// The text in the question's field: JSON for `schema`, edited arguments as JSON for `approval`, a decimal number for `number`, the text itself for `text` and `secret`.
    Typed(String),
    /// A free text in place of an option, or beside the options of a multi-select.
    Other {
        /// The text. White space around it is dropped. A text that equals the value of an option is that option.
        text: String,
        /// The options that are selected as well. Beside them, an empty text is left out.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        beside: Vec<Value>,
    },
}

impl Content {
    /// Reads an answer from the JSON text of its value. With `other`, a free text, the value is null or the options that are selected as well.
    ///
    /// # Errors
    /// [`Refusal::InvalidJson`] if there is a free text and the value beside it is not JSON. An answer without one is read when it is checked.
    pub fn read(value: String, other: Option<String>) -> Result<Self, Refusal> {
        let Some(text) = other else { return Ok(Self::Json(value)) };
        let beside = match json::parse(&value).map_err(Refusal::InvalidJson)? {
            Value::Array(list) => list,
            Value::Null => Vec::new(),
            value => vec![value],
        };
        Ok(Self::Other { text, beside })
    }
}

impl Given {
    /// An answer without a note that is not remembered.
    pub fn new(content: Content) -> Self {
        Self { content, note: None, remember: false }
    }

    /// Drops it without recursion, however deep its value nests.
    pub(crate) fn dismantle(self) {
        match self.content {
            Content::Value(value) => json::dismantle(value),
            Content::Other { beside, .. } => json::dismantle(Value::Array(beside)),
            Content::Json(_) | Content::Typed(_) => {}
        }
    }
}

impl From<Value> for Given {
    fn from(value: Value) -> Self {
        Self::new(Content::Value(value))
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").field("remember", &self.remember).finish_non_exhaustive()
    }
}

/// A checked answer. `Debug` and JSON show a secret as `"[redacted]"`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// An optional question was left empty.
    Empty,
    /// Yes or no.
    Boolean(bool),
    /// The value of the chosen option.
    Select(Value),
    /// A free text in place of an option.
    Other(String),
    /// Several options.
    MultiSelect(Selection),
    /// A text.
    Text(String),
    /// A number.
    Number(Exact),
    /// A secret.
    Secret(Secret),
    /// The person agreed to open the URL.
    Consent,
    /// A JSON value.
    Schema(Exact),
    /// A decision on a tool call, as JSON: [`Answer::decided`] reads it.
    Approval(Exact),
}

/// What was decided about a tool call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decided<'a> {
    /// It runs as it is.
    Approved,
    /// It runs with these arguments.
    Edited(&'a Value),
    /// It does not run, with the reason that was given, if any.
    Rejected(Option<&'a str>),
    /// It does not run, and this text stands in place of its result.
    Responded(&'a str),
}

/// An answer that counts, and who gave it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taken {
    /// The answer.
    pub answer: Answer,
    /// A note beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Who gave it.
    pub by: By,
}

/// Who gave an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The person.
    Person {
        /// Whether it is to be remembered for the rest of the turn.
        remember: bool,
    },
    /// The person, earlier in the turn, to the same question.
    Remembered,
    /// The host's configuration.
    Configuration,
    /// The default of the question, while no person was there.
    Default,
    /// An assistant.
    Assistant(Advice),
}

/// Why an assistant answered as it did.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Advice {
    /// Its reason, in a sentence or two. `None` if it gave none.
    #[serde(default)]
    pub reason: Option<String>,
    /// The name of the model, where the host knows it.
    #[serde(default)]
    pub model: Option<String>,
}

impl ToJson for Advice {
    fn to_json(&self) -> Value {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        Value::Object(collected(&mut [("reason", text(&self.reason)), ("model", text(&self.model))]))
    }
}

serialize!(Advice);

/// The selected options of a multi-select, in the options' order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// The values of the options.
    pub options: Vec<Value>,
    /// A free text beside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// The places of the options. Invariant: ascending, one for each of them.
    places: Vec<usize>,
}

/// A JSON value with every digit of its numbers. A [`Value`] holds integers of 64 bits and fractions of 15 to 17 digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exact {
    /// The value.
    pub value: Value,
    /// Its JSON text, where a number in it has more digits than the value holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The value of a secret. Never empty. `None` in a resumed walk, since secrets are not saved, and when read from JSON, where it is
/// `"[redacted]"`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", from = "IgnoredAny")]
pub struct Secret(Option<String>);

impl From<Secret> for String {
    fn from(_: Secret) -> Self {
        REDACTED.into()
    }
}

impl From<IgnoredAny> for Secret {
    fn from(_: IgnoredAny) -> Self {
        Self(None)
    }
}

impl Secret {
    /// The value, for the host alone.
    pub fn reveal(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({})", json::text(&self.shown()))
    }
}

impl Answer {
    /// A secret that was given and whose value is not saved. `None` for other questions.
    pub(crate) fn missing(question: &Question) -> Option<Self> {
        question.answer_type.is_secret().then_some(Self::Secret(Secret(None)))
    }

    /// Whether this is a secret whose value is not saved.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Secret(Secret(None)))
    }

    /// The answer as JSON. A secret is `"[redacted]"`; an empty answer is null; a free text beside options is the last of the list.
    pub fn shown(&self) -> Value {
        match self {
            Self::Empty => Value::Null,
            Self::Boolean(answer) => (*answer).into(),
            Self::Select(value)
            | Self::Number(Exact { value, .. })
            | Self::Schema(Exact { value, .. })
            | Self::Approval(Exact { value, .. }) => value.clone(),
            Self::Other(text) | Self::Text(text) => text.as_str().into(),
            Self::MultiSelect(Selection { options, other, .. }) => {
                options.iter().cloned().chain(other.as_deref().map(Value::from)).collect()
            }
            Self::Secret(_) => REDACTED.into(),
            Self::Consent => true.into(),
        }
    }

    /// The answer as JSON text, with every digit of its numbers. `None` for a secret.
    pub fn text(&self) -> Option<String> {
        (!self.is_secret()).then(|| self.exact().map_or_else(|| json::text(&self.shown()), str::to_owned))
    }

    /// The JSON text that was given, where a number in it has more digits than a value holds.
    pub fn exact(&self) -> Option<&str> {
        match self {
            Self::Number(exact) | Self::Schema(exact) | Self::Approval(exact) => exact.text.as_deref(),
            _ => None,
        }
    }

    /// Its JSON text, where a number in it has more digits than every reader of JSON holds: [`Answer::exact`], or that of a whole number beyond 2⁵³.
    pub fn exact_text(&self) -> Option<String> {
        let is_beyond = |exact: &&Exact| json::digits::are_beyond_doubles(&exact.value);
        match self {
            Self::Number(exact) | Self::Schema(exact) | Self::Approval(exact) => {
                exact.text.clone().or_else(|| Some(exact).filter(is_beyond).map(|exact| json::text(&exact.value)))
            }
            Self::Select(_) | Self::MultiSelect(_) => self.chosen_text(),
            _ => None,
        }
    }

    /// Its JSON text with every digit, where a number in it has more than every reader of JSON holds. A secret has none.
    pub(crate) fn digits(&self) -> Option<String> {
        let text = match self {
            Self::Number(exact) | Self::Schema(exact) | Self::Approval(exact) => {
                exact.text.clone().unwrap_or_else(|| json::text(&exact.value))
            }
            Self::Select(_) | Self::MultiSelect(_) => return self.chosen_text(),
            _ => return None,
        };
        (json::digits::marked(&text).len() > text.len()).then_some(text)
    }

    /// The JSON text of chosen options, where the value of one is a whole number beyond 2⁵³.
    fn chosen_text(&self) -> Option<String> {
        let chosen = match self {
            Self::Select(value) => std::slice::from_ref(value),
            Self::MultiSelect(selection) => &selection.options,
            _ => return None,
        };
        chosen.iter().any(json::digits::are_beyond_doubles).then(|| json::text(&self.shown()))
    }

    /// What was decided about a tool call. `None` for other answers.
    pub fn decided(&self) -> Option<Decided<'_>> {
        let Self::Approval(Exact { value, .. }) = self else { return None };
        let message = value.get("message").and_then(Value::as_str);
        Some(match Decision::named(value.get("type")?.as_str()?)? {
            Decision::Approve => Decided::Approved,
            Decision::Edit => Decided::Edited(value.get("arguments")?),
            Decision::Reject => Decided::Rejected(message),
            Decision::Respond => Decided::Responded(message.unwrap_or_default()),
        })
    }

    /// What a decision on a tool call reaches beyond that call, as JSON: one of [`Grant`](crate::Grant)s of the question. `None` for other answers.
    pub fn grant(&self) -> Option<&Value> {
        match self {
            Self::Approval(Exact { value, .. }) => value.get("grant"),
            _ => None,
        }
    }

    /// Whether it is a "no": to a yes-or-no question, or to a tool call.
    pub fn is_no(&self) -> bool {
        matches!(self, Self::Boolean(false)) || matches!(self.decided(), Some(Decided::Rejected(_)))
    }

    /// Whether giving it to this question cannot be undone. Leaving a question empty always can.
    pub fn is_dangerous(&self, question: &Question) -> bool {
        let endangers = |value: &Value| {
            question.answer_type.choices().and_then(|choices| choices.get(value)).is_some_and(|choice| choice.danger)
        };
        match self {
            Self::Empty | Self::Boolean(false) => false,
            Self::Select(value) => question.danger || endangers(value),
            Self::MultiSelect(selection) => question.danger || selection.options.iter().any(endangers),
            Self::Boolean(true) | Self::Other(_) | Self::Text(_) | Self::Number(_) => question.danger,
            Self::Secret(_) | Self::Consent | Self::Schema(_) | Self::Approval(_) => question.danger,
        }
    }

    /// The free text in place of an option, or beside options.
    pub fn other(&self) -> Option<&str> {
        match self {
            Self::Other(text) => Some(text),
            Self::MultiSelect(selection) => selection.other.as_deref(),
            _ => None,
        }
    }

    /// The value of a secret, for the host alone. `None` for other answers, and in a resumed walk.
    pub fn secret(&self) -> Option<&str> {
        match self {
            Self::Secret(secret) => secret.reveal(),
            _ => None,
        }
    }

    /// Whether the answer must not be shown.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Secret(_))
    }

    /// The same with a marked text in place of each number that a value does not hold.
    pub(crate) fn marked(&self) -> Self {
        match self.exact().and_then(|text| json::parse(&json::digits::marked(text)).ok()) {
            Some(value) if self.decided().is_some() => Self::Approval(Exact { value, text: None }),
            Some(value) => Self::Schema(Exact { value, text: None }),
            None => self.clone(),
        }
    }
}
