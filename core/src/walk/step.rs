//! What a walk shows at one moment, as plain data.

use super::event::Asks;
use crate::{
    answer::Advice,
    json::{ToJson, serialize},
    outcome::Ends,
    problem::{collected, object},
    question::Question,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What to show now.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Step {
    /// A question is open.
    Asking(Box<Asking>),
    /// Everything is answered. The person reviews it, changes an answer or submits.
    Review(Review),
    /// The schemas are still being compiled. There is nothing to do but wait.
    Checking,
    /// What follows in the request is still being written. There is nothing to answer until it is there. What the person has sent already, such as
    /// a reply, is sent then.
    Waiting {
        /// Whether Back is offered.
        back: bool,
    },
    /// The walk has ended. See [`crate::Walk::outcome`].
    Done {
        /// How it ended.
        ends: Ends,
    },
}

/// An open question.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Asking {
    /// Whom it is put to.
    pub asks: Asks,
    /// The question.
    pub question: Arc<Question>,
    /// Its place in the form. `None` in a form of one question, once that is known.
    pub progress: Option<Progress>,
    /// Whether Back is offered.
    pub back: bool,
    /// What the field holds at first: an earlier answer, or the default. Never an answer by itself.
    pub draft: Option<Value>,
    /// Whether the draft is an answer that the person gave before, and not the agent's default.
    #[serde(default)]
    pub draft_answered: bool,
    /// Whether the draft is a free text in place of an option, or the last of a list is.
    #[serde(default)]
    pub draft_other: bool,
    /// The note beside the earlier answer.
    #[serde(default)]
    pub draft_note: Option<String>,
    /// The draft as JSON text, where a number in it has more digits than every reader of JSON holds.
    #[serde(default)]
    pub draft_text: Option<String>,
    /// Whether the answer can be remembered for the rest of the turn.
    pub remember: bool,
    /// What the agent says above the question.
    #[serde(default)]
    pub message: Option<Arc<str>>,
    /// The advice of an assistant that answered no, where the person has the last word.
    #[serde(default)]
    pub advice: Option<Advice>,
}

/// The place of a question in its form, skipped ones counted. In JSON `[at, of]`, where `of` may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(usize, Option<usize>)", into = "(usize, Option<usize>)")]
pub struct Progress {
    /// The place of the question, from 1.
    pub at: usize,
    /// How many questions there are. `None` while the request is still being written.
    pub of: Option<usize>,
}

impl From<(usize, Option<usize>)> for Progress {
    fn from((at, of): (usize, Option<usize>)) -> Self {
        Self { at, of }
    }
}

impl From<Progress> for (usize, Option<usize>) {
    fn from(Progress { at, of }: Progress) -> Self {
        (at, of)
    }
}

/// The answers before they are sent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Review {
    /// Whether Back is offered.
    pub back: bool,
    /// Every question with its answer, in the order of the form.
    pub answers: Vec<Reviewed>,
    /// What the agent says above all questions.
    #[serde(default)]
    pub message: Option<Arc<str>>,
}

/// A question and its answer in a review.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Reviewed {
    /// The id of the question.
    pub id: String,
    /// The question.
    pub text: String,
    /// Whether it was asked. False: it was skipped.
    pub asked: bool,
    /// The answer. A secret is `"[redacted]"`; null if the question was skipped or left empty.
    pub answer: Value,
    /// Whether the person gave the answer, and so may change it.
    pub change: bool,
    /// The note beside the answer.
    #[serde(default)]
    pub note: Option<String>,
}

impl ToJson for Step {
    fn to_json(&self) -> Value {
        let (state, mut fields) = match self {
            Self::Asking(asking) => return asking.to_json(),
            Self::Review(review) => ("review", review.fields()),
            Self::Checking => ("checking", Map::new()),
            Self::Waiting { back } => ("waiting", object([("back", (*back).into())])),
            Self::Done { ends } => ("done", object([("ends", ends.name().into())])),
        };
        let mut json = object([("state", state.into())]);
        json.append(&mut fields);
        Value::Object(json)
    }
}

impl Asking {
    fn fields(&self) -> Map<String, Value> {
        let asks = match self.asks {
            Asks::Person => "person",
            Asks::Assistant => "assistant",
        };
        let progress = self.progress.map_or(Value::Null, |Progress { at, of }| {
            Value::Array(vec![at.into(), of.map_or(Value::Null, Value::from)])
        });
        collected(&mut [
            ("asks", Some(asks.into())),
            ("question", Some(Value::Object(self.question.to_json()))),
            ("progress", Some(progress)),
            ("back", Some(self.back.into())),
            ("draft", Some(self.draft.clone().unwrap_or_default())),
            ("draft_answered", self.draft_answered.then_some(true.into())),
            ("draft_other", self.draft_other.then_some(true.into())),
            ("draft_note", self.draft_note.as_deref().map(Value::from)),
            ("draft_text", self.draft_text.as_deref().map(Value::from)),
            ("remember", Some(self.remember.into())),
            ("message", self.message.as_deref().map(Value::from)),
            ("advice", self.advice.as_ref().map(ToJson::to_json)),
        ])
    }
}

impl Review {
    fn fields(&self) -> Map<String, Value> {
        collected(&mut [
            ("back", Some(self.back.into())),
            ("answers", Some(self.answers.iter().map(ToJson::to_json).collect())),
            ("message", self.message.as_deref().map(Value::from)),
        ])
    }
}

impl ToJson for Reviewed {
    fn to_json(&self) -> Value {
        Value::Object(collected(&mut [
            ("id", Some(self.id.as_str().into())),
            ("text", Some(self.text.as_str().into())),
            ("asked", Some(self.asked.into())),
            ("answer", Some(self.answer.clone())),
            ("change", Some(self.change.into())),
            ("note", self.note.as_deref().map(Value::from)),
        ]))
    }
}

/// As a step: a page is a list of such.
impl ToJson for Asking {
    fn to_json(&self) -> Value {
        let mut json = object([("state", "asking".into())]);
        json.append(&mut self.fields());
        Value::Object(json)
    }
}

impl ToJson for Review {
    fn to_json(&self) -> Value {
        Value::Object(self.fields())
    }
}

serialize!(Step, Asking, Review, Reviewed);
