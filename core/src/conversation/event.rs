//! What happens to a conversation, what follows from it, and what cannot happen now.

use super::state::{ToolCall, ToolResult};
use crate::problem::object;
use serde_json::Value;
use std::fmt;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The person sent a message; the host has stored it.
    Message,
    /// The model responded, perhaps with calls of tools; the host has stored the response. Without calls the agent is done.
    ModelResponded {
        /// The calls, in the order in which they are executed; their ids are distinct.
        calls: Vec<ToolCall>,
    },
    /// The model could not be requested, and the host gives up.
    ModelFailed,
    /// A tool has come to its end. While it waits for the person: it went on without an answer.
    ToolCompleted {
        /// The call.
        call_id: String,
        /// What it gave.
        content: Value,
        /// Whether that is an error.
        is_error: bool,
    },
    /// The tool that is executed asks the person.
    QuestionPending {
        /// The call.
        call_id: String,
        /// What it asks: a request that has been read as a form.
        request: Value,
    },
    /// The person has come further in the form; nothing is answered yet.
    WalkSaved {
        /// The call.
        call_id: String,
        /// The walk, as [`crate::Walk::save`] gives it.
        walk: Value,
    },
    /// The person answered the form.
    Responded {
        /// The call.
        call_id: String,
        /// The result, for the model.
        result: Value,
    },
    /// The person cancelled the form, perhaps with a message; the turn goes on.
    Declined {
        /// The call.
        call_id: String,
        /// The result, for the model.
        result: Value,
    },
    /// The person ended the turn at the form.
    Cancelled {
        /// The call.
        call_id: String,
        /// The result, in dialects that have one even then.
        result: Option<Value>,
    },
    /// The person stopped the agent.
    Stopped,
    /// The host was restarted, and has loaded the conversation.
    Restarted,
}

impl Event {
    /// The name, as errors give it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::ModelResponded { .. } => "model_responded",
            Self::ModelFailed => "model_failed",
            Self::ToolCompleted { .. } => "tool_completed",
            Self::QuestionPending { .. } => "question_pending",
            Self::WalkSaved { .. } => "walk_saved",
            Self::Responded { .. } => "responded",
            Self::Declined { .. } => "declined",
            Self::Cancelled { .. } => "cancelled",
            Self::Stopped => "stopped",
            Self::Restarted => "restarted",
        }
    }

    /// The call that it is about, if it is about one.
    pub fn call_id(&self) -> Option<&str> {
        match self {
            Self::ToolCompleted { call_id, .. }
            | Self::QuestionPending { call_id, .. }
            | Self::WalkSaved { call_id, .. }
            | Self::Responded { call_id, .. }
            | Self::Declined { call_id, .. }
            | Self::Cancelled { call_id, .. } => Some(call_id),
            Self::Message | Self::ModelResponded { .. } | Self::ModelFailed | Self::Stopped | Self::Restarted => None,
        }
    }
}

/// Something that the host is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Store these results for the model, together with the state.
    PersistResults(Vec<ToolResult>),
    /// Store the state.
    PersistState,
    /// Tell every client.
    Notify(Notice),
    /// Execute a tool, and bring its end ([`Event::ToolCompleted`]) or its question ([`Event::QuestionPending`]).
    Execute(ToolCall),
    /// Request the model with all that is stored, and bring its response.
    RequestModel,
    /// The agent is done with this turn.
    Done,
}

/// What clients are told.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The state, as clients see it: `type` is `idle`, `requesting_model`, `executing` or `awaiting_user_response`; the last has
    /// `tool_call_id`, the `request` and its `questions`, and the `walk` so far.
    pub state: Value,
    /// The question that was closed by this, and how.
    pub closed: Option<Closed>,
}

impl Notice {
    /// The JSON form: the state, with `closed` where a question was.
    pub fn to_json(&self) -> Value {
        let mut json = self.state.clone();
        if let (Some(closed), Value::Object(fields)) = (&self.closed, &mut json) {
            fields.insert("closed".into(), closed.to_json());
        }
        json
    }
}

/// How a question was closed; each with the id of its call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// It was answered.
    Answered(String),
    /// The person declined to answer it.
    Declined(String),
    /// The turn was ended.
    TurnEnded(String),
    /// The agent went on without an answer.
    Overtaken(String),
}

impl Closed {
    /// The JSON form: `tool_call_id` and `how` (`answered`, `declined`, `turn_ended` or `overtaken`).
    pub fn to_json(&self) -> Value {
        let (how, call_id) = match self {
            Self::Answered(id) => ("answered", id),
            Self::Declined(id) => ("declined", id),
            Self::TurnEnded(id) => ("turn_ended", id),
            Self::Overtaken(id) => ("overtaken", id),
        };
        Value::Object(object([("tool_call_id", call_id.as_str().into()), ("how", how.into())]))
    }
}

/// Why an event is not taken. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unexpected {
    /// A message, while the agent waits for an answer.
    AwaitingUser {
        /// The call that waits.
        call_id: String,
    },
    /// A message, while the agent is at work.
    Busy,
    /// It is about a call that is not open, or not any more.
    NotOpen {
        /// The call.
        call_id: String,
    },
    /// Two calls of one response have the same id.
    DuplicateCall {
        /// The id.
        call_id: String,
    },
    /// It cannot happen in this state.
    OutOfPlace {
        /// The event.
        event: &'static str,
        /// The state.
        state: &'static str,
    },
}

impl Unexpected {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::AwaitingUser { .. } => "awaiting_user",
            Self::Busy => "busy",
            Self::NotOpen { .. } => "not_open",
            Self::DuplicateCall { .. } => "duplicate_call",
            Self::OutOfPlace { .. } => "out_of_place",
        }
    }
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AwaitingUser { .. } => f.write_str(
                "The agent waits for an answer to its question. Answer it, reply to it or end the turn; then send the message.",
            ),
            Self::Busy => f.write_str("The agent is at work. Send the message when it is done, or stop it first."),
            Self::NotOpen { call_id } => write!(
                f,
                "The call {call_id:?} is not open: it was answered, cancelled or overtaken, or never was. Nothing was changed."
            ),
            Self::DuplicateCall { call_id } => {
                write!(f, "Two calls of one response have the id {call_id:?}. Give every call an id of its own.")
            }
            Self::OutOfPlace { event, state } => write!(f, "The event {event} cannot happen in the state {state}."),
        }
    }
}

impl std::error::Error for Unexpected {}
