//! The dialect `ask_user_question`, a tool of coding agents: one to four questions with labelled options and "Other". The result has the labels
//! or words by the text of each question. The dialect `claude` has the same request, and wraps the result.

use super::{
    declared::Level,
    draft::{Draft, Rules, Tells, any_question_has, failed, joined, texts},
    fields::{Fields, Reader},
    labelled::{self, Shape},
};
use crate::{
    answer::{Answer, Taken},
    outcome::{Ended, Ending, Write},
    problem::{ProblemKind, collected, object},
    question::{AnswerType, Question},
};

use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) const RULES: Rules = Rules {
    name: "ask_user_question",
    tool: |_| "ask_user_question",
    recognises,
    tells: Tells { listed: &["multiSelect"], ..Tells::NONE },
    read,
    unread: |_| Arc::new(Labels),
    own: None,
};

/// The text for the model when a person declines.
pub(super) const DECLINED: &str = "The user declined to answer. Proceed using your own judgment.";

const QUESTIONS: usize = 4;
pub(super) const FIELDS: &[&str] = &["question", "header", "options", "multiSelect", "danger"];
const SHAPE: Shape = Shape { header: 12, options: 2..=4, multiple: "multiSelect", fields: FIELDS, ..Shape::PLAIN };

fn recognises(request: &Value) -> bool {
    any_question_has(request, "questions", &["question"])
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    // Without these, the same request could come from an agent that reads another result.
    let previews = |question: &Value| {
        let options = question.get("options").and_then(Value::as_array).into_iter().flatten();
        options.into_iter().any(|option| option.get("preview").is_some())
    };
    let list = request.get("questions").and_then(Value::as_array).into_iter().flatten();
    if !list.into_iter().any(|question| question.get("multiSelect").is_some() || previews(question)) {
        reader.assume(RULES.name, &["claude", "opencode", "gemini", "vscode", "kimi"]);
    }
    read_at(reader, &mut Fields::root(request), false)
}

/// Reads a request that stands at some place in another one. `notes`: whether a note may stand beside any option, and not only where there are previews.
pub(super) fn read_at(reader: &mut Reader, fields: &mut Fields<'_>, notes: bool) -> Option<Draft> {
    fields.declare(reader, &["questions"], Level::Request)?;
    let list = fields.questions(reader, "questions", QUESTIONS)?;
    let words = reader.places(list, "question");
    reader.ask_each(list, &fields.place("questions"), &mut |reader, fields, place| {
        fields.declare(reader, SHAPE.fields, Level::Question)?;
        let mut question = labelled::question(reader, fields, place, &SHAPE);
        if let Some(first) = fields.present("question").and_then(|text| words.earlier(text.as_str()?, place)) {
            reader.problem(fields.place("question"), ProblemKind::DuplicateQuestion { first });
        }
        match question.as_mut().map(|question| (&mut question.answer_type, &mut question.notes)) {
            Some((AnswerType::Select(choices), taken)) => *taken = notes || choices.have_previews(),
            Some((AnswerType::MultiSelect { choices, .. }, _)) => choices.drop_previews(),
            _ => {}
        }
        question
    });
    Some(Draft::new(Labels))
}

/// Writes the answers by the text of the question.
struct Labels;

impl Write for Labels {
    fn answers_by_text(&self) -> bool {
        true
    }

    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        match ended.ending {
            Ending::Completed => Some(Value::Object(answers(ended))),
            Ending::Replied { text } => {
                let mut result = object([("declined", true.into()), ("message", DECLINED.into())]);
                result.extend(text.as_deref().map(|text| ("reply".to_owned(), text.into())));
                Some(Value::Object(result))
            }
            Ending::TurnEnded | Ending::Expired => None,
            Ending::Failed(failure) => Some(failed(failure)),
        }
    }
}

/// The answers by the text of the question.
pub(super) fn answers_by_text(ended: &Ended<'_>) -> Map<String, Value> {
    let taken = ended.answers().filter_map(|(question, taken)| Some((question, taken?)));
    let text = |(question, taken): (&Question, &Taken)| {
        (question.text.clone(), joined(Some(&question.answer_type), texts(Some(taken))).into())
    };
    taken.map(text).collect()
}

/// `answers` by the text of the question, and `annotations` if there are any.
pub(super) fn answers(ended: &Ended<'_>) -> Map<String, Value> {
    let (answers, mut annotations) = (answers_by_text(ended), Map::new());
    for (question, taken) in ended.answers() {
        let Some(taken) = taken else { continue };
        let annotation = annotation(question, taken);
        if !annotation.is_empty() {
            annotations.insert(question.text.clone(), Value::Object(annotation));
        }
    }
    let mut result = object([("answers", Value::Object(answers))]);
    if !annotations.is_empty() {
        result.insert("annotations".into(), Value::Object(annotations));
    }
    result
}

fn annotation(question: &Question, taken: &Taken) -> Map<String, Value> {
    let choice = match &taken.answer {
        Answer::Select(value) => question.answer_type.choices().and_then(|choices| choices.get(value)),
        _ => None,
    };
    let preview = choice.and_then(|choice| choice.preview.as_deref());
    collected(&mut [("preview", preview.map(Value::from)), ("notes", taken.note.as_deref().map(Value::from))])
}
