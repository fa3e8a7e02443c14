//! The dialect `codex`: the tool `request_user_input` of Codex, whose questions have ids, and whose answers are lists.

use super::{
    Draft, Rules, ToolDefinition, any_question_has, failed,
    fields::{Fields, Ids, Places, QUESTIONS, Reader},
    labelled::{self, Shape},
    texts,
};
use crate::{
    answer::Answer,
    form::AnswerType,
    outcome::{Ending, Outcome},
    problem::{ProblemKind, object},
};
use serde_json::{Map, Value, json};

pub(super) const RULES: Rules = Rules { name: "codex", tool: "request_user_input", recognises, read, write };

const SHAPE: Shape = Shape { header: usize::MAX, options: 0..=10_000, multiple: "", other: ("isOther", false) };
/// What stands for "Other" among the answers; the text itself is a note.
const NONE_OF_THESE: &str = "None of the above";

fn recognises(request: &Value) -> bool {
    let list = request.get("questions").and_then(Value::as_array);
    list.is_some_and(|list| list.iter().any(|one| one.get("id").is_some() && one.get("question").is_some()))
        || (any_question_has(request, &["question"]) && any_question_has(request, &["isOther", "isSecret"]))
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    let list = fields.questions(reader, QUESTIONS)?;
    let places = Places::of(list, "id");
    // The result is keyed by the ids as they were sent.
    let (mut ids, mut sent) = (Ids::default(), Vec::with_capacity(list.len()));
    reader.ask_each(list, &fields.path.field("questions"), &mut |reader, fields, place| {
        let id = fields.required_text(reader, "id");
        if let Some((id, first)) = id.and_then(|id| Some((id.to_owned(), places.earlier(id, place)?))) {
            reader.problem(fields.path.field("id"), ProblemKind::DuplicateId { id, first });
        }
        let secret = fields.flag(reader, "isSecret", false);
        let mut question = labelled::question(reader, fields, place, &SHAPE)?;
        question.notes = !secret && question.answer_type.choices().is_some();
        if secret {
            question.answer_type = AnswerType::Secret;
        }
        question.id = ids.of(id?);
        sent.push(Value::from(id?));
        Some(question)
    });
    Some(Draft { reveals_secrets: true, ..Draft::keeping(Value::Array(sent)) })
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    let mut answers = Map::new();
    match outcome.ending() {
        Ending::Completed => {
            let ids = outcome.form().envelope.as_array().into_iter().flatten();
            for (id, (_, answer)) in ids.zip(outcome.answers()) {
                if let (Some(id), Some(answer)) = (id.as_str(), answer) {
                    let list = Value::Array(answers_of(answer));
                    answers.insert(id.to_owned(), Value::Object(object([("answers", list)])));
                }
            }
        }
        Ending::Replied { .. } | Ending::TurnEnded => {}
        Ending::Failed(failure) => return Some(failed(failure)),
    }
    Some(Value::Object(object([("answers", Value::Object(answers))])))
}

fn answers_of(answer: &Answer) -> Vec<Value> {
    let note = |text: &str| Value::from(format!("user_note: {text}"));
    let mut list = match (answer.secret(), answer.other()) {
        (Some(secret), _) => vec![secret.clone()],
        (None, Some(text)) => vec![NONE_OF_THESE.into(), note(text)],
        (None, None) => texts(Some(answer)).into_iter().map(Value::from).collect(),
    };
    list.extend(answer.note().map(note));
    list
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![ToolDefinition {
        name: RULES.tool,
        description: "Ask the user one to three short questions and wait for the answers. Each has an id; the result maps it \
            to a list of answers. The user may add a note to an option, which follows it as \"user_note: …\".",
        parameters: json!({
            "type": "object",
            "properties": {
                "questions": {
                    "type": "array",
                    "description": "The questions; prefer one, and do not exceed three.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": { "type": "string", "description": "A name for the answer, in snake_case." },
                            "header": { "type": "string", "description": "A heading of at most 12 characters." },
                            "question": { "type": "string", "description": "One sentence, as the user reads it." },
                            "options": {
                                "type": "array",
                                "description": "Two or three options that exclude each other. Leave it out for free text.",
                                "items": labelled::option_definition("What the user chooses: a few words.")
                            },
                            "isOther": {
                                "type": "boolean",
                                "description": "Whether the user can write something else than the options. Default false."
                            },
                            "isSecret": {
                                "type": "boolean",
                                "description": "Whether the answer is typed without being shown. Default false."
                            }
                        },
                        "required": ["id", "question"]
                    }
                }
            },
            "required": ["questions"]
        }),
        instructions: None,
    }]
}
