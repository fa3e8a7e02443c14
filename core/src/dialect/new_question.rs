//! Questions that a host makes in Rust, without JSON. They become a request of `ask_user`, which is read as any other: every check of a request holds for them.

use super::Dialect;
use crate::{
    form::Form,
    host::Host,
    problem::{Rejection, object},
    question::Format,
};
use serde_json::{Map, Value};
use std::ops::Not;

/// A question that is not checked yet. [`Form::of`] makes a form of a list of them.
///
/// ```
/// use ask_user_core::{Action, Form, Host, NewCondition, NewOption, NewQuestion, Walk};
/// use serde_json::json;
///
/// let form = Form::of(
///     [
///         NewQuestion::boolean("apply", "Apply the migration?"),
///         NewQuestion::select("env", "Where?", ["staging".into(), NewOption::new("production").label("Production").danger()])
///             .when(NewCondition::equals("apply", true)),
///         NewQuestion::text("note", "What should the log say?").max_length(80).optional(),
///     ],
///     &Host::default(),
/// )?;
/// let mut walk = Walk::new(form);
/// for answer in [json!(true), json!("staging"), json!(null)] {
///     walk.act(Action::answer(answer))?;
/// }
/// assert_eq!(walk.outcome().expect("it has ended").result, Some(json!({ "apply": true, "env": "staging", "note": null })));
///
/// let twice = [NewQuestion::boolean("a", "Go on?"), NewQuestion::boolean("a", "Really?")];
/// let rejection = Form::of(twice, &Host::default()).unwrap_err();
/// assert_eq!(rejection.problems[0].code(), "duplicate_id");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct NewQuestion(Map<String, Value>);

impl NewQuestion {
    /// A yes-or-no question.
    pub fn boolean(id: &str, text: &str) -> Self {
        Self::of("boolean", id, text)
    }

    /// A choice of one option. An option can be given as its value.
    pub fn select<O: Into<NewOption>>(id: &str, text: &str, options: impl IntoIterator<Item = O>) -> Self {
        Self::of("select", id, text).options(options)
    }

    /// A choice of several options.
    pub fn multi_select<O: Into<NewOption>>(id: &str, text: &str, options: impl IntoIterator<Item = O>) -> Self {
        Self::of("multi_select", id, text).options(options)
    }

    /// A text.
    pub fn text(id: &str, text: &str) -> Self {
        Self::of("text", id, text)
    }

    /// A number.
    pub fn number(id: &str, text: &str) -> Self {
        Self::of("number", id, text)
    }

    /// A text that reaches the host alone.
    pub fn secret(id: &str, text: &str) -> Self {
        Self::of("secret", id, text)
    }

    /// JSON that fits a JSON Schema.
    pub fn schema(id: &str, text: &str, schema: Value) -> Self {
        Self::of("schema", id, text).with("schema", schema)
    }

    /// The request of `ask_user` that these questions are, for a [`Desk`](crate::desk::Desk) or a page.
    pub fn request(questions: impl IntoIterator<Item = Self>) -> Value {
        let questions: Vec<Value> = questions.into_iter().map(|question| Value::Object(question.0)).collect();
        Value::Object(object([("questions", questions.into())]))
    }

    fn of(answer_type: &str, id: &str, text: &str) -> Self {
        Self(object([("id", id.into()), ("text", text.into()), ("answer_type", answer_type.into())]))
    }

    /// A short heading above the question.
    pub fn header(self, header: &str) -> Self {
        self.with("header", header)
    }

    /// What the person should know, as Markdown.
    pub fn context(self, context: &str) -> Self {
        self.with("context", context)
    }

    /// An example, shown in the empty field.
    pub fn placeholder(self, placeholder: &str) -> Self {
        self.with("placeholder", placeholder)
    }

    /// A suggestion. It answers nothing by itself.
    pub fn suggest(self, answer: impl Into<Value>) -> Self {
        self.with("default", answer)
    }

    /// It may be left empty.
    pub fn optional(self) -> Self {
        self.with("optional", true)
    }

    /// An answer cannot be undone; of a boolean, "yes".
    pub fn danger(self) -> Self {
        self.with("danger", true)
    }

    /// The person may write an answer of their own in place of an option.
    pub fn other(self) -> Self {
        self.with("other", true)
    }

    /// The fewest options that may be selected.
    pub fn min_selections(self, count: usize) -> Self {
        self.with("min_selections", count)
    }

    /// The most options that may be selected.
    pub fn max_selections(self, count: usize) -> Self {
        self.with("max_selections", count)
    }

