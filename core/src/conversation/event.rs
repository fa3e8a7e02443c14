//! Events, effects, and why an event is refused.

use super::{
    LONGEST_ID, MOST_CALLS,
    state::{LateAnswer, ToolCall, ToolResult, present},
};
use crate::{
    json::{parse, weigh_text},
    outcome::Closing,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// Something that happened. In JSON, the field `type` has its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The person sent a message, and the host has stored it.
    Message,
    /// The model responded, and the host has stored the response. Without tool calls, the turn is over, unless an answer has come meanwhile that the model does not have yet.
    ModelResponded {
        /// The tool calls, in the order in which they run. Each has its own id.
        calls: Vec<ToolCall>,
    },
    /// The model could not be reached, and the host gives up. If an answer has come meanwhile that the request did not have, it is requested once more.
    ModelFailed,
    /// A tool has finished. If it was waiting for the person, it went on without an answer.
    ToolCompleted {
        /// The id of the call.
        call_id: String,
        /// The result.
        content: Value,
        /// Whether the result is an error message.
        is_error: bool,
    },
    /// The tool that is running asks the person.
    QuestionPending {
        /// The id of the call.
        call_id: String,
        /// The request, which the host has read as a form.
        request: Value,
        /// The dialect that it was read with. Without it, a page detects the dialect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dialect: Option<String>,
        /// The host's options that it was read with, as JSON. Clients get them. With `"blocking": false`, the agent does not wait for the answer: see
        /// [`crate::Host::blocking`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        options: Option<Value>,
        /// The walk as it is handed out, from [`crate::Walk::save`], where something was decided before the person is asked.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        walk: Option<Value>,
    },
    /// The person has done something in the form, and has not finished it.
    WalkSaved {
        /// The id of the call.
        call_id: String,
        /// The walk, from [`crate::Walk::save`].
        walk: Value,
    },
    /// The question is closed. With [`Closing::TurnEnded`] the turn is over, if the agent waited for this question; otherwise it goes on.
    Closed {
        /// The id of the call.
        call_id: String,
        /// How it was closed: what [`crate::desk::Reaction::closed`] says.
        how: Closing,
        /// The result for the model. Without one, the model gets an error that says how the question was closed.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        result: Option<Value>,
        /// If the turn ends with this question, the results of the other questions that end with it, by the ids of their calls: each as if that question had been ended itself. One that
        /// is missing is an error, as without `result`.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        results: Map<String, Value>,
    },
    /// The person stopped the agent. That ends every question that it waits for.
    Stopped {
        /// The results of these questions, by the ids of their calls, as in [`Event::Closed`].
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        results: Map<String, Value>,
    },
    /// The host was restarted and has loaded the conversation.
    Restarted,
}

/// How deep an event may nest as text, so that the state that it is stored in can be read again.
const DEEPEST: usize = 120;

impl Event {
    /// Reads an event, given as JSON text.
    ///
    /// # Errors
    /// [`UnreadableEvent`] if the text is not an event, or nests deeper than 120 levels.
    pub fn read(text: &str) -> Result<Self, UnreadableEvent> {
        let too_deep = || UnreadableEvent { reason: format!("it nests deeper than {DEEPEST} levels") };
        weigh_text(text, usize::MAX, DEEPEST).map_err(|_| too_deep())?;
        let value: Value = parse(text).map_err(|error| UnreadableEvent { reason: error.reason })?;
        serde_json::from_value(value).map_err(|error| UnreadableEvent { reason: error.to_string() })
    }
}

/// Why a text is not an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableEvent {
    /// What is missing or wrong.
    pub reason: String,
}

impl fmt::Display for UnreadableEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "This is not an event: {}.", self.reason)
    }
}

impl std::error::Error for UnreadableEvent {}

impl Event {
    /// The name, such as `model_responded`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::ModelResponded { .. } => "model_responded",
            Self::ModelFailed => "model_failed",
            Self::ToolCompleted { .. } => "tool_completed",
            Self::QuestionPending { .. } => "question_pending",
            Self::WalkSaved { .. } => "walk_saved",
            Self::Closed { .. } => "closed",
            Self::Stopped { .. } => "stopped",
            Self::Restarted => "restarted",
        }
    }

    /// The id of the call that the event is about, if it is about one.
    pub fn call_id(&self) -> Option<&str> {
        match self {
            Self::ToolCompleted { call_id, .. }
            | Self::QuestionPending { call_id, .. }
            | Self::WalkSaved { call_id, .. }
            | Self::Closed { call_id, .. } => Some(call_id),
            Self::Message
            | Self::ModelResponded { .. }
            | Self::ModelFailed
            | Self::Stopped { .. }
            | Self::Restarted => None,
        }
    }

    /// Takes out the results of the questions that end with this one.
    pub(super) fn take_results(&mut self) -> Map<String, Value> {
        match self {
            Self::Closed { results, .. } | Self::Stopped { results } => std::mem::take(results),
            _ => Map::new(),
        }
    }
}

