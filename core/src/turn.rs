//! What lasts for one turn of the agent: how often each question was asked, and what the person asked to remember: answers,
//! and permissions of tools.
//! The host keeps it between the forms of a turn and drops it when the turn ends.

use crate::{json::Numbers, problem::object};
use serde_json::{Map, Value};

/// The memory of one turn. Answers and permissions stand apart: neither ever counts as the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// How often each question was asked, by `<tool_call_id>.<question_id>`.
    pub attempts: Numbers,
    /// Remembered answers, by `<tool name>.<question_id>`.
    pub remembered: Map<String, Value>,
    /// Remembered permissions, `true` or `false` by the name of the tool.
    pub permissions: Map<String, Value>,
}

impl Turn {
    /// Remembers until the turn ends whether a tool may run.
    pub fn remember_permission(&mut self, tool: &str, granted: bool) {
        self.permissions.insert(tool.to_owned(), granted.into());
    }

    /// The JSON form: `{"attempts": {…}, "remembered": {…}}`, and `permissions` where there are any.
    pub fn to_json(&self) -> Value {
        let remembered = Value::Object(self.remembered.clone());
        let mut json = object([("attempts", self.attempts.to_json()), ("remembered", remembered)]);
        if !self.permissions.is_empty() {
            json.insert("permissions".into(), Value::Object(self.permissions.clone()));
        }
        Value::Object(json)
    }

    /// Reads the JSON form, any part of which may be absent; `None` for anything else.
    pub fn from_json(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        let part = |key: &str| match fields.get(key) {
            Some(value) => value.as_object().cloned(),
            None => Some(Map::new()),
        };
        let permissions = part("permissions").filter(|granted| granted.values().all(Value::is_boolean))?;
        Some(Self {
            attempts: fields.get("attempts").map_or_else(|| Some(Numbers::default()), Numbers::from_json)?,
            remembered: part("remembered")?,
            permissions,
        })
    }
}
