//! The dialect `deepagents`: interrupts of LangGraph and of deepagents (`user_question`, `confirm_action`, `ask_user`), and
//! the same questions as arguments of their tools. An interrupt must be resumed: its result is never missing.

use super::{
    Draft, Rules, ToolDefinition,
    fields::{Fields, OPTIONS, QUESTIONS, Reader},
    labelled::{self, Shape},
    texts,
};
use crate::{
    answer::Answer,
    form::{AnswerType, Choice, Question, TextRules},
    outcome::{Ending, Outcome},
    problem::{ProblemKind, Refusal, collected, object},
};
use serde_json::{Map, Value, json};

pub(super) const RULES: Rules = Rules { name: "deepagents", tool: "ask_user_question", recognises, read, write };

const SHAPE: Shape = Shape { header: 12, options: OPTIONS, multiple: "multi_select", other: ("allow_custom", true) };
const KINDS: &[&str] = &["user_question", "confirm_action", "ask_user"];
const TYPES: &[&str] = &["text", "multiple_choice"];

/// What is kept of the request to write its result: which of the shapes it had.
const INTERRUPT: &str = "interrupt";
const ARGUMENTS: &str = "arguments";
const LIST: &str = "list";

fn recognises(request: &Value) -> bool {
    let has = |name: &str| request.get(name).is_some();
    let kind = request.get("type").and_then(Value::as_str).is_some_and(|kind| KINDS.contains(&kind));
    let question = has("question") && (has("descriptions") || has("multi_select") || has("allow_custom"));
    let confirms = |fields: &Map<String, Value>| {
        fields.contains_key("action") && fields.keys().all(|key| ["action", "details", "default"].contains(&&**key))
    };
    kind || question || request.as_object().is_some_and(confirms)
}

fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let fields = Fields::root(request);
    let (question, shape) = match fields.text(reader, "type") {
        Some("user_question") => (read_question(reader, &fields, true), INTERRUPT),
        Some("confirm_action") => (read_question(reader, &fields, false), INTERRUPT),
        Some("ask_user") => return read_list(reader, &fields),
        Some(given) => {
            reader.unknown_type(fields.path.field("type"), given, KINDS);
            return None;
        }
        None if fields.present("action").is_some() => (read_confirmation(reader, &fields), ARGUMENTS),
        None => (read_question(reader, &fields, true), ARGUMENTS),
    };
    reader.ask(question?, fields.path);
    Some(Draft::keeping(shape.into()))
}

/// A question with perhaps options; `custom`: whether "Other" is offered where the request does not say.
fn read_question(reader: &mut Reader, fields: &Fields<'_>, custom: bool) -> Option<Question> {
    let multiple = fields.flag(reader, SHAPE.multiple, false);
    let custom = fields.flag(reader, SHAPE.other.0, custom);
    let options = fields.list(reader, "options", "a list of texts")?;
    let descriptions = read_descriptions(reader, fields, options.len());
    let answer_type = if options.is_empty() {
        Some(AnswerType::text())
    } else {
        let mut descriptions = descriptions.into_iter();
        let path = fields.path.field("options");
        let choices = reader.options(options, &path, &SHAPE.options, &mut |reader, option, path| {
            let description = descriptions.next().flatten();
            Some(Choice { description, ..reader.plain(option, path)? })
        });
        choices.map(|choices| AnswerType::choice(choices.with_other(custom), multiple))
    };
    let mut question = labelled::asked(reader, fields, 0, &SHAPE, answer_type)?;
    read_default(reader, fields, &mut question, options);
    Some(question)
}

/// The descriptions of the options, one for each, null where there is none.
fn read_descriptions(reader: &mut Reader, fields: &Fields<'_>, options: usize) -> Vec<Option<String>> {
    let path = fields.path.field("descriptions");
    let list = fields.list(reader, "descriptions", "a list of texts, null where there is none").unwrap_or_default();
    if !list.is_empty() && list.len() != options {
        reader.problem(path.clone(), ProblemKind::LengthMismatch { options, descriptions: list.len() });
    }
    let mut read = Vec::with_capacity(list.len());
    for (place, description) in list.iter().enumerate() {
        read.push(match description {
            Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
            Value::String(_) | Value::Null => None,
            other => {
                reader.wrong_type(path.item(place), "a text, or null", other);
                None
            }
        });
    }
    read
}

/// The default is the place of an option, from 0, or a text.
fn read_default(reader: &mut Reader, fields: &Fields<'_>, question: &mut Question, options: &[Value]) {
    let path = fields.path.field("default");
    let default = match fields.present("default") {
        Some(Value::Number(place)) if question.answer_type.choices().is_some() => {
            let option = place.as_u64().and_then(|place| options.get(usize::try_from(place).ok()?));
            if option.is_none() {
                let refusal = Refusal::NotAnOption { value: place.to_string() };
                reader.problem(path, ProblemKind::InvalidDefault { refusal });
                return;
            }
            option.cloned()
        }
        default => default.cloned(),
    };
    let default = match (&question.answer_type, default) {
        (AnswerType::MultiSelect(..), Some(one @ Value::String(_))) => Some(Value::Array(vec![one])),
        (_, default) => default,
    };
    reader.default(question, default.as_ref(), path);
}

/// The arguments of the tool `confirm_action`: a yes-or-no question.
fn read_confirmation(reader: &mut Reader, fields: &Fields<'_>) -> Option<Question> {
    let action = fields.shown_text(reader, "action");
    let details = fields.note(reader, "details");
    let default = fields.flag(reader, "default", true);
    let mut question = Question::new("q1", format!("Confirm: {}", action?), AnswerType::Boolean);
    question.context = details;
    question.default = Some(default.into());
    Some(question)
}

