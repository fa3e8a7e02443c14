//! What lasts for one turn of the agent: how often each question was asked, and what the person asked to remember.
//! The host keeps it between the forms of a turn and drops it when the turn ends.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The memory of one turn. Remembered answers stand apart from anything else that a host may remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// How often each question was asked, by `<tool_call_id>.<question_id>`.
    pub attempts: BTreeMap<String, u64>,
    /// Remembered answers, by `<tool name>.<question_id>`.
    pub remembered: BTreeMap<String, Value>,
}

impl Turn {
    /// The JSON form: `{"attempts": {…}, "remembered": {…}}`.
    pub fn to_json(&self) -> Value {
        let attempts: Map<_, _> = self.attempts.iter().map(|(key, count)| (key.clone(), (*count).into())).collect();
        let remembered: Map<_, _> = self.remembered.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        serde_json::json!({ "attempts": attempts, "remembered": remembered })
    }

    /// Reads the JSON form, either part of which may be absent; `None` for anything else.
    pub fn from_json(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        let part = |key: &str| match fields.get(key) {
            None => Some(Map::new()),
            Some(value) => value.as_object().cloned(),
        };
        let attempts = part("attempts")?;
        Some(Self {
            attempts: attempts.into_iter().map(|(key, count)| Some((key, count.as_u64()?))).collect::<Option<_>>()?,
            remembered: part("remembered")?.into_iter().collect(),
        })
    }
}
