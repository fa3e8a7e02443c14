//! The drafts that one form leaves for the next: what the person answered or typed before they replied, or before the request was rejected. A
//! draft fills in a field and answers nothing. This module must not know how a field looks, or what a walk is.

use super::{
    saved,
    state::{At, State},
};
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
/// The part of that for one question of a form that grows.
const PARTS: u64 = 64;
/// What is typed into the fields of a question, by the end of its name: the answer, the text of "Other", the note, and what is chosen.
const FIELDS: [&str; 4] = ["", ".other", ".note", ".chosen"];

/// What [`super::Walk::drafts_with`] gives: `given` are the drafts that the form of `state` began with.
pub(super) fn left(
    form: &Outline,
    state: &State,
    given: &Map<String, Value>,
    typed: &Map<String, Value>,
) -> Map<String, Value> {
    let is_over = match &state.at {
        At::Ended(Ending::TurnEnded) => return Map::new(),
        At::Ended(ending) => matches!(ending, Ending::Completed | Ending::Failed(_)),
        At::Before(_) | At::Asking(..) | At::Review => false,
    };
    // Those of this form come last: they are the newest.
    let others = given.iter().filter(|(id, _)| form.question(id).is_none());
    let mut all: Map<String, Value> = others.map(|(id, draft)| (id.clone(), draft.clone())).collect();
    for (question, slot) in form.questions.iter().zip(&state.slots) {
        if is_over || !may_be_drafted(question) {
            continue;
        }
        let taken = slot.answer.as_ref().or(slot.draft.as_ref());
        let taken = taken.filter(|taken| matches!(taken.by, By::Person { .. }));
        let mut texts = Map::new();
        for field in FIELDS {
            let text = typed.get(&format!("{}{field}", question.id)).filter(|text| text.is_string());
            texts.extend(text.map(|text| (field.to_owned(), text.clone())));
        }
        let earlier = given.get(&question.id).cloned();
        let is_new = taken.is_some() || !texts.is_empty();
        let draft = if is_new { Some(written(question, taken.map(|taken| &**taken), texts)) } else { earlier };
        all.extend(draft.map(|draft| (question.id.clone(), draft)));
    }
    all
}

/// The texts in the drafts of a form's questions that were typed and not answered, by the names of their fields.
pub(super) fn typed(form: &Outline, given: &Map<String, Value>) -> Map<String, Value> {
    let mut typed = Map::new();
    for question in &form.questions {
        let texts = given.get(&question.id).and_then(|draft| draft.get("typed")?.as_object());
        for field in FIELDS {
            let text = texts.and_then(|texts| texts.get(field)).filter(|text| text.is_string());
            typed.extend(text.map(|text| (format!("{}{field}", question.id), text.clone())));
        }
    }
    typed
}

/// What was drafted for the questions of this form, and fits.
pub(super) fn of_form(form: &Outline, given: &Map<String, Value>) -> Map<String, Value> {
    let fits = |question: &Arc<Question>| Some((question.id.clone(), fitting(question, given)?.clone()));
    form.questions.iter().filter_map(fits).collect()
}

/// The texts that were typed into the fields of this form, but for those of secrets.
pub(super) fn typed_of_form(form: &Outline, given: &Map<String, Value>) -> Map<String, Value> {
    let is_open = |question: &&Arc<Question>| match &question.answer_type {
        AnswerType::Secret => false,
        AnswerType::Schema { schema } => !hides(schema.source()),
        _ => true,
    };
    let names = form.questions.iter().filter(is_open).flat_map(|one| FIELDS.map(|field| format!("{}{field}", one.id)));
    let typed = |name: String| given.get(&name).filter(|text| text.is_string()).cloned().map(|text| (name, text));
    names.filter_map(typed).collect()
}

/// The drafts of the questions of a form, as a saved walk has them.
pub(super) fn own(form: &Outline, given: &Map<String, Value>) -> Option<Value> {
    let mut own = Map::new();
    for question in &form.questions {
        own.extend(given.get(&question.id).map(|draft| (question.id.clone(), draft.clone())));
    }
    (!own.is_empty()).then_some(Value::Object(own))
}

/// The drafts of a form, and the answers in them by the places of its questions. Drafts of its questions that do not fit are dropped.
pub(super) fn restored(form: &Outline, given: &Map<String, Value>) -> (Map<String, Value>, Vec<Option<Arc<Taken>>>) {
    let mut answers = vec![None; form.questions.len()];
    let mut budget = Budget::new(form.host.limits.work / SHARE);
    for (question, answer) in form.questions.iter().zip(&mut answers).filter(|_| !given.is_empty()) {
        let draft = fitting(question, given);
        *answer = draft.and_then(|draft| read(form, question, draft, &mut budget)).map(Arc::new);
    }
    (kept(form, given), answers)
}

/// The drafts of a form, without those of its questions that do not fit.
pub(super) fn kept(form: &Outline, given: &Map<String, Value>) -> Map<String, Value> {
    let mut kept = Map::new();
    if given.is_empty() {
        return kept;
    }
    let newest = given.len().saturating_sub(form.questions.len().saturating_add(PASSED_ON));
    let others = given.iter().skip(newest).filter(|(id, _)| form.question(id).is_none());
    let older = others.clone().count().saturating_sub(PASSED_ON);
    for (id, draft) in others.skip(older) {
        kept.insert(id.clone(), draft.clone());
    }
    for question in &form.questions {
        kept.extend(fitting(question, given).map(|draft| (question.id.clone(), draft.clone())));
    }
    kept
}

/// The answer in the draft of a question that a form has got since it began with these drafts. One that does not fit is dropped.
pub(super) fn restored_later(
    form: &Outline,
    question: &Question,
    given: &mut Map<String, Value>,
) -> Option<Arc<Taken>> {
    if given.is_empty() {
        return None;
    }
    match fitting(question, given) {
        Some(draft) => {
            read(form, question, draft, &mut Budget::new(form.host.limits.work / SHARE / PARTS)).map(Arc::new)
        }
        None => {
            given.shift_remove(&question.id);
            None
        }
    }
}

/// The draft of a question, if it is one of the same question.
fn fitting<'d>(question: &Question, given: &'d Map<String, Value>) -> Option<&'d Value> {
    let draft = given.get(&question.id).filter(|_| may_be_drafted(question));
    draft.filter(|draft| draft.get("question").and_then(Value::as_str) == Some(&print(question)))
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

/// The draft that an answer of the person leaves. `None` for a question that must not start from one.
pub(super) fn of(question: &Question, answer: Answer) -> Option<Value> {
    let taken = Taken { answer, note: None, by: By::Person { remember: false } };
    may_be_drafted(question).then(|| written(question, Some(&taken), Map::new()))
}

/// Whether a question may start from a draft of an earlier form. Never where the answer is consent, cannot be undone, or must not be kept.
fn may_be_drafted(question: &Question) -> bool {
    if question.has_danger() {
        return false;
    }
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
