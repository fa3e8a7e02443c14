//! What lasts for one turn of the agent: how often each question was asked, and what the person asked to remember.
//! The host keeps it between the forms of a turn and drops it when the turn ends.

use crate::{json::Numbers, problem::object};
use serde_json::{Map, Value};

/// The memory of one turn. Remembered answers stand apart from anything else that a host may remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// How often each question was asked, by `<tool_call_id>.<question_id>`.
    pub attempts: Numbers,
    /// Remembered answers, by `<tool name>.<question_id>`.
    pub remembered: Map<String, Value>,
}

impl Turn {
    /// The JSON form: `{"attempts": {…}, "remembered": {…}}`.
    pub fn to_json(&self) -> Value {
        let remembered = Value::Object(self.remembered.clone());
        Value::Object(object([("attempts", self.attempts.to_json()), ("remembered", remembered)]))
    }

    /// Reads the JSON form, either part of which may be absent; `None` for anything else.
    pub fn from_json(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        Some(Self {
            attempts: fields.get("attempts").map_or_else(|| Some(Numbers::default()), Numbers::from_json)?,
            remembered: fields
                .get("remembered")
                .map_or_else(|| Some(Map::new()), |value| value.as_object().cloned())?,
        })
    }
}
