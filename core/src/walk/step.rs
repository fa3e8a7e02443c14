//! What a walk shows at one moment: plain data, borrowed from the walk.

use super::{Place, Walk};
use crate::{
    answer::Answer,
    form::{AnswerType, Choice, Choices, Form, Question},
    outcome::Outcome,
    problem::{collected, object},
    route::{Advice, Consultation},
};
use serde_json::{Map, Value};

/// Whom a question is put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// The person answers.
    Person,
    /// The host asks an assistant ([`Asking::consultation`]) and brings back its verdict
    /// ([`crate::Action::Assistant`] or [`crate::Action::NoAssistant`]). The person can meanwhile go back, reply or end the turn.
    Assistant,
}

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
    /// Whom it is put to.
    pub asks: Asks,
    /// The question.
    pub question: &'a Question,
    /// Where an assistant advised against it, and the person has the last word: what it said.
    pub advice: Option<&'a Advice>,
    /// Where it stands in the form; hidden for a form of one question.
    pub progress: Option<Progress>,
    /// Whether Back is offered.
    pub back: bool,
    /// What the field holds at first: an earlier answer, or the default. Never an answer by itself.
    pub draft: Option<&'a Value>,
    /// The earlier answer that the draft comes from, which may have a note, or a text in place of an option.
    pub restored: Option<&'a Answer>,
    /// What the agent says above the question.
    pub message: Option<&'a str>,
    /// Whether the answer can be remembered for the rest of the turn.
    pub remember: bool,
    pub(super) form: &'a Form,
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

    /// What the agent says above all questions.
    pub fn message(&self) -> Option<&'a str> {
        self.walk.form.message()
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
            Self::Review(review) => review.to_json(),
            Self::Checking => object([("state", "checking".into()), ("review", false.into())]),
            Self::Done(outcome) => {
                object([("state", "done".into()), ("review", false.into()), ("ends", outcome.ending().name().into())])
            }
        })
    }
}

impl Asking<'_> {
    /// How to ask the assistant, where the question is put to one. Not in [`Step::to_json`]: a form that never needs it does
    /// not carry it.
    pub fn consultation(&self) -> Option<Consultation> {
        (self.asks == Asks::Assistant).then(|| Consultation::new(self.form, self.question))
    }

    /// A value to start from, at a question for JSON: the least that its schema takes. Nothing elsewhere, and while the schema is not
    /// checked.
    pub fn template(&self) -> Option<Value> {
        match &self.question.answer_type {
            AnswerType::Schema(schema) => schema.compiled().map(|compiled| compiled.template()),
            _ => None,
        }
    }

    fn to_json(self) -> Map<String, Value> {
        let progress = self.progress.map(|Progress { at, of }| Value::from(vec![at, of]));
        let asks = match self.asks {
            Asks::Person => "person",
            Asks::Assistant => "assistant",
        };
        let other = self.restored.is_some_and(|answer| answer.other().is_some());
        collected(&mut [
            ("state", Some("asking".into())),
            ("review", Some(false.into())),
            ("asks", Some(asks.into())),
            ("question", Some(question_json(self.question))),
            ("progress", Some(progress.unwrap_or_default())),
            ("back", Some(self.back.into())),
            ("draft", Some(self.draft.cloned().unwrap_or_default())),
            ("remember", Some(self.remember.into())),
            ("message", self.message.map(Value::from)),
            ("draft_note", self.restored.and_then(Answer::note).map(Value::from)),
            ("draft_other", other.then_some(true.into())),
            ("advice", self.advice.map(Advice::to_json)),
        ])
    }
}

impl Review<'_> {
    fn to_json(self) -> Map<String, Value> {
        let mut answers = Vec::new();
        for (question, answer) in self.answers() {
            answers.push(Value::Object(collected(&mut [
                ("id", Some(question.id.as_str().into())),
                ("text", Some(question.text.as_str().into())),
                ("asked", Some(answer.is_some().into())),
                ("answer", Some(answer.map(Answer::shown).unwrap_or_default())),
                ("change", Some(self.may_change(&question.id).into())),
                ("note", answer.and_then(Answer::note).map(Value::from)),
            ])));
        }
        collected(&mut [
            ("state", Some("review".into())),
            ("review", Some(true.into())),
            ("back", Some(self.back().into())),
            ("answers", Some(Value::Array(answers))),
            ("message", self.message().map(Value::from)),
        ])
    }
}

fn question_json(question: &Question) -> Value {
    let Question { header, context, placeholder, .. } = question;
    let mut json = collected(&mut [
        ("id", Some(question.id.as_str().into())),
        ("type", Some(question.answer_type.name().into())),
        ("text", Some(question.text.as_str().into())),
        ("optional", Some(question.optional.into())),
        ("notes", Some(question.notes.into())),
        ("header", optional(header)),
        ("context", optional(context)),
        ("placeholder", optional(placeholder)),
    ]);
    let at_least = |number: usize| (number > 0).then(|| number.into());
    // What is not limited is left out.
    let mut rules: [(&str, Option<Value>); 4] = [("", None), ("", None), ("", None), ("", None)];
    match &question.answer_type {
        AnswerType::Boolean | AnswerType::Secret => {}
        AnswerType::Select(choices) => add_choices(&mut json, choices),
        AnswerType::MultiSelect(choices, selections) => {
            add_choices(&mut json, choices);
            rules[0] = ("min_selections", at_least(selections.minimum));
            rules[1] = ("max_selections", selections.maximum.map(Value::from));
        }
        AnswerType::Text(text) => {
            rules = [
                ("min_length", at_least(text.min_length)),
                ("max_length", text.max_length.map(Value::from)),
                ("format", text.format.map(|format| format.name().into())),
                ("pattern", text.pattern().map(Value::from)),
            ];
        }
        AnswerType::Number(number) => {
            rules[0] = ("integer", number.integer.then_some(true.into()));
            rules[1] = ("minimum", number.minimum.clone().map(Value::Number));
            rules[2] = ("maximum", number.maximum.clone().map(Value::Number));
        }
        AnswerType::Url(link) => {
            rules[0] = ("url", Some(link.as_str().into()));
            rules[1] = ("host", Some(link.host().into()));
        }
        AnswerType::Schema(schema) => rules[0] = ("schema", Some(schema.source().clone())),
    }
    json.append(&mut collected(&mut rules));
    Value::Object(json)
}

fn add_choices(json: &mut Map<String, Value>, choices: &Choices) {
    let mut options = Vec::new();
    for Choice { value, label, description, preview } in choices.as_slice() {
        options.push(Value::Object(collected(&mut [
            ("value", Some(value.clone())),
            ("label", Some(label.as_str().into())),
            ("description", optional(description)),
            ("preview", optional(preview)),
        ])));
    }
    json.insert("options".into(), Value::Array(options));
    json.insert("other".into(), choices.other().into());
}

fn optional(text: &Option<String>) -> Option<Value> {
    text.as_deref().map(Value::from)
}
