//! What every dialect has: its rules, and what they leave behind of a request. Knows no dialect.

use super::fields::Reader;
use crate::{
    answer::Taken,
    host::Reuse,
    outcome::{Failure, Write},
    problem::object,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What makes a dialect.
pub(crate) struct Rules {
    /// The name that hosts use.
    pub name: &'static str,
    /// The name of the tool as models know it.
    pub tool: &'static str,
    /// Whether a request has this dialect's shape.
    pub recognises: fn(&Value) -> bool,
    /// Reads a request. `None` where it is too far off to be read on; what is wrong has been noted.
    pub read: fn(&mut Reader, &Map<String, Value>) -> Option<Draft>,
}

/// What a dialect has read, beside the questions, which the reader has.
pub(crate) struct Draft {
    pub reuse: Reuse,
    pub review: bool,
    pub message: Option<Arc<str>>,
    pub names_asker: bool,
    pub writer: Arc<dyn Write>,
}

impl Draft {
    /// A form that is written by this, and asks for nothing special.
    pub fn new(writer: impl Write + 'static) -> Self {
        Self { reuse: Reuse::None, review: false, message: None, names_asker: false, writer: Arc::new(writer) }
    }
}

/// A failure as the result of a tool.
pub(super) fn failed(failure: &Failure) -> Value {
    Value::Object(object([("error", failure.code().into()), ("message", failure.to_string().into())]))
}

/// What was chosen or written, each as text. Empty for a question that was skipped or left empty. Secrets are redacted.
pub(super) fn texts(taken: Option<&Taken>) -> Vec<String> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        value => crate::json::text(&value),
    };
    match taken.map(|taken| taken.answer.shown()) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.into_iter().map(text).collect(),
        Some(value) => vec![text(value)],
    }
}

/// Whether a question of the list `questions` has one of these fields.
pub(super) fn any_question_has(request: &Value, fields: &[&str]) -> bool {
    let has = |question: &Value| fields.iter().any(|field| question.get(field).is_some());
    request.get("questions").and_then(Value::as_array).is_some_and(|questions| questions.iter().any(has))
}
