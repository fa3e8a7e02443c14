//! The dialect `codex`: the tool `request_user_input` of Codex, whose questions have ids, and whose answers are lists.

use super::{
    declared::Level,
    draft::{Draft, Rules, Tells, any_question_has, failed, texts},
    fields::{Fields, Ids, QUESTIONS, Reader, is_plain},
    labelled::{self, Shape},
};
use crate::{
    answer::{Answer, REDACTED, Taken},
    outcome::{Ended, Ending, Reply, Write},
    problem::{ProblemKind, object},
    question::AnswerType,
};
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "codex",
    tool: |_| "request_user_input",
    recognises,
    tells: Tells { listed: &["isOther", "isSecret"], ..Tells::NONE },
    read,
    unread: |_| Arc::new(Lists { ids: Vec::new(), reveals: false }),
};

pub(super) const FIELDS: &[&str] = &["id", "header", "question", "options", "isOther", "isSecret", "danger"];
const SHAPE: Shape =
    Shape { header: usize::MAX, options: 0..=10_000, multiple: "", other: ("isOther", false), fields: FIELDS };
/// The answer that means "Other". The text itself is a note.
const NONE_OF_THESE: &str = "None of the above";

fn recognises(request: &Value) -> bool {
    let list = request.get("questions").and_then(Value::as_array);
    let has = |one: &Value, field: &str| one.get(field).is_some_and(|value| !value.is_null());
    list.is_some_and(|list| list.iter().any(|one| has(one, "id") && has(one, "question")))
        || (any_question_has(request, &["question"]) && any_question_has(request, &["isOther", "isSecret"]))
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    fields.declare(reader, &["questions"], Level::Request)?;
    let list = fields.questions(reader, QUESTIONS)?;
    let places = reader.places(list, "id");
    // The keys of the result are the ids of the request.
    let names = list.iter().filter_map(|question| Some(("", question.get("id")?.as_str()?)));
    let (ids, mut sent) = (Ids::of(names.collect()), Vec::with_capacity(list.len()));
    reader.ask_each(list, &fields.place("questions"), &mut |reader, fields, place| {
        fields.declare(reader, SHAPE.fields, Level::Question)?;
        let id = fields.required_text(reader, "id");
        if let Some((id, first)) = id.and_then(|id| Some((id.to_owned(), places.earlier(id, place)?))) {
            reader.problem(fields.place("id"), ProblemKind::DuplicateId { id, first });
        }
        let secret = fields.flag(reader, "isSecret", false);
        let mut question = labelled::question(reader, fields, place, &SHAPE)?;
        question.notes = !secret && question.answer_type.choices().is_some();
        if secret {
            fields.refuse_for(reader, &["options"], "isSecret");
            question.answer_type = AnswerType::Secret;
        }
        question.id = ids.get("", id?);
        // A later question may have the id that is made of this one's.
        reader.depends_on_later |= !is_plain(id?);
        sent.push(id?.to_owned());
        Some(question)
    });
    // The protocol has secrets in the result. A host that names the dialect accepts that. An agent that only uses its shape cannot.
    Some(Draft::new(Lists { ids: sent, reveals: reader.named }))
}

/// Writes a list of answers for each id.
struct Lists {
    /// The ids of the request.
    ids: Vec<String>,
    /// Whether the result has secrets in clear.
    reveals: bool,
}

impl Write for Lists {
    fn reply(&self) -> Reply {
        Reply::WithoutWords
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let mut answers = Map::new();
        match ended.ending {
            Ending::Completed => {
                for (id, (_, taken)) in self.ids.iter().zip(ended.answers()) {
                    if let Some(taken) = taken {
                        let list = Value::Array(self.answers_of(taken));
                        answers.insert(id.clone(), Value::Object(object([("answers", list)])));
                    }
                }
            }
            Ending::Replied { .. } | Ending::TurnEnded => {}
            Ending::Failed(failure) => return Some(failed(failure)),
        }
        Some(Value::Object(object([("answers", Value::Object(answers))])))
    }

    fn reveals_secrets(&self) -> bool {
        self.reveals
    }
}

impl Lists {
    fn answers_of(&self, taken: &Taken) -> Vec<Value> {
        let note = |text: &str| Value::from(format!("user_note: {text}"));
        let mut list = match &taken.answer {
            Answer::Secret(secret) => vec![secret.reveal().filter(|_| self.reveals).unwrap_or(REDACTED).into()],
            Answer::Other(text) => vec![NONE_OF_THESE.into(), note(text)],
            _ => texts(Some(taken)).into_iter().map(Value::from).collect(),
        };
        list.extend(taken.note.as_deref().map(note));
        list
    }
}
