//! The earlier tool calls of a turn, as a host hands them in.

use crate::{
    json::{FromJson, ToJson, serialize},
    problem::object,
};
use serde_json::Value;
use std::sync::Arc;

/// A tool call that the agent made earlier in the turn. In JSON: `{"tool": …, "arguments": …}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// The name of the tool, as the agent has it.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
}

/// The earlier tool calls of a turn. At most [`Calls::MOST`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calls(Option<Arc<[Called]>>);

impl Calls {
    /// How many calls count. Of more, the last.
    pub const MOST: usize = 1_000;

    /// The calls, in their order.
    pub fn as_slice(&self) -> &[Called] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl FromIterator<Called> for Calls {
    fn from_iter<T: IntoIterator<Item = Called>>(calls: T) -> Self {
        let mut all: Vec<Called> = calls.into_iter().collect();
        all.drain(..all.len().saturating_sub(Self::MOST));
        Self((!all.is_empty()).then(|| all.into()))
    }
}

impl ToJson for Calls {
    fn to_json(&self) -> Value {
        let call = |call: &Called| {
            Value::Object(object([("tool", call.tool.as_str().into()), ("arguments", call.arguments.clone())]))
        };
        self.as_slice().iter().map(call).collect()
    }
}

impl FromJson for Calls {
    fn from_json(value: &Value) -> Option<Self> {
        let call = |value: &Value| {
            let fields = value.as_object()?;
            let is_known = fields.keys().all(|name| name == "tool" || name == "arguments");
            let tool = fields.get("tool").filter(|_| is_known)?.as_str()?.to_owned();
            Some(Called { tool, arguments: fields.get("arguments").cloned().unwrap_or_default() })
        };
        value.as_array()?.iter().map(call).collect()
    }
}

serialize!(Calls);