/// Something that the host must do. In JSON: its name in `type`, and what belongs to it in `value`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Effect {
    /// Store these results for the model, in one transaction with the conversation.
    PersistResults(Vec<ToolResult>),
    /// Store these answers as messages to the model, in one transaction with the conversation. They answer calls that have their results.
    PersistMessages(Vec<LateAnswer>),
    /// Store the conversation.
    PersistState,
    /// Tell all clients.
    Notify(Notice),
    /// Run a tool. Then report [`Event::ToolCompleted`] or [`Event::QuestionPending`].
    Execute(ToolCall),
    /// Send all that is stored to the model. Then report [`Event::ModelResponded`] or [`Event::ModelFailed`].
    RequestModel,
    /// The turn is over. Nothing more happens until the next event.
    Done,
}

/// What clients are told. In JSON: the fields of `state`, `version` if there is one, and `closed` if questions were closed: one, or a list of several. `<ask-user>` takes this JSON
/// as it is, as the data of a `state_change` event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// The state. `type` is its name. With a call that runs or waits, `tool_call_id` is its id and `tool` the name of the tool. With a question,
    /// `request` is the request, `questions` its questions, `dialect` and `options` what it was read with, and `walk` the saved walk if there is one. With
    /// several questions, `requests` is a list of objects with these fields: first those that the agent waits for, each the oldest first. A question is told of also while another call runs.
    /// If the agent waits for none of them, `agent` is the name of its state.
    #[serde(flatten)]
    pub state: Value,
    /// The version of the saved walk, as an ETag, for a page that keeps walks at the host. The host sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The questions that this event closed.
    #[serde(default, with = "one_or_several", skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<Closed>,
}

/// A list in JSON: its element where it has one.
mod one_or_several {
    use super::Closed;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(Closed),
        Several(Vec<Closed>),
    }

    pub fn serialize<S: Serializer>(all: &[Closed], serializer: S) -> Result<S::Ok, S::Error> {
        match all {
            [one] => one.serialize(serializer),
            all => all.serialize(serializer),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Closed>, D::Error> {
        Ok(match Given::deserialize(deserializer)? {
            Given::One(one) => vec![one],
            Given::Several(all) => all,
        })
    }
}

/// A question that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// The id of the call that asked.
    pub tool_call_id: String,
    /// How it was closed.
    pub how: Closing,
    /// The idempotency key of the answer that closed it, so that a page knows whether that was its own. The host sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Why an event was refused. The conversation is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unexpected {
    /// A message arrived while a tool waits for the person.
    AwaitingUser {
        /// The id of the call that waits.
        call_id: String,
    },
    /// A message arrived while the agent is working.
    Busy,
    /// The event is about a call that is not open.
    NotOpen {
        /// The id of the call.
        call_id: String,
    },
    /// Two calls of one response have the same id.
    DuplicateCall {
        /// The id.
        call_id: String,
    },
    /// A call of a response has the id of a call whose question is open.
    OpenCall {
        /// The id.
        call_id: String,
    },
    /// A response has more than [`super::MOST_CALLS`] calls.
    TooManyCalls {
        /// How many.
        count: usize,
    },
    /// The id of a call is empty, or has more than [`super::LONGEST_ID`] bytes.
    UnfitId,
    /// The event cannot happen in this state.
    OutOfPlace {
        /// The name of the event.
        event: &'static str,
        /// The name of the state.
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
            Self::OpenCall { .. } => "open_call",
            Self::TooManyCalls { .. } => "too_many_calls",
            Self::UnfitId => "unfit_call_id",
            Self::OutOfPlace { .. } => "out_of_place",
        }
    }

    /// The id of the call that it is about.
    pub fn call_id(&self) -> Option<&str> {
        match self {
            Self::AwaitingUser { call_id }
            | Self::NotOpen { call_id }
            | Self::DuplicateCall { call_id }
            | Self::OpenCall { call_id } => Some(call_id),
            Self::Busy | Self::TooManyCalls { .. } | Self::UnfitId | Self::OutOfPlace { .. } => None,
        }
    }

    /// Whether it is about the calls of the model's response: none of them runs, and the model can be told why.
    pub fn is_about_calls(&self) -> bool {
        matches!(self, Self::DuplicateCall { .. } | Self::OpenCall { .. } | Self::TooManyCalls { .. } | Self::UnfitId)
    }
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AwaitingUser { .. } => f.write_str(
                "The agent waits for an answer to its question. Answer it, reply to it or end the turn, then send the message.",
            ),
            Self::Busy => f.write_str("The agent is working. Send the message when it is done, or stop it first."),
            Self::NotOpen { call_id } => write!(
                f,
                "The call {call_id:?} is not open. It may have been answered, cancelled or overtaken. Nothing was changed."
            ),
            Self::DuplicateCall { call_id } => {
                write!(f, "Two calls of one response have the id {call_id:?}. Give each call its own id.")
            }
            Self::OpenCall { call_id } => {
                write!(f, "The question of an earlier call with the id {call_id:?} is still open. Give each call its own id.")
            }
            Self::TooManyCalls { count } => {
                write!(f, "The response has {count} tool calls. Call at most {MOST_CALLS} tools at once.")
            }
            Self::UnfitId => write!(f, "A tool call has an id that is empty or has more than {LONGEST_ID} bytes. Give each call an id of its own."),
            Self::OutOfPlace { event, state } => write!(f, "The event {event} cannot happen in the state {state}."),
        }
    }
}

impl std::error::Error for Unexpected {}
