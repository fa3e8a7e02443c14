//! The drafts that one form leaves for the next: what the person answered or typed before they replied, or before the request was rejected. A
//! draft fills in a field and answers nothing. This module must not know how a field looks.

use super::{Walk, saved, state::At};
use crate::{
    answer::{Answer, By, Taken},
    budget::Budget,
    form::Outline,
    json::Fingerprint,
    outcome::Ending,
    problem::collected,
    question::{AnswerType, Question},
    record::asked_json,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// How many drafts of questions that a form does not ask are passed on to the next one.
const PASSED_ON: usize = 100;
/// The part of the work budget of a walk that restoring drafts may take. What is beyond starts empty.
const SHARE: u64 = 8;
/// What is typed into the fields of a question, by the end of its name: the answer, the text of "Other", the note, and what is chosen.
const FIELDS: [&str; 4] = ["", ".other", ".note", ".chosen"];

impl Walk {
    /// The drafts for the next form of the turn ([`crate::Host::drafts`]), by question id: what the person answered, where they replied or
    /// where the walk has not ended, and the drafts of this form that were not used. Empty after the end of the turn. Plain JSON without
    /// secrets. Changes after [`Walk::act`].
    ///
    /// A question of the next form starts from a draft if it has the same id, text, type and options. Never a draft of: a yes-or-no
    /// question, a tool call, a URL, a secret, a schema with `"format": "password"` or `"writeOnly": true`, an answer that the person
    /// did not give.
    pub fn drafts(&self) -> Map<String, Value> {
        self.drafts_with(&Map::new())
    }

    /// The same, with what was typed and not answered: texts by question id, and by question id with `.other`, `.note` or `.chosen`.
    pub fn drafts_with(&self, typed: &Map<String, Value>) -> Map<String, Value> {
        let is_over = match &self.state.at {
            At::Ended(Ending::TurnEnded) => return Map::new(),
            At::Ended(ending) => matches!(ending, Ending::Completed | Ending::Failed(_)),
            At::Before(_) | At::Asking(..) | At::Review => false,
        };
        // Those of this form come last: they are the newest.
        let others = self.drafts.iter().filter(|(id, _)| self.form.question(id).is_none());
        let mut all: Map<String, Value> = others.map(|(id, draft)| (id.clone(), draft.clone())).collect();
        for (place, question) in self.form.questions.iter().enumerate() {
            if is_over || !may_be_drafted(question) {
                continue;
            }
            let at = |list: &[Option<Arc<Taken>>]| list.get(place).cloned().flatten();
            let taken = at(&self.state.answers).or_else(|| at(&self.state.drafts));
            let taken = taken.filter(|taken| matches!(taken.by, By::Person { .. }));
            let mut texts = Map::new();
            for field in FIELDS {
                let text = typed.get(&format!("{}{field}", question.id)).filter(|text| text.is_string());
                texts.extend(text.map(|text| (field.to_owned(), text.clone())));
            }
            let earlier = self.drafts.get(&question.id).cloned();
            let is_new = taken.is_some() || !texts.is_empty();
            let draft = if is_new { Some(written(question, taken.as_deref(), texts)) } else { earlier };
            all.extend(draft.map(|draft| (question.id.clone(), draft)));
        }
        all
    }

    /// The texts that were typed and not answered before, for the fields of this form, by the names that [`Walk::drafts_with`] takes.
    pub fn typed_drafts(&self) -> Map<String, Value> {
        let mut typed = Map::new();
        for question in &self.form.questions {
            let texts = self.drafts.get(&question.id).and_then(|draft| draft.get("typed")?.as_object());
            for field in FIELDS {
                let text = texts.and_then(|texts| texts.get(field)).filter(|text| text.is_string());
                typed.extend(text.map(|text| (format!("{}{field}", question.id), text.clone())));
            }
        }
        typed
    }

    /// Whether a question starts from a draft of an earlier form.
    pub fn is_drafted(&self, question: &str) -> bool {
        self.drafts.contains_key(question) && self.form.question(question).is_some()
    }

    /// The drafts of the questions of this form, as a saved walk has them.
    pub(super) fn own_drafts(&self) -> Option<Value> {
        let mut own = Map::new();
        for question in &self.form.questions {
            own.extend(self.drafts.get(&question.id).map(|draft| (question.id.clone(), draft.clone())));
        }
        (!own.is_empty()).then_some(Value::Object(own))
    }
}

/// The drafts of a form, and the answers in them by the places of its questions. Drafts of its questions that do not fit are dropped.
pub(super) fn restored(form: &Outline, given: &Map<String, Value>) -> (Map<String, Value>, Vec<Option<Arc<Taken>>>) {
    let mut answers = vec![None; form.questions.len()];
    if given.is_empty() {
        return (Map::new(), answers);
    }
    let mut kept = Map::new();
    let newest = given.len().saturating_sub(form.questions.len().saturating_add(PASSED_ON));
    let others = given.iter().skip(newest).filter(|(id, _)| form.question(id).is_none());
    let older = others.clone().count().saturating_sub(PASSED_ON);
    for (id, draft) in others.skip(older) {
        kept.insert(id.clone(), draft.clone());
    }
    let mut budget = Budget::new(form.host.limits.work / SHARE);
    for (question, answer) in form.questions.iter().zip(&mut answers) {
        let draft = given.get(&question.id).filter(|_| may_be_drafted(question));
        let draft = draft.filter(|draft| draft.get("question").and_then(Value::as_str) == Some(&print(question)));
        if let Some(draft) = draft {
            *answer = read(form, question, draft, &mut budget).map(Arc::new);
            kept.insert(question.id.clone(), draft.clone());
        }
    }
    (kept, answers)
}

/// The answer of a draft, unless it cannot be one of this question.
fn read(form: &Outline, question: &Question, draft: &Value, budget: &mut Budget) -> Option<Taken> {
    let text = |name: &str| draft.get(name).and_then(Value::as_str);
    let limits = &form.host.limits;
    let content = saved::given(text("answer")?, text("other").unwrap_or_default(), limits)?;
    let note = text("note").filter(|_| question.notes).map(str::to_owned);
    Some(Taken { answer: Answer::draft(question, content, limits, budget)?, note, by: By::Person { remember: false } })
}

/// A draft: its question, what was answered, and what was typed.
fn written(question: &Question, taken: Option<&Taken>, typed: Map<String, Value>) -> Value {
    let (answer, other) = taken.map(|taken| saved::texts_of(&taken.answer)).unzip();
    let note = taken.and_then(|taken| taken.note.as_deref());
    let text = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(Value::from);
    Value::Object(collected(&mut [
        ("question", Some(print(question).into())),
        ("answer", text(answer.as_deref())),
        ("other", text(other)),
        ("note", text(note)),
        ("typed", (!typed.is_empty()).then_some(Value::Object(typed))),
    ]))
}

/// Whether a question may start from a draft of an earlier form. Never where the answer is consent, or must not be kept.
fn may_be_drafted(question: &Question) -> bool {
    match &question.answer_type {
        AnswerType::Text(_) | AnswerType::Number(_) | AnswerType::Select(_) | AnswerType::MultiSelect { .. } => true,
        AnswerType::Schema { schema } => !hides(schema.source()),
        AnswerType::Boolean | AnswerType::Secret | AnswerType::Url(_) | AnswerType::Approval(_) => false,
    }
}

/// Whether a schema has a value that must not be kept. The reader has limited how deep it nests.
fn hides(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            fields.get("format").and_then(Value::as_str) == Some("password")
                || fields.get("writeOnly") == Some(&Value::Bool(true))
                || fields.values().any(hides)
        }
        Value::Array(list) => list.iter().any(hides),
        _ => false,
    }
}

/// Tells a question from others by what a draft of it depends on: the id, the text, the type and the options.
fn print(question: &Question) -> String {
    let asked = asked_json(question);
    let part = |name: &str| asked.get(name).unwrap_or(&Value::Null);
    Fingerprint::new().text(&question.id).value(part("text")).value(part("answer_type")).to_string()
}
