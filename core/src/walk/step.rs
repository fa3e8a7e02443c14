//! What a walk shows at one moment: plain data, borrowed from the walk.

use super::{Place, Walk};
use crate::{
    answer::Answer,
    form::{AnswerType, Choice, Question},
    outcome::Outcome,
    problem::object,
};
use serde_json::{Map, Value};

/// What the person is to be shown.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A question is open.
    Asking(Asking<'a>),
    /// All is answered; the person looks it over, changes an answer or submits.
    Review(Review<'a>),
    /// There is nothing to do but wait for the schemas to be checked.
    Checking,
    /// The walk has ended.
    Done(Outcome<'a>),
}

/// An open question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asking<'a> {
    /// The question.
    pub question: &'a Question,
    /// Where it stands in the form; hidden for a form of one question.
    pub progress: Option<Progress>,
    /// Whether Back is offered.
    pub back: bool,
    /// What the field holds at first: an earlier answer, or the default. Never an answer by itself.
    pub draft: Option<&'a Value>,
    /// Whether the answer can be remembered for the rest of the turn.
    pub remember: bool,
}

/// The place of a question in its form, skipped ones counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The place of the question, from 1.
    pub at: usize,
    /// How many questions there are.
    pub of: usize,
}

/// The answers before they are sent.
#[derive(Clone, Copy, Debug)]
pub struct Review<'a> {
    pub(super) walk: &'a Walk,
}

impl<'a> Review<'a> {
    /// Every question with its answer, in the order of the request; `None` where it was skipped.
    pub fn answers(&self) -> impl Iterator<Item = (&'a Question, Option<&'a Answer>)> {
        self.walk.form.questions.iter().zip(self.walk.answers.iter().map(Option::as_ref))
    }

    /// Whether a person gave the answer to the question with this id, and so may change it.
    pub fn may_change(&self, id: &str) -> bool {
        let questions = &self.walk.form.questions;
        self.walk.trail.iter().any(|place| questions.get(*place).is_some_and(|question| question.id == id))
    }

    /// Whether Back is offered.
    pub fn back(&self) -> bool {
        self.walk.place == Place::Review && !self.walk.trail.is_empty()
    }
}

impl Step<'_> {
    /// The JSON form, as hosts see it; the types of the npm package describe it.
    pub fn to_json(&self) -> Value {
        Value::Object(match self {
            Self::Asking(asking) => asking.to_json(),
            Self::Review(review) => object([
                ("state", "review".into()),
                ("review", true.into()),
                ("back", review.back().into()),
                ("answers", review.to_json()),
            ]),
            Self::Checking => object([("state", "checking".into()), ("review", false.into())]),
            Self::Done(outcome) => {
                object([("state", "done".into()), ("review", false.into()), ("ends", outcome.ending().name().into())])
            }
        })
    }
}

impl Asking<'_> {
    fn to_json(self) -> Map<String, Value> {
        let progress = self.progress.map(|Progress { at, of }| Value::from(vec![at, of]));
        object([
            ("state", "asking".into()),
            ("review", false.into()),
            ("asks", "person".into()),
            ("question", question_json(self.question)),
            ("progress", progress.unwrap_or_default()),
            ("back", self.back.into()),
            ("draft", self.draft.cloned().unwrap_or_default()),
            ("remember", self.remember.into()),
        ])
    }
}

impl Review<'_> {
    fn to_json(self) -> Value {
        self.answers()
            .map(|(question, answer)| {
                Value::Object(object([
                    ("id", question.id.as_str().into()),
                    ("text", question.text.as_str().into()),
                    ("asked", answer.is_some().into()),
                    ("answer", answer.map(Answer::shown).unwrap_or_default()),
                    ("change", self.may_change(&question.id).into()),
                ]))
            })
            .collect()
    }
}

fn question_json(question: &Question) -> Value {
    let mut json = object([
        ("id", question.id.as_str().into()),
        ("type", question.answer_type.name().into()),
        ("text", question.text.as_str().into()),
    ]);
    let texts = [("header", &question.header), ("context", &question.context)];
    for (key, text) in texts {
        if let Some(text) = text {
            json.insert(key.into(), text.as_str().into());
        }
    }
    match &question.answer_type {
        AnswerType::Select(choices) | AnswerType::MultiSelect(choices) => {
            json.insert("options".into(), choices.as_slice().iter().map(option_json).collect());
        }
        AnswerType::Schema(schema) => {
            json.insert("schema".into(), schema.source().clone());
        }
        AnswerType::Boolean | AnswerType::Text | AnswerType::Number | AnswerType::Secret => {}
    }
    Value::Object(json)
}

fn option_json(choice: &Choice) -> Value {
    let mut json = object([("value", choice.value.clone()), ("label", choice.label.as_str().into())]);
    for (key, text) in [("description", &choice.description), ("preview", &choice.preview)] {
        if let Some(text) = text {
            json.insert(key.into(), text.as_str().into());
        }
    }
    Value::Object(json)
}
