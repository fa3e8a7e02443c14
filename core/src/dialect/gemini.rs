//! The dialect `gemini`: the tool `ask_user` of Gemini CLI, with choices, texts and yes-or-no, answered by position.

use super::{
    Draft, Rules, ToolDefinition, any_question_has, failed,
    fields::{Fields, Reader},
    labelled::{self, Shape},
    texts,
};
use crate::{
    form::{AnswerType, Choice, Choices},
    outcome::{Ending, Outcome},
    problem::object,
};
use serde_json::{Map, Value, json};

pub(super) const RULES: Rules = Rules { name: "gemini", tool: "ask_user", recognises, read, write };

const QUESTIONS: usize = 4;
const SHAPE: Shape = Shape { header: 16, options: 2..=4, multiple: "multiSelect", other: ("", true) };
const TYPES: &[&str] = &["choice", "text", "yesno"];

fn recognises(request: &Value) -> bool {
    any_question_has(request, &["question"]) && any_question_has(request, &["type"])
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    let list = fields.questions(reader, QUESTIONS)?;
    reader.ask_each(list, &fields.path.field("questions"), &mut |reader, fields, place| {
        let answer_type = match fields.text(reader, "type") {
            None | Some("choice") => return labelled::question(reader, fields, place, &SHAPE),
            Some("text") => Some(AnswerType::text()),
            Some("yesno") => {
                let (choices, _) = Choices::new(vec![Choice::new("Yes"), Choice::new("No")]);
                Some(AnswerType::Select(choices))
            }
            Some(given) => {
                reader.unknown_type(fields.path.field("type"), given, TYPES);
                None
            }
        };
        let placeholder = fields.note(reader, "placeholder");
        let mut question = labelled::asked(reader, fields, place, &SHAPE, answer_type)?;
        question.placeholder = placeholder;
        Some(question)
    });
    Some(Draft::keeping(Value::Null))
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    match outcome.ending() {
        Ending::Completed => {
            let mut answers = Map::new();
            for (place, (_, answer)) in outcome.answers().enumerate() {
                if answer.is_some() {
                    answers.insert(place.to_string(), texts(answer).join(", ").into());
                }
            }
            Some(Value::Object(object([("answers", Value::Object(answers))])))
        }
        Ending::Replied { .. } => Some("User dismissed ask_user dialog without answering.".into()),
        Ending::TurnEnded => None,
        Ending::Failed(failure) => Some(failed(failure)),
    }
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    vec![ToolDefinition {
        name: RULES.tool,
        description: "Ask the user one to four questions: to choose, to write, or to say yes or no. Use it when only the user \
            can decide. The result maps the position of each question, from \"0\", to the answer as text.",
        parameters: json!({
            "type": "object",
            "properties": {
                "questions": {
                    "type": "array",
                    "description": "One to four questions.",
                    "items": {
                        "type": "object",
                        "properties": {
                            "question": { "type": "string", "description": "The whole question, as the user reads it." },
                            "header": { "type": "string", "description": "A heading of at most 16 characters." },
                            "type": {
                                "type": "string",
                                "enum": TYPES,
                                "description": "choice (the default): one of the options, or several. text: free text. \
                                    yesno: Yes or No."
                            },
                            "options": {
                                "type": "array",
                                "description": "For choice: two to four options. The user can also write something else.",
                                "items": labelled::option_definition("What the user chooses.")
                            },
                            "multiSelect": {
                                "type": "boolean",
                                "description": "For choice: whether several options can be chosen. Default false."
                            },
                            "placeholder": { "type": "string", "description": "For text: an example of an answer." }
                        },
                        "required": ["question", "header"]
                    }
                }
            },
            "required": ["questions"]
        }),
        instructions: None,
    }]
}
