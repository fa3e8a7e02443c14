//! What lasts for one turn of the agent: how often each question was asked, and what the person asked to remember.

use crate::{
    json::{FromJson, Named, Numbers, ToJson, deserialize, put, serialize},
    problem::{collected, object},
};
use serde_json::Value;

/// The memory of one turn. Keep it between the forms of a turn, and drop it when the turn ends.
///
/// In JSON: `{"attempts": {…}, "open": {…}, "remembered": {…}, "permissions": {…}}`. Each may be left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// How often each question was asked, by `<tool call id>.<question id>`.
    pub attempts: Numbers,
    /// How many questions are in each form of the turn that is still open, by tool call id. The host sets it, for [`crate::Limits::questions_per_turn`]: nobody knows yet how often the
    /// questions of such a form are asked. Attempts of a form are what [`crate::Walk::turn`] says once it has ended.
    pub open: Numbers,
    /// The answers that the person asked to remember, by `<tool name>.<question id>`.
    pub remembered: Named<Remembered>,
    /// The remembered permissions, by tool name: whether the tool may run. A remembered answer is never a permission.
    pub permissions: Named<bool>,
}

/// A remembered answer. It counts only for a question that the person would see in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// The question as its record has it, without `default`, and with the `message` above it if there is one.
    pub question: Value,
    /// The answer.
    pub answer: Value,
}

impl Turn {
    /// How many questions count for the turn: each time that one was asked, and each in an open form.
    pub(crate) fn asked(&self) -> u64 {
        self.attempts.sum().saturating_add(self.open.sum())
    }

    /// Remembers for the rest of the turn whether a tool may run.
    pub fn remember_permission(&mut self, tool: &str, granted: bool) {
        self.permissions.set(tool.to_owned(), granted);
    }
}

impl ToJson for Turn {
    fn to_json(&self) -> Value {
        let permissions = (!self.permissions.is_empty()).then(|| self.permissions.to_json());
        Value::Object(collected(&mut [
            ("attempts", Some(self.attempts.to_json())),
            ("open", (!self.open.is_empty()).then(|| self.open.to_json())),
            ("remembered", Some(self.remembered.to_json())),
            ("permissions", permissions),
        ]))
    }
}

impl FromJson for Turn {
    fn from_json(value: &Value) -> Option<Self> {
        let mut turn = Self::default();
        for (name, value) in value.as_object()? {
            match name.as_str() {
                "attempts" => put(&mut turn.attempts, value)?,
                "open" => put(&mut turn.open, value)?,
                "remembered" => put(&mut turn.remembered, value)?,
                "permissions" => put(&mut turn.permissions, value)?,
                // A later version may keep more.
                _ => {}
            }
        }
        Some(turn)
    }
}

impl ToJson for Remembered {
    fn to_json(&self) -> Value {
        Value::Object(object([("question", self.question.clone()), ("answer", self.answer.clone())]))
    }
}

impl FromJson for Remembered {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self { question: value.get("question")?.clone(), answer: value.get("answer")?.clone() })
    }
}

serialize!(Turn, Remembered);
deserialize!(
    Turn: "an object with \"attempts\", \"remembered\" and \"permissions\"",
    Remembered: "an object with \"question\" and \"answer\""
);
