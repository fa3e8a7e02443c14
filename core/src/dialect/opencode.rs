//! The dialect `opencode`: the tool `question` of opencode, answered by position with lists of labels.

use super::{
    Draft, Rules, ToolDefinition, any_question_has, failed,
    fields::{Fields, QUESTIONS, Reader},
    labelled::{self, Shape},
    texts,
};
use crate::{
    outcome::{Ending, Outcome},
    problem::object,
};
use serde_json::{Map, Value, json};

pub(super) const RULES: Rules = Rules { name: "opencode", tool: "question", recognises, read, write };

const SHAPE: Shape = Shape { header: usize::MAX, options: 0..=10_000, multiple: "multiple", other: ("custom", true) };

fn recognises(request: &Value) -> bool {
    any_question_has(request, &["question"]) && any_question_has(request, &["multiple", "custom"])
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    let list = fields.questions(reader, QUESTIONS)?;
    reader.ask_each(list, &fields.path.field("questions"), &mut |reader, fields, place| {
        labelled::question(reader, fields, place, &SHAPE)
    });
    Some(Draft::keeping(Value::Null))
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    match outcome.ending() {
        Ending::Completed => {
            let mut answers = Vec::new();
            for (_, answer) in outcome.answers() {
                answers.push(Value::from(texts(answer)));
            }
            Some(Value::Object(object([("answers", Value::Array(answers))])))
        }
        Ending::Replied { .. } => Some(Value::Object(object([("rejected", true.into())]))),
        Ending::TurnEnded => None,
        Ending::Failed(failure) => Some(failed(failure)),
    }
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![ToolDefinition {
        name: RULES.tool,
        description: "Ask the user questions while you work: to learn what they prefer, to clear up what was meant, or to let \
            them choose a way. The result is a list with the chosen labels of each question, by position.",
        parameters: json!({
            "type": "object",
            "properties": {
                "questions": {
                    "type": "array",
                    "description": "The questions.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "question": { "type": "string", "description": "The whole question, as the user reads it." },
                            "header": { "type": "string", "description": "A very short heading." },
                            "options": {
                                "type": "array",
                                "description": "What the user can choose from.",
                                "items": labelled::option_definition("One to five words.")
                            },
                            "multiple": {
                                "type": "boolean",
                                "description": "Whether several options can be chosen. Default false."
                            },
                            "custom": {
                                "type": "boolean",
                                "description": "Whether the user can write an answer of their own. Default true; add no \
                                    \"Other\" option then."
                            }
                        },
                        "required": ["question", "options"]
                    }
                }
            },
            "required": ["questions"]
        }),
        instructions: None,
    }]
}