/// The interrupt `ask_user`: several questions, answered by position.
fn read_list(reader: &mut Reader, fields: &Fields<'_>) -> Option<Draft> {
    let list = fields.questions(reader, QUESTIONS)?;
    reader.ask_each(list, &fields.path.field("questions"), &mut |reader, fields, place| {
        let required = fields.flag(reader, "required", true);
        let answer_type = match fields.text(reader, "type") {
            // A text that must be given must say something.
            None | Some("text") => {
                Some(AnswerType::Text(TextRules { min_length: required.into(), ..TextRules::default() }))
            }
            Some("multiple_choice") => fields.required_list(reader, "choices").and_then(|list| {
                let path = fields.path.field("choices");
                let choices = reader.options(list, &path, &OPTIONS, &mut |reader, choice, path| {
                    let fields = reader.object(choice, path, "an object with \"value\"")?;
                    fields.shown_text(reader, "value").map(Choice::new)
                });
                choices.map(|choices| AnswerType::Select(choices.with_other(true)))
            }),
            Some(given) => {
                reader.unknown_type(fields.path.field("type"), given, TYPES);
                None
            }
        };
        let mut question = labelled::asked(reader, fields, place, &SHAPE, answer_type)?;
        question.optional = !required;
        Some(question)
    });
    Some(Draft::keeping(LIST.into()))
}

fn write(outcome: &Outcome<'_>) -> Option<Value> {
    let shape = outcome.form().envelope.as_str().unwrap_or(ARGUMENTS);
    let only = || outcome.answers().next().and_then(|(_, answer)| answer).map(Answer::shown).unwrap_or_default();
    Some(match (outcome.ending(), shape) {
        (Ending::Completed, LIST) => {
            let mut answers = Vec::new();
            for (_, answer) in outcome.answers() {
                answers.push(Value::from(texts(answer).join(", ")));
            }
            Value::Object(object([("status", "answered".into()), ("answers", Value::Array(answers))]))
        }
        (Ending::Replied { .. } | Ending::TurnEnded | Ending::Failed(_), LIST) => {
            Value::Object(object([("status", "cancelled".into())]))
        }
        (Ending::Completed, INTERRUPT) => Value::Object(response(only())),
        (ending, INTERRUPT) => {
            let reply = match ending {
                Ending::Replied { text } => text.clone(),
                Ending::Failed(failure) => Some(failure.to_string()),
                Ending::TurnEnded | Ending::Completed => None,
            };
            let mut result = response(Value::Null);
            result.extend(collected(&mut [("cancelled", Some(true.into())), ("reply", reply.map(Value::from))]));
            Value::Object(result)
        }
        (Ending::Completed, _) => only(),
        (Ending::Replied { .. } | Ending::TurnEnded | Ending::Failed(_), _) => Value::Null,
    })
}

fn response(value: Value) -> Map<String, Value> {
    object([("type", "user_response".into()), ("response", value)])
}

pub(super) fn definitions() -> Vec<ToolDefinition> {
    let instructions = Some(
        "Ask when a decision is the user's to make and nothing at hand answers it: a preference, a trade-off, a missing \
         requirement. Confirm before what cannot be undone: deleting, overwriting, sending, spending. Do not ask what you can \
         find out, and do not ask the same thing twice. An answer of null means that the user cancelled: it is no consent.",
    );
    let texts =
        |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    vec![
        ToolDefinition {
            name: "ask_user_question",
            description: "Ask the user one question and wait for the answer: the text of an option, a list of them, or what \
                the user wrote instead. Null: the user cancelled.",
            parameters: json!({
                "type": "object",
                "properties": {
                    "question": { "type": "string", "description": "The whole question, as the user reads it." },
                    "options": texts("What the user can choose from. Leave it out for free text."),
                    "header": { "type": "string", "description": "A heading of at most 12 characters." },
                    "descriptions": {
                        "type": "array",
                        "description": "What choosing each option means: one for each, null where there is none."
                    },
                    "multi_select": {
                        "type": "boolean",
                        "description": "Whether several options can be chosen. Default false."
                    },
                    "allow_custom": {
                        "type": "boolean",
                        "description": "Whether the user can write something else than the options. Default true."
                    },
                    "default": { "description": "The option that is suggested: its place, from 0, or its text." }
                },
                "required": ["question"]
            }),
            instructions,
        },
        ToolDefinition {
            name: "confirm_action",
            description: "Ask the user to confirm something before you do it. The result is true or false; null: the user \
                cancelled, which is no consent.",
            parameters: json!({
                "type": "object",
                "properties": {
                    "action": { "type": "string", "description": "What you are about to do: \"Delete 15 test files\"." },
                    "details": { "type": "string", "description": "What exactly is concerned." },
                    "default": { "type": "boolean", "description": "Which answer is suggested. Default true." }
                },
                "required": ["action"]
            }),
            instructions,
        },
        ToolDefinition {
            name: "ask_user",
            description: "Ask the user several questions at once, to choose or to write. The result has \"status\" (answered or \
                cancelled) and the answers by position.",
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
                                "type": { "type": "string", "enum": TYPES, "description": "Default: text." },
                                "choices": {
                                    "type": "array",
                                    "description": "For multiple_choice. The user can also write something else.",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "value": { "type": "string", "description": "What the user chooses." }
                                        },
                                        "required": ["value"]
                                    }
                                },
                                "required": {
                                    "type": "boolean",
                                    "description": "Whether it must be answered. Default true."
                                }
                            },
                            "required": ["question"]
                        }
                    }
                },
                "required": ["questions"]
            }),
            instructions,
        },
    ]
}
