//! The audit trail: for every question that is asked, a request and a response. `stream` reads and repairs stored records, `markdown`
//! renders them for people. This module does not know the walk.

mod markdown;
mod stream;

pub use markdown::to_markdown;
pub use stream::{NotLines, Stream, UnreadableRecord, mend, read};

use crate::{
    host::Source,
    json::{ToJson, serialize},
    problem::{collected, object},
    question::{AnswerType, Choice, Question},
};
use serde::{Deserialize, Serialize, de::Error};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One line of the audit trail. In JSON, the field `type` is `inquiry_request` or `inquiry_response`.
///
/// Reading also accepts the older form of a response that has no `type` and no `outcome`: `{"id": …, "answer": …}`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub enum Record {
    /// A question was asked.
    Request(Request),
    /// A question was answered, or will not be answered.
    Response(Response),
}

/// A question that was asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Request {
    /// The id that the response has, too. Written as `<tool call id>.<question id>.<attempt>`; do not take it apart.
    pub id: String,
    /// Who asks.
    pub source: Source,
    /// The question: `text` and `answer_type`, and `header`, `context`, `danger` and `default` if it has them.
    pub question: Arc<Value>,
}

/// What became of a question. In JSON, the field `outcome` is `answered`, `cancelled` or `redacted`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Response {
    /// It was answered.
    Answered {
        /// The id of the request.
        id: String,
        /// The answer.
        answer: Value,
        /// The answer as JSON text, where a number in it has more digits than every reader of JSON holds.
        #[serde(default)]
        answer_text: Option<String>,
        /// The note that was written beside the answer.
        #[serde(default)]
        note: Option<String>,
        /// The reason that was given for the answer.
        #[serde(default)]
        reason: Option<String>,
    },
    /// It was not answered.
    Cancelled {
        /// The id of the request.
        id: String,
        /// Why it was not answered. Read as [`Cancelled::User`] if it is missing.
        #[serde(default)]
        reason: Cancelled,
    },
    /// A secret was given. It is not recorded.
    Redacted {
        /// The id of the request.
        id: String,
    },
}

/// Why a question was not answered. In JSON, one word in snake case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Cancelled {
    /// The person cancelled the form or ended the turn.
    #[default]
    User,
    /// The person went back to an earlier question.
    Back,
    /// The assistant gave no answer, or one that does not fit.
    BackendError,
    /// There was nobody to ask.
    NoPromptBackend,
    /// The question was set to go to an assistant, and an assistant must not answer it.
    AssistantRoutingDenied,
    /// The fixed answer of the host's configuration does not fit.
    InvalidStaticAnswer,
    /// The time for an answer was over.
    Expired,
    /// Any other word, kept unchanged.
    Other(String),
}

impl Record {
    /// The id that a request and its response share.
    pub fn id(&self) -> &str {
        match self {
            Self::Request(Request { id, .. })
            | Self::Response(
                Response::Answered { id, .. } | Response::Cancelled { id, .. } | Response::Redacted { id },
            ) => id,
        }
    }
}

impl ToJson for Record {
    fn to_json(&self) -> Value {
        let (kind, mut fields) = match self {
            Self::Request(request) => ("inquiry_request", request.fields()),
            Self::Response(response) => ("inquiry_response", response.fields()),
        };
        let mut json = object([("type", kind.into())]);
        json.append(&mut fields);
        Value::Object(json)
    }
}

impl Request {
    fn fields(&self) -> Map<String, Value> {
        object([
            ("id", self.id.as_str().into()),
            ("source", self.source.to_json()),
            ("question", Value::clone(&self.question)),
        ])
    }
}

impl Response {
    fn fields(&self) -> Map<String, Value> {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let (outcome, id, answer, answer_text, note, reason) = match self {
            Self::Answered { id, answer, answer_text, note, reason } => {
                ("answered", id, Some(answer.clone()), text(answer_text), text(note), text(reason))
            }
            Self::Cancelled { id, reason } => ("cancelled", id, None, None, None, Some(reason.as_str().into())),
            Self::Redacted { id } => ("redacted", id, None, None, None, None),
        };
        collected(&mut [
            ("outcome", Some(outcome.into())),
            ("id", Some(id.as_str().into())),
            ("answer", answer),
            ("answer_text", answer_text),
            ("note", note),
            ("reason", reason),
        ])
    }
}

