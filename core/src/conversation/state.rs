//! The states of a conversation, and the calls and results of tools.

use crate::problem::{collected, object};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::{collections::VecDeque, fmt};

/// The state of a conversation. In JSON, the field `state` has its name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::large_enum_variant, reason = "a conversation has one state, and states stand in no list")
)]
pub enum State {
    /// Nothing happens until the person sends a message.
    #[default]
    Idle,
    /// The host waits for the response of the model.
    RequestingModel {
        /// How many answers have come as messages since it was requested. Its response does not know of them, and belongs before them in what the model sees.
        #[serde(default, skip_serializing_if = "is_zero")]
        unheard: usize,
    },
    /// A tool is running.
    Executing {
        /// The call of this tool.
        call: ToolCall,
        /// The later calls of the same response, which have not begun.
        remaining: VecDeque<ToolCall>,
    },
    /// A tool waits for the person.
    #[serde(rename = "awaiting_user_response")]
    AwaitingUser {
        /// The call of this tool.
        call: ToolCall,
        /// The later calls of the same response, which have not begun.
        remaining: VecDeque<ToolCall>,
        /// The request of the tool, which is shown as a form.
        request: Value,
        /// The dialect that the request was read with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dialect: Option<String>,
        /// The host's options that it was read with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        options: Option<Value>,
        /// The walk as it was handed out, or as far as the person has come.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        walk: Option<Value>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Reads a value that is there, `null` too.
pub(super) fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The name of the state in which a question waits for the person.
const WAITS: &str = "awaiting_user_response";

impl State {
    /// The name: `idle`, `requesting_model`, `executing` or `awaiting_user_response`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::RequestingModel { .. } => "requesting_model",
            Self::Executing { .. } => "executing",
            Self::AwaitingUser { .. } => WAITS,
        }
    }

    /// The call that is open: it runs or waits for the person.
    pub fn call(&self) -> Option<&ToolCall> {
        match self {
            Self::Executing { call, .. } | Self::AwaitingUser { call, .. } => Some(call),
            Self::Idle | Self::RequestingModel { .. } => None,
        }
    }

    /// The question that waits for the person.
    pub(super) fn open(&self) -> Option<Open<'_>> {
        match self {
            Self::AwaitingUser { call, request, dialect, options, walk, .. } => Some(Open {
                call,
                request,
                dialect: dialect.as_deref(),
                options: options.as_ref(),
                walk: walk.as_ref(),
            }),
            Self::Idle | Self::RequestingModel { .. } | Self::Executing { .. } => None,
        }
    }

    /// The state as clients may see it while no question is open.
    pub(super) fn public_json(&self) -> Value {
        let mut json = object([("type", self.name().into())]);
        if let Some(call) = self.call() {
            json.append(&mut call.public_json());
        }
        Value::Object(json)
    }
}

/// Whether the agent waits for the answer to a question that was read with these options.
pub(super) fn is_waited_for(options: Option<&Value>) -> bool {
    options.and_then(|options| options.get("blocking")).and_then(Value::as_bool) != Some(false)
}

/// A question that is open beside the call of the state, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Beside {
    pub call: ToolCall,
    pub request: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Value>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub walk: Option<Value>,
}

impl Beside {
    pub(super) fn open(&self) -> Open<'_> {
        let Self { call, request, dialect, options, walk } = self;
        Open { call, request, dialect: dialect.as_deref(), options: options.as_ref(), walk: walk.as_ref() }
    }
}

/// A question that waits for the person.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Open<'a> {
    /// The call that asks.
    pub call: &'a ToolCall,
    /// The request of its tool, which is shown as a form.
    pub request: &'a Value,
    /// The dialect that the request was read with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<&'a str>,
    /// The host's options that it was read with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<&'a Value>,
    /// The walk as it was handed out, or as far as the person has come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walk: Option<&'a Value>,
}

impl Open<'_> {
    /// Whether the agent waits for the answer.
    pub fn is_waited_for(&self) -> bool {
        is_waited_for(self.options)
    }

    fn public_json(&self) -> Map<String, Value> {
        let mut json = self.call.public_json();
        json.append(&mut collected(&mut [
            ("questions", self.request.get("questions").cloned()),
            ("request", Some(self.request.clone())),
            ("dialect", self.dialect.map(Value::from)),
            ("options", self.options.cloned()),
            ("walk", self.walk.cloned()),
        ]));
        json
    }
}

/// Open questions as clients may see them: one with its fields, several as a list. `agent` is the state of an agent that waits for none of them.
pub(super) fn waiting(open: &[Open<'_>], agent: Option<&str>) -> Value {
    let mut json = object([("type", WAITS.into())]);
    json.extend(agent.map(|agent| ("agent".to_owned(), agent.into())));
    match open {
        [one] => json.append(&mut one.public_json()),
        several => {
            let requests = several.iter().map(|one| Value::Object(one.public_json())).collect();
            json.insert("requests".into(), requests);
        }
    }
    Value::Object(json)
}

/// A tool call of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id. No other call of the same response has it.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments.
    pub input: Value,
}

impl ToolCall {
    fn public_json(&self) -> Map<String, Value> {
        object([("tool_call_id", self.id.as_str().into()), ("tool", self.name.as_str().into())])
    }

    pub(super) fn error(self, message: String) -> ToolResult {
        ToolResult { call_id: self.id, content: message.into(), is_error: true }
    }
}

/// The result of a tool call, for the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The id of the call.
    pub call_id: String,
    /// The content.
    pub content: Value,
    /// Whether the content is an error message.
    pub is_error: bool,
}

/// The answer to a question that the agent did not wait for: a message to the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateAnswer {
    /// The id of the call that asked. It had its result when it asked.
    pub call_id: String,
    /// The answer, as the result of the call would have been.
    pub content: Value,
    /// Whether the content is an error message: there is no answer.
    pub is_error: bool,
}

/// Why a stored conversation cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableState {
    /// What is missing or wrong.
    pub reason: String,
}

impl fmt::Display for UnreadableState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The stored conversation cannot be read: {}.", self.reason)
    }
}

impl std::error::Error for UnreadableState {}
