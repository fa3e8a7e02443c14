//! The audit trail: a pair of request and response for every question that is put to somebody. Reading and mending of what
//! earlier versions wrote is in `stream`, a rendering for people in `markdown`. Knows no walk.

mod markdown;
mod stream;

pub use markdown::to_markdown;
pub use stream::{Stream, mend, read};

use crate::{
    form::{AnswerType, Choice, Question},
    host::Source,
    problem::object,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One line of the audit trail.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A question was put to somebody.
    Request {
        /// `<tool_call_id>.<question_id>.<attempt>`; readers take it as opaque.
        id: String,
        /// Who asks.
        source: Source,
        /// The question in its JSON form: `text`, `answer_type`, and `default` where there is one.
        question: Arc<Value>,
    },
    /// What became of it.
    Response {
        /// The id of the request.
        id: String,
        /// What became of it.
        outcome: Response,
    },
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// It was answered.
    Answered {
        /// The answer.
        answer: Value,
        /// A note beside it.
        note: Option<String>,
        /// Why, where somebody said so.
        reason: Option<String>,
    },
    /// It was left unanswered.
    Cancelled {
        /// Why.
        reason: Cancelled,
    },
    /// A secret was given; no more is recorded.
    Redacted,
}

/// Why a question was left unanswered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// The person replied, or ended the turn.
    User,
    /// The person went back to an earlier question.
    Back,
    /// Whoever was to answer did not, or not with an answer that fits.
    BackendError,
    /// There was nobody to ask.
    NoPromptBackend,
    /// The assistant must not answer this question.
    AssistantRoutingDenied,
    /// The host's configuration has an answer that does not fit.
    InvalidStaticAnswer,
    /// Any other word, kept as it is.
    Other(String),
}

impl Cancelled {
    /// The word that stands in a record.
    pub fn as_str(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Back => "back",
            Self::BackendError => "backend_error",
            Self::NoPromptBackend => "no_prompt_backend",
            Self::AssistantRoutingDenied => "assistant_routing_denied",
            Self::InvalidStaticAnswer => "invalid_static_answer",
            Self::Other(word) => word,
        }
    }

    fn from_word(word: &str) -> Self {
        match word {
            "user" => Self::User,
            "back" => Self::Back,
            "backend_error" => Self::BackendError,
            "no_prompt_backend" => Self::NoPromptBackend,
            "assistant_routing_denied" => Self::AssistantRoutingDenied,
            "invalid_static_answer" => Self::InvalidStaticAnswer,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// What reading one line of an audit trail gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRecord {
    /// What is missing or wrong.
    pub reason: &'static str,
}

impl std::fmt::Display for UnreadableRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "This is no record of an inquiry: {}.", self.reason)
    }
}

impl std::error::Error for UnreadableRecord {}

impl Record {
    /// The JSON form.
    pub fn to_json(&self) -> Value {
        let json = match self {
            Self::Request { id, source, question } => object([
                ("type", "inquiry_request".into()),
                ("id", id.as_str().into()),
                ("source", source.to_json()),
                ("question", Value::clone(question)),
            ]),
            Self::Response { id, outcome } => {
                let word = match outcome {
                    Response::Answered { .. } => "answered",
                    Response::Cancelled { .. } => "cancelled",
                    Response::Redacted => "redacted",
                };
                let mut json =
                    object([("type", "inquiry_response".into()), ("outcome", word.into()), ("id", id.as_str().into())]);
                match outcome {
                    Response::Answered { answer, note, reason } => {
                        json.insert("answer".into(), answer.clone());
                        if let Some(note) = note {
                            json.insert("note".into(), note.as_str().into());
                        }
                        if let Some(reason) = reason {
                            json.insert("reason".into(), reason.as_str().into());
                        }
                    }
                    Response::Cancelled { reason } => {
                        json.insert("reason".into(), reason.as_str().into());
                    }
                    Response::Redacted => {}
                }
                json
            }
        };
        Value::Object(json)
    }

    /// Reads one line. The older flat form `{"id", "answer"}` is an answered response; `cancelled` without a reason is
    /// `user`.
    pub fn from_json(value: &Value) -> Result<Self, UnreadableRecord> {
        let unreadable = |reason| UnreadableRecord { reason };
        let fields = value.as_object().ok_or(unreadable("it is not an object"))?;
        let text = |key: &str| fields.get(key).and_then(Value::as_str);
        let id = text("id").ok_or(unreadable("\"id\" is missing or not a string"))?.to_owned();
        let answer = || fields.get("answer").cloned().ok_or(unreadable("\"answer\" is missing"));
        match (text("type"), text("outcome")) {
            (Some("inquiry_request"), _) => Ok(Self::Request {
                id,
                source: fields
                    .get("source")
                    .and_then(Source::from_json)
                    .ok_or(unreadable("\"source\" names nobody"))?,
                question: Arc::new(fields.get("question").cloned().ok_or(unreadable("\"question\" is missing"))?),
            }),
            (Some("inquiry_response"), Some("answered")) | (Some("inquiry_response") | None, None) => {
                let (note, reason) = (text("note").map(str::to_owned), text("reason").map(str::to_owned));
                Ok(Self::Response { id, outcome: Response::Answered { answer: answer()?, note, reason } })
            }
            (Some("inquiry_response"), Some("cancelled")) => {
                let reason = text("reason").map_or(Cancelled::User, Cancelled::from_word);
                Ok(Self::Response { id, outcome: Response::Cancelled { reason } })
            }
            (Some("inquiry_response"), Some("redacted")) => Ok(Self::Response { id, outcome: Response::Redacted }),
            (Some("inquiry_response"), Some(_)) => Err(unreadable("there is no such \"outcome\"")),
            (Some(_) | None, _) => Err(unreadable("there is no such \"type\"")),
        }
    }
}

/// A question as it stands in a record.
pub(crate) fn question_json(question: &Question) -> Value {
    let mut answer_type = object([("type", question.answer_type.name().into())]);
    match &question.answer_type {
        AnswerType::Select(choices) | AnswerType::MultiSelect(choices, _) => {
            answer_type.insert("options".into(), choices.as_slice().iter().map(option_json).collect());
        }
        AnswerType::Schema(schema) => {
            answer_type.insert("schema".into(), schema.source().clone());
        }
        AnswerType::Url(link) => {
            answer_type.insert("url".into(), link.as_str().into());
        }
        AnswerType::Boolean | AnswerType::Text(_) | AnswerType::Number(_) | AnswerType::Secret => {}
    }
    let mut json = object([("text", question.text.as_str().into()), ("answer_type", Value::Object(answer_type))]);
    if let Some(default) = &question.default {
        json.insert("default".into(), default.clone());
    }
    Value::Object(json)
}

fn option_json(choice: &Choice) -> Value {
    let mut json: Map<_, _> = object([("value", choice.value.clone())]);
    if choice.value.as_str() != Some(&choice.label) {
        json.insert("label".into(), choice.label.as_str().into());
    }
    if let Some(description) = &choice.description {
        json.insert("description".into(), description.as_str().into());
    }
    Value::Object(json)
}
