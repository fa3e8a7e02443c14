//! The states, and how they are stored.

use crate::problem::object;
use serde_json::{Map, Value};
use std::fmt;

/// Where a conversation stands.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Between turns.
    Idle,
    /// The model is requested.
    RequestingModel,
    /// A tool is executed. The calls of the same response before it have their results.
    Executing {
        /// The call.
        call: ToolCall,
        /// The calls after it.
        remaining: Vec<ToolCall>,
    },
    /// A tool waits for the person.
    AwaitingUser {
        /// The call.
        call: ToolCall,
        /// The calls after it.
        remaining: Vec<ToolCall>,
        /// What it asks.
        request: Value,
        /// How far the person has come in the form: a saved walk.
        walk: Option<Value>,
    },
}

impl State {
    /// The name: `idle`, `requesting_model`, `executing` or `awaiting_user_response`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::RequestingModel => "requesting_model",
            Self::Executing { .. } => "executing",
            Self::AwaitingUser { .. } => "awaiting_user_response",
        }
    }

    /// The call that is open.
    pub fn call(&self) -> Option<&ToolCall> {
        match self {
            Self::Executing { call, .. } | Self::AwaitingUser { call, .. } => Some(call),
            Self::Idle | Self::RequestingModel => None,
        }
    }

    pub(super) fn to_json(&self) -> Map<String, Value> {
        let mut json = object([("state", self.name().into())]);
        if let Self::Executing { call, remaining } | Self::AwaitingUser { call, remaining, .. } = self {
            json.insert("call".into(), call.to_json());
            json.insert("remaining".into(), remaining.iter().map(ToolCall::to_json).collect());
        }
        if let Self::AwaitingUser { request, walk, .. } = self {
            json.insert("request".into(), request.clone());
            json.extend(walk.clone().map(|walk| ("walk".to_owned(), walk)));
        }
        json
    }

    pub(super) fn from_json(value: &Value) -> Result<Self, UnreadableState> {
        let unreadable = |reason| UnreadableState { reason };
        let part = |key: &'static str| value.get(key).ok_or(unreadable("a part of the state is missing"));
        let call = || ToolCall::from_json(part("call")?).ok_or(unreadable("\"call\" is no call"));
        let remaining = || {
            let list = part("remaining")?.as_array().ok_or(unreadable("\"remaining\" is no list"))?;
            let calls: Option<Vec<ToolCall>> = list.iter().map(ToolCall::from_json).collect();
            calls.ok_or(unreadable("\"remaining\" holds something that is no call"))
        };
        match part("state")?.as_str() {
            Some("idle") => Ok(Self::Idle),
            Some("requesting_model") => Ok(Self::RequestingModel),
            Some("executing") => Ok(Self::Executing { call: call()?, remaining: remaining()? }),
            Some("awaiting_user_response") => Ok(Self::AwaitingUser {
                call: call()?,
                remaining: remaining()?,
                request: part("request")?.clone(),
                walk: value.get("walk").cloned(),
            }),
            Some(_) | None => Err(unreadable("there is no such state")),
        }
    }

    /// What clients may see: not the calls that are still to come.
    pub(super) fn public_json(&self) -> Value {
        let mut json = object([("type", self.name().into())]);
        if let Some(call) = self.call() {
            json.insert("tool_call_id".into(), call.id.as_str().into());
            json.insert("tool".into(), call.name.as_str().into());
        }
        if let Self::AwaitingUser { request, walk, .. } = self {
            json.extend(request.get("questions").map(|questions| ("questions".to_owned(), questions.clone())));
            json.insert("request".into(), request.clone());
            json.extend(walk.clone().map(|walk| ("walk".to_owned(), walk)));
        }
        Value::Object(json)
    }
}

/// A call of a tool, as the model wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Its id, distinct among the calls of a response.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments.
    pub input: Value,
}

impl ToolCall {
    /// The JSON form: `id`, `name`, `input`.
    pub fn to_json(&self) -> Value {
        let (id, name) = (self.id.as_str().into(), self.name.as_str().into());
        Value::Object(object([("id", id), ("name", name), ("input", self.input.clone())]))
    }

    /// Reads the JSON form; `None` for anything else.
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| Some(value.get(key)?.as_str()?.to_owned());
        Some(Self { id: text("id")?, name: text("name")?, input: value.get("input")?.clone() })
    }

    pub(super) fn error(&self, message: &str) -> ToolResult {
        ToolResult { call_id: self.id.clone(), content: message.into(), is_error: true }
    }
}

/// What a call gave, for the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The call.
    pub call_id: String,
    /// What it gave.
    pub content: Value,
    /// Whether that is an error.
    pub is_error: bool,
}

/// Why a stored conversation cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableState {
    /// What is missing or wrong.
    pub reason: &'static str,
}

impl fmt::Display for UnreadableState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "This is no stored conversation: {}.", self.reason)
    }
}

impl std::error::Error for UnreadableState {}