impl ToJson for Request {
    fn to_json(&self) -> Value {
        Value::Object(self.fields())
    }
}

impl ToJson for Response {
    fn to_json(&self) -> Value {
        Value::Object(self.fields())
    }
}

serialize!(Record, Request, Response);

impl TryFrom<Map<String, Value>> for Record {
    type Error = serde_json::Error;

    fn try_from(mut fields: Map<String, Value>) -> Result<Self, Self::Error> {
        let is_request = match fields.get("type").map(Value::as_str) {
            Some(Some("inquiry_request")) => true,
            Some(Some("inquiry_response")) | None => false,
            Some(_) => return Err(Self::Error::custom("`type` is neither `inquiry_request` nor `inquiry_response`")),
        };
        if is_request {
            return Request::deserialize(Value::Object(fields)).map(Self::Request);
        }
        if !fields.contains_key("outcome") {
            fields.insert("outcome".into(), "answered".into());
        }
        Response::deserialize(Value::Object(fields)).map(Self::Response)
    }
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
            Self::Expired => "expired",
            Self::Other(word) => word,
        }
    }
}

impl From<String> for Cancelled {
    fn from(word: String) -> Self {
        match word.as_str() {
            "user" => Self::User,
            "back" => Self::Back,
            "backend_error" => Self::BackendError,
            "no_prompt_backend" => Self::NoPromptBackend,
            "assistant_routing_denied" => Self::AssistantRoutingDenied,
            "invalid_static_answer" => Self::InvalidStaticAnswer,
            "expired" => Self::Expired,
            _ => Self::Other(word),
        }
    }
}

impl From<Cancelled> for String {
    fn from(reason: Cancelled) -> Self {
        reason.as_str().to_owned()
    }
}

/// A question as its record has it.
pub(crate) fn question_json(question: &Question) -> Value {
    let mut json = asked_json(question);
    if let (Some(default), Value::Object(fields)) = (question.suggestion(), &mut json) {
        fields.insert("default".into(), default.clone());
    }
    json
}

/// A question as its record has it, without `default`.
pub(crate) fn asked_json(question: &Question) -> Value {
    let mut answer_type = object([("type", question.answer_type.name().into())]);
    match &question.answer_type {
        AnswerType::Select(choices) | AnswerType::MultiSelect { choices, .. } => {
            answer_type.insert("options".into(), choices.as_slice().iter().map(option_json).collect());
        }
        AnswerType::Schema { schema } => {
            answer_type.insert("schema".into(), schema.source().clone());
        }
        AnswerType::Url(link) => {
            answer_type.insert("url".into(), link.as_str().into());
        }
        AnswerType::Approval(approval) => {
            answer_type.insert("tool".into(), approval.tool.as_str().into());
            answer_type.insert("arguments".into(), approval.arguments.clone());
            answer_type.insert("decisions".into(), approval.decisions.iter().map(|decision| decision.name()).collect());
            approval.add_to(&mut answer_type);
        }
        AnswerType::Boolean | AnswerType::Text(_) | AnswerType::Number(_) | AnswerType::Secret => {}
    }
    let mut json = object([("text", question.text.as_str().into()), ("answer_type", Value::Object(answer_type))]);
    for (name, text) in [("header", &question.header), ("context", &question.context)] {
        json.extend(text.as_deref().map(|text| (name.to_owned(), text.into())));
    }
    mark(&mut json, "danger", question.danger);
    Value::Object(json)
}

/// Says that something is so. What is not so is left out.
fn mark(json: &mut Map<String, Value>, name: &str, is_so: bool) {
    if is_so {
        json.insert(name.to_owned(), true.into());
    }
}

fn option_json(choice: &Choice) -> Value {
    let mut json = object([("value", choice.value.clone())]);
    if choice.value.as_str() != Some(&choice.label) {
        json.insert("label".into(), choice.label.as_str().into());
    }
    for (name, text) in [("description", &choice.description), ("preview", &choice.preview)] {
        json.extend(text.as_deref().map(|text| (name.to_owned(), text.into())));
    }
    mark(&mut json, "recommended", choice.recommended);
    mark(&mut json, "danger", choice.danger);
    Value::Object(json)
}