    /// The fewest characters of a text.
    pub fn min_length(self, count: usize) -> Self {
        self.with("min_length", count)
    }

    /// The most characters of a text.
    pub fn max_length(self, count: usize) -> Self {
        self.with("max_length", count)
    }

    /// A regular expression (ECMA-262) that must be found in a text.
    pub fn pattern(self, pattern: &str) -> Self {
        self.with("pattern", pattern)
    }

    /// What a text must be.
    pub fn format(self, format: Format) -> Self {
        self.with("format", format.name())
    }

    /// The least number.
    pub fn minimum(self, number: impl Into<Value>) -> Self {
        self.with("minimum", number)
    }

    /// The greatest number.
    pub fn maximum(self, number: impl Into<Value>) -> Self {
        self.with("maximum", number)
    }

    /// Only whole numbers.
    pub fn integer(self) -> Self {
        self.with("integer", true)
    }

    /// It is asked only if this holds.
    pub fn when(self, condition: NewCondition) -> Self {
        self.with("when", condition.0)
    }

    fn options<O: Into<NewOption>>(self, options: impl IntoIterator<Item = O>) -> Self {
        self.with("options", options.into_iter().map(|option| Value::Object(option.into().0)).collect::<Vec<_>>())
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }
}

/// An option of a [`NewQuestion`].
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct NewOption(Map<String, Value>);

impl NewOption {
    /// An option whose value, a text, a number or a boolean, is the answer.
    pub fn new(value: impl Into<Value>) -> Self {
        Self(object([("value", value.into())]))
    }

    /// What the person reads in place of the value.
    pub fn label(self, label: &str) -> Self {
        self.with("label", label)
    }

    /// More about it, below the label.
    pub fn description(self, description: &str) -> Self {
        self.with("description", description)
    }

    /// What choosing it would look like, in a fixed-width font.
    pub fn preview(self, preview: &str) -> Self {
        self.with("preview", preview)
    }

    /// The agent advises it. It is marked, and not selected.
    pub fn recommended(self) -> Self {
        self.with("recommended", true)
    }

    /// Choosing it cannot be undone.
    pub fn danger(self) -> Self {
        self.with("danger", true)
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }
}

impl From<&str> for NewOption {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl From<String> for NewOption {
    fn from(value: String) -> Self {
        Self::new(value)
    }
}

/// When a [`NewQuestion`] is asked: an answer to an earlier question, or several conditions. `!` turns one into its opposite.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct NewCondition(Value);

impl NewCondition {
    /// The answer to this question is this value.
    pub fn equals(question: &str, value: impl Into<Value>) -> Self {
        Self::about(question, "equals", value)
    }

    /// The answer to this question is one of these values.
    pub fn one_of<V: Into<Value>>(question: &str, values: impl IntoIterator<Item = V>) -> Self {
        Self::about(question, "in", values.into_iter().map(Into::into).collect::<Vec<Value>>())
    }

    /// The answer to this question, which is a list, has this value.
    pub fn contains(question: &str, value: impl Into<Value>) -> Self {
        Self::about(question, "contains", value)
    }

    /// This question has an answer other than null, or it has none.
    pub fn answered(question: &str, answered: bool) -> Self {
        Self::about(question, "answered", answered)
    }

    /// All of these hold.
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::of("all", conditions.into_iter().map(|condition| condition.0).collect::<Vec<_>>())
    }

    /// One of these holds.
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::of("any", conditions.into_iter().map(|condition| condition.0).collect::<Vec<_>>())
    }

    fn about(question: &str, operator: &str, operand: impl Into<Value>) -> Self {
        Self(Value::Object(object([("question_id", question.into()), (operator, operand.into())])))
    }

    fn of(operator: &str, operand: impl Into<Value>) -> Self {
        Self(Value::Object(object([(operator, operand.into())])))
    }
}

/// The condition holds if this one does not: `!NewCondition::equals("env", "staging")`.
impl Not for NewCondition {
    type Output = Self;

    fn not(self) -> Self {
        Self::of("not", self.0)
    }
}

impl Form {
    /// A form of questions that are made in Rust: see [`NewQuestion`].
    ///
    /// # Errors
    /// A [`Rejection`] with every problem, as of a request of `ask_user`.
    pub fn of(questions: impl IntoIterator<Item = NewQuestion>, host: &Host) -> Result<Self, Rejection> {
        Self::read(&NewQuestion::request(questions), Dialect::AskUser, host)
    }
}
