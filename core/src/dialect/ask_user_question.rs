//! The dialect `ask_user_question`: one to four questions with labelled options and "Other", answered by their words. The
//! tool of coding agents; `claude` has the same request and wraps its result.

use super::{
    Draft, Rules, ToolDefinition, any_question_has, failed,
    fields::{Fields, Places, Reader},
    labelled::{self, Shape},
    texts,
};
use crate::{
    answer::Answer,
    form::{AnswerType, Choices, Question},
    outcome::{Ending, Outcome},
    problem::{ProblemKind, collected, object},
};
use serde_json::{Map, Value, json};

pub(super) const RULES: Rules = Rules { name: "ask_user_question", tool: "ask_user_question", recognises, read, write };

/// What models are told where a person declines.
pub(super) const DECLINED: &str = "The user declined to answer. Proceed using your own judgment.";

const QUESTIONS: usize = 4;
const SHAPE: Shape = Shape { header: 12, options: 2..=4, multiple: "multiSelect", other: ("", true) };

fn recognises(request: &Value) -> bool {
    any_question_has(request, &["question"])
}

pub(super) fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    let list = fields.questions(reader, QUESTIONS)?;
    let words = Places::of(list, "question");
    reader.ask_each(list, &fields.path.field("questions"), &mut |reader, fields, place| {
        let mut question = labelled::question(reader, fields, place, &SHAPE);
        if let Some(first) = fields.present("question").and_then(|text| words.earlier(text.as_str()?, place)) {
            reader.problem(fields.path.field("question"), ProblemKind::DuplicateQuestion { first });
        }
        match question.as_mut().map(|question| (&mut question.answer_type, &mut question.notes)) {
            Some((AnswerType::Select(choices), notes)) => *notes = choices.have_previews(),
            Some((AnswerType::MultiSelect(choices, _), _)) => choices.drop_previews(),
            _ => {}
        }
        question
    });
    Some(Draft::keeping(Value::Null))
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    match outcome.ending() {
        Ending::Completed => Some(Value::Object(answers(outcome))),
        Ending::Replied { text } => {
            let mut result = object([("declined", true.into()), ("message", DECLINED.into())]);
            if let Some(text) = text {
                result.insert("reply".into(), text.as_str().into());
            }
            Some(Value::Object(result))
        }
        Ending::TurnEnded => None,
        Ending::Failed(failure) => Some(failed(failure)),
    }
}

/// `answers` by the words of the question, and `annotations` where there are any.
pub(super) fn answers(outcome: &Outcome<'_>) -> Map<String, Value> {
    let (mut answers, mut annotations) = (Map::new(), Map::new());
    for (question, answer) in outcome.answers() {
        let Some(answer) = answer else { continue };
        answers.insert(question.text.clone(), texts(Some(answer)).join(", ").into());
        let annotation = annotation(question, answer);
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

fn annotation(question: &Question, answer: &Answer) -> Map<String, Value> {
    let chosen = answer.open().filter(|_| answer.other().is_none());
    let choice =
        question.answer_type.choices().zip(chosen).and_then(|(choices, chosen): (&Choices, _)| choices.get(chosen));
    let preview = choice.and_then(|choice| choice.preview.as_deref());
    collected(&mut [("preview", preview.map(Value::from)), ("notes", answer.note().map(Value::from))])
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![definition(RULES.tool)]
}

/// The definition, under the name by which a framework knows the tool.
pub(super) fn definition(name: &'static str) -> ToolDefinition {
    ToolDefinition {
        name,
        description: "Ask the user up to four multiple-choice questions when you are blocked on a decision that is theirs. \
            The user can always write something else than the options (\"Other\"), so add no such option yourself. The \
            result maps the words of each question to the label that was chosen, several joined with \", \". If it has \
            \"declined\": true, the user chose not to answer.",
        parameters: json!({
            "type": "object",
            "properties": {
                "questions": {
                    "type": "array",
                    "description": "One to four questions, each with words of its own.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "question": { "type": "string", "description": "The whole question, as the user reads it." },
                            "header": { "type": "string", "description": "A heading of at most 12 characters." },
                            "options": {
                                "type": "array",
                                "description": "Two to four options, each with a label of its own.",
                                "items": {
                                    "type": "object",
                                    "properties": {
                                        "label": {
                                            "type": "string",
                                            "description": "What the user chooses: a few words. Put \"(Recommended)\" after \
                                                the one that you advise, and put that one first."
                                        },
                                        "description": {
                                            "type": "string",
                                            "description": "What choosing it means."
                                        },
                                        "preview": {
                                            "type": "string",
                                            "description": "What it would look like, as monospaced text: a mock-up, code, a \
                                                configuration. For single choice only."
                                        }
                                    },
                                    "required": ["label"]
                                }
                            },
                            "multiSelect": {
                                "type": "boolean",
                                "description": "Whether several options can be chosen. Default false."
                            }
                        },
                        "required": ["question", "options"]
                    }
                }
            },
            "required": ["questions"]
        }),
        instructions: Some(
            "Ask the user when the answer changes what you do next and you cannot find it out yourself. Put what belongs \
             together into one call. Do not ask for permission that you have already been given, for facts that are in the \
             files at hand, or whether to go on.",
        ),
    }
}
