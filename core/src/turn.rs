//! What lasts for one turn of the agent: how often each question was asked, and what the person asked to remember.

use crate::json::{Named, Numbers};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The memory of one turn. Keep it between the forms of a turn, and drop it when the turn ends.
///
/// In JSON: `{"attempts": {…}, "remembered": {…}, "permissions": {…}}`. Each may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Turn {
    /// How often each question was asked, by `<tool call id>.<question id>`.
    pub attempts: Numbers,
    /// The answers that the person asked to remember, by `<tool name>.<question id>`.
    pub remembered: Named<Remembered>,
    /// The remembered permissions, by tool name: whether the tool may run. A remembered answer is never a permission.
    #[serde(skip_serializing_if = "Named::is_empty")]
    pub permissions: Named<bool>,
}

/// A remembered answer. It counts only for a question whose record is equal to this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// The question, as its record has it, without `default`.
    pub question: Value,
    /// The answer.
    pub answer: Value,
}

impl Turn {
    /// Remembers for the rest of the turn whether a tool may run.
    pub fn remember_permission(&mut self, tool: &str, granted: bool) {
        self.permissions.set(tool.to_owned(), granted);
    }
}
